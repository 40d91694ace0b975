# Flies straight on as long as there is a way out, and shoots whenever it can.
use strict;
use warnings;
$| = 1;

my $size = $ARGV[0] // 14;    # $ARGV[1] is the rounds of a fight
my @signs = (-1, 0, 1);
my @directions = grep { $$_[0] || $$_[1] || $$_[2] }
    map { my $x = $_; map { my $y = $_; map { [$x, $y, $_] } @signs } @signs } @signs;

sub letters { my $d = shift; return join "", map { $$d[$_] ? substr("NSWEDU", 2 * $_ + ($$d[$_] > 0), 1) : "" } 0 .. 2 }

sub may_turn {    # they touch, and lie on one face of the cube that all directions make
    my ($from, $to) = @_;
    return !(grep { abs($$from[$_] - $$to[$_]) > 1 } 0 .. 2) && grep { $$from[$_] && $$from[$_] == $$to[$_] } 0 .. 2;
}

# The first turn after which a plane can fly so many rounds, this one counted.
sub way_out {
    my ($at, $heading, $order, $rounds) = @_;
    return $heading if $rounds == 0;
    for my $d ($heading, @$order) {
        my @to = map { $$at[$_] + $$d[$_] } 0 .. 2;
        next if grep { $_ < 0 || $_ >= $size } @to;
        return $d if may_turn($heading, $d) && way_out(\@to, $d, $order, $rounds - 1);
    }
    return undef;
}

my %named = map { (letters($_) => $_) } @directions;
while (my $line = <STDIN>) {
    next if $line ne "NEW TURN\n";
    for my $no (0 .. 3) {    # own planes first, then the enemy's
        my ($alive, $x, $y, $z, $name, $cooldown) = split " ", scalar <STDIN>;
        next if $no > 1;
        # The second plane tries turns the other way round, so that they part.
        my @order = $no ? reverse @directions : @directions;
        my $turn = $alive eq "alive" ? way_out([$x, $y, $z], $named{$name}, \@order, 4) : undef;
        print letters($turn // $named{$name}), " 1 ", 1 - $cooldown, "\n";
    }
}
