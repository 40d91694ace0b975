// ÿşÃ( café
#include <stdio.h>
int main(void) {
    puts("éÿ");
    return 0;
}
