//! The parts of a rules file, and what they are called.

use crate::diagnostic::{Place, Span};
use crate::names;

/// A part of the rules that the program knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// Which dice, advantage.
    Dice,
    /// What every character has a score in.
    Attributes,
    /// What a character has learned.
    Skills,
    /// Named checks with their outcome tables.
    Checks,
    /// Tracks, triggers, rests.
    Health,
    /// What conditions do.
    Conditions,
    /// Initiative.
    Combat,
    /// Experience and levels.
    Advancement,
    /// Playtests.
    Examples,
}

/// Each kind with its names; the first is the one that the program uses.
const NAMES: [(SectionKind, &[&str]); 9] = [
    (SectionKind::Dice, &["Dice"]),
    (SectionKind::Attributes, &["Attributes", "Abilities", "Stats", "Characteristics", "Approaches"]),
    (SectionKind::Skills, &["Skills", "Actions", "Moves"]),
    (SectionKind::Checks, &["Checks", "Rolls", "Tests"]),
    (SectionKind::Health, &["Health", "Harm", "Damage"]),
    (SectionKind::Conditions, &["Conditions"]),
    (SectionKind::Combat, &["Combat", "Conflict"]),
    (SectionKind::Advancement, &["Advancement", "Experience"]),
    (SectionKind::Examples, &["Examples"]),
];

impl SectionKind {
    /// The kind with this heading, folded.
    pub fn named(heading: &str) -> Option<Self> {
        let heading = names::fold(heading);
        NAMES
            .into_iter()
            .find(|(_, own)| own.iter().any(|name| name.eq_ignore_ascii_case(&heading)))
            .map(|(kind, _)| kind)
    }

    /// The known heading of which this may be a misspelling, and its kind.
    pub fn misspelt(heading: &str) -> Option<(&'static str, Self)> {
        let known = names::misspelt(heading, NAMES.into_iter().flat_map(|(_, own)| own.iter().copied()))?;
        Some((known, Self::named(known)?))
    }

    /// Its usual heading.
    pub fn name(self) -> &'static str {
        NAMES.into_iter().find(|(kind, _)| *kind == self).and_then(|(_, own)| own.first().copied()).unwrap_or_default()
    }
}

/// A section of the author's text, word for word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionText {
    /// What the program takes it for; none for prose.
    pub kind: Option<SectionKind>,
    /// The heading; empty for what stands before the first.
    pub heading: String,
    /// The text with its heading, verbatim.
    pub text: String,
    /// Where it begins.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_fold_and_have_synonyms() {
        assert_eq!(SectionKind::named("  STATS "), Some(SectionKind::Attributes));
        assert_eq!(SectionKind::named("Harm"), Some(SectionKind::Health));
        assert_eq!(SectionKind::named("The harbour"), None);
        assert_eq!(SectionKind::misspelt("Skils"), Some(("Skills", SectionKind::Skills)));
        assert!(NAMES.iter().all(|(kind, own)| own.first() == Some(&kind.name())));
    }
}
