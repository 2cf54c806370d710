//! Rules that nobody would write: bytes at random, and the shipped rules with something torn out,
//! doubled or written over.

use std::path::Path;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::anything::exercise;

/// Generous, since test machines are slow and shared: what takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(20);

fn in_time(bytes: &[u8]) -> usize {
    let begun = Instant::now();
    let rolled = exercise(bytes);
    assert!(
        begun.elapsed() < PATIENCE,
        "{:?} for {:?}",
        begun.elapsed(),
        String::from_utf8_lossy(bytes)
    );
    rolled
}

fn shipped() -> Vec<Vec<u8>> {
    let adventures = Path::new(env!("CARGO_MANIFEST_DIR")).join("adventures");
    let folders = std::fs::read_dir(adventures)
        .expect("adventures")
        .map(|entry| entry.expect("a folder").path());
    let mut all: Vec<_> = folders
        .map(|folder| std::fs::read(folder.join("System.md")).expect("rules"))
        .collect();
    all.sort();
    all
}

#[test]
fn the_shipped_rules_are_rolled() {
    for bytes in shipped() {
        assert!(in_time(&bytes) > 0, "{}", String::from_utf8_lossy(&bytes));
    }
}

/// Where, how much, and what is written there instead.
fn slip() -> impl Strategy<Value = (prop::sample::Index, usize, Vec<u8>)> {
    let pieces = [
        "",
        "9",
        "-",
        "{",
        "}",
        "`",
        "|",
        "\n",
        "\n## ",
        "d",
        "999999999999",
        "!",
        "kh",
        "(",
        "\u{202e}",
        "é",
        "\0",
    ];
    let piece = prop_oneof![
        3 => prop::sample::select(pieces.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
    ];
    (any::<prop::sample::Index>(), 0usize..40, piece)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_and_played(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        in_time(&bytes);
    }

    #[test]
    fn rules_with_slips_are_read_and_played(which in 0usize..8, slips in prop::collection::vec(slip(), 1..12)) {
        let all = shipped();
        let mut bytes = all[which % all.len()].clone();
        for (place, length, piece) in slips {
            let start = place.index(bytes.len() + 1);
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, piece);
        }
        in_time(&bytes);
    }
}
