//! Pages, asked as browsers ask: every route with what it is for, and with
//! what people and programs get wrong.

mod accounts;
mod kit;
mod refusals;
mod routes;
mod shown;
mod uploads;
