/* Uses so many milliseconds of the processor in each turn, sleeps for so many, and answers. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static long cpu_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}
int main(int argc, char **argv) {
    long work_us = atol(argv[1]) * 1000, sleep_us = atol(argv[2]) * 1000;
    char line[256];
    for (;;) {
        for (long until = cpu_us() + work_us; cpu_us() < until;) {}
        if (sleep_us) usleep(sleep_us);
        puts("Clock");
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) return argc == 0;
        puts("#END");
        fflush(stdout);
    }
}
