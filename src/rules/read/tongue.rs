//! Whether an author writes English, as the headings and labels of the language are.
//!
//! "Attributs" is a slip of the pen in English and a word in French. What may be a word of another language is asked about,
//! and never mended.

use crate::diagnostic::Sources;

/// Bytes of each file that are looked at.
const LOOKED_AT_BYTES: usize = 20_000;
/// Small words of English, and what English rules are full of.
const ENGLISH: [&str; 44] = [
    "the",
    "and",
    "of",
    "to",
    "is",
    "are",
    "you",
    "your",
    "with",
    "on",
    "or",
    "when",
    "it",
    "in",
    "for",
    "that",
    "against",
    "at",
    "least",
    "most",
    "roll",
    "rolls",
    "modifier",
    "modifiers",
    "checks",
    "as",
    "by",
    "they",
    "what",
    "who",
    "each",
    "one",
    "not",
    "from",
    "if",
    "its",
    "half",
    "damage",
    "target",
    "margin",
    "this",
    "than",
    "strength",
    "level",
];
/// Small words of other languages that are none in English.
const OTHERS: [&str; 62] = [
    "der", "das", "und", "ein", "eine", "mit", "auf", "von", "zu", "ist", "nicht", "wird", "bei", "oder", "wenn",
    "gegen", "le", "la", "les", "des", "et", "une", "du", "est", "vous", "pour", "avec", "dans", "sur", "ou", "el",
    "los", "las", "y", "con", "una", "por", "para", "que", "se", "del", "il", "di", "che", "per", "della", "gli",
    "och", "att", "det", "som", "het", "een", "van", "uma", "com", "um", "dos", "si", "ja", "og", "av",
];

/// How many small words of the files are English, and how many of another language.
pub fn tongues(sources: &Sources) -> (usize, usize) {
    let (mut english, mut others) = (0usize, 0usize);
    for (_, file) in sources.iter() {
        let text = file.text.get(..file.text.floor_char_boundary(LOOKED_AT_BYTES)).unwrap_or_default();
        // Headings, labels and code are in the words of the program.
        for words in text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(unlabelled)
            .flat_map(|line| line.split('`').step_by(2))
        {
            for word in words.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty()) {
                let lower = word.to_lowercase();
                english += usize::from(ENGLISH.contains(&lower.as_str()));
                others += usize::from(OTHERS.contains(&lower.as_str()) || !word.is_ascii());
            }
        }
    }
    (english, others)
}

/// A line without the label of a bullet.
fn unlabelled(line: &str) -> &str {
    let is_bullet = line.trim_start().starts_with(['-', '*', '+']);
    line.split_once(':').filter(|_| is_bullet).map_or(line, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::SourceFile;

    #[test]
    fn small_words_tell_a_language() {
        let english = |text: &str| {
            let (english, others) = tongues(&Sources::new(vec![SourceFile::new("System.md", text)]));
            english > others
        };
        for text in ["Roll 1d20 + modifiers.", "They sleep under the stars in a caf\u{e9}.", "- Loud: -2 on checks"] {
            assert!(english(text), "{text}");
        }
        for text in [
            "Wirf 1W20 und addiere den Modifikator.",
            "- Force (FOR)\n- Agilit\u{e9} (AGI)",
            "Tira 2d6 y suma el rasgo.",
            "- Esprit (ESP)",
        ] {
            assert!(!english(text), "{text}");
        }
    }
}
