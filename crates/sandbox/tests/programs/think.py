# Keeps threads and processes busy, and says when they are.
import os
import sys
import threading


def think():
    n = 0
    while True:
        n += 1


for _ in range(int(sys.argv[2])):
    if os.fork() == 0:
        think()
    threading.Thread(target=think, daemon=True).start()
print("thinking", flush=True)
think()
