#include "try.h"
// Every process makes as many as it can, for ever.
int main(void) {
    for (;;)
        fork();
}
