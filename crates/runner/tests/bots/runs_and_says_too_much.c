/* A sprinter that answers the first question twice. */
#include <stdio.h>
int main(void) {
    int a, b, c, d;
    if (scanf("%d %d %d", &a, &b, &c) != 3) return 1;
    puts("0");
    fflush(stdout);
    while (scanf("%d %d %d %d", &a, &b, &c, &d) == 4) {
        puts("1\n1");
        fflush(stdout);
    }
    return 0;
}
