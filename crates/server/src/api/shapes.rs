//! What things look like to programs, as far as several operations tell them.

use chrono::{DateTime, Utc};
use game::{Fault, Seat};
use serde::Serialize;
use serde_json::Value;
use store::{MatchRow, Standing};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    AppState,
    views::{fault_cause, fault_words, told_setup},
};

/// How strong a bot is, and how sure that is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Standing)]
pub(super) struct StandingShape {
    /// Glicko-2, on its usual scale.
    pub(super) rating: f64,
    /// One standard deviation of it.
    pub(super) deviation: f64,
    /// Rated matches it comes from.
    pub(super) matches: i32,
    /// How many of them had a fault of the bot.
    pub(super) faults: i32,
}

impl From<Standing> for StandingShape {
    fn from(it: Standing) -> StandingShape {
        let Standing { rating, deviation, matches, faults } = it;
        StandingShape { rating, deviation, matches, faults }
    }
}

/// What a bot did wrong first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Fault)]
pub(super) struct FaultShape {
    /// At which ply, from 1.
    pub(super) ply: u32,
    /// What its cause is, for counting.
    pub(super) cause: String,
    /// What happened, in words.
    pub(super) words: String,
}

impl From<&(u32, Fault)> for FaultShape {
    fn from((ply, fault): &(u32, Fault)) -> FaultShape {
        FaultShape { ply: ply + 1, cause: fault_cause(fault).0, words: fault_words(fault) }
    }
}

/// A match.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Match)]
pub(super) struct MatchShape {
    pub(super) id: Uuid,
    /// Of which game.
    pub(super) game: String,
    /// `ladder`, `validation` or `friendly`; may grow.
    pub(super) purpose: &'static str,
    /// Whether it counts for ratings.
    pub(super) rated: bool,
    /// `queued`, `running`, `finished` or `void`; may grow.
    pub(super) state: &'static str,
    /// Its set-up, as the game has it; without what people who play it have yet to find out.
    #[schema(value_type = Object, nullable)]
    pub(super) setup: Value,
    pub(super) created_at: DateTime<Utc>,
    pub(super) started_at: Option<DateTime<Utc>>,
    pub(super) finished_at: Option<DateTime<Utc>>,
    /// How it ended, in a few words.
    pub(super) why: Option<String>,
    /// Who plays, in the order of the seats.
    pub(super) seats: Vec<SeatShape>,
}

/// Who plays on one seat, and how it went.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MatchSeat)]
pub(super) struct SeatShape {
    /// In which role; none where the game is on offer no more.
    pub(super) role: Option<&'static str>,
    /// None: a person plays.
    pub(super) bot: Option<Uuid>,
    /// Number of the bot's version.
    pub(super) version: Option<i32>,
    /// What the bot is called, or the person.
    pub(super) name: String,
    /// Whose it is, by name.
    pub(super) owner: String,
    /// Whether it is a documented bot of the house.
    pub(super) house: bool,
    /// Its place, from 1; those who share one drew.
    pub(super) place: Option<u8>,
    /// What ratings count, from 0 to 1.
    pub(super) score: Option<f64>,
    /// What the game counts, in the order of its `measures`.
    pub(super) measures: Vec<MeasureShape>,
    /// What it did wrong first.
    pub(super) fault: Option<FaultShape>,
}

/// Something a game counts, of one seat.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Measure)]
pub(super) struct MeasureShape {
    /// What it is called, as in the game's `measures`.
    pub(super) name: &'static str,
    /// Its value, as near as a float can be.
    pub(super) value: f64,
    /// Its exact value: numerator and denominator.
    pub(super) exact: (i64, i64),
}

impl MatchShape {
    pub(super) fn of(state: &AppState, row: &MatchRow) -> MatchShape {
        let game = state.games.get(&row.game);
        let seats = row.seats.iter().enumerate().map(|(no, it)| {
            let seat = Seat(no as u8);
            let outcome = row.outcome.as_ref();
            let measures = outcome.into_iter().flat_map(|outcome| {
                let named = game.map_or(&[][..], |it| it.measures()).iter().zip(&outcome.measures);
                named.filter_map(move |(measure, values)| {
                    let value = values.get(seat)?;
                    let exact = (value.num(), value.den());
                    Some(MeasureShape { name: measure.name, value: value.to_f64(), exact })
                })
            });
            SeatShape {
                role: game.and_then(|it| it.roles().get(no)).copied(),
                bot: it.bot.map(|it| it.0),
                version: it.bot.map(|it| it.1),
                name: it.name.clone(),
                owner: it.owner.clone(),
                house: it.house,
                place: outcome.and_then(|it| it.places.get(seat)).copied(),
                score: row.score(seat).map(|it| it.to_f64()),
                measures: measures.collect(),
                fault: it.fault.as_ref().map(FaultShape::from),
            }
        });
        MatchShape {
            seats: seats.collect(),
            id: row.id,
            game: row.game.clone(),
            purpose: row.purpose.as_str(),
            rated: row.rated,
            state: row.state.as_str(),
            setup: told_setup(game, row).into_owned(),
            created_at: row.created_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            why: row.outcome.as_ref().map(|it| it.why.clone().into_owned()),
        }
    }
}
