/* Answers, and goes on computing in the moment before it is paused. */
#include "../bot.h"
int main(void) {
    char reply[256];
    for (;;) {
        say("Clock\n");
        if (!fgets(reply, sizeof reply, stdin)) return 0;
        say("#END\n");
        for (volatile long n = 0; n < 30000; n++) {}
    }
}
