// Walks: one cell a step, on a shortest way to the goal as far as it can see.
import std.algorithm, std.array, std.conv, std.stdio, std.string;

int[] numbers() { return readln().split().map!(to!int).array; }
int[2][] around(int c, int r) { return [[c, r + 1], [c + 1, r], [c - 1, r], [c, r - 1]]; }

void main() {
    numbers(); numbers(); // thinking time, step limit
    auto size = numbers();
    int w = size[0], l = size[1];
    numbers(); // vision
    writeln(0); stdout.flush();
    while (numbers().length) { // the number of the step; nothing when the judge has gone
        numbers(); // thinking time left
        auto me = numbers(), other = numbers();
        int x = me[0], y = me[1];
        int[][] cell;
        foreach (r; 0 .. l) cell ~= numbers();
        if (other[1] >= 0 && other[1] < l) cell[other[1]][other[0]] = 1; // around the opponent, not through it
        // far: how many cells it is to the goal.
        auto far = new int[][](l + 1, w);
        foreach (row; far) row[] = 9999;
        int[2][] queue;
        foreach (c; 0 .. w) { far[l][c] = 0; queue ~= [c, l]; }
        for (size_t i = 0; i < queue.length; i++) {
            foreach (to; around(queue[i][0], queue[i][1])) {
                int c = to[0], r = to[1];
                if (c < 0 || c >= w || r < 0 || r >= l || cell[r][c] == 1 || far[r][c] < 9999) continue;
                far[r][c] = far[queue[i][1]][queue[i][0]] + 1;
                queue ~= [c, r];
            }
        }
        int[2] go = [x, y < 0 ? y + 1 : y];
        if (y >= 0) foreach (to; around(x, y)) {
            if (to[0] < 0 || to[0] >= w || to[1] < 0 || far[to[1]][to[0]] >= far[y][x]) continue;
            go = to;
            break;
        }
        writeln(clamp(go[0] - x - me[2], -1, 1), " ", clamp(go[1] - y - me[3], -1, 1));
        stdout.flush();
    }
}
