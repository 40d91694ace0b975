//! Round robins as they are typed: tables and JSON, progress, Ctrl-C, and that nobody holds one up.

#[path = "../common/mod.rs"]
mod common;
mod hostile;
mod kit;
mod tables;
mod terminal;
