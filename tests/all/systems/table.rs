//! The bench on which a game's rules and its reference are rolled side by side.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use rollbook::diagnostic::{Severity, SourceFile, render};
use rollbook::dice::{Bound, DrawError, Roller};
use rollbook::names::same;
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
    pub values: Vec<(&'static str, i64)>,
}

/// An outcome without flags.
pub fn says(outcome: Outcome, label: &'static str, margin: impl Into<Option<i64>>) -> Says {
    Says { outcome, label, margin: margin.into(), flags: Vec::new(), values: Vec::new() }
}

/// Faces in the order in which they fell; a reference takes them as its own rules ask for them.
pub struct Faces<'f> {
    fell: &'f [Fell],
    next: Cell<usize>,
    /// Whether a die of another size was asked for than fell.
    other: Cell<bool>,
}

/// A face, and the lowest and highest that its die has.
type Fell = (i64, i64, i64);

impl<'f> Faces<'f> {
    fn of(fell: &'f [Fell]) -> Faces<'f> {
        Faces { fell, next: Cell::new(0), other: Cell::new(false) }
    }

    /// Whether the game took just the dice that fell.
    fn fit(&self) -> bool {
        self.next.get() == self.fell.len() && !self.other.get()
    }

    /// The next face; a game that asks for more dice than were rolled gets 0, which no die shows.
    fn take(&self) -> i64 {
        let face = self.fell.get(self.next.get()).map_or(0, |(face, ..)| *face);
        self.next.set(self.next.get() + 1);
        face
    }

    /// The next face, of a die with so many sides.
    pub fn die(&self, sides: i64) -> i64 {
        self.between(1, sides)
    }

    /// The next face, of a die from this to that.
    pub fn between(&self, low: i64, high: i64) -> i64 {
        if self.fell.get(self.next.get()).is_none_or(|(_, lowest, highest)| (*lowest, *highest) != (low, high)) {
            self.other.set(true);
        }
        self.take()
    }

    /// The next so many faces, of dice with so many sides.
    pub fn dice(&self, count: i64, sides: i64) -> Vec<i64> {
        (0..count).map(|_| self.die(sides)).collect()
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
        if let Some(difference) = self.difference(&system(self.rules)) {
            panic!("{difference}");
        }
        for (written, edited) in edits {
            assert!(self.rules.contains(written), "{written:?} stands in the rules");
            let rules = self.rules.replacen(written, edited, 1);
            assert!(self.difference(&system(&rules)).is_some(), "{written:?} as {edited:?} made no difference");
        }
    }

    /// The first roll on which the two differ, in words.
    pub fn difference(&self, system: &System) -> Option<String> {
        let check = system.check(self.check).expect("the check");
        let mut dice = Dice::of(0x5eed);
        let mut attempts: HashMap<Vec<i64>, Attempt> = HashMap::new();
        for _ in 0..ROLLS {
            let values: Vec<i64> = self.varies.iter().map(|(_, low, high)| dice.pick(*low, *high)).collect();
            let attempt = attempts.entry(values.clone()).or_insert_with(|| self.attempt(check, &values));
            dice.fell.clear();
            let (roll, opposing) = attempt.roll(&mut dice).expect("dice that never run out");
            let verdict = check.verdict(attempt, &roll, opposing.as_ref());
            let faces = Faces::of(&dice.fell);
            let wanted = (self.reference)(&values, &faces);
            let judged = verdict.judged.as_ref().map(|judged| (judged.outcome, judged.label.as_str()));
            let same = judged == Some((wanted.outcome, wanted.label))
                && verdict.facts.margin == wanted.margin
                && verdict.flags == wanted.flags
                && verdict.values.iter().map(|(name, value)| (name.as_str(), *value)).eq(wanted.values.iter().copied())
                && faces.fit();
            if !same {
                let names: Vec<&str> = self.varies.iter().map(|(name, ..)| *name).collect();
                return Some(format!(
                    "{names:?} {values:?}, {}: the rules say {judged:?}, margin {:?}, flags {:?}, values {:?}; the game says {wanted:?} with {} of {} faces",
                    roll.explanation,
                    verdict.facts.margin,
                    verdict.flags,
                    verdict.values,
                    faces.next.get(),
                    dice.fell.len()
                ));
            }
        }
        None
    }

    /// How often the reference says what, when the rules' dice are rolled for these values: by outcome and label.
    pub fn tally(&self, values: &[i64]) -> BTreeMap<(String, String), u32> {
        let system = system(self.rules);
        let attempt = self.attempt(system.check(self.check).expect("the check"), values);
        let mut dice = Dice::of(0x0dd5);
        let mut times = BTreeMap::new();
        for _ in 0..ROLLS {
            dice.fell.clear();
            attempt.roll(&mut dice).expect("dice that never run out");
            let said = (self.reference)(values, &Faces::of(&dice.fell));
            *times.entry((said.outcome.as_str().replace(" ", "_"), said.label.to_owned())).or_default() += 1;
        }
        times
    }

    fn attempt(&self, check: &Check, values: &[i64]) -> Attempt {
        let lookup = |name: &str, _| {
            let place = self.varies.iter().position(|(own, ..)| same(own, name))?;
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
    fell: Vec<Fell>,
}

impl Dice {
    fn of(seed: u64) -> Dice {
        Dice { seed, fell: Vec::new() }
    }

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
        self.fell.push((face, low, high));
        Ok(face)
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        let place = Dice::pick(self, 0, i64::try_from(faces.len()).expect("a few") - 1);
        let face = faces[usize::try_from(place).expect("a place")];
        let ends = (faces.iter().min().copied(), faces.iter().max().copied());
        self.fell.push((face, ends.0.unwrap_or(0), ends.1.unwrap_or(0)));
        Ok(face)
    }
}
