#!/usr/bin/env python3
"""An adventurer for Labyrinth: straight on until a hedge is in the way.

Then it turns into a random open direction, and back only where nothing else
is open. It plays with and without map, because it never looks at the map.

A better adventurer would remember what it has seen, and head for the treasure
in column 1 of row 1.
"""

import random
import sys

# The judge's numbers: 0 north, 1 east, 2 south, 3 west. North is up.
# For each of them: where it leads, counted from the middle of what we see.
STEPS = [(0, -1), (1, 0), (0, 1), (-1, 0)]


def ask_field_of_view():
    """Returns the 5 by 5 fields around us: view[row][column], we are view[2][2]."""
    print("FieldOfView", flush=True)
    view = []
    for _ in range(5):
        line = sys.stdin.readline()
        if not line:
            sys.exit()  # The judge has gone: the match is over.
        view.append(line.split())
    return view


def choose(view, direction):
    """Returns where to go next. `direction` is where we went last, None at first."""
    open_ways = []
    for way, (dx, dy) in enumerate(STEPS):
        if view[2 + dy][2 + dx] != "O":  # `O` is a hedge.
            open_ways.append(way)

    if direction in open_ways:
        return direction
    if direction is not None and len(open_ways) > 1:
        back = (direction + 2) % 4
        open_ways = [way for way in open_ways if way != back]
    # Never empty: the architect must not wall us in.
    return random.choice(open_ways)


def main():
    direction = None
    while True:
        direction = choose(ask_field_of_view(), direction)
        print("MakeStep", direction)
        print("#END", flush=True)


main()
