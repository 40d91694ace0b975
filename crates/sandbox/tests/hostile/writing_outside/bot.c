#include "try.h"
int main(void) {
    TRY(open("/new", O_CREAT | O_WRONLY, 0600));
    TRY(mkdir("/new", 0700));
    TRY(open("/usr/new", O_CREAT | O_WRONLY, 0600));
    TRY(open("/bot/new", O_CREAT | O_WRONLY, 0600));
    TRY(open("/bot/bot", O_WRONLY));
    TRY(unlink("/bot/bot"));
    TRY(chmod("/bot/bot", 04755));
    TRY(open("/etc/new", O_CREAT | O_WRONLY, 0600));
    TRY(open("/dev/new", O_CREAT | O_WRONLY, 0600));
    TRY(open("/build/new", O_CREAT | O_WRONLY, 0600));
    TRY(open("/proc/self/oom_score_adj", O_WRONLY));
    TRY(mknod("/tmp/disk", S_IFBLK | 0600, 0x800));
    TRY(link("/usr/bin/env", "/tmp/env"));
    TRY(open("/tmp/new", O_CREAT | O_WRONLY, 0600));
    TRY(open("/dev/shm/new", O_CREAT | O_WRONLY, 0600));
    TRY(open("/dev/null", O_WRONLY));
}
