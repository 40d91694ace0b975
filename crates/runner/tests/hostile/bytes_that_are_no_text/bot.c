/* Every byte there is, as lines of its own, before each answer. */
#include "../bot.h"
int main(void) {
    char line[4] = "#P \n";
    say("#PRINT <script>alert(1)</script> \x1b[31m \xff\xc3( \r\n");
    for (int byte = 0; byte < 256; byte++) {
        if (byte == '\n') continue;
        line[2] = byte;
        if (write(1, line, 4) != 4) return 1;
    }
    for (;;) pause();
}
