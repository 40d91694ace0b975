//! See the target `labyrinth` of the crate `fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::run("labyrinth", bytes));
