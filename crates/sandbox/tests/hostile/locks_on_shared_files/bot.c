#include "try.h"
#include <sys/file.h>
// The file is the same in every jail, and a lock on it could be seen there.
int main(void) {
    int fd = open("/usr/bin/env", O_RDONLY), own = open("/tmp/own", O_CREAT | O_RDWR, 0600);
    struct flock lock = {F_RDLCK};
    TRY(flock(fd, LOCK_EX | LOCK_NB));
    TRY(flock(own, LOCK_EX | LOCK_NB));
    TRY(fcntl(fd, F_SETLK, &lock));
    TRY(fcntl(fd, F_GETLK, &lock));
    TRY(fcntl(own, F_SETLKW, &lock));
    TRY(fcntl(fd, F_OFD_SETLK, &lock));
    TRY(fcntl(fd, F_SETLEASE, F_RDLCK));
    TRY(fcntl(fd, F_GETLEASE));
    TRY(fcntl(open("/usr/lib", O_RDONLY), F_NOTIFY, DN_ACCESS));
    TRY(fcntl(fd, 1036 /* F_SET_RW_HINT */, &lock));
    TRY(fcntl(fd, F_DUPFD_CLOEXEC, 10));
    TRY(fcntl(own, F_SETFL, O_NONBLOCK));
    TRY(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
}
