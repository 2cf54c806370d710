//! What a check reads of a roll. Rolls that are equal in this have the same verdict.

use std::collections::{BTreeMap, BTreeSet};

use crate::grammar::opposed::{Compared, Opposition};
use crate::grammar::tree::{Among, Choice, Expr, From, Measure, What, Which, Word};
use crate::language::checks::{Check, FollowUp};
use crate::resolve::attempt::Attempt;
use crate::when::facts::{DieFacts, Facts};
use crate::when::{NamedNumber, When};

/// What the rows and flags of a check read of a roll.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Reads {
    /// The sum of the kept dice.
    pub total: bool,
    /// The face of the first kept die.
    pub natural: bool,
    /// How many of the highest kept dice; [`EACH`]: every die by itself, kept or not.
    pub highest: usize,
    /// The lowest kept die.
    pub lowest: bool,
    /// Faces whose dice are counted, each up to a number from which more make no difference.
    pub faces: BTreeMap<i64, usize>,
    /// The successes by the check's Count.
    pub successes: bool,
    /// How many dice were rolled; the same for every way unless they explode.
    pub dice: bool,
    /// Which group has the highest dice.
    pub dominates: bool,
    /// The single faces of a die that exploded.
    pub chains: bool,
    /// Each opposing die by itself.
    pub opposing: bool,
    /// Symbols that are counted; where only two cancel each other, their difference.
    pub symbols: BTreeSet<SymbolCount>,
    /// Whether it matters which group a die is in.
    pub groups: bool,
}

/// Every die by itself, in any order.
pub(super) const EACH: usize = usize::MAX;

/// Some symbols, and what each counts.
pub(super) type SymbolCount = Vec<(char, i64)>;

impl Reads {
    pub fn new(check: &Check, attempt: &Attempt) -> Self {
        let known = Facts {
            values: attempt.values.clone(),
            ..Facts::default()
        };
        let mut reads = Self {
            natural: !check.shifts.is_empty(),
            ..Self::default()
        };
        if check.rows.is_empty() {
            reads.measure(&Measure::plain(Word::Margin), check);
        }
        for test in check.conditions().flat_map(When::tests) {
            match test.stretch(&known) {
                // From some number on, more make no difference.
                Some((
                    Measure {
                        what: What::Face(face),
                        label,
                    },
                    low,
                    high,
                )) => {
                    reads.groups |= label.is_some();
                    let end = if high == i64::MAX {
                        low
                    } else {
                        high.saturating_add(1)
                    };
                    reads.count_face(*face, Some(usize::try_from(end).unwrap_or(0)));
                }
                _ => test
                    .measures()
                    .into_iter()
                    .for_each(|measure| reads.measure(measure, check)),
            }
        }
        reads
    }

    /// Adds what its values read.
    pub fn and_values(mut self, check: &Check) -> Self {
        for measure in check.values.iter().flat_map(NamedNumber::measures) {
            self.measure(measure, check);
        }
        self
    }

    /// Adds the faces that are kept where others are rolled again.
    pub fn and_kept(mut self, rule: &FollowUp) -> Self {
        self.groups |= !rule.some_dice().is_empty();
        rule.some_dice()
            .iter()
            .filter_map(|dice| dice.face)
            .for_each(|face| self.count_face(face, None));
        self
    }

    /// Adds what is compared with the target, and between two rolls against each other.
    pub fn and_result(mut self, check: &Check, decided: &Opposition) -> Self {
        self.measure(&Measure::plain(Word::Margin), check);
        if decided
            .by
            .iter()
            .any(|comparison| comparison.what == Compared::Total)
        {
            self.measure(&Measure::plain(Word::Total), check);
        }
        self
    }

    /// Whether only sums over all dice are read.
    pub fn is_of_sums(&self) -> bool {
        let Self {
            total,
            successes,
            dice,
            opposing,
            ..
        } = *self;
        let (faces, symbols) = (self.faces.clone(), self.symbols.clone());
        *self
            == Self {
                total,
                successes,
                dice,
                opposing,
                faces,
                symbols,
                ..Self::default()
            }
    }

    /// The sums of a roll with this total.
    pub fn sums(&self, facts: &Facts, total: i64) -> Vec<i64> {
        let many = |wanted: &dyn Fn(&DieFacts) -> i64| {
            facts.dice.iter().map(wanted).fold(0, i64::saturating_add)
        };
        let kept = |die: &DieFacts, letter: char| {
            die.symbols.matches(letter).count() as i64 * i64::from(die.kept)
        };
        let mut sums = vec![many(&|_| i64::from(self.dice))];
        sums.extend(self.total.then_some(total));
        sums.extend(facts.successes.filter(|_| self.successes));
        sums.extend(
            self.faces
                .keys()
                .map(|face| many(&|die| i64::from(die.number == Some(*face)))),
        );
        let symbols = self.symbols.iter();
        sums.extend(symbols.map(|count| {
            many(&|die| {
                count
                    .iter()
                    .map(|(letter, each)| each * kept(die, *letter))
                    .sum()
            })
        }));
        sums
    }

