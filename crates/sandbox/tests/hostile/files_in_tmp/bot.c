#include "try.h"
static void fill(const char *path) {
    static char block[65536];
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    long bytes = 0, length;
    while ((length = write(fd, block, sizeof block)) > 0)
        bytes += length;
    printf("%s: %ld bytes, then %s\n", path, bytes, error_name());
    close(fd);
    unlink(path);
}
int main(void) {
    fill("/tmp/large");
    fill("/dev/shm/large");
    char path[64];
    int files = 0;
    for (;; files++) {
        sprintf(path, "/tmp/%d", files);
        int fd = open(path, O_CREAT | O_WRONLY, 0600);
        if (fd == -1)
            break;
        close(fd);
    }
    // The folder itself is one of them.
    printf("%d files, then %s\n", files, error_name());
}
