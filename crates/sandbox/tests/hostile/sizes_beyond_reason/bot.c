#include "try.h"
int main(void) {
    sigignore(SIGXFSZ);
    int fd = open("/tmp/new", O_CREAT | O_RDWR, 0600);
    TRY(ftruncate(fd, 1L << 40));
    TRY(fallocate(fd, 0, 0, 1L << 40));
    TRY(mlockall(MCL_CURRENT | MCL_FUTURE));
    TRY(truncate("/tmp/new", 1L << 40));
}
