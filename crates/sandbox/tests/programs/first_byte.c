// Says something with its first instructions, and waits for its end.
#include <unistd.h>
int main(void) {
    write(1, "", 1);
    pause();
}
