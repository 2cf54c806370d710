//! What a check looks at in a roll: two rolls that show the same of it come to the same.

use std::collections::{BTreeMap, BTreeSet};

use crate::grammar::opposed::Opposition;
use crate::grammar::tree::{Among, Choice, Expr, From, Measure, What, Which, Word};
use crate::language::checks::{Check, FollowUp};
use crate::resolve::attempt::Attempt;
use crate::when::facts::{DieFacts, Facts};
use crate::when::{Named, When};

/// What a check looks at in a roll, whichever row or flag does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Reads {
    /// What the kept dice add up to.
    pub total: bool,
    /// The face of the first kept die.
    pub natural: bool,
    /// So many of the highest kept dice; [`EACH`] is every die by itself, kept or not.
    pub highest: usize,
    /// The lowest kept die.
    pub lowest: bool,
    /// Faces of which the dice that show them are counted, each up to a number: so many and more of them are all the same.
    pub faces: BTreeMap<i64, usize>,
    /// The successes by the check's Count.
    pub successes: bool,
    /// How many dice were rolled; the same for every way unless they explode.
    pub dice: bool,
    /// Which group has the highest dice.
    pub dominates: bool,
    /// The faces of which a die that exploded is made up.
    pub chains: bool,
    /// Each opposing die by itself.
    pub opposing: bool,
    /// Symbols of which are counted how many fell; where only two cancel each other, how many more of the one than of the other.
    pub symbols: BTreeSet<SymbolCount>,
    /// Whether it matters in which group something fell.
    pub groups: bool,
}

/// Every die by itself, in whatever order.
pub(super) const EACH: usize = usize::MAX;

/// What each of some symbols counts.
pub(super) type SymbolCount = Vec<(char, i64)>;

impl Reads {
    pub fn of(check: &Check, attempt: &Attempt) -> Self {
        let known = Facts { values: attempt.values.clone(), ..Facts::default() };
        let mut reads = Self { natural: !check.shifts.is_empty(), ..Self::default() };
        if check.rows.is_empty() {
            reads.measure(&Measure::plain(Word::Margin), check);
        }
        for test in check.conditions().flat_map(When::tests) {
            match test.stretch(&known) {
                // From some number on it makes no difference how many more there are.
                Some((Measure { what: What::Face(face), label }, low, high)) => {
                    reads.groups |= label.is_some();
                    let end = if high == i64::MAX { low } else { high.saturating_add(1) };
                    reads.count_face(*face, Some(usize::try_from(end).unwrap_or(0)));
                }
                _ => test.measures().into_iter().for_each(|own| reads.measure(own, check)),
            }
        }
        reads
    }

    /// With what its values are worked out from, each of which is shown.
    pub fn and_values(mut self, check: &Check) -> Self {
        for measure in check.values.iter().flat_map(Named::measures) {
            self.measure(measure, check);
        }
        self
    }

    /// With the faces that stay where others are rolled again.
    pub fn and_kept(mut self, rule: &FollowUp) -> Self {
        self.groups |= !rule.some_dice().is_empty();
        rule.some_dice().iter().filter_map(|dice| dice.face).for_each(|face| self.count_face(face, None));
        self
    }

    /// With what the check compares with its target, and two who roll against each other with one another.
    pub fn and_result(mut self, check: &Check, decided: &Opposition) -> Self {
        self.measure(&Measure::plain(Word::Margin), check);
        if decided.compares_totals() {
            self.measure(&Measure::plain(Word::Total), check);
        }
        self
    }

    /// Whether nothing is looked at but sums over all dice.
    pub fn is_of_sums(&self) -> bool {
        let Self { total, successes, dice, opposing, .. } = *self;
        let (faces, symbols) = (self.faces.clone(), self.symbols.clone());
        *self == Self { total, successes, dice, opposing, faces, symbols, ..Self::default() }
    }

    /// These sums, of a roll that comes to this total.
    pub fn sums(&self, facts: &Facts, total: i64) -> Vec<i64> {
        let many = |wanted: &dyn Fn(&DieFacts) -> i64| facts.dice.iter().map(wanted).fold(0, i64::saturating_add);
        let kept = |die: &DieFacts, letter: char| die.symbols.matches(letter).count() as i64 * i64::from(die.kept);
        let mut sums = vec![many(&|_| i64::from(self.dice))];
        sums.extend(self.total.then_some(total));
        sums.extend(facts.successes.filter(|_| self.successes));
        sums.extend(self.faces.keys().map(|face| many(&|die| i64::from(die.number == Some(*face)))));
        let symbols = self.symbols.iter();
        sums.extend(symbols.map(|count| many(&|die| count.iter().map(|(own, each)| each * kept(die, *own)).sum())));
        sums
    }

    /// Dice that show this face are counted up to so many; none is as many as there are.
    fn count_face(&mut self, face: i64, most: Option<usize>) {
        let known = self.faces.entry(face).or_default();
        *known = (*known).max(most.unwrap_or(usize::MAX));
    }

    /// How many of a symbol are left: where it cancels with one other alone, the difference of both tells; else which of all that it
    /// may come upon fell.
    fn count_symbol(&mut self, letter: char, check: &Check) {
        let pairs = |letter: char| {
            let own = check.cancels.iter().filter(move |(one, other)| *one == letter || *other == letter);
            own.map(move |(one, other)| if *one == letter { *other } else { *one }).collect::<BTreeSet<char>>()
        };
        let against = pairs(letter);
        if let (Some(other), 1) = (against.first(), against.len())
            && pairs(*other).len() == 1
        {
            self.symbols.insert(vec![(letter.min(*other), 1), (letter.max(*other), -1)]);
            return;
        }
        let (mut all, mut open) = (BTreeSet::new(), vec![letter]);
        while let Some(next) = open.pop() {
            if all.insert(next) {
                open.extend(pairs(next));
            }
        }
        self.symbols.extend(all.into_iter().map(|letter| vec![(letter, 1)]));
    }

    /// What a measure looks at; the total is the check's Result, where it has one, and the margin and who is beaten go by it.
    fn measure(&mut self, measure: &Measure, check: &Check) {
        match check.result.as_ref().filter(|_| measure.is_one_of(&[Word::Total, Word::Margin, Word::Beaten])) {
            Some(result) => {
                self.opposing |= measure.is_one_of(&[Word::Beaten]);
                result.measures().into_iter().for_each(|own| self.rolled(own, check));
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

    /// What a function of some dice looks at: every die by itself, where less does not tell.
    fn choice(&mut self, choice: Choice, among: &Among, check: &Check) {
        match (choice, among) {
            (_, Among::Natural) | (Choice::Digit, _) => self.natural = true,
            (
                Choice::Sum | Choice::Size,
                Among::Dice { from: From::Kept, which: Some(Which::Highest(Expr::Number(many))) },
            ) => {
                self.highest = self.highest.max(usize::try_from(*many).unwrap_or(0));
            }
            (Choice::Count, Among::Dice { from, which: Some(Which::Showing(range)) })
                if *from == From::All || (*from == From::Kept && !check.roll.keeps()) =>
            {
                match range.whole_numbers(&Facts::default()).filter(|_| range.variables().is_empty()) {
                    Some((low, high)) if (0 <= low || low == i64::MIN) && (high <= FACE_MAX || high == i64::MAX) => {
                        (low.max(0)..=high.min(FACE_MAX)).for_each(|face| self.count_face(face, None));
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
