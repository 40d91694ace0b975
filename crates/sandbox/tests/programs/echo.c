// Gives back every line, as a bot that thinks nothing would answer.
#include <unistd.h>
int main(void) {
    char line[4096];
    long length;
    while ((length = read(0, line, sizeof line)) > 0)
        if (write(1, line, length) != length)
            return 1;
    return 0;
}
