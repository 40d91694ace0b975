#include "try.h"
// A child of a child, in a session of its own, with nothing open, busy for ever.
int main(void) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            close(0);
            close(1);
            close(2);
            for (;;)
                ;
        }
        _exit(0);
    }
    wait(NULL);
    puts("bye");
}
