//! Who is who: names, passwords, sessions, one-time links, and how often one may try.

mod limits;
mod links;
mod names;
mod password;
mod session;
mod tokens;

pub(crate) use self::{
    limits::{Act, Limits, TooMany, network},
    links::link_digest,
    names::{Name, key_of},
    password::{PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN, Passwords, complaint},
    session::{CookieRules, SignedIn, close_session, open_session},
    tokens::{TokenRequest, api_token_digest, make_token},
};
pub use self::{
    links::{FIRST_ADMIN_NAME, find_account, first_admin, make_link},
    password::PasswordError,
};
