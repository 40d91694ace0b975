//! Drives a referee with jailed processes, and builds uploads.
