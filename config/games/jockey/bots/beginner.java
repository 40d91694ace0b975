// Walks: one cell a step, on a shortest way to the goal as far as it can see.
import java.io.*;
import java.util.*;

public class Beginner {
    static final StreamTokenizer IN = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
    static final int[][] DIRS = {{0, 1}, {1, 0}, {-1, 0}, {0, -1}};

    static int number() throws IOException {
        IN.nextToken();
        return (int) IN.nval;
    }

    static int clamp(int it) {
        return Math.max(-1, Math.min(1, it));
    }

    public static void main(String[] args) throws IOException {
        int think = number(), limit = number(), w = number(), l = number(), vision = number();
        System.out.println(0);
        while (IN.nextToken() == StreamTokenizer.TT_NUMBER) { // the number of the step
            int left = number(), x = number(), y = number(), vx = number(), vy = number();
            int ox = number(), oy = number(), ovx = number(), ovy = number();
            int[][] cell = new int[l + 1][w], far = new int[l + 1][w]; // far: cells to the goal, 0 not known yet
            for (int r = 0; r < l; r++) for (int c = 0; c < w; c++) cell[r][c] = number();
            if (0 <= oy && oy < l) cell[oy][ox] = 1; // around the opponent, not through it
            List<int[]> queue = new ArrayList<>();
            for (int c = 0; c < w; c++) { far[l][c] = 1; queue.add(new int[] {c, l}); }
            for (int i = 0; i < queue.size(); i++) for (int[] d : DIRS) {
                int[] at = queue.get(i);
                int c = at[0] + d[0], r = at[1] + d[1];
                if (r < 0 || r >= l || c < 0 || c >= w || cell[r][c] == 1 || far[r][c] > 0) continue;
                far[r][c] = far[at[1]][at[0]] + 1;
                queue.add(new int[] {c, r});
            }
            int[] way = {0, y < 0 ? 1 : 0}; // from before the start: straight on
            for (int[] d : DIRS) {
                int c = x + d[0], r = y + d[1];
                if (y < 0 || r < 0 || c < 0 || c >= w || far[r][c] == 0) continue;
                if (far[y][x] == 0 || far[r][c] < far[y][x]) { way = d; break; }
            }
            System.out.println(clamp(way[0] - vx) + " " + clamp(way[1] - vy));
        }
    }
}
