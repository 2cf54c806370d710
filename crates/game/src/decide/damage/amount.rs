//! The amount: what the call sends, else the total of the named entry's roll.
//!
//! Only rolls of `roll_dice` or `roll_multiple` without a target are amounts: a check, a roll against a target and counted
//! successes are not. A plain roll with the dice of a check ([`super::form`]) is one only if the call sends the amount too.
//!
//! Recognises plain rolls with the dice of a check, such as an attack roll with one d20 or d100. Their total is not an
//! amount of damage.
//!
//! A die of up to [`WEAPON_DIE_MAX`] sides is a weapon's in most games, so its roll may always be damage; so may a larger
//! one that the rules or a sheet name as damage.
//!
//! Which rolls were used on which targets: one roll may hit several targets, and a second use on the same target is noted.

use std::collections::BTreeMap;

use crate::decide::damage::DamageCall;
use crate::mechanics::tracks::main_name;
use crate::record::entry::{Entry, RollRecord, Visibility};
use crate::record::event::{DamageEvent, Event, RollNote};
use crate::record::state::{Character, State};
use crate::refusal::{Code, Refusal};
use rollbook_dice::{Roll, Term};
use rollbook_rules::System;
use rollbook_text::names::{fold, quoted, same};

/// The amount, and the total where that was below 0, which counts as 0: a rolled hit never heals.
pub(super) fn amount(
    state: &State,
    system: &System,
    call: &DamageCall,
    referred: Option<&Entry>,
) -> Result<(i64, Option<i64>), Refusal> {
    let amount_sent = call.amount.or_else(|| call.sum_of_parts());
    let Some((seq, entry)) = call.roll.zip(referred) else { return Ok((amount_sent.unwrap_or(0), None)) };
    rolled_amounts(entry).map_err(|why| not_a_damage_roll(seq, &why))?;
    if let Some(amount) = amount_sent {
        return Ok((amount, None));
    }
    let (like, blows) = split_rolls(state, system, call, entry);
    match (blows.as_slice(), like.as_slice()) {
        ([total], _) if *total < 0 => Ok((0, Some(*total))),
        ([total], _) => Ok((*total, None)),
        ([], [(check, record), ..]) => Err(check_dice(seq, check, record)),
        (rolls, _) => {
            let summary = format!(
                "Entry #{seq} holds {} rolls, so it does not say the amount. Send the one that is meant as amount \
                 beside roll, or make one roll with roll_dice.",
                rolls.len()
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
    }
}

/// A roll with the dice of a check, and that check's name.
type CheckLike<'a> = (&'a str, &'a RollRecord);

/// The plain rolls of an entry: those with the dice of a check, and the totals of the others. On another track than health
/// (sanity of 100 points) any dice are an amount.
fn split_rolls<'a>(
    state: &State,
    system: &'a System,
    call: &DamageCall,
    entry: &'a Entry,
) -> (Vec<CheckLike<'a>>, Vec<i64>) {
    let on_health = is_on_health(system, call);
    let mut like = Vec::new();
    let mut blows = Vec::new();
    for record in plain_rolls(entry) {
        match check_like(state, system, &record.roll).filter(|_| on_health) {
            Some(check) => like.push((check, record)),
            None => blows.push(record.roll.total),
        }
    }
    (like, blows)
}

/// Whether the amount is that of a roll with the dice of a check.
pub(super) fn is_like_a_check(state: &State, system: &System, call: &DamageCall, entry: &Entry, amount: i64) -> bool {
    let is_like = |record: &&RollRecord| {
        check_like(state, system, &record.roll).is_some() || may_be_a_check(state, system, &record.roll)
    };
    let (like, blows): (Vec<&RollRecord>, Vec<&RollRecord>) =
        plain_rolls(entry).partition(|record| is_on_health(system, call) && is_like(record));
    let blows: Vec<i64> = blows.into_iter().map(|record| record.roll.total).collect();
    !like.is_empty() && (blows.is_empty() || differs(&blows, amount))
}

/// Whether the call is about health.
fn is_on_health(system: &System, call: &DamageCall) -> bool {
    call.track.as_deref().is_none_or(|track| same(track, main_name(system)) || same(track, "hp"))
}

fn check_dice(seq: u64, check: &str, record: &RollRecord) -> Refusal {
    let RollRecord { roll, .. } = record;
    let check = if check == "a check" { check.to_owned() } else { format!("the check {}", quoted(check)) };
    let summary = format!(
        "Entry #{seq} ({}) has the dice of {check}, which say whether a blow hits and not how hard. Roll the damage with roll_dice and \
         send its log number as roll. If these dice are the damage all the same, send amount={} beside roll.",
        roll.expression, roll.total
    );
    Refusal::new(Code::InvalidParameters, summary)
}

fn plain_rolls(entry: &Entry) -> impl Iterator<Item = &RollRecord> {
    entry.rolls.iter().filter(|record| !has_target(record))
}

/// The amounts of an entry's rolls, one for each roll that can be damage. Refused: why there is none, in words.
pub fn rolled_amounts(entry: &Entry) -> Result<Vec<i64>, String> {
    match &entry.event {
        Event::Roll(_) | Event::RollSet(_) => {}
        Event::Check(check) => {
            return Err(format!(
                "is a check ({}), which says whether it succeeds and not how much damage it does",
                check.check
            ));
        }
        event if entry.rolls.is_empty() => return Err(format!("is no roll ({})", event.kind().replace('_', " "))),
        event => return Err(format!("is no damage roll ({})", event.kind().replace('_', " "))),
    }
    let plain: Vec<i64> = plain_rolls(entry).map(|record| record.roll.total).collect();
    match entry.rolls.first() {
        None => Err("is no roll".to_owned()),
        Some(first) if plain.is_empty() && first.roll.successes.is_some() => {
            Err(format!("counts successes ({}), which are no amount of damage", first.roll.expression))
        }
        Some(first) if plain.is_empty() => {
            Err(format!("is rolled against a target ({}), so it says whether and not how much", first.roll.expression))
        }
        Some(_) => Ok(plain),
    }
}

/// Whether a roll has a target or counts successes.
fn has_target(record: &RollRecord) -> bool {
    record.roll.successes.is_some()
        || record.roll.verdict.is_some()
        || record.roll.repeats.iter().any(|one| one.verdict.is_some())
}

pub fn not_a_damage_roll(seq: u64, why: &str) -> Refusal {
    let summary = format!(
        "Entry #{seq} {why}. Roll the damage with roll_dice and send its log number as roll; where the rules give the number without \
         a roll, send it as amount and leave roll out."
    );
    Refusal::new(Code::InvalidParameters, summary)
}

/// The largest damage die of weapons in published games.
const WEAPON_DIE_MAX: u32 = 12;
/// The die of attacks where there are no rules.
const USUAL_SIDES: u32 = 20;

/// Whether a roll has the dice of a check with several dice: `2d6 + 1` where one rolls `2d6`. Weapons often have such dice
/// too, so it is only noted, unless the rules or a sheet name them as damage.
pub(super) fn may_be_a_check(state: &State, system: &System, roll: &Roll) -> bool {
    let count = roll.dice().len();
    let Some((sides, _)) = first_dice(&roll.terms).filter(|_| count > 1 && pools(&roll.terms) == 1) else {
        return false;
    };
    let like = system.checks.iter().any(|check| check.rolls_dice(count, sides));
    like && !are_damage_dice(state, system, &format!("{count}d{sides}"))
}

/// The check with these dice, or `a check` where there are no rules; `None` where they may be damage.
pub(super) fn check_like<'s>(state: &State, system: &'s System, roll: &Roll) -> Option<&'s str> {
    let (sides, 1) = first_dice(&roll.terms)? else { return None };
    if sides <= WEAPON_DIE_MAX {
        return None;
    }
    let name = match system.checks.iter().find(|check| check.rolls_one(sides)) {
        Some(check) => &check.name,
        None if system.checks.is_empty() && sides == USUAL_SIDES => "a check",
        None => return None,
    };
    (!are_damage_dice(state, system, &format!("d{sides}"))).then_some(name)
}

