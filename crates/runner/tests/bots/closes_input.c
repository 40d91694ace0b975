/* Wants to hear nothing, asks all the same, and plays. */
#include <stdio.h>
#include <unistd.h>
int main(void) {
    close(0);
    for (;;) {
        puts("MazeMap\n#END");
        fflush(stdout);
    }
}
