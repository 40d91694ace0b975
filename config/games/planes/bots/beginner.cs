// Flies straight on as long as there is a way out, and shoots whenever it can.
using System;

class Beginner {
    static int size = 14;

    // Directions are numbers from 0 to 26: 9 * (x + 1) + 3 * (y + 1) + (z + 1), and 13 is none.
    static int Part(int d, int axis) { return (axis == 0 ? d / 9 : axis == 1 ? d / 3 % 3 : d % 3) - 1; }

    static bool MayTurn(int a, int b) { // they touch, and lie on one face of the cube of 27
        bool touch = b != 13, face = false;
        for (int i = 0; i < 3; i++) {
            touch &= Math.Abs(Part(a, i) - Part(b, i)) < 2;
            face |= Part(a, i) == Part(b, i) && Part(a, i) != 0;
        }
        return touch && face;
    }

    // The first turn after which a plane can fly so many rounds, or -1.
    static int WayOut(int[] at, int heading, bool reverse, int rounds) {
        if (rounds == 0) return heading;
        for (int i = -1; i < 27; i++) {
            int d = i < 0 ? heading : reverse ? 26 - i : i;
            int[] to = { at[0] + Part(d, 0), at[1] + Part(d, 1), at[2] + Part(d, 2) };
            bool inside = Array.TrueForAll(to, it => it >= 0 && it < size);
            if (inside && MayTurn(heading, d) && WayOut(to, d, reverse, rounds - 1) >= 0) return d;
        }
        return -1;
    }

    static void Main(string[] args) {
        if (args.Length > 0) size = int.Parse(args[0]); // args[1] is the rounds of a fight
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine()) {
            if (line != "NEW TURN") continue;
            for (int no = 0; no < 4; no++) { // own planes first, then the enemy's
                string[] plane = Console.ReadLine().Split(' ');
                if (no > 1) continue;
                int d = 13;
                foreach (char it in plane[4])
                    d += it == 'N' ? -9 : it == 'S' ? 9 : it == 'W' ? -3 : it == 'E' ? 3 : it == 'D' ? -1 : 1;
                int[] at = { int.Parse(plane[1]), int.Parse(plane[2]), int.Parse(plane[3]) };
                // The second plane tries turns the other way round, so that they part.
                int turn = plane[0] == "alive" ? WayOut(at, d, no == 1, 4) : -1;
                if (turn >= 0) d = turn;
                string letters = "";
                for (int i = 0; i < 3; i++)
                    if (Part(d, i) != 0) letters += "NSWEDU"[2 * i + (Part(d, i) > 0 ? 1 : 0)];
                Console.WriteLine(letters + " 1 " + (1 - int.Parse(plane[5])));
            }
        }
    }
}
