#include "try.h"
int main(void) {
    for (;;)
        memset(malloc(1 << 20), 1, 1 << 20);
}
