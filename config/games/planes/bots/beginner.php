<?php
// Flies straight on as long as there is a way out, and shoots whenever it can.
$size = (int) ($argv[1] ?? 14); // $argv[2] is the rounds of a fight
$directions = [];
foreach ([-1, 0, 1] as $x) foreach ([-1, 0, 1] as $y) foreach ([-1, 0, 1] as $z)
    if ($x || $y || $z) $directions[] = [$x, $y, $z];

function letters($d) {
    $letter = fn($i) => $d[$i] ? 'NSWEDU'[2 * $i + ($d[$i] > 0 ? 1 : 0)] : '';
    return $letter(0) . $letter(1) . $letter(2);
}

function may_turn($a, $b) { // they touch, and lie on one face of the cube that all directions make
    [$touch, $face] = [true, false];
    for ($i = 0; $i < 3; $i++) {
        $touch = $touch && abs($a[$i] - $b[$i]) < 2;
        $face = $face || ($a[$i] && $a[$i] === $b[$i]);
    }
    return $touch && $face;
}

// The first turn after which a plane can fly so many rounds, this one counted.
function way_out($at, $heading, $order, $rounds) {
    global $size;
    if ($rounds === 0) return $heading;
    foreach (array_merge([$heading], $order) as $d) {
        $to = array_map(fn($p, $q) => $p + $q, $at, $d);
        if (min($to) < 0 || max($to) >= $size || !may_turn($heading, $d)) continue;
        if (way_out($to, $d, $order, $rounds - 1)) return $d;
    }
    return null;
}

$named = array_combine(array_map('letters', $directions), $directions);
while (($line = fgets(STDIN)) !== false) {
    if (trim($line) !== 'NEW TURN') continue;
    for ($no = 0; $no < 4; $no++) { // own planes first, then the enemy's
        [$alive, $x, $y, $z, $name, $cooldown] = explode(' ', trim(fgets(STDIN)));
        if ($no > 1) continue;
        // The second plane tries turns the other way round, so that they part.
        $order = $no ? array_reverse($directions) : $directions;
        $turn = $alive === 'alive' ? way_out([(int) $x, (int) $y, (int) $z], $named[$name], $order, 4) : null;
        echo letters($turn ?? $named[$name]), ' 1 ', 1 - (int) $cooldown, "\n";
    }
}
