//! Matches: in lists with filters, and one with all that is known of it.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use game::{Fault, Fraction, Outcome, PerSeat, Seat, Sitter};
use jobs::SeatReport;
use serde_json::Value;
use sqlx::{Postgres, QueryBuilder};
use uuid::Uuid;

use crate::{Error, MatchState, Purpose, Store};

/// Which matches are wanted. What is none does not matter.
#[derive(Clone, Debug, Default)]
pub struct MatchFilter {
    /// Of one game.
    pub game: Option<String>,
    /// With one bot.
    pub bot: Option<Uuid>,
    /// In one state.
    pub state: Option<MatchState>,
    /// Made for one purpose.
    pub purpose: Option<Purpose>,
    /// Only those made before this one.
    pub before: Option<Uuid>,
    /// Only those made after this one.
    pub after: Option<Uuid>,
    /// The oldest first, and not the newest.
    pub oldest_first: bool,
    /// Most of them.
    pub matches_max: i64,
}

/// A match in a list.
#[derive(Clone, Debug)]
pub struct MatchRow {
    /// Which one.
    pub id: Uuid,
    /// Of which game.
    pub game: String,
    /// Its set-up.
    pub setup: Value,
    /// What it is for.
    pub purpose: Purpose,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// Whether it is over.
    pub state: MatchState,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it began.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Who plays, in the order of the seats.
    pub seats: Vec<Competitor>,
}

/// Who plays on one seat.
#[derive(Clone, Debug)]
pub struct Competitor {
    /// Which bot, and the number of the version that plays; none: a person.
    pub bot: Option<(Uuid, i32)>,
    /// What it is called.
    pub name: String,
    /// Whose; of a person, who.
    pub account: Uuid,
    /// What its owner is called.
    pub owner: String,
    /// Whether it is a documented bot of the house.
    pub house: bool,
    /// The first fault, with the index of the ply.
    pub fault: Option<(u32, Fault)>,
}

/// A match, with all that is known of it.
#[derive(Clone, Debug)]
pub struct MatchPage {
    /// As in a list.
    pub row: MatchRow,
    /// By which rules.
    pub rules: i32,
    /// What its set-up is called, where it is one of the ladder or of a pool.
    pub preset: Option<String>,
    /// Why it is void.
    pub void_why: Option<String>,
    /// Who wanted it, by name; none: the ladder.
    pub created_by: Option<String>,
    /// Plies played; of a running match, those that are known.
    pub plies: i32,
    /// SHA-256 of its record.
    pub record_digest: Option<String>,
    /// Size of its record, as stored.
    pub record_bytes: Option<i64>,
    /// Attempts that failed, by our fault.
    pub failed_attempts: i64,
    /// The earlier match that it went as, to the last ply: it moves no rating again.
    pub repeat_of: Option<Uuid>,
    /// What is known of each seat.
    pub seats: Vec<MatchSeat>,
}

/// What is known of one seat.
#[derive(Clone, Debug)]
pub struct MatchSeat {
    /// In which language the version is written; none: a person plays.
    pub language: Option<String>,
    /// What the bot did.
    pub report: Option<SeatReport>,
    /// Rating and deviation before a rated match.
    pub before: Option<(f64, f64)>,
    /// Rating and deviation after it.
    pub after: Option<(f64, f64)>,
}

impl MatchRow {
    /// Who sits where.
    pub fn sitters(&self) -> PerSeat<Sitter> {
        let sitter = |it: &Competitor| if it.bot.is_some() { Sitter::Bot } else { Sitter::Person };
        self.seats.iter().map(sitter).collect::<Vec<_>>().into()
    }

    /// The seats of people.
    pub fn people(&self) -> Vec<Seat> {
        let seats = (0..).map(Seat).zip(&self.seats);
        seats.filter(|(_, it)| it.bot.is_none()).map(|(seat, _)| seat).collect()
    }

    /// Where this account sits in person.
    pub fn seat_of(&self, account: Uuid) -> Option<Seat> {
        let mut seats = (0..).map(Seat).zip(&self.seats);
        seats.find(|(_, it)| it.bot.is_none() && it.account == account).map(|(seat, _)| seat)
    }

