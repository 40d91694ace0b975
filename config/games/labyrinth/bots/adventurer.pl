#!/usr/bin/perl
# An adventurer for Labyrinth: straight on until a hedge is in the way.
#
# Then it turns into a random open direction, and back only where nothing else
# is open. It plays with and without map, because it never looks at the map.
#
# A better adventurer would remember what it has seen, and head for the
# treasure in column 1 of row 1.

use strict;
use warnings;

# What is printed is sent at once. Otherwise Perl would keep it back until it
# has collected some thousand bytes, and both sides would wait for each other.
$| = 1;

# The judge's numbers: 0 north, 1 east, 2 south, 3 west. North is up.
# For each of them: where it leads, counted from the middle of what we see.
my @steps = ([0, -1], [1, 0], [0, 1], [-1, 0]);

# Returns the 5 by 5 fields around us: $view[row][column], we are $view[2][2].
sub ask_field_of_view {
    print "FieldOfView\n";
    my @view;
    while (@view < 5) {
        my $line = <STDIN>;
        exit unless defined $line;    # The judge has gone: the match is over.
        push @view, [split ' ', $line];
    }
    return @view;
}

# Returns where to go next. $direction is where we went last, undef at first.
sub choose {
    my ($direction, @view) = @_;
    my @open;
    for my $way (0 .. 3) {
        my ($dx, $dy) = @{ $steps[$way] };
        push @open, $way if $view[2 + $dy][2 + $dx] ne 'O';    # `O` is a hedge.
    }
    if (defined $direction) {
        return $direction if grep { $_ == $direction } @open;
        my $back = ($direction + 2) % 4;
        @open = grep { $_ != $back } @open if @open > 1;
    }
    # Never empty: the architect must not wall us in.
    return $open[rand @open];
}

my $direction;
while (1) {
    $direction = choose($direction, ask_field_of_view());
    print "MakeStep $direction\n#END\n";
}
