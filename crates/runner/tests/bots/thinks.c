/* Good manners, and so many milliseconds of computing for each answer. */
#include <time.h>
#include "../hostile/bot.h"
static long cpu_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
static long think_ms;
static void think(void) {
    for (long until = cpu_ms() + think_ms; cpu_ms() < until;)
        for (volatile int n = 0; n < 10000; n++) {}
}
int main(int count, char **words) {
    think_ms = atol(words[1]);
    before_answer = think;
    play(NULL);
}