    /// What ratings count for a seat, once the match is over.
    pub fn score(&self, seat: Seat) -> Option<Fraction> {
        self.outcome.as_ref()?.score.get(seat).copied()
    }
}

/// The query of a list. Filters that are not set are left out of it, and those of few values stand
/// in it, so that the planner sees which index fits.
fn listing(filter: &MatchFilter) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new(
        "select m.id, m.game, m.setup, m.purpose, m.rated, m.state, m.created_at, m.started_at,
                m.finished_at, m.outcome from ",
    );
    let id = match filter.bot {
        // By way of the seats: a bot's matches are few among all.
        Some(bot) => {
            query
                .push("match_seats s join matches m on m.id = s.match where s.bot = ")
                .push_bind(bot);
            // Once, on however many seats: without sorting all of a busy bot's matches first.
            query.push(
                " and not exists (select from match_seats t
                      where t.match = s.match and t.bot = s.bot and t.seat < s.seat)",
            );
            "s.match"
        }
        None => {
            query.push("matches m where true");
            "m.id"
        }
    };
    if let Some(before) = filter.before {
        query.push(format_args!(" and {id} < ")).push_bind(before);
    }
    if let Some(after) = filter.after {
        query.push(format_args!(" and {id} > ")).push_bind(after);
    }
    if let Some(game) = &filter.game {
        query.push(" and m.game = ").push_bind(game.clone());
    }
    if let Some(state) = filter.state {
        query.push(format_args!(" and m.state = '{}'", state.as_str()));
    }
    if let Some(purpose) = filter.purpose {
        query.push(format_args!(" and m.purpose = '{}'", purpose.as_str()));
    }
    let way = if filter.oldest_first { "asc" } else { "desc" };
    query.push(format_args!(" order by {id} {way} limit ")).push_bind(filter.matches_max);
    query
}

/// A row of `matches`, as several queries give it.
#[derive(sqlx::FromRow)]
struct Bare {
    id: Uuid,
    game: String,
    setup: Value,
    purpose: Purpose,
    rated: bool,
    state: MatchState,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    finished_at: Option<DateTime<Utc>>,
    outcome: Option<Value>,
}

impl Bare {
    fn dressed(self, seats: Vec<Competitor>) -> Result<MatchRow, Error> {
        let outcome = self.outcome.map(serde_json::from_value).transpose();
        Ok(MatchRow {
            outcome: outcome.map_err(|why| Error::damaged("match", self.id, why))?,
            id: self.id,
            game: self.game,
            setup: self.setup,
            purpose: self.purpose,
            rated: self.rated,
            state: self.state,
            created_at: self.created_at,
            started_at: self.started_at,
            finished_at: self.finished_at,
            seats,
        })
    }
}

impl Store {
    /// Matches, in the order in which they were made.
    ///
    /// # Errors
    ///
    /// Where the database fails, or an outcome in it is damaged.
    pub async fn matches(&self, filter: &MatchFilter) -> Result<Vec<MatchRow>, Error> {
        let rows = listing(filter).build_query_as::<Bare>().fetch_all(self.pool()).await?;
        self.dress(rows).await
    }

    /// The matches that ended last.
    ///
    /// # Errors
    ///
    /// Where the database fails, or an outcome in it is damaged.
    pub async fn latest_results(&self, matches_max: i64) -> Result<Vec<MatchRow>, Error> {
        let rows = sqlx::query_as!(
            Bare,
            r#"select id, game, setup, purpose as "purpose: Purpose", rated,
                      state as "state: MatchState", created_at, started_at, finished_at, outcome
               from matches
               where state = 'finished'
               order by finished_at desc
               limit $1"#,
            matches_max
        );
        let rows = rows.fetch_all(self.pool()).await?;
        self.dress(rows).await
    }

