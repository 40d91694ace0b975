//! What a plan may be, and who may enter for it: what does not fit is refused in words.

use std::collections::BTreeSet;

use super::{
    BEST_OF_MAX, ENTRANTS_MAX, Elimination, EntrantId, Field, Format, GAMES_MAX, GROUPS_MAX,
    MATCHES_MAX, NAME_CHARS_MAX, PARAMETERS_MAX, POINTS_MAX, Parameter, Plan, Points, REDRAWS_MAX,
    ROUNDS_MAX, STAGES_MAX, Seats, Stage, TEXT_CHARS_MAX, TIE_BREAKS_MAX, TURNS_MAX,
};

/// How many enter, as far as a plan asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entering {
    /// So many, who can meet anybody.
    Any(u32),
    /// So many for the first role, and for the second.
    Roles([u32; 2]),
}

/// Why a plan, or a field for it, is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the parts are")]
pub enum PlanError {
    #[error("{at}: found {found}, allowed are {min} to {max}")]
    Count { at: String, found: u64, min: u64, max: u64 },
    #[error("{at}: found {found}, allowed are odd numbers, so that one of two has won more")]
    Even { at: String, found: u32 },
    #[error("{at}: found win {win}, draw {draw}, loss {loss}; none may bring more than the better")]
    Points { at: String, win: u32, draw: u32, loss: u32 },
    #[error(
        "{at}: found {rounds} rounds for {entrants} entrants, allowed are up to {max}: nobody \
         meets anybody twice"
    )]
    Rounds { at: String, rounds: u32, entrants: u32, max: u32 },
    #[error(
        "{at}: found entrants for one role each, who can only meet those of the other; allowed \
         for them is the format `bipartite`, or entrants with a bot for each role"
    )]
    RolesApart { at: String },
    #[error("{at}: found `bipartite`, allowed is it where each entrant has one role")]
    NoRoles { at: String },
    #[error(
        "{at}: found seats `swapped`, allowed are `kept`: who entered for one role never plays the \
         other"
    )]
    SeatsSwapped { at: String },
    #[error(
        "{at}: found a third place with double elimination, allowed is it with single: the losers' \
         part finds the third"
    )]
    ThirdPlace { at: String },
    #[error("{at}: found no `go_on`, wanted is how many of each table go on to the next stage")]
    GoOnMissing { at: String },
    #[error("{at}: found `go_on` {found}, allowed is none: no stage follows")]
    GoOnSurplus { at: String, found: u32 },
    #[error("entrants: found {id} twice, allowed is each once")]
    Twice { id: EntrantId },
    #[error("entrant {id}: found role {found}, allowed are 0 and 1")]
    Role { id: EntrantId, found: u8 },
    #[error("entrants: found {with} with one role and {without} without, allowed is one of both")]
    RolesMixed { with: u32, without: u32 },
}

impl Plan {
    /// Whether it can be played by so many.
    ///
    /// # Errors
    ///
    /// The first thing that does not fit.
    pub fn check(&self, entering: Entering) -> Result<(), PlanError> {
        count("stages", self.stages.len() as u64, 1, STAGES_MAX as u64)?;
        let mut entering = entering;
        for (no, stage) in self.stages.iter().enumerate() {
            let at = At(format!("stage {} `{}`", no + 1, short(&stage.name)));
            stage.check(&at, entering)?;
            let is_last = no + 1 == self.stages.len();
            entering = match (stage.go_on, is_last) {
                (None, true) => return Ok(()),
                (Some(found), true) => return Err(PlanError::GoOnSurplus { at: at.0, found }),
                (None, false) => return Err(PlanError::GoOnMissing { at: at.0 }),
                (Some(top), false) => stage.going_on(&at, entering, top)?,
            };
        }
        Ok(())
    }
}

impl Field {
    /// How many enter.
    ///
    /// # Errors
    ///
    /// Where somebody enters twice, or only some have a role.
    pub fn entering(&self) -> Result<Entering, PlanError> {
        let mut seen = BTreeSet::new();
        let mut roles = [0; 2];
        for it in &self.entrants {
            if !seen.insert(it.id) {
                return Err(PlanError::Twice { id: it.id });
            }
            if let Some(found) = it.role {
                let role = roles.get_mut(usize::from(found));
                *role.ok_or(PlanError::Role { id: it.id, found })? += 1;
            }
        }
        let with = roles[0] + roles[1];
        match self.entrants.len() as u32 - with {
            without if with == 0 => Ok(Entering::Any(without)),
            0 => Ok(Entering::Roles(roles)),
            without => Err(PlanError::RolesMixed { with, without }),
        }
    }
}

/// Where in a plan.
struct At(String);

impl At {
    fn part(&self, part: &str) -> String {
        format!("{}, {part}", self.0)
    }
}

impl Stage {
    fn check(&self, at: &At, entering: Entering) -> Result<(), PlanError> {
        text(&at.part("name"), &self.name, 1, NAME_CHARS_MAX)?;
        count(&at.part("games of a meeting"), self.meeting.games.into(), 1, GAMES_MAX.into())?;
        self.check_points(at)?;
        let n_tie_breaks = self.tie_breaks.len() as u64;
        count(&at.part("tie-breaks"), n_tie_breaks, 0, TIE_BREAKS_MAX as u64)?;
        for it in self.measures() {
            text(&at.part("a measure's name"), it, 1, NAME_CHARS_MAX)?;
        }
        count(&at.part("parts of the set-up"), self.setup.len() as u64, 0, PARAMETERS_MAX as u64)?;
        for (name, value) in &self.setup {
            text(&at.part("name of a part of the set-up"), name, 1, NAME_CHARS_MAX)?;
            if let Parameter::Text(it) = value {
                text(&at.part(&format!("set-up, `{name}`")), it, 0, TEXT_CHARS_MAX)?;
            }
        }
        self.check_format(at, entering)
    }

