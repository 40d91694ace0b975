/* Asks, reads, and does nothing: good manners. */
#include <stdio.h>
int main(void) {
    char line[256];
    for (;;) {
        puts("Clock");
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) return 0;
        puts("#END");
        fflush(stdout);
    }
}
