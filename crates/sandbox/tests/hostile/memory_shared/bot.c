#include "try.h"
int main(void) {
    int id = shmget(IPC_PRIVATE, 512 << 20, 0600);
    memset(shmat(id, NULL, 0), 1, 512 << 20);
    puts("not held");
}
