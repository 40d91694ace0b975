//! Plays a match of any game, doing no I/O and reading no clock.
