// Tries something, and says on stdout how it went: "ok", or the name of the error.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *error_name(void) {
    const char *name = strerrorname_np(errno);
    return name ? name : "?";
}

// Anything but -1 is success.
#define TRY(what) (errno = 0, printf("%s: %s\n", #what, (long)(what) == -1 ? error_name() : "ok"), fflush(stdout))
