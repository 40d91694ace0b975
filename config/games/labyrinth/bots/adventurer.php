<?php
// An adventurer for Labyrinth: straight on until a hedge is in the way.
//
// Then it turns into a random open direction, and back only where nothing else
// is open. It plays with and without map, because it never looks at the map.
//
// A better adventurer would remember what it has seen, and head for the
// treasure in column 1 of row 1.

// The judge's numbers: 0 north, 1 east, 2 south, 3 west. North is up.
// For each of them: where it leads, counted from the middle of what we see.
const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

// Returns the 5 by 5 fields around us: $view[row][column], we are $view[2][2].
function ask_field_of_view(): array
{
    echo "FieldOfView\n"; // What is echoed is sent at once.
    $view = [];
    while (count($view) < 5) {
        $line = fgets(STDIN);
        if ($line === false) {
            exit; // The judge has gone: the match is over.
        }
        $view[] = explode(' ', trim($line));
    }
    return $view;
}

// Returns where to go next. $direction is where we went last, null at first.
function choose(array $view, ?int $direction): int
{
    $open = [];
    foreach (STEPS as $way => [$dx, $dy]) {
        if ($view[2 + $dy][2 + $dx] !== 'O') { // `O` is a hedge.
            $open[] = $way;
        }
    }
    if ($direction !== null) {
        if (in_array($direction, $open)) {
            return $direction;
        }
        if (count($open) > 1) {
            $open = array_values(array_diff($open, [($direction + 2) % 4]));
        }
    }
    // Never empty: the architect must not wall us in.
    return $open[array_rand($open)];
}

$direction = null;
while (true) {
    $direction = choose(ask_field_of_view(), $direction);
    echo "MakeStep $direction\n#END\n";
}
