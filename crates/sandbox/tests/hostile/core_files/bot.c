#include "try.h"
int main(void) {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    chdir("/tmp");
    TRY(prctl(PR_SET_DUMPABLE, 1));
    TRY(setrlimit(RLIMIT_CORE, &all));
    TRY(syscall(SYS_prlimit64, 0, RLIMIT_CORE, &all, NULL));
    TRY(open("/proc/sys/kernel/core_pattern", O_WRONLY));
    if (fork() == 0)
        abort();
    int status;
    wait(&status);
    printf("signal %d, dumped %d, left %d\n", WTERMSIG(status), WCOREDUMP(status) != 0, access("/tmp/core", F_OK) == 0);
}
