// Keeps as many threads or processes busy as told, and says when they are.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void *think(void *nothing) {
    for (volatile long n = 0;; n++)
        ;
    return nothing;
}
int main(int count, char **arguments) {
    int many = atoi(arguments[2]);
    for (int i = 1; i < many; i++)
        if (!strcmp(arguments[1], "processes")) {
            if (fork() == 0)
                think(NULL);
        } else {
            pthread_t thread;
            pthread_create(&thread, NULL, think, NULL);
        }
    puts("thinking");
    fflush(stdout);
    think(NULL);
}
