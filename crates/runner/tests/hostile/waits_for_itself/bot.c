/* Threads that keep each other waiting, for most of a turn; then nothing, until a little after its
 * end. Were they taken for the host's doing, the turn would be late by no more than is in doubt. */
#include <pthread.h>
#include <time.h>
#include "../bot.h"

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static double asked;

static void *compute(void *nothing) {
    while (now() < asked + 0.8) {}
    return nothing;
}

static void wait(void) {
    pthread_t threads[8];
    asked = now();
    for (int n = 0; n < 8; n++) pthread_create(&threads[n], NULL, compute, NULL);
    for (int n = 0; n < 8; n++) pthread_join(threads[n], NULL);
    while (now() < asked + 1.85) usleep(1000);
}

int main(void) {
    before_answer = wait;
    play(NULL);
}
