// Hunts: of all that a plane may do it takes what points its gun at an enemy.
//
// Where an enemy will be is guessed by letting it fly straight on. If no turn points at one, the
// plane comes nearer to the nearest. It never does what leads into a wall within four rounds, and
// does not shoot when its partner is in the way. Among moves that are as good it takes another one in
// every fight, so that an enemy who learns has something to do.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

// A cell or a direction, by x, y and z; of a direction each part is -1, 0 or 1.
using Three = array<int, 3>;

int edge;  // cells of an edge of the arena

Three plus_(const Three &at, const Three &d, int n = 1) {
    return {at[0] + n * d[0], at[1] + n * d[1], at[2] + n * d[2]};
}

bool isInside(const Three &at) {
    return all_of(at.begin(), at.end(), [](int it) { return it >= 0 && it < edge; });
}

string letters(const Three &d) {
    string text;
    for (int i = 0; i < 3; i++)
        if (d[i]) text += "NSWEDU"[2 * i + (d[i] > 0)];
    return text;
}

Three named(const string &text) {
    Three d{};
    for (char it : text) {
        int letter = string("NSWEDU").find(it);
        d[letter / 2] = letter % 2 ? 1 : -1;
    }
    return d;
}

// Straight on, and then the other directions that touch this one and lie on a face of the cube
// with it that all directions make.
vector<Three> turns(const Three &from) {
    vector<Three> found{from};
    for (int cube = 0; cube < 27; cube++) {
        Three d{cube / 9 - 1, cube / 3 % 3 - 1, cube % 3 - 1};
        bool touch = d != from, face = false;
        for (int i = 0; i < 3; i++) {
            touch &= abs(d[i] - from[i]) < 2;
            face |= d[i] == from[i] && d[i];
        }
        if (touch && face) found.push_back(d);
    }
    return found;
}

// Whether a plane can fly so many rounds more.
bool leadsOut(const Three &at, const Three &heading, int rounds) {
    if (rounds == 0) return true;
    for (const Three &d : turns(heading))
        if (isInside(plus_(at, d)) && leadsOut(plus_(at, d), d, rounds - 1)) return true;
    return false;
}

int distance(const Three &a, const Three &b) {
    return max({abs(a[0] - b[0]), abs(a[1] - b[1]), abs(a[2] - b[2])});
}

// Whether `other` lies on the line from `at`.
bool isAhead(const Three &at, const Three &heading, const Three &other) {
    int far = distance(at, other);
    return far > 0 && plus_(at, heading, far) == other;
}

struct Plane {
    bool flies;
    Three at, heading;
    bool canShoot;
};

// The next four lines.
vector<Plane> readPlanes() {
    vector<Plane> planes;
    for (string line; planes.size() < 4 && getline(cin, line);) {
        string alive, heading;
        Three at;
        int cooldown;
        istringstream(line) >> alive >> at[0] >> at[1] >> at[2] >> heading >> cooldown;
        planes.push_back({alive == "alive", at, named(heading), cooldown == 0});
    }
    return planes;
}

// The same from another one on, so that no fight is like the one before.
template <class T> vector<T> rotated(vector<T> these, int fought) {
    if (!these.empty()) rotate(these.begin(), these.begin() + fought % these.size(), these.end());
    return these;
}

struct Choice {
    bool found;
    int score;
    string said;
    Three to;
};

// The best move. `partner` may be none.
Choice decide(int fought, const Plane &me, const Three *partner, const vector<Three> &enemies) {
    Choice best{false, 0, letters(me.heading) + (me.canShoot ? " 1 1" : " 1 0"), plus_(me.at, me.heading)};
    for (const Three &d : rotated(turns(me.heading), fought)) {
        Three to = plus_(me.at, d);
        bool isTaken = partner && to == *partner;
        for (const Three &it : enemies) isTaken |= to == it;
        if (!isInside(to) || isTaken) continue;
        for (bool turnsToo : {true, false}) {
            const Three &after = turnsToo ? d : me.heading;
            if (!leadsOut(to, after, 4)) continue;
            bool aims = false, free = !partner || !isAhead(to, after, *partner);
            int near = enemies.empty() ? 0 : 1000;
            for (const Three &it : enemies) {
                aims |= isAhead(to, after, it);
                near = min(near, distance(to, it));
            }
            int score = (aims && free ? 1000 : 0) - near;
            if (best.found && score <= best.score) continue;
            bool shoots = me.canShoot && aims && free;
            best = {true, score, letters(d) + (turnsToo ? " 1 " : " 0 ") + (shoots ? "1" : "0"), to};
        }
    }
    return best;
}

int main(int argc, char **argv) {
    edge = argc > 1 ? atoi(argv[1]) : 14;
    int fought = 0;
    for (string line; getline(cin, line);) {
        if (line.rfind("NEW FIGHT ", 0) == 0) fought = stoi(line.substr(10));
        if (line != "NEW TURN") continue;
        vector<Plane> planes = readPlanes();  // own first, then the enemy's
        if (planes.size() < 4) return 1;
        // Where each will be if it flies straight on.
        vector<Three> following, enemies;
        for (const Plane &it : planes) following.push_back(plus_(it.at, it.heading));
        for (int no : {2, 3})
            if (planes[no].flies && isInside(following[no])) enemies.push_back(following[no]);
        for (int no : {0, 1}) {
            if (!planes[no].flies) {
                cout << "N 0 0" << endl;
                continue;
            }
            Choice best = decide(fought, planes[no], planes[1 - no].flies ? &following[1 - no] : nullptr, enemies);
            following[no] = best.to;
            cout << best.said << endl;
        }
    }
}
