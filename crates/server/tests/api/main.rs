//! The API, asked as programs ask: every operation by everybody, and with what programs get wrong.

mod document;
#[path = "../pages/kit.rs"]
#[allow(dead_code, reason = "the pages' tests use more of it")]
mod kit;
mod lists;
mod once;
mod program;
mod roles;
mod tokens;
