//! Keeps the names of hidden combatants and clocks out of every text that players read.
//!
//! One rule for every text. A name counts where it is whole, case and accents folded: "Guard" is
//! named by "the guard's knife" and not by "guarded"; where it is a part of a longer name that
//! players know ("Guard Captain"), that one is meant. Of a longer name a single word counts, unless
//! players know it from a name they met or from the rules:
//! - what it calls a character, in any case: "Lady" of "Lady in Grey", "Lore Taker" of "Lore Taker
//!   of the Fen";
//! - an everyday word ("grey", "will") and what is after a small word ("in", "of the"), where it is
//!   written as a name is: with a capital that begins no sentence and no other name. "Grey skies"
//!   is nobody.
//!
//! Names of clocks are often common words, so only the whole name counts, with its capitals as they
//! are written: "the alarm rings" does not name the clock Alarm, "Alarm rises" does. An article
//! that begins a longer name may be small: "the Thing below". An everyday word at the beginning of
//! a sentence names nothing.

use crate::record::entry::{Entry, Visibility};
use crate::record::event::{CheckEvent, Event, Subject};
use crate::record::state::{Character, Item, State};
use crate::refusal::{Code, Refusal};
use crate::{record::change::Change, view::visibility::Projection};
use rollbook_rules::System;
use rollbook_text::names::{Words, fold, is_everyday, is_unspaced, quoted, same, written};

/// The hidden combatants of the open fight; in one that is only prepared, also all foes that
/// players never saw. And those who were hidden when the last fight that they were in was over.
fn hidden_characters(state: &State) -> impl Iterator<Item = &Character> {
    let here = state
        .open_combat()
        .into_iter()
        .flat_map(|combat| state.combatants_of(combat.id));
    let is_unmet = |who: &Character| !state.is_met(who.id, who.kind);
    let here = here.filter(move |member| {
        member.hidden
            || state
                .characters
                .get(&member.character)
                .is_some_and(is_unmet)
    });
    here.chain(state.left_hidden())
        .filter_map(|member| state.characters.get(&member.character))
}

pub fn hidden_names(state: &State) -> Vec<&str> {
    hidden_characters(state)
        .map(|who| who.name.as_str())
        .collect()
}

pub fn is_hidden_from_players(state: &State, who: &Character) -> bool {
    hidden_characters(state).any(|hidden_character| hidden_character.id == who.id)
}

/// Who struck, where players know the striker and do not see the check: they see what it did.
pub fn unseen_striker(
    state: &State,
    event: &CheckEvent,
    visibility: Visibility,
) -> Option<Subject> {
    let striker = event
        .subject
        .as_ref()
        .filter(|_| matches!(visibility, Visibility::Gm | Visibility::Blind))?;
    let known = state.characters.get(&striker.id)?;
    let seen = !is_hidden_from_players(state, known) && state.is_met(known.id, known.kind);
    seen.then(|| striker.clone())
}

/// Refuses a name for whom players see, which holds the whole name of one whom they do not.
pub fn check_name(state: &State, name: &str) -> Result<(), Refusal> {
    let named = hidden_names(state)
        .into_iter()
        .find(|hidden| mentions(state, name, hidden));
    named.map_or(Ok(()), |hidden| Err(names_hidden("name", hidden, false)))
}

/// Refuses a text that players would read and that names a hidden combatant or clock; one about a
/// clock may name that one. Checked before dice are rolled.
pub fn check_text(
    state: &State,
    system: &System,
    visibility: Visibility,
    parameter: &str,
    text: Option<&str>,
    clock: Option<&str>,
) -> Result<(), Refusal> {
    let Some(text) = text.filter(|_| is_shown(visibility)) else {
        return Ok(());
    };
    let named = hidden_names(state)
        .into_iter()
        .find(|name| mentioned_as(state, system, text, name).is_some());
    named.map_or(Ok(()), |name| Err(names_hidden(parameter, name, true)))?;
    let mut clocks = hidden_clocks(state, system);
    clocks.retain(|name| clock != Some(name));
    named_in(state, system, text, &clocks).map_or(Ok(()), |name| Err(names_clock(parameter, name)))
}

/// The same for the character that the entry itself names: the actor or the target.
pub fn check_character(
    state: &State,
    visibility: Visibility,
    parameter: &str,
    who: Option<&Character>,
) -> Result<(), Refusal> {
    let hidden = who.filter(|who| is_shown(visibility) && is_hidden_from_players(state, who));
    let Some(name) = hidden.map(|who| quoted(&who.name)) else {
        return Ok(());
    };
    let summary = format!(
        "{name} is somebody whom players do not see, and with this visibility they would read {parameter}. Send visibility=\"gm\", or \
         show {name} first with manage_combat action=\"reveal\" combatant=\"{name}\"."
    );
    Err(Refusal::new(Code::NamesHidden, summary))
}

fn is_shown(visibility: Visibility) -> bool {
    matches!(visibility, Visibility::Public | Visibility::OutcomeOnly)
}

