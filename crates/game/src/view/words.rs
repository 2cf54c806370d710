//! The words by which an entry is found: what the GM reads of it, and what players saw of it.
//! Accents and case are folded, so that "cafe" finds "Café".
//!
//! A word is letters and digits of ASCII; another one is written in hexadecimal. What is no word
//! but a quality of the entry has an underscore in it: `kind_check`, `who_sabeth`. A name has one
//! for each run of its words: `who_sabeth`, `who_quoin`, `who_sabeth_quoin`.

use super::{Audience, visibility::visible_without_dice};
use crate::record::{entry::Entry, event::Event};
use rollbook_rules::Outcome;
use rollbook_text::names::{fold, is_unspaced};
use serde::Deserialize;
use std::collections::BTreeSet;

/// Words of one entry, at most; what comes after them is not found.
const WORDS_MAX: usize = 400;

/// Words of a name of which each run is found.
const NAME_WORDS_MAX: usize = 6;

/// Letters of a word that are looked at.
const LETTERS_MAX: usize = 100;

/// What a search asks for; all of it has to be true of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    pub text: Option<String>,
    pub kind: Option<String>,
    pub character: Option<String>,
    pub target: Option<String>,
    pub skill: Option<String>,
    pub outcome: Option<Outcome>,
}

/// A word that is looked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word {
    pub word: String,
    /// It may go on: `lock*`.
    pub begins: bool,
    /// This one does as well.
    pub or: Option<String>,
}

/// The words by which the GM finds an entry.
pub fn words_for_gm(entry: &Entry) -> BTreeSet<String> {
    let mut words = Words::default();
    words.quality("kind", entry.event.kind());
    if let Some(seen) = visible_without_dice(entry, Audience::Gm, true) {
        words.text(&seen.text);
    }
    entry
        .event
        .description()
        .texts
        .iter()
        .for_each(|(_, text)| words.text(text));
    for (quality, name) in people(entry) {
        words.names(quality, name);
        words.text(name);
    }
    if let Event::Check(check) = &entry.event {
        for skill in [&check.skill, &check.attribute, &check.attack_name]
            .into_iter()
            .flatten()
        {
            words.names("skill", skill);
        }
        [&check.label, &check.attack_name]
            .into_iter()
            .flatten()
            .for_each(|text| words.text(text));
        check
            .outcome
            .iter()
            .for_each(|outcome| words.quality("outcome", outcome.as_str()));
    }
    words.0
}

fn people(entry: &Entry) -> Vec<(&'static str, &str)> {
    let event = entry.event.description();
    let rolls = entry.rolls.iter().map(|record| ("who", record.by.as_str()));
    let who = event
        .who
        .into_iter()
        .map(|subject| ("who", subject.name.as_str()));
    let targets = event
        .targets
        .into_iter()
        .map(|subject| ("target", subject.name.as_str()));
    std::iter::once(("who", entry.actor.as_str()))
        .chain(rolls)
        .chain(who)
        .chain(targets)
        .collect()
}

/// What is read of the public part of an entry: its dice are passed over.
#[derive(Deserialize)]
struct Frozen {
    kind: String,
    text: String,
    actor: Option<String>,
    outcome: Option<Outcome>,
    label: Option<String>,
}

/// The words by which players find an entry, from what was frozen for them when it was written;
/// `None` where they saw nothing of it. Of its people those count whom their sentence names.
pub fn words_for_players(public: &[u8], entry: Option<&Entry>) -> Option<BTreeSet<String>> {
    let frozen: Frozen = serde_json::from_slice(public).ok()?;
    let mut words = Words::default();
    words.quality("kind", &frozen.kind);
    words.text(&frozen.text);
    if let Some(who) = &frozen.actor {
        words.text(who);
        words.names("who", who);
    }
    let named = entry
        .into_iter()
        .flat_map(people)
        .filter(|(_, name)| frozen.text.contains(name));
    named.for_each(|(quality, name)| words.names(quality, name));
    frozen.label.iter().for_each(|label| words.text(label));
    frozen
        .outcome
        .iter()
        .for_each(|outcome| words.quality("outcome", outcome.as_str()));
    Some(words.0)
}

/// The kind of the entries in which people are renamed.
pub const RENAMED: &str = "character_updated";

impl Asked {
    /// Whether players find an entry of which they see this.
    pub fn finds(&self, public: &[u8], entry: &Entry) -> bool {
        let Some(words) = words_for_players(public, Some(entry)) else {
            return false;
        };
        let is_there = |wanted: &Word| {
            let mut both = std::iter::once(&wanted.word).chain(&wanted.or);
            both.any(|word| words.contains(word))
                || (wanted.begins && words.iter().any(|word| word.starts_with(&wanted.word)))
        };
        self.words(Audience::Player).iter().all(is_there)
    }

    /// The first of these texts without a word, with its name.
    pub fn without_words(&self) -> Option<(&'static str, &str)> {
        let texts = [
            ("text", &self.text),
            ("character", &self.character),
            ("target", &self.target),
            ("skill", &self.skill),
        ];
        let mut written = texts
            .into_iter()
            .filter_map(|(name, text)| Some((name, text.as_deref()?)));
        written.find(|(_, text)| words(text).next().is_none())
    }

