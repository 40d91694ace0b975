//! Chores of the repository: tidy, assets, measurements.

fn main() {}
