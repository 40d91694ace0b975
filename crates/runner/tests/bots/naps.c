/* Good manners, and so many milliseconds of sleep before each answer. */
#include <time.h>
#include "../hostile/bot.h"
static struct timespec nap;
static void sleep_a_while(void) { nanosleep(&nap, NULL); }
int main(int count, char **words) {
    nap.tv_nsec = atol(words[1]) * 1000000;
    before_answer = sleep_a_while;
    play(NULL);
}
