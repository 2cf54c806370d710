//! The adventures of this repository, read as they lie there: every check that decides something,
//! against plain Rust.
//!
//! Three proofs of each check. The differential run finds no disagreement in 20,000 rolls. Every
//! slip of an author's pen in its table ([`slips`]) makes it find one, but for those that change
//! nothing, which are listed with the reason. And the exact odds of the command line sum to one and
//! agree with how often the reference says what.

mod down_special;
mod last_queen;
mod lockhouse;
mod long_pour;
mod name_auction;
mod ninth_reel;
mod quorum;
mod six_covers;

use std::path::Path;

use num_bigint::BigUint;
use rollbook_rules::read;
use rollbook_text::diagnostic::SourceFile;
use serde_json::Value;

use super::edits::slips;
use super::table::{Faces, Game, ROLLS, Says};
use crate::process::rollbook;

/// One check of a shipped adventure.
struct Shipped {
    adventure: &'static str,
    check: &'static str,
    /// Each variable with its lowest and highest value.
    varies: &'static [(&'static str, i64, i64)],
    reference: fn(&[i64], &Faces<'_>) -> Says,
    /// Slips after which the table says the same as before.
    harmless: &'static [&'static str],
    /// Values of the variables, and the same as a user at the shell writes it.
    odds: &'static [(&'static [i64], &'static [&'static str])],
}

impl Shipped {
    #[track_caller]
    fn holds(&self) {
        let rules = std::fs::read_to_string(self.folder().join("System.md")).expect("rules");
        let game = Game {
            rules: &rules,
            check: self.check,
            varies: self.varies,
            reference: self.reference,
        };
        game.holds(&[]);
        let unseen: Vec<String> = self
            .slips(&rules)
            .into_iter()
            .filter(|(_, edited)| {
                let system = read(vec![SourceFile::new("System.md", edited.as_str())]).system;
                game.difference(&system).is_none()
            })
            .map(|(slip, _)| slip)
            .collect();
        assert_eq!(
            unseen, self.harmless,
            "{}, {}: slips that made no difference",
            self.adventure, self.check
        );
        for (values, words) in self.odds {
            self.agree(&game, values, words);
        }
    }

    /// None where the adventure leaves the table to the program.
    fn slips(&self, rules: &str) -> Vec<(String, String)> {
        if rules.contains(&format!("### {}\n", self.check)) {
            slips(rules, self.check)
        } else {
            Vec::new()
        }
    }

    fn folder(&self) -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("adventures")
            .join(self.adventure)
    }

    /// The exact odds sum to one, and each lies near how often it came.
    fn agree(&self, game: &Game<'_>, values: &[i64], words: &[&str]) {
        let exact = self.exact(words);
        let came = game.tally(values);
        for key in came.keys() {
            assert!(
                exact.iter().any(|(row, _)| row == key),
                "{words:?}: {key:?} came and has no odds: {exact:?}"
            );
        }
        for (key, chance) in &exact {
            let times = f64::from(came.get(key).copied().unwrap_or(0));
            let expected = chance * f64::from(ROLLS);
            let off = (times - expected).abs();
            assert!(
                off <= allowed(*chance),
                "{words:?}: {key:?} came {times} times and was expected {expected} times"
            );
        }
    }

    /// Each outcome and label with its chance, as `rollbook odds` says it.
    fn exact(&self, words: &[&str]) -> Vec<((String, String), f64)> {
        let mut command = rollbook(&self.folder());
        let output = command
            .args(["odds", "--json", "--check", self.check])
            .args(words)
            .output()
            .expect("it runs");
        let json: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{words:?}: {}", String::from_utf8_lossy(&output.stderr)));
        let found = &json["odds"][0];
        let mut sum = fraction(&found["cut_off"]);
        let mut all: Vec<((String, String), f64)> = Vec::new();
        for row in found["outcomes"].as_array().expect("outcomes") {
            let text = |name: &str| row[name].as_str().expect("text").to_owned();
            let key = (text("outcome"), text("label"));
            let chance = fraction(&row["chance"]);
            let share = row["chance"]["decimal"]
                .as_str()
                .and_then(|share| share.parse().ok())
                .expect("a number");
            match all.iter_mut().find(|(row, _)| *row == key) {
                Some((_, sum)) => *sum += share,
                None => all.push((key, share)),
            }
            sum = (&sum.0 * &chance.1 + &chance.0 * &sum.1, sum.1 * chance.1);
        }
        assert_eq!(
            sum.0, sum.1,
            "{words:?}: the odds sum to one, what is cut off included"
        );
        all
    }
}

/// Numerator and denominator.
fn fraction(value: &Value) -> (BigUint, BigUint) {
    let part = |name: &str| {
        value[name]
            .as_str()
            .and_then(|text| text.parse().ok())
            .expect("digits")
    };
    (part("numerator"), part("denominator"))
}

/// How far from its expectation a count may be, by Bernstein's inequality: sound odds go beyond it with a chance of less
/// than one in a million for each outcome, so less than one in five thousand for all adventures together. The seed is
/// fixed, so who sees it once sees it always.
fn allowed(chance: f64) -> f64 {
    let variance = f64::from(ROLLS) * chance * (1.0 - chance);
    let depth = (2.0e6_f64).ln();
    // The decimals of the command end at the sixth.
    depth / 3.0 + (depth * depth / 9.0 + 2.0 * depth * variance).sqrt() + f64::from(ROLLS) * 1e-6
}

#[test]
fn odds_of_another_character_do_not_agree() {
    let off_by_one = f64::from(ROLLS) / 20.0;
    assert!(
        allowed(0.5) < off_by_one,
        "a bonus of one on a d20 is seen: {} {off_by_one}",
        allowed(0.5)
    );
}
