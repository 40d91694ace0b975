//! Strengths that explain all matches at once: made anew now and then from the log of matches, and
//! kept beside the live ratings, which depend on the order in which matches came.

use std::collections::BTreeMap;

use chrono::SecondsFormat;
use contest::{
    Counted, Effect, Evidence, Fit, FitError, FitOptions, Ledger, LedgerError, LoggedMatch,
    LoggedSeat, RateError, Strength, fit,
};
use serde_json::Value;
use store::{FittedStrength, PublishedMatch, Store, StoredFit};
use tokio::task::{JoinError, spawn_blocking};

use crate::config;

/// Matches read at once.
const BATCH: i64 = 1000;
/// Most covariates that are published of a match.
const COVARIATES_MAX: usize = 16;
/// Longest value of one.
const COVARIATE_CHARS_MAX: usize = 32;

/// Why there is no new fit.
#[derive(Debug, thiserror::Error)]
pub enum FitStrengthsError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A match of the log cannot be counted.
    #[error(transparent)]
    Match(#[from] LedgerError),
    /// A match of the log has not two seats.
    #[error(transparent)]
    Seats(#[from] RateError),
    /// There is no solution.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The fit broke down.
    #[error("the fit broke down")]
    Broken(#[from] JoinError),
    /// What was stored is no fit.
    #[error("a stored fit cannot be read")]
    Stored(#[from] serde_json::Error),
}

/// Fits a game's strengths anew, and keeps them; not where nothing was counted since the last time,
/// or that was a moment ago. Answers whether it did.
///
/// # Errors
///
/// Where the database fails, the log cannot be counted, or there is no solution; then the last fit
/// stays.
pub async fn fit_strengths(
    store: &Store,
    game: &str,
    ladder: &config::Ladder,
) -> Result<bool, FitStrengthsError> {
    let matches_max = ladder.fit_matches as i64;
    // Servers look at the same time; one that comes a moment later finds it done.
    let every_s = ladder.fit_s as f64 / 2.0;
    store
        .renew_fit(game, every_s, |last_no| async move {
            let evidence = read(store, game, matches_max, last_no).await?;
            let fitted = spawn_blocking(move || fit(&evidence, &FitOptions::default())).await??;
            to_store(fitted, last_no)
        })
        .await
}

async fn read(
    store: &Store,
    game: &str,
    matches_max: i64,
    last_no: i64,
) -> Result<Evidence, FitStrengthsError> {
    // Only what it says of repeats is asked of it here.
    let (mut ledger, mut evidence) = (Ledger::default(), Evidence::default());
    let mut after = store.log_start(game, matches_max).await?;
    loop {
        let log = store.published_log(game, after, BATCH).await?;
        for it in log.iter().filter(|it| it.finish_no <= last_no) {
            let it = logged(game, it);
            if ledger.count(&it)? == Counted::Rated {
                evidence.add(&it)?;
            }
        }
        match log.last() {
            Some(last) if last.finish_no < last_no => after = last.finish_no,
            _ => return Ok(evidence),
        }
    }
}

/// A match, as it stands in the published log.
pub(crate) fn logged(game: &str, it: &PublishedMatch) -> LoggedMatch {
    LoggedMatch {
        match_id: it.match_id,
        no: it.finish_no as u64,
        game: game.to_owned(),
        finished_at: it.finished_at.to_rfc3339_opts(SecondsFormat::Micros, true),
        preset: it.preset.clone(),
        covariates: covariates(&it.setup),
        play: it.play_digest.as_ref().map(hex::encode),
        seats: it.seats.map(|_, it| LoggedSeat {
            bot: it.bot,
            name: it.name.clone(),
            version: it.version,
            number: it.number as u32,
            role: it.role.clone(),
            score: it.score,
            faulted: it.faulted,
        }),
    }
}

/// The numbers and words of a set-up; not its courses and boards.
fn covariates(setup: &Value) -> BTreeMap<String, String> {
    let all = setup.as_object().into_iter().flatten();
    let told = all.filter_map(|(name, value)| {
        let value = match value {
            Value::Number(it) => it.to_string(),
            Value::Bool(it) => it.to_string(),
            Value::String(it) => it.clone(),
            Value::Null | Value::Array(_) | Value::Object(_) => return None,
        };
        (value.chars().count() <= COVARIATE_CHARS_MAX).then(|| (name.clone(), value))
    });
    told.take(COVARIATES_MAX).collect()
}

fn to_store(fit: Fit, last_no: i64) -> Result<StoredFit, FitStrengthsError> {
    let strength = |it: Strength| FittedStrength {
        bot: it.bot,
        role: it.role,
        version: it.version,
        strength: it.strength,
        deviation: it.deviation,
        top_chance: it.top_chance,
        matches: it.matches as i64,
    };
    Ok(StoredFit {
        last_no,
        matches: fit.matches as i64,
        dispersion: fit.dispersion,
        top: fit.top as i32,
        effects: serde_json::to_value(&fit.effects)?,
        left_out: fit.left_out,
        strengths: fit.strengths.into_iter().map(strength).collect(),
    })
}

/// The last fit of a game.
pub(crate) async fn stored_fit(
    store: &Store,
    game: &str,
) -> Result<Option<Fit>, FitStrengthsError> {
    let Some((_, fit)) = store.last_fit(game).await? else { return Ok(None) };
    let effects: Vec<Effect> = serde_json::from_value(fit.effects)?;
    let strength = |it: FittedStrength| Strength {
        bot: it.bot,
        version: it.version,
        role: it.role,
        strength: it.strength,
        deviation: it.deviation,
        top_chance: it.top_chance,
        matches: it.matches as u64,
    };
    Ok(Some(Fit {
        strengths: fit.strengths.into_iter().map(strength).collect(),
        effects,
        left_out: fit.left_out,
        matches: fit.matches as u64,
        dispersion: fit.dispersion,
        top: fit.top as usize,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_published_of_a_set_up_is_short() {
        let mut setup = serde_json::json!({
            "size": 20, "mode": "map", "swaps": true, "rows": ["010"], "x": null, "y": {},
            "long": "x".repeat(COVARIATE_CHARS_MAX + 1),
        });
        let told = covariates(&setup);
        let told: Vec<_> = told.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(told, ["mode=map", "size=20", "swaps=true"]);
        for it in 0..100 {
            setup[format!("n{it}")] = it.into();
        }
        assert_eq!(covariates(&setup).len(), COVARIATES_MAX);
    }
}
