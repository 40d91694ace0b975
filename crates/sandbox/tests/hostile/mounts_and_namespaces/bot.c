#include "try.h"
static int nothing(void *argument) {
    return 0;
}
int main(void) {
    static char stack[65536];
    char *top = stack + sizeof stack;
    TRY(mount("none", "/tmp", "tmpfs", 0, ""));
    TRY(mount(NULL, "/", NULL, MS_REMOUNT, ""));
    TRY(umount2("/tmp", MNT_DETACH));
    TRY(chroot("/tmp"));
    TRY(syscall(SYS_pivot_root, "/tmp", "/tmp"));
    TRY(unshare(CLONE_NEWUSER));
    TRY(unshare(CLONE_NEWNS));
    TRY(setns(0, 0));
    TRY(clone(nothing, top, CLONE_NEWUSER | SIGCHLD, NULL));
    TRY(clone(nothing, top, CLONE_NEWNET | SIGCHLD, NULL));
    TRY(clone(nothing, top, SIGCHLD, NULL));
    TRY(syscall(SYS_clone3, NULL, 0));
    TRY(syscall(SYS_open_tree, -100, "/", 0));
    TRY(syscall(SYS_fsopen, "tmpfs", 0));
    TRY(syscall(SYS_open_by_handle_at, 0, NULL, 0));
}
