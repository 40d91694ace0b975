// User-mode Linux knows 2696 bytes of a process's wide registers. On processors that have more,
// the host wants all of them or none. Loaded before the C library, this adds the rest.
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PEEK_FIRST = 1, PEEK_LAST = 3, GETREGSET = 0x4204, SETREGSET = 0x4205 };

// Not on the stack, which is small there. There is one processor, and nothing comes in between.
static char all[64 << 10];

static long call(long request, long pid, void *address, void *data) {
    return syscall(SYS_ptrace, request, pid, address, data);
}

long ptrace(int request, ...) {
    va_list rest;
    va_start(rest, request);
    long pid = va_arg(rest, int);
    void *address = va_arg(rest, void *), *data = va_arg(rest, void *);
    va_end(rest);
    if (request >= PEEK_FIRST && request <= PEEK_LAST) {
        long word, result = call(request, pid, address, &word);
        if (result < 0)
            return result;
        errno = 0;
        return word;
    }
    long result = call(request, pid, address, data);
    if (result == 0 || request != SETREGSET || (long)address != NT_X86_XSTATE || errno != EFAULT)
        return result;
    struct iovec *known = data, whole = {all, sizeof all};
    if (call(GETREGSET, pid, address, &whole) || known->iov_len > whole.iov_len)
        return -1;
    memcpy(all, known->iov_base, known->iov_len);
    return call(SETREGSET, pid, address, &whole);
}
