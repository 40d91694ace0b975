"""Flies to the middle height and circles there, each plane on a side of its own.

A circle is eight rounds long: in each the plane turns by 45 degrees. The two planes turn in
opposite senses, so that they part. Whatever comes across their guns is shot at: once they circle,
they shoot as often as they can, unless their partner is in the way.
"""
import sys

SIGNS = -1, 0, 1
DIRECTIONS = [(x, y, z) for x in SIGNS for y in SIGNS for z in SIGNS if x or y or z]
# The level directions in the order of a circle.
RING = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]


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


def leads_out(size, at, heading, rounds):
    """Whether a plane can fly so many rounds more."""
    if rounds == 0:
        return True
    for d in TURNS[heading]:
        to = plus(at, d)
        if min(to) >= 0 and max(to) < size and leads_out(size, to, d, rounds - 1):
            return True
    return False


def wanted(size, at, heading, sense):
    """Where the plane would like to turn to, wall or not."""
    x, y, z = heading
    climb = (size // 2 > at[2]) - (size // 2 < at[2])
    if climb or (x, y) not in RING:
        return x, y, climb
    if z:
        return x, y, 0  # level off first
    turned = RING[(RING.index((x, y)) + sense) % len(RING)]
    return turned[0], turned[1], 0


def is_ahead(at, heading, other):
    """Whether `other` lies on the line from `at`."""
    way = [q - p for p, q in zip(at, other)]
    far = max(abs(it) for it in way)
    return far > 0 and way == [far * it for it in heading]


def main():
    size = int(sys.argv[1])
    for line in sys.stdin:
        if line != "NEW TURN\n":
            continue
        planes = [next(sys.stdin).split() for _ in range(4)]  # own first, then the enemy's
        cells = [tuple(int(it) for it in plane[1:4]) for plane in planes]
        for no, (alive, _x, _y, _z, name, cooldown) in enumerate(planes[:2]):
            heading, at = NAMED[name], cells[no]
            wish = wanted(size, at, heading, 1 - 2 * no)
            choice = heading
            for d in [wish] + TURNS[heading] if alive == "alive" else []:
                to = plus(at, d)
                inside = min(to) >= 0 and max(to) < size
                if d in TURNS[heading] and inside and leads_out(size, to, d, 4):
                    choice = d
                    break
            circles = at[2] == size // 2 and heading[2] == 0
            partner = planes[1 - no][0] == "alive" and is_ahead(plus(at, choice), choice, cells[1 - no])
            print(letters(choice), 1, 1 if circles and cooldown == "0" and not partner else 0)
        sys.stdout.flush()


main()
