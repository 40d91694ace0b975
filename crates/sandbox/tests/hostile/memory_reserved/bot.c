#include "try.h"
int main(void) {
    TRY(mmap(NULL, 1L << 36, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    TRY(mlock(malloc(1 << 20), 1 << 20));
    TRY(mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0));
}
