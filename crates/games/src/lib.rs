//! The list of games, and nothing else.
//!
//! Whoever plays, stores or shows matches asks here, and so knows no game by name.

use jockey::{Jockey, Numbers};
use labyrinth::{Labyrinth, Lines};
use planes::{Planes, Radio};
use referee::{AnyGame, Entry};

/// Every game there is.
pub static GAMES: &[&dyn AnyGame] = &[
    &Entry::<Labyrinth, Lines>::NEW,
    &Entry::<Jockey, Numbers>::NEW,
    &Entry::<Planes, Radio>::NEW,
];

/// The game of this id.
pub fn find(id: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|it| it.id() == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_found_by_its_id_alone() {
        for game in GAMES {
            assert_eq!(find(game.id()).map(AnyGame::id), Some(game.id()));
        }
        assert!(find("chess").is_none());
        let mut ids: Vec<_> = GAMES.iter().map(|it| it.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), GAMES.len());
    }
}