    /// One match.
    ///
    /// # Errors
    ///
    /// Where the database fails, or what is kept of the match is damaged.
    pub async fn match_page(&self, id: Uuid) -> Result<Option<MatchPage>, Error> {
        let row = sqlx::query!(
            r#"select m.id, m.game, m.setup, m.purpose as "purpose: Purpose", m.rated,
                      m.state as "state: MatchState", m.created_at, m.started_at, m.finished_at,
                      m.outcome, m.rules, m.preset, m.void_why, a.name as "created_by?",
                      m.record_digest, m.record_bytes, m.repeat_of,
                      coalesce(m.plies, (
                          select max(p.ply) + 1 from live_plies p
                          join jobs j on j.match = p.match and j.attempt = p.attempt
                          where p.match = m.id
                      ), 0) as "plies!",
                      (
                          select count(*) from attempts t join jobs j on j.id = t.job
                          where j.match = m.id and t.ending <> 'done'
                      ) as "failed_attempts!"
               from matches m
               left join accounts a on a.id = m.created_by
               where m.id = $1"#,
            id
        );
        let Some(it) = row.fetch_optional(self.pool()).await? else { return Ok(None) };
        let seats = sqlx::query!(
            r#"select v.language as "language?", s.report, s.rating_before, s.deviation_before,
                      s.rating_after, s.deviation_after
               from match_seats s left join versions v on v.id = s.version
               where s.match = $1 order by s.seat"#,
            id
        );
        let seats = seats.fetch_all(self.pool()).await?;
        let seats = seats.into_iter().map(|it| {
            let report = it.report.map(serde_json::from_value).transpose();
            Ok(MatchSeat {
                language: it.language,
                report: report.map_err(|why| Error::damaged("match", id, why))?,
                before: it.rating_before.zip(it.deviation_before),
                after: it.rating_after.zip(it.deviation_after),
            })
        });
        let seats = seats.collect::<Result<Vec<_>, Error>>()?;
        let bare = Bare {
            id: it.id,
            game: it.game,
            setup: it.setup,
            purpose: it.purpose,
            rated: it.rated,
            state: it.state,
            created_at: it.created_at,
            started_at: it.started_at,
            finished_at: it.finished_at,
            outcome: it.outcome,
        };
        let competitors = self.competitors(&[id]).await?.remove(&id).unwrap_or_default();
        Ok(Some(MatchPage {
            row: bare.dressed(competitors)?,
            rules: it.rules,
            preset: it.preset,
            void_why: it.void_why,
            created_by: it.created_by,
            plies: it.plies,
            record_digest: it.record_digest,
            record_bytes: it.record_bytes,
            failed_attempts: it.failed_attempts,
            repeat_of: it.repeat_of,
            seats,
        }))
    }

    async fn dress(&self, rows: Vec<Bare>) -> Result<Vec<MatchRow>, Error> {
        let ids: Vec<Uuid> = rows.iter().map(|it| it.id).collect();
        let mut seats = self.competitors(&ids).await?;
        let dressed = rows.into_iter().map(|it| {
            let seats = seats.remove(&it.id).unwrap_or_default();
            it.dressed(seats)
        });
        dressed.collect()
    }

    async fn competitors(&self, matches: &[Uuid]) -> Result<HashMap<Uuid, Vec<Competitor>>, Error> {
        let rows = sqlx::query!(
            r#"select s.match, s.bot, coalesce(b.name, a.name) as "name!", a.id as account,
                      a.name as owner, a.house, v.number as "number?",
                      case when jsonb_typeof(s.report->'fault') = 'array'
                           then s.report->'fault' end as "fault: Value"
               from match_seats s
               join accounts a on a.id = s.account
               left join bots b on b.id = s.bot
               left join versions v on v.id = s.version
               where s.match = any($1)
               order by s.match, s.seat"#,
            matches
        );
        let mut of: HashMap<Uuid, Vec<Competitor>> = HashMap::new();
        for it in rows.fetch_all(self.pool()).await? {
            let fault = it.fault.map(serde_json::from_value).transpose();
            of.entry(it.r#match).or_default().push(Competitor {
                fault: fault.map_err(|why| Error::damaged("match", it.r#match, why))?,
                bot: it.bot.zip(it.number),
                name: it.name,
                account: it.account,
                owner: it.owner,
                house: it.house,
            });
        }
        Ok(of)
    }
}