/// The sides of the first dice, and how many of them are kept.
fn first_dice(terms: &[Term]) -> Option<(u32, usize)> {
    terms.iter().find_map(|term| match term {
        Term::Dice { sides, kept, .. } => Some((*sides, kept.len())),
        Term::Group { terms, .. } | Term::Compute { terms, .. } => first_dice(terms),
        Term::Constant { .. } => None,
    })
}

/// The number of terms with dice.
fn pools(terms: &[Term]) -> usize {
    let of = |term: &Term| match term {
        Term::Dice { .. } => 1,
        Term::Group { terms, .. } | Term::Compute { terms, .. } => pools(terms),
        Term::Constant { .. } => 0,
    };
    terms.iter().map(of).sum()
}

/// Whether the rules, a sheet or an item name these dice as damage.
fn are_damage_dice(state: &State, system: &System, dice: &str) -> bool {
    let rules = system.sections.iter().map(|section| section.text.as_str());
    let sheets = state.characters.values().flat_map(Character::texts);
    let items = state.items.values().flat_map(|item| [item.name.as_str(), item.notes.as_str()]);
    rules.chain(sheets).chain(items).any(|text| text.lines().any(|line| names_damage_dice(line, dice)))
}

impl Character {
    fn texts(&self) -> [&str; 2] {
        [&self.notes, &self.gm_notes]
    }
}

