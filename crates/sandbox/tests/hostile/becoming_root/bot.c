#include "try.h"
int main(void) {
    TRY(setuid(0));
    TRY(setgid(0));
    TRY(setresuid(0, 0, 0));
    gid_t root = 0;
    TRY(setgroups(1, &root));
    printf("%d groups\n", getgroups(0, NULL));
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        if (!strncmp(line, "Cap", 3) || !strncmp(line, "NoNewPrivs", 10) || !strncmp(line, "Seccomp:", 8))
            fputs(line, stdout);
}
