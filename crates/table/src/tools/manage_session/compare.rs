//! A roll beside what was applied of it: whoever took less or more than fell is told by how much.

use super::entry::{found, number};
use super::params::Params;
use super::reply::{Applied, Compared, Reply};
use crate::session::live::{View, rolled_for};
use crate::session::{Answer, Common};
use rollbook_game::record::change::Change;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::Event;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::view::recap::undone_calls;

/// The roll that is meant, and its uses.
pub fn compared(view: &View, params: &Params) -> Result<Answer<Reply>, Refusal> {
    let asked = number(params)?;
    let told = found(view, params)?;
    if told.entry.rolls.is_empty() {
        let summary = format!(
            "Entry #{asked} has no roll, and none that it came from. Send the number that a roll or the damage from it gave as log."
        );
        return Err(Refusal::new(Code::UnknownEntry, summary));
    }
    let rolled: Vec<i64> = told.entry.rolls.iter().map(|record| record.roll.total).collect();
    let undone = undone_calls(view.past.last.iter().map(|(seq, entry)| (*seq, entry)));
    let is_undone = |seq: u64| undone.iter().any(|(first, last)| (*first..=*last).contains(&seq));
    let applied: Vec<Applied> =
        view.past.last.iter().filter_map(|(seq, entry)| applied(*seq, entry, told.seq, is_undone(*seq))).collect();
    let explained: Vec<&str> = told.entry.rolls.iter().map(|record| record.roll.explanation.as_str()).collect();
    let uses = match applied.as_slice() {
        [] => "Nothing was applied of it.".to_owned(),
        uses => uses.iter().map(|own| own.sentence(rolled.iter().sum())).collect::<Vec<_>>().join(" "),
    };
    let undone = if is_undone(told.seq) { " Its call was undone." } else { "" };
    let attack = match rolled_for(&told.entry.event) {
        Some(check) if check == asked => format!("Of the attack #{check} came #{}, which rolled", told.seq),
        Some(_) | None => format!("#{} rolled", told.seq),
    };
    let summary = format!("{attack} {}.{undone} {uses}", explained.join("; "));
    Ok(Answer::new(Common::of(summary), Reply::Compared(Compared { rolled, applied })))
}

/// A wound or cure that came from the roll of that entry.
fn applied(seq: u64, entry: &Entry, roll: u64, undone: bool) -> Option<Applied> {
    let Event::Damage(damage) = &entry.event else { return None };
    if damage.roll != Some(roll) {
        return None;
    }
    let moved = entry.changes.iter().filter_map(|change| {
        let Change::Track(images) = change else { return None };
        Some((images.after.as_ref()?.value - images.before.as_ref()?.value).abs())
    });
    let steps = damage.steps.iter().map(|step| format!("{} {} to {}", step.step, step.before, step.after)).collect();
    Some(Applied {
        entry: seq,
        target: damage.subject.name.clone(),
        amount: damage.amount,
        moved: moved.sum(),
        steps,
        undone,
    })
}

impl Applied {
    /// "#13 Jory: 4 of 5 (half 5 to 2), 2 moved."
    fn sentence(&self, rolled: i64) -> String {
        let Applied { entry, target, amount, moved, steps, undone } = self;
        let apart = match amount.abs() - rolled {
            0 => "all of it".to_owned(),
            more @ 1.. => format!("{} sent, {more} more than rolled", amount.abs()),
            less => format!("{} sent, {} less than rolled", amount.abs(), less.abs()),
        };
        let steps = if steps.is_empty() { String::new() } else { format!(" ({})", steps.join(", ")) };
        let undone = if *undone { " Undone." } else { "" };
        format!("#{entry} {target}: {apart}; tracks moved by {moved}{steps}.{undone}")
    }
}
