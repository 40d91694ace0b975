/* Closes its input, and answers all the same: the first question, and none that it could hear. */
#include "../bot.h"
int main(void) {
    const char *answer = first_answer();
    close(0);
    say(answer);
    for (;;) pause();
}
