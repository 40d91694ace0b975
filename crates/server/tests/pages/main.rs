//! Pages, asked as browsers ask: every route with what it is for, and with
//! what people and programs get wrong.

mod accounts;
#[path = "../../../sources/tests/kit/mod.rs"]
#[allow(dead_code, reason = "not every lie is told here")]
mod archive_kit;
mod archives;
mod kit;
mod people;
mod pools;
mod refusals;
mod routes;
mod shown;
mod uploads;
