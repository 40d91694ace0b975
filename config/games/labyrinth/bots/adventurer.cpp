// An adventurer for Labyrinth: straight on until a hedge is in the way.
//
// Then it turns into a random open direction, and back only where nothing else
// is open. It plays with and without map, because it never looks at the map.
//
// A better adventurer would remember what it has seen, and head for the
// treasure in column 1 of row 1.
//
// Build with: g++ -std=c++17 -O2 -o adventurer adventurer.cpp

#include <array>
#include <iostream>
#include <random>
#include <vector>

namespace {

// What we see: view[row][column], we are view[2][2].
using View = std::array<std::array<char, 5>, 5>;

constexpr int kNowhere = -1;

// The judge's numbers: 0 north, 1 east, 2 south, 3 west. North is up.
// For each of them: what it adds to our column and row.
constexpr int kColumn[4] = {0, 1, 0, -1};
constexpr int kRow[4] = {-1, 0, 1, 0};

// Returns false when the judge has gone.
bool ask_field_of_view(View& view) {
    // `std::flush` sends what we have written so far. Without it the question
    // would wait in our own memory, and we for its answer.
    std::cout << "FieldOfView\n" << std::flush;
    for (auto& row : view) {
        for (char& field : row) {
            if (!(std::cin >> field)) return false;  // `>>` skips blanks and line ends.
        }
    }
    return true;
}

// Returns where to go next. `direction` is where we went last.
int choose(const View& view, int direction, std::mt19937& random) {
    const int back = direction == kNowhere ? kNowhere : (direction + 2) % 4;
    std::vector<int> ways;
    bool can_go_back = false;
    for (int way = 0; way < 4; ++way) {
        if (view[2 + kRow[way]][2 + kColumn[way]] == 'O') continue;  // `O` is a hedge.
        if (way == direction) return direction;
        if (way == back) {
            can_go_back = true;
        } else {
            ways.push_back(way);
        }
    }
    if (ways.empty()) return can_go_back ? back : 0;
    std::uniform_int_distribution<std::size_t> any(0, ways.size() - 1);
    return ways[any(random)];
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);  // We use no other kind of input or output.
    std::mt19937 random{std::random_device{}()};
    View view;
    int direction = kNowhere;
    while (ask_field_of_view(view)) {
        direction = choose(view, direction, random);
        std::cout << "MakeStep " << direction << "\n#END\n" << std::flush;
    }
}
