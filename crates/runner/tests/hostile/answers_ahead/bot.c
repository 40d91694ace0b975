/* Says more than it was asked for, in one breath, and nothing after that. */
#include "../bot.h"
int main(void) {
    const char *answer = first_answer();
    char twice[64];
    snprintf(twice, sizeof twice, "%s%s", answer, answer);
    say(twice);
    for (;;) pause();
}
