// An adventurer for Labyrinth: straight on until a hedge is in the way.
//
// Then it turns into a random open direction, and back only where nothing else
// is open. It plays with and without map, because it never looks at the map.
//
// A better adventurer would remember what it has seen, and head for the
// treasure in column 1 of row 1.
//
// Build with: ldc2 -O2 adventurer.d

import std.algorithm : canFind, filter;
import std.array : array, split;
import std.random : choice;
import std.stdio : readln, stdout, writeln;

enum nowhere = -1;

// The judge's numbers: 0 north, 1 east, 2 south, 3 west. North is up.
// For each of them: where it leads, counted from the middle of what we see.
immutable int[2][4] steps = [[0, -1], [1, 0], [0, 1], [-1, 0]];

// Returns the 5 by 5 fields around us: view[row][column], we are view[2][2].
// Less than that means that the judge has gone.
string[][] askFieldOfView()
{
    writeln("FieldOfView");
    // This sends what we have written so far. Without it the question would
    // wait in our own memory, and we for its answer.
    stdout.flush();
    string[][] view;
    while (view.length < 5)
    {
        const line = readln();
        if (line is null)
            break;
        view ~= line.split;
    }
    return view;
}

// Returns where to go next. `direction` is where we went last.
int choose(string[][] view, int direction)
{
    bool isOpen(int way)
    {
        return view[2 + steps[way][1]][2 + steps[way][0]] != "O"; // `O` is a hedge.
    }

    auto open = [0, 1, 2, 3].filter!isOpen.array;
    if (open.canFind(direction))
        return direction;
    const back = (direction + 2) % 4;
    if (direction != nowhere && open.length > 1)
        open = open.filter!(way => way != back).array;
    // Never empty: the architect must not wall us in.
    return open.choice;
}

void main()
{
    int direction = nowhere;
    while (true)
    {
        auto view = askFieldOfView();
        if (view.length < 5)
            return; // The match is over.
        direction = choose(view, direction);
        writeln("MakeStep ", direction);
        writeln("#END");
        stdout.flush();
    }
}
