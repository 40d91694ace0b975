// Looks for something of its own start that leads out of the jail. Prints what it finds.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRY(name, what) (errno = 0, printf("%s: %s\n", name, (long)(what) == -1 ? strerrorname_np(errno) : "ok"), fflush(stdout))

int main(void) {
    // A child of the jail's first process, not of this one.
    pid_t sibling = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
    if (sibling == 0)
        _exit(7);
    TRY("waiting for a sibling", waitpid(sibling, NULL, 0));
    // Its own pipes by another name: what it reads of its output is its own.
    TRY("its output, to read", open("/proc/self/fd/1", O_RDONLY | O_NONBLOCK));
    TRY("its input, to write", open("/proc/self/fd/0", O_WRONLY | O_NONBLOCK));
    TRY("the first process", open("/proc/1/fd/3", O_RDWR));
    TRY("a namespace of its own", syscall(SYS_setns, open("/proc/self/ns/mnt", O_RDONLY), 0));
    TRY("a root above its own", (mkdir("/tmp/below", 0700), chroot("/tmp/below")));
    TRY("a file by its number", syscall(SYS_open_by_handle_at, AT_FDCWD, "................", O_RDONLY));
    struct sockaddr_un host = {AF_UNIX, "/run/systemd/private"};
    TRY("a socket of the host", connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&host, sizeof host));
    struct sockaddr_un abstract = {AF_UNIX, "\0agon-sandbox-test"};
    TRY("an abstract one", connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&abstract, 2 + 18));
    TRY("a disk in its folder", mknod("/tmp/disk", S_IFBLK | 0600, 0x800));
    TRY("orphans of its own", prctl(PR_SET_CHILD_SUBREAPER, 1));
    int daemon = fork();
    if (daemon == 0) {
        setsid();
        if (fork() == 0)
            pause();
        _exit(0);
    }
    waitpid(daemon, NULL, 0);
    return 0;
}
