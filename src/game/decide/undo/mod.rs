//! Taking a call back: the before-images of everything it changed stand again, by an entry of its own. The log is never
//! edited, and no die is touched: a roll that was made stays made, and what it had moved is moved back.
//!
//! - What one call wrote is undone as a whole, whichever of its entries is named.
//! - It is refused when something written later, and not undone itself, touched the same character, the same combatant or
//!   the fight; whoever undoes from the last change backwards is never refused for that.
//! - An undo is a change like any other, so naming it takes it back: what it had undone is done again. Without a name the
//!   last change that still holds is meant, and never an undo, so that undoing twice goes two steps back and not to and fro.
//! - A sitting that was ended goes on; one that was begun is ended, not undone.

mod call;
mod sound;

use call::{Call, Touched, calls};

use crate::game::record::change::Change;
use crate::game::record::entry::{Entry, Visibility};
use crate::game::record::event::{Event, UndoneEvent};
use crate::game::record::state::State;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::game::view::Audience;
use crate::game::view::visibility::project;
use crate::names::shortened;

/// Entries that an undo looks back over.
pub const BACK_MAX: u64 = 10_000;

/// Sentences of what is taken back that its entry repeats.
const TOLD_MAX: usize = 6;
/// Characters of such a sentence.
const SENTENCE_MAX: usize = 300;

/// Undoes the call that `entry` belongs to, or the last change. The call's `later` entries must be those of that call, and
/// every one since that changed something; without `entry` that call is the [`candidate`].
pub fn undo(table: &mut Table, entry: Option<u64>) -> Result<u64, Refusal> {
    let later = std::mem::take(&mut table.later);
    let calls = calls(&later);
    let call = match entry {
        Some(seq) => named(&calls, seq)?,
        None => last(&calls)?,
    };
    let touched = possible(table.state, &calls, call)?;
    let changes: Vec<Change> = call.changes().rev().cloned().map(Change::reversed).collect();
    let hidden = |state: &State| -> Vec<i64> {
        touched.iter().filter_map(Touched::character).filter(|id| state.is_hidden(*id)).collect()
    };
    let mut unseen = sound::after(table.state, &changes, hidden)?;
    unseen.extend(hidden(table.state));
    let event = told(table.state, call, &unseen);
    let visibility = if event.seen.is_empty() { Visibility::Gm } else { Visibility::Public };
    let event = Event::Undone(Box::new(event));
    Ok(table.log(Draft { visibility, ..Draft::new("gm", event, changes) }))
}

/// The first entry of the call that "the last change" means.
pub fn candidate(changes: &[(u64, Entry)]) -> Option<u64> {
    calls(changes).iter().rev().find(|call| call.is_candidate()).map(|call| call.first)
}

/// The same among changes of which earlier ones may be left out: the first call may lack its beginning.
pub fn whole_candidate(changes: &[(u64, Entry)]) -> Option<u64> {
    calls(changes).iter().skip(1).rev().find(|call| call.is_candidate()).map(|call| call.first)
}

fn named<'c, 'e>(calls: &'c [Call<'e>], seq: u64) -> Result<&'c Call<'e>, Refusal> {
    calls.iter().find(|call| (call.first..=call.last).contains(&seq)).ok_or_else(|| {
        let summary = format!("Entry #{seq} was not found among the last {BACK_MAX}.");
        Refusal::new(Code::UnknownEntry, summary)
    })
}

fn last<'c, 'e>(calls: &'c [Call<'e>]) -> Result<&'c Call<'e>, Refusal> {
    calls.iter().rev().find(|call| call.is_candidate()).ok_or_else(|| {
        let summary = format!(
            "There is no change to undo among the last {BACK_MAX} entries: rolls and checks stay as they fell. Name an entry to mean \
             another one."
        );
        Refusal::new(Code::NothingToUndo, summary)
    })
}

/// What the call touched, if it can be taken back.
fn possible(state: &State, calls: &[Call], call: &Call) -> Result<Vec<Touched>, Refusal> {
    let refused = |code: Code, summary: String| Err(Refusal::new(code, summary));
    if let Some(by) = call.undone_by {
        let summary = format!("#{} is undone already, by #{by}. Send entry={by} to do it again.", call.first);
        return refused(Code::AlreadyUndone, summary);
    }
    if call.begins() {
        let summary = format!(
            "#{} is a beginning (of the campaign, of its rules or of a session), which is not undone. manage_session action=\"end\" \
             ends a session.",
            call.first
        );
        return refused(Code::NothingToUndo, summary);
    }
    let touched = call.touched();
    if touched.is_empty() {
        let summary = format!(
            "#{} changed nothing that could be put back: dice stay as they fell. Send the entry of what followed from it, \
             or leave entry out for the last change.",
            call.first
        );
        return refused(Code::NothingToUndo, summary);
    }
    let since = calls.iter().filter(|later| later.counts_against(call));
    let mut clash =
        since.filter_map(|later| Some((later, later.touched().into_iter().find(|own| touched.contains(own))?)));
    match clash.next_back() {
        Some((later, what)) => {
            let summary = format!(
                "#{} cannot be undone: {} was changed since, by #{} ({}). Undo #{} first.",
                call.first,
                what.name(state),
                later.first,
                shortened(&sentences(state, later.entries.iter().map(|(_, entry)| entry), Audience::Gm).join(" "), 160),
                later.first
            );
            refused(Code::ChangedSince, summary)
        }
        None => Ok(touched),
    }
}

/// What is taken back, in words. Of whom players do not see (`unseen`) they hear nothing, and of the rest of the call they do.
fn told(state: &State, call: &Call, unseen: &[i64]) -> UndoneEvent {
    let (entry, last) = (call.first, call.last);
    if let Some(inner) = call.undo() {
        // What players were not told of being taken back is not done again for them either.
        let heard = unseen.is_empty() || call.entries.iter().all(|(_, entry)| entry.visibility == Visibility::Public);
        let seen = if heard { inner.seen.clone() } else { Vec::new() };
        return UndoneEvent { entry, last, seen, again: !inner.again, ..inner.clone() };
    }
    let all = || call.entries.iter().map(|(_, entry)| entry);
    let is_seen = |entry: &&Entry| !call::touched(&entry.changes).any(|own| own.is_of(unseen));
    let open = unseen.is_empty() && all().all(|entry| project(entry, state, Audience::Player).whole);
    let told = sentences(state, all(), Audience::Gm);
    let seen = sentences(state, all().filter(is_seen), Audience::Player);
    UndoneEvent { entry, last, told, seen, open, again: false }
}

/// The sentences of entries.
fn sentences<'e>(state: &State, entries: impl Iterator<Item = &'e Entry>, audience: Audience) -> Vec<String> {
    let mut all = entries.filter_map(|entry| project(entry, state, audience).seen);
    let mut told: Vec<String> = all.by_ref().take(TOLD_MAX).map(|seen| shortened(&seen.text, SENTENCE_MAX)).collect();
    let more = all.count();
    if more > 0 {
        told.push(format!("And {more} more."));
    }
    told
}
