// Predicts and avoids: looks at all that the enemy may do next, and does what fares best.
//
// Every cell gets a danger: how many of the enemy's possible moves would put a bullet or a plane
// there. Every own move gets a chance: in how many of them an enemy would be on its line. The best
// difference wins; coming nearer counts a little. What leads into a wall within four rounds is left
// out, and so is shooting when the partner is in the way. Among moves that are as good it takes
// another one in every fight, so that an enemy who learns has something to do.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
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

const double DANGER = 8, CHANCE = 3;  // what they count for

struct Option {
    Three turn;
    bool turns;
    Three to, after;  // cell and heading then
};

// All that a plane may do but suicide.
vector<Option> options(const Plane &plane) {
    vector<Option> found;
    for (const Three &d : turns(plane.heading)) {
        Three to = plus_(plane.at, d);
        if (!isInside(to)) continue;
        if (leadsOut(to, d, 4)) found.push_back({d, true, to, d});
        if (d != plane.heading && leadsOut(to, plane.heading, 4)) found.push_back({d, false, to, plane.heading});
    }
    return found;
}

// The same from another one on, so that no fight is like the one before.
template <class T> vector<T> rotated(vector<T> these, int fought) {
    if (!these.empty()) rotate(these.begin(), these.begin() + fought % these.size(), these.end());
    return these;
}

struct Choice {
    bool found;
    double score;
    string said;
    Three to;
};

// The best move. `partner` may be none.
Choice decide(int fought, const Plane &me, const Three *partner, const vector<Plane> &enemies) {
    map<Three, double> danger, places;
    for (const Plane &enemy : enemies) {
        vector<Option> theirs = options(enemy);
        for (const Option &it : theirs) {
            double part = 1.0 / theirs.size();
            places[it.to] += part;
            danger[it.to] += part;
            if (!enemy.canShoot) continue;
            for (Three at = plus_(it.to, it.after); isInside(at); at = plus_(at, it.after)) danger[at] += part;
        }
    }
    Choice best{false, 0, letters(me.heading) + (me.canShoot ? " 1 1" : " 1 0"), plus_(me.at, me.heading)};
    for (const Option &it : rotated(options(me), fought)) {
        if (partner && it.to == *partner) continue;
        double chance = 0, near = enemies.empty() ? 0 : 1000;
        bool free = true;
        for (Three at = plus_(it.to, it.after); isInside(at); at = plus_(at, it.after)) {
            auto place = places.find(at);
            if (place != places.end()) chance += place->second;
            free &= !partner || at != *partner;
        }
        for (const Plane &enemy : enemies) {
            int far = 0;
            for (int i = 0; i < 3; i++) far += abs(it.to[i] - enemy.at[i]);
            near = min(near, double(far));
        }
        bool shoots = me.canShoot && chance > 0 && free;
        double score = (shoots ? CHANCE * chance : 0) - DANGER * danger[it.to] - near / 20;
        if (best.found && score <= best.score) continue;
        best = {true, score, letters(it.turn) + (it.turns ? " 1 " : " 0 ") + (shoots ? "1" : "0"), it.to};
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
        vector<Plane> enemies;
        for (int no : {2, 3})
            if (planes[no].flies) enemies.push_back(planes[no]);
        // The first plane decides, and the second one minds it; before that it is to fly on.
        Three following = plus_(planes[1].at, planes[1].heading);
        const Three *partner = planes[1].flies ? &following : nullptr;
        for (int no : {0, 1}) {
            if (!planes[no].flies) {
                cout << "N 0 0" << endl;
                partner = nullptr;
                continue;
            }
            Choice best = decide(fought, planes[no], partner, enemies);
            following = best.to;
            partner = &following;
            cout << best.said << endl;
        }
    }
}
