//! Names that players must not read yet: those of hidden combatants, in texts that a caller writes in its own words.
//!
//! A name counts where it stands whole, case and accents folded: "Guard" is named by "the guard's knife" and not by "guarded". Where
//! it is a part of a longer name that players know ("Guard Captain"), that one is meant.

use crate::game::record::change::Change;
use crate::game::record::entry::{Entry, Visibility};
use crate::game::record::event::Event;
use crate::game::record::state::{Character, CombatStatus, State};
use crate::game::refusal::{Code, Refusal};
use crate::game::view::visibility::Projection;
use crate::names::{Words, fold, quoted, same};
use crate::rules::System;

/// The names of those in the open fight whom players do not see; in one that is only prepared, of all foes they never saw.
pub fn unseen(state: &State) -> Vec<&str> {
    let Some(combat) = state.open_combat() else { return Vec::new() };
    let prepared = combat.status == CombatStatus::Setup;
    let seen_before =
        |id: i64| state.combatants.values().any(|own| own.character == id && own.combat != combat.id && !own.hidden);
    let named = |id: i64| state.characters.get(&id);
    let all = state.combatants_of(combat.id).filter_map(|own| Some((own.hidden, named(own.character)?)));
    all.filter(|(hidden, who)| *hidden || (prepared && !who.kind.is_open() && !seen_before(who.id)))
        .map(|(_, who)| who.name.as_str())
        .collect()
}

/// A refusal where a text that players will read names somebody whom they do not see. Asked before a die falls.
pub fn keep(
    state: &State,
    system: &System,
    visibility: Visibility,
    parameter: &str,
    text: Option<&str>,
) -> Result<(), Refusal> {
    let shown = matches!(visibility, Visibility::Public | Visibility::OutcomeOnly);
    let Some(text) = text.filter(|_| shown) else { return Ok(()) };
    unseen(state)
        .into_iter()
        .find(|name| named(state, system, parameter, text, name).is_some())
        .map_or(Ok(()), |name| Err(refused(parameter, name, true)))
}

/// The same of an entry that was decided, whatever its texts are: `players` is what they would see of it.
pub fn exposed(
    entry: &Entry,
    players: &Projection,
    state: &State,
    system: &System,
    unseen: &[&str],
) -> Option<Refusal> {
    let seen = players.seen.as_ref().filter(|_| !unseen.is_empty())?;
    let hideable =
        matches!(entry.event, Event::Roll { .. } | Event::RollSet { .. } | Event::Check(_) | Event::Damage(_));
    let texts = entry.event.texts().into_iter().chain(rows(entry));
    texts.filter(|(_, text)| !system.condition_names().any(|known| same(known, text))).find_map(|(parameter, text)| {
        let (name, by) = unseen.iter().find_map(|name| Some((name, named(state, system, parameter, text, name)?)))?;
        let read = players.whole || names(state, &seen.text, &by);
        read.then(|| refused(parameter, name, hideable && parameter != "condition"))
    })
}

/// Free texts that the rows of an entry bring.
fn rows(entry: &Entry) -> Vec<(&'static str, &str)> {
    let mut texts = Vec::new();
    for change in &entry.changes {
        match change {
            Change::Character(images) => {
                let before = images.before.as_ref().map(|row| &row.notes);
                let after = images.after.as_ref().map(|row| &row.notes).filter(|notes| Some(*notes) != before);
                texts.extend(after.map(|notes| ("notes", notes.as_str())));
            }
            Change::Item(images) if images.before != images.after => {
                let after = images.after.iter().flat_map(|row| [&row.name, &row.notes]);
                texts.extend(after.map(|text| ("inventory", text.as_str())));
            }
            Change::Combatant(images) if images.before.is_none() => {
                texts.extend(images.after.iter().map(|row| ("side", row.side.as_str())));
            }
            Change::Campaign(_)
            | Change::Session(_)
            | Change::Track(_)
            | Change::Condition(_)
            | Change::Item(_)
            | Change::Combat(_)
            | Change::Combatant(_) => {}
        }
    }
    texts
}

