#include "try.h"
static void *wait_here(void *nothing) {
    pause();
    return nothing;
}
int main(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    int threads = 0;
    pthread_t thread;
    while ((errno = pthread_create(&thread, &small, wait_here, NULL)) == 0)
        threads++;
    printf("%d threads, then %s\n", threads, error_name());
}
