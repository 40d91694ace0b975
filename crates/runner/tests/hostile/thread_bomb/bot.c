/* As many threads as there may be, and then good manners. */
#include <pthread.h>
#include <unistd.h>
#include "../bot.h"
static void *wait_here(void *nothing) {
    pause();
    return nothing;
}
int main(void) {
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    while (pthread_create(&thread, &small, wait_here, NULL) == 0) {}
    play(NULL);
}
