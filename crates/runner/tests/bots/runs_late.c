/* A sprinter that shakes hands and then sleeps. */
#include <stdio.h>
#include <unistd.h>
int main(void) {
    int a, b, c;
    if (scanf("%d %d %d", &a, &b, &c) != 3) return 1;
    puts("0");
    fflush(stdout);
    sleep(60);
    return 0;
}