    fn check_points(&self, at: &At) -> Result<(), PlanError> {
        let max = u64::from(POINTS_MAX);
        match self.points {
            Points::Outcome { win, draw, loss } => {
                count(&at.part("points for a win"), win.into(), 1, max)?;
                if win < draw || draw < loss {
                    return Err(PlanError::Points { at: at.part("points"), win, draw, loss });
                }
                Ok(())
            }
            Points::Measure { whole, .. } => count(&at.part("points, whole"), whole.into(), 1, max),
        }
    }

    fn check_format(&self, at: &At, entering: Entering) -> Result<(), PlanError> {
        let n_entrants = match (&self.format, entering) {
            (Format::Bipartite { .. }, Entering::Any(_)) => {
                return Err(PlanError::NoRoles { at: at.0.clone() });
            }
            (Format::Bipartite { turns }, Entering::Roles(n)) => {
                return self.check_bipartite(at, n, *turns);
            }
            (_, Entering::Roles(_)) => return Err(PlanError::RolesApart { at: at.0.clone() }),
            (_, Entering::Any(n)) => n,
        };
        let entrants = |min: u32| {
            count(&at.part("entrants"), n_entrants.into(), min.into(), ENTRANTS_MAX.into())
        };
        let games = u64::from(self.meeting.games);
        let n = u64::from(n_entrants);
        match self.format {
            Format::RoundRobin { turns, groups } => {
                count(&at.part("groups"), groups.into(), 1, GROUPS_MAX.into())?;
                count(&at.part("turns"), turns.into(), 1, TURNS_MAX.into())?;
                entrants(2 * groups)?;
                let largest = n.div_ceil(u64::from(groups));
                let pairs = u64::from(groups) * (largest * (largest - 1) / 2);
                count(&at.part("matches"), pairs * u64::from(turns) * games, 1, MATCHES_MAX)
            }
            Format::Swiss { rounds, .. } => {
                count(&at.part("rounds"), rounds.into(), 1, ROUNDS_MAX.into())?;
                entrants(2)?;
                // Where the number is odd each round has one who sits out.
                let max = n_entrants - 1 + n_entrants % 2;
                if rounds > max {
                    let at = at.0.clone();
                    return Err(PlanError::Rounds { at, rounds, entrants: n_entrants, max });
                }
                count(&at.part("matches"), n / 2 * u64::from(rounds) * games, 1, MATCHES_MAX)
            }
            Format::Knockout { elimination, third_place, best_of, redraws } => {
                entrants(2)?;
                count(&at.part("best of"), best_of.into(), 1, BEST_OF_MAX.into())?;
                if best_of % 2 == 0 {
                    return Err(PlanError::Even { at: at.part("best of"), found: best_of });
                }
                count(&at.part("redraws"), redraws.into(), 0, REDRAWS_MAX.into())?;
                if third_place && elimination == Elimination::Double {
                    return Err(PlanError::ThirdPlace { at: at.0.clone() });
                }
                count(&at.part("matches"), 2 * n * u64::from(best_of) * games, 1, MATCHES_MAX)
            }
            Format::Bipartite { .. } => Ok(()),
        }
    }

    fn check_bipartite(&self, at: &At, n: [u32; 2], turns: u32) -> Result<(), PlanError> {
        for (role, n) in n.iter().enumerate() {
            let part = at.part(&format!("entrants for role {role}"));
            count(&part, (*n).into(), 1, ENTRANTS_MAX.into())?;
        }
        count(&at.part("turns"), turns.into(), 1, TURNS_MAX.into())?;
        if self.meeting.games > 1 && self.meeting.seats == Seats::Swapped {
            return Err(PlanError::SeatsSwapped { at: at.part("meeting") });
        }
        let pairs = u64::from(n[0]) * u64::from(n[1]);
        let matches = pairs * u64::from(turns) * u64::from(self.meeting.games);
        count(&at.part("matches"), matches, 1, MATCHES_MAX)
    }

    /// How many enter the next stage where so many go on of each table.
    fn going_on(&self, at: &At, entering: Entering, top: u32) -> Result<Entering, PlanError> {
        let go_on = |fewest: u32| count(&at.part("go_on"), top.into(), 1, fewest.into());
        match (&self.format, entering) {
            (_, Entering::Roles(n)) => {
                go_on(n[0].min(n[1]))?;
                Ok(Entering::Roles([top; 2]))
            }
            (Format::RoundRobin { groups, .. }, Entering::Any(n)) => {
                go_on(n / groups)?;
                Ok(Entering::Any(top * groups))
            }
            (_, Entering::Any(n)) => {
                go_on(n)?;
                Ok(Entering::Any(top))
            }
        }
    }
}

fn count(at: &str, found: u64, min: u64, max: u64) -> Result<(), PlanError> {
    match (min..=max).contains(&found) {
        true => Ok(()),
        false => Err(PlanError::Count { at: at.to_owned(), found, min, max }),
    }
}

fn text(at: &str, found: &str, min: usize, max: usize) -> Result<(), PlanError> {
    let at = format!("{at}, characters");
    count(&at, found.chars().count() as u64, min as u64, max as u64)
}

/// As much of a name as fits into a message.
fn short(name: &str) -> String {
    name.chars().take(NAME_CHARS_MAX).filter(|it| !it.is_control()).collect()
}
