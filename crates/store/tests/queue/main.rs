//! The queue against a real Postgres: nothing is lost, doubled, or credited to the wrong one.

mod collecting;
mod counting;
mod invitations;
mod kit;
mod ladder;
mod leasing;
mod losing;
mod people;
mod plies;
mod rebuilding;
mod waiting;
