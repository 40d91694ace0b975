//! News that travel from the server where something happened to all others.
//!
//! A notice says what changed, never how: who cares reads the rows. It is sent
//! within the transaction that makes it true, so nobody hears of what is not.

use std::time::Duration;

use sqlx::{
    PgConnection,
    postgres::{PgConnectOptions, PgListener, PgPoolOptions},
};
use tokio::{sync::broadcast, task::AbortHandle};
use uuid::Uuid;

use crate::Error;

const CHANNEL: &str = "agon";
/// A listener that falls further behind is told so, and reads everything anew.
const BACKLOG_MAX: usize = 4096;
const RETRY: Duration = Duration::from_secs(1);

/// Something changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Plies of a running match were stored; now there are this many.
    Plies(Uuid, u32),
    /// A person has decided something in a match under way.
    Deed(Uuid),
    /// Somebody was invited, an invitation has come to its end, or a match in which somebody plays
    /// in person has begun or is over; whose account it is.
    Invitation(Uuid),
    /// A match was made, started, finished, sent back to the queue, or is void or gone.
    Match(Uuid),
    /// A bot, one of its versions or its rating changed.
    Bot(Uuid),
    /// There may be something to lease.
    Queue,
    /// News may have been missed: read everything anew.
    Missed,
}

impl Notice {
    fn encode(self) -> String {
        match self {
            Notice::Plies(id, plies) => format!("plies {id} {plies}"),
            Notice::Deed(id) => format!("deed {id}"),
            Notice::Invitation(id) => format!("invitation {id}"),
            Notice::Match(id) => format!("match {id}"),
            Notice::Bot(id) => format!("bot {id}"),
            Notice::Queue => "queue".to_owned(),
            Notice::Missed => "missed".to_owned(),
        }
    }

    fn decode(text: &str) -> Option<Notice> {
        let mut words = text.split(' ');
        let kind = words.next()?;
        let mut id = || words.next()?.parse().ok();
        Some(match kind {
            "plies" => Notice::Plies(id()?, words.next()?.parse().ok()?),
            "deed" => Notice::Deed(id()?),
            "invitation" => Notice::Invitation(id()?),
            "match" => Notice::Match(id()?),
            "bot" => Notice::Bot(id()?),
            "queue" => Notice::Queue,
            "missed" => Notice::Missed,
            _ => return None,
        })
    }
}

/// Tells all servers, once the transaction of `db` commits.
pub(crate) async fn notify(db: &mut PgConnection, notice: Notice) -> Result<(), sqlx::Error> {
    sqlx::query!("select pg_notify($1, $2)", CHANNEL, notice.encode()).fetch_one(db).await?;
    Ok(())
}

/// Tells all servers that a match was made, started, finished or is void, and whom of those who
/// play in it in person.
pub(crate) async fn notify_match(db: &mut PgConnection, match_id: Uuid) -> Result<(), sqlx::Error> {
    notify(&mut *db, Notice::Match(match_id)).await?;
    let people = sqlx::query_scalar!(
        "select account from match_seats where match = $1 and bot is null",
        match_id
    );
    for account in people.fetch_all(&mut *db).await? {
        notify(&mut *db, Notice::Invitation(account)).await?;
    }
    Ok(())
}

/// A connection of its own that listens for as long as the store lives.
#[derive(Debug)]
pub(crate) struct Listener {
    sender: broadcast::Sender<Notice>,
    task: AbortHandle,
}

impl Listener {
    pub(crate) async fn start(options: PgConnectOptions) -> Result<Listener, Error> {
        let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
        let mut ears = PgListener::connect_with(&pool).await?;
        ears.listen(CHANNEL).await?;
        let (sender, _) = broadcast::channel(BACKLOG_MAX);
        let task = tokio::spawn(pass_on(ears, sender.clone())).abort_handle();
        Ok(Listener { sender, task })
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Notice> {
        self.sender.subscribe()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass_on(mut ears: PgListener, sender: broadcast::Sender<Notice>) {
    loop {
        let notice = match ears.try_recv().await {
            Ok(Some(it)) => match Notice::decode(it.payload()) {
                Some(notice) => notice,
                None => {
                    tracing::warn!(payload = it.payload(), "unknown notice");
                    continue;
                }
            },
            // The connection broke; a new one is made by the next call.
            Ok(None) => Notice::Missed,
            Err(why) => {
                tracing::warn!(%why, "cannot listen to the database");
                tokio::time::sleep(RETRY).await;
                continue;
            }
        };
        // That nobody listens is no error.
        let _ = sender.send(notice);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_survive_the_wire() {
        let id = Uuid::from_u128(7);
        for notice in [
            Notice::Plies(id, 12),
            Notice::Deed(id),
            Notice::Invitation(id),
            Notice::Match(id),
            Notice::Bot(id),
            Notice::Queue,
            Notice::Missed,
        ] {
            assert_eq!(Notice::decode(&notice.encode()), Some(notice));
        }
        for text in ["", "plies", "match x", "plies 00000000-0000-0000-0000-000000000007 -1"] {
            assert_eq!(Notice::decode(text), None, "{text}");
        }
    }
}
