//! What workers may say, what comes of it, and what they are told when it makes no sense.

mod blobs;
mod kit;
mod leases;
mod published;
mod reports;
mod serving;
mod watching;
