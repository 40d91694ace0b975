//! Plies of a running match, as they fall.

use game::Seat;
use uuid::Uuid;

use crate::{Error, MatchState, Store};

/// What is new of a match under way.
#[derive(Clone, Debug)]
pub struct LivePlies {
    /// Whether it is over.
    pub state: MatchState,
    /// Which attempt is under way; plies of another one count for nothing.
    pub attempt: i32,
    /// Index of the first ply below.
    pub from: u32,
    /// The referee's frames, as JSON, without a gap.
    pub plies: Vec<String>,
    /// For how long whoever is asked now has been, in seconds; none while it is not played.
    pub asked_for_s: Option<f64>,
    /// Who has decided already what is asked now.
    pub decided: Vec<Seat>,
}

impl Store {
    /// Plies from `from` on, where the attempt is still `attempt`; else from the first.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn live_plies(
        &self,
        match_id: Uuid,
        attempt: i32,
        from: u32,
        plies_max: i64,
    ) -> Result<Option<LivePlies>, Error> {
        let found = sqlx::query!(
            r#"select m.state as "state: MatchState", j.attempt,
                      case when m.state = 'running' then extract(epoch from clock_timestamp() - greatest(
                          m.started_at, (select max(p.at) from live_plies p where p.match = m.id)
                      ))::float8 end as asked_for_s
               from matches m join jobs j on j.match = m.id
               where m.id = $1"#,
            match_id
        );
        let Some(found) = found.fetch_optional(self.pool()).await? else { return Ok(None) };
        let from = if found.attempt == attempt { from } else { 0 };
        let rows = sqlx::query!(
            r#"select ply, frame::text as "frame!" from live_plies
               where match = $1 and attempt = $2 and ply >= $3
               order by ply
               limit $4"#,
            match_id,
            found.attempt,
            from as i32,
            plies_max
        );
        let rows = rows.fetch_all(self.pool()).await?;
        let in_order = rows.into_iter().zip(from..).take_while(|(it, no)| it.ply == *no as i32);
        let plies: Vec<String> = in_order.map(|(it, _)| it.frame).collect();
        let decided = sqlx::query_scalar!(
            "select seat from deeds where match = $1 and attempt = $2 and ply = $3",
            match_id,
            found.attempt,
            from as i32 + plies.len() as i32
        );
        let decided = decided.fetch_all(self.pool()).await?;
        Ok(Some(LivePlies {
            state: found.state,
            attempt: found.attempt,
            from,
            plies,
            asked_for_s: found.asked_for_s,
            decided: decided.into_iter().map(|it| Seat(it as u8)).collect(),
        }))
    }
}
