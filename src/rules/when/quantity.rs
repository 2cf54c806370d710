//! What a condition can look at.

use super::expr::{Expr, Range};
use super::facts::{DieFacts, Facts, GroupFacts};
use crate::dice::Fraction;
use crate::rules::grammar::tree::{Choice, From};

/// Something about a roll that is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// The roll's total, or the check's Result in its place.
    Total,
    /// By how much the target was made; positive is good.
    Margin,
    /// Face of the first kept die.
    Natural,
    /// Highest kept die.
    Highest,
    /// Lowest kept die.
    Lowest,
    /// Dice that count as successes.
    Successes,
    /// Dice, kept or not, that show this face.
    Face(i64),
    /// How many dice were rolled.
    Dice,
    /// How many dice were asked for.
    Pool,
    /// The number to reach.
    Target,
    /// Opposing dice beaten.
    Beaten,
    /// Opposing dice that are equal.
    Match,
    /// How many dice, kept or not, show the face that most of them show.
    Width,
    /// That face; of several the highest.
    Height,
    /// Whether no other group has higher dice: 1 or 0.
    Dominates,
    /// The last faces of the kept dice, each doubled once for each time that its die exploded, added up.
    Doubled,
    /// How many of this symbol are left; of a group how many of it fell there.
    Symbol(char),
    /// A function of the dice that the measure names.
    Of(Choice),
}

/// A quantity, of the whole roll or of one labelled group of dice.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// The folded label of the group: `hunger`.
    pub label: Option<String>,
    /// What is looked at.
    pub quantity: Quantity,
    /// Of which dice, for a function of them.
    pub among: Option<Box<Among>>,
}

/// Which dice a function is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Among {
    /// These of those that were kept, dropped or rolled.
    Dice {
        /// Which of them are looked at.
        from: From,
        /// All of them where none.
        which: Option<Which>,
    },
    /// The first kept die.
    Natural,
    /// The set or digit of this place, from 0: of sets the widest, of digits the units.
    Set(u8),
}

/// Some of the dice that are looked at.
#[derive(Debug, Clone, PartialEq)]
pub enum Which {
    /// So many of the highest; of equal ones those with more sides.
    Highest(Expr),
    /// So many of the lowest.
    Lowest(Expr),
    /// Those whose face lies here.
    Showing(Range),
}

impl Quantity {
    /// Whether a label may stand before it: only dice have groups.
    pub fn is_of_dice(self) -> bool {
        match self {
            Self::Total | Self::Margin | Self::Pool | Self::Target | Self::Beaten | Self::Match => false,
            Self::Natural
            | Self::Highest
            | Self::Lowest
            | Self::Successes
            | Self::Face(_)
            | Self::Dice
            | Self::Width
            | Self::Height
            | Self::Dominates
            | Self::Doubled
            | Self::Symbol(_)
            | Self::Of(_) => true,
        }
    }

    fn of_roll(self, facts: &Facts) -> Option<i64> {
        match self {
            Self::Total => Some(facts.total),
            Self::Margin => facts.margin,
            Self::Natural => facts.natural,
            Self::Highest => facts.highest,
            Self::Lowest => facts.lowest,
            Self::Successes => facts.successes,
            Self::Face(face) => Some(count(&facts.faces, face)),
            Self::Dice => facts.dice,
            Self::Pool => facts.pool,
            Self::Target => facts.target,
            Self::Beaten => facts.beaten,
            Self::Match => facts.matching,
            Self::Width => Some(set(&facts.faces, 0).0),
            Self::Height => Some(set(&facts.faces, 0).1),
            // Of a group against the others.
            Self::Dominates => None,
            Self::Doubled => facts.doubled,
            Self::Symbol(letter) => Some(facts.symbols.get(&letter).copied().unwrap_or(0)),
            // Worked out where it is known of which dice.
            Self::Of(_) => None,
        }
    }

    /// Of a group that rolls no dice, or keeps none, there are none to count: 0, which is compared like any other number.
    fn of_group(self, group: &GroupFacts) -> Option<i64> {
        match self {
            Self::Natural => Some(group.natural.unwrap_or(0)),
            Self::Highest => Some(group.highest.unwrap_or(0)),
            Self::Lowest => Some(group.lowest.unwrap_or(0)),
            Self::Successes => group.successes.or((group.dice == 0).then_some(0)),
            Self::Face(face) => Some(count(&group.faces, face)),
            Self::Dice => i64::try_from(group.dice).ok(),
            Self::Width => Some(set(&group.faces, 0).0),
            Self::Height => Some(set(&group.faces, 0).1),
            Self::Dominates => Some(i64::from(group.dominates)),
            Self::Doubled => Some(group.doubled.unwrap_or(0)),
            Self::Symbol(letter) => Some(group.symbols.get(&letter).copied().unwrap_or(0)),
            Self::Total | Self::Margin | Self::Pool | Self::Target | Self::Beaten | Self::Match | Self::Of(_) => None,
        }
    }
}

impl Measure {
    /// One of the whole roll.
    pub fn plain(quantity: Quantity) -> Self {
        Self { label: None, quantity, among: None }
    }

