//! The first pass over a file: declares everything that has a name.

use super::labels::{Label, Read};
use super::names::{Names, Thing};
use super::pieces::{NAME_WORDS_MAX, bullets, label, label_length, parts, split_at_colon, tables};
use super::table;
use crate::document::{Section, Text};
use crate::section::SectionKind;
use rollbook_text::names::fold;

/// Declares the names in a section's bullets and dice.
pub fn declare(kind: SectionKind, section: &Section, names: &mut Names) {
    for (heading, part) in parts(section) {
        // A heading without bullets is no check.
        if let Some(heading) =
            heading.filter(|_| kind == SectionKind::Checks && bullets(part).next().is_some())
        {
            names.declare(heading.as_str(), Thing::Check);
        }
        for bullet in bullets(part) {
            let (written, value) = split_at_colon(&bullet.text);
            match (label(kind, &written), &value) {
                (Some((label, rest)), Some(value)) => {
                    declare_by_label(label, rest.as_str(), value, names)
                }
                (Some(_), None) => {}
                (None, _) => declare_by_name(kind, &written, value.as_ref(), names),
            }
        }
        dice_labels(part, names);
    }
}

/// Declares the names in the tables of these sections, after the names that some tables need.
pub fn declare_tables<'s>(sections: impl Iterator<Item = &'s Section> + Clone, names: &mut Names) {
    let all = || {
        sections
            .clone()
            .flat_map(parts)
            .flat_map(|(_, part)| tables(part))
    };
    all().for_each(|table| table::declare(table, names));
    // Without a line of damage types, the types of the attacks are declared.
    if !names.has_any(Thing::Kind) {
        all().for_each(|table| table::declare_types(table, names));
    }
}

fn declare_by_label(label: &Label, rest: &str, value: &Text, names: &mut Names) {
    match (label.words, label.read) {
        // The letter is no name.
        ("Symbol", _) => names.declare(value.as_str(), Thing::Symbol),
        ("Damage types", _) => {
            value
                .split_all(&[",", ";"])
                .iter()
                .for_each(|kind| names.declare(kind.as_str(), Thing::Kind));
        }
        ("Asks", _) => declare_asks(value, names),
        (_, Read::Named(thing, _)) => names.declare(rest, thing),
        _ => {}
    }
    if label.words == "Deck" {
        // Suits and further cards are what a draw shows.
        let all = value.split_all(&[",", ";", " of "]);
        let name = |card: &Text| {
            card.as_str()
                .trim_start_matches(|letter: char| letter.is_ascii_digit())
                .trim()
                .to_owned()
        };
        let cards = all
            .iter()
            .map(name)
            .filter(|card| card.starts_with(char::is_alphabetic));
        cards.for_each(|card| names.declare(&card, Thing::Symbol));
    }
    if label.words == "Again" {
        for option in value.split_all(&[",", ";"]) {
            if let Some(asked) = label_length(option.as_str(), "asks")
                .map(|at| option.slice(at..option.as_str().len()))
            {
                declare_asks(&asked, names);
            }
        }
    }
}

/// `pool 1 to 20, first from Attributes`: declares the names before the ranges.
fn declare_asks(value: &Text, names: &mut Names) {
    for ask in value.split_all(&[",", ";"]) {
        let words: Vec<&str> = ask.as_str().split_whitespace().collect();
        let is_end = |word: &&str| {
            word.starts_with(|letter: char| {
                letter.is_ascii_digit() || matches!(letter, '-' | '{' | '\u{2212}')
            }) || matches!(fold(word).as_str(), "from" | "dice")
        };
        let end = words.iter().position(is_end).unwrap_or(words.len());
        names.declare(&words.get(..end).unwrap_or_default().join(" "), Thing::Ask);
    }
}

/// Declares the name of a bullet: what is before its brackets.
fn declare_by_name(kind: SectionKind, written: &Text, value: Option<&Text>, names: &mut Names) {
    let (name, notes) = written
        .as_str()
        .split_once('(')
        .map_or((written.as_str(), ""), |(name, notes)| (name, notes));
    let name = name.trim();
    if name.split_whitespace().count() > NAME_WORDS_MAX {
        return;
    }
    match kind {
        SectionKind::Attributes => {
            names.declare(name, Thing::Attribute);
            let mut notes = notes.split([',', ';', ')']).map(str::trim);
            let short =
                notes.find(|note| note.starts_with(char::is_alphabetic) && !note.contains(' '));
            short
                .into_iter()
                .for_each(|short| names.declare(short, Thing::Attribute));
        }
        SectionKind::Skills => names.declare(name, Thing::Skill),
        SectionKind::Conditions => names.declare(name, Thing::Condition),
        SectionKind::Health | SectionKind::Company | SectionKind::Clocks if value.is_some() => {
            names.declare(name, Thing::Track)
        }
        _ => {}
    }
}

/// Declares labels of dice: `[hunger]`.
fn dice_labels(part: &Section, names: &mut Names) {
    for bullet in bullets(part) {
        for code in bullet.text.codes() {
            let mut rest = code.as_str();
            while let Some((_, labelled)) = rest.split_once('[') {
                let (label, after) = labelled.split_once(']').unwrap_or((labelled, ""));
                names.declare(label, Thing::Label);
                rest = after;
            }
        }
    }
}
