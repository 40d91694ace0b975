#include "try.h"
#include <time.h>
static volatile int signals;
static void count(int signal) {
    signals++;
}
int main(void) {
    for (int signal = 1; signal < 65; signal++)
        sigset(signal, count);
    // Half of it busy, half of it asleep; the test pauses it all the time.
    struct timespec begun, now, nap = {0, 1000000};
    clock_gettime(CLOCK_MONOTONIC, &begun);
    do {
        for (volatile int n = 0; n < 1000000; n++)
            ;
        nanosleep(&nap, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec - begun.tv_sec < 1);
    printf("%d signals\n", signals);
}
