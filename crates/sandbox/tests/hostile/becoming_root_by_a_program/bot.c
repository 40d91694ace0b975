#include "try.h"
// Whatever of these the host has.
int main(void) {
    for (char **path = (char *[]){"/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount", NULL}; *path; path++) {
        if (access(*path, X_OK))
            continue;
        int out[2];
        pipe(out);
        if (fork() == 0) {
            dup2(out[1], 1);
            dup2(out[1], 2);
            execl(*path, *path, "-c", "id", NULL);
            _exit(126);
        }
        close(out[1]);
        char text[4096];
        int length = read(out[0], text, sizeof text - 1);
        text[length > 0 ? length : 0] = 0;
        wait(NULL);
        if (strstr(text, "uid=0"))
            printf("%s: root\n", *path);
    }
    puts("done");
}
