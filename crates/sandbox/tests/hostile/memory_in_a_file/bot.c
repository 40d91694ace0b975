#include "try.h"
int main(void) {
    int fd = memfd_create("large", 0);
    long bytes = 512L << 20;
    TRY(ftruncate(fd, bytes));
    memset(mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), 1, bytes);
    puts("not held");
}
