//! The lines between the judge and one player: queries answered from the view
//! of the turn, the last command kept until `#END`, everything else remarked on.
//!
//! The judge never speaks first, so nothing is told and no question is written.

use alloc::{borrow::Cow, format, vec::Vec};
use core::{ops::RangeInclusive, time::Duration};

use game::{Ahead, Dialect, Lifetime, Read, Seat, Talk};

use crate::{
    message::{Message, Query},
    rules::{ADVENTURER, ARCHITECT, Action, Event, Labyrinth},
    setup::Mode,
    view::{SIGHT, View},
};

/// Bytes of one line, its end not counted.
pub const LINE_BYTES_MAX: usize = 64 << 10;
/// Bytes read in one turn, up to the end of its `#END` line.
pub const TURN_BYTES_MAX: usize = 1 << 20;
/// Warnings of a player in one match that are forgiven.
pub const WARNINGS_MAX: u32 = 100;
/// Bytes of a player's log that are kept in one match, each line's end counted as one.
pub const LOG_BYTES_MAX: usize = 64 << 10;
/// Bytes of replies after which one call of [`Dialect::read`] stops answering.
///
/// Twice what a bot may leave unread, so that whoever is cut short here has
/// lost already, and a flood of queries cannot fill the memory. What it did not
/// take comes again with the next call.
pub const REPLY_BYTES_A_CALL_MAX: usize = 2 << 20;

/// One player's end of the conversation.
#[derive(Debug, Default)]
pub struct Lines {
    /// Who asks, and what they may know this turn. `None` before the first turn.
    asked: Option<(Seat, View)>,
    turn: TurnSoFar,
    n_warnings: u32,
    log_bytes: usize,
    log_is_full: bool,
}

/// What has been read of the turn.
#[derive(Debug, Default)]
struct TurnSoFar {
    /// The last command, if there was one.
    command: Option<Action>,
    /// Bytes of whole lines.
    bytes: usize,
    /// Bytes at the start of the input that are known to hold no end of a line.
    searched: usize,
}

impl Dialect<Labyrinth> for Lines {
    const LIFETIME: Lifetime = Lifetime::Match;
    const AHEAD: Ahead = Ahead::Keep;

    fn tell(&mut self, _: Seat, _: &Event, _: &mut Vec<u8>) {}

    fn ask(&mut self, me: Seat, view: &View, _: Duration, _: &mut Vec<u8>) {
        self.asked = Some((me, view.clone()));
        self.turn = TurnSoFar::default();
    }

    fn read(&mut self, input: &[u8], talk: &mut Talk) -> Read<Action> {
        let mut taken = 0;
        while talk.replies.len() <= REPLY_BYTES_A_CALL_MAX {
            let rest = &input[taken..];
            // Each byte is searched once, in however small pieces a line comes.
            let searched = self.turn.searched.min(rest.len());
            let end = rest[searched..].iter().position(|it| *it == b'\n').map(|it| searched + it);
            if let Err(why) = self.fits(end.unwrap_or(rest.len()), end.is_some()) {
                self.turn.searched = 0;
                return Read::Garbled(why);
            }
            let Some(end) = end else {
                self.turn.searched = rest.len();
                break;
            };
            self.turn.searched = 0;
            self.turn.bytes += end + 1;
            taken += end + 1;
            match self.hear(&rest[..end], talk) {
                Ok(None) => (),
                Ok(Some(action)) => return Read::Action(action, taken),
                Err(why) => return Read::Garbled(why),
            }
        }
        Read::More(taken)
    }

    fn missed(&mut self) {
        self.turn = TurnSoFar::default();
    }
}