/// The same for every text of a logged entry; `players` is what they would see of it.
pub fn check_entry(
    entry: &Entry,
    players: &Projection,
    state: &State,
    system: &System,
    unseen: &[&str],
) -> Option<Refusal> {
    let seen = players.seen.as_ref().filter(|_| !unseen.is_empty())?;
    let is_free = |text: &str| !system.condition_names().any(|known| same(known, text));
    texts(entry)
        .into_iter()
        .filter(|(_, text)| is_free(text))
        .find_map(|(parameter, text)| {
            let (name, by) = unseen
                .iter()
                .find_map(|name| Some((name, mentioned_as(state, system, text, name)?)))?;
            let read = players.whole || mentions(state, &seen.text, &by);
            let is_hideable = || entry.event.description().is_hideable && parameter != "condition";
            read.then(|| names_hidden(parameter, name, is_hideable()))
        })
}

/// Refuses an entry that shows players one of these hidden clocks; clock events are checked before.
pub fn check_clocks(
    entry: &Entry,
    players: &Projection,
    state: &State,
    system: &System,
    clocks: &[String],
) -> Option<Refusal> {
    let seen = players
        .seen
        .as_ref()
        .filter(|_| !clocks.is_empty() && !matches!(entry.event, Event::Clock(_)))?;
    texts(entry).into_iter().find_map(|(parameter, text)| {
        let name = named_in(state, system, text, clocks)?;
        (players.whole || seen.text.contains(name)).then(|| names_clock(parameter, name))
    })
}

/// Free texts of an entry, those in its changed rows too.
fn texts(entry: &Entry) -> Vec<(&'static str, &str)> {
    let mut texts = entry.event.description().texts;
    for change in &entry.changes {
        match change {
            Change::Character(images) => {
                let before = images.before.as_ref().map(|row| row.notes.as_str());
                let after = images.after.iter().map(|row| row.notes.as_str());
                texts.extend(
                    after
                        .filter(|notes| Some(*notes) != before)
                        .map(|notes| ("notes", notes)),
                );
            }
            Change::Item(images) if images.before != images.after => {
                texts.extend(
                    images
                        .after
                        .iter()
                        .flat_map(Item::texts)
                        .map(|text| ("inventory", text)),
                );
            }
            Change::Combatant(images) if images.before.is_none() => {
                texts.extend(images.after.iter().map(|row| ("side", row.side.as_str())));
            }
            _ => {}
        }
    }
    texts
}

fn names_hidden(parameter: &str, name: &str, hideable: bool) -> Refusal {
    let name = quoted(name);
    let reveal =
        format!(", or show it first with manage_combat action=\"reveal\" combatant=\"{name}\"");
    let or = match (parameter, hideable) {
        // The fight that hides them may only begin with this call.
        ("title", _) => "",
        ("entry" | "request_id", _) | (_, false) => &reveal,
        (_, true) => ", or visibility=\"gm\"",
    };
    let without = format!("{parameter} without the name");
    let instead = match parameter {
        "name" => "another name",
        "entry" => "another entry",
        _ => &without,
    };
    let summary = format!(
        "{parameter} names {name}, whom players do not see, and players would read it. Send {instead}{or}."
    );
    Refusal::new(Code::NamesHidden, summary)
}

/// Letters of a word that can name a character by itself.
const WORD_MIN: usize = 3;

/// The part of a name that a text mentions: the name, or a word of it.
fn mentioned_as(state: &State, system: &System, text: &str, name: &str) -> Option<String> {
    if mentions(state, text, name) {
        return Some(name.to_owned());
    }
    let parts = name_words(name);
    let part_of = |folded: &str| parts.iter().find(|(part, _)| part == folded);
    let text = written(text);
    let is_joined = |at: &usize| text.get(*at).is_some_and(|word| word.joined);
    let beside = |at: usize| {
        let (before, after) = (Some(at).filter(is_joined), Some(at + 1).filter(is_joined));
        let words = [before.and_then(|at| at.checked_sub(1)), after]
            .into_iter()
            .flatten();
        let mut names = words
            .filter_map(|at| text.get(at))
            .filter(|word| word.is_name());
        names.any(|word| part_of(&word.folded).is_none())
    };
    let mut words = (0..).zip(&text);
    let word = words.find(|(at, word)| {
        let is_meant = part_of(&word.folded)
            .is_some_and(|(_, calls)| *calls || (word.is_name() && !beside(*at)));
        is_meant && !is_public(state, system, &word.folded)
    });
    word.map(|(_, word)| word.folded.clone())
}

fn name_words(name: &str) -> Vec<(String, bool)> {
    let words = written(name).into_iter().map(|word| word.folded);
    let is_small = |word: &String| Words::of(word).is_empty();
    let words = words
        .filter(|word| word.chars().any(char::is_alphabetic))
        .skip_while(is_small);
    let mut ended = false;
    let part = |word: String| {
        ended |= is_small(&word);
        let calls = !ended && !is_everyday(&word);
        (!is_small(&word) && word.chars().count() >= WORD_MIN).then_some((word, calls))
    };
    words.filter_map(part).collect()
}

