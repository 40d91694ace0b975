//! Matches that wait for other people to say yes.
//!
//! An invitation holds all that a match needs, and becomes one in the transaction in which the
//! last of those invited accepts. It ends once: accepted, declined, withdrawn or expired.

use std::time::Duration;

use game::Seat;
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Act, Error, MatchError, NewMatch, NewSeat, Purpose, Store,
    audit::note,
    create_match,
    matches::waiting_of,
    notices::{Notice, notify},
};

/// How many are ended at once for having run their time.
const EXPIRED_MAX: i64 = 100;

/// Where an invitation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum InvitationState {
    /// Somebody has yet to answer.
    Open,
    /// All have accepted: there is a match.
    Accepted,
    /// Somebody has declined.
    Declined,
    /// Whoever made it has taken it back.
    Withdrawn,
    /// Its time has passed.
    Expired,
}

/// What an answer came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// Others have yet to answer.
    Waits,
    /// The match is made.
    Match(Uuid),
}

/// Why nobody is invited, or no answer is taken.
#[derive(Debug, thiserror::Error)]
pub enum InvitationError {
    /// As many invitations of the account are open as may be.
    #[error("{found} of your invitations are open, which is as many as may be")]
    TooMany {
        /// How many.
        found: i64,
    },
    /// There is no such invitation, or it is nothing to whoever asks.
    #[error("there is no such invitation")]
    Unknown,
    /// It has come to its end.
    #[error("this invitation is over: it was {0}")]
    Over(&'static str),
    /// Whoever made it plays in as many matches as they may.
    #[error(
        "whoever invites you plays in as many matches with people as they may; try again later"
    )]
    MakerBusy,
    /// It was made before the game's rules changed.
    #[error("the rules of this game have changed since; invite each other anew")]
    OtherRules,
    /// The match cannot be made.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// Ours.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sqlx::Error> for InvitationError {
    fn from(why: sqlx::Error) -> InvitationError {
        InvitationError::Store(why.into())
    }
}

impl InvitationState {
    /// What has become of it, in a word.
    pub fn as_str(self) -> &'static str {
        match self {
            InvitationState::Open => "open",
            InvitationState::Accepted => "accepted",
            InvitationState::Declined => "declined",
            InvitationState::Withdrawn => "withdrawn",
            InvitationState::Expired => "expired",
        }
    }
}

