/* A sprinter that answers before it is asked, a moment after its last answer. */
#include <stdio.h>
#include <unistd.h>
int main(void) {
    int a, b, c, d;
    if (scanf("%d %d %d", &a, &b, &c) != 3) return 1;
    puts("0");
    fflush(stdout);
    while (scanf("%d %d %d %d", &a, &b, &c, &d) == 4) {
        if (write(1, "1\n", 2) != 2 || write(1, "1\n", 2) != 2) return 1;
    }
    return 0;
}
