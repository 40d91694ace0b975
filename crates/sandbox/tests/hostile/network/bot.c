#include "try.h"
int main(void) {
    TRY(socket(AF_INET, SOCK_STREAM, 0));
    TRY(socket(AF_INET6, SOCK_DGRAM, 0));
    TRY(socket(AF_NETLINK, SOCK_RAW, 0));
    TRY(socket(AF_PACKET, SOCK_RAW, 0));
    TRY(socket(AF_ALG, SOCK_SEQPACKET, 0));
    TRY(socket(40 /* AF_VSOCK */, SOCK_STREAM, 0));
    int pair[2];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    TRY(socketpair(AF_INET, SOCK_STREAM, 0, pair));
    // The test listens here, on the host.
    struct sockaddr_un name = {AF_UNIX, "\0agon-sandbox-test"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    TRY(connect(fd, (struct sockaddr *)&name, sizeof(sa_family_t) + 18));
}
