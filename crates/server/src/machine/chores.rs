//! What has to be done whether or not anybody asks.

use std::time::Duration;

use chrono::Utc;
use store::Notice;
use tokio::{
    sync::broadcast::error::RecvError,
    time::{Instant, MissedTickBehavior, interval, interval_at, sleep},
};
use tokio_util::sync::CancellationToken;

use super::{fit, ladder};
use crate::{pages::awake, state::AppState};

/// News come in bursts; the ladder is looked at once for each.
const BURST: Duration = Duration::from_millis(300);
/// Rest after a chore broke down.
const BREAKDOWN: Duration = Duration::from_secs(5);
const SWEEP: Duration = Duration::from_secs(600);
/// Blobs fall into parts by the first byte of their digests.
const BLOB_PARTS: u16 = 256;
/// An upload that has not come to its end by now never will.
const INCOMING_LIFE: Duration = Duration::from_secs(24 * 3600);

/// Starts them all; they end with `stopping`.
pub(crate) fn start_chores(state: &AppState, stopping: &CancellationToken) {
    start(state, stopping, "taking back leases", reap);
    start(state, stopping, "making matches", make_matches);
    start(state, stopping, "fitting strengths", fit_strengths);
    start(state, stopping, "clearing away", sweep);
}

/// Keeps a chore going: one that panics is noted, and starts anew.
fn start<F: Future<Output = ()> + Send + 'static>(
    state: &AppState,
    stopping: &CancellationToken,
    name: &'static str,
    chore: fn(AppState) -> F,
) {
    let state = state.clone();
    let stopping = stopping.clone();
    tokio::spawn(async move {
        loop {
            let round = stopping.clone().run_until_cancelled_owned(chore(state.clone()));
            match tokio::spawn(round).await {
                Ok(_) => return,
                Err(why) => tracing::error!(name, %why, "a chore broke down, and starts anew"),
            }
            sleep(BREAKDOWN).await;
        }
    });
}

/// Takes back leases that ran out. After a start it waits for as long as a
/// lease runs: workers could not renew while there was no server.
async fn reap(state: AppState) {
    let limits = state.config.queue_limits();
    let every = Duration::from_secs(state.config.queue.renew_s);
    let mut look = interval_at(Instant::now() + limits.lease, every);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        look.tick().await;
        match state.store.expire_invitations().await {
            Ok(0) => {}
            Ok(n) => tracing::info!(n, "invitations have run their time"),
            Err(why) => tracing::error!(cause = ?why, "cannot end invitations"),
        }
        match state.store.reap_leases(&limits).await {
            Ok(it) if it == store::Reaped::default() => {}
            Ok(it) => tracing::warn!(requeued = it.requeued, void = it.void, "leases ran out"),
            Err(why) => tracing::error!(cause = ?why, "cannot take back leases"),
        }
    }
}

/// Tops up every ladder: now and then, and when a bot or a match has news.
async fn make_matches(state: AppState) {
    let mut look = interval(Duration::from_secs(state.config.ladder.look_s));
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut news = state.store.notices();
    loop {
        let queued_max = queued_max(&state).await;
        for game in state.games.iter() {
            let config = &state.config.ladder;
            if let Err(why) = state.ladders.refresh(&state.store, game).await {
                tracing::error!(game = game.id(), cause = ?why, "cannot look at the pools");
            }
            let made = state
                .store
                .top_up(game.id(), |ladder| state.ladders.due(game, ladder, config, queued_max))
                .await;
            match made {
                Ok(Some(made)) if !made.is_empty() => {
                    tracing::info!(game = game.id(), matches = made.len(), "matches made");
                }
                Ok(_) => {}
                Err(why) => tracing::error!(game = game.id(), cause = ?why, "cannot make matches"),
            }
        }
        loop {
            tokio::select! {
                _ = look.tick() => break,
                heard = news.recv() => match heard {
                    Ok(Notice::Bot(_) | Notice::Missed) | Err(RecvError::Lagged(_)) => {
                        sleep(BURST).await;
                        news = news.resubscribe();
                        break;
                    }
                    Ok(_) => {}
                    Err(RecvError::Closed) => return,
                },
            }
        }
    }
}

/// How many ladder matches of each game may wait, by what workers are there and how fast they are.
async fn queued_max(state: &AppState) -> usize {
    let seen =
        async { Ok::<_, store::Error>((state.store.status().await?, state.store.pace().await?)) };
    match seen.await {
        Ok((status, pace)) => {
            let slots = awake(&status.workers).map(|it| it.slots).sum();
            let n_games = state.games.iter().count();
            ladder::queued_max(&state.config.ladder, slots, pace.match_s, n_games)
        }
        Err(why) => {
            tracing::error!(cause = ?why, "cannot tell how fast matches are played");
            usize::MAX
        }
    }
}

/// Makes the fits anew, one game after the other; of several servers, one makes each.
async fn fit_strengths(state: AppState) {
    let ladder = &state.config.ladder;
    let mut look = interval(Duration::from_secs(ladder.fit_s));
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        look.tick().await;
        for game in state.games.iter() {
            match fit::fit_strengths(&state.store, game.id(), ladder).await {
                Ok(true) => tracing::debug!(game = game.id(), "strengths fitted"),
                Ok(false) => {}
                Err(why) => tracing::error!(game = game.id(), cause = ?why, "cannot fit strengths"),
            }
        }
    }
}

/// Clears away what has run its time, and of the blobs that nothing refers to
/// one part a round; which one it is, all servers agree on.
async fn sweep(state: AppState) {
    let mut look = interval(SWEEP);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        look.tick().await;
        let now = Utc::now();
        let part = (now.timestamp() / SWEEP.as_secs() as i64) % i64::from(BLOB_PARTS);
        match state.store.collect_blobs(&state.blobs, part as u8, now).await {
            Ok(it) if it == store::Collected::default() => {}
            Ok(it) => tracing::info!(part, ?it, "blobs collected"),
            Err(why) => tracing::error!(cause = ?why, "cannot collect blobs"),
        }
        if let Err(why) = state.store.sweep().await {
            tracing::error!(cause = ?why, "cannot clear away what has expired");
        }
        if let Err(why) = state.blobs.reap(INCOMING_LIFE).await {
            tracing::error!(cause = ?why, "cannot clear away broken uploads");
        }
    }
}
