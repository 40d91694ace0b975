// What files that others see too could be used for. Prints the name of each error, or "ok".
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <unistd.h>

#define TRY(name, what) (errno = 0, printf("%s: %s\n", name, (long)(what) == -1 ? strerrorname_np(errno) : "ok"))

int main(void) {
    int file = open("/usr/bin/env", O_RDONLY), folder = open("/usr/bin", O_RDONLY | O_DIRECTORY);
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    TRY("flock", flock(file, LOCK_EX | LOCK_NB));
    TRY("record lock", fcntl(file, F_SETLK, &lock));
    lock.l_pid = 0;
    TRY("lock of an open file", fcntl(file, F_OFD_SETLK, &lock));
    TRY("news of a folder", fcntl(folder, F_NOTIFY, 1 /* DN_ACCESS */ | 0x80000000));
    TRY("advice to forget", posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) ? -1 : 0);
    TRY("advice to fetch", posix_fadvise(file, 0, 0, POSIX_FADV_WILLNEED) ? -1 : 0);
    TRY("fsync", fsync(file));
    void *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    TRY("msync", msync(map, 4096, MS_SYNC));
    TRY("blocks of a file", ioctl(file, 0xc020660b /* FS_IOC_FIEMAP */, "................................"));
    struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    struct sock_fprog program = {1, &allow};
    TRY("a filter of calls", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
    int pair[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    TRY("a filter of a socket", setsockopt(pair[0], SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program));
    TRY("large pages", mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0));
    TRY("a file of large pages", memfd_create("large", MFD_HUGETLB));
    TRY("shared large pages", shmget(IPC_PRIVATE, 2 << 20, SHM_HUGETLB | 0600));
    fflush(stdout);
    // The locks are held until whoever started this says so.
    char byte;
    return read(0, &byte, 1) < 0;
}
