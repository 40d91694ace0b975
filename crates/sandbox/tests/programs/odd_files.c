// Leaves things in its folder that are no artefacts, and a few that are.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
static void make(const char *path, const char *text, int mode) {
    int fd = open(path, O_CREAT | O_WRONLY, mode);
    write(fd, text, strlen(text));
    close(fd);
}
int main(int count, char **arguments) {
    chdir("/build");
    make("program", "#!", 0755);
    mkdir("folder", 0755);
    make("folder/data", "12345", 0644);
    symlink("/etc/shadow", "link_out");
    symlink("program", "link_in");
    symlink("..", "folder/up");
    mkfifo("pipe", 0666);
    struct sockaddr_un name = {AF_UNIX, "socket"};
    bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name, sizeof name);
    if (count > 1 && !strcmp(arguments[1], "hole"))
        truncate("program", 1L << 30);
    if (count > 1 && !strcmp(arguments[1], "closed"))
        make("closed", "x", 0600);
    if (count > 1 && !strcmp(arguments[1], "name"))
        make("n\xff", "x", 0644);
    if (count > 1 && !strcmp(arguments[1], "deep"))
        for (int i = 0; i < 40; i++) {
            mkdir("d", 0755);
            chdir("d");
        }
    // Goes on to change what a name means.
    while (count > 1 && !strcmp(arguments[1], "swap")) {
        rename("program", "other");
        symlink("/etc/passwd", "program");
        unlink("program");
        rename("other", "program");
    }
}
