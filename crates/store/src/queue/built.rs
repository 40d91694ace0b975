//! The end of a build: the version is ready or refused, and the bot may play
//! with it from now on, in one transaction.

use std::collections::HashMap;

use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::finish::{FinishError, Finished, Reporting, again, end_job, hold, take_upload};
use crate::{
    Blob, BotState, Error, LadderBot, LadderState, NewMatch, Store, create_match, ladder, matches,
    notices::{Notice, notify},
};

/// A version at the moment its build is reported.
#[derive(Clone, Debug)]
pub struct BuildState {
    /// Which.
    pub version: Uuid,
    /// Counts the bot's versions.
    pub number: i32,
    /// Of which bot.
    pub bot: Uuid,
    /// Whose.
    pub account: Uuid,
    /// It is one of the house's.
    pub house: bool,
    /// Of which game.
    pub game: String,
    /// For which role.
    pub role: String,
    /// Number of the version the bot plays with now.
    pub active_number: Option<i32>,
    /// The bot is on the bench by its owner's wish.
    pub benched_by_owner: bool,
    /// Where it stands.
    pub state: BotState,
    /// The game's ladder, for choosing whom it meets first.
    pub ladder: LadderState,
}

impl BuildState {
    /// The bot as it will be on the ladder, with this version.
    pub fn as_newcomer(&self) -> LadderBot {
        LadderBot {
            bot: self.bot,
            account: self.account,
            house: self.house,
            role: self.role.clone(),
            version: self.version,
            validating: true,
            rating: None,
            deviation: None,
            ladder_pending: 0,
            validations_pending: 0,
            last_made_at: None,
            presets: HashMap::new(),
            exhausted: false,
            waited_s: 0.0,
        }
    }
}

/// What a worker says that it has made of a source.
#[derive(Clone, Copy, Debug)]
pub enum Made<'a> {
    /// Something that it put into the lease's upload address.
    Anew(&'a Blob),
    /// What was made of the same source by the same recipe before.
    Before {
        /// What.
        artefact: &'a Blob,
        /// By which.
        recipe: &'a str,
    },
}

/// What a build means.
#[derive(Clone, Debug)]
pub struct BuildDecision {
    /// What was made of the source.
    pub built: Built,
    /// What the compiler said; of what was made before, what it said then.
    pub log: String,
    /// What the toolchain says of its version.
    pub toolchain: String,
    /// SHA-256, in hex, of all that decides what comes of a source.
    pub recipe: Option<String>,
    /// Time it took, in milliseconds.
    pub build_ms: u64,
    /// How the program answered when asked alone.
    pub compliance: Option<Value>,
    /// Matches to be played because of it.
    pub follow_up: Vec<NewMatch>,
}

/// What was made of a source.
#[derive(Clone, Debug)]
pub enum Built {
    /// Something that can play.
    Ready {
        /// What.
        artefact: Blob,
        /// The bot plays with it from now on, and stands here.
        active: Option<BotState>,
    },
    /// Nothing; why, in words for the owner.
    Refused(String),
}

