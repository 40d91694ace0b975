// Flies straight on as long as there is a way out, and shoots whenever it can.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int size;

// Directions are numbers from 0 to 26: 9 * (x + 1) + 3 * (y + 1) + (z + 1), and 13 is none.
static int part(int d, int axis) {
    return (axis == 0 ? d / 9 : axis == 1 ? d / 3 % 3 : d % 3) - 1;
}

static int mayTurn(int a, int b) {  // they touch, and lie on one face of the cube of 27
    int touch = b != 13, face = 0;
    for (int i = 0; i < 3; i++) {
        touch &= abs(part(a, i) - part(b, i)) < 2;
        face |= part(a, i) == part(b, i) && part(a, i) != 0;
    }
    return touch && face;
}

// The first turn after which a plane can fly so many rounds, or -1.
static int wayOut(const int at[3], int heading, int reverse, int rounds) {
    if (rounds == 0) return heading;
    for (int i = -1; i < 27; i++) {
        int d = i < 0 ? heading : reverse ? 26 - i : i;
        int to[3] = {at[0] + part(d, 0), at[1] + part(d, 1), at[2] + part(d, 2)}, inside = 1;
        for (int j = 0; j < 3; j++) inside &= to[j] >= 0 && to[j] < size;
        if (inside && mayTurn(heading, d) && wayOut(to, d, reverse, rounds - 1) >= 0) return d;
    }
    return -1;
}

int main(int argc, char **argv) {
    char line[100], alive[9], letters[9];
    size = argc > 1 ? atoi(argv[1]) : 14;  // argv[2] is the rounds of a fight
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, "NEW TURN\n")) continue;
        for (int no = 0; no < 4; no++) {  // own planes first, then the enemy's
            int at[3], cooldown, d = 13;
            if (!fgets(line, sizeof line, stdin)) return 1;
            if (sscanf(line, "%8s %d %d %d %8s %d", alive, at, at + 1, at + 2, letters, &cooldown) < 6) return 1;
            if (no > 1) continue;
            for (char *it = letters; *it; it++)
                d += *it == 'N' ? -9 : *it == 'S' ? 9 : *it == 'W' ? -3 : *it == 'E' ? 3 : *it == 'D' ? -1 : 1;
            // The second plane tries turns the other way round, so that they part.
            int turn = *alive == 'a' ? wayOut(at, d, no, 4) : -1;
            if (turn >= 0) d = turn;
            for (int i = 0; i < 3; i++)
                if (part(d, i)) putchar("NSWEDU"[2 * i + (part(d, i) > 0)]);
            printf(" 1 %d\n", 1 - cooldown);
        }
        fflush(stdout);
    }
    return 0;
}
