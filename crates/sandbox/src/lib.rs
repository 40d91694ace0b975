//! One process, jailed, paused and measured.
