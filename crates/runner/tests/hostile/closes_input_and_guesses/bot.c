/* Closes its input, and answers blindly. */
#include "../bot.h"
int main(void) {
    const char *answer = first_answer();
    close(0);
    say(answer);
    for (;;) {
        usleep(20000);
        say(answer);
    }
}
