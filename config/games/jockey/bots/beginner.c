/* Walks: one cell a step, on a shortest way to the goal as far as it can see. */
#include <stdio.h>
#include <string.h>

static int cell[1000][100], far[1001][100], queue[100100][2];
static const int dirs[4][2] = {{0, 1}, {1, 0}, {-1, 0}, {0, -1}};

static int clamp(int it) { return it < -1 ? -1 : it > 1 ? 1 : it; }

int main(void) {
    int think, limit, w, l, vision, step, left, x, y, vx, vy, ox, oy, ovx, ovy;
    if (scanf("%d %d %d %d %d", &think, &limit, &w, &l, &vision) != 5) return 1;
    puts("0"), fflush(stdout);
    while (scanf("%d %d %d %d %d %d %d %d %d %d", &step, &left, &x, &y, &vx, &vy, &ox, &oy, &ovx, &ovy) == 10) {
        for (int i = 0; i < w * l; i++)
            if (scanf("%d", &cell[i / w][i % w]) != 1) return 1;
        if (0 <= oy && oy < l) cell[oy][ox] = 1; /* around the opponent, not through it */
        int n = 0; /* far[r][c]: how many cells it is to the goal; -1: not known yet. */
        memset(far, -1, sizeof far);
        for (int c = 0; c < w; c++) far[l][c] = 0, queue[n][0] = c, queue[n++][1] = l;
        for (int i = 0; i < n; i++)
            for (int d = 0; d < 4; d++) {
                int c = queue[i][0] + dirs[d][0], r = queue[i][1] + dirs[d][1];
                if (r < 0 || r >= l || c < 0 || c >= w || cell[r][c] == 1 || far[r][c] >= 0) continue;
                far[r][c] = far[queue[i][1]][queue[i][0]] + 1, queue[n][0] = c, queue[n++][1] = r;
            }
        int gx = 0, gy = y < 0; /* from before the start: straight on */
        for (int d = 3; d >= 0 && y >= 0; d--) {
            int c = x + dirs[d][0], r = y + dirs[d][1];
            if (r < 0 || c < 0 || c >= w || far[r][c] < 0) continue;
            if (far[y][x] < 0 || far[r][c] < far[y][x]) gx = dirs[d][0], gy = dirs[d][1];
        }
        printf("%d %d\n", clamp(gx - vx), clamp(gy - vy)), fflush(stdout);
    }
}
