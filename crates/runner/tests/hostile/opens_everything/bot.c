/* As many descriptors as there may be, writes to all of them that are not its own, and plays. */
#include <unistd.h>
#include "../bot.h"
int main(void) {
    for (int fd = 3; fd < 256; fd++)
        if (write(fd, "#END\n0\n1\n1\n", 12) != -1) return 9;
    while (dup(0) != -1) {}
    play(NULL);
}