/// Whether a line names such dice as damage: "1d20 + 4 slashing damage", "damage: 1d20".
fn names_damage_dice(line: &str, dice: &str) -> bool {
    let line = fold(line);
    // "On a hit deal damage. Roll 1d20" names none.
    line.split(['.', ';']).any(|sentence| {
        let words: Vec<&str> = sentence.split(' ').collect();
        words.iter().enumerate().filter(|(_, word)| has_dice(word, dice)).any(|(at, _)| {
            let before = words.iter().take(at).rev().take(2);
            let behind = words.iter().skip(at + 1).skip_while(|word| !word.contains(char::is_alphabetic)).take(2);
            before.chain(behind).any(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()) == "damage")
        })
    })
}

/// Whether a word holds the dice: `1d20` and `(d20+4)` a `d20`, `2d6+1` and not `12d6` a `2d6`.
fn has_dice(word: &str, dice: &str) -> bool {
    let counted = dice.starts_with(|letter: char| letter.is_ascii_digit());
    word.match_indices(dice).any(|(at, _)| {
        let before = word.get(..at).and_then(|text| text.chars().next_back());
        let behind = word.get(at + dice.len()..).and_then(|text| text.chars().next());
        let apart = |letter: char| letter.is_alphabetic() || (counted && letter.is_ascii_digit());
        !before.is_some_and(apart) && !behind.is_some_and(char::is_alphanumeric)
    })
}

/// Uses and undos kept; of longer logs the last ones.
const KEPT_MAX: usize = 100_000;
/// Totals in a note.
const ROLLED_MAX: usize = 12;

/// Damage that names a roll, by entry.
#[derive(Debug, Default)]
pub struct RollUses {
    blows: BTreeMap<u64, RollUse>,
    /// The entries by roll and target.
    of: BTreeMap<(u64, i64), Vec<u64>>,
    /// The first and last entry of each undone call.
    undos: BTreeMap<u64, (u64, u64)>,
}

#[derive(Debug)]
struct RollUse {
    roll: u64,
    target: i64,
    amount: i64,
    undone: bool,
}

impl RollUses {
    /// The uses in these entries.
    pub fn among(entries: &[(u64, Entry)]) -> RollUses {
        let mut uses = RollUses::default();
        entries.iter().for_each(|(seq, entry)| uses.add(*seq, entry));
        uses
    }

    /// Adds the next entry of the log.
    pub fn add(&mut self, seq: u64, entry: &Entry) {
        match &entry.event {
            Event::Damage(DamageEvent { roll: Some(roll), subject, amount, .. }) => {
                self.blows.insert(seq, RollUse { roll: *roll, target: subject.id, amount: *amount, undone: false });
                self.of.entry((*roll, subject.id)).or_default().push(seq);
            }
            Event::Undone(event) if event.entry <= event.last && event.last < seq => {
                self.toggle_undone(event.entry, event.last);
                self.undos.insert(seq, (event.entry, event.last));
            }
            _ => {}
        }
        while self.blows.len() > KEPT_MAX {
            let Some((_, blow)) = self.blows.pop_first() else { break };
            self.of.remove(&(blow.roll, blow.target));
        }
        while self.undos.len() > KEPT_MAX {
            self.undos.pop_first();
        }
    }

