#!/usr/bin/env python3
"""An architect for Labyrinth: walls across the garden, each with one gap.

The gap is at the top of one wall and at the bottom of the next, so the
adventurer has to walk up and down the whole garden to get through:

    T . # . # . .
    . . # . # . .        T  the treasure
    . . # . # . .        #  hedge
    . . # . # . .        A  the adventurer
    . . . . # . A

It never looks where the adventurer is. A better architect would: see which
way the adventurer goes, and close gaps shortly before it comes through.
"""


def fields_to_plant(size):
    """Yields (column, row) of every hedge, in the order in which to plant them.

    Columns and rows are counted from 1, row 1 is the top.
    """
    column = size - 3
    upwards = True
    while True:
        # Upwards leaves row 1 open, downwards leaves the bottom row open.
        rows = range(size, 1, -1) if upwards else range(1, size)
        for row in rows:
            if column <= 2 and row <= 2:
                return  # The four fields in the treasure's corner stay free.
            yield column, row
        column -= 2
        upwards = not upwards


def main():
    # `flush=True` sends the line at once. Without it, Python would keep the
    # line back until it has collected some thousand bytes of them, and both
    # sides would wait for each other until the time is up.
    print("MazeSize", flush=True)
    # The judge counts the ring of hedge around the garden, which we do not.
    size = int(input()) - 2

    for column, row in fields_to_plant(size):
        print("PlaceObstacle", column, row)
        print("#END", flush=True)

    # Nothing is left to do, but every turn still wants its end. We need not
    # wait for our turn: what we write early is kept for later turns, and when
    # the pipe is full, the system makes us wait.
    while True:
        print("#END", flush=True)


main()
