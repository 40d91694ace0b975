//! A match in one line: who, with what, and how it ended.

use std::borrow::Cow;

use askama::filters::HtmlSafeOutput;
use game::{FieldKind, Outcome, Seat};
use referee::AnyGame;
use serde_json::Value;
use store::{MatchRow, MatchState};
use uuid::Uuid;

use super::{
    badge::{Badge, match_badge},
    charts::SplitBar,
    numbers::duration_ms,
    when::When,
    words::{capital, fault_words, purpose_words},
};

/// A match in a list.
#[derive(Clone, Debug)]
pub(crate) struct MatchLine {
    pub(crate) id: Uuid,
    pub(crate) seats: Vec<SeatLine>,
    /// `65 : 35`, once it is over.
    pub(crate) score: Option<String>,
    pub(crate) bar: Option<SplitBar>,
    /// How it came about.
    pub(crate) why: Option<String>,
    /// Its game's name.
    pub(crate) game: String,
    pub(crate) setup: String,
    pub(crate) purpose: &'static str,
    pub(crate) rated: bool,
    /// None where it is over as it should be.
    pub(crate) badge: Option<Badge>,
    /// How it waits, in words, where it does and the page says so.
    pub(crate) wait: Option<String>,
    pub(crate) when: When,
}

/// One seat of it.
#[derive(Clone, Debug)]
pub(crate) struct SeatLine {
    pub(crate) no: usize,
    pub(crate) role: String,
    /// None: a person.
    pub(crate) bot: Option<Uuid>,
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) house: bool,
    pub(crate) version: Option<i32>,
    pub(crate) won: bool,
    pub(crate) fault: Option<String>,
}

impl SeatLine {
    /// Its shape: seats are told apart without colour too.
    pub(crate) fn mark(&self) -> HtmlSafeOutput<&'static str> {
        HtmlSafeOutput(match self.no {
            0 => {
                r#"<svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10"/></svg>"#
            }
            1 => {
                r#"<svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5"/></svg>"#
            }
            _ => r#"<svg viewBox="0 0 10 10" aria-hidden="true"><path d="M5 0 10 10H0z"/></svg>"#,
        })
    }

    pub(crate) fn comes_second(&self) -> bool {
        self.no == 1
    }
}

/// Puts a match into words.
pub(crate) fn match_line(name: &str, game: Option<&dyn AnyGame>, row: &MatchRow) -> MatchLine {
    let places = row.outcome.as_ref().map(|it| &it.places);
    let best = places.and_then(|it| it.iter().map(|(_, place)| *place).min());
    let draw = places.is_some_and(|it| it.iter().all(|(_, place)| Some(*place) == best));
    let seats = row.seats.iter().enumerate().map(|(no, it)| {
        let place = places.and_then(|places| places.get(Seat(no as u8)));
        SeatLine {
            no,
            role: game.and_then(|it| it.roles().get(no)).map_or(String::new(), |it| capital(it)),
            bot: it.bot.map(|it| it.0),
            name: it.name.clone(),
            owner: it.owner.clone(),
            house: it.house,
            version: it.bot.map(|it| it.1),
            won: !draw && place.copied() == best && best.is_some(),
            fault: it.fault.as_ref().map(|(_, fault)| fault_words(fault)),
        }
    });
    MatchLine {
        id: row.id,
        seats: seats.collect(),
        score: row.outcome.as_ref().map(|it| score_words(game, it)),
        bar: row.outcome.as_ref().and_then(split_bar),
        why: row.outcome.as_ref().map(|it| format!("{}.", capital(&it.why))),
        game: name.to_owned(),
        setup: setup_words(game, &told_setup(game, row)),
        purpose: purpose_words(row.purpose),
        rated: row.rated,
        badge: (row.state != MatchState::Finished).then(|| match_badge(row.state)),
        wait: None,
        when: When(row.finished_at.or(row.started_at).unwrap_or(row.created_at)),
    }
}

/// Whether all of a match may be told: people who play it have to find out what they cannot see.
pub(crate) fn is_told(row: &MatchRow) -> bool {
    row.state == MatchState::Finished || row.people().is_empty()
}

