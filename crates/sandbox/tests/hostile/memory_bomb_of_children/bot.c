#include "try.h"
// Each stays below the limit, all together do not; the parent uses nothing.
int main(void) {
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            memset(malloc(32 << 20), 1, 32 << 20);
            pause();
        }
    while (wait(NULL) > 0)
        ;
}
