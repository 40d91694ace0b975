#include "try.h"
int main(void) {
    TRY(syscall(SYS_mq_open, "queue", O_CREAT | O_RDWR, 0600, NULL));
    TRY(syscall(SYS_msgget, IPC_PRIVATE, 0600));
    TRY(syscall(SYS_semget, IPC_PRIVATE, 1000, 0600));
}