    /// Counts dice that show this face, up to a number if any.
    fn count_face(&mut self, face: i64, most: Option<usize>) {
        let known = self.faces.entry(face).or_default();
        *known = (*known).max(most.unwrap_or(usize::MAX));
    }

    /// Counts a symbol after cancellations. Where it cancels with one other alone, their difference
    /// is enough; else all symbols that are connected with it are counted.
    fn count_symbol(&mut self, letter: char, check: &Check) {
        let pairs = |letter: char| {
            let pairs = check
                .cancels
                .iter()
                .filter(move |(one, other)| *one == letter || *other == letter);
            pairs
                .map(move |(one, other)| if *one == letter { *other } else { *one })
                .collect::<BTreeSet<char>>()
        };
        let against = pairs(letter);
        if let (Some(other), 1) = (against.first(), against.len())
            && pairs(*other).len() == 1
        {
            self.symbols
                .insert(vec![(letter.min(*other), 1), (letter.max(*other), -1)]);
            return;
        }
        let (mut all, mut open) = (BTreeSet::new(), vec![letter]);
        while let Some(next) = open.pop() {
            if all.insert(next) {
                open.extend(pairs(next));
            }
        }
        self.symbols
            .extend(all.into_iter().map(|letter| vec![(letter, 1)]));
    }

    /// Adds what a measure reads. A Result replaces the total, also in the margin and in `beaten`.
    fn measure(&mut self, measure: &Measure, check: &Check) {
        match check
            .result
            .as_ref()
            .filter(|_| measure.is_one_of(&[Word::Total, Word::Margin, Word::Beaten]))
        {
            Some(result) => {
                self.opposing |= measure.is_one_of(&[Word::Beaten]);
                result
                    .measures()
                    .into_iter()
                    .for_each(|measure| self.rolled(measure, check));
            }
            None => self.rolled(measure, check),
        }
    }

    fn rolled(&mut self, measure: &Measure, check: &Check) {
        self.groups |= measure.label.is_some();
        match &measure.what {
            What::Symbol(letter) => {
                let letter = letter.chars().next().unwrap_or_default();
                match measure.label {
                    None => self.count_symbol(letter, check),
                    Some(_) => drop(self.symbols.insert(vec![(letter, 1)])),
                }
            }
            What::Of(choice, among) => self.choice(*choice, among, check),
            What::Face(face) => self.count_face(*face, None),
            What::Word(word) => self.word(*word, check),
        }
    }

    /// Adds what a function of some dice reads: every die by itself, where less is not enough.
    fn choice(&mut self, choice: Choice, among: &Among, check: &Check) {
        match (choice, among) {
            (_, Among::Natural) | (Choice::Digit, _) => self.natural = true,
            (
                Choice::Sum | Choice::Size,
                Among::Dice {
                    from: From::Kept,
                    which: Some(Which::Highest(Expr::Number(many))),
                },
            ) => {
                self.highest = self.highest.max(usize::try_from(*many).unwrap_or(0));
            }
            (
                Choice::Count,
                Among::Dice {
                    from,
                    which: Some(Which::Showing(range)),
                },
            ) if *from == From::All || (*from == From::Kept && !check.roll.keeps()) => {
                match range
                    .whole_numbers(&Facts::default())
                    .filter(|_| range.variables().is_empty())
                {
                    Some((low, high))
                        if (0 <= low || low == i64::MIN)
                            && (high <= FACE_MAX || high == i64::MAX) =>
                    {
                        (low.max(0)..=high.min(FACE_MAX))
                            .for_each(|face| self.count_face(face, None));
                    }
                    _ => self.highest = EACH,
                }
            }
            _ => self.highest = EACH,
        }
    }

    fn word(&mut self, word: Word, check: &Check) {
        match word {
            Word::Total => self.total = true,
            Word::Margin | Word::Successes if check.count.is_some() => self.successes = true,
            Word::Margin | Word::Successes => self.total = true,
            Word::Natural => self.natural = true,
            Word::Highest => self.highest = self.highest.max(1),
            Word::Width | Word::Height => self.highest = EACH,
            Word::Dominates => self.dominates = true,
            Word::Doubled => (self.highest, self.chains) = (EACH, true),
            Word::Lowest => self.lowest = true,
            Word::Beaten => (self.total, self.opposing) = (true, true),
            Word::Matches => self.opposing = true,
            Word::Dice => self.dice = true,
            Word::Pool | Word::Target => {}
        }
    }
}

/// The highest face that is counted by itself.
const FACE_MAX: i64 = 100;
