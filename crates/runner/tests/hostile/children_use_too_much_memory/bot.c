/* Its children touch memory until they die; it waits for more of them. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    for (;;) {
        if (fork() == 0) {
            for (;;) {
                char *block = malloc(1 << 20);
                if (block) memset(block, 1, 1 << 20);
            }
        }
        wait(NULL);
    }
}
