/* Stops itself; only another could let it go on. */
#include <signal.h>
#include <unistd.h>
int main(void) {
    kill(getppid(), SIGSTOP);
    raise(SIGSTOP);
    for (;;) pause();
}
