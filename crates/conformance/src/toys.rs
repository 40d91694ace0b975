//! Two tiny games of the shapes that Labyrinth does not have.

pub mod duel;
pub mod sprint;
