/* The first answer is what it was told to say. */
#include <stdlib.h>
#include "../bot.h"
int main(int count, char **words) {
    first_answer();
    for (const char *at = words[1]; *at; at++) {
        char byte = *at;
        if (byte == '%') {
            char hex[3] = {at[1], at[2], 0};
            byte = strtol(hex, NULL, 16);
            at += 2;
        }
        if (write(1, &byte, 1) != 1) return 1;
    }
    say("\n");
    for (;;) pause();
}
