//! From logs to a match that is played again. The log is believed in what was answered, and
//! checked in what came of it.

use alloc::{format, string::String, vec::Vec};
use core::time::Duration;

use game::{Answer, End, Fault, Game, Illegal, PerSeat, Ply, Sitter, Story};
use serde_json::Value;

use super::{FILETYPE, LOG_BYTES_MAX, seat_of};
use crate::{
    event::{Action, Event},
    geometry::Vector,
    official::{Fields, Unit, parse, read_course, shown},
    race::Race,
    rules::{Jockey, RACES},
    setup::Setup,
};

/// Characters of a player's name.
const NAME_CHARS_MAX: usize = 100;

/// The match of one log, which ends before its second race, or of two.
pub(super) fn races(files: &[&[u8]]) -> Result<Story<Jockey>, Illegal> {
    let (found, allowed) = (files.len(), RACES as usize);
    if !(1..=allowed).contains(&found) {
        let text = format!("logs: found {found}, allowed are 1 to {allowed}, one for each race");
        return Err(Illegal(text.into()));
    }
    let mut logs = Vec::new();
    for (race, file) in files.iter().enumerate() {
        // Where there are two, errors say in which.
        let within = if found == 1 { String::new() } else { format!("race {}: ", race + 1) };
        let root = parse(file, LOG_BYTES_MAX)
            .map_err(|Illegal(why)| Illegal(format!("{within}{why}").into()))?;
        logs.push(Log::read(&root, &within)?);
    }
    let first = &logs[0];
    if let Some(second) = logs.get(1) {
        if second.setup != first.setup {
            let text = "race 2: course: found another one than in race 1, allowed is the same";
            return Err(Illegal(text.into()));
        }
        let [one, other] = &first.names;
        if second.names != [other.clone(), one.clone()] {
            let [a, b] = &second.names;
            let text = format!(
                "race 2: names: found {a:?} and {b:?}, allowed are {other:?} and {one:?}, \
                 because the starts are swapped"
            );
            return Err(Illegal(text.into()));
        }
    }
    let sitters = PerSeat::new(2, |_| Sitter::Bot);
    let game = Jockey::start(&first.setup, &sitters, &mut Vec::new())?;
    let mut play = Play { game, plies: Vec::new(), charged: Vec::new() };
    for (race, log) in logs.iter().enumerate() {
        play.race(race as u32, log)?;
    }
    // Where nobody ever took any time, nobody noted it, and none is made up.
    let noted = |it: &PerSeat<Option<Duration>>| {
        it.iter().any(|(_, it)| it.is_some_and(|it| !it.is_zero()))
    };
    let is_noted = play.charged.iter().any(noted);
    if !is_noted {
        play.charged = play.charged.iter().map(|it| it.map(|_, _| None)).collect();
    }
    Ok(Story {
        setup: first.setup.clone(),
        sitters,
        names: Vec::from(first.names.clone()).into(),
        plies: play.plies,
        charged: play.charged,
    })
}

/// A log whose fields are what they ought to be, each for itself.
struct Log {
    within: String,
    setup: Setup,
    names: [String; 2],
    steps: Vec<Step>,
}

struct Step {
    sees: i64,
    players: [Told; 2],
}

/// What is said of one player in one step.
struct Told {
    before: Option<State>,
    after: Option<State>,
    accel: Option<(i8, i8)>,
    category: String,
}

struct State {
    at: [i64; 4],
    left_ms: i64,
}

impl Log {
    fn read(root: &Value, within: &str) -> Result<Log, Illegal> {
        let object = Fields::of(root, within)?;
        object.expects_filetype(FILETYPE)?;
        let course = format!("{within}course.");
        let setup = read_course(object.value("course")?, &course, Unit::Milliseconds)?;
        let names = object.pair("names")?;
        let name = |it: &Value| {
            let name = it.as_str().filter(|it| it.chars().count() <= NAME_CHARS_MAX);
            let allowed = format!("allowed is a text of at most {NAME_CHARS_MAX} characters");
            name.map(String::from)
                .ok_or_else(|| object.wrong("names", format!("found {}, {allowed}", shown(it))))
        };
        let names = [name(names[0])?, name(names[1])?];
        if let Some(it) = object.pair("finished")?.into_iter().find(|it| !it.is_number()) {
            let text = format!("found {}, allowed is a number", shown(it));
            return Err(object.wrong("finished", text));
        }
        let steps = object.list("log")?;
        let limit = setup.step_limit as usize;
        if steps.len() > limit {
            let found = steps.len();
            let text = format!("found {found} steps, allowed are {limit}, the step limit");
            return Err(object.wrong("log", text));
        }
        let step = |(no, it)| Step::read(it, no, &format!("{within}log[{no}]."));
        let steps = steps.iter().enumerate().map(step).collect::<Result<_, _>>()?;
        Ok(Log { within: within.into(), setup, names, steps })
    }
}

