//! A hidden entry is opened: players get what was sealed then, and can see that it is the same.

use crate::record::entry::{Entry, Visibility};
use crate::record::event::{Event, RevealedEvent, RulesLoaded, RulesPart};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, SealedEntry, Table};
use crate::view::visibility::{noted, visible_entry};
use crate::view::{Audience, secrets};
use crate::{decide::advancement, record::change::Change, record::state::Character};
use rollbook_text::names::quoted;
use std::collections::BTreeSet;

/// Opens the entry that the table was given as sealed. It cannot be undone: what players have seen
/// they know. Refused: when players see all of it, it was opened before, its body holds the GM's
/// notes on a character, or names a character who is hidden now.
pub fn reveal(table: &mut Table) -> Result<u64> {
    let Some(sealed) = table.sealed.take() else {
        let summary =
            "Which entry? Send entry with the number that a reply gave as log: entry=128.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    };
    if let Some(why) = why_not(&sealed) {
        return Err(Refusal::new(Code::NotSealed, why));
    }
    // A character who is hidden stays so, in whatever field the body names them.
    secrets::check_text(
        table.state,
        table.system(),
        Visibility::Public,
        "entry",
        Some(&sealed.body),
        None,
    )?;
    let shown = shown_ticks(table, &sealed.entry)?;
    let SealedEntry {
        seq,
        salt,
        body,
        undone,
        ..
    } = sealed;
    let event = Event::Revealed(Box::new(RevealedEvent {
        entry: seq,
        salt,
        body,
        undone,
    }));
    Ok(table.log(Draft::new("gm", event, shown)))
}

fn why_not(sealed: &SealedEntry) -> Option<String> {
    let SealedEntry {
        seq,
        entry,
        opened_by,
        hidden_roll,
        ..
    } = sealed;
    if let Some(by) = opened_by {
        return Some(format!(
            "Entry #{seq} is open already: #{by} opened it. manage_session action=\"entry\" entry={by} shows it."
        ));
    }
    // As it would be if it were public.
    let public = Entry {
        visibility: Visibility::Public,
        ..entry.clone()
    };
    let open = visible_entry(&public, Audience::Player, true);
    if entry.visibility == Visibility::Public && sealed.players == open {
        let what = match (noted(entry), hidden_roll) {
            (Some(name), _) => format!(
                "Players see all that happened in entry #{seq}, and the GM's notes on {} in it are never opened",
                quoted(name)
            ),
            (None, Some(roll)) => {
                return Some(format!(
                    "Players see all of entry #{seq}; what they do not see is the roll that it came from. manage_session action=\"reveal\" \
                     entry={roll} opens that."
                ));
            }
            (None, None) => format!("Players see all of entry #{seq}: nothing of it is hidden"),
        };
        return Some(format!(
            "{what}. Send the number of a roll or note that they do not see."
        ));
    }
    let holds = match &entry.event {
        Event::Continued(_) => Some("all that the GM knew when the log went on".to_owned()),
        Event::RulesLoaded(RulesLoaded { text, changed, .. })
            if changed.is_some() || !text.iter().all(RulesPart::is_open) =>
        {
            Some("the rules with what the GM alone reads of them".to_owned())
        }
        _ => noted(entry).map(|name| format!("the GM's notes on {}", quoted(name))),
    };
    if let Some(holds) = holds {
        return Some(format!(
            "Entry #{seq} holds {holds}, and an entry is opened as a whole. Tell players what they may know with manage_session action=\"note\"."
        ));
    }
    if let Some(roll) = hidden_roll {
        return Some(format!(
            "Entry #{seq} tells what roll #{roll} came to, which players do not see. Open that first with manage_session action=\"reveal\" \
             entry={roll}, then this one."
        ));
    }
    if open.is_none_or(|seen| seen.text.is_empty()) {
        return Some(format!(
            "Entry #{seq} tells of nothing but an effect that players do not know of, so that there is nothing to open. manage_combat \
             action=\"reveal\" with the effect's name shows the effect."
        ));
    }
    let drawn = entry.changes.iter().find_map(|change| match change {
        Change::Deck(images) => images.row(),
        _ => None,
    });
    drawn.map(|deck| {
        format!(
            "Entry #{seq} drew from {}, and what is written in it says all that was out of the deck, cards of other hidden rolls among \
             them; an entry is opened as a whole. Tell players what they may know with manage_session action=\"note\".",
            deck.name
        )
    })
}

/// What the entry shows of its character's ticks: that which it gave, or which the check earned.
/// Refused: when there are others in it, of which players know nothing.
fn shown_ticks(table: &Table, entry: &Entry) -> Result<Vec<Change>> {
    let state = &table.state;
    let Some(rows) = entry.changes.iter().find_map(|change| match change {
        Change::Character(images) => Some(images),
        _ => None,
    }) else {
        return Ok(advancement::opened(state, table.system(), entry)
            .into_iter()
            .collect());
    };
    let hidden = |row: &Option<Character>| {
        row.iter()
            .flat_map(|row| row.ticks.hidden.clone())
            .collect::<BTreeSet<_>>()
    };
    let (before, after) = (hidden(&rows.before), hidden(&rows.after));
    let given: Vec<String> = after.difference(&before).cloned().collect();
    let who = rows.row().and_then(|row| state.characters.get(&row.id));
    let is_known = |name: &&String| {
        given.contains(name) || who.is_some_and(|who| who.ticks.seen.contains(*name))
    };
    if let Some(other) = before.union(&after).find(|name| !is_known(name)) {
        let summary = format!(
            "The entry holds another tick that players know nothing of ({}), and an entry is opened as a whole. Open the check that gave \
             it instead.",
            quoted(other)
        );
        return Err(Refusal::new(Code::NotSealed, summary));
    }
    let Some(who) = who else {
        return Ok(Vec::new());
    };
    let mut given = given
        .into_iter()
        .filter(|name| who.ticks.hidden.contains(name))
        .peekable();
    Ok(given
        .peek()
        .is_some()
        .then(|| advancement::shown(who, given))
        .into_iter()
        .collect())
}
