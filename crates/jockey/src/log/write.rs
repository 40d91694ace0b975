//! From what was played to logs.

use alloc::{format, string::String, vec::Vec};
use core::time::Duration;

use game::{Answer, Fraction, Game, Illegal, Seat, Sitter, Story};
use serde_json::{Value, json};

use super::{FILETYPE, category, seat_of};
use crate::{
    event::{Action, Event},
    official::{Unit, course_object},
    race::{How, Move, Player, Standing},
    rules::{Jockey, disqualified_time},
};

/// Digits of a goal time, before and behind the point.
const TIME_DIGITS: usize = 6;

/// A log for each race that is over.
pub(super) fn races(story: &Story<Jockey>) -> Result<Vec<Value>, Illegal> {
    let mut events = Vec::new();
    let mut game = Jockey::start(&story.setup, &story.sitters, &mut events)?;
    let think = Duration::from_millis(story.setup.think_ms.into());
    let mut left = [think; 2];
    let (mut logs, mut steps) = (Vec::new(), Vec::new());
    for (ply_no, ply) in story.plies.iter().enumerate() {
        let (race_no, race) = (game.round(), game.race().clone());
        let before = left;
        for (no, left) in left.iter_mut().enumerate() {
            let seat = Seat(no as u8);
            // A person has no bank of time.
            if story.sitters.get(seat) == Some(&Sitter::Bot) {
                let spent = story.charged.get(ply_no).and_then(|it| *it.get(seat)?);
                *left = left.saturating_sub(spent.unwrap_or_default());
            }
        }
        let n_out = game.disqualified().len();
        events.clear();
        game.play(ply, &mut events);
        for event in &events {
            match event {
                Event::Stepped { step, moves, .. } => {
                    let outs = &game.disqualified()[n_out..];
                    let player = |no: usize| {
                        let seat = seat_of(race_no, no);
                        let action = ply.get(Seat(seat as u8)).and_then(Option::as_ref);
                        let cause = outs.iter().find(|it| it.0 == race_no && it.1 == seat);
                        let result = match &moves[seat] {
                            Some(it) => result_of(it, cause.map(|it| category(&it.2))),
                            None => out_before(&game, race_no, seat),
                        };
                        Told {
                            before: moves[seat].map(|_| state(&race.players()[seat], before[seat])),
                            after: moves[seat].map(|it| state(&after(&it), left[seat])),
                            accel: moves[seat].and_then(|it| accel(&it, action)),
                            result,
                        }
                    };
                    steps.push(step_object(*step, race.sees(), [player(0), player(1)]));
                }
                Event::RaceOver { race, times } => {
                    let finished = [0, 1].map(|no| {
                        let time = times[seat_of(*race, no)];
                        printed(time, story.setup.step_limit)
                    });
                    let names = [0, 1].map(|no| {
                        let seat = Seat(seat_of(*race, no) as u8);
                        story.names.get(seat).cloned().unwrap_or_default()
                    });
                    logs.push(json!({
                        "filetype": FILETYPE,
                        "course": course_object(&story.setup, Unit::Milliseconds),
                        "names": names,
                        "finished": finished,
                        "log": core::mem::take(&mut steps),
                    }));
                    left = [think; 2];
                }
                _ => (),
            }
        }
    }
    if logs.is_empty() {
        let found = story.plies.len();
        let text =
            format!("record: found {found} plies, in which no race ends; a log tells a whole one");
        return Err(Illegal(text.into()));
    }
    Ok(logs)
}

/// What a step did to one player, in the words of a log.
struct Told {
    before: Option<Value>,
    after: Option<Value>,
    accel: Option<Value>,
    result: &'static str,
}

fn step_object(step: u32, sees: i32, players: [Told; 2]) -> Value {
    let result = |it: &Told| json!({ "category": it.result, "info": Value::Null });
    json!({
        "step": step,
        "visibility": sees,
        "before": players.each_ref().map(|it| &it.before),
        "after": players.each_ref().map(|it| &it.after),
        "accel": players.each_ref().map(|it| &it.accel),
        "result": players.each_ref().map(result),
    })
}

fn result_of(it: &Move, cause: Option<&'static str>) -> &'static str {
    match it.how {
        How::Moved | How::Splashed => "normal",
        How::Finished { .. } => "finished",
        How::OffCourse { .. } => "goneoff",
        How::Collided { .. } => "collided",
        How::Disqualified => cause.unwrap_or("invalid"),
    }
}

/// Why a player was out before the step.
fn out_before(game: &Jockey, race_no: u32, seat: usize) -> &'static str {
    let cause = game.disqualified().iter().find(|it| it.0 == race_no && it.1 == seat);
    cause.map_or("finished", |it| category(&it.2))
}

/// Velocity is lost with a disqualification.
fn after(it: &Move) -> Player {
    Player { at: it.to, velocity: it.velocity, standing: Standing::Racing }
}

fn state(player: &Player, left: Duration) -> Value {
    let Player { at, velocity, .. } = player;
    json!({
        "x": at.x,
        "y": at.y,
        "vx": velocity.x,
        "vy": velocity.y,
        "timeLeft": left.as_millis() as u64,
    })
}

fn accel(it: &Move, answer: Option<&Answer<Action>>) -> Option<Value> {
    if it.how == How::Disqualified {
        return None;
    }
    let (x, y) = match answer {
        Some(Answer::Action(Action::Accelerate(x, y))) => (*x, *y),
        // A person who missed a step.
        _ => (0, 0),
    };
    Some(json!({ "x": x, "y": y }))
}

/// A goal time as it was printed in 2019: one less, in six digits.
fn printed(time: Fraction, step_limit: u32) -> Value {
    if time == disqualified_time(step_limit) {
        return json!(2 * u64::from(step_limit));
    }
    let (num, den) = (i128::from(time.num() - time.den()), i128::from(time.den()));
    let whole = num / den;
    let n_decimals = TIME_DIGITS.saturating_sub(format!("{whole}").len());
    let scale = 10_i128.pow(n_decimals as u32);
    let scaled = (2 * num * scale + den) / (2 * den);
    let text = decimal(scaled, n_decimals);
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

fn decimal(scaled: i128, n_decimals: usize) -> String {
    let scale = 10_i128.pow(n_decimals as u32);
    let (whole, part) = (scaled / scale, scaled % scale);
    if part == 0 {
        return format!("{whole}");
    }
    let text = format!("{whole}.{part:0n_decimals$}");
    text.trim_end_matches('0').into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_printed_one_less_in_six_digits() {
        let table = [
            ((50 * 7 + 6, 7), "49.8571"),
            ((161 * 5 + 3, 5), "160.6"),
            ((161 * 3 + 1, 3), "160.333"),
            ((148 * 3 + 1, 3), "147.333"),
            ((3, 1), "2"),
            ((1, 1), "0"),
            ((4, 3), "0.33333"),
            ((300_000_099, 100), "3000000"),
            ((600, 1), "600"),
        ];
        for ((num, den), text) in table {
            assert_eq!(format!("{}", printed(Fraction::new(num, den), 300)), text);
        }
    }
}
