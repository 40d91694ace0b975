/* One warning makes the next. */
#define A int f(void) { char *x = 1; int *y = "2"; return x == y; }
int main(void) {
#include "/src/bot.c"
}
