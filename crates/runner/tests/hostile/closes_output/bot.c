/* Lives on, but cannot say anything any more. */
#include <unistd.h>
int main(void) {
    close(1);
    sleep(60);
    return 0;
}
