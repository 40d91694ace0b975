// Flies straight on as long as there is a way out, and shoots whenever it can.
import std.algorithm, std.array, std.conv, std.math, std.range, std.stdio, std.string;

int size = 14;

// Directions are numbers from 0 to 26: 9 * (x + 1) + 3 * (y + 1) + (z + 1), and 13 is none.
int[] parts(int d) { return [d / 9 - 1, d / 3 % 3 - 1, d % 3 - 1]; }

bool mayTurn(int a, int b) { // they touch, and lie on one face of the cube of 27
    auto p = parts(a), q = parts(b);
    bool touch = b != 13, face = false;
    foreach (i; 0 .. 3) {
        touch &= abs(p[i] - q[i]) < 2;
        face |= p[i] == q[i] && p[i] != 0;
    }
    return touch && face;
}

// The first turn after which a plane can fly so many rounds, or -1.
int wayOut(int[] at, int heading, bool reverse, int rounds) {
    if (rounds == 0) return heading;
    foreach (i; -1 .. 27) {
        int d = i < 0 ? heading : reverse ? 26 - i : i;
        auto to = parts(d);
        to[] += at[];
        bool inside = to.all!(it => it >= 0 && it < size);
        if (inside && mayTurn(heading, d) && wayOut(to, d, reverse, rounds - 1) >= 0) return d;
    }
    return -1;
}

void main(string[] args) {
    if (args.length > 1) size = args[1].to!int; // args[2] is the rounds of a fight
    for (auto line = readln(); line.length; line = readln()) {
        if (line.strip != "NEW TURN") continue;
        foreach (no; 0 .. 4) { // own planes first, then the enemy's
            auto plane = readln().split;
            if (no > 1) continue;
            int d = 13;
            foreach (it; plane[4]) d += [-9, 9, -3, 3, -1, 1]["NSWEDU".indexOf(it)];
            // The second plane tries turns the other way round, so that they part.
            int turn = plane[0] == "alive" ? wayOut(plane[1 .. 4].to!(int[]), d, no == 1, 4) : -1;
            if (turn >= 0) d = turn;
            foreach (i; 0 .. 3)
                if (parts(d)[i]) write("NSWEDU"[2 * i + (parts(d)[i] > 0)]);
            writeln(" 1 ", 1 - plane[5].to!int);
        }
        stdout.flush();
    }
}
