import os, socket, threading

def attempt(what, action):
    try:
        print(what, "ok", action())
    except OSError as error:
        print(what, type(error).__name__)
    except RuntimeError as error:
        print(what, error)

attempt("root", lambda: sorted(set(os.listdir("/")) - {"lib32", "libx32", "sbin", "root"}))
attempt("passwd", lambda: open("/etc/passwd").read())
attempt("connect", lambda: socket.create_connection(("127.0.0.1", 5432), 1))
attempt("processes", lambda: sorted(name for name in os.listdir("/proc") if name.isdigit()) == [str(os.getpid())])
attempt("affinity", lambda: os.sched_setaffinity(0, {0, 1}))
attempt("write", lambda: open("/usr/x", "w"))
