/* Tries to write into its own input and to read its own output, and plays. */
#include <fcntl.h>
#include <unistd.h>
#include "../bot.h"
int main(void) {
    for (int fd = 0; fd < 3; fd++) {
        char path[32];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (open(path, O_RDWR | O_NONBLOCK) != -1) return 9;
    }
    if (write(0, "0 0 0 0\n", 8) != -1) return 8;
    play(NULL);
}