    /// Its value; none when it is not known, as of a group that the check's Roll does not declare.
    pub fn value(&self, facts: &Facts) -> Option<i64> {
        let group = match &self.label {
            Some(label) => Some(facts.groups.get(label)?),
            None => None,
        };
        match (self.quantity, &self.among, group) {
            (Quantity::Of(choice), Some(among), group) => {
                let each = group.map_or(&facts.each, |group| &group.each);
                of_dice(choice, among, each, facts)
            }
            (quantity, _, Some(group)) => quantity.of_group(group),
            (quantity, _, None) => quantity.of_roll(facts),
        }
    }
}

fn of_dice(choice: Choice, among: &Among, each: &[DieFacts], facts: &Facts) -> Option<i64> {
    let natural = || each.iter().find(|die| die.kept);
    let set_of = |(width, height): (i64, i64)| if choice == Choice::Width { width } else { height };
    match among {
        Among::Natural => Some(natural().map_or(0, |die| die.sides)),
        Among::Set(place) if choice == Choice::Digit => {
            let face = natural().and_then(|die| die.number).unwrap_or(0);
            // Of 100, which is rolled as two noughts, both digits are 0.
            Some(if *place == 0 { face.rem_euclid(10) } else { face.div_euclid(10).rem_euclid(10) })
        }
        Among::Set(place) => {
            let faces: Vec<i64> = each.iter().filter_map(|die| die.number).collect();
            Some(set_of(set(&faces, usize::from(*place))))
        }
        Among::Dice { from, which } => {
            let chosen = chosen(*from, which.as_ref(), each, facts)?;
            let faces = || chosen.iter().filter_map(|die| die.number).collect::<Vec<i64>>();
            Some(match choice {
                Choice::Count => i64::try_from(chosen.len()).unwrap_or(i64::MAX),
                Choice::Sum => chosen.iter().map(|die| die.value).fold(0, i64::saturating_add),
                Choice::Size => chosen.iter().map(|die| die.sides).max().unwrap_or(0),
                Choice::Width | Choice::Height => set_of(set(&faces(), 0)),
                Choice::Digit => return None,
            })
        }
    }
}

fn chosen<'d>(from: From, which: Option<&Which>, each: &'d [DieFacts], facts: &Facts) -> Option<Vec<&'d DieFacts>> {
    let is_from = |die: &&DieFacts| match from {
        From::Kept => die.kept,
        From::All => true,
        From::Dropped => !die.kept,
    };
    let mut all: Vec<&DieFacts> = each.iter().filter(is_from).collect();
    let many = |own: &Expr| Some(usize::try_from(own.value(facts)?.floor().whole()?).unwrap_or(0));
    match which {
        None => {}
        Some(Which::Highest(own)) => {
            all.sort_by_key(|die| std::cmp::Reverse((die.value, die.sides)));
            all.truncate(many(own)?);
        }
        Some(Which::Lowest(own)) => {
            all.sort_by_key(|die| (die.value, die.sides));
            all.truncate(many(own)?);
        }
        Some(Which::Showing(range)) => {
            let mut known = Some(());
            all.retain(|die| match die.number.map(|face| range.holds(Fraction::from(face), facts)) {
                Some(Some(holds)) => holds,
                Some(None) => {
                    known = None;
                    false
                }
                None => false,
            });
            known?;
        }
    }
    Some(all)
}

/// How many dice show each face, and the face: the widest first, of several the highest.
fn sets(faces: &[i64]) -> Vec<(i64, i64)> {
    let mut sets: Vec<(i64, i64)> = faces.iter().map(|face| (count(faces, *face), *face)).collect();
    sets.sort_unstable_by(|one, other| other.cmp(one));
    sets.dedup();
    sets
}

/// One of them, from 0; nothing of nothing where there are not so many.
fn set(faces: &[i64], nth: usize) -> (i64, i64) {
    sets(faces).get(nth).copied().unwrap_or((0, 0))
}

fn count(faces: &[i64], face: i64) -> i64 {
    i64::try_from(faces.iter().filter(|shown| **shown == face).count()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_the_widest_first_and_of_several_the_highest() {
        assert_eq!(sets(&[7, 3, 9, 7, 9, 9, 3]), [(3, 9), (2, 7), (2, 3)]);
        assert_eq!((set(&[4, 2], 1), set(&[4], 1), set(&[], 0)), ((1, 2), (0, 0), (0, 0)));
    }

    #[test]
    fn a_label_looks_at_its_group_alone() {
        let mut facts = Facts { faces: vec![10, 10, 1], ..Facts::default() };
        facts.groups.insert("hunger".into(), GroupFacts { faces: vec![10], ..GroupFacts::default() });
        let tens = |label: Option<&str>| {
            Measure { label: label.map(str::to_owned), ..Measure::plain(Quantity::Face(10)) }.value(&facts)
        };
        assert_eq!(tens(None), Some(2));
        assert_eq!(tens(Some("hunger")), Some(1));
        assert_eq!(tens(Some("blood")), None);
    }
}
