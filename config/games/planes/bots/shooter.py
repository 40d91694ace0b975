"""Hunts: of all that a plane may do it takes what points its gun at an enemy.

Where an enemy will be is guessed by letting it fly straight on. If no turn points at one, the
plane comes nearer to the nearest. It never does what leads into a wall within four rounds, and
does not shoot when its partner is in the way. Among moves that are as good it takes another one in
every fight, so that an enemy who learns has something to do.
"""
import sys

SIGNS = -1, 0, 1
DIRECTIONS = [(x, y, z) for x in SIGNS for y in SIGNS for z in SIGNS if x or y or z]


def letters(d):
    return "".join(pair[it > 0] for it, pair in zip(d, ("NS", "WE", "DU")) if it)


def plus(at, d):
    return at[0] + d[0], at[1] + d[1], at[2] + d[2]


def may_turn(a, b):
    """Whether two directions touch, and lie on one face of the cube that all of them make."""
    return all(abs(p - q) < 2 for p, q in zip(a, b)) and any(p == q != 0 for p, q in zip(a, b))


NAMED = {letters(d): d for d in DIRECTIONS}
# Straight on first.
TURNS = {a: [a] + [b for b in DIRECTIONS if b != a and may_turn(a, b)] for a in DIRECTIONS}


def is_inside(size, at):
    return min(at) >= 0 and max(at) < size


def leads_out(size, at, heading, rounds):
    """Whether a plane can fly so many rounds more."""
    if rounds == 0:
        return True
    for d in TURNS[heading]:
        to = plus(at, d)
        if is_inside(size, to) and leads_out(size, to, d, rounds - 1):
            return True
    return False


def distance(a, b):
    return max(abs(p - q) for p, q in zip(a, b))


def is_ahead(at, heading, other):
    """Whether `other` lies on the line from `at`."""
    far = distance(at, other)
    return far > 0 and all(q - p == far * it for p, q, it in zip(at, other, heading))


def rotated(turns, fought):
    """The same turns from another one on, so that no fight is like the one before."""
    first = fought % len(turns)
    return turns[first:] + turns[:first]


def decide(size, fought, at, heading, can_shoot, partner, enemies):
    """The best move, as it is said, and the cell it leads to."""
    best = None
    for d in rotated(TURNS[heading], fought):
        to = plus(at, d)
        if not is_inside(size, to) or to == partner or to in enemies:
            continue
        for turns in 1, 0:
            after = d if turns else heading
            if not leads_out(size, to, after, 4):
                continue
            aims = any(is_ahead(to, after, it) for it in enemies)
            free = partner is None or not is_ahead(to, after, partner)
            near = min((distance(to, it) for it in enemies), default=0)
            score = (aims and free, -near)
            if best is None or score > best[0]:
                best = score, (letters(d), turns, int(can_shoot and aims and free)), to
    if best is None:
        return (letters(heading), 1, int(can_shoot)), plus(at, heading)
    return best[1:]


def main():
    size, fought = int(sys.argv[1]), 0
    for line in sys.stdin:
        if line.startswith("NEW FIGHT"):
            fought = int(line.split()[2])
        if line != "NEW TURN\n":
            continue
        planes = [next(sys.stdin).split() for _ in range(4)]  # own first, then the enemy's
        # Where each will be if it flies straight on.
        following = [plus(tuple(int(it) for it in plane[1:4]), NAMED[plane[4]]) for plane in planes]
        flies = [plane[0] == "alive" for plane in planes]
        enemies = [following[no] for no in (2, 3) if flies[no] and is_inside(size, following[no])]
        for no in 0, 1:
            if not flies[no]:
                print("N 0 0")
                continue
            at, heading = tuple(int(it) for it in planes[no][1:4]), NAMED[planes[no][4]]
            partner = following[1 - no] if flies[1 - no] else None
            can_shoot = planes[no][5] == "0"
            move, following[no] = decide(size, fought, at, heading, can_shoot, partner, enemies)
            print(*move)
        sys.stdout.flush()


main()
