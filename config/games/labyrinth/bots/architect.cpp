// An architect for Labyrinth: walls across the garden, each with one gap.
//
// The gap is at the top of one wall and at the bottom of the next, so the
// adventurer has to walk up and down the whole garden to get through:
//
//     T . # . # . .
//     . . # . # . .        T  the treasure
//     . . # . # . .        #  hedge
//     . . # . # . .        A  the adventurer
//     . . . . # . A
//
// It never looks where the adventurer is. A better architect would: see which
// way the adventurer goes, and close gaps shortly before it comes through.
//
// Build with: g++ -std=c++17 -O2 -o architect architect.cpp

#include <iostream>

namespace {

void end_turn() {
    // `std::flush` sends what we have written so far. Without it the lines
    // would wait in our own memory, and the judge for them.
    std::cout << "#END\n" << std::flush;
}

// The four fields in the treasure's corner must stay free.
bool is_corner(int column, int row) { return column <= 2 && row <= 2; }

// Plants every hedge, one a turn. Columns and rows are counted from 1, row 1 is the top.
void plant_walls(int size) {
    bool upwards = true;
    for (int column = size - 3;; column -= 2) {
        // Upwards leaves row 1 open, downwards leaves the bottom row open.
        const int first = upwards ? size : 1;
        const int gap = upwards ? 1 : size;
        const int step = upwards ? -1 : 1;
        for (int row = first; row != gap; row += step) {
            if (is_corner(column, row)) return;
            std::cout << "PlaceObstacle " << column << ' ' << row << '\n';
            end_turn();
        }
        upwards = !upwards;
    }
}

}  // namespace

int main() {
    std::cout << "MazeSize\n" << std::flush;
    int side = 0;
    if (!(std::cin >> side)) return 0;  // The judge has gone.
    // The judge counts the ring of hedge around the garden, which we do not.
    plant_walls(side - 2);

    // Nothing is left to do, but every turn still wants its end. We need not
    // wait for our turn: what we write early is kept for later turns, and when
    // the pipe is full, the system makes us wait.
    while (std::cout) end_turn();
}
