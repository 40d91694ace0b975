/* Its last line lacks the end. */
#include <stdio.h>
int main(void) {
    fputs("#END", stdout);
    return 0;
}
