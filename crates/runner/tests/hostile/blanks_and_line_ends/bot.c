/* Ends its lines in the manner of another system, with blanks around. */
#include "../bot.h"
int main(void) {
    play("\r");
}
