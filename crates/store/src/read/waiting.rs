//! Where matches stand in the queue, and how fast it moves: all that anybody
//! needs to say when a match will begin.

use std::collections::HashMap;

use uuid::Uuid;

use crate::{Error, Lane, Store, queue::PEOPLE};

/// Jobs that [`Pace`] is the mean of.
const PACE_JOBS: i64 = 50;

/// Where a match stands that waits to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Builds that come before it.
    pub builds_ahead: i64,
    /// Matches that come before it.
    pub matches_ahead: i64,
    /// What a worker must be able to run.
    pub languages: Vec<String>,
    /// It is one with people, and waits for a slot for those.
    pub with_people: bool,
}

/// How fast the queue moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pace {
    /// How long one of the last builds took on its worker, in seconds; none where there was none.
    pub build_s: Option<f64>,
    /// How long one of the last matches took on its worker, in seconds.
    pub match_s: Option<f64>,
    /// For how long each build under way has been, in seconds.
    pub builds_running_s: Vec<f64>,
    /// For how long each match under way has been, in seconds.
    pub matches_running_s: Vec<f64>,
}

impl Store {
    /// Where each of these matches stands; those that do not wait are left out.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn waiting(&self, matches: &[Uuid]) -> Result<HashMap<Uuid, Waiting>, Error> {
        if matches.is_empty() {
            return Ok(HashMap::new());
        }
        // In the order in which jobs are leased.
        let rows = sqlx::query!(
            r#"select match as "match_id!", languages, place - 1 - builds as "matches_ahead!",
                      builds as "builds_ahead!"
               from (
                   select match, languages,
                          row_number() over queue as place,
                          count(*) filter (where kind = 'build') over queue as builds
                   from jobs where state = 'queued'
                   -- Matches with people have slots, and so a queue, of their own.
                   window queue as (partition by lane = $2 order by lane, fair_at, id
                                    rows between unbounded preceding and current row)
               ) it
               where match = any($1)"#,
            matches,
            Lane::People as i16
        );
        let rows = rows.fetch_all(self.pool()).await?;
        let stands = rows.into_iter().map(|it| {
            let waiting = Waiting {
                builds_ahead: it.builds_ahead,
                matches_ahead: it.matches_ahead,
                with_people: it.languages.iter().any(|it| it == PEOPLE),
                languages: it.languages.into_iter().filter(|it| it != PEOPLE).collect(),
            };
            (it.match_id, waiting)
        });
        Ok(stands.collect())
    }

    /// How fast the queue moves.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn pace(&self) -> Result<Pace, Error> {
        let means = sqlx::query!(
            r#"select (
                   select avg(extract(epoch from j.ended_at - j.leased_at))::float8
                   from (select id from versions order by id desc limit $1) v
                   join jobs j on j.version = v.id and j.kind = 'build' and j.state = 'done'
               ) as build_s, (
                   select avg(extract(epoch from j.ended_at - j.leased_at))::float8
                   from (
                       select id from matches where state = 'finished'
                       order by finished_at desc limit $1
                   ) m
                   join jobs j on j.match = m.id and j.kind = 'match' and j.state = 'done'
                       and j.lane <> $2
               ) as match_s"#,
            PACE_JOBS,
            Lane::People as i16
        );
        let means = means.fetch_one(self.pool()).await?;
        let running = sqlx::query!(
            r#"select kind = 'build' as "is_build!",
                      extract(epoch from now() - leased_at)::float8 as "running_s!"
               from jobs where state = 'leased' and lane <> $1"#,
            Lane::People as i16
        );
        let mut pace = Pace { build_s: means.build_s, match_s: means.match_s, ..Pace::default() };
        for it in running.fetch_all(self.pool()).await? {
            match it.is_build {
                true => pace.builds_running_s.push(it.running_s),
                false => pace.matches_running_s.push(it.running_s),
            }
        }
        Ok(pace)
    }
}
