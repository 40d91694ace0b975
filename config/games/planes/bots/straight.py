"""Flies straight on and shoots whenever it can, until it meets the wall."""
import sys

for line in sys.stdin:
    if line == "NEW TURN\n":
        planes = [next(sys.stdin).split() for _ in range(4)]  # own first, then the enemy's
        for _alive, _x, _y, _z, heading, cooldown in planes[:2]:
            print(heading, 1, 1 - int(cooldown))
        sys.stdout.flush()