    /// The words of an entry that is found. Players find skills that their sentence names.
    pub fn words(&self, audience: Audience) -> BTreeSet<Word> {
        let word = |word: String| Word {
            word,
            begins: false,
            or: None,
        };
        // The words of a name as one.
        let run = |name: &String| {
            Some(words(name).collect::<Vec<_>>().join("_")).filter(|run| !run.is_empty())
        };
        let mut found = Words::default();
        self.kind
            .iter()
            .for_each(|kind| found.quality("kind", kind));
        self.outcome
            .iter()
            .for_each(|outcome| found.quality("outcome", outcome.as_str()));
        self.target
            .iter()
            .filter_map(run)
            .for_each(|name| found.quality("target", &name));
        match (audience, &self.skill) {
            (_, None) => {}
            (Audience::Gm, Some(name)) => {
                words(name).for_each(|word| found.add(format!("skill_{word}")))
            }
            (Audience::Player, Some(name)) => found.text(name),
        }
        let mut all: BTreeSet<Word> = found.0.into_iter().map(word).collect();
        // What happened to a character has it as its target.
        let who = |name: String| Word {
            or: Some(format!("target_{name}")),
            ..word(format!("who_{name}"))
        };
        all.extend(self.character.iter().filter_map(run).map(who));
        for part in self.text.iter().flat_map(|text| text.split_whitespace()) {
            let mut words: Vec<Word> = words(part).map(word).collect();
            words
                .last_mut()
                .into_iter()
                .for_each(|word| word.begins = part.ends_with('*'));
            all.extend(words);
        }
        all
    }
}

#[derive(Default)]
struct Words(BTreeSet<String>);

impl Words {
    fn add(&mut self, word: String) {
        if self.0.len() < WORDS_MAX {
            self.0.insert(word);
        }
    }

    fn text(&mut self, text: &str) {
        words(text).for_each(|word| self.add(word));
    }

    fn quality(&mut self, quality: &str, value: &str) {
        self.add(format!("{quality}_{}", value.replace(' ', "_")));
    }

    /// A quality for each run of words of a name, so that a part of it is enough to find it.
    fn names(&mut self, quality: &str, name: &str) {
        let words: Vec<String> = words(name).take(NAME_WORDS_MAX).collect();
        for first in 0..words.len() {
            let from_first = words.get(first..).unwrap_or_default();
            let runs = (1..=from_first.len()).filter_map(|many| from_first.get(..many));
            runs.for_each(|run| self.add(format!("{quality}_{}", run.join("_"))));
        }
    }
}

/// The words of a text, folded; a letter of a script without spaces is a word by itself.
fn words(text: &str) -> impl Iterator<Item = String> {
    let folded = fold(text);
    let mut words = vec![String::new()];
    for letter in folded.chars() {
        match letter {
            letter if is_unspaced(letter) => words.extend([letter.to_string(), String::new()]),
            letter if letter.is_alphanumeric() => words
                .last_mut()
                .into_iter()
                .for_each(|word| word.push(letter)),
            '\'' => {}
            _ => words.push(String::new()),
        }
    }
    words
        .into_iter()
        .filter(|word| !word.is_empty())
        .map(|mut word| {
            if !word.is_ascii() {
                word = format!("x_{}", base16ct::lower::encode_string(word.as_bytes()));
            }
            word.truncate(LETTERS_MAX);
            word
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_written_in_ascii() {
        for (text, found) in [
            (
                "The Café's door, #12: 15!",
                &["the", "cafes", "door", "12", "15"][..],
            ),
            ("ключ", &["x_d0bad0bbd18ed187"]),
            ("Fuß", &["fuss"]),
            ("李四", &["x_e69d8e", "x_e59b9b"]),
            ("… — *", &[]),
        ] {
            assert_eq!(words(text).collect::<Vec<_>>(), found, "{text}");
        }
        // What players did not see has no words.
        assert_eq!(words_for_players(br#"{"hidden":true,"seq":7}"#, None), None);
    }

    #[test]
    fn a_character_is_looked_for_and_not_the_words_of_the_name() {
        let (text, character) = (
            Some("lock* ключ*".to_owned()),
            Some("Sabeth Quoin".to_owned()),
        );
        let asked = Asked {
            text,
            character,
            ..Asked::default()
        };
        let words = |audience| -> Vec<String> {
            let shown = |word: Word| {
                let or = word.or.map_or(String::new(), |or| format!("|{or}"));
                format!("{}{or}{}", word.word, if word.begins { "*" } else { "" })
            };
            asked.words(audience).into_iter().map(shown).collect()
        };
        assert_eq!(
            words(Audience::Gm),
            [
                "lock*",
                "who_sabeth_quoin|target_sabeth_quoin",
                "x_d0bad0bbd18ed187*"
            ]
        );
        assert_eq!(words(Audience::Player), words(Audience::Gm));
    }
}
