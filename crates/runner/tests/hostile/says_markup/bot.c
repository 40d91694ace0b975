/* Good manners, and a log that wants to be more than text. */
#include "../bot.h"
int main(void) {
    static const char line[] = "#PRINT <script>alert(1)</script>\x1b[31m\0\xff'\"; DROP TABLE bots; --\n";
    for (;;) {
        if (write(1, line, sizeof line - 1) < 0) return 1;
        say("Clock\n");
        hear();
        say("#END\n");
    }
}
