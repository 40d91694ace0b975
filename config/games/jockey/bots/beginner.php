<?php
// Walks: one cell a step, on a shortest way to the goal as far as it can see.
function numbers() {
    return array_map('intval', preg_split('/\s+/', fgets(STDIN) ?: '', -1, PREG_SPLIT_NO_EMPTY));
}
function clamp($it) { return max(-1, min(1, $it)); }
function around($c, $r) { return [[$c, $r + 1], [$c + 1, $r], [$c - 1, $r], [$c, $r - 1]]; }

[$think, $limit, [$width, $length], $vision] = [numbers(), numbers(), numbers(), numbers()];
echo "0\n";
while (numbers()) { // the number of the step; nothing when the judge has gone
    [$left, [$x, $y, $vx, $vy], [$ox, $oy]] = [numbers(), numbers(), numbers()];
    $cell = [];
    for ($r = 0; $r < $length; $r++) $cell[] = numbers();
    if ($oy >= 0 && $oy < $length) $cell[$oy][$ox] = 1; // around the opponent, not through it
    // far: how many cells it is to the goal.
    $far = [$length => array_fill(0, $width, 0)];
    $queue = array_map(fn($c) => [$c, $length], range(0, $width - 1));
    for ($i = 0; $i < count($queue); $i++) {
        [$from_c, $from_r] = $queue[$i];
        foreach (around($from_c, $from_r) as [$c, $r]) {
            if ($c < 0 || $c >= $width || $r < 0 || $r >= $length) continue;
            if ($cell[$r][$c] == 1 || isset($far[$r][$c])) continue;
            $far[$r][$c] = $far[$from_r][$from_c] + 1;
            $queue[] = [$c, $r];
        }
    }
    $own = $far[$y][$x] ?? 9999;
    $better = array_filter(around($x, $y), fn($at) => ($far[$at[1]][$at[0]] ?? 9999) < $own);
    [$gx, $gy] = $y < 0 ? [$x, $y + 1] : (reset($better) ?: [$x, $y]);
    echo clamp($gx - $x - $vx), ' ', clamp($gy - $y - $vy), "\n";
}
