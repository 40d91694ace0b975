/* Answers the first question, and is gone. */
#include "../bot.h"
int main(void) {
    say(first_answer());
    return 0;
}
