#include "try.h"
int main(void) {
    long gigabytes = 0;
    int what = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    while (mmap(NULL, 1L << 30, PROT_READ | PROT_WRITE, what, -1, 0) != MAP_FAILED)
        gigabytes++;
    printf("over 100 GiB: %d, then %s\n", gigabytes > 100, error_name());
}
