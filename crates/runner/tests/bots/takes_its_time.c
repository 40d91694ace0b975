/* Sleeps a while in every turn: the opponent is paused meanwhile. */
#include <stdio.h>
#include <unistd.h>
int main(void) {
    for (;;) {
        usleep(50000);
        puts("#END");
        fflush(stdout);
    }
}
