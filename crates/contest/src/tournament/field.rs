//! Who entered, in seed order, and who left when.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Who enters: a number of the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntrantId(pub u64);

/// All who entered, the highest seed first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Each once.
    pub entrants: Vec<Entrant>,
}

/// One who entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// Who.
    pub id: EntrantId,
    /// The seat it is entered for, 0 or 1, where it plays one role only.
    #[serde(default)]
    pub role: Option<u8>,
    /// It is there no more.
    #[serde(default)]
    pub left: Option<Left>,
}

/// When and how somebody left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Left {
    /// How.
    pub how: Leaving,
    /// In which stage, from 0.
    pub stage: u16,
    /// From which of its rounds on, from 0. Round 0 of a stage: it does not take part in it, and
    /// who comes next goes on in its stead.
    pub round: u16,
}

/// How somebody left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leaving {
    /// By choice: what it played counts, also of later rounds; what it did not is lost.
    Withdrawn,
    /// By decision: what it played of these rounds is lost too, and it stands last.
    Disqualified,
}

impl Field {
    /// So many without roles, numbered from 1.
    pub fn of(n_entrants: u32) -> Field {
        let entrant = |id| Entrant { id: EntrantId(id), role: None, left: None };
        Field { entrants: (1..=u64::from(n_entrants)).map(entrant).collect() }
    }
}

impl Entrant {
    /// Whether it has left by then.
    pub(super) fn is_gone(&self, stage: u16, round: u16) -> bool {
        self.left.is_some_and(|it| (it.stage, it.round) <= (stage, round))
    }

    pub(super) fn is_disqualified(&self, stage: u16, round: u16) -> bool {
        let how = self.left.map(|it| it.how);
        how == Some(Leaving::Disqualified) && self.is_gone(stage, round)
    }
}

impl fmt::Display for EntrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
