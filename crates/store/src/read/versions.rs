//! Versions of bots, with what came of building them.

use chrono::{DateTime, Utc};
use jobs::Compliance;
use serde_json::Value;
use uuid::Uuid;

use crate::{Error, Store, VersionState};

/// A version in a list.
#[derive(Clone, Debug)]
pub struct VersionRow {
    /// Which one.
    pub id: Uuid,
    /// Counts from 1 for each bot.
    pub number: i32,
    /// Name of a file in `config/languages`.
    pub language: String,
    /// What the source was called.
    pub file_name: String,
    /// Its size.
    pub source_bytes: i64,
    /// Whether it can play.
    pub state: VersionState,
    /// Why not.
    pub why: Option<String>,
    /// When it was uploaded.
    pub created_at: DateTime<Utc>,
    /// Finished matches.
    pub matches: i64,
    /// Finished matches in which it was at fault.
    pub faults: i64,
}

/// A version, with all that is known of it.
#[derive(Clone, Debug)]
pub struct VersionPage {
    /// Which one.
    pub id: Uuid,
    /// Counts from 1 for each bot.
    pub number: i32,
    /// Name of a file in `config/languages`.
    pub language: String,
    /// What the source was called.
    pub file_name: String,
    /// SHA-256 of the source.
    pub source_digest: String,
    /// Its size.
    pub source_bytes: i64,
    /// Whether it can play.
    pub state: VersionState,
    /// Why not.
    pub why: Option<String>,
    /// What the compiler said.
    pub build_log: Option<String>,
    /// What the toolchain says of its version.
    pub toolchain: Option<String>,
    /// Time the build took.
    pub build_ms: Option<i64>,
    /// It was not built: another version of the same source was, by the same recipe.
    pub reused: bool,
    /// Size of what was built.
    pub artefact_bytes: Option<i64>,
    /// How it answered when asked alone.
    pub compliance: Option<Compliance>,
    /// When it was uploaded.
    pub created_at: DateTime<Utc>,
    /// When it was built.
    pub built_at: Option<DateTime<Utc>>,
}

impl Store {
    /// The last versions of a bot, the newest first.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn versions_of(
        &self,
        bot: Uuid,
        versions_max: i64,
    ) -> Result<Vec<VersionRow>, Error> {
        let rows = sqlx::query_as!(
            VersionRow,
            r#"select v.id, v.number, v.language, v.file_name, v.source_bytes,
                      v.state as "state: VersionState", v.why, v.created_at,
                      count(s.place) as "matches!",
                      count(*) filter (where jsonb_typeof(s.report->'fault') = 'array') as "faults!"
               from (
                   select * from versions where bot = $1 order by number desc limit $2
               ) v
               left join match_seats s on s.version = v.id
               group by v.id, v.number, v.language, v.file_name, v.source_bytes, v.state, v.why,
                        v.created_at
               order by v.number desc"#,
            bot,
            versions_max
        );
        Ok(rows.fetch_all(self.pool()).await?)
    }

    /// One version of a bot, or the newest.
    ///
    /// # Errors
    ///
    /// Where the database fails, or what is kept of its build is damaged.
    pub async fn version_page(
        &self,
        bot: Uuid,
        number: Option<i32>,
    ) -> Result<Option<VersionPage>, Error> {
        let row = sqlx::query!(
            r#"select id, number, language, file_name, source_digest, source_bytes,
                      state as "state: VersionState", why, build_log, toolchain, build_ms,
                      reused, artefact_bytes, compliance as "compliance: Value", created_at, built_at
               from versions
               where bot = $1 and ($2::integer is null or number = $2)
               order by number desc
               limit 1"#,
            bot,
            number
        );
        let Some(it) = row.fetch_optional(self.pool()).await? else { return Ok(None) };
        let compliance = it.compliance.map(serde_json::from_value).transpose();
        Ok(Some(VersionPage {
            compliance: compliance.map_err(|why| Error::damaged("version", it.id, why))?,
            id: it.id,
            number: it.number,
            language: it.language,
            file_name: it.file_name,
            source_digest: it.source_digest,
            source_bytes: it.source_bytes,
            state: it.state,
            why: it.why,
            build_log: it.build_log,
            toolchain: it.toolchain,
            build_ms: it.build_ms,
            reused: it.reused,
            artefact_bytes: it.artefact_bytes,
            created_at: it.created_at,
            built_at: it.built_at,
        }))
    }
}