impl Store {
    /// Counts the result of a build, as `decide` sees it.
    ///
    /// # Errors
    ///
    /// Where the lease is lost, what was made was neither uploaded nor made before,
    /// or `decide` refuses. Then nothing has changed.
    pub async fn finish_build<E: Send>(
        &self,
        reporting: &Reporting,
        made: Option<Made<'_>>,
        decide: impl FnOnce(&BuildState) -> Result<BuildDecision, E> + Send,
    ) -> Result<Finished, FinishError<E>> {
        let mut tx = self.pool().begin().await?;
        let Some(job) = hold(&mut tx, reporting).await? else {
            return again(&mut tx, reporting).await;
        };
        let version = job.version.ok_or(FinishError::OtherKind)?;
        let before = match made {
            None => None,
            Some(Made::Anew(artefact)) => {
                take_upload(&mut tx, reporting.lease, artefact).await?;
                None
            }
            Some(Made::Before { artefact, recipe }) => {
                Some(find_before(&mut tx, version, artefact, recipe).await?)
            }
        };
        let build = lock_build(&mut tx, version).await?;
        let mut decision = decide(&build).map_err(FinishError::Refused)?;
        let reused = before.is_some();
        let built_by = before.as_ref().map_or(reporting.worker, |it| it.worker);
        if let Some(before) = before {
            (decision.log, decision.build_ms) = (before.log, before.build_ms);
        }
        let (state, artefact, why) = match &decision.built {
            Built::Ready { artefact, .. } => ("ready", Some(artefact), None),
            Built::Refused(why) => ("refused", None, Some(super::cut(why, 1000))),
        };
        sqlx::query!(
            "update versions set state = $2, why = $3, build_log = $4, toolchain = $5, build_ms = $6,
                 artefact_digest = $7, artefact_bytes = $8, compliance = $9, recipe = $10,
                 reused = $11, built_by = $12, built_at = now()
             where id = $1",
            version,
            state,
            why,
            decision.log,
            super::cut(&decision.toolchain, 1000),
            decision.build_ms as i64,
            artefact.map(|it| it.digest.as_str()),
            artefact.map(|it| it.bytes as i64),
            decision.compliance,
            decision.recipe,
            reused,
            built_by
        )
        .execute(&mut *tx)
        .await?;
        if let Built::Ready { active: Some(state), .. } = decision.built {
            // An owner's bench stays one; any other ends here.
            sqlx::query!(
                "update bots set active_version = $2, state = $3,
                     benched_by = case when $3 = 'benched' then benched_by end,
                     benched_why = case when $3 = 'benched' then benched_why end
                 where id = $1",
                build.bot,
                version,
                state.as_str()
            )
            .execute(&mut *tx)
            .await?;
            matches::withdraw(&mut tx, build.bot).await?;
        }
        for new in &decision.follow_up {
            create_match(&mut tx, new).await?;
        }
        end_job(&mut tx, &job, reporting).await?;
        notify(&mut tx, Notice::Bot(build.bot)).await?;
        tx.commit().await?;
        Ok(Finished::Counted)
    }
}

/// A build that another version has had.
struct Before {
    log: String,
    build_ms: u64,
    /// Who built it.
    worker: Uuid,
}

async fn find_before<E>(
    db: &mut PgConnection,
    version: Uuid,
    artefact: &Blob,
    recipe: &str,
) -> Result<Before, FinishError<E>> {
    let found = sqlx::query!(
        r#"select k.build_log, k.build_ms, k.built_by as "built_by!" from versions v
           join versions k on k.source_digest = v.source_digest and k.language = v.language
           where v.id = $1 and k.recipe = $2 and k.state = 'ready'
             and k.artefact_digest = $3 and k.artefact_bytes = $4
             and k.built_by in (select id from workers where disabled_at is null)
           order by k.built_at desc limit 1"#,
        version,
        recipe,
        artefact.digest,
        artefact.bytes as i64
    )
    .fetch_optional(db)
    .await?;
    let Some(it) = found else {
        let Blob { digest, bytes } = artefact.clone();
        return Err(FinishError::NotKnown { digest, bytes, recipe: recipe.to_owned() });
    };
    let (log, build_ms) = (it.build_log.unwrap_or_default(), it.build_ms.unwrap_or_default());
    Ok(Before { log, build_ms: build_ms as u64, worker: it.built_by })
}

async fn lock_build(db: &mut PgConnection, version: Uuid) -> Result<BuildState, Error> {
    let row = sqlx::query!(
        r#"select v.number, v.bot, b.account, a.house, b.game, b.role, now() as "now!", b.state as "state: BotState",
                  coalesce(b.benched_by = 'owner', false) as "benched_by_owner!",
                  (select number from versions where id = b.active_version) as active_number
           from versions v join bots b on b.id = v.bot join accounts a on a.id = b.account
           where v.id = $1 for no key update of v, b"#,
        version
    )
    .fetch_one(&mut *db)
    .await?;
    let bots = ladder::read(db, &row.game).await?;
    let ladder = LadderState { now: row.now, bots, queued: ladder::queued(db, &row.game).await? };
    Ok(BuildState {
        version,
        number: row.number,
        bot: row.bot,
        account: row.account,
        house: row.house,
        game: row.game,
        role: row.role,
        active_number: row.active_number,
        benched_by_owner: row.benched_by_owner,
        state: row.state,
        ladder,
    })
}
