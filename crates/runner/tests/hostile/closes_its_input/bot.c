/* Closes its input, and says nothing. */
#include <unistd.h>
int main(void) {
    close(0);
    sleep(60);
    return 0;
}
