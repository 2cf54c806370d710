//! What is known about a roll when its outcome is looked up.

use std::collections::{BTreeMap, BTreeSet};

use crate::dice::{DieView, Reason, Roll, Term};
use crate::names::fold;

/// Which side of the target is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Succeed {
    /// Reaching it.
    AtLeast,
    /// Not going over it.
    AtMost,
}

impl Succeed {
    /// By how much a total makes a target; positive is always good.
    pub fn margin(self, total: i64, target: i64) -> i64 {
        match self {
            Self::AtLeast => total.saturating_sub(target),
            Self::AtMost => target.saturating_sub(total),
        }
    }
}

/// What is known about a roll when its outcome is looked up. What is `None` is not known, and a condition on it never holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// The roll's total, or the check's Result in its place.
    pub total: i64,
    /// What the check's Result comes to, where it has one.
    pub result: Option<i64>,
    /// By how much the target was made; positive is good, where low is good too.
    pub margin: Option<i64>,
    /// The number to reach, or to stay under.
    pub target: Option<i64>,
    /// Number on the first kept die; 0 where it shows none.
    pub natural: Option<i64>,
    /// Highest kept die.
    pub highest: Option<i64>,
    /// Lowest kept die.
    pub lowest: Option<i64>,
    /// Dice that count as successes.
    pub successes: Option<i64>,
    /// The number on every face rolled, kept or not: what `sixes` counts. Faces without a number are left out.
    pub faces: Vec<i64>,
    /// Those of them that are kept.
    pub kept: Vec<i64>,
    /// Every die, kept or not, in the order of draws.
    pub each: Vec<DieFacts>,
    /// The last faces of the kept dice, each doubled for each explosion of its die, added up.
    pub doubled: Option<i64>,
    /// How many of each symbol its kept dice show; what cancels is the caller's to take off.
    pub symbols: BTreeMap<char, i64>,
    /// How many dice were rolled.
    pub dice: Option<i64>,
    /// How many dice were asked for.
    pub pool: Option<i64>,
    /// Opposing dice that the total beats; ties lose.
    pub beaten: Option<i64>,
    /// Opposing dice that show what another one shows already: 1 when two of two are equal.
    pub matching: Option<i64>,
    /// The dice of each labelled group that the check's Roll declares, by folded label; one that rolls no dice is there, too.
    pub groups: BTreeMap<String, GroupFacts>,
    /// Variables that a condition may name, by folded name.
    pub values: BTreeMap<String, i64>,
}

/// What is known about the dice of one labelled group.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupFacts {
    /// Number on its first kept die; 0 where it shows none.
    pub natural: Option<i64>,
    /// Its highest kept die.
    pub highest: Option<i64>,
    /// Its lowest kept die.
    pub lowest: Option<i64>,
    /// Its successes.
    pub successes: Option<i64>,
    /// The number on every face rolled in it; faces without one are left out.
    pub faces: Vec<i64>,
    /// Those of them that are kept.
    pub kept: Vec<i64>,
    /// How many dice were rolled in it.
    pub dice: usize,
    /// Every die of it, kept or not, in the order of draws.
    pub each: Vec<DieFacts>,
    /// The last faces of its kept dice, each doubled for each explosion of its die, added up.
    pub doubled: Option<i64>,
    /// How many of each symbol its kept dice show, before any cancel.
    pub symbols: BTreeMap<char, i64>,
    /// Whether no other group has higher dice, the highest compared first; the caller's to fill.
    pub dominates: bool,
}

/// A die as it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DieFacts {
    /// The number that it shows; none where it shows symbols alone.
    pub number: Option<i64>,
    /// What it is worth.
    pub value: i64,
    /// How many sides it has.
    pub sides: i64,
    /// Whether it is kept.
    pub kept: bool,
}