impl Store {
    /// Invites everybody who sits in `new` but whoever makes it.
    ///
    /// # Errors
    ///
    /// Where too many invitations of theirs are open, or the match could not be made.
    pub async fn invite(
        &self,
        new: &NewMatch,
        maker: Uuid,
        open_max: i64,
        life: Duration,
    ) -> Result<Uuid, InvitationError> {
        let mut tx = self.pool().begin().await?;
        hold_maker(&mut tx, maker).await?;
        let found = sqlx::query_scalar!(
            r#"select count(*) as "n!" from invitations where created_by = $1 and state = 'open'"#,
            maker
        )
        .fetch_one(&mut *tx)
        .await?;
        if found >= open_max {
            return Err(InvitationError::TooMany { found });
        }
        let id = Uuid::now_v7();
        sqlx::query!(
            "insert into invitations (id, game, rules, setup, preset, created_by, expires_at)
             values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))",
            id,
            new.game,
            new.rules as i32,
            new.setup,
            new.preset,
            maker,
            life.as_secs_f64()
        )
        .execute(&mut *tx)
        .await?;
        for (seat, it) in new.seats.iter() {
            let (bot, version, account) = match *it {
                NewSeat::Bot { bot, version } => (Some(bot), Some(version), None),
                NewSeat::Person { account } => (None, None, Some(account)),
            };
            sqlx::query!(
                "insert into invitation_seats (invitation, seat, bot, version, account, accepted_at)
                 values ($1, $2, $3, $4, $5, case when $5::uuid = $6 then now() end)",
                id,
                i16::from(seat.0),
                bot,
                version,
                account,
                maker
            )
            .execute(&mut *tx)
            .await
            .map_err(|why| match why {
                why if Error::breaks(&why, "invitation_seats_of_people") => {
                    MatchError::SamePerson.into()
                }
                why => InvitationError::from(why),
            })?;
        }
        tell(&mut tx, id, maker, "invitation.make").await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Accepts an invitation; the last one who does begins the match. Whoever made it may have
    /// at most `people_matches_max` matches with people waiting or under way, and the game, whose
    /// rules `rules_of` knows, must be played as it was then.
    ///
    /// # Errors
    ///
    /// Where it is over, none of theirs, or the match cannot be made; then nothing has changed.
    pub async fn accept_invitation(
        &self,
        id: Uuid,
        account: Uuid,
        people_matches_max: i64,
        rules_of: impl Fn(&str) -> Option<u32>,
    ) -> Result<Accepted, InvitationError> {
        let mut tx = self.pool().begin().await?;
        hold(&mut tx, id).await?;
        let accepted = sqlx::query!(
            "update invitation_seats set accepted_at = coalesce(accepted_at, now())
             where invitation = $1 and account = $2",
            id,
            account
        )
        .execute(&mut *tx)
        .await?;
        if accepted.rows_affected() == 0 {
            return Err(InvitationError::Unknown);
        }
        let waits = sqlx::query_scalar!(
            r#"select exists (select from invitation_seats
                   where invitation = $1 and account is not null and accepted_at is null) as "waits!""#,
            id
        )
        .fetch_one(&mut *tx)
        .await?;
        let came_to = if waits {
            Accepted::Waits
        } else {
            let new = read_match(&mut tx, id).await?;
            if rules_of(&new.game) != Some(new.rules) {
                return Err(InvitationError::OtherRules);
            }
            if let Some(maker) = new.created_by {
                hold_maker(&mut tx, maker).await?;
                if waiting_of(&mut tx, maker, true).await? >= people_matches_max {
                    return Err(InvitationError::MakerBusy);
                }
            }
            let match_id = create_match(&mut tx, &new).await?;
            sqlx::query!(
                "update invitations set state = 'accepted', ended_at = now(), match = $2 where id = $1",
                id,
                match_id
            )
            .execute(&mut *tx)
            .await?;
            Accepted::Match(match_id)
        };
        tell(&mut tx, id, account, "invitation.accept").await?;
        tx.commit().await?;
        Ok(came_to)
    }

    /// Declines an invitation, which is over for all then.
    ///
    /// # Errors
    ///
    /// Where it is over, or none of theirs.
    pub async fn decline_invitation(&self, id: Uuid, account: Uuid) -> Result<(), InvitationError> {
        let mut tx = self.pool().begin().await?;
        hold(&mut tx, id).await?;
        let declined = sqlx::query!(
            "update invitations i set state = 'declined', ended_at = now(), ended_by = $2
             where i.id = $1 and i.created_by <> $2 and exists (
                 select from invitation_seats s where s.invitation = i.id and s.account = $2)",
            id,
            account
        )
        .execute(&mut *tx)
        .await?;
        if declined.rows_affected() == 0 {
            return Err(InvitationError::Unknown);
        }
        tell(&mut tx, id, account, "invitation.decline").await?;
        tx.commit().await?;
        Ok(())
    }

    /// Takes back an invitation that one has made.
    ///
    /// # Errors
    ///
    /// Where it is over, or somebody else's.
    pub async fn withdraw_invitation(
        &self,
        id: Uuid,
        account: Uuid,
    ) -> Result<(), InvitationError> {
        let mut tx = self.pool().begin().await?;
        hold(&mut tx, id).await?;
        let withdrawn = sqlx::query!(
            "update invitations set state = 'withdrawn', ended_at = now()
             where id = $1 and created_by = $2",
            id,
            account
        )
        .execute(&mut *tx)
        .await?;
        if withdrawn.rows_affected() == 0 {
            return Err(InvitationError::Unknown);
        }
        tell(&mut tx, id, account, "invitation.withdraw").await?;
        tx.commit().await?;
        Ok(())
    }

    /// Ends invitations that have run their time; says how many.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn expire_invitations(&self) -> Result<u32, Error> {
        let mut tx = self.pool().begin().await?;
        let gone = sqlx::query_scalar!(
            "update invitations set state = 'expired', ended_at = now() where id in (
                 select id from invitations where state = 'open' and expires_at < now()
                 order by expires_at limit $1 for update skip locked)
             returning id",
            EXPIRED_MAX
        )
        .fetch_all(&mut *tx)
        .await?;
        for id in &gone {
            let object = id.to_string();
            let act =
                Act { account: None, act: "invitation.expire", object: &object, detail: json!({}) };
            note(&mut tx, act).await?;
            tell_all(&mut tx, *id).await?;
        }
        tx.commit().await?;
        Ok(gone.len() as u32)
    }
}

