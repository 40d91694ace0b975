//! See the target `dialect` of the crate `fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::run("dialect", bytes));
