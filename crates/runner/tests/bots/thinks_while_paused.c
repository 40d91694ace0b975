/* A second thread computes all the time, also in the opponent's turns. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static void *think(void *unused) {
    (void)unused;
    for (volatile unsigned long n = 0;; n++) {}
}
int main(void) {
    char line[256];
    pthread_t thread;
    pthread_create(&thread, NULL, think, NULL);
    for (;;) {
        puts("Clock");
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) return 0;
        puts("#END");
        fflush(stdout);
    }
}
