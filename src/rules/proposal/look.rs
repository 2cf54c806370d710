//! A proposal, and what is looked at for some.

use crate::diagnostic::{Fix, Sources, Span};
use crate::names::same;
use crate::rules::document::Section;
use crate::rules::language::checks::Check;
use crate::rules::language::outline::Outline;
use crate::rules::language::section::SectionKind;
use crate::rules::language::system::System;
use crate::rules::limits::Limits;

/// A rule that sentences say, as the program reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What it is, in a few words: "a move's three bands".
    pub what: String,
    /// The words that say so.
    pub source: Span,
    /// What comes in, and where: an insertion begins with the line breaks that it needs.
    pub edit: Fix,
    /// The heading before it, where the file has no section for it yet: `## Checks`.
    pub heading: Option<&'static str>,
}

impl Proposal {
    /// Where it comes in: at one place the sections in their usual order.
    pub(super) fn place(&self) -> (Span, Option<SectionKind>) {
        (self.edit.span, self.heading.and_then(SectionKind::named))
    }
}

/// A roll that is read and not offered, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    pub at: Span,
    pub why: &'static str,
}

impl Left {
    pub(super) const SAYS_MORE: &'static str = "the text around it says more of it than is read";
    pub(super) const NAMELESS: &'static str = "nothing there says what it is called";
    pub(super) const CHOICE: &'static str = "it leaves a choice, or makes an exception";
    pub(super) const UNCLEAR: &'static str = "what is rolled is not read whole";
    pub(super) const OPEN: &'static str = "what it must come to is not said in words that are read";
    pub(super) const CARDS: &'static str = "cards are not read in sentences (write the deck below ## Dice: - Deck Cards: 2-10, J, Q, K, A of hearts, spades, clubs, diamonds)";
    pub(super) const TWICE: &'static str = "the text says two things of one name";

    pub(super) fn new(at: Span, why: &'static str) -> Self {
        Self { at, why }
    }
}

/// What the files that look for something look at.
pub(super) struct Look<'a> {
    pub outline: &'a Outline<'a>,
    pub system: &'a System,
    pub sources: &'a Sources,
    pub limits: &'a Limits,
}

impl Look<'_> {
    /// A rule that comes in below a section's heading, behind what stands there; else below a new one at the end of the file.
    pub fn below(&self, kind: SectionKind, what: String, source: Span, body: String) -> Proposal {
        let own = self.outline.sections(kind).last();
        let (file, end, heading) = match own {
            Some(section) => (section.span.file, section.span.end, None),
            None => (source.file, usize::MAX, Some(kind.name())),
        };
        let text = self.sources.get(file).map(|file| file.text.as_str()).unwrap_or_default();
        let end = text.get(..end.min(text.len())).unwrap_or(text).trim_end().len();
        // What stands behind the last word of a line stays with it.
        let rest = text.get(end..).unwrap_or_default();
        let end = end + rest.len() - rest.trim_start_matches([' ', '\t']).len();
        // A bullet behind a bullet belongs to its list.
        let listed = heading.is_none() && text.get(..end).is_some_and(ends_in_bullet);
        let gap = if listed && body.starts_with("- ") { "\n" } else { "\n\n" };
        let edit = Fix { span: Span::new(file, end..end), replacement: format!("{gap}{body}"), message: what.clone() };
        Proposal { what, source, edit, heading }
    }

    /// The checks that the rules declare.
    pub fn declared_checks(&self) -> impl Iterator<Item = &Check> {
        self.system.checks.iter().filter(|check| !check.assumed)
    }

    /// The check of this name that the rules declare.
    pub fn declared_check(&self, name: &str) -> Option<&Check> {
        self.declared_checks().find(|check| same(&check.name, name))
    }

    /// Whether the rules have an attribute or a skill of this name.
    pub fn is_declared(&self, name: &str) -> bool {
        self.system.named_attribute(name).is_some() || self.system.named_skill(name).is_some()
    }

    /// Sections with what they are taken for, playtests left out.
    pub fn sections(&self) -> impl Iterator<Item = (Option<SectionKind>, &Section)> {
        self.outline.all().filter(|(kind, _)| *kind != Some(SectionKind::Examples))
    }

    /// Whether this stands in a section that the program reads.
    pub fn is_rule(&self, span: Span) -> bool {
        self.outline.all().any(|(kind, section)| kind.is_some() && section.span.holds(span))
    }
}

/// Whether a list goes on behind this.
pub(super) fn ends_in_bullet(text: &str) -> bool {
    text.lines().next_back().is_some_and(|last| last.trim_start().starts_with("- "))
}
