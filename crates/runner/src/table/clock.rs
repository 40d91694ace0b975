//! What time it is in a match, and when to look at it next.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use referee::Now;
use tokio::time::Sleep;

/// Time of the match, and of the world.
pub(super) struct Clock {
    pub(super) started: Instant,
    /// Time of the match that nobody had to wait for.
    pub(super) skipped: Duration,
    /// Time in which people could not be heard. A bot's own time is measured elsewhere.
    halted: Duration,
    /// Since when they cannot be.
    halted_since: Option<Instant>,
    pub(super) wall_max: Duration,
    /// Nobody sits on the people's seats: their time is let pass at once.
    pub(super) skips_people: bool,
}

impl Clock {
    pub(super) fn new(started: Instant, wall_max: Duration) -> Clock {
        let (skipped, halted) = (Duration::ZERO, Duration::ZERO);
        Clock { started, skipped, halted, halted_since: None, wall_max, skips_people: false }
    }

    pub(super) fn now(&self, at: Instant) -> Now {
        let at = self.halted_since.unwrap_or(at);
        (at.saturating_duration_since(self.started) + self.skipped).saturating_sub(self.halted)
    }

    /// When it will be `now`; not before the clock goes on.
    pub(super) fn instant(&self, now: Now) -> Option<Instant> {
        let running = self.halted_since.is_none();
        running.then(|| self.started + self.halted + now.saturating_sub(self.skipped))
    }

    pub(super) fn halt(&mut self, at: Instant) {
        self.halted_since.get_or_insert(at);
    }

    pub(super) fn go_on(&mut self, at: Instant) {
        let since = self.halted_since.take();
        self.halted += since.map_or(Duration::ZERO, |it| at.saturating_duration_since(it));
    }
}

/// One timer for everything. It is moved back only when it rings too early,
/// since most deadlines are put off long before they come.
pub(super) struct Timer {
    sleep: Pin<Box<Sleep>>,
    rings: Instant,
}

impl Timer {
    pub(super) fn new(rings: Instant) -> Timer {
        Timer { sleep: Box::pin(tokio::time::sleep_until(rings.into())), rings }
    }

    /// Ready at `due`, or before.
    pub(super) fn poll(&mut self, due: Instant, cx: &mut Context<'_>) -> Poll<()> {
        if due < self.rings {
            self.set(due);
        }
        let polled = self.sleep.as_mut().poll(cx);
        if polled.is_ready() {
            self.set(due);
        }
        polled
    }

    fn set(&mut self, rings: Instant) {
        self.rings = rings;
        self.sleep.as_mut().reset(rings.into());
    }
}
