// Flies straight on as long as there is a way out, and shoots whenever it can.
#include <array>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
using namespace std;

using Cell = array<int, 3>;
int size_;

// Directions are numbers from 0 to 26: 9 * (x + 1) + 3 * (y + 1) + (z + 1), and 13 is none.
Cell parts(int d) { return {d / 9 - 1, d / 3 % 3 - 1, d % 3 - 1}; }

bool mayTurn(int a, int b) {  // they touch, and lie on one face of the cube of 27
    bool touch = b != 13, face = false;
    Cell p = parts(a), q = parts(b);
    for (int i = 0; i < 3; i++) {
        touch &= abs(p[i] - q[i]) < 2;
        face |= p[i] == q[i] && p[i] != 0;
    }
    return touch && face;
}

// The first turn after which a plane can fly so many rounds, or -1.
int wayOut(Cell at, int heading, bool reverse, int rounds) {
    if (rounds == 0) return heading;
    for (int i = -1; i < 27; i++) {
        int d = i < 0 ? heading : reverse ? 26 - i : i;
        Cell to = parts(d);
        bool inside = true;
        for (int j = 0; j < 3; j++) inside &= (to[j] += at[j]) >= 0 && to[j] < size_;
        if (inside && mayTurn(heading, d) && wayOut(to, d, reverse, rounds - 1) >= 0) return d;
    }
    return -1;
}

int main(int argc, char **argv) {
    size_ = argc > 1 ? atoi(argv[1]) : 14;  // argv[2] is the rounds of a fight
    for (string line; getline(cin, line);) {
        if (line != "NEW TURN") continue;
        for (int no = 0; no < 4 && getline(cin, line); no++) {  // own planes first, then the enemy's
            string alive, letters;
            Cell at;
            int cooldown, d = 13;
            istringstream(line) >> alive >> at[0] >> at[1] >> at[2] >> letters >> cooldown;
            if (no > 1) continue;
            for (char it : letters)
                d += it == 'N' ? -9 : it == 'S' ? 9 : it == 'W' ? -3 : it == 'E' ? 3 : it == 'D' ? -1 : 1;
            // The second plane tries turns the other way round, so that they part.
            int turn = alive == "alive" ? wayOut(at, d, no == 1, 4) : -1;
            if (turn >= 0) d = turn;
            for (int i = 0; i < 3; i++)
                if (parts(d)[i]) cout << "NSWEDU"[2 * i + (parts(d)[i] > 0)];
            cout << " 1 " << 1 - cooldown << endl;
        }
    }
}
