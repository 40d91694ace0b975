//! What the longest replay there is weighs: a page must be able to hold it.

mod common;

use std::io::Write;

use common::{BOTS, play, start};
use flate2::{Compression, write::GzEncoder};
use game::{Answer, Game};
use labyrinth::{ADVENTURER, ARCHITECT, Action, Labyrinth, Mode, Setup};

const RAW_BYTES_MAX: usize = 4 << 20;
const GZIP_BYTES_MAX: usize = 256 << 10;

#[test]
fn the_views_of_the_longest_replay_fit_a_page() {
    let mut numbers = numbers();
    let mut game = start(&Setup::new(25, Mode::NoMap), BOTS);
    let mut lines = vec![line(&game)];
    while game.ending().is_none() {
        // A fresh planting or a step nearly every turn, away from the treasure.
        let at = [numbers() % 25 + 1, numbers() % 25 + 1];
        play(&mut game, ARCHITECT, Answer::Action(Action::Plant(at[0], at[1])));
        lines.push(line(&game));
        let from = game.board().adventurer();
        let number = if from.x() + from.y() < 8 { numbers() % 2 + 1 } else { numbers() % 4 };
        play(&mut game, ADVENTURER, Answer::Action(Action::Step(number)));
        lines.push(line(&game));
    }
    assert_eq!((game.clock(), lines.len()), (1875, 3751));
    let raw = lines.concat();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(raw.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let text = format!("views of 1,875 rounds: {} bytes, gzipped {}\n", raw.len(), gzip.len());
    std::io::stdout().write_all(text.as_bytes()).unwrap();
    assert!(raw.len() <= RAW_BYTES_MAX && gzip.len() <= GZIP_BYTES_MAX, "{text}");
}

fn line(game: &Labyrinth) -> String {
    serde_json::to_string(&game.view(None)).unwrap() + "\n"
}

/// Numbers from 0 up, the same each time.
fn numbers() -> impl FnMut() -> i32 {
    let mut state = 1u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as i32
    }
}
