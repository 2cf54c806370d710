//! The bench on which a game's rules and its reference are rolled side by side.

use std::cell::Cell;
use std::collections::HashMap;

use rollbook::diagnostic::{Severity, SourceFile, render};
use rollbook::dice::{Bound, DrawError, Roller};
use rollbook::names::fold;
use rollbook::rules::{Attempt, Check, Means, Outcome, System, read};

/// Rolls of each game.
pub const ROLLS: u32 = 20_000;

/// What a game says of a roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Says {
    pub outcome: Outcome,
    pub label: &'static str,
    pub margin: Option<i64>,
    pub flags: Vec<&'static str>,
}

/// An outcome without flags.
pub fn says(outcome: Outcome, label: &'static str, margin: impl Into<Option<i64>>) -> Says {
    Says { outcome, label, margin: margin.into(), flags: Vec::new() }
}

/// Faces in the order in which they fell; a reference takes them as its own rules ask for them.
pub struct Faces<'f> {
    faces: &'f [i64],
    next: Cell<usize>,
}

impl Faces<'_> {
    /// The next face; a game that asks for more dice than were rolled gets 0, which no die shows.
    pub fn take(&self) -> i64 {
        let face = self.faces.get(self.next.get()).copied().unwrap_or(0);
        self.next.set(self.next.get() + 1);
        face
    }

    /// The next so many faces.
    pub fn many(&self, count: i64) -> Vec<i64> {
        (0..count).map(|_| self.take()).collect()
    }
}

/// One game: the rules, what varies and how far, and the reference.
pub struct Game<'g> {
    pub rules: &'g str,
    pub check: &'g str,
    /// Each variable with its lowest and highest value, both tried.
    pub varies: &'g [(&'g str, i64, i64)],
    /// What the game says, given the variables in that order and the faces.
    pub reference: fn(&[i64], &Faces<'_>) -> Says,
}

impl Game<'_> {
    /// Both say the same, twenty thousand times, and each edit of the table makes them differ.
    #[track_caller]
    pub fn holds(&self, edits: &[(&str, &str)]) {
        if let Some(difference) = self.differences(self.rules).into_iter().next() {
            panic!("{difference}");
        }
        for (written, edited) in edits {
            assert!(self.rules.contains(written), "{written:?} stands in the rules");
            let rules = self.rules.replacen(written, edited, 1);
            assert!(!self.differences(&rules).is_empty(), "{written:?} as {edited:?} made no difference");
        }
    }

    /// Rolls on which the two differ, in words; at most one, since one is enough.
    fn differences(&self, rules: &str) -> Vec<String> {
        let system = system(rules);
        let check = system.check(self.check).expect("the check");
        let mut dice = Dice { seed: 0x5eed, faces: Vec::new() };
        let mut attempts: HashMap<Vec<i64>, Attempt> = HashMap::new();
        for _ in 0..ROLLS {
            let values: Vec<i64> = self.varies.iter().map(|(_, low, high)| dice.pick(*low, *high)).collect();
            let attempt = attempts.entry(values.clone()).or_insert_with(|| self.attempt(check, &values));
            dice.faces.clear();
            let (roll, opposing) = attempt.roll(&mut dice).expect("dice that never run out");
            let verdict = check.verdict(attempt, &roll, opposing.as_ref());
            let faces = Faces { faces: &dice.faces, next: Cell::new(0) };
            let wanted = (self.reference)(&values, &faces);
            let judged = verdict.judged.as_ref().expect("an outcome");
            let same = (judged.outcome, judged.label.as_str()) == (wanted.outcome, wanted.label)
                && verdict.facts.margin == wanted.margin
                && verdict.flags == wanted.flags
                && faces.next.get() == dice.faces.len();
            if !same {
                let names: Vec<&str> = self.varies.iter().map(|(name, ..)| *name).collect();
                return vec![format!(
                    "{names:?} {values:?}, {}: the rules say {} ({}), margin {:?}, flags {:?}; the game says {wanted:?} with {} of {} faces",
                    roll.explanation,
                    judged.label,
                    judged.outcome,
                    verdict.facts.margin,
                    verdict.flags,
                    faces.next.get(),
                    dice.faces.len()
                )];
            }
        }
        Vec::new()
    }

    fn attempt(&self, check: &Check, values: &[i64]) -> Attempt {
        let lookup = |name: &str, _| {
            let place = self.varies.iter().position(|(own, ..)| fold(own) == fold(name))?;
            values.get(place).copied().map(Bound::Number)
        };
        check.attempt(&Means { lookup: &lookup, extra: 0, targeted: true }).expect("an attempt")
    }
}

/// The rules, in which nothing may be wrong.
pub fn system(rules: &str) -> System {
    let reading = read(vec![SourceFile::new("System.md", rules)]);
    let remarks = render::plain(&reading.diagnostics, &reading.sources);
    assert_eq!(reading.count(Severity::Error), 0, "{remarks}");
    reading.system
}

/// Dice of a fixed seed that remember their faces.
struct Dice {
    seed: u64,
    faces: Vec<i64>,
}

impl Dice {
    /// SplitMix64, by Steele, Lea and Flood; its low bits are good enough for a remainder.
    fn pick(&mut self, low: i64, high: i64) -> i64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        low + i64::try_from(z % u64::try_from(high - low + 1).expect("a range")).expect("a small number")
    }
}

impl Roller for Dice {
    fn source(&self) -> &'static str {
        "seeded"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        let face = self.pick(low, high);
        self.faces.push(face);
        Ok(face)
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        let place = Dice::pick(self, 0, i64::try_from(faces.len()).expect("a few") - 1);
        let face = faces[usize::try_from(place).expect("a place")];
        self.faces.push(face);
        Ok(face)
    }
}
