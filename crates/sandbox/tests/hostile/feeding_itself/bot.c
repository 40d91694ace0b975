#include "try.h"
int main(void) {
    TRY(open("/proc/self/fd/0", O_WRONLY));
    TRY(open("/proc/self/fd/0", O_RDONLY));
    TRY(open("/proc/self/fd/1", O_RDONLY));
    TRY(open("/dev/stdin", O_RDONLY));
    TRY(write(0, "x", 1));
}
