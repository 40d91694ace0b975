#include "try.h"
static void *spin(void *nothing) {
    for (;;)
        ;
    return nothing;
}
int main(void) {
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, NULL, spin, NULL);
    usleep(50000);
    _exit(3);
}
