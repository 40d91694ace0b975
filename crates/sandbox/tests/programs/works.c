// Uses so many milliseconds of the processor for every line, and gives it back.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static long cpu_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}
int main(int argc, char **argv) {
    char line[4096];
    long length, work_us = argc > 1 ? atol(argv[1]) * 1000 : 0;
    while ((length = read(0, line, sizeof line)) > 0) {
        for (long until = cpu_us() + work_us; cpu_us() < until;) {}
        if (write(1, line, length) != length)
            return 1;
    }
    return 0;
}
