// Walks: one cell a step, on a shortest way to the goal as far as it can see.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int main() {
    const int dirs[4][2] = {{0, 1}, {1, 0}, {-1, 0}, {0, -1}};
    int think, limit, w, l, vision, step, left, x, y, vx, vy, ox, oy, ovx, ovy;
    cin >> think >> limit >> w >> l >> vision;
    cout << 0 << endl;  // endl sends what was written; without that the judge would wait
    while (cin >> step >> left >> x >> y >> vx >> vy >> ox >> oy >> ovx >> ovy) {
        vector<vector<int>> cell(l + 1, vector<int>(w)), far(l + 1, vector<int>(w, -1));
        for (int r = 0; r < l; r++)
            for (int &it : cell[r]) cin >> it;
        if (0 <= oy && oy < l) cell[oy][ox] = 1;  // around the opponent, not through it
        // far[r][c]: how many cells it is to the goal; -1: not known yet.
        vector<pair<int, int>> queue;
        for (int c = 0; c < w; c++) far[l][c] = 0, queue.push_back({l, c});
        for (size_t i = 0; i < queue.size(); i++)
            for (auto &[dx, dy] : dirs) {
                int r = queue[i].first + dy, c = queue[i].second + dx;
                if (r < 0 || r >= l || c < 0 || c >= w || cell[r][c] == 1 || far[r][c] >= 0) continue;
                far[r][c] = far[queue[i].first][queue[i].second] + 1, queue.push_back({r, c});
            }
        int go[2] = {0, y < 0};  // from before the start: straight on
        for (int d = 3; d >= 0 && y >= 0; d--) {
            int r = y + dirs[d][1], c = x + dirs[d][0];
            if (r < 0 || c < 0 || c >= w || far[r][c] < 0) continue;
            if (far[y][x] < 0 || far[r][c] < far[y][x]) go[0] = dirs[d][0], go[1] = dirs[d][1];
        }
        cout << clamp(go[0] - vx, -1, 1) << ' ' << clamp(go[1] - vy, -1, 1) << endl;
    }
}