/// As much of its set-up as may be told. Where the game is on offer no more, nobody knows what it
/// keeps secret.
pub(crate) fn told_setup<'a>(game: Option<&dyn AnyGame>, row: &'a MatchRow) -> Cow<'a, Value> {
    match (is_told(row), game) {
        (true, _) => Cow::Borrowed(&row.setup),
        (false, Some(game)) => Cow::Owned(seen_setup(game, &row.setup)),
        (false, None) => Cow::Owned(Value::Null),
    }
}

/// A set-up without what people who play have to find out.
pub(crate) fn seen_setup(game: &dyn AnyGame, setup: &Value) -> Value {
    // No seat sees more of it than any other.
    game.shown_setup(setup, Some(Seat(0)))
}

/// The set-up as its form would say it: `size 10, with map`.
pub(crate) fn setup_words(game: Option<&dyn AnyGame>, setup: &Value) -> String {
    let fields = game.map_or(&[][..], AnyGame::fields);
    let words = fields.iter().filter_map(|field| {
        let value = setup.get(field.name)?;
        Some(match field.kind {
            FieldKind::Whole { .. } => format!("{} {value}", field.name),
            FieldKind::Choice { options } => {
                let (_, label) = options.iter().find(|(it, _)| value.as_str() == Some(it))?;
                label.to_lowercase()
            }
        })
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Limits of time in a set-up: `turn 10 s, total 2 min`. By our naming, `x_ms` is a span of time.
pub(crate) fn limit_words(setup: &Value) -> Option<String> {
    let all = setup.as_object()?.iter();
    let limits = all.filter_map(|(name, ms)| Some((ms.as_f64()?, name.strip_suffix("_ms")?)));
    let mut limits: Vec<(f64, &str)> = limits.collect();
    limits.sort_by(|a, b| a.0.total_cmp(&b.0));
    let words =
        limits.iter().map(|(ms, of)| format!("{} {}", of.replace('_', " "), duration_ms(*ms)));
    let words = words.collect::<Vec<_>>().join(", ");
    (!words.is_empty()).then_some(words)
}

/// The first measure of each seat, or the score where a game has none.
fn score_words(game: Option<&dyn AnyGame>, outcome: &Outcome) -> String {
    let has_measures = game.is_some_and(|it| !it.measures().is_empty());
    let of_seats = match outcome.measures.first() {
        Some(first) if has_measures => first,
        _ => &outcome.score,
    };
    of_seats.iter().map(|(_, it)| it.mixed()).collect::<Vec<_>>().join(" : ")
}

fn split_bar(outcome: &Outcome) -> Option<SplitBar> {
    match outcome.score.n_seats() {
        2 => Some(SplitBar { first: outcome.score[Seat(0)].to_f64(), tall: false }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use chrono::Utc;
    use serde_json::json;
    use store::{Competitor, Purpose};

    use super::*;

    fn row(state: MatchState, bot: Option<(Uuid, i32)>) -> MatchRow {
        let seat = Competitor {
            bot,
            name: "Ada".to_owned(),
            account: Uuid::from_u128(1),
            owner: "Ada".to_owned(),
            house: false,
            fault: None,
        };
        MatchRow {
            id: Uuid::from_u128(2),
            game: "jockey".to_owned(),
            setup: json!({ "width": 3, "think_ms": 3000, "rows": ["000"] }),
            purpose: Purpose::Friendly,
            rated: false,
            state,
            created_at: Utc::now(),
            started_at: None,
            finished_at: None,
            outcome: None,
            seats: vec![seat],
        }
    }

    #[test]
    fn a_set_up_is_told_without_its_secrets_as_long_as_people_play() {
        let bot = Some((Uuid::from_u128(3), 1));
        let jockey = games::find("jockey");
        let table = [
            (MatchState::Queued, None, false),
            (MatchState::Running, None, false),
            (MatchState::Void, None, false),
            (MatchState::Finished, None, true),
            (MatchState::Running, bot, true),
        ];
        for (state, bot, told) in table {
            let row = row(state, bot);
            assert_eq!(is_told(&row), told, "{state:?}, {bot:?}");
            let seen = told_setup(jockey, &row);
            assert_eq!(seen.get("rows").is_some(), told, "{state:?}, {bot:?}");
            assert_eq!(limit_words(&seen).as_deref(), Some("think 3\u{a0}s"), "{state:?}");
            // Nobody knows what a game keeps secret that is no longer there.
            assert_eq!(limit_words(&told_setup(None, &row)).is_some(), told, "{state:?}, {bot:?}");
        }
    }
}
