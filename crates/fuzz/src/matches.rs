//! Matches of every game there is, and of the toys: what bots say in them, and their records.

use std::{fs, time::Duration};

use conformance::{
    Step, simulate_any,
    toys::{duel, sprint},
};
use game::{End, FieldKind, Seat};
use referee::AnyGame;
use serde_json::{Map, Value as Json, json};

use crate::files::config;

const SPRINT: &dyn AnyGame = &referee::Entry::<sprint::Sprint, sprint::Numbers>::NEW;
const DUEL: &dyn AnyGame = &referee::Entry::<duel::Duel, duel::Blocks>::NEW;

/// The first byte chooses the game, the second its set-up; then come steps.
pub(crate) fn dialect(bytes: &[u8]) {
    let [game, setup, steps @ ..] = bytes else { return };
    let game = games::GAMES[usize::from(*game) % games::GAMES.len()];
    // Of some numbers nothing can be drawn.
    let Ok(setup) = small_setup(game, *setup) else { return };
    converse(game, &setup, steps);
}

pub(crate) fn sprint(bytes: &[u8]) {
    let setup = json!({ "length": 6, "steps_max": 12, "think_ms": 200 });
    converse(SPRINT, &setup, after_choice(bytes));
}

pub(crate) fn duel(bytes: &[u8]) {
    converse(DUEL, &json!({ "fights": 2, "turns": 3 }), after_choice(bytes));
}

/// What comes after the bytes by which [`dialect`] chooses: seeds are the same.
fn after_choice(bytes: &[u8]) -> &[u8] {
    bytes.get(2..).unwrap_or_default()
}

/// A set-up of the least numbers, so that matches are short; `choice` chooses among words.
pub(crate) fn small_setup(game: &dyn AnyGame, choice: u8) -> Result<Json, game::Illegal> {
    let mut filled = Map::new();
    for (no, field) in game.fields().iter().enumerate() {
        let value = match field.kind {
            FieldKind::Whole { min, .. } => min.into(),
            FieldKind::Choice { options } => {
                let no = usize::from(choice.rotate_right(no as u32)) % options.len();
                options[no].0.into()
            }
        };
        filled.insert(field.name.to_owned(), value);
    }
    game.set_up(&filled)
}

/// Plays a whole match of what the bytes say that bots do. It ends, its record can be replayed,
/// and nothing hangs on the pieces in which bytes come.
fn converse(game: &dyn AnyGame, setup: &Json, bytes: &[u8]) {
    let steps = steps(bytes);
    let whole = simulate_any(game, setup, &steps, usize::MAX);
    let record = whole.record();
    for chunk_bytes in [1, 7] {
        let pieces = simulate_any(game, setup, &steps, chunk_bytes).record();
        assert!(record == pieces, "{}, in pieces of {chunk_bytes}", game.id());
    }
    // A database of ours has no such character.
    assert!(whole.remarks().iter().all(|it| !it.text.contains('\0')), "a NUL: {record:?}");
    let judged = game.judge(&record, &mut || true).expect("a record can be judged");
    assert_eq!(judged.verdict.outcome, whole.outcome());
    game.replay(&record, None).expect("a record can be replayed");
}

/// A byte says who does what and for how long; after one that says something comes its length.
fn steps(mut bytes: &[u8]) -> Vec<Step> {
    let mut steps = Vec::new();
    while let [what, rest @ ..] = bytes {
        let seat = Seat(what & 1);
        bytes = rest;
        steps.push(match what >> 1 & 15 {
            0 => Step::Sleep(seat),
            1 => Step::End(seat, End::Exited(0)),
            2 => Step::End(seat, End::OutOfMemory),
            _ => {
                let [length, rest @ ..] = bytes else { break };
                let (said, rest) = rest.split_at(usize::from(*length).min(rest.len()));
                bytes = rest;
                Step::Say(seat, said.to_vec(), Duration::from_millis(u64::from(what >> 5)))
            }
        });
    }
    steps
}

/// What `rules.md` shows that bots say, and what those of the toys do.
pub(crate) fn conversations() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (no, game) in games::GAMES.iter().enumerate() {
        let rules = config(*game).join("rules.md");
        let rules = fs::read_to_string(rules).expect("the rules of the product");
        let said = rules.lines().filter_map(|it| it.strip_prefix("> "));
        let said: Vec<&str> = said.filter(|it| it.len() < 200).collect();
        seeds.extend(conversations_of(no as u8, &said));
    }
    seeds.extend(conversations_of(0, &["0", "1", "-1", "1\n1", "2\n3\n4", "#END\n#END\n#END"]));
    seeds
}

/// Each line by each seat, all of them together, and so the end of each turn.
fn conversations_of(game: u8, lines: &[&str]) -> Vec<Vec<u8>> {
    let said = |seat: u8, line: &str| {
        let line = format!("{line}\n");
        [&[seat | 0x26, line.len() as u8], line.as_bytes()].concat()
    };
    let all: Vec<Vec<u8>> = lines.iter().flat_map(|line| [said(0, line), said(1, line)]).collect();
    let together = all.concat();
    let head = [game, 0];
    all.into_iter().chain([together]).map(|it| [&head[..], &it].concat()).collect()
}

/// Records come from our own storage, which may have been damaged.
pub(crate) fn record(bytes: &[u8]) {
    for game in games::GAMES.iter().copied().chain([SPRINT, DUEL]) {
        let seats = (0..3).map(|it| Some(Seat(it))).chain([None]);
        for eye in seats {
            let _ = game.replay(bytes, eye);
        }
        let _ = game.judge(bytes, &mut || true);
    }
}

/// A match of each game, in which bots say what `rules.md` shows.
pub(crate) fn records() -> Vec<Vec<u8>> {
    let together = |no: usize| {
        let seeds = conversations().into_iter().filter(|it| it[0] as usize == no);
        seeds.max_by_key(Vec::len).unwrap_or_default()
    };
    let of_games = games::GAMES.iter().enumerate().map(|(no, game)| {
        let setup = small_setup(*game, 0).expect("an untouched form makes a set-up");
        let seed = together(no);
        simulate_any(*game, &setup, &steps(after_choice(&seed)), 64).record()
    });
    let setup = json!({ "fights": 2, "turns": 3 });
    let fight = simulate_any(DUEL, &setup, &steps(after_choice(&together(0))), 64).record();
    of_games.chain([fight]).collect()
}
