//! What a game's ladder looks like to whoever makes its matches.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{Error, Lane, MatchError, NewMatch, Store, create_match};

/// How many of a bot's last matches say which set-ups it has met.
const PRESETS_OF_LAST: i64 = 32;
/// A bot whose last matches of this number all went as earlier ones had has played all there is.
const REPEATS_OF_LAST: i64 = 6;
/// A match of ours that came to nothing is not tried again for so long: it
/// counts as one that is still to come.
const VOID_COUNTS_S: f64 = 600.0;

/// A bot that is on the ladder, or on its way there.
#[derive(Clone, Debug)]
pub struct LadderBot {
    /// Which.
    pub bot: Uuid,
    /// Whose.
    pub account: Uuid,
    /// It is one of the house's.
    pub house: bool,
    /// For which role it is entered.
    pub role: String,
    /// The version it plays with.
    pub version: Uuid,
    /// On its way: it has yet to show that it can play.
    pub validating: bool,
    /// How strong it seems; none before its first rated match.
    pub rating: Option<f64>,
    /// How unsure that is.
    pub deviation: Option<f64>,
    /// Ladder matches of it that wait, run, or came to nothing a short while ago.
    pub ladder_pending: u32,
    /// Validation matches of that kind.
    pub validations_pending: u32,
    /// When its last ladder match was made.
    pub last_made_at: Option<DateTime<Utc>>,
    /// How often its last matches used each set-up of the ladder.
    pub presets: HashMap<String, u32>,
    /// Its last matches all went as earlier ones had: until somebody has a new version, more of
    /// them say nothing.
    pub exhausted: bool,
    /// Since its last ladder match began, or since it came onto the ladder, in seconds; 0 while
    /// one is played.
    pub waited_s: f64,
}

/// A game's ladder, at one moment.
#[derive(Clone, Debug)]
pub struct LadderState {
    /// The database's clock.
    pub now: DateTime<Utc>,
    /// All bots on it, oldest first.
    pub bots: Vec<LadderBot>,
    /// Ladder matches of the game that wait for a worker.
    pub queued: u32,
}

impl Store {
    /// A game's ladder, to be looked at.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn ladder(&self, game: &str) -> Result<LadderState, Error> {
        let mut db = self.pool().acquire().await?;
        let now = sqlx::query_scalar!(r#"select now() as "now!""#).fetch_one(&mut *db).await?;
        let bots = read(&mut db, game).await?;
        Ok(LadderState { now, bots, queued: queued(&mut db, game).await? })
    }

    /// Makes the matches that `decide` wants for a game's ladder.
    ///
    /// One server at a time: where another is at it, nothing happens and the
    /// answer is none.
    ///
    /// # Errors
    ///
    /// Where the database fails or a match cannot be made; then none is.
    pub async fn top_up(
        &self,
        game: &str,
        decide: impl FnOnce(&LadderState) -> Vec<NewMatch> + Send,
    ) -> Result<Option<Vec<Uuid>>, MatchError> {
        let mut tx = self.pool().begin().await?;
        let row = sqlx::query!(
            r#"select pg_try_advisory_xact_lock(hashtextextended('ladder of ' || $1, 0)) as "ours!",
                      now() as "now!""#,
            game
        )
        .fetch_one(&mut *tx)
        .await?;
        if !row.ours {
            return Ok(None);
        }
        let bots = read(&mut tx, game).await?;
        let state = LadderState { now: row.now, bots, queued: queued(&mut tx, game).await? };
        let mut made = Vec::new();
        for new in decide(&state) {
            made.push(create_match(&mut tx, &new).await?);
        }
        tx.commit().await?;
        Ok(Some(made))
    }
}

