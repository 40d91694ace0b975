//! See the target `record_file` of the crate `fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::run("record_file", bytes));
