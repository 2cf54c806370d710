//! What a condition can look at.

use super::facts::{Facts, GroupFacts};

/// Something about a roll that is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// The roll's total.
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
    /// What the two highest kept dice add up to.
    HighestTwo,
    /// Sides of the first kept die.
    NaturalSize,
    /// Sides of the highest kept die.
    HighestSize,
    /// Sides of the largest die that is neither kept nor shows a 1.
    LeftoverSize,
    /// Sides of the largest die, kept or not, that shows no 1.
    LargestSize,
    /// What the two highest dice that show no 1, kept or not, add up to without that largest one.
    OtherTwo,
    /// How many dice, kept or not, show the face that most of them show, or behind it the next most of them; from 0.
    Width(u8),
    /// That face; of several the highest first.
    Height(u8),
    /// Whether no other group has higher dice: 1 or 0.
    Dominates,
    /// The tens digit of the first kept die.
    TensDigit,
    /// The units digit of the first kept die.
    UnitsDigit,
    /// The last faces of the kept dice, each doubled once for each time that its die exploded, added up.
    Doubled,
    /// How many of this symbol are left; of a group how many of it fell there.
    Symbol(char),
}

/// A quantity, of the whole roll or of one labelled group of dice.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Measure {
    /// The folded label of the group: `hunger`.
    pub label: Option<String>,
    /// What is looked at.
    pub quantity: Quantity,
}

/// The faces that have a name of their own.
const FACE_NAMES: [&str; 12] =
    ["ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "elevens", "twelves"];
/// The highest face that may be written `100s`.
const FACE_MAX: i64 = 100;

impl Quantity {
    /// All that have a name, for suggestions.
    pub const NAMES: [&'static str; 27] = [
        "total",
        "margin",
        "natural",
        "highest",
        "lowest",
        "successes",
        "dice",
        "pool",
        "target",
        "beaten",
        "match",
        "highest two",
        "natural size",
        "highest size",
        "leftover size",
        "largest size",
        "other two",
        "width",
        "height",
        "second width",
        "second height",
        "third width",
        "third height",
        "dominates",
        "tens digit",
        "units digit",
        "doubled",
    ];

    /// The quantity with this folded name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "total" => Self::Total,
            "margin" => Self::Margin,
            "natural" => Self::Natural,
            "highest" => Self::Highest,
            "lowest" => Self::Lowest,
            "successes" => Self::Successes,
            "dice" => Self::Dice,
            "pool" => Self::Pool,
            "target" => Self::Target,
            "beaten" => Self::Beaten,
            "match" => Self::Match,
            "highest two" => Self::HighestTwo,
            "natural size" => Self::NaturalSize,
            "highest size" => Self::HighestSize,
            "leftover size" => Self::LeftoverSize,
            "largest size" => Self::LargestSize,
            "other two" => Self::OtherTwo,
            "width" => Self::Width(0),
            "height" => Self::Height(0),
            "second width" => Self::Width(1),
            "second height" => Self::Height(1),
            "third width" => Self::Width(2),
            "third height" => Self::Height(2),
            "dominates" => Self::Dominates,
            "tens digit" => Self::TensDigit,
            "units digit" => Self::UnitsDigit,
            "doubled" => Self::Doubled,
            _ => return face(name).map(Self::Face),
        })
    }

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
            | Self::HighestTwo
            | Self::NaturalSize
            | Self::HighestSize
            | Self::LeftoverSize
            | Self::LargestSize
            | Self::OtherTwo
            | Self::Width(_)
            | Self::Height(_)
            | Self::Dominates
            | Self::TensDigit
            | Self::UnitsDigit
            | Self::Doubled
            | Self::Symbol(_) => true,
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
            Self::HighestTwo => facts.spread.highest_two,
            Self::NaturalSize => facts.spread.natural_size,
            Self::HighestSize => facts.spread.highest_size,
            Self::LeftoverSize => Some(facts.spread.leftover_size),
            Self::LargestSize => Some(facts.spread.largest_size),
            Self::OtherTwo => Some(facts.spread.other_two),
            Self::Width(nth) => Some(set(&facts.faces, nth).0),
            Self::Height(nth) => Some(set(&facts.faces, nth).1),
            // Of a group against the others.
            Self::Dominates => None,
            Self::TensDigit => facts.natural.map(tens),
            Self::UnitsDigit => facts.natural.map(units),
            Self::Doubled => facts.spread.doubled,
            Self::Symbol(letter) => Some(facts.symbols.get(&letter).copied().unwrap_or(0)),
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
            Self::HighestTwo => Some(group.spread.highest_two.unwrap_or(0)),
            Self::NaturalSize => Some(group.spread.natural_size.unwrap_or(0)),
            Self::HighestSize => Some(group.spread.highest_size.unwrap_or(0)),
            Self::LeftoverSize => Some(group.spread.leftover_size),
            Self::LargestSize => Some(group.spread.largest_size),
            Self::OtherTwo => Some(group.spread.other_two),
            Self::Width(nth) => Some(set(&group.faces, nth).0),
            Self::Height(nth) => Some(set(&group.faces, nth).1),
            Self::Dominates => Some(i64::from(group.dominates)),
            Self::TensDigit => Some(group.natural.map_or(0, tens)),
            Self::UnitsDigit => Some(group.natural.map_or(0, units)),
            Self::Doubled => Some(group.spread.doubled.unwrap_or(0)),
            Self::Symbol(letter) => Some(group.symbols.get(&letter).copied().unwrap_or(0)),
            Self::Total | Self::Margin | Self::Pool | Self::Target | Self::Beaten | Self::Match => None,
        }
    }
}

