/* Fills its folder for temporary files, and plays. */
#include <fcntl.h>
#include <signal.h>
#include "../bot.h"
int main(void) {
    static char block[65536];
    signal(SIGXFSZ, SIG_IGN);
    int fd = open("/tmp/large", O_CREAT | O_WRONLY, 0600);
    while (write(fd, block, sizeof block) > 0) {}
    for (int n = 0; n < 100000; n++) {
        char path[64];
        snprintf(path, sizeof path, "/tmp/%d", n);
        if ((fd = open(path, O_CREAT | O_WRONLY, 0600)) == -1) break;
        close(fd);
    }
    play(NULL);
}
