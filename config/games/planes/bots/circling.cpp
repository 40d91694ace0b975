// Flies to the middle height and circles there, each plane on a side of its own.
//
// A circle is eight rounds long: in each the plane turns by 45 degrees. The two planes turn in
// opposite senses, so that they part. Whatever comes across their guns is shot at: once they circle,
// they shoot as often as they can, unless their partner is in the way.
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

// Where the plane would like to turn to, wall or not.
Three wanted(const Plane &me, int sense) {
    // The level directions in the order of a circle.
    static const vector<array<int, 2>> ring{{-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}};
    auto [x, y, z] = me.heading;
    int climb = (edge / 2 > me.at[2]) - (edge / 2 < me.at[2]);
    auto here = find(ring.begin(), ring.end(), array<int, 2>{x, y});
    if (climb || here == ring.end()) return {x, y, climb};
    if (z) return {x, y, 0};  // level off first
    auto turned = ring[(here - ring.begin() + ring.size() + sense) % ring.size()];
    return {turned[0], turned[1], 0};
}

int main(int argc, char **argv) {
    edge = argc > 1 ? atoi(argv[1]) : 14;
    for (string line; getline(cin, line);) {
        if (line != "NEW TURN") continue;
        vector<Plane> planes = readPlanes();  // own first, then the enemy's
        if (planes.size() < 4) return 1;
        for (int no = 0; no < 2; no++) {
            const Plane &me = planes[no], &partner = planes[1 - no];
            Three choice = me.heading, wish = wanted(me, no == 0 ? 1 : -1);
            vector<Three> allowed = turns(me.heading);
            auto isGood = [&](const Three &d) {
                bool isAllowed = find(allowed.begin(), allowed.end(), d) != allowed.end();
                return isAllowed && isInside(plus_(me.at, d)) && leadsOut(plus_(me.at, d), d, 4);
            };
            if (me.flies) {
                auto best = find_if(allowed.begin(), allowed.end(), isGood);
                if (isGood(wish)) choice = wish;
                else if (best != allowed.end()) choice = *best;
            }
            bool inTheWay = partner.flies && isAhead(plus_(me.at, choice), choice, partner.at);
            bool circles = me.at[2] == edge / 2 && me.heading[2] == 0;
            cout << letters(choice) << " 1 " << (circles && me.canShoot && !inTheWay) << endl;
        }
    }
}
