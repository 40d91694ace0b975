//! The last fit of each game: strengths as they follow from all matches at once.

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::{Error, Store};

/// A fit of all matches of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredFit {
    /// Number of the last match in it.
    pub last_no: i64,
    /// How many matches are in it.
    pub matches: i64,
    /// The variance of results, in parts of that of won and lost games.
    pub dispersion: f64,
    /// Of how many best the chance is told.
    pub top: i32,
    /// What makes it easier for the first seat; passed on, never looked into.
    pub effects: Value,
    /// Covariates that are not in it.
    pub left_out: Vec<String>,
    /// A line for each bot that played.
    pub strengths: Vec<FittedStrength>,
}

/// How strong a bot is by a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedStrength {
    /// Which bot.
    pub bot: Uuid,
    /// In which role.
    pub role: String,
    /// With which version.
    pub version: Uuid,
    /// On Elo's scale; 1500 is the mean of the role.
    pub strength: f64,
    /// One standard deviation of it.
    pub deviation: f64,
    /// The chance that it is among the best.
    pub top_chance: f64,
    /// Matches of the version.
    pub matches: i64,
}

impl Store {
    /// Lets one server at a time make a fit of a game, and keeps what it makes. None is made where
    /// another is at it, where the last one is younger than `every_s`, or nothing was counted since.
    ///
    /// `fit` gets the number of the last rated match that was counted before it began.
    ///
    /// # Errors
    ///
    /// Where the database fails, or `fit` does; then the last fit stays.
    pub async fn renew_fit<E, Made>(
        &self,
        game: &str,
        every_s: f64,
        fit: impl FnOnce(i64) -> Made + Send,
    ) -> Result<bool, E>
    where
        E: From<Error>,
        Made: Future<Output = Result<StoredFit, E>> + Send,
    {
        let mut tx = self.pool().begin().await.map_err(Error::from)?;
        let row = sqlx::query!(
            r#"select pg_try_advisory_xact_lock(hashtextextended('fit of ' || $1, 0)) as "ours!",
                      coalesce((select finish_no from matches
                                where game = $1 and rated and finish_no is not null
                                order by finish_no desc limit 1), 0) as "last_no!",
                      coalesce((select last_no from fits where game = $1), 0) as "fitted_no!",
                      coalesce((select made_at > now() - make_interval(secs => $2)
                                from fits where game = $1), false) as "is_young!""#,
            game,
            every_s
        )
        .fetch_one(&mut *tx)
        .await
        .map_err(Error::from)?;
        if !row.ours || row.is_young || row.last_no == row.fitted_no {
            return Ok(false);
        }
        let fit = fit(row.last_no).await?;
        keep(&mut tx, game, &fit).await.map_err(Error::from)?;
        tx.commit().await.map_err(Error::from)?;
        Ok(true)
    }

    /// The last fit of a game, and when it was made.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn last_fit(&self, game: &str) -> Result<Option<(DateTime<Utc>, StoredFit)>, Error> {
        let row = sqlx::query!(
            "select made_at, last_no, matches, dispersion, top, effects, left_out
             from fits where game = $1",
            game
        );
        let Some(it) = row.fetch_optional(self.pool()).await? else { return Ok(None) };
        let strengths = sqlx::query_as!(
            FittedStrength,
            "select bot, role, version, strength, deviation, top_chance, matches
             from fitted_strengths where game = $1 order by role, bot",
            game
        );
        let fit = StoredFit {
            last_no: it.last_no,
            matches: it.matches,
            dispersion: it.dispersion,
            top: it.top,
            effects: it.effects,
            left_out: it.left_out,
            strengths: strengths.fetch_all(self.pool()).await?,
        };
        Ok(Some((it.made_at, fit)))
    }
}

async fn keep(db: &mut sqlx::PgConnection, game: &str, fit: &StoredFit) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from fits where game = $1", game).execute(&mut *db).await?;
    sqlx::query!(
        "insert into fits (game, last_no, matches, dispersion, top, effects, left_out)
         values ($1, $2, $3, $4, $5, $6, $7)",
        game,
        fit.last_no,
        fit.matches,
        fit.dispersion,
        fit.top,
        fit.effects,
        &fit.left_out
    )
    .execute(&mut *db)
    .await?;
    let all = &fit.strengths;
    sqlx::query!(
        "insert into fitted_strengths
             (game, bot, role, version, strength, deviation, top_chance, matches)
         select $1, * from unnest($2::uuid[], $3::text[], $4::uuid[], $5::float8[], $6::float8[],
                                  $7::float8[], $8::bigint[])",
        game,
        &all.iter().map(|it| it.bot).collect::<Vec<_>>(),
        &all.iter().map(|it| it.role.clone()).collect::<Vec<_>>(),
        &all.iter().map(|it| it.version).collect::<Vec<_>>(),
        &all.iter().map(|it| it.strength).collect::<Vec<_>>(),
        &all.iter().map(|it| it.deviation).collect::<Vec<_>>(),
        &all.iter().map(|it| it.top_chance).collect::<Vec<_>>(),
        &all.iter().map(|it| it.matches).collect::<Vec<_>>()
    )
    .execute(db)
    .await?;
    Ok(())
}
