//! Any bytes as System.md: never a panic, never a hang; every remark can be drawn, and a check of
//! it can be made.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/all/author/anything.rs"]
mod anything;
#[path = "../../tests/all/author/faces.rs"]
mod faces;

fuzz_target!(|bytes: &[u8]| {
    anything::exercise(bytes);
});
