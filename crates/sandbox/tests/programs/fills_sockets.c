// Fills the buffers of as many sockets as it can have.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    static char block[4096];
    memset(block, 'x', sizeof block);
    long filled = 0;
    int pair[2], many = 0;
    for (; socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0; many++)
        for (int end = 0; end < 2; end++)
            for (long n; (n = write(pair[end], block, sizeof block)) > 0;)
                filled += n;
    printf("%d pairs, %ld bytes\n", many, filled);
}
