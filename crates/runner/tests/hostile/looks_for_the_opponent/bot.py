# Looks for what belongs to others: its opponent, the judge, the match before.
import os
import sys

found = []
for folder in ("/", "/tmp", "/dev/shm", "/home", "/root/.ssh", "/var", "/run", "/etc/shadow", "/proc/1"):
    try:
        found += [os.path.join(folder, name) for name in os.listdir(folder)]
    except OSError:
        pass
mine = {"/bin", "/bot", "/build", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/sbin", "/tmp", "/usr", "/root"}
others = [path for path in found if path not in mine]
if others:
    print(others, file=sys.stderr)
    sys.exit(9)
with open("/tmp/left_for_the_next", "w") as file:
    file.write("x")
while True:
    print("Clock", flush=True)
    input()
    print("#END", flush=True)
