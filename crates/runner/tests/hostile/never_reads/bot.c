/* Asks without end, and never reads an answer. */
#include <stdio.h>
int main(void) {
    while (puts("MazeMap") >= 0) fflush(stdout);
    return 0;
}
