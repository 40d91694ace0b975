//! Postgres and blobs: people, bots, matches and the queue.
