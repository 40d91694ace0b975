//! Pairings, ratings and statistics, as pure functions.
