// Keeps as many threads or processes busy as told, or both, or memory, and says when they are.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int in_memory;
static void *think(void *nothing) {
    static char block[16 << 20];
    for (volatile long n = 0;; n++)
        if (in_memory)
            memset(block, (int)n, sizeof block);
    return nothing;
}
int main(int count, char **arguments) {
    int many = atoi(arguments[2]);
    int both = !strcmp(arguments[1], "both");
    in_memory = !strcmp(arguments[1], "memory");
    for (int i = 1; i < many; i++) {
        if (both || !strcmp(arguments[1], "processes"))
            if (fork() == 0)
                think(NULL);
        pthread_t thread;
        if (both || strcmp(arguments[1], "processes"))
            pthread_create(&thread, NULL, think, NULL);
    }
    puts("thinking");
    fflush(stdout);
    think(NULL);
}
