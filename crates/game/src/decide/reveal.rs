//! A hidden entry is opened: players get what was written and sealed then, and can see that it is the same.

use std::collections::BTreeSet;

use crate::decide::advancement;
use crate::record::change::Change;
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{Event, RevealedEvent, RulesLoaded, RulesPart};
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, SealedEntry, Table};
use crate::view::Audience;
use crate::view::secrets;
use crate::view::visibility::{noted, visible_entry};
use rollbook_text::names::quoted;

/// Opens the entry that the table was given as sealed. It cannot be undone: what players have seen they know.
/// Refused: when players see all of it, it was opened before, its body holds the GM's notes on a character, or names somebody who is hidden now.
pub fn reveal(table: &mut Table) -> Result<u64, Refusal> {
    let Some(sealed) = table.sealed.take() else {
        let summary = "Which entry? Send entry with the number that a reply gave as log: entry=128.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    };
    let seq = sealed.seq;
    if let Some(by) = sealed.opened_by {
        let summary = format!(
            "Entry #{seq} is open already: #{by} opened it. manage_session action=\"entry\" entry={by} shows it."
        );
        return Err(Refusal::new(Code::NotSealed, summary));
    }
    if !is_hidden(&sealed) {
        let what = match noted(&sealed.entry) {
            Some(name) => format!(
                "Players see all that happened in entry #{seq}, and the GM's notes on {} in it are never opened",
                quoted(name)
            ),
            None if let Some(roll) = sealed.hidden_roll => {
                let summary = format!(
                    "Players see all of entry #{seq}; what they do not see is the roll that it came from. manage_session action=\"reveal\" \
                     entry={roll} opens that."
                );
                return Err(Refusal::new(Code::NotSealed, summary));
            }
            None => format!("Players see all of entry #{seq}: nothing of it is hidden"),
        };
        let summary = format!("{what}. Send the number of a roll or note that they do not see.");
        return Err(Refusal::new(Code::NotSealed, summary));
    }
    let holds = match &sealed.entry.event {
        Event::Continued(_) => Some("all that the GM knew when the log went on"),
        Event::RulesLoaded(RulesLoaded { text, changed, .. })
            if changed.is_some() || !text.iter().all(RulesPart::is_open) =>
        {
            Some("the rules with what the GM alone reads of them")
        }
        _ => None,
    };
    if let Some(holds) = holds {
        let summary = format!(
            "Entry #{seq} holds {holds}, and an entry is opened as a whole. Tell players what they may know with manage_session action=\"note\"."
        );
        return Err(Refusal::new(Code::NotSealed, summary));
    }
    if let Some(name) = noted(&sealed.entry) {
        let summary = format!(
            "Entry #{seq} holds the GM's notes on {}, and an entry is opened as a whole. Tell players what they may know with \
             manage_session action=\"note\".",
            quoted(name)
        );
        return Err(Refusal::new(Code::NotSealed, summary));
    }
    if let Some(roll) = sealed.hidden_roll {
        let summary = format!(
            "Entry #{seq} tells what roll #{roll} came to, which players do not see. Open that first with manage_session action=\"reveal\" \
             entry={roll}, then this one."
        );
        return Err(Refusal::new(Code::NotSealed, summary));
    }
    let open = Entry { visibility: Visibility::Public, ..sealed.entry.clone() };
    if visible_entry(&open, Audience::Player, true).is_none_or(|seen| seen.text.is_empty()) {
        let summary = format!(
            "Entry #{seq} tells of nothing but an effect that players do not know of, so that there is nothing to open. manage_combat \
             action=\"reveal\" with the effect's name shows the effect."
        );
        return Err(Refusal::new(Code::NotSealed, summary));
    }
    if let Some(deck) = drawn(&sealed.entry) {
        let summary = format!(
            "Entry #{seq} drew from {deck}, and what is written in it says all that was out of the deck, cards of other hidden rolls among \
             them; an entry is opened as a whole. Tell players what they may know with manage_session action=\"note\"."
        );
        return Err(Refusal::new(Code::NotSealed, summary));
    }
    // Somebody who is hidden stays so, in whatever field the body names them.
    secrets::check_text(table.state, table.system(), Visibility::Public, "entry", Some(&sealed.body))?;
    let shown = shown_ticks(table, &sealed.entry)?;
    let SealedEntry { salt, body, undone, .. } = sealed;
    let event = Event::Revealed(Box::new(RevealedEvent { entry: seq, salt, body, undone }));
    Ok(table.log(Draft::new("gm", event, shown)))
}

/// What the entry shows of its character's ticks: that which it gave, or which the check earned.
/// Refused: when there stand others in it, of which players know nothing.
fn shown_ticks(table: &Table, entry: &Entry) -> Result<Vec<Change>, Refusal> {
    let state = &table.state;
    let Some(rows) = entry.changes.iter().find_map(|change| match change {
        Change::Character(images) => Some(images),
        _ => None,
    }) else {
        return Ok(advancement::opened(state, table.system(), entry).into_iter().collect());
    };
    let hidden = |row: &Option<Character>| row.iter().flat_map(|row| row.ticks.hidden.clone()).collect::<BTreeSet<_>>();
    let (before, after) = (hidden(&rows.before), hidden(&rows.after));
    let given: Vec<String> = after.difference(&before).cloned().collect();
    let who = rows.row().and_then(|row| state.characters.get(&row.id));
    let is_known = |name: &&String| given.contains(name) || who.is_some_and(|who| who.ticks.seen.contains(*name));
    if let Some(other) = before.union(&after).find(|name| !is_known(name)) {
        let summary = format!(
            "The entry holds another tick that players know nothing of ({}), and an entry is opened as a whole. Open the check that gave \
             it instead.",
            quoted(other)
        );
        return Err(Refusal::new(Code::NotSealed, summary));
    }
    let shown = who.filter(|who| given.iter().any(|name| who.ticks.hidden.contains(name)));
    Ok(shown
        .map(|who| advancement::shown(who, given.into_iter().filter(|name| who.ticks.hidden.contains(name))))
        .into_iter()
        .collect())
}

/// The deck that the entry drew from, where it stays drawn.
fn drawn(entry: &Entry) -> Option<&str> {
    entry.changes.iter().find_map(|change| match change {
        Change::Deck(images) => images.row().map(|row| row.name.as_str()),
        _ => None,
    })
}

/// Whether players saw less of it than they would have of a public one.
fn is_hidden(sealed: &SealedEntry) -> bool {
    let open = Entry { visibility: Visibility::Public, ..sealed.entry.clone() };
    sealed.entry.visibility != Visibility::Public || sealed.players != visible_entry(&open, Audience::Player, true)
}
