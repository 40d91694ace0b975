//! The queue against a real Postgres: nothing is lost, doubled, or credited to the wrong one.

mod collecting;
mod counting;
mod kit;
mod ladder;
mod leasing;
mod losing;
mod plies;
mod rebuilding;
mod waiting;