/// Ladder matches of a game that wait for a worker.
pub(crate) async fn queued(db: &mut PgConnection, game: &str) -> Result<u32, Error> {
    let n = sqlx::query_scalar!(
        r#"select count(*) as "n!" from jobs j join matches m on m.id = j.match
           where j.state = 'queued' and j.lane = $2 and m.game = $1"#,
        game,
        Lane::Ladder as i16
    );
    Ok(n.fetch_one(db).await? as u32)
}

pub(crate) async fn read(db: &mut PgConnection, game: &str) -> Result<Vec<LadderBot>, Error> {
    let rows = sqlx::query!(
        r#"select b.id, b.account, a.house, b.role, b.active_version as "active_version!",
                  b.state = 'validating' as "validating!", r.rating as "rating?",
                  r.deviation as "deviation?",
                  coalesce(p.ladder, 0) as "ladder!", coalesce(p.validations, 0) as "validations!",
                  (select max(m.created_at) from (
                       select match from match_seats where bot = b.id order by match desc limit $2
                   ) last join matches m on m.id = last.match where m.purpose = 'ladder'
                  ) as last_made_at,
                  coalesce((
                      select count(*) = $4 and bool_and(last.repeat_of is not null) from (
                          select m.repeat_of from match_seats s join matches m on m.id = s.match
                          where s.bot = b.id and m.purpose = 'ladder' and m.state = 'finished'
                          order by s.match desc limit $4
                      ) last
                  ), false) as "exhausted!",
                  coalesce((
                      select case when last.state = 'running' then 0
                             else extract(epoch from now() - greatest(last.started_at, b.active_since))
                             end
                      from (
                          select m.state, m.started_at
                          from match_seats s join matches m on m.id = s.match
                          where s.bot = b.id and m.purpose = 'ladder' and m.started_at is not null
                            and m.state in ('running', 'finished')
                          order by s.match desc limit 1
                      ) last
                  ), extract(epoch from now() - b.active_since))::float8 as "waited_s!"
           from bots b
           join accounts a on a.id = b.account
           left join ratings r on r.bot = b.id
           left join (
               select s.bot,
                      count(*) filter (where m.purpose = 'ladder') as ladder,
                      count(*) filter (where m.purpose = 'validation') as validations
               from matches m join match_seats s on s.match = m.id
               where m.game = $1 and (
                   m.state in ('queued', 'running')
                   or m.state = 'void' and m.finished_at > now() - make_interval(secs => $3)
               )
               group by s.bot
           ) p on p.bot = b.id
           where b.game = $1 and b.state in ('validating', 'active') and a.disabled_at is null
           order by b.id"#,
        game,
        PRESETS_OF_LAST,
        VOID_COUNTS_S,
        REPEATS_OF_LAST
    )
    .fetch_all(&mut *db)
    .await?;
    let presets = sqlx::query!(
        r#"select b.id as bot, m.preset as "preset!", count(*) as "n!"
           from bots b
           cross join lateral (
               select match from match_seats where bot = b.id order by match desc limit $2
           ) last
           join matches m on m.id = last.match
           where b.game = $1 and b.state in ('validating', 'active')
             and m.purpose = 'ladder' and m.preset is not null
           group by b.id, m.preset"#,
        game,
        PRESETS_OF_LAST
    )
    .fetch_all(db)
    .await?;
    let mut by_bot: HashMap<Uuid, HashMap<String, u32>> = HashMap::new();
    for it in presets {
        by_bot.entry(it.bot).or_default().insert(it.preset, it.n as u32);
    }
    let bots = rows.into_iter().map(|it| LadderBot {
        presets: by_bot.remove(&it.id).unwrap_or_default(),
        bot: it.id,
        account: it.account,
        house: it.house,
        role: it.role,
        version: it.active_version,
        validating: it.validating,
        rating: it.rating,
        deviation: it.deviation,
        ladder_pending: it.ladder as u32,
        validations_pending: it.validations as u32,
        last_made_at: it.last_made_at,
        exhausted: it.exhausted,
        waited_s: it.waited_s.max(0.0),
    });
    Ok(bots.collect())
}
