# Uses too much of what it is told to.
use strict;
use warnings;
no warnings 'recursion';

sub deeper { return deeper($_[0] + 1) + 1 }

my $what = $ARGV[-1];
if ($what eq 'heap') {
    my @all;
    while (1) { push @all, 'x' x 65536 . @all }
}
elsif ($what eq 'stack') { deeper(0) }
else { while (1) { } }
