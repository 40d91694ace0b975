#include "try.h"
int main(void) {
    TRY(syscall(SYS_io_uring_setup, 1, NULL));
    TRY(syscall(SYS_bpf, 0, NULL, 0));
    TRY(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
    TRY(syscall(SYS_userfaultfd, 0));
    TRY(syscall(SYS_keyctl, 0, 0));
    TRY(syscall(SYS_add_key, "user", "a", "b", 1, -3));
    TRY(syscall(SYS_inotify_init1, 0));
    TRY(syscall(SYS_clock_settime, 0, NULL));
    TRY(syscall(SYS_syslog, 3, NULL, 0));
    TRY(syscall(SYS_reboot, 0));
    TRY(syscall(SYS_init_module, NULL, 0, ""));
    TRY(syscall(470));
    TRY(syscall(0x40000000 | SYS_getpid));
    TRY(ioctl(0, 0x5412 /* TIOCSTI */, "x"));
    TRY(syscall(SYS_ioctl, 0, 0x100005412, "x"));
    struct rlimit none = {0, 0};
    TRY(setrlimit(RLIMIT_CORE, &none));
    TRY(setrlimit(RLIMIT_NOFILE, &none));
}
