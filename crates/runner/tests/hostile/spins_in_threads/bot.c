/* Four threads compute in its turn, and it answers after a while. */
#include <pthread.h>
#include "../bot.h"
static void *spin(void *nothing) {
    for (volatile long n = 0;; n++) {}
    return nothing;
}
int main(void) {
    pthread_t thread;
    for (int n = 0; n < 4; n++) pthread_create(&thread, NULL, spin, NULL);
    play(NULL);
}
