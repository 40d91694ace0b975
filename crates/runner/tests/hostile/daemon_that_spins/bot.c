/* A child in a session of its own, with nothing open, computes on; its parent ends. */
#include <unistd.h>
int main(void) {
    if (fork() == 0) {
        setsid();
        for (int fd = 0; fd < 3; fd++) close(fd);
        for (volatile long n = 0;; n++) {}
    }
    return 6;
}
