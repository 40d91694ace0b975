#include "try.h"
int main(void) {
    static char block[65536];
    memset(block, 'x', sizeof block);
    for (;;) {
        write(1, block, sizeof block);
        write(2, block, sizeof block);
    }
}
