//! What the GM decided where dice or rules could have.

use std::collections::BTreeMap;

use super::fact::{Fact, Tried, What};
use super::undone::Undone;
use rollbook_dice::EnteredRoller;
use rollbook_game::record::entry::Visibility;
use rollbook_game::view::number::Numbers;
use rollbook_rules::Outcome;

/// Entries of one kind that are listed; the rest are counted.
const LISTED_MAX: usize = 300;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    Amount,
    Unrolled,
    Again,
    Shared,
    LikeCheck,
    Initiative,
    /// Beyond what the rules allow, with a reason.
    Override,
    Undo,
    /// Dice that players see fall and nothing more, or not even that.
    Hidden,
    Entered,
    /// An entry that players saw nothing of, shown to them later.
    Opened,
    /// An entry that they saw in part, shown to them whole.
    OpenedPart,
    AskedAgain,
}

impl Deed {
    /// Each with its name in neutral words.
    pub const ALL: [(Deed, &str); 13] = [
        (Deed::Amount, "Damage of another amount than was rolled"),
        (Deed::Unrolled, "Damage of an amount that no roll decided"),
        (Deed::Again, "A damage roll used again on the same target"),
        (Deed::Shared, "A damage roll used on another target too"),
        (Deed::LikeCheck, "Damage by a roll with the dice of a check"),
        (Deed::Initiative, "Initiative that was typed in"),
        (Deed::Override, "Rules overridden by the GM's ruling"),
        (Deed::Undo, "Calls taken back or done again"),
        (Deed::Hidden, "Rolls behind the screen"),
        (Deed::Entered, "Rolls entered by hand"),
        (Deed::Opened, "Sealed entries opened to players"),
        (Deed::OpenedPart, "Entries opened that players saw in part"),
        (
            Deed::AskedAgain,
            "The same check asked again in the same scene",
        ),
    ];
}

#[derive(Debug, Default)]
pub struct Hand {
    pub noted: BTreeMap<Deed, Noted>,
    /// The checks of the scene, by who made them and what was tried.
    asked: BTreeMap<(String, String), Vec<Asked>>,
}

/// A check's entry, and its result.
type Asked = (Numbers, Option<Outcome>);

/// The entries of one kind.
#[derive(Debug, Default)]
pub struct Noted {
    entries: Vec<u64>,
    /// The first of them: the entry's number, that in the log, and what it says.
    pub listed: Vec<(Numbers, u64, String)>,
}

impl Noted {
    fn add(&mut self, fact: &Fact, text: impl FnOnce() -> String) {
        self.entries.push(fact.seq);
        if self.listed.len() < LISTED_MAX {
            self.listed.push((fact.number, fact.seq, text()));
        }
    }
}

impl Hand {
    /// One deed; [`Hand::add`] finds those that an entry tells of by itself.
    pub fn note(&mut self, deed: Deed, fact: &Fact) {
        let noted = self.noted.entry(deed).or_default();
        noted.add(fact, || fact.text.clone());
    }

    /// A check outside a fight, maybe asked before in the scene; a follow-up is the rules' own.
    pub fn ask(&mut self, tried: &Tried, fact: &Fact) {
        if tried.again {
            return;
        }
        let asked = self
            .asked
            .entry((fact.actor.clone(), tried.skill.clone()))
            .or_default();
        if !asked.is_empty() {
            let noted = self.noted.entry(Deed::AskedAgain).or_default();
            noted.add(fact, || {
                let before = asked.iter().map(|(number, outcome)| {
                    let result = outcome.map_or("without an outcome", Outcome::as_str);
                    format!("{number} {result}")
                });
                let before: Vec<String> = before.collect();
                format!("{} Asked before: {}.", fact.text, before.join(", "))
            });
        }
        asked.push((fact.number, tried.outcome));
    }

    /// Another scene begins, in which every check is asked for the first time.
    pub fn begin_scene(&mut self) {
        self.asked.clear();
    }

    pub fn add(&mut self, fact: &Fact) {
        let rolled = !fact.rolls.is_empty();
        let mut add = |deed: Deed| self.note(deed, fact);
        match &fact.what {
            What::Harm(harm) => {
                let departs = harm.departs;
                let deeds = [
                    (departs.amount, Deed::Amount),
                    (departs.unrolled, Deed::Unrolled),
                    (departs.again, Deed::Again),
                ];
                let deeds = deeds
                    .into_iter()
                    .chain([(departs.like_check, Deed::LikeCheck)]);
                deeds.filter(|(is, _)| *is).for_each(|(_, deed)| add(deed));
            }
            What::Joined { typed: true, .. } | What::Act { typed: true } => add(Deed::Initiative),
            What::Sheet {
                overridden: true, ..
            } => add(Deed::Override),
            What::Check(tried) if tried.overridden => add(Deed::Override),
            What::Undone { .. } => add(Deed::Undo),
            What::Revealed { in_part, .. } => add(if *in_part {
                Deed::OpenedPart
            } else {
                Deed::Opened
            }),
            What::Behind if fact.text.starts_with("Dice fall") => add(Deed::Hidden),
            _ => {}
        }
        let is_hidden = matches!(fact.visibility, Visibility::Gm | Visibility::Blind);
        if rolled && is_hidden {
            add(Deed::Hidden);
        }
        if fact
            .rolls
            .iter()
            .any(|record| record.source == EnteredRoller::SOURCE)
        {
            add(Deed::Entered);
        }
    }

    pub fn count(&self, deed: Deed, undone: &Undone) -> (usize, usize) {
        let entries = self
            .noted
            .get(&deed)
            .map_or(&[][..], |noted| &noted.entries);
        (
            entries.len(),
            entries.iter().filter(|seq| undone.holds(**seq)).count(),
        )
    }
}
