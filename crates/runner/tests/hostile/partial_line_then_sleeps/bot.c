/* Half a line, and nothing more for long. */
#include <unistd.h>
int main(void) {
    if (write(1, "#EN", 3) != 3) return 1;
    sleep(60);
    return 0;
}
