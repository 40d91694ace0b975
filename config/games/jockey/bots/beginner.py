"""Walks: one cell a step, on a shortest way to the goal as far as it can see."""
from collections import deque

def numbers():
    return [int(it) for it in input().split()]

think, limit, (width, length), vision = numbers(), numbers(), numbers(), numbers()
print(0, flush=True)
while True:
    try:
        step, left, (x, y, vx, vy), (ox, oy, _, _) = numbers(), numbers(), numbers(), numbers()
    except EOFError:
        break
    cell = [numbers() for _ in range(length)] + [[0] * width]
    if 0 <= oy < length:
        cell[oy][ox] = 1  # around the opponent, not through it
    # far: how many cells it is from here to the goal.
    queue = deque((c, length) for c in range(width))
    far = dict.fromkeys(queue, 0)
    while queue:
        c, r = queue.popleft()
        for to in (c, r + 1), (c + 1, r), (c - 1, r), (c, r - 1):
            if 0 <= to[0] < width and 0 <= to[1] < length and cell[to[1]][to[0]] != 1 and to not in far:
                far[to] = far[c, r] + 1
                queue.append(to)
    here = [(x, y + 1), (x + 1, y), (x - 1, y), (x, y - 1)]
    ways = [it for it in here if far.get(it, 9999) < far.get((x, y), 9999)] if y >= 0 else here[:1]
    go = (ways[0][0] - x, ways[0][1] - y) if ways else (0, 0)
    ax, ay = (max(-1, min(1, want - have)) for want, have in zip(go, (vx, vy)))
    print(ax, ay, flush=True)
