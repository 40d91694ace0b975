<?php
// Uses too much of what it is told to.
function deeper(int $depth): int
{
    return deeper($depth + 1) + 1;
}

switch (end($argv)) {
    case 'heap':
        $all = [];
        while (true) {
            $all[] = str_repeat('x', 65536);
        }
    case 'stack':
        deeper(0);
        break;
    default:
        while (true);
}
