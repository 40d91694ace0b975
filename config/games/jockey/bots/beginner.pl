# Walks: one cell a step, on a shortest way to the goal as far as it can see.
use strict;
use warnings;
$| = 1;

sub numbers { my $line = <STDIN>; return defined $line ? split(" ", $line) : () }
sub clamp { my $it = shift; return $it < -1 ? -1 : $it > 1 ? 1 : $it }

my ($think, $limit) = (numbers(), numbers());
my ($width, $length) = numbers();
my ($vision) = numbers();
print "0\n";
while (numbers()) {    # the number of the step; nothing when the judge has gone
    my ($left) = numbers();
    my ($x, $y, $vx, $vy) = numbers();
    my ($ox, $oy) = numbers();
    my @cell = map { [numbers()] } 1 .. $length;
    $cell[$oy][$ox] = 1 if $oy >= 0 && $oy < $length;    # around the opponent, not through it
    # far: how many cells it is to the goal.
    my %far = map { ("$_ $length" => 0) } 0 .. $width - 1;
    my @queue = map { [$_, $length] } 0 .. $width - 1;
    my $around = sub { my ($c, $r) = @_; ([$c, $r + 1], [$c + 1, $r], [$c - 1, $r], [$c, $r - 1]) };
    while (my $at = shift @queue) {
        for my $to ($around->(@$at)) {
            my ($c, $r) = @$to;
            next if $c < 0 || $c >= $width || $r < 0 || $r >= $length;
            next if $cell[$r][$c] == 1 || exists $far{"$c $r"};
            $far{"$c $r"} = $far{"@$at"} + 1;
            push @queue, $to;
        }
    }
    my $own = $far{"$x $y"} // 9999;
    my @ways = $y < 0 ? [$x, $y + 1] : grep { ($far{"@$_"} // 9999) < $own } $around->($x, $y);
    my ($c, $r) = @ways ? @{$ways[0]} : ($x, $y);
    print clamp($c - $x - $vx), " ", clamp($r - $y - $vy), "\n";
}
