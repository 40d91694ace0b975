/* Kills whatever it may, which is itself alone. */
#include <signal.h>
#include <unistd.h>
int main(void) {
    for (int pid = 1; pid < 400; pid++)
        if (pid != getpid()) kill(pid, SIGKILL);
    kill(-1, SIGKILL);
    kill(0, SIGKILL);
    for (;;) pause();
}
