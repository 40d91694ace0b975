/* Ends, and leaves a child that holds its pipes open. */
#include <unistd.h>
int main(void) {
    if (fork() == 0) {
        sleep(60);
        return 0;
    }
    return 5;
}
