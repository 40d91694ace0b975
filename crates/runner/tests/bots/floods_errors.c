/* Complains at length, in bytes that are no text, and plays. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    static char block[1 << 20];
    char line[256];
    fputs("first words\n", stderr);
    memset(block, 0, sizeof block);
    for (int n = 0; n < 10; n++)
        for (size_t at = 0; at < sizeof block;) {
            ssize_t n_bytes = write(2, block + at, sizeof block - at);
            if (n_bytes < 0) return 1;
            at += n_bytes;
        }
    fputs("last words\n", stderr);
    for (;;) {
        puts("Clock");
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) return 0;
        puts("#END");
        fflush(stdout);
    }
}
