//! Who is invited to what, and what waits for a person.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::{Error, InvitationState, Store};

/// Invitations, and matches, that are listed for one account.
const LISTED_MAX: i64 = 50;

/// An invitation, as those whom it concerns see it.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// Which.
    pub id: Uuid,
    /// To play which game.
    pub game: String,
    /// By which of its rules.
    pub rules: u32,
    /// The set-up of the match.
    pub setup: Value,
    /// Who invites.
    pub created_by: Uuid,
    /// What they are called.
    pub maker: String,
    /// When.
    pub created_at: DateTime<Utc>,
    /// Until when it can be answered.
    pub expires_at: DateTime<Utc>,
    /// Where it stands.
    pub state: InvitationState,
    /// The match that came of it.
    pub match_id: Option<Uuid>,
    /// Who is to play, by seat.
    pub seats: Vec<InvitedSeat>,
}

/// Who is to play on one seat.
#[derive(Clone, Debug)]
pub struct InvitedSeat {
    /// What they are called: a bot or a person.
    pub name: String,
    /// Which person; none: a bot.
    pub account: Option<Uuid>,
    /// Whether they have accepted; a bot always has.
    pub accepted: bool,
}

impl Store {
    /// What an account has been invited to, and to what it has invited: the open ones first, then
    /// the newest.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn invitations_of(&self, account: Uuid) -> Result<Vec<Invitation>, Error> {
        let rows = sqlx::query!(
            r#"select i.id, i.game, i.rules, i.setup, i.created_by, a.name as maker, i.created_at,
                      i.expires_at, i.state as "state: InvitationState", i.match as match_id
               from invitations i join accounts a on a.id = i.created_by
               where i.created_by = $1 or exists (
                   select from invitation_seats s where s.invitation = i.id and s.account = $1)
               order by i.state <> 'open', i.id desc limit $2"#,
            account,
            LISTED_MAX
        )
        .fetch_all(self.pool())
        .await?;
        let ids: Vec<Uuid> = rows.iter().map(|it| it.id).collect();
        let seats = sqlx::query!(
            r#"select s.invitation, coalesce(b.name, a.name) as "name!", s.account as "account?",
                      s.bot is not null or s.accepted_at is not null as "accepted!"
               from invitation_seats s
               left join bots b on b.id = s.bot
               left join accounts a on a.id = s.account
               where s.invitation = any($1) order by s.invitation, s.seat"#,
            &ids
        )
        .fetch_all(self.pool())
        .await?;
        let mut of: BTreeMap<Uuid, Vec<InvitedSeat>> = BTreeMap::new();
        for it in seats {
            let seat = InvitedSeat { name: it.name, account: it.account, accepted: it.accepted };
            of.entry(it.invitation).or_default().push(seat);
        }
        let invitations = rows.into_iter().map(|it| Invitation {
            seats: of.remove(&it.id).unwrap_or_default(),
            id: it.id,
            game: it.game,
            rules: it.rules as u32,
            setup: it.setup,
            created_by: it.created_by,
            maker: it.maker,
            created_at: it.created_at,
            expires_at: it.expires_at,
            state: it.state,
            match_id: it.match_id,
        });
        Ok(invitations.collect())
    }

    /// How much waits for a person: invitations they have not answered, and matches that wait for
    /// them or are played with them.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn calls_for(&self, account: Uuid) -> Result<i64, Error> {
        Ok(sqlx::query_scalar!(
            r#"select (
                   select count(*) from invitation_seats s join invitations i on i.id = s.invitation
                   where s.account = $1 and s.accepted_at is null and i.state = 'open'
                     and i.expires_at > now()
               ) + (
                   select count(*) from match_seats s join matches m on m.id = s.match
                   where s.account = $1 and s.bot is null and m.state in ('queued', 'running')
               ) as "n!""#,
            account
        )
        .fetch_one(self.pool())
        .await?)
    }

    /// Matches that wait for a person or are played with them, the newest first.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn matches_to_play(&self, account: Uuid) -> Result<Vec<Uuid>, Error> {
        Ok(sqlx::query_scalar!(
            "select m.id from match_seats s join matches m on m.id = s.match
             where s.account = $1 and s.bot is null and m.state in ('queued', 'running')
             order by m.id desc limit $2",
            account,
            LISTED_MAX
        )
        .fetch_all(self.pool())
        .await?)
    }
}
