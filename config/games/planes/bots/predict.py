"""Predicts and avoids: looks at all that the enemy may do next, and does what fares best.

Every cell gets a danger: how many of the enemy's possible moves would put a bullet or a plane
there. Every own move gets a chance: in how many of them an enemy would be on its line. The best
difference wins; coming nearer counts a little. What leads into a wall within four rounds is left
out, and so is shooting when the partner is in the way. Among moves that are as good it takes
another one in every fight, so that an enemy who learns has something to do.
"""
import sys

DANGER, CHANCE = 8, 3  # what they count for

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


class Arena:
    def __init__(self, size):
        self.size = size
        self.cells = {(x, y, z) for x in range(size) for y in range(size) for z in range(size)}
        self.lines = {}
        self.known = {}

    def line(self, at, heading):
        """The cells from `at` to the wall, nearest first."""
        key = at, heading
        if key not in self.lines:
            line, cell = [], plus(at, heading)
            while cell in self.cells:
                line.append(cell)
                cell = plus(cell, heading)
            self.lines[key] = line
        return self.lines[key]

    def leads_out(self, at, heading, rounds):
        """Whether a plane can fly so many rounds more."""
        if rounds == 0:
            return True
        key = at, heading, rounds
        if key not in self.known:
            self.known[key] = any(
                plus(at, d) in self.cells and self.leads_out(plus(at, d), d, rounds - 1)
                for d in TURNS[heading])
        return self.known[key]

    def options(self, at, heading):
        """Turn, whether it becomes the heading, cell and heading after it: all but suicide."""
        for d in TURNS[heading]:
            to = plus(at, d)
            if to in self.cells:
                for turns, after in ((1, d), (0, heading)) if d != heading else ((1, d),):
                    if self.leads_out(to, after, 4):
                        yield d, turns, to, after


class Plane:
    def __init__(self, words):
        self.flies = words[0] == "alive"
        self.at = tuple(int(it) for it in words[1:4])
        self.heading = NAMED[words[4]]
        self.can_shoot = words[5] == "0"


def rotated(options, fought):
    """The same options from another one on, so that no fight is like the one before."""
    first = fought % max(len(options), 1)
    return options[first:] + options[:first]


def decide(arena, fought, me, partner, enemies):
    """The best move, as it is said, and the cell it leads to."""
    danger, places = {}, {}
    for enemy in enemies:
        options = list(arena.options(enemy.at, enemy.heading))
        part = 1 / max(len(options), 1)
        for _, _, to, after in options:
            places[to] = places.get(to, 0) + part
            danger[to] = danger.get(to, 0) + part
            for cell in arena.line(to, after) if enemy.can_shoot else ():
                danger[cell] = danger.get(cell, 0) + part
    best = None
    for d, turns, to, after in rotated(list(arena.options(me.at, me.heading)), fought):
        if to == partner:
            continue
        line = arena.line(to, after)
        chance = sum(places.get(it, 0) for it in line)
        shoots = me.can_shoot and chance > 0 and partner not in line
        near = min((sum(abs(p - q) for p, q in zip(to, it.at)) for it in enemies), default=0)
        score = CHANCE * chance * shoots - DANGER * danger.get(to, 0) - near / 20
        if best is None or score > best[0]:
            best = score, (letters(d), turns, int(shoots)), to
    if best is None:
        return (letters(me.heading), 1, int(me.can_shoot)), plus(me.at, me.heading)
    return best[1:]


def main():
    size = int(sys.argv[1])
    for line in sys.stdin:
        if line.startswith("NEW FIGHT"):
            fought = int(line.split()[2])
            arena = Arena(size)  # what it has kept of cells takes room
        if line != "NEW TURN\n":
            continue
        planes = [Plane(next(sys.stdin).split()) for _ in range(4)]  # own first, then the enemy's
        enemies = [it for it in planes[2:] if it.flies]
        # The first plane decides, and the second one minds it; before that it is to fly on.
        partner = plus(planes[1].at, planes[1].heading) if planes[1].flies else None
        for me in planes[:2]:
            if me.flies:
                move, partner = decide(arena, fought, me, partner, enemies)
                print(*move)
            else:
                partner = None
                print("N 0 0")
        sys.stdout.flush()


main()
