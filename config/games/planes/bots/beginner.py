"""Flies straight on as long as there is a way out, and shoots whenever it can."""
import sys

size = int(sys.argv[1])  # cells of an edge; sys.argv[2] is the rounds of a fight
signs = -1, 0, 1
directions = [(x, y, z) for x in signs for y in signs for z in signs if x or y or z]

def letters(d):
    return "".join(pair[it > 0] for it, pair in zip(d, ("NS", "WE", "DU")) if it)

def may_turn(a, b):  # they touch, and lie on one face of the cube that all directions make
    return all(abs(p - q) < 2 for p, q in zip(a, b)) and any(p == q != 0 for p, q in zip(a, b))

def way_out(at, heading, order, rounds):
    """The first turn after which a plane can fly so many rounds, this one counted."""
    if rounds == 0:
        return heading
    for d in [heading] + order:
        to = tuple(p + q for p, q in zip(at, d))
        inside = all(0 <= it < size for it in to)
        if inside and may_turn(heading, d) and way_out(to, d, order, rounds - 1):
            return d
    return None

named = {letters(d): d for d in directions}
line = sys.stdin.readline()
while line:  # nothing comes when the judge has gone
    if line.strip() == "NEW TURN":
        planes = [sys.stdin.readline().split() for _ in range(4)]  # own first, then the enemy's
        for no in 0, 1:
            alive, x, y, z, heading, cooldown = planes[no]
            # The second plane tries turns the other way round, so that they part.
            order = directions[::-1] if no else directions
            at = int(x), int(y), int(z)
            turn = way_out(at, named[heading], order, 4) if alive == "alive" else None
            print(letters(turn or named[heading]), 1, 1 - int(cooldown), flush=True)
    line = sys.stdin.readline()
