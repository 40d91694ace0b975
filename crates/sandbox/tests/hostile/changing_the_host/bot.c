#include "try.h"
int main(void) {
    TRY(syscall(SYS_settimeofday, NULL, NULL));
    TRY(syscall(SYS_adjtimex, NULL));
    TRY(syscall(SYS_clock_adjtime, 0, NULL));
    TRY(syscall(SYS_swapon, "/tmp/x", 0));
    TRY(syscall(SYS_swapoff, "/tmp/x"));
    TRY(syscall(SYS_kexec_load, 0, 0, NULL, 0));
    TRY(syscall(SYS_finit_module, 0, "", 0));
    TRY(syscall(SYS_delete_module, "x", 0));
    TRY(syscall(SYS_acct, NULL));
    TRY(syscall(SYS_quotactl, 0, NULL, 0, NULL));
    TRY(syscall(SYS_sethostname, "x", 1));
    TRY(syscall(SYS_iopl, 3));
    TRY(syscall(SYS_vhangup));
    TRY(syscall(SYS_request_key, "user", "a", NULL, 0));
    TRY(syscall(SYS_fanotify_init, 0, 0));
    TRY(syscall(SYS_seccomp, 0, 0, NULL));
}
