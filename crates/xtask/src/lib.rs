//! Chores of the repository: checks of its own rules, the web bundle, measurements.
//!
//! This crate knows the shape of the tree and none of the product: it imports no crate of
//! ours, so that a chore still runs when what it looks at does not build.

pub mod assets;
pub mod measure;
pub mod tidy;
pub mod tree;
