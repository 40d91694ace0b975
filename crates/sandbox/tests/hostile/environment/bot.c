#include "try.h"
extern char **environ;
int main(int count, char **arguments) {
    for (char **variable = environ; *variable; variable++)
        puts(*variable);
    char name[64];
    gethostname(name, sizeof name);
    printf("%d arguments, host %s, user %d, mask %o\n", count, name, getuid() == getgid() && getuid() > 71000, umask(0));
    printf("session %d, terminal %s\n", getsid(0) == getpid(), ttyname(0) ? "yes" : "no");
}
