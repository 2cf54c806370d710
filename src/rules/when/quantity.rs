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
    pub const NAMES: [&'static str; 11] =
        ["total", "margin", "natural", "highest", "lowest", "successes", "dice", "pool", "target", "beaten", "match"];

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
            _ => return face(name).map(Self::Face),
        })
    }

    /// Whether a label may stand before it: only dice have groups.
    pub fn is_of_dice(self) -> bool {
        matches!(self, Self::Natural | Self::Highest | Self::Lowest | Self::Successes | Self::Face(_) | Self::Dice)
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
        }
    }

    /// Of a group that rolls no dice, or keeps none, there are none to count: 0, which is compared like any other number.
    fn of_group(self, group: &GroupFacts) -> Option<i64> {
        match self {
            Self::Natural => Some(group.natural.unwrap_or(0)),
            Self::Highest => Some(group.highest.unwrap_or(0)),
            Self::Lowest => Some(group.lowest.unwrap_or(0)),
            Self::Successes => group.successes.or(group.faces.is_empty().then_some(0)),
            Self::Face(face) => Some(count(&group.faces, face)),
            Self::Dice => i64::try_from(group.faces.len()).ok(),
            _ => None,
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

fn face(name: &str) -> Option<i64> {
    if let Some(index) = FACE_NAMES.iter().position(|known| *known == name) {
        return i64::try_from(index + 1).ok();
    }
    let face: i64 = name.strip_suffix('s')?.parse().ok()?;
    (1..=FACE_MAX).contains(&face).then_some(face)
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
