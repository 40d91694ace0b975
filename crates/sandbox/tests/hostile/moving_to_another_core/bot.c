#include "try.h"
int main(void) {
    cpu_set_t all, mine;
    memset(&all, 0xff, sizeof all);
    TRY(sched_setaffinity(0, sizeof all, &all));
    sched_getaffinity(0, sizeof mine, &mine);
    printf("%d core\n", CPU_COUNT(&mine));
}
