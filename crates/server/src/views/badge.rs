//! A state in a word or two, with a mark of its own, so that colour is never all.

use askama::{Template, filters::HtmlSafe};
use store::{BotState, MatchState, VersionState};

/// A state, to be put into a page as it is.
#[derive(Clone, Debug, Template)]
#[template(path = "pieces/badge.html")]
pub(crate) struct Badge {
    tone: &'static str,
    mark: Mark,
    text: &'static str,
}

impl HtmlSafe for Badge {}

impl Badge {
    /// Its words alone.
    pub(crate) fn text(&self) -> &'static str {
        self.text
    }
}

#[derive(Clone, Copy, Debug)]
enum Mark {
    Check,
    Clock,
    Cross,
    Pause,
    Play,
}

impl Mark {
    /// Strokes in a square of 24.
    fn path(self) -> &'static str {
        match self {
            Mark::Check => "M4 13l5 6L20 5",
            Mark::Clock => "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 8v5l3 2",
            Mark::Cross => "M5 5l14 14M19 5L5 19",
            Mark::Pause => "M8 5v14M16 5v14",
            Mark::Play => "M7 4l12 8-12 8z",
        }
    }
}

/// Where a bot stands.
pub(crate) fn bot_badge(state: BotState) -> Badge {
    let (tone, mark, text) = match state {
        BotState::Waiting => ("wait", Mark::Clock, "not ready yet"),
        BotState::Validating => ("wait", Mark::Clock, "first match to come"),
        BotState::Active => ("good", Mark::Check, "on the ladder"),
        BotState::Benched => ("plain", Mark::Pause, "benched"),
    };
    Badge { tone, mark, text }
}

/// Where a version stands.
pub(crate) fn version_badge(state: VersionState) -> Badge {
    let (tone, mark, text) = match state {
        VersionState::Queued => ("wait", Mark::Clock, "waits to be built"),
        VersionState::Building => ("wait", Mark::Play, "being built"),
        VersionState::Ready => ("good", Mark::Check, "ready"),
        VersionState::Refused => ("bad", Mark::Cross, "does not build"),
        VersionState::Failed => ("bad", Mark::Cross, "our failure"),
    };
    Badge { tone, mark, text }
}

/// Where a match stands.
pub(crate) fn match_badge(state: MatchState) -> Badge {
    let (tone, mark, text) = match state {
        MatchState::Queued => ("wait", Mark::Clock, "waits for a worker"),
        MatchState::Running => ("wait", Mark::Play, "being played"),
        MatchState::Finished => ("good", Mark::Check, "finished"),
        MatchState::Void => ("plain", Mark::Cross, "void"),
    };
    Badge { tone, mark, text }
}
