//! Any text as System.md: never a panic, never a hang; every remark can be drawn.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rollbook::diagnostic::{SourceFile, render};
use rollbook::rules::{read, understood};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let reading = read(vec![SourceFile::new("System.md", text)]);
    let _ = render::human(&reading.diagnostics, &reading.sources, false);
    let _ = render::plain(&reading.diagnostics, &reading.sources);
    let _ = understood(&reading);
});