impl Measure {
    /// Its value; none when it is not known, as of a group that the check's Roll does not declare.
    pub fn value(&self, facts: &Facts) -> Option<i64> {
        match &self.label {
            None => self.quantity.of_roll(facts),
            Some(label) => facts.groups.get(label).and_then(|group| self.quantity.of_group(group)),
        }
    }
}

/// The sets that a condition on width and height together may be about: the widest, and any other of two dice or more.
pub(super) fn sets_of(label: Option<&String>, facts: &Facts) -> Vec<(i64, i64)> {
    let faces = match label {
        None => Some(&facts.faces),
        Some(label) => facts.groups.get(label).map(|group| &group.faces),
    };
    let all = faces.map(|faces| sets(faces)).unwrap_or_default();
    let widest = all.first().copied().unwrap_or((0, 0));
    std::iter::once(widest).chain(all.into_iter().skip(1).filter(|(width, _)| *width > 1)).collect()
}

fn face(name: &str) -> Option<i64> {
    if let Some(index) = FACE_NAMES.iter().position(|known| *known == name) {
        return i64::try_from(index + 1).ok();
    }
    let face: i64 = name.strip_suffix('s')?.parse().ok()?;
    (1..=FACE_MAX).contains(&face).then_some(face)
}

/// How many dice show each face, and the face: the widest first, of several the highest.
fn sets(faces: &[i64]) -> Vec<(i64, i64)> {
    let mut sets: Vec<(i64, i64)> = faces.iter().map(|face| (count(faces, *face), *face)).collect();
    sets.sort_unstable_by(|one, other| other.cmp(one));
    sets.dedup();
    sets
}

/// One of them, from 0; nothing of nothing where there are not so many.
fn set(faces: &[i64], nth: u8) -> (i64, i64) {
    sets(faces).get(usize::from(nth)).copied().unwrap_or((0, 0))
}

/// Of 100, which is rolled as two noughts, both digits are 0.
fn tens(face: i64) -> i64 {
    face.div_euclid(10).rem_euclid(10)
}

fn units(face: i64) -> i64 {
    face.rem_euclid(10)
}

fn count(faces: &[i64], face: i64) -> i64 {
    i64::try_from(faces.iter().filter(|shown| **shown == face).count()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_list_is_a_quantity() {
        assert!(Quantity::NAMES.iter().all(|name| Quantity::named(name).is_some()));
    }

    #[test]
    fn faces_are_named_in_words_and_figures() {
        assert_eq!(Quantity::named("sixes"), Some(Quantity::Face(6)));
        assert_eq!(Quantity::named("12s"), Quantity::named("twelves"));
        assert_eq!(Quantity::named("100s"), Some(Quantity::Face(100)));
        assert_eq!([Quantity::named("0s"), Quantity::named("101s"), Quantity::named("-1s")], [None; 3]);
    }

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
            Measure { label: label.map(str::to_owned), quantity: Quantity::Face(10) }.value(&facts)
        };
        assert_eq!(tens(None), Some(2));
        assert_eq!(tens(Some("hunger")), Some(1));
        assert_eq!(tens(Some("blood")), None);
    }
}
