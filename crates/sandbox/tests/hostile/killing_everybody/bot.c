#include "try.h"
int main(void) {
    for (int pid = 1; pid < 6; pid++)
        if (pid != getpid() && kill(pid, SIGKILL) == 0)
            puts("killed somebody");
    kill(-1, SIGKILL);
    puts("and then itself");
    fflush(stdout);
    kill(0, SIGKILL);
    puts("lives on");
}
