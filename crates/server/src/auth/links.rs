//! Links that let their holder set a password once: for the first admin, and
//! for people who have forgotten theirs.

use chrono::{TimeDelta, Utc};
use sha2::{Digest, Sha256};
use store::{AccountError, Store};
use uuid::Uuid;

use super::{
    names::key_of,
    session::{Token, random_token},
};

/// Name of the account that a server makes at its first start.
pub const FIRST_ADMIN_NAME: &str = "admin";
/// How long a link is good.
const LINK_HOURS: i64 = 72;

/// The end of the link (`{public_url}/setup/{token}`) through which the first
/// admin comes in; nothing once an admin can sign in. Each call makes a new
/// link, and the one before it ends.
///
/// # Errors
///
/// Where the database fails, or somebody else is called `admin`.
pub async fn first_admin(store: &Store) -> Result<Option<String>, AccountError> {
    match store.first_admin(FIRST_ADMIN_NAME).await? {
        Some(account) => Ok(Some(make_link(store, account).await?)),
        None => Ok(None),
    }
}

/// The end of a link (`{public_url}/setup/{token}`) through which the password
/// of `account` can be set once, within three days.
///
/// # Errors
///
/// Where the database fails.
pub async fn make_link(store: &Store, account: Uuid) -> Result<String, store::Error> {
    let Token { text, digest } = random_token()?;
    store.create_link(account, digest, Utc::now() + TimeDelta::hours(LINK_HOURS)).await?;
    Ok(text)
}

/// The account of this name, however it is written.
///
/// # Errors
///
/// Where the database fails.
pub async fn find_account(store: &Store, name: &str) -> Result<Option<Uuid>, store::Error> {
    Ok(store.credentials(&key_of(name)).await?.map(|it| it.account))
}

/// What a link is kept as.
pub(crate) fn link_digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
