// Looks for another of its kind, by all that they might share, and leaves a sign of itself. Prints
// what it finds, and stays until its input ends.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define TRY(name, what) (errno = 0, printf("%s: %s\n", name, (long)(what) == -1 ? strerrorname_np(errno) : "ok"))

static int sock(void) { return socket(AF_UNIX, SOCK_STREAM, 0); }

static int processes(void) {
    int n = 0;
    DIR *all = opendir("/proc");
    for (struct dirent *it; (it = readdir(all));)
        n += atoi(it->d_name) > 0;
    return n;
}

int main(void) {
    struct sockaddr_un name = {AF_UNIX, "\0agon-meets"};
    TRY("a name in the air", connect(sock(), (void *)&name, 2 + 11));
    int listens = sock();
    TRY("one of its own", bind(listens, (void *)&name, 2 + 11));
    listen(listens, 1);
    TRY("shared memory", shmget(42, 4096, 0600));
    TRY("some of its own", shmget(42, 4096, IPC_CREAT | IPC_EXCL | 0600));
    TRY("a queue", mq_open("/meets", O_RDWR | O_CREAT | O_EXCL, 0600, NULL));
    TRY("a file in /tmp", open("/tmp/meets", O_RDWR | O_CREAT | O_EXCL, 0600));
    TRY("a file in /dev/shm", open("/dev/shm/meets", O_RDWR | O_CREAT | O_EXCL, 0600));
    TRY("a file beside it", open("/bot/meets", O_RDWR | O_CREAT | O_EXCL, 0600));
    TRY("its own file, to write", open("/bot/bot", O_WRONLY));
    TRY("its own file, to put off", utimensat(AT_FDCWD, "/bot/bot", NULL, 0));
    // When it was read is noted for nobody.
    struct stat before, after;
    char byte;
    stat("/bot/bot", &before);
    read(open("/bot/bot", O_RDONLY), &byte, 1);
    stat("/bot/bot", &after);
    printf("the time of a reading: %s\n", memcmp(&before.st_atim, &after.st_atim, sizeof before.st_atim) ? "noted" : "as it was");
    printf("processes: %d\n", processes());
    fflush(stdout);
    return read(0, &byte, 1) < 0;
}
