#include "try.h"
#include <sys/uio.h>
int main(void) {
    printf("process %d of %d\n", getpid() > 1, getppid());
    TRY(kill(1, SIGKILL));
    TRY(kill(1, SIGSTOP));
    TRY(kill(getppid(), SIGTERM));
    // Everybody it may signal but itself: nobody.
    TRY(kill(-1, SIGKILL));
    TRY(kill(12345, SIGKILL));
    TRY(ptrace(PTRACE_ATTACH, 1, NULL, NULL));
    TRY(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    char byte;
    struct iovec local = {&byte, 1}, remote = {main, 1};
    TRY(process_vm_readv(1, &local, 1, &remote, 1, 0));
    TRY(open("/proc/1/mem", O_RDWR));
    int init = syscall(SYS_pidfd_open, 1, 0);
    TRY(syscall(SYS_pidfd_send_signal, init, SIGKILL, NULL, 0));
    TRY(syscall(SYS_pidfd_getfd, init, 3, 0));
    TRY(setpriority(PRIO_PROCESS, 0, -10));
    struct sched_param real = {1};
    TRY(sched_setscheduler(0, SCHED_FIFO, &real));
}
