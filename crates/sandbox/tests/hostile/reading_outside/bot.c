#include "try.h"
int main(void) {
    TRY(open("/etc/passwd", O_RDONLY));
    TRY(open("/etc/shadow", O_RDONLY));
    TRY(open("/home", O_RDONLY));
    TRY(open("/var", O_RDONLY));
    TRY(open("/sys", O_RDONLY));
    TRY(open("/run", O_RDONLY));
    TRY(open("/root/.bashrc", O_RDONLY));
    TRY(open("/bot/../../../../etc/passwd", O_RDONLY));
    TRY(open("/proc/1/environ", O_RDONLY));
    TRY(open("/proc/1/root", O_RDONLY));
    TRY(open("/proc/meminfo", O_RDONLY));
    TRY(open("/proc/loadavg", O_RDONLY));
    TRY(open("/proc/sys/kernel/core_pattern", O_RDONLY));
    TRY(open("/proc/kcore", O_RDONLY));
    TRY(open("/dev/mem", O_RDONLY));
    TRY(open("/dev/tty", O_RDONLY));
    TRY(open("/dev/urandom", O_RDONLY));
    TRY(open("/usr/bin", O_RDONLY));
    TRY(open("/proc/self/status", O_RDONLY));
}
