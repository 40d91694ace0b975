#include "try.h"
#include <ftw.h>
// Four times the memory it has; the kernel must let go of pages again.
static long bytes;
static int touch(const char *path, const struct stat *what, int kind) {
    if (kind != FTW_F || !S_ISREG(what->st_mode) || what->st_size < 4096)
        return 0;
    int fd = open(path, O_RDONLY);
    char *pages = mmap(NULL, what->st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (fd != -1 && pages != MAP_FAILED) {
        volatile char sum = 0;
        for (long at = 0; at < what->st_size; at += 4096)
            sum += pages[at];
        bytes += what->st_size;
        munmap(pages, what->st_size);
    }
    close(fd);
    return bytes > 128L << 20;
}
int main(void) {
    ftw("/usr/lib", touch, 32);
    puts(bytes > 128L << 20 ? "read" : "too little there");
}
