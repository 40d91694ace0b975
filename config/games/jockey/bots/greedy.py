"""A greedy racer: looks some steps ahead, and takes the one that brings it nearest to the goal.

How near a place is, is the number of cells on a way around all obstacles in sight; ponds count
for more, because they cost all speed. What is out of sight is taken for grass. The search goes by
position *and* velocity: two ways to the same cell are different if one is faster.

The opponent matters in the very next step only. Its line is guessed by leaving its velocity as it
is. Whoever touches the cell the other one starts from loses a collision, so lines through that
cell are avoided where the two could meet; and where the opponent has priority, too.
"""
import sys
from functools import lru_cache
from heapq import heappop, heappush

DEPTH = 8         # steps to look ahead
POSITIONS = 900   # most positions to look at for one answer, so that 200 ms a step will do
POND = 3          # what a pond counts for, in cells
BEHIND = 10       # rows before the start that are thought of
FAR = 10**6
ACCELERATIONS = [(ax, ay) for ay in (1, 0, -1) for ax in (0, 1, -1)]


def numbers():
    return [int(it) for it in sys.stdin.readline().split()]


@lru_cache(maxsize=None)
def touched(dx, dy):
    """The cells that a movement touches, seen from its start. Exact: a cell is a square of side 1."""
    columns = range(min(0, dx), max(0, dx) + 1)
    rows = range(min(0, dy), max(0, dy) + 1)
    reach = abs(dx) + abs(dy)
    return [(x, y) for y in rows for x in columns if 2 * abs(dx * y - dy * x) <= reach]


def side(a, b, p):
    cross = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    return (cross > 0) - (cross < 0)


def lines_meet(a, b, c, d):
    """Whether the lines from a to b and from c to d share a point."""
    for axis in 0, 1:
        if max(a[axis], b[axis]) < min(c[axis], d[axis]) or max(c[axis], d[axis]) < min(a[axis], b[axis]):
            return False
    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


class Racer:
    def __init__(self, width, length):
        self.width, self.length = width, length
        self.cells = None  # what is in sight, as lines of text
        self.obstacles, self.ponds = set(), set()
        self.distances = {}
        self.known_free = {}

    def look(self, lines):
        """Takes in the course; measures it anew if more of it is in sight."""
        if lines == self.cells:
            return
        self.cells = lines
        self.obstacles.clear()
        self.ponds.clear()
        for y, line in enumerate(lines):
            for x, cell in enumerate(line.split()):
                if cell == "1":
                    self.obstacles.add((x, y))
                elif cell == "2":
                    self.ponds.add((x, y))
        self.known_free.clear()
        self.measure()

    def is_free(self, x, y, dx, dy):
        key = (x, y, dx, dy)
        known = self.known_free.get(key)
        if known is None:
            obstacles = self.obstacles
            known = 0 <= x + dx < self.width and not any(
                (x + ox, y + oy) in obstacles for ox, oy in touched(dx, dy))
            self.known_free[key] = known
        return known

    def measure(self):
        """Cells to the goal from everywhere, by the cheapest way."""
        last = self.length - 1
        far = {(x, last): 1 for x in range(self.width) if (x, last) not in self.obstacles}
        queue = [(1, x, y) for x, y in far]
        while queue:
            cost, x, y = heappop(queue)
            if cost > far[x, y]:
                continue
            for dx, dy in ACCELERATIONS:
                to = (x + dx, y + dy)
                if not (0 <= to[0] < self.width and -BEHIND <= to[1] <= last) or to in self.obstacles:
                    continue
                cost_there = cost + (POND if to in self.ponds else 1)
                if cost_there < far.get(to, FAR) and self.is_free(to[0], to[1], -dx, -dy):
                    far[to] = cost_there
                    heappush(queue, (cost_there, *to))
        self.distances = far

    def distance(self, x, y):
        return self.length - y if y >= self.length else self.distances.get((x, y), FAR)

    def is_lost(self, me, other, dx, dy):
        """Whether a first movement would be lost to the opponent."""
        (x, y, _, _), (ox, oy, odx, ody) = me, other
        if oy >= self.length:  # it is out
            return False
        if not self.is_free(ox, oy, odx, ody):
            odx = ody = 0
        if not lines_meet((x, y), (x + dx, y + dy), (ox, oy), (ox + odx, oy + ody)):
            return False
        if (ox - x, oy - y) in touched(dx, dy):
            return True
        if (x - ox, y - oy) in touched(odx, ody):
            return False
        return (oy, ox) < (y, x)

    def decide(self, me, other):
        now = [(*me, None)]
        seen = set()
        best = (0, 0)
        for step in range(DEPTH):
            following, score = [], (FAR * 2, 0)
            for x, y, vx, vy, first in now:
                for a in ACCELERATIONS:
                    dx, dy = vx + a[0], vy + a[1]
                    if step == 0 and self.is_lost(me, other, dx, dy):
                        continue
                    if not self.is_free(x, y, dx, dy):
                        continue
                    to = (x + dx, y + dy)
                    node = (*to, 0, 0) if to in self.ponds else (*to, dx, dy)
                    if node in seen:
                        continue
                    seen.add(node)
                    # Among places that are as near the faster one is better.
                    here = (self.distance(*to), -node[3])
                    if here < score:
                        score, choice = here, first or a
                    if to[1] < self.length:
                        following.append((here, (*node, first or a)))
            if score[0] < FAR * 2:
                best = choice
            if score[0] <= 0 or not following or len(seen) > POSITIONS:
                break  # the goal in the fewest steps, nowhere to go, or time for an answer
            # Of many places the nearest ones are gone on from.
            following.sort(key=lambda it: it[0])
            now = [node for _, node in following[:POSITIONS // DEPTH]]
        return best


def main():
    _think, _limit, (width, length), _vision = numbers(), numbers(), numbers(), numbers()
    racer = Racer(width, length)
    print(0, flush=True)
    while numbers():  # the number of the step; nothing when the judge has gone
        _left, me, other = numbers(), numbers(), numbers()
        racer.look([sys.stdin.readline() for _ in range(length)])
        print(*racer.decide(me, other), flush=True)


main()
