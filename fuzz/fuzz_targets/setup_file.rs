//! See the target `setup_file` of the crate `fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::run("setup_file", bytes));
