//! The agon binary.

fn main() {}