    /// Marks the uses among these entries as undone, or, where an undo is among them, as redone.
    fn toggle_undone(&mut self, first: u64, last: u64) {
        let mut ranges = vec![(first, last)];
        while let Some((first, last)) = ranges.pop() {
            self.blows.range_mut(first..=last).for_each(|(_, blow)| blow.undone = !blow.undone);
            ranges.extend(self.undos.range(first..=last).map(|(_, range)| *range));
        }
    }

    /// How damage departs from the roll in `entry`; empty where it does not, or the entry is no roll.
    pub fn note(&self, seq: u64, entry: &Entry, blow: &DamageEvent) -> RollNote {
        let rolled = rolled_amounts(entry).unwrap_or_default();
        let instead = !rolled.is_empty() && differs(&rolled, blow.amount);
        let hidden = entry.visibility != Visibility::Public;
        RollNote {
            before: self.earlier_use(seq, &rolled, blow).filter(|_| !rolled.is_empty()),
            rolled: if instead { rolled.into_iter().take(ROLLED_MAX).collect() } else { Vec::new() },
            like_check: false,
            hidden,
            // Of a roll that is the GM's alone players do not even know that it fell.
            changed_unseen: instead && matches!(entry.visibility, Visibility::Blind | Visibility::OutcomeOnly),
        }
    }

    /// The last use of the roll on the same target, where it is used up. An entry of several rolls is used up when each of
    /// them is.
    pub fn earlier_use(&self, roll: u64, rolled: &[i64], blow: &DamageEvent) -> Option<u64> {
        let seqs = self.of.get(&(roll, blow.subject.id))?;
        let used: Vec<(u64, i64)> = seqs
            .iter()
            .filter_map(|seq| Some((*seq, self.blows.get(seq)?)))
            .filter(|(_, blow)| !blow.undone)
            .map(|(seq, blow)| (seq, blow.amount.saturating_abs()))
            .collect();
        let last = used.last()?.0;
        let amount = blow.amount.saturating_abs();
        let of_it = |amount: i64| rolled.iter().filter(|total| points(**total) == amount).count();
        let same = used.iter().filter(|(_, used)| *used == amount).count();
        let whole = sum(rolled);
        let spent = used.len() >= rolled.len()
            || (of_it(amount) > 0 && same >= of_it(amount))
            || used.iter().any(|(_, used)| *used == whole);
        spent.then_some(last)
    }
}

/// Whether an amount is neither one of the totals nor all of them together.
pub fn differs(rolled: &[i64], amount: i64) -> bool {
    let amount = amount.saturating_abs();
    amount != sum(rolled) && rolled.iter().all(|total| points(*total) != amount)
}

fn sum(rolled: &[i64]) -> i64 {
    rolled.iter().fold(0, |sum, total| sum.saturating_add(points(*total)))
}

/// A roll below 0 is a hit of 0.
fn points(total: i64) -> i64 {
    total.max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_is_damage_where_the_words_beside_it_say_so() {
        for line in [
            "Harpoon cannon: 1d20 damage",
            "| Cannon | 1d20 + 4 piercing damage. |",
            "Damage: d20",
            "Falling (damage `1d20`)",
            "deals 1d20+2 damage; half on a save",
        ] {
            assert!(names_damage_dice(line, "d20"), "{line}");
        }
        for line in [
            "Roll 1d20 and add Arms; on a hit roll the weapon's damage.",
            "On a hit deal damage. Roll 1d20 to aim.",
            "1d200 damage",
            "2d6 damage",
            "To hit: 1d20 + 5",
        ] {
            assert!(!names_damage_dice(line, "d20"), "{line}");
        }
        assert!(names_damage_dice("Greatsword: 2d6+3 slashing damage", "2d6"));
        assert!(!names_damage_dice("Meteor: 12d6 damage", "2d6") && !names_damage_dice("2d60 damage", "2d6"));
    }
}
