// Walks: one cell a step, on a shortest way to the goal as far as it can see.
using System;
using System.Collections.Generic;
using System.Linq;

class Beginner {
    static readonly int[][] Dirs = { new[] {0, 1}, new[] {1, 0}, new[] {-1, 0}, new[] {0, -1} };

    static int[] Numbers() {
        return (Console.ReadLine() ?? "").Split(new[] {' '}, StringSplitOptions.RemoveEmptyEntries).Select(int.Parse).ToArray();
    }

    static int Clamp(int it) { return Math.Max(-1, Math.Min(1, it)); }

    static void Main() {
        int[] think = Numbers(), limit = Numbers(), size = Numbers(), vision = Numbers();
        int w = size[0], l = size[1];
        Console.WriteLine(0);
        while (Numbers().Length > 0) { // the number of the step; nothing when the judge has gone
            int[] left = Numbers(), me = Numbers(), other = Numbers();
            int x = me[0], y = me[1], ox = other[0], oy = other[1];
            var cell = Enumerable.Range(0, l).Select(_ => Numbers()).ToArray();
            if (0 <= oy && oy < l) cell[oy][ox] = 1; // around the opponent, not through it
            var far = new int[l + 1, w]; // cells to the goal, 0 not known yet
            var queue = new List<int[]>();
            for (int c = 0; c < w; c++) { far[l, c] = 1; queue.Add(new[] {c, l}); }
            for (int i = 0; i < queue.Count; i++) foreach (var d in Dirs) {
                int c = queue[i][0] + d[0], r = queue[i][1] + d[1];
                if (r < 0 || r >= l || c < 0 || c >= w || cell[r][c] == 1 || far[r, c] > 0) continue;
                far[r, c] = far[queue[i][1], queue[i][0]] + 1;
                queue.Add(new[] {c, r});
            }
            var way = new[] {0, y < 0 ? 1 : 0}; // from before the start: straight on
            foreach (var d in Dirs) {
                int c = x + d[0], r = y + d[1];
                if (y < 0 || r < 0 || c < 0 || c >= w || far[r, c] == 0) continue;
                if (far[y, x] == 0 || far[r, c] < far[y, x]) { way = d; break; }
            }
            Console.WriteLine(Clamp(way[0] - me[2]) + " " + Clamp(way[1] - me[3]));
        }
    }
}