impl Lines {
    /// Whether a line of `bytes`, its end come or not, keeps within the limits.
    ///
    /// Judges by the limit that is reached first, so that the verdict does not
    /// depend on the pieces in which the line came.
    fn fits(&self, bytes: usize, ended: bool) -> Result<(), Cow<'static, str>> {
        let left = TURN_BYTES_MAX.saturating_sub(self.turn.bytes);
        if left <= LINE_BYTES_MAX && bytes + usize::from(ended) > left {
            Err(format!("more than {TURN_BYTES_MAX} bytes in one turn").into())
        } else if bytes > LINE_BYTES_MAX {
            Err(format!("a line of more than {LINE_BYTES_MAX} bytes").into())
        } else {
            Ok(())
        }
    }

    /// Takes in one line. An action if it ends the turn, an error if it is the
    /// one warning too many.
    fn hear(&mut self, line: &[u8], talk: &mut Talk) -> Result<Option<Action>, Cow<'static, str>> {
        match Message::parse(line) {
            Message::Empty => (),
            Message::Query { query, extra } => {
                self.reply(query, talk)?;
                if extra {
                    self.warn("query with parameters", talk)?;
                }
            }
            Message::MakeStep(direction) => {
                self.order(ADVENTURER, direction.map(Action::Step), talk)?;
            }
            Message::PlaceObstacle(place) => {
                self.order(ARCHITECT, place.map(|(x, y)| Action::Plant(x, y)), talk)?;
            }
            Message::Print(text) => self.log(text, talk),
            Message::End { extra } => {
                if extra {
                    self.warn("text after #END", talk)?;
                }
                return Ok(Some(self.turn.command.take().unwrap_or(Action::Pass)));
            }
            Message::Unknown => self.warn("unknown message", talk)?,
        }
        Ok(None)
    }

    /// Keeps a command of the role of `seat`; `None` is one that means nothing.
    fn order(
        &mut self,
        seat: Seat,
        action: Option<Action>,
        talk: &mut Talk,
    ) -> Result<(), Cow<'static, str>> {
        if self.me() != Some(seat) {
            return self.warn("command of the other role", talk);
        }
        let malformed = action.is_none();
        self.turn.command = Some(action.unwrap_or(Action::Malformed));
        if malformed { self.warn("malformed command", talk) } else { Ok(()) }
    }

    fn reply(&mut self, query: Query, talk: &mut Talk) -> Result<(), Cow<'static, str>> {
        let Some((me, view)) = &self.asked else { return Ok(()) };
        let out = &mut talk.replies;
        match query {
            Query::Clock => out.extend(format!("{}\n", view.clock).bytes()),
            Query::WithMap => out.extend_from_slice(match view.mode {
                Mode::Map => b"Yes\n",
                Mode::NoMap => b"No\n",
            }),
            Query::MazeSize => out.extend(format!("{}\n", view.size + 2).bytes()),
            Query::AdventurerPosition => out.extend(format!("{}\n", view.adventurer).bytes()),
            Query::MazeMap if *me == ARCHITECT || view.mode == Mode::Map => {
                let all = 0..=view.size as i32 + 1;
                write_fields(view, all.clone(), all, out);
            }
            Query::MazeMap => {
                out.extend_from_slice(b"!\n");
                self.warn("MazeMap not available", talk)?;
            }
            Query::FieldOfView => {
                let around = |at: u32| at as i32 - SIGHT..=at as i32 + SIGHT;
                let (columns, rows) = (around(view.adventurer.x()), around(view.adventurer.y()));
                write_fields(view, columns, rows, out);
            }
        }
        Ok(())
    }

    fn warn(&mut self, text: &'static str, talk: &mut Talk) -> Result<(), Cow<'static, str>> {
        if self.n_warnings == WARNINGS_MAX {
            return Err(format!("more than {WARNINGS_MAX} warnings; this one: {text}").into());
        }
        self.n_warnings += 1;
        talk.warn(text);
        Ok(())
    }

    fn log(&mut self, text: &[u8], talk: &mut Talk) {
        if self.log_is_full {
            return;
        }
        self.log_bytes += text.len() + 1;
        if self.log_bytes > LOG_BYTES_MAX {
            self.log_is_full = true;
            // Not one of the warnings that are counted: a talkative bot breaks no rule.
            talk.warn("the log is full: nothing more of it is kept");
        } else {
            talk.log(text);
        }
    }

    fn me(&self) -> Option<Seat> {
        self.asked.as_ref().map(|(me, _)| *me)
    }
}

/// A line for each row, a symbol for each column, single blanks between.
fn write_fields(
    view: &View,
    columns: RangeInclusive<i32>,
    rows: RangeInclusive<i32>,
    out: &mut Vec<u8>,
) {
    for y in rows {
        out.extend(columns.clone().flat_map(|x| [view.symbol(x, y), b' ']));
        // The line's end takes the place of the last blank.
        out.pop();
        out.push(b'\n');
    }
}
