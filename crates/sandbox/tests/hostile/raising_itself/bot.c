#include "try.h"
int main(void) {
    struct sched_param real = {1}, other = {0};
    TRY(nice(-10));
    TRY(setpriority(PRIO_PROCESS, 0, -20));
    TRY(sched_setscheduler(0, SCHED_FIFO, &real));
    TRY(sched_setscheduler(0, SCHED_RR, &real));
    TRY(syscall(SYS_sched_setattr, 0, &real, 0));
    TRY(syscall(SYS_ioprio_set, 1, 0, 1 << 13));
    TRY(sched_setscheduler(0, SCHED_OTHER, &other));
    TRY(nice(5));
}
