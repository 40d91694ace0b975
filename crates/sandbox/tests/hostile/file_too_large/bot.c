#include "try.h"
int main(void) {
    int fd = memfd_create("large", 0);
    static char block[65536];
    for (;;)
        write(fd, block, sizeof block);
}
