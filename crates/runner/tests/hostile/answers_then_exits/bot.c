/* One whole answer, and it is gone. The answer counts. */
#include <stdio.h>
int main(void) {
    puts("#END");
    return 0;
}