fn refused(parameter: &str, name: &str, hideable: bool) -> Refusal {
    let name = quoted(name);
    let or = match hideable {
        true => "visibility=\"gm\"".to_owned(),
        false => format!("show it first with manage_combat action=\"reveal\" combatant=\"{name}\""),
    };
    let summary = format!(
        "{parameter} names {name}, whom players do not see, and players would read it. Send {parameter} without the name, or {or}."
    );
    Refusal::new(Code::NamesHidden, summary)
}

/// Parameters that take sentences.
const SENTENCES: [&str; 7] = ["context", "expression", "reason", "override_reason", "trigger", "title", "outcome"];
/// Letters of a word that names somebody by itself.
const WORD_MIN: usize = 3;

/// By what a text names somebody: the name, or in a sentence a word of it.
fn named(state: &State, system: &System, parameter: &str, text: &str, name: &str) -> Option<String> {
    if names(state, text, name) {
        return Some(name.to_owned());
    }
    if !SENTENCES.contains(&parameter) {
        return None;
    }
    let folded = fold(name);
    let mut words = folded.split(|letter: char| !letter.is_alphanumeric()).filter(|word| {
        let long = word.chars().count() >= WORD_MIN && word.chars().any(char::is_alphabetic);
        long && !Words::of(word).is_empty()
    });
    words.find(|word| names(state, text, word) && !is_public(state, system, word)).map(str::to_owned)
}

/// Whether players know a word from the name of somebody they met, or from the rules.
fn is_public(state: &State, system: &System, word: &str) -> bool {
    let word = Words::of(word);
    let rules = (system.attributes.iter().map(|own| own.name.as_str()))
        .chain(system.skills.iter().map(|own| own.name.as_str()))
        .chain(system.checks.iter().map(|own| own.name.as_str()))
        .chain(system.tracks.iter().map(|own| own.name.as_str()))
        .chain(system.condition_names());
    met(state).map(|who| who.name.as_str()).chain(rules).any(|known| word.are_in(known))
}

/// Those whom players know by name.
fn met(state: &State) -> impl Iterator<Item = &Character> {
    let seen = |who: &&Character| {
        who.kind.is_open() || state.combatants.values().any(|own| own.character == who.id && !own.hidden)
    };
    state.characters.values().filter(|who| !state.is_hidden(who.id)).filter(seen)
}

/// Whether a text names somebody, outside of longer names that players know.
fn names(state: &State, text: &str, name: &str) -> bool {
    let (mut text, name) = (fold(text), fold(name));
    if name.is_empty() || !holds(&text, &name) {
        return false;
    }
    let longer = met(state).map(|who| fold(&who.name)).filter(|known| known.len() > name.len() && holds(known, &name));
    for known in longer.collect::<Vec<String>>() {
        while let Some(at) = found(&text, &known) {
            text.replace_range(at..at + known.len(), "|");
        }
    }
    holds(&text, &name)
}

fn holds(text: &str, name: &str) -> bool {
    found(text, name).is_some()
}

/// Where a name stands in a text as a whole word; both are folded.
fn found(text: &str, name: &str) -> Option<usize> {
    let apart = |beside: Option<char>, edge: Option<char>| {
        !beside.is_some_and(char::is_alphanumeric)
            || edge.is_none_or(|edge| !edge.is_alphanumeric() || is_unspaced(edge))
    };
    text.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + name.len()..).and_then(|behind| behind.chars().next());
        apart(before, name.chars().next()) && apart(behind, name.chars().next_back())
    })
}

/// Letters of scripts that put no spaces between words.
fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_where_it_stands_whole() {
        for (text, name, is) in [
            ("the guard's knife", "guard", true),
            ("on guard", "guard", true),
            ("guarded by", "guard", false),
            ("vanguard", "guard", false),
            ("kell", "kell", true),
            ("(kell)", "kell", true),
            ("kellmoor", "kell", false),
            ("rat 12", "rat 1", false),
            ("我看見李四來了", "李四", true),
        ] {
            assert_eq!(holds(text, name), is, "{name} in {text}");
        }
    }
}
