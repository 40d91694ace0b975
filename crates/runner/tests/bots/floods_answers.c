/* Writes ahead without end: an architect in the manner of the documented one. */
#include <stdio.h>
int main(void) {
    int size;
    puts("MazeSize");
    fflush(stdout);
    if (scanf("%d", &size) != 1) return 1;
    for (int row = size - 2; row > 1; row--) {
        printf("#PRINT go UP\nPlaceObstacle %d %d\n#END\n", size - 5, row);
        fflush(stdout);
    }
    while (puts("#PRINT go NOWHERE\n#END") >= 0) fflush(stdout);
    return 0;
}
