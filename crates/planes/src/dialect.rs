//! The conversation with one bot: blocks of lines out, two lines in.
//!
//! A bot that is late goes on, and so do its lines: what it still owes is counted
//! off before anything counts as an answer again.

use alloc::{borrow::Cow, format, string::String, vec::Vec};
use core::time::Duration;

use game::{Ahead, Dialect, Lifetime, Read, RemarkKind, Seat, Talk};

use crate::{
    action::{Action, Letters, Move},
    event::Event,
    rules::Planes,
    setup::Setup,
    view::{Sight, View},
};

/// Bytes of one line of a bot, without its end. More of them are no move.
pub const LINE_BYTES_MAX: usize = 200;

/// Bytes of a line with which a bot is heard no more: a flood without an end would keep the judge
/// busy, and then nobody could say whose fault it is that an answer is late.
pub const FLOOD_BYTES_MAX: usize = 64 << 10;

/// Lines of an answer.
const LINES: usize = 2;
/// Characters of a bot that are quoted back to its owner.
const QUOTED_CHARS_MAX: usize = 40;

/// One bot's end of the conversation in one match.
#[derive(Debug, Default)]
pub struct Radio {
    /// Which of its planes fly; nobody listens for the others.
    flies: [bool; LINES],
    /// The lines of this answer so far.
    moves: Vec<Option<Move>>,
    /// Lines of questions that were missed.
    n_owed: usize,
    /// Of a line that is too long, the bytes passed over so far; else 0.
    n_passed_over: usize,
}

impl Dialect<Planes> for Radio {
    const LIFETIME: Lifetime = Lifetime::Match;
    const AHEAD: Ahead = Ahead::Drop;

    /// `bot <size> <rounds>`
    fn arguments(setup: &Setup) -> Vec<String> {
        [setup.size, setup.rounds].map(|it| format!("{it}")).into()
    }

    fn tell(&mut self, me: Seat, event: &Event, out: &mut Vec<u8>) {
        let text = match event {
            Event::MatchStarted { size, rounds, fights } => {
                format!("NEW CONTEST {size} {rounds}\nNEW OPPONENT {fights}\n")
            }
            Event::FightStarted { fight, won, .. } => {
                let own = usize::from(me.0 != 0);
                format!("NEW FIGHT {fight} {} {}\n", won[own], won[1 - own])
            }
            _ => return,
        };
        out.extend_from_slice(text.as_bytes());
    }

    fn ask(&mut self, me: Seat, view: &View, _: Duration, out: &mut Vec<u8>) {
        let own = usize::from(me.0 != 0);
        self.flies = view.planes[own].map(|it| it.is_some());
        let left = view.rounds.saturating_sub(view.round + 1);
        out.extend_from_slice(format!("ROUNDS LEFT {left}\nNEW TURN\n").as_bytes());
        for plane in view.planes[own].iter().chain(&view.planes[1 - own]) {
            write_plane(plane, out);
        }
    }

    fn read(&mut self, input: &[u8], talk: &mut Talk) -> Read<Action> {
        let mut n_taken = 0;
        while let Some(n_bytes) = input[n_taken..].iter().position(|it| *it == b'\n') {
            let line = &input[n_taken..n_taken + n_bytes];
            n_taken += n_bytes + 1;
            let n_bytes = core::mem::take(&mut self.n_passed_over) + line.len();
            if n_bytes > FLOOD_BYTES_MAX {
                return flood();
            }
            let is_too_long = n_bytes > LINE_BYTES_MAX;
            if self.n_owed > 0 {
                self.n_owed -= 1;
                continue;
            }
            let read = match is_too_long {
                true => Err(format!("found a line of more than {LINE_BYTES_MAX} bytes").into()),
                false => parse(line),
            };
            self.take(read, talk);
            if let [one, other] = self.moves[..] {
                self.moves.clear();
                return Read::Action(Action([one, other]), n_taken);
            }
        }
        // Whether a line comes in one piece or in many makes no difference.
        let n_bytes = self.n_passed_over + input.len() - n_taken;
        if n_bytes > FLOOD_BYTES_MAX {
            return flood();
        }
        if n_bytes > LINE_BYTES_MAX {
            self.n_passed_over = n_bytes;
            n_taken = input.len();
        }
        Read::More(n_taken)
    }

    fn missed(&mut self) {
        self.n_owed += LINES - self.moves.len();
        self.moves.clear();
    }

    fn owes(&self, input: &[u8]) -> usize {
        let lines = input.split_inclusive(|it| *it == b'\n').take(self.n_owed);
        lines.map(<[u8]>::len).sum()
    }
}

impl Radio {
    /// Keeps the move of a line. What cannot be read is none, and its owner is told why.
    fn take(&mut self, read: Result<Move, Cow<'static, str>>, talk: &mut Talk) {
        let no = self.moves.len();
        if let (Err(why), true) = (&read, self.flies[no]) {
            let which = ["first", "second"][no];
            let text = format!("the line for the {which} plane is no move: {why}");
            talk.remarks.push((RemarkKind::Warning, text.into()));
        }
        self.moves.push(read.ok());
    }
}

fn flood() -> Read<Action> {
    Read::Garbled(format!("a line of more than {FLOOD_BYTES_MAX} bytes").into())
}

fn write_plane(plane: &Option<Sight>, out: &mut Vec<u8>) {
    let text = match plane {
        Some(Sight { at, heading, cooldown }) => {
            format!("alive {} {} {} {heading} {cooldown}\n", at.x, at.y, at.z)
        }
        None => "dead 0 0 0 N 0\n".into(),
    };
    out.extend_from_slice(text.as_bytes());
}

/// Reads a move: letters, 0 or 1, 0 or 1, with blanks between.
fn parse(line: &[u8]) -> Result<Move, Cow<'static, str>> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut words = line.split(|it| matches!(it, b' ' | b'\t')).filter(|it| !it.is_empty());
    let (Some(letters), Some(turns), Some(shoots), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        let allowed = "allowed are three fields, as in `SU 1 0`";
        return Err(format!("found {}, {allowed}", quoted(line)).into());
    };
    let Some(letters) = Letters::parse(letters) else {
        let allowed = "allowed are 1 to 10 letters of NSWEDU";
        return Err(format!("found the turn {}, {allowed}", quoted(letters)).into());
    };
    let flag = |word: &[u8], what: &str| match word {
        b"0" => Ok(false),
        b"1" => Ok(true),
        _ => Err(format!("found {} for whether to {what}, allowed are 0 and 1", quoted(word))),
    };
    let (turns, shoots) = (flag(turns, "change direction")?, flag(shoots, "shoot")?);
    Ok(Move { letters, turns, shoots })
}

/// What a bot said, for its owner.
fn quoted(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let n_chars = text.chars().count();
    let shown: String = text.chars().take(QUOTED_CHARS_MAX).collect();
    let more = if n_chars > QUOTED_CHARS_MAX { "…" } else { "" };
    format!("`{}{more}`", shown.escape_debug())
}
