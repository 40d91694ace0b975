//! Labyrinth: a hedge architect against a treasure seeker.