impl Step {
    fn read(value: &Value, no: usize, within: &str) -> Result<Step, Illegal> {
        let object = Fields::of(value, within)?;
        let found = object.value("step")?;
        if found.as_u64() != Some(no as u64) {
            let text = format!("found {}, allowed is {no}", shown(found));
            return Err(object.wrong("step", text));
        }
        let sees = whole(&object, "visibility", object.value("visibility")?)?;
        let [before, after, accel, result] = [
            object.pair("before")?,
            object.pair("after")?,
            object.pair("accel")?,
            object.pair("result")?,
        ];
        let player = |no: usize| {
            let state = |name: &str, it: &Value| {
                if it.is_null() {
                    return Ok(None);
                }
                State::read(it, &format!("{within}{name}[{no}].")).map(Some)
            };
            Ok(Told {
                before: state("before", before[no])?,
                after: state("after", after[no])?,
                accel: read_accel(accel[no], &format!("{within}accel[{no}]."))?,
                category: read_category(result[no], &format!("{within}result[{no}]."))?,
            })
        };
        Ok(Step { sees, players: [player(0)?, player(1)?] })
    }
}

impl State {
    fn read(value: &Value, within: &str) -> Result<State, Illegal> {
        let object = Fields::of(value, within)?;
        let number = |name: &str| whole(&object, name, object.value(name)?);
        let at = [number("x")?, number("y")?, number("vx")?, number("vy")?];
        Ok(State { at, left_ms: number("timeLeft")? })
    }

    fn is_at(&self, at: Vector, velocity: Vector) -> bool {
        self.at == [at.x, at.y, velocity.x, velocity.y].map(i64::from)
    }
}

/// A match that is played again.
struct Play {
    game: Jockey,
    plies: Vec<Ply<Action>>,
    charged: Vec<PerSeat<Option<Duration>>>,
}

impl Play {
    fn race(&mut self, race_no: u32, log: &Log) -> Result<(), Illegal> {
        self.ready(race_no, log);
        for (no, step) in log.steps.iter().enumerate() {
            let wrong = |field: &str, player: usize, text: String| {
                let within = &log.within;
                Illegal(format!("{within}log[{no}].{field}[{player}]: {text}").into())
            };
            let is_racing = self.game.round() == race_no && self.game.is_ready();
            let race = self.game.race();
            if !is_racing || i64::from(race.sees()) != step.sees {
                let (sees, found) = (race.sees(), step.sees);
                let text = match is_racing {
                    true => format!("log[{no}].visibility: found {found}, it is {sees}"),
                    false => format!("log[{no}]: found a step, the race is over"),
                };
                return Err(Illegal(format!("{}{text}", log.within).into()));
            }
            let mut answers = [None, None];
            for (player, told) in step.players.iter().enumerate() {
                let seat = seat_of(race_no, player);
                check_before(race, seat, told).map_err(|text| wrong("before", player, text))?;
                answers[seat] = match told.before {
                    Some(_) => Some(told.answer().map_err(|text| wrong("accel", player, text))?),
                    None => None,
                };
            }
            let charged = [0, 1].map(|seat| {
                let told = &step.players[seat_of(race_no, seat)];
                let (before, after) = (told.before.as_ref()?, told.after.as_ref()?);
                Some(milliseconds(before.left_ms.saturating_sub(after.left_ms)))
            });
            let events = self.play(answers, charged);
            let moves = events.iter().find_map(|it| match it {
                Event::Stepped { moves, .. } => Some(moves),
                _ => None,
            });
            for (player, told) in step.players.iter().enumerate() {
                let it = moves.and_then(|it| it[seat_of(race_no, player)]);
                let (Some(it), Some(after)) = (it, &told.after) else { continue };
                if !after.is_at(it.to, it.velocity) {
                    let (to, velocity) = (it.to, it.velocity);
                    let found = after.at;
                    let text = format!(
                        "found {found:?} (x, y, vx, vy), by the rules it is {:?}",
                        [to.x, to.y, velocity.x, velocity.y]
                    );
                    return Err(wrong("after", player, text));
                }
            }
        }
        let is_over = self.game.times()[race_no as usize][0].is_some();
        if !is_over {
            let found = log.steps.len();
            let text = format!(
                "{}log: found {found} steps, after which a player still races; allowed is a log \
                 up to the end",
                log.within
            );
            return Err(Illegal(text.into()));
        }
        Ok(())
    }

