//! A worker is believed as far as its record bears it out: the rules judge the record once more
//! here, and have to come to what was reported. Whoever runs hostile code may have been taken over
//! by it; what the plies themselves were is all that is left for it to say.

use std::{
    error::Error as StdError,
    io::Read,
    time::{Duration, Instant},
};

use game::{PerSeat, Sitter};
use jobs::MatchReport;
use referee::{AnyGame, Judged};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};
use sha2::{Digest, Sha256};
use store::{BlobError, MatchTerms};
use tokio::{task::spawn_blocking, time::timeout};

use super::input::clean;
use crate::{error::Error, state::AppState};

/// What judging a record may take. The longest of Labyrinth takes some milliseconds.
const JUDGING_MAX: Duration = Duration::from_secs(10);
/// How long to wait for those that are judged before it.
const QUEUE_MAX: Duration = Duration::from_secs(10);
/// Bytes of a record once it is unpacked: the referee counts its parts, and the JSON between them
/// is less than these.
const RECORD_BYTES_MAX: u64 = 2 * referee::RECORD_BYTES_MAX as u64;

type BoxError = Box<dyn StdError + Send + Sync>;

/// What came of looking at the record of a report.
#[derive(Debug)]
pub(super) enum Checked {
    /// The record bears the report out. SHA-256 of its set-up and plies: the same match, played the
    /// same way, has the same, however long it took.
    True([u8; 32]),
    /// What speaks against the report, in words for the operator.
    Untrue(String),
    /// The record is not here.
    NotHere,
}

/// Whether the record of a report bears it out.
pub(super) async fn check(
    state: &AppState,
    terms: &MatchTerms,
    report: &MatchReport,
) -> Result<Checked, Error> {
    let game = state
        .games
        .get(&terms.game)
        .ok_or_else(|| Error::internal(format!("no game {} here", terms.game)))?;
    let digest = &report.record.digest;
    let stored = match state.blobs.get(digest, state.config.limits.record_bytes_max).await {
        Ok(stored) => stored,
        // Not uploaded, then: that is looked at with the lease in hand.
        Err(BlobError::Unknown { .. } | BlobError::NoDigest) => return Ok(Checked::NotHere),
        Err(why) => return Err(why.into()),
    };
    let permit = timeout(QUEUE_MAX, state.site.replaying.clone().acquire_owned())
        .await
        .map_err(|_| Error::Unavailable("Too many records are being judged."))?
        .map_err(Error::internal)?;
    let until = Instant::now() + JUDGING_MAX;
    let judged = spawn_blocking(move || {
        let _permit = permit;
        judged(game, &stored, until)
    });
    let (judged, play) = match judged.await {
        Ok(Ok(judged)) => judged,
        Ok(Err(why)) => return Ok(Checked::Untrue(format!("its record cannot be judged: {why}"))),
        Err(why) => return Ok(Checked::Untrue(format!("judging its record broke down: {why}"))),
    };
    let sitters = &terms.sitters;
    let setup = game.check_setup(&terms.setup, sitters).map_err(Error::internal)?;
    let difference = difference(&setup, sitters, &judged, report)?;
    Ok(difference.map_or(Checked::True(play), Checked::Untrue))
}

/// The verdict on a record, and the digest of how it went.
fn judged(
    game: &dyn AnyGame,
    stored: &[u8],
    until: Instant,
) -> Result<(Judged, [u8; 32]), BoxError> {
    let mut record = Vec::new();
    zstd::Decoder::new(stored)?.take(RECORD_BYTES_MAX + 1).read_to_end(&mut record)?;
    if record.len() as u64 > RECORD_BYTES_MAX {
        return Err(format!("it unpacks to more than {RECORD_BYTES_MAX} bytes").into());
    }
    let judged = game.judge(&record, &mut || Instant::now() < until)?;
    let play = play_digest(&record)?;
    Ok((judged, play))
}

/// Of set-up and plies, as they are written: records of one game are all written by one program.
fn play_digest(record: &[u8]) -> Result<[u8; 32], BoxError> {
    #[derive(Deserialize)]
    struct Play<'a> {
        #[serde(borrow)]
        setup: &'a RawValue,
        #[serde(borrow)]
        plies: &'a RawValue,
    }
    let Play { setup, plies } = serde_json::from_slice(record)?;
    let mut digest = Sha256::new_with_prefix(setup.get());
    digest.update([0]);
    digest.update(plies.get());
    Ok(digest.finalize().into())
}

/// Where report and record part.
fn difference(
    setup: &Value,
    sitters: &PerSeat<Sitter>,
    judged: &Judged,
    report: &MatchReport,
) -> Result<Option<String>, Error> {
    let Judged { setup: played, sitters: sat, verdict } = judged;
    let faults = |(first, n): (&Option<_>, u32)| json!({ "first": first, "n": n });
    let found = [
        ("set-up", told(setup)?, told(played)?),
        ("sitters", told(sitters)?, told(sat)?),
        ("outcome", told(&Some(&report.outcome))?, told(&verdict.outcome)?),
        ("number of plies", told(&report.plies)?, told(&verdict.plies)?),
        (
            "faults",
            told(&report.seats.map(|_, it| faults((&it.fault, it.faults))))?,
            told(&verdict.faults.map(|_, it| faults((&it.first, it.n))))?,
        ),
    ];
    let differs = found.into_iter().find(|(_, reported, recorded)| reported != recorded);
    Ok(differs.map(|(what, reported, recorded)| {
        format!("its {what} should be {recorded} by the record, and is {reported}")
    }))
}

/// As it is told in a report, where no text holds a NUL.
fn told(value: &impl Serialize) -> Result<Value, Error> {
    let mut value = serde_json::to_value(value).map_err(Error::internal)?;
    clean(&mut value);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_record_or_takes_too_long_is_not_judged() {
        let game = games::find("labyrinth").unwrap();
        let later = Instant::now() + Duration::from_secs(60);
        let pack = |it: &[u8]| zstd::encode_all(it, 1).unwrap();
        let record = json!({
            "game": "labyrinth", "rules": 1, "sitters": ["bot", "bot"],
            "setup": { "size": 5, "mode": "map", "turn_ms": 100, "total_ms": 1000 },
            "plies": [[{ "action": "pass" }, null]], "spent": [], "remarks": [],
        });
        let packed = pack(record.to_string().as_bytes());
        let judged_until = |stored: &[u8], until| match judged(game, stored, until) {
            Ok((judged, _)) => format!("{} plies", judged.verdict.plies),
            Err(why) => why.to_string(),
        };
        let bomb = pack(&vec![b' '; RECORD_BYTES_MAX as usize + 1]);
        for (stored, until, words) in [
            (&packed[..], later, "1 plies"),
            (&packed, Instant::now(), "stopped after 0 plies"),
            (b"no zstd", later, "frame"),
            (&packed[..packed.len() / 2], later, "incomplete"),
            (&pack(b"{}"), later, "missing field"),
            (&bomb, later, "more than 134217728 bytes"),
        ] {
            let found = judged_until(stored, until);
            assert!(found.contains(words), "{words}: {found}");
        }
    }

    #[test]
    fn how_long_answers_took_is_no_part_of_how_a_match_went() {
        let record = |ms: u32, plies: Value| {
            let record = json!({ "setup": { "size": 5 }, "plies": plies, "spent": [ms] });
            play_digest(record.to_string().as_bytes()).unwrap()
        };
        let pass = json!([[{ "action": "pass" }, null]]);
        assert_eq!(record(3, pass.clone()), record(500, pass.clone()));
        assert_ne!(record(3, pass), record(3, json!([])));
    }
}
