//! What a job that is handed out needs to know: the sources of a build, the seats of a match.

use std::collections::HashMap;

use jobs::KNOWN_MAX;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{LeasedBuild, LeasedMatch, LeasedSeat};
use crate::{
    Blob, Error,
    notices::{Notice, notify, notify_match},
};

pub(super) async fn start_builds(
    db: &mut PgConnection,
    versions: &[Uuid],
) -> Result<HashMap<Uuid, LeasedBuild>, sqlx::Error> {
    if versions.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = sqlx::query!(
        "update versions v set state = 'building' from bots b
         where v.id = any($1) and b.id = v.bot
         returning v.id, v.bot, b.game, b.role, v.language, v.file_name, v.source_digest, v.source_bytes",
        versions
    )
    .fetch_all(&mut *db)
    .await?;
    let mut builds = HashMap::new();
    for it in rows {
        notify(db, Notice::Bot(it.bot)).await?;
        let build = LeasedBuild {
            version: it.id,
            game: it.game,
            role: it.role,
            language: it.language,
            file_name: it.file_name,
            source: Blob { digest: it.source_digest, bytes: it.source_bytes as u64 },
            known: Vec::new(),
        };
        builds.insert(it.id, build);
    }
    let known = sqlx::query!(
        r#"select v.id, k.recipe as "recipe!", k.artefact_digest as "digest!", k.artefact_bytes as "bytes!"
           from versions v cross join lateral (
               select * from (
                   select distinct on (recipe) recipe, artefact_digest, artefact_bytes, built_at
                   from versions
                   where source_digest = v.source_digest and language = v.language
                     and recipe is not null and state = 'ready'
                     and built_by in (select id from workers where disabled_at is null)
                   order by recipe, built_at desc
               ) each_recipe
               order by built_at desc limit $2
           ) k
           where v.id = any($1) order by v.id, k.built_at desc"#,
        versions,
        KNOWN_MAX as i64
    )
    .fetch_all(db)
    .await?;
    for it in known {
        let artefact = Blob { digest: it.digest, bytes: it.bytes as u64 };
        if let Some(build) = builds.get_mut(&it.id) {
            build.known.push((it.recipe, artefact));
        }
    }
    Ok(builds)
}

pub(super) async fn start_matches(
    db: &mut PgConnection,
    matches: &[Uuid],
) -> Result<HashMap<Uuid, LeasedMatch>, Error> {
    if matches.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = sqlx::query!(
        "update matches set state = 'running', started_at = now() where id = any($1)
         returning id, game, rules, setup",
        matches
    )
    .fetch_all(&mut *db)
    .await?;
    let sitters = sqlx::query!(
        r#"select s.match as match_id, s.version, v.language as "language?", v.artefact_digest,
                  v.artefact_bytes
           from match_seats s left join versions v on v.id = s.version
           where s.match = any($1) order by s.match, s.seat"#,
        matches
    )
    .fetch_all(&mut *db)
    .await?;
    let mut seats: HashMap<Uuid, Vec<Option<LeasedSeat>>> = HashMap::new();
    for it in sitters {
        let (Some(version), Some(language)) = (it.version, it.language) else {
            seats.entry(it.match_id).or_default().push(None);
            continue;
        };
        let (Some(digest), Some(bytes)) = (it.artefact_digest, it.artefact_bytes) else {
            return Err(Error::damaged("version", version, "it plays but has no artefact"));
        };
        let artefact = Blob { digest, bytes: bytes as u64 };
        let seat = LeasedSeat { version, language, artefact };
        seats.entry(it.match_id).or_default().push(Some(seat));
    }
    let mut played = take_over_plies(db, matches).await?;
    let lost = sqlx::query!(
        r#"select j.match as "match_id!", extract(epoch from now() - min(a.leased_at))::float8 as "s!"
           from attempts a join jobs j on j.id = a.job
           where j.match = any($1) group by j.match"#,
        matches
    );
    let lost = lost.fetch_all(&mut *db).await?;
    let mut played_s: HashMap<Uuid, f64> = lost.into_iter().map(|it| (it.match_id, it.s)).collect();
    let mut started = HashMap::new();
    for it in rows {
        notify_match(db, it.id).await?;
        let played = LeasedMatch {
            match_id: it.id,
            game: it.game,
            rules: it.rules as u32,
            setup: it.setup,
            seats: seats.remove(&it.id).unwrap_or_default().into(),
            played: played.remove(&it.id).unwrap_or_default(),
            played_s: played_s.remove(&it.id).unwrap_or_default(),
        };
        started.insert(it.id, played);
    }
    Ok(started)
}

/// What was played of matches with people before an attempt was lost: it is the new attempt's
/// from now on, and so is what people have decided since.
async fn take_over_plies(
    db: &mut PgConnection,
    matches: &[Uuid],
) -> Result<HashMap<Uuid, Vec<String>>, sqlx::Error> {
    sqlx::query!(
        "update live_plies p set attempt = j.attempt from jobs j
         where j.match = p.match and p.match = any($1)",
        matches
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "update deeds d set attempt = j.attempt from jobs j
         where j.match = d.match and d.match = any($1)",
        matches
    )
    .execute(&mut *db)
    .await?;
    let rows = sqlx::query!(
        r#"select match as match_id, frame::text as "frame!" from live_plies
           where match = any($1) order by match, ply"#,
        matches
    );
    let mut played: HashMap<Uuid, Vec<String>> = HashMap::new();
    for it in rows.fetch_all(db).await? {
        played.entry(it.match_id).or_default().push(it.frame);
    }
    Ok(played)
}
