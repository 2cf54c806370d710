//! Undo: a new entry restores the before-images of everything that a call changed. The log is never edited, and rolls stay
//! as they are.
//!
//! - A call is undone as a whole, whichever of its entries is named.
//! - It is refused when a later call that is not undone changed the same character, combatant or fight. Undoing from the
//!   last change backwards is never refused for that.
//! - An undo can be undone by its entry number, which redoes the call. Without a number the last change that is not undone
//!   is meant, never an undo, so undoing twice goes two steps back.
//! - Ending a session can be undone; beginning one cannot.

mod call;
mod sound;

use call::{ChangeScope, LoggedCall, calls};

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

/// Sentences of the undone call in the undo's entry.
const SENTENCES_MAX: usize = 6;
/// Characters of each sentence.
const SENTENCE_MAX: usize = 300;

/// Undoes the call that `entry` belongs to, or the last change. The table's `later` entries must be those of that call and
/// every later one with changes; without `entry` the call is the [`candidate`].
pub fn undo(table: &mut Table, entry: Option<u64>) -> Result<u64, Refusal> {
    let later = std::mem::take(&mut table.later);
    let calls = calls(&later);
    let call = match entry {
        Some(seq) => call_of_entry(&calls, seq)?,
        None => last_change(&calls)?,
    };
    let touched = check_undoable(table.state, &calls, call)?;
    let passed_over = table.referred.take().and_then(|(seq, last)| passed_over(table.state, &calls, call, seq, &last));
    table.note(passed_over);
    let changes: Vec<Change> = call.changes().rev().cloned().map(Change::reversed).collect();
    let hidden = |state: &State| -> Vec<i64> {
        touched.iter().filter_map(ChangeScope::character).filter(|id| state.is_hidden(*id)).collect()
    };
    let mut unseen = sound::check_consistent(table.state, &changes, hidden)?;
    unseen.extend(hidden(table.state));
    let event = undone_event(table.state, call, &unseen);
    let visibility = if event.seen.is_empty() { Visibility::Gm } else { Visibility::Public };
    let event = Event::Undone(Box::new(event));
    Ok(table.log(Draft { visibility, ..Draft::new("gm", event, changes) }))
}

/// What is said of the log's last entry where "the last change" is an earlier call, because this one changed nothing.
fn passed_over(state: &State, calls: &[LoggedCall], call: &LoggedCall, seq: u64, last: &Entry) -> Option<String> {
    let first = last.call.unwrap_or(seq);
    if first <= call.first || calls.iter().any(|own| own.first == first) {
        return None;
    }
    let text = sentences(state, std::iter::once(last), Audience::Gm).join(" ");
    Some(format!("#{seq} came after it, changed nothing and stays as it is: {}", shortened(&text, 160)))
}

/// The first entry of the call that "the last change" means.
pub fn candidate(changes: &[(u64, Entry)]) -> Option<u64> {
    calls(changes).iter().rev().find(|call| call.is_candidate()).map(|call| call.first)
}

/// The same where earlier entries are missing: the first call may be incomplete, so it does not count.
pub fn whole_candidate(changes: &[(u64, Entry)]) -> Option<u64> {
    calls(changes).iter().skip(1).rev().find(|call| call.is_candidate()).map(|call| call.first)
}

fn call_of_entry<'c, 'e>(calls: &'c [LoggedCall<'e>], seq: u64) -> Result<&'c LoggedCall<'e>, Refusal> {
    calls.iter().find(|call| (call.first..=call.last).contains(&seq)).ok_or_else(|| {
        let summary = format!("Entry #{seq} was not found among the last {BACK_MAX}.");
        Refusal::new(Code::UnknownEntry, summary)
    })
}

fn last_change<'c, 'e>(calls: &'c [LoggedCall<'e>]) -> Result<&'c LoggedCall<'e>, Refusal> {
    calls.iter().rev().find(|call| call.is_candidate()).ok_or_else(|| {
        let summary = format!(
            "There is no change to undo among the last {BACK_MAX} entries: rolls and checks stay as they fell. Name an entry to mean \
             another one."
        );
        Refusal::new(Code::NothingToUndo, summary)
    })
}

/// The scopes of the call, if it can be undone.
fn check_undoable(state: &State, calls: &[LoggedCall], call: &LoggedCall) -> Result<Vec<ChangeScope>, Refusal> {
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
    let touched = call.scopes();
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
        since.filter_map(|later| Some((later, later.scopes().into_iter().find(|own| touched.contains(own))?)));
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

/// The event of an undo. Players see the sentences that do not concern hidden characters (`unseen`).
fn undone_event(state: &State, call: &LoggedCall, unseen: &[i64]) -> UndoneEvent {
    let (entry, last) = (call.first, call.last);
    if let Some(inner) = call.undo() {
        // An undo that players did not see is redone without them too.
        let all_public =
            unseen.is_empty() || call.entries.iter().all(|(_, entry)| entry.visibility == Visibility::Public);
        let seen = if all_public { inner.seen.clone() } else { Vec::new() };
        return UndoneEvent { entry, last, seen, again: !inner.again, ..inner.clone() };
    }
    let all = || call.entries.iter().map(|(_, entry)| entry);
    let is_seen = |entry: &&Entry| !call::scopes(&entry.changes).any(|own| own.concerns(unseen));
    let open = unseen.is_empty() && all().all(|entry| project(entry, state, Audience::Player).whole);
    let told = sentences(state, all(), Audience::Gm);
    let seen = sentences(state, all().filter(is_seen), Audience::Player);
    UndoneEvent { entry, last, told, seen, open, again: false }
}

/// The sentences of entries.
fn sentences<'e>(state: &State, entries: impl Iterator<Item = &'e Entry>, audience: Audience) -> Vec<String> {
    let mut all = entries.filter_map(|entry| project(entry, state, audience).seen);
    let mut shown: Vec<String> =
        all.by_ref().take(SENTENCES_MAX).map(|seen| shortened(&seen.text, SENTENCE_MAX)).collect();
    let more = all.count();
    if more > 0 {
        shown.push(format!("And {more} more."));
    }
    shown
}
