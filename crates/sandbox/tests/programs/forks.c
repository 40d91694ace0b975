// Makes processes until there can be no more.
#include <unistd.h>
int main(void) {
    for (;;)
        fork();
}