    /// The first question of a race. Who is not in step 0 did not answer it as they must.
    fn ready(&mut self, race_no: u32, log: &Log) {
        let first = log.steps.first();
        let think_ms = i64::from(log.setup.think_ms);
        let answer = |seat: usize| {
            let told = first.map(|it| &it.players[seat_of(race_no, seat)]);
            match told {
                Some(Told { before: Some(_), .. }) => Answer::Action(Action::Ready),
                Some(told) => Answer::Fault(told.fault()),
                None => Answer::Fault(Fault::Garbled(UNTOLD.into())),
            }
        };
        let charged = |seat: usize| {
            let told = first.map(|it| &it.players[seat_of(race_no, seat)]);
            let before = told.and_then(|it| it.before.as_ref());
            milliseconds(before.map_or(0, |it| think_ms.saturating_sub(it.left_ms)))
        };
        self.play([0, 1].map(|it| Some(answer(it))), [0, 1].map(|it| Some(charged(it))));
    }

    fn play(
        &mut self,
        answers: [Option<Answer<Action>>; 2],
        charged: [Option<Duration>; 2],
    ) -> Vec<Event> {
        let ply: Ply<Action> = Vec::from(answers).into();
        let charged = PerSeat::from(Vec::from(charged));
        // Where nobody was charged, nobody was asked.
        let charged = charged.map(|seat, it| it.filter(|_| ply[seat].is_some()));
        let mut events = Vec::new();
        self.game.play(&ply, &mut events);
        self.plies.push(ply);
        self.charged.push(charged);
        events
    }
}

/// What is known of a failure that the log does not explain.
const UNTOLD: &str = "the log does not say how";

impl Told {
    fn answer(&self) -> Result<Answer<Action>, String> {
        match (self.accel, self.category.as_str()) {
            (Some((x, y)), _) => Ok(Answer::Action(Action::Accelerate(x, y))),
            (None, "timedout" | "died" | "invalid") => Ok(Answer::Fault(self.fault())),
            (None, category) => Err(format!(
                "found null in a step that ended {category:?}, allowed is that where it ended \
                 \"timedout\", \"died\" or \"invalid\""
            )),
        }
    }

    fn fault(&self) -> Fault {
        match self.category.as_str() {
            "timedout" => Fault::Late,
            "died" => Fault::Gone(End::ClosedOutput),
            _ => Fault::Garbled(UNTOLD.into()),
        }
    }
}

fn check_before(race: &Race, seat: usize, told: &Told) -> Result<(), String> {
    let player = race.players()[seat];
    match (&told.before, race.is_racing(seat)) {
        (None, false) => Ok(()),
        (Some(it), true) if it.is_at(player.at, player.velocity) => Ok(()),
        (None, true) => Err("found null, by the rules the player still races".into()),
        (Some(_), false) => Err("found a player, by the rules it is out".into()),
        (Some(it), true) => {
            let (at, velocity) = (player.at, player.velocity);
            let (found, known) = (it.at, [at.x, at.y, velocity.x, velocity.y]);
            Err(format!("found {found:?} (x, y, vx, vy), by the rules it is {known:?}"))
        }
    }
}

fn read_accel(value: &Value, within: &str) -> Result<Option<(i8, i8)>, Illegal> {
    if value.is_null() {
        return Ok(None);
    }
    let object = Fields::of(value, within)?;
    let part = |name: &str| {
        let found = object.value(name)?;
        let part = found.as_i64().filter(|it| (-1..=1).contains(it)).map(|it| it as i8);
        part.ok_or_else(|| {
            object.wrong(name, format!("found {}, allowed are -1, 0 and 1", shown(found)))
        })
    };
    Ok(Some((part("x")?, part("y")?)))
}

fn read_category(value: &Value, within: &str) -> Result<String, Illegal> {
    const ALLOWED: [&str; 7] =
        ["normal", "finished", "goneoff", "collided", "timedout", "died", "invalid"];
    // Of a player that is out, other programs say nothing.
    if value.is_null() {
        return Ok(String::new());
    }
    let object = Fields::of(value, within)?;
    let found = object.value("category")?;
    match found.as_str() {
        Some(it) if ALLOWED.contains(&it) => Ok(it.into()),
        _ => {
            let text = format!("found {}, allowed are {}", shown(found), ALLOWED.join(", "));
            Err(object.wrong("category", text))
        }
    }
}

fn whole(object: &Fields<'_>, name: &str, found: &Value) -> Result<i64, Illegal> {
    let number = found.as_i64().filter(|it| it.unsigned_abs() <= u32::MAX.into());
    number.ok_or_else(|| {
        object.wrong(name, format!("found {}, allowed is a whole number", shown(found)))
    })
}

fn milliseconds(it: i64) -> Duration {
    Duration::from_millis(u64::try_from(it).unwrap_or(0))
}
