//! Which section of the document is which.

use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::names;
use crate::rules::codes;
use crate::rules::document::{Block, Bullet, Document, Section, Table, Text};
use crate::rules::section::{SectionKind, SectionText};

use super::ledger::Ledger;

/// The document's sections with what the program takes them for.
pub struct Outline<'a> {
    blocks_max: usize,
    sections: Vec<(Option<SectionKind>, &'a Section)>,
}

/// Words around a section's name that change nothing: "The combat rules".
const PADDING: [&str; 6] = ["the ", "your ", "our ", " rules", " system", " and "];

impl<'a> Outline<'a> {
    /// Names each section, and reports headings that nearly have a name or stand on the wrong level.
    pub fn of(document: &'a Document, ledger: &mut Ledger<'_>) -> Self {
        let blocks_max = ledger.limits.blocks;
        let mut sections = Vec::new();
        let limit = ledger.limits.sections;
        if let Some(over) = document.sections.get(limit) {
            let message = format!("more than {limit} sections; this one and those after it are not read");
            ledger.report(
                Diagnostic::error(codes::TOO_MANY_ITEMS, message)
                    .at(Span::new(over.span.file, over.span.start..over.span.start), "the limit is reached here"),
            );
        }
        for section in document.sections.iter().take(limit) {
            let kind = section.heading.as_ref().and_then(|heading| kind(section, heading, ledger));
            if let Some(kind) = kind {
                too_many_blocks(kind, section, ledger);
            }
            sections.push((kind, section));
            for inner in section.subsections.iter().filter(|_| kind != Some(SectionKind::Checks)) {
                if let Some(heading) = &inner.heading {
                    inner_heading(kind, heading, ledger);
                }
            }
        }
        Self { blocks_max, sections }
    }

    /// The sections of a kind, in order.
    pub fn sections(&self, kind: SectionKind) -> impl Iterator<Item = &'a Section> {
        self.sections.iter().filter(move |(own, _)| *own == Some(kind)).map(|(_, section)| *section)
    }

    /// Everything that the sections of a kind say, subsections included, in order, up to the limit.
    pub fn blocks(&self, kind: SectionKind) -> impl Iterator<Item = &'a Block> {
        self.sections(kind).flat_map(Section::all_blocks).take(self.blocks_max)
    }

    /// The bullets of a kind of section, in order, nested ones after their parents.
    pub fn bullets(&self, kind: SectionKind) -> impl Iterator<Item = &'a Bullet> {
        self.blocks(kind).filter_map(|block| match block {
            Block::Bullet(bullet) => Some(bullet),
            _ => None,
        })
    }

    /// The tables of a kind of section, in order.
    pub fn tables(&self, kind: SectionKind) -> impl Iterator<Item = &'a Table> {
        self.blocks(kind).filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// The prose of a kind of section, in order.
    pub fn paragraphs(&self, kind: SectionKind) -> impl Iterator<Item = &'a Text> {
        self.blocks(kind).filter_map(|block| match block {
            Block::Paragraph(text) => Some(text),
            _ => None,
        })
    }

    /// Every section word for word.
    pub fn texts(&self, ledger: &Ledger<'_>) -> Vec<SectionText> {
        let text = |(kind, section): &(Option<SectionKind>, &Section)| SectionText {
            kind: *kind,
            heading: section.heading.as_ref().map(|heading| heading.as_str().to_owned()).unwrap_or_default(),
            text: ledger.sources.text(section.span).trim().to_owned(),
            place: ledger.place(section.span),
            span: section.span,
        };
        self.sections.iter().take(ledger.limits.items).map(text).collect()
    }
}

fn kind(section: &Section, heading: &Text, ledger: &mut Ledger<'_>) -> Option<SectionKind> {
    let words = heading.as_str();
    if let Some(kind) = SectionKind::named(words).or_else(|| SectionKind::named(&unpadded(words))) {
        if section.level == 1 {
            ledger.report(
                Diagnostic::warning(codes::HEADING_LEVEL, format!("`{words}` is a level-1 heading"))
                    .at(heading.span(), "read as a section all the same")
                    .help(format!("sections have level-2 headings: `## {words}`")),
            );
        }
        return Some(kind);
    }
    if section.level == 2
        && let Some(known) = SectionKind::misspelt(words)
    {
        ledger.report(
            Diagnostic::warning(codes::MISSPELT_HEADING, format!("no section is called `{words}`"))
                .at(heading.span(), "read as prose")
                .help(format!("did you mean `{known}`?"))
                .fix(Fix {
                    span: heading.span_of(0..words.len()),
                    replacement: known.to_owned(),
                    message: format!("call it `{known}`"),
                }),
        );
    }
    None
}

/// A section's name one level too deep: most likely a slip, since nothing in it is read as that section.
fn inner_heading(outer: Option<SectionKind>, heading: &Text, ledger: &mut Ledger<'_>) {
    let words = heading.as_str();
    let Some(kind) = SectionKind::named(words).filter(|kind| Some(*kind) != outer) else {
        return;
    };
    ledger.report(
        Diagnostic::warning(codes::HEADING_LEVEL, format!("`{words}` is a level-3 heading"))
            .at(heading.span(), "not read as a section")
            .help(format!("if these are the rules of {}, write `## {words}`", kind.name())),
    );
}

fn too_many_blocks(kind: SectionKind, section: &Section, ledger: &mut Ledger<'_>) {
    let limit = ledger.limits.blocks;
    let Some(over) = section.all_blocks().nth(limit) else {
        return;
    };
    let message = format!("{} has more than {limit} bullets, paragraphs and tables; the rest is not read", kind.name());
    let span = match over {
        Block::Paragraph(text) | Block::Heading(text) => text.span(),
        Block::Bullet(bullet) => bullet.text.span(),
        Block::Table(table) => table.span,
        Block::Fence { span, .. } => *span,
    };
    ledger.report(Diagnostic::error(codes::TOO_MANY_ITEMS, message).at(span, "the limit is reached here"));
}

fn unpadded(heading: &str) -> String {
    let mut folded = format!(" {} ", names::fold(heading));
    for padding in PADDING {
        folded = folded.replace(&format!(" {} ", padding.trim()), " ");
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_around_a_name_is_dropped() {
        assert_eq!(unpadded("The Combat Rules").trim(), "combat");
        assert_eq!(unpadded("Combat").trim(), "combat");
    }
}