impl Facts {
    /// What a roll shows, compared with a target when there is one. `pool` is the first term's count; `beaten`, `matching`
    /// and `values` are the caller's to fill.
    pub fn of(roll: &Roll, target: Option<i64>, succeed: Succeed) -> Self {
        let dice = roll.dice();
        let whole = GroupFacts::of(dice.iter());
        let mut labels: BTreeMap<String, Vec<&DieView<'_>>> = BTreeMap::new();
        for die in &dice {
            for label in die.labels.iter().copied().flat_map(group_names).collect::<BTreeSet<String>>() {
                labels.entry(label).or_default().push(die);
            }
        }
        Self {
            total: roll.total,
            result: None,
            margin: target.map(|target| succeed.margin(roll.total, target)),
            target,
            natural: whole.natural,
            highest: whole.highest,
            lowest: whole.lowest,
            successes: roll.successes,
            dice: i64::try_from(whole.dice).ok(),
            pool: Some(roll.terms.iter().find_map(pool).unwrap_or(0)),
            faces: whole.faces,
            kept: whole.kept,
            each: whole.each,
            doubled: whole.doubled,
            symbols: whole.symbols,
            beaten: None,
            matching: None,
            groups: labels.into_iter().map(|(label, dice)| (label, GroupFacts::of(dice.into_iter()))).collect(),
            values: BTreeMap::new(),
        }
    }
}

impl GroupFacts {
    fn of<'d>(dice: impl Iterator<Item = &'d DieView<'d>> + Clone) -> Self {
        let kept = || dice.clone().filter(|view| view.kept);
        let each = dice.clone().map(|view| DieFacts {
            number: view.die.number(),
            value: view.die.value,
            sides: i64::from(view.sides),
            kept: view.kept,
        });
        let mut symbols: BTreeMap<char, i64> = BTreeMap::new();
        for letter in kept().flat_map(|view| view.die.symbols()) {
            *symbols.entry(letter).or_default() += 1;
        }
        let counted: Vec<i64> = kept().filter_map(|view| view.die.counted).collect();
        Self {
            natural: kept().next().map(|view| view.die.number().unwrap_or(0)),
            highest: kept().map(|view| view.die.value).max(),
            lowest: kept().map(|view| view.die.value).min(),
            successes: (!counted.is_empty()).then(|| counted.iter().sum()),
            faces: dice.clone().filter_map(|view| view.die.number()).collect(),
            kept: kept().filter_map(|view| view.die.number()).collect(),
            dice: dice.clone().count(),
            each: each.collect(),
            doubled: kept().map(doubled).reduce(i64::saturating_add),
            symbols,
            dominates: false,
        }
    }
}

/// The last face of a die, doubled for each time that it exploded before.
fn doubled(view: &DieView<'_>) -> i64 {
    let exploded = view.die.rolls.iter().filter(|face| face.reason == Reason::Explode).count();
    let last = view.die.rolls.iter().rfind(|face| face.reason != Reason::Clamp).map_or(0, |face| face.value);
    let times = u32::try_from(exploded).ok().and_then(|exploded| 2_i64.checked_pow(exploded));
    if exploded == 0 { view.die.value } else { last.saturating_mul(times.unwrap_or(i64::MAX)) }
}

/// The folded names of the groups that a label stands for: of `2d6[hunger][red]` both, which a roll's record keeps as one text.
pub(in crate::rules) fn group_names(label: &str) -> impl Iterator<Item = String> {
    label.split(", ").map(fold)
}

/// How many dice the first dice term asked for; of a group all its members together.
fn pool(term: &Term) -> Option<i64> {
    match term {
        Term::Dice { count, .. } => Some(*count),
        Term::Constant { .. } => None,
        Term::Group { terms, .. } => terms.iter().filter_map(pool).reduce(i64::saturating_add),
        Term::Compute { terms, .. } => terms.iter().find_map(pool),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{ScriptedRoller, parse};

    #[test]
    fn a_roll_shows_its_kept_dice_and_every_face() {
        let roll = parse("4d6kh3 + 2").expect("dice").roll(&mut ScriptedRoller::new([6, 1, 3, 6])).expect("a roll");
        let facts = Facts::of(&roll, Some(15), Succeed::AtLeast);
        assert_eq!((facts.total, facts.margin), (17, Some(2)));
        assert_eq!((facts.natural, facts.highest, facts.lowest), (Some(6), Some(6), Some(3)));
        assert_eq!((facts.faces.len(), facts.dice, facts.pool), (4, Some(4), Some(4)));
        assert_eq!(Facts::of(&roll, Some(20), Succeed::AtMost).margin, Some(3));
    }
}
