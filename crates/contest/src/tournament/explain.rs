//! Why a row stands where it stands, in words.

use super::{Against, Better, Broken, EntrantId, Row, TIED_NAMED_MAX, TieBreak};

/// Most who are named; more are counted.
const NAMED_MAX: usize = 3;

impl Row {
    /// `2nd with 3 points; match between the tied: beat X 57 to 41`. `name` says what people call
    /// an entrant.
    pub fn explain(&self, name: impl Fn(EntrantId) -> String) -> String {
        let unit = if self.points.to_string() == "1" { "point" } else { "points" };
        let mut text = format!("{} with {} {unit}", ordinal(self.place), self.points);
        if self.byes > 0 {
            text += &match self.byes {
                1 => ", one round sat out".to_owned(),
                n => format!(", {n} rounds sat out"),
            };
        }
        if self.is_out {
            text += "; disqualified, so behind all others";
        }
        for (no, it) in self.ties.iter().enumerate() {
            text += "; ";
            let has_changed = no == 0 || self.ties[no - 1].n_with != it.n_with;
            if has_changed {
                text += &format!("tied with {}, ", names(it, &name));
            }
            text += &words(it, &name);
        }
        if self.ties.last().is_some_and(|it| !it.decides) {
            text += "; the place is shared";
        }
        text
    }
}

fn words(it: &Broken, name: &impl Fn(EntrantId) -> String) -> String {
    let Broken { by, value, n_with, met, .. } = it;
    match by {
        TieBreak::Met if met.is_empty() && *n_with < TIED_NAMED_MAX as u32 => {
            "who did not meet".to_owned()
        }
        TieBreak::Met if *n_with == 1 => {
            let each: Vec<String> = met.iter().map(|it| result(it, name)).collect();
            format!("match between the tied: {}", each.join(", "))
        }
        TieBreak::Met => {
            let each: Vec<String> = met.iter().map(|it| result(it, name)).collect();
            let each = if each.len() > NAMED_MAX { String::new() } else { each.join(", ") };
            let each = if each.is_empty() { each } else { format!(" ({each})") };
            format!("points of the matches between the tied: {value}{each}")
        }
        TieBreak::MetMargin { measure } => {
            format!("{} between the tied, own less the others': {value}", label(measure))
        }
        TieBreak::Margin { measure } => {
            format!("{}, own less the others': {value}", label(measure))
        }
        TieBreak::Measure { measure, better } => {
            let better = if *better == Better::More { "more" } else { "less" };
            format!("{}, {better} is better: {value}", label(measure))
        }
        TieBreak::Wins => format!("matches won: {value}"),
        TieBreak::Buchholz => format!("points of all opponents (Buchholz): {value}"),
        TieBreak::SonnebornBerger => {
            format!(
                "points of those beaten and half of those drawn with (Sonneborn-Berger): {value}"
            )
        }
        TieBreak::Seed => format!("higher seed first: number {value}"),
        TieBreak::Lot => format!("lower lot first: {value}"),
    }
}

fn result(it: &Against, name: &impl Fn(EntrantId) -> String) -> String {
    let [own, other] = &it.points;
    let verb = match own.cmp(other) {
        std::cmp::Ordering::Greater => "beat",
        std::cmp::Ordering::Equal => "drew with",
        std::cmp::Ordering::Less => "lost to",
    };
    let [own, other] = it.score.as_ref().unwrap_or(&it.points);
    format!("{verb} {} {own} to {other}", name(it.other))
}

fn names(it: &Broken, name: &impl Fn(EntrantId) -> String) -> String {
    let named: Vec<String> = it.with.iter().take(NAMED_MAX).map(|it| name(*it)).collect();
    match (it.n_with as usize - named.len(), named.split_last()) {
        (0, Some((last, []))) => last.clone(),
        (0, Some((last, before))) => format!("{} and {last}", before.join(", ")),
        (more, _) => format!("{} and {more} more", named.join(", ")),
    }
}

/// What a game calls `fights_won` people call `fights won`.
fn label(measure: &str) -> String {
    measure.replace('_', " ")
}

/// `1st`, `2nd`, `3rd`, `11th`.
pub(super) fn ordinal(place: u32) -> String {
    let ending = match (place % 10, place % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}
