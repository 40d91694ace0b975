//! What stands around every page: head, way around, foot, and news of what was just done.

use std::sync::Arc;

use store::{Account, Role};

use crate::{
    AppState,
    pages::{Assets, Catalogue, Game},
};

/// All that the layout needs to know.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) who: Option<Account>,
    /// How much waits for them: invitations, and matches they play in.
    pub(crate) calls: i64,
    /// Path of the page, without its query.
    pub(crate) path: String,
    pub(crate) news: Option<News>,
    pub(crate) assets: Arc<Assets>,
    pub(crate) catalogue: Arc<Catalogue>,
}

impl Frame {
    /// For a page that must do without the database.
    pub(crate) fn for_nobody(state: &AppState, path: &str) -> Frame {
        Frame {
            who: None,
            calls: 0,
            path: path.to_owned(),
            news: None,
            assets: Arc::clone(&state.site.assets),
            catalogue: Arc::clone(&state.site.catalogue),
        }
    }

    /// Whether the page is `path` or lies below it.
    pub(crate) fn is_at(&self, path: &str) -> bool {
        self.path.strip_prefix(path).is_some_and(|it| it.is_empty() || it.starts_with('/'))
    }

    /// Whether the page is about this game.
    pub(crate) fn is_at_game(&self, id: &str) -> bool {
        self.is_at(&format!("/games/{id}"))
    }

    pub(crate) fn games(&self) -> &[Game] {
        self.catalogue.games()
    }

    /// Whether the visitor runs contests.
    pub(crate) fn organises(&self) -> bool {
        self.who.as_ref().is_some_and(|it| it.role.organises())
    }

    pub(crate) fn is_admin(&self) -> bool {
        self.who.as_ref().is_some_and(|it| it.role == Role::Admin)
    }
}

/// What was just done, told on the page that follows. Travels as `?done=` in the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    Welcome,
    SignedIn,
    SignedOut,
    PasswordChanged,
    SessionEnded,
    OtherSessionsEnded,
    Uploaded,
    VersionChosen,
    Benched,
    Activated,
    MatchStarted,
    Invited,
    Accepted,
    Declined,
    Withdrawn,
    PoolMade,
    PoolChanged,
    PoolDeleted,
    SetupsKept,
    SetupRemoved,
    TokenRevoked,
}

impl News {
    const ALL: [News; 21] = [
        News::Welcome,
        News::SignedIn,
        News::SignedOut,
        News::PasswordChanged,
        News::SessionEnded,
        News::OtherSessionsEnded,
        News::Uploaded,
        News::VersionChosen,
        News::Benched,
        News::Activated,
        News::MatchStarted,
        News::Invited,
        News::Accepted,
        News::Declined,
        News::Withdrawn,
        News::PoolMade,
        News::PoolChanged,
        News::PoolDeleted,
        News::SetupsKept,
        News::SetupRemoved,
        News::TokenRevoked,
    ];

    /// As in an address.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            News::Welcome => "welcome",
            News::SignedIn => "signed-in",
            News::SignedOut => "signed-out",
            News::PasswordChanged => "password-changed",
            News::SessionEnded => "session-ended",
            News::OtherSessionsEnded => "other-sessions-ended",
            News::Uploaded => "uploaded",
            News::VersionChosen => "version-chosen",
            News::Benched => "benched",
            News::Activated => "activated",
            News::MatchStarted => "match-started",
            News::Invited => "invited",
            News::Accepted => "accepted",
            News::Declined => "declined",
            News::Withdrawn => "withdrawn",
            News::PoolMade => "pool-made",
            News::PoolChanged => "pool-changed",
            News::PoolDeleted => "pool-deleted",
            News::SetupsKept => "setups-kept",
            News::SetupRemoved => "setup-removed",
            News::TokenRevoked => "token-revoked",
        }
    }

    /// The news that the query of an address carries.
    pub(crate) fn of_query(query: Option<&str>) -> Option<News> {
        let done = query?.split('&').find_map(|it| it.strip_prefix("done="))?;
        News::ALL.into_iter().find(|it| it.as_str() == done)
    }

    /// For the visitor.
    pub(crate) fn words(self) -> &'static str {
        match self {
            News::Welcome => {
                "Welcome to Agon. Your account is ready; the next step is your first bot."
            }
            News::SignedIn => "You are signed in.",
            News::SignedOut => "You are signed out.",
            News::PasswordChanged => {
                "Your password is changed, and every other device is signed out."
            }
            News::SessionEnded => "That device is signed out.",
            News::OtherSessionsEnded => "Every other device is signed out.",
            News::Uploaded => {
                "Uploaded. A worker compiles it and asks it its first questions; this page follows."
            }
            News::VersionChosen => "From the next match on, the bot plays with that version.",
            News::Benched => {
                "The bot is off the ladder. Matches under way are played to their end."
            }
            News::Activated => "The bot is on its way back to the ladder.",
            News::MatchStarted => "The match is made; this page follows it.",
            News::Invited => "The invitation is out. The match begins when everybody has accepted.",
            News::Accepted => "You have accepted. The match begins when the others have, too.",
            News::Declined => "You have declined, and the match will not be played.",
            News::Withdrawn => "The invitation is withdrawn.",
            News::TokenRevoked => "The token is revoked, and good no more.",
            News::PoolMade => "The pool is there, and empty. Put something into it.",
            News::PoolChanged => "The pool is changed.",
            News::PoolDeleted => "The pool is deleted. Matches that were played on it are kept.",
            News::SetupsKept => "It is in the pool.",
            News::SetupRemoved => "It is out of the pool. Matches that were played on it are kept.",
        }
    }
}
