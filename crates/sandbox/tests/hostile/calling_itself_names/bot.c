#include "try.h"
int main(int count, char **arguments) {
    TRY(prctl(PR_SET_NAME, "\033[31m\n\"<b>"));
    TRY(prctl(PR_SET_PDEATHSIG, SIGTERM));
    TRY(prctl(PR_SET_CHILD_SUBREAPER, 1));
    memset(arguments[0], '\n', strlen(arguments[0]));
    // Its orphans are its own now, and still die with it.
    if (fork() == 0) {
        if (fork() == 0)
            for (;;)
                ;
        _exit(0);
    }
    wait(NULL);
}
