/* A sprinter: one step a step, in every race anew. */
#include <stdio.h>
int main(void) {
    int a, b, c, d;
    fputs("born\n", stderr);
    if (scanf("%d %d %d", &a, &b, &c) != 3) return 1;
    puts("0");
    fflush(stdout);
    while (scanf("%d %d %d %d", &a, &b, &c, &d) == 4) {
        puts(a == 0 ? "1" : "0");
        fflush(stdout);
    }
    return 0;
}
