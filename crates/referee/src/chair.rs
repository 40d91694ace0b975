//! One seat of a match under way: its conversation, its accounts, its question.

use std::time::Duration;

use game::{Answer, Ask, Clock, Dialect, Fault, Game, Sitter, Starts};

use crate::{Now, REMARKS_BYTES_MAX, Spent};

pub(crate) struct Chair<G: Game, D> {
    pub(crate) sitter: Sitter,
    pub(crate) dialect: D,
    /// A process runs, or a person sits here.
    pub(crate) alive: bool,
    /// Its process runs at this moment.
    pub(crate) awake: bool,
    /// Why it answers no more; every later question gets this answer.
    pub(crate) gone: Option<Fault>,
    /// What was said and not read yet.
    pub(crate) inbox: Vec<u8>,
    /// Sent, but not yet in its pipe.
    pub(crate) unwritten_bytes: usize,
    /// What it says first belongs to a question whose time is over.
    pub(crate) owes: bool,
    pub(crate) question: Option<Question<G::Action>>,
    pub(crate) answer: Option<(Answer<G::Action>, Spent)>,
    /// What was answered to this question when the match was played before: it counts, whatever
    /// is answered now.
    pub(crate) recorded: Option<(Answer<G::Action>, Spent)>,
    remarks_bytes: usize,
    turn: Option<Account>,
    total: Option<Account>,
}

pub(crate) struct Question<A> {
    asked: Now,
    starts: Starts,
    left: Duration,
    left_total: Option<Duration>,
    /// When to look at the clock next.
    pub(crate) deadline: Now,
    /// The answer, while the pipe is drained to see whether more was said than asked.
    pub(crate) resting: Option<(Answer<A>, Spent)>,
}

/// Time, and what it is for.
pub(crate) struct Account {
    id: u32,
    pub(crate) left: Duration,
}

/// Least time to a next look at the clock, so that looking never becomes a spin.
const LOOK_AGAIN: Duration = Duration::from_millis(1);
/// What a bot gets beyond its time to say again what it had said: nothing depends on when it does,
/// but on its doing so at all.
const GRACE_TO_REPEAT: Duration = Duration::from_secs(10);

impl<G: Game, D: Dialect<G>> Chair<G, D> {
    pub(crate) fn new(sitter: Sitter) -> Chair<G, D> {
        Chair {
            sitter,
            dialect: D::default(),
            alive: sitter == Sitter::Person,
            awake: false,
            gone: None,
            inbox: Vec::new(),
            unwritten_bytes: 0,
            owes: false,
            question: None,
            answer: None,
            recorded: None,
            remarks_bytes: 0,
            turn: None,
            total: None,
        }
    }

    /// A new process takes the seat; the accounts are the seat's, and stay.
    pub(crate) fn seat_anew(&mut self) {
        let fresh = Chair::new(self.sitter);
        let old = std::mem::replace(self, fresh);
        self.alive = true;
        self.remarks_bytes = old.remarks_bytes;
        (self.turn, self.total) = (old.turn, old.total);
    }

    /// Opens the question, and says how much time is left for it.
    pub(crate) fn open(&mut self, now: Now, ask: &Ask) -> Duration {
        let (clock, total) = match self.sitter {
            Sitter::Bot => (ask.bot, ask.bot_total),
            Sitter::Person => (ask.person, None),
        };
        let left = charge(&mut self.turn, clock);
        let left_total = total.map(|it| charge(&mut self.total, it));
        let (starts, resting) = (ask.starts, None);
        let shorter = left.min(left_total.unwrap_or(left));
        let deadline = now + shorter;
        self.question = Some(Question { asked: now, starts, left, left_total, deadline, resting });
        shorter
    }

    /// All that was sent is in the pipe: a clock that waited for this starts.
    pub(crate) fn start_clock(&mut self, now: Now) {
        let Some(question) = &mut self.question else { return };
        if question.starts == Starts::WhenWritten {
            question.asked = now;
            question.deadline = now + question.shorter();
        }
    }

    /// The fault, if `spent` is more than there was; else when to look again is put off.
    pub(crate) fn look_at_clock(&mut self, now: Now, spent: Spent) -> Option<Fault> {
        let question = self.question.as_mut()?;
        // Where its answer stands already, a bot that is held late is taken to owe one to come.
        let grace = if self.recorded.is_some() { GRACE_TO_REPEAT } else { Duration::ZERO };
        if spent.charged > question.left + grace {
            return Some(Fault::Late);
        }
        if question.left_total.is_some_and(|it| spent.charged > it + grace) {
            return Some(Fault::LateTotal);
        }
        let left = (question.shorter() + grace).saturating_sub(spent.charged);
        question.deadline = now + left.max(LOOK_AGAIN);
        None
    }

    /// Answers the question, and charges the accounts.
    pub(crate) fn close(&mut self, answer: Answer<G::Action>, spent: Spent) {
        if self.question.take().is_none() {
            return;
        }
        let (answer, spent) = self.recorded.take().unwrap_or((answer, spent));
        for account in [&mut self.turn, &mut self.total].into_iter().flatten() {
            account.left = account.left.saturating_sub(spent.charged);
        }
        self.answer = Some((answer, spent));
    }

    /// What a person's question has cost: wall time alone.
    pub(crate) fn spent_by_person(&self, now: Now) -> Spent {
        let asked = self.question.as_ref().map_or(now, |it| it.asked);
        let wall = now.saturating_sub(asked);
        Spent { charged: wall, wall, ..Spent::default() }
    }

    /// Whether a remark of `n_bytes` is still kept, and whether it is the first that is not.
    pub(crate) fn keeps_remark(&mut self, n_bytes: usize) -> (bool, bool) {
        let before = self.remarks_bytes;
        // An empty remark takes room too.
        self.remarks_bytes = before.saturating_add(n_bytes + 1);
        let kept = self.remarks_bytes <= REMARKS_BYTES_MAX;
        (kept, !kept && before <= REMARKS_BYTES_MAX)
    }
}

impl<A> Question<A> {
    pub(crate) fn shorter(&self) -> Duration {
        self.left.min(self.left_total.unwrap_or(self.left))
    }
}

/// What is left on `clock`'s account, opening it when new.
pub(crate) fn charge(account: &mut Option<Account>, clock: Clock) -> Duration {
    match account {
        Some(it) if it.id == clock.id => it.left,
        _ => {
            *account = Some(Account { id: clock.id, left: clock.budget });
            clock.budget
        }
    }
}