/// Whether players know a word from a visible character's name, or from the rules.
fn is_public(state: &State, system: &System, word: &str) -> bool {
    let word = Words::of(word);
    let rules = (system
        .attributes
        .iter()
        .map(|attribute| attribute.name.as_str()))
    .chain(system.skills.iter().map(|skill| skill.name.as_str()))
    .chain(system.checks.iter().map(|check| check.name.as_str()))
    .chain(
        system
            .difficulties
            .iter()
            .map(|difficulty| difficulty.name.as_str()),
    )
    .chain(system.tracks.iter().map(|track| track.name.as_str()))
    .chain(
        system
            .defences
            .iter()
            .map(|defence| defence.rule.name.as_str()),
    )
    .chain(system.rests.iter().map(|rest| rest.label.as_str()))
    .chain(system.condition_names());
    known_characters(state)
        .map(|who| who.name.as_str())
        .chain(rules)
        .any(|known| word.are_in(known))
}
fn known_characters(state: &State) -> impl Iterator<Item = &Character> {
    state
        .characters
        .values()
        .filter(|who| state.is_met(who.id, who.kind))
}

fn mentions(state: &State, text: &str, name: &str) -> bool {
    let (mut text, name) = (fold(text), fold(name));
    if name.is_empty() || find_word(&text, &name).is_none() {
        return false;
    }
    let longer = known_characters(state).map(|who| fold(&who.name));
    for known in
        longer.filter(|known| known.len() > name.len() && find_word(known, &name).is_some())
    {
        while let Some(at) = find_word(&text, &known) {
            text.replace_range(at..at + known.len(), "|");
        }
    }
    find_word(&text, &name).is_some()
}

/// The position of a name in a text as a whole word; both are folded, or both as they are written.
fn find_word(text: &str, name: &str) -> Option<usize> {
    let apart = |beside: Option<char>, edge: Option<char>| {
        !beside.is_some_and(char::is_alphanumeric)
            || edge.is_none_or(|edge| !edge.is_alphanumeric() || is_unspaced(edge))
    };
    text.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = text
            .get(..*at)
            .and_then(|before| before.chars().next_back());
        let after = text
            .get(at + name.len()..)
            .and_then(|after| after.chars().next());
        apart(before, name.chars().next()) && apart(after, name.chars().next_back())
    })
}

/// The names of the clocks that players do not see.
pub fn hidden_clocks(state: &State, system: &System) -> Vec<String> {
    let rows = state
        .clocks
        .values()
        .filter(|clock| clock.hidden && !clock.closed)
        .map(|clock| clock.name.clone());
    let rules = system.company.iter().flat_map(|company| &company.tracks);
    let untouched = rules.filter(|rule| rule.hidden && !state.clocks.contains_key(&rule.name));
    rows.chain(untouched.map(|rule| rule.name.clone()))
        .collect()
}

/// The first of these that a text names, unless players know its name from elsewhere.
pub fn named_in<'c>(
    state: &State,
    system: &System,
    text: &str,
    clocks: &'c [String],
) -> Option<&'c str> {
    let mut named = clocks.iter().filter(|name| names(text, name));
    named
        .find(|name| !is_public(state, system, &fold(name)))
        .map(String::as_str)
}

fn names(text: &str, name: &str) -> bool {
    let is_one_word = !name.trim().contains(char::is_whitespace);
    if is_one_word && is_everyday(name) {
        let as_written = |word: &str| fold(word) == fold(name);
        return find_word(text, name).is_some()
            && written(text)
                .iter()
                .any(|written| written.is_name() && as_written(&written.folded));
    }
    let longer = name
        .strip_prefix("The ")
        .filter(|rest| rest.contains(char::is_whitespace));
    let small = longer.map(|rest| format!("the {rest}"));
    std::iter::once(name)
        .chain(small.as_deref())
        .any(|name| find_word(text, name).is_some())
}

pub fn names_clock(parameter: &str, name: &str) -> Refusal {
    let name = quoted(name);
    let without = format!("{parameter} without the name, or visibility=\"gm\"");
    let instead = if parameter == "entry" {
        "another entry"
    } else {
        &without
    };
    let summary = format!(
        "{parameter} names the clock {name}, which players do not see, and players would read it. Send {instead}, or show it first with manage_session action=\"clock\" name=\"{name}\" visibility=\"public\"."
    );
    Refusal::new(Code::NamesHidden, summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_where_it_is_whole() {
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
            assert_eq!(find_word(text, name).is_some(), is, "{name} in {text}");
        }
    }

    #[test]
    fn only_the_whole_name_with_its_capitals_names_a_clock() {
        for (text, name, is) in [
            ("the alarm rings", "Alarm", false),
            ("they tick the Alarm", "Alarm", true),
            ("Alarms everywhere", "Alarm", false),
            ("Water drips", "Water", false),
            ("up goes the Water", "Water", true),
            ("the Thing below stirs", "The Thing below", true),
            ("The thing below stirs", "The thing below", true),
            ("they fear the thing below", "The thing below", true),
            ("The watch comes", "The watch", true),
            ("the watch comes", "The watch", false),
            ("they watch", "The watch", false),
            ("a thing, far below", "The thing below", false),
        ] {
            assert_eq!(names(text, name), is, "{name} in {text}");
        }
    }
}
