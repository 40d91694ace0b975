/* A child of a session of its own computes all the time. */
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char line[256];
    if (fork() == 0) {
        setsid();
        for (volatile unsigned long n = 0;; n++) {}
    }
    for (;;) {
        puts("Clock");
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) return 0;
        puts("#END");
        fflush(stdout);
    }
}
