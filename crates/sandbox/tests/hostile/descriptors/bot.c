#include "try.h"
int main(void) {
    for (int fd = 0; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) != -1)
            printf("%d ", fd);
    int opened = 0;
    while (dup(0) != -1)
        opened++;
    printf("and %d more, then %s\n", opened, error_name());
    TRY(write(3, "", 0));
}