/// Until the transaction ends, no other one counts what this account has begun: two at once cannot
/// pass a limit together.
async fn hold_maker(db: &mut PgConnection, maker: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("select id from accounts where id = $1 for no key update", maker)
        .fetch_optional(db)
        .await?;
    Ok(())
}

/// Locks an invitation that can still be answered.
async fn hold(db: &mut PgConnection, id: Uuid) -> Result<(), InvitationError> {
    let found = sqlx::query!(
        r#"select state as "state: InvitationState", expires_at < now() as "late!"
           from invitations where id = $1 for update"#,
        id
    )
    .fetch_optional(db)
    .await?
    .ok_or(InvitationError::Unknown)?;
    match found.state {
        InvitationState::Open if found.late => {
            Err(InvitationError::Over(InvitationState::Expired.as_str()))
        }
        InvitationState::Open => Ok(()),
        ended => Err(InvitationError::Over(ended.as_str())),
    }
}

async fn read_match(db: &mut PgConnection, id: Uuid) -> Result<NewMatch, InvitationError> {
    let row = sqlx::query!(
        "select game, rules, setup, preset, created_by from invitations where id = $1",
        id
    )
    .fetch_one(&mut *db)
    .await?;
    let seats = sqlx::query!(
        r#"select seat, bot, version, account as "account?" from invitation_seats
           where invitation = $1 order by seat"#,
        id
    )
    .fetch_all(db)
    .await?;
    let seats = seats.into_iter().map(|it| match (it.bot, it.version, it.account) {
        (Some(bot), Some(version), _) => Ok(NewSeat::Bot { bot, version }),
        (_, _, Some(account)) => Ok(NewSeat::Person { account }),
        _ => {
            let seat = Seat(it.seat as u8);
            Err(Error::damaged("invitation", id, format!("nobody is to sit on seat {}", seat.0)))
        }
    });
    Ok(NewMatch {
        game: row.game,
        rules: row.rules as u32,
        setup: row.setup,
        preset: row.preset,
        purpose: Purpose::Friendly,
        rated: false,
        created_by: Some(row.created_by),
        seats: seats.collect::<Result<Vec<_>, Error>>()?.into(),
    })
}

/// Notes who did what with an invitation, and tells all whom it concerns.
async fn tell(
    db: &mut PgConnection,
    id: Uuid,
    account: Uuid,
    act: &str,
) -> Result<(), sqlx::Error> {
    let object = id.to_string();
    let act = Act { account: Some(account), act, object: &object, detail: json!({}) };
    note(&mut *db, act).await?;
    tell_all(db, id).await
}

async fn tell_all(db: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    let concerned = sqlx::query_scalar!(
        r#"select created_by as "account!" from invitations where id = $1
           union select account from invitation_seats where invitation = $1 and account is not null"#,
        id
    );
    for account in concerned.fetch_all(&mut *db).await? {
        notify(&mut *db, Notice::Invitation(account)).await?;
    }
    Ok(())
}
