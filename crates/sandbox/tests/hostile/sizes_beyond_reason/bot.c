#include "try.h"
int main(void) {
    sigignore(SIGXFSZ);
    int fd = open("/tmp/new", O_CREAT | O_RDWR, 0600);
    TRY(ftruncate(fd, 1L << 40));
    TRY(fallocate(fd, 0, 0, 1L << 40));
    TRY(mlockall(MCL_CURRENT | MCL_FUTURE));
    TRY(truncate("/tmp/new", 1L << 40));
    int nothing = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *room = mmap(NULL, 1L << 33, PROT_READ | PROT_WRITE, nothing, -1, 0);
    TRY(mincore(room, 1L << 31, room));
    TRY(mincore(room, 1L << 32, room));
}
