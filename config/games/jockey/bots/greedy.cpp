// A greedy racer: looks as many steps ahead as it has time for, and takes the one that brings it
// nearest to the goal.
//
// How near a place is, is the number of cells on a way around all obstacles in sight; ponds count
// for more, because they cost all speed. What is out of sight is taken for grass. The search goes
// by position *and* velocity: two ways to the same cell are different if one is faster.
//
// The opponent matters in the very next step only. Its line is guessed by leaving its velocity as
// it is. Whoever touches the cell the other one starts from loses a collision, so lines through
// that cell are avoided where the two could meet; and where the opponent has priority, too.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <vector>
using namespace std;

const int DEPTH = 9;          // steps to look ahead
const int POSITIONS = 20000;  // most positions to look at for one answer
const int POND = 3;           // what a pond counts for, in cells
const int BEHIND = 20;        // rows before the start that are thought of
const int FAR = 1000000;

struct Player {
    int x, y, vx, vy;
};

struct Node {
    int x, y, vx, vy;
    int first;  // the acceleration it all began with, 0 to 8
};

int width, length, vision;
vector<vector<int>> cells;     // by row: 0 grass, 1 obstacle, 2 pond, -1 out of sight
vector<vector<int>> distances; // by row from -BEHIND on

int ground(int x, int y) { return y < 0 || y >= length ? 0 : cells[y][x]; }

// The cells that a movement of (dx, dy) touches, seen from its start. Exact: a cell is a square of
// side 1, and all is multiplied by 2.
const vector<pair<int, int>> &touched(int dx, int dy) {
    static map<pair<int, int>, vector<pair<int, int>>> known;
    auto [it, fresh] = known.try_emplace({dx, dy});
    if (fresh)
        for (int y = min(0, dy); y <= max(0, dy); y++)
            for (int x = min(0, dx); x <= max(0, dx); x++)
                if (2 * abs(dx * y - dy * x) <= abs(dx) + abs(dy)) it->second.push_back({x, y});
    return it->second;
}

bool touches(int x, int y, int dx, int dy, int cx, int cy) {
    for (auto [ox, oy] : touched(dx, dy))
        if (x + ox == cx && y + oy == cy) return true;
    return false;
}

bool isFree(int x, int y, int dx, int dy) {
    if (x + dx < 0 || x + dx >= width) return false;
    for (auto [ox, oy] : touched(dx, dy))
        if (ground(x + ox, y + oy) == 1) return false;
    return true;
}

// Cells to the goal from everywhere, by the cheapest way.
void measure() {
    distances.assign(length + BEHIND, vector<int>(width, FAR));
    set<tuple<int, int, int>> open;
    for (int x = 0; x < width; x++)
        if (ground(x, length - 1) != 1) {
            distances[length - 1 + BEHIND][x] = 1;
            open.insert({1, x, length - 1});
        }
    while (!open.empty()) {
        auto [far, x, y] = *open.begin();
        open.erase(open.begin());
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int nx = x + dx, ny = y + dy;
                if (nx < 0 || nx >= width || ny < -BEHIND || ny >= length || ground(nx, ny) == 1) continue;
                if (!isFree(nx, ny, -dx, -dy)) continue;
                int cost = far + (ground(nx, ny) == 2 ? POND : 1);
                int &known = distances[ny + BEHIND][nx];
                if (cost >= known) continue;
                open.erase({known, nx, ny});
                known = cost;
                open.insert({cost, nx, ny});
            }
    }
}

int distanceOf(int x, int y) {
    if (y >= length) return -(y - length);
    return y < -BEHIND ? FAR : distances[y + BEHIND][x];
}

int side(int ax, int ay, int bx, int by, int px, int py) {
    int cross = (bx - ax) * (py - ay) - (by - ay) * (px - ax);
    return (cross > 0) - (cross < 0);
}

bool linesMeet(const Player &a, int adx, int ady, const Player &b, int bdx, int bdy) {
    int ax = a.x + adx, ay = a.y + ady, bx = b.x + bdx, by = b.y + bdy;
    if (max(a.x, ax) < min(b.x, bx) || max(b.x, bx) < min(a.x, ax)) return false;
    if (max(a.y, ay) < min(b.y, by) || max(b.y, by) < min(a.y, ay)) return false;
    return side(a.x, a.y, ax, ay, b.x, b.y) * side(a.x, a.y, ax, ay, bx, by) <= 0 &&
           side(b.x, b.y, bx, by, a.x, a.y) * side(b.x, b.y, bx, by, ax, ay) <= 0;
}

// Whether a first movement would be lost to the opponent.
bool isLost(const Player &me, const Player &other, int dx, int dy) {
    if (other.y >= length) return false;  // it is out
    int odx = other.vx, ody = other.vy;
    if (!isFree(other.x, other.y, odx, ody)) odx = ody = 0;
    if (!linesMeet(me, dx, dy, other, odx, ody)) return false;
    if (touches(me.x, me.y, dx, dy, other.x, other.y)) return true;
    if (touches(other.x, other.y, odx, ody, me.x, me.y)) return false;
    return make_pair(other.y, other.x) < make_pair(me.y, me.x);
}

// The best acceleration, as a number from 0 to 8.
int decide(const Player &me, const Player &other) {
    measure();
    vector<Node> now{{me.x, me.y, me.vx, me.vy, -1}};
    set<tuple<int, int, int, int>> seen;
    int best = 4, looked = 0;
    for (int step = 0; step < DEPTH && !now.empty() && looked < POSITIONS; step++) {
        vector<Node> next;
        tuple<int, int> score{FAR * 2, 0};
        int choice = best;
        for (const Node &it : now)
            for (int a = 0; a < 9; a++) {
                int vx = it.vx + a % 3 - 1, vy = it.vy + a / 3 - 1;
                int first = it.first < 0 ? a : it.first;
                if (step == 0 && isLost(me, other, vx, vy)) continue;
                if (!isFree(it.x, it.y, vx, vy)) continue;
                Node to{it.x + vx, it.y + vy, vx, vy, first};
                if (ground(to.x, to.y < length ? to.y : length) == 2) to.vx = to.vy = 0;
                if (!seen.insert({to.x, to.y, to.vx, to.vy}).second) continue;
                looked++;
                // Among places that are as near the faster one is better.
                tuple<int, int> here{distanceOf(to.x, to.y), -to.vy};
                if (here < score) score = here, choice = first;
                if (to.y < length) next.push_back(to);
            }
        if (score < tuple<int, int>{FAR * 2, 0}) {
            best = choice;
            if (get<0>(score) <= 0) break;  // the goal, in the fewest steps
        }
        now.swap(next);
    }
    return best;
}

int main() {
    int think, limit;
    if (scanf("%d %d %d %d %d", &think, &limit, &width, &length, &vision) != 5) return 1;
    cells.assign(length, vector<int>(width, -1));
    printf("0\n");
    fflush(stdout);
    int step, left;
    while (scanf("%d %d", &step, &left) == 2) {
        Player me, other;
        if (scanf("%d %d %d %d", &me.x, &me.y, &me.vx, &me.vy) != 4) return 1;
        if (scanf("%d %d %d %d", &other.x, &other.y, &other.vx, &other.vy) != 4) return 1;
        for (auto &row : cells)
            for (int &it : row)
                if (scanf("%d", &it) != 1) return 1;
        int a = decide(me, other);
        printf("%d %d\n", a % 3 - 1, a / 3 - 1);
        fflush(stdout);
    }
}
