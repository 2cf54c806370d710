//! The kind of each section of the document.

use super::ledger::Ledger;
use super::lowering;
use crate::codes;
use crate::document::{Block, Document, Section, Text};
use crate::grammar::file::{self, File, HEADINGS, Rule};
use crate::grammar::line::Line;
use crate::section::{SectionKind, SectionText};
use rollbook_text::diagnostic::{Diagnostic, Severity, Span};
use rollbook_text::names::{self, Slip, slip};

/// The document's sections with their kinds.
pub struct Outline<'a> {
    blocks_max: usize,
    replaced: &'a [Span],
    sections: Vec<(Option<SectionKind>, &'a Section)>,
    /// The lines and tables of the sections.
    pub file: File,
}

impl<'a> Outline<'a> {
    /// Finds the kind of each section. Reports headings that are misspelt or on the wrong level.
    pub fn new(document: &'a Document, ledger: &mut Ledger<'_>) -> Self {
        let blocks_max = ledger.limits.blocks;
        let (mut sections, mut misspelt_ones) = (Vec::new(), Vec::new());
        let limit = ledger.limits.sections;
        if let Some(over) = document.sections.get(limit) {
            let message =
                format!("more than {limit} sections; this one and those after it are not read");
            ledger.report(Diagnostic::error(codes::TOO_MANY_ITEMS, message).at(
                Span::new(over.span.file, over.span.start..over.span.start),
                "the limit is reached here",
            ));
        }
        for section in document.sections.iter().take(limit) {
            let heading = section.heading.as_ref();
            let kind = heading.and_then(|heading| kind_of(section, heading, ledger));
            if let Some(kind) = kind {
                too_many_blocks(kind, section, ledger);
            } else if let Some(meant) =
                heading.and_then(|heading| misspelt(section, heading, ledger))
            {
                misspelt_ones.push((meant, section));
            }
            sections.push((kind, section));
            for inner in section
                .subsections
                .iter()
                .filter(|_| kind != Some(SectionKind::Checks))
            {
                if let Some(heading) = &inner.heading {
                    inner_heading(kind, heading, inner, ledger);
                }
            }
        }
        // Examples are playtests and prose.
        let is_read = |kind: &SectionKind| *kind != SectionKind::Examples;
        let known = sections
            .iter()
            .filter_map(|(kind, section)| Some((kind.filter(is_read)?, *section)));
        let known: Vec<(SectionKind, &Section)> =
            known.chain(misspelt_ones.iter().copied()).collect();
        let mut file = file::read_sections(&known);
        lowering::report(&file.findings, ledger);
        // Sections with a misspelt heading gave findings and names; their rules are removed.
        let is_misspelt = |span: Span| {
            misspelt_ones
                .iter()
                .any(|(_, section)| section.span.holds(span))
        };
        file.rules.retain(|rule| !is_misspelt(rule.span));
        file.tables.retain(|table| !is_misspelt(table.span));
        file.checks.retain(|check| !is_misspelt(check.span));
        for (_, section) in sections
            .iter()
            .filter(|(kind, section)| kind.is_none() && !is_misspelt(section.span))
        {
            lowering::report(&file::stray_rules(section, &file.names), ledger);
        }
        ledger.check_only_names = file.names.check_only_names();
        Self {
            blocks_max,
            replaced: &document.replaced,
            sections,
            file,
        }
    }

    /// The sections of a kind, in order.
    pub fn sections(&self, kind: SectionKind) -> impl Iterator<Item = &'a Section> {
        self.sections
            .iter()
            .filter(move |(named, _)| *named == Some(kind))
            .map(|(_, section)| *section)
    }

    /// The blocks of a kind's sections and subsections, in order, up to the limit.
    pub fn blocks(&self, kind: SectionKind) -> impl Iterator<Item = &'a Block> {
        self.sections(kind)
            .flat_map(Section::all_blocks)
            .take(self.blocks_max)
    }

    /// The paragraphs of a kind's sections, in order.
    pub fn paragraphs(&self, kind: SectionKind) -> impl Iterator<Item = &'a Text> {
        self.blocks(kind).filter_map(|block| match block {
            Block::Paragraph(text) => Some(text),
            _ => None,
        })
    }

    /// The rules of a kind's sections.
    pub fn rules(&self, kind: SectionKind) -> impl Iterator<Item = &Rule> {
        self.file
            .rules
            .iter()
            .filter(move |rule| rule.section == kind)
    }

    /// Every section word for word.
    pub fn texts(&self, ledger: &Ledger<'_>) -> Vec<SectionText> {
        let heading = |heading: &Text| heading.as_str().to_owned();
        let text = |(kind, section): &(Option<SectionKind>, &Section)| SectionText {
            kind: *kind,
            heading: section.heading.as_ref().map(heading).unwrap_or_default(),
            text: cut_out(
                ledger.sources.text(section.span),
                section.span,
                self.replaced,
            )
            .trim()
            .to_owned(),
            place: ledger.place(section.span),
            span: section.span,
        };
        self.sections
            .iter()
            .take(ledger.limits.items)
            .map(text)
            .collect()
    }
}

/// The text of a span without these parts.
fn cut_out(text: &str, span: Span, parts: &[Span]) -> String {
    let (mut left, mut at) = (String::new(), 0);
    for part in parts
        .iter()
        .filter(|part| part.file == span.file && span.start <= part.start && part.end <= span.end)
    {
        left.push_str(text.get(at..part.start - span.start).unwrap_or_default());
        at = part.end - span.start;
    }
    left.push_str(text.get(at..).unwrap_or_default());
    left
}

/// The kind that a heading names.
fn kind_of(section: &Section, heading: &Text, ledger: &mut Ledger<'_>) -> Option<SectionKind> {
    let words = heading.as_str();
    let kind = file::section(words)?;
    if section.level == 1 {
        // The file's title may be the name of a section.
        if !may_hold_rules(section) {
            return None;
        }
        ledger.report(
            Diagnostic::warning(
                codes::HEADING_LEVEL,
                format!("`{words}` is a level-1 heading"),
            )
            .at(heading.span(), "read as a section all the same")
            .help(format!("sections have level-2 headings: `## {words}`")),
        );
    }
    Some(kind)
}

/// Reports a misspelt heading above possible rules. Returns the kind where the spelling is plain.
fn misspelt(section: &Section, heading: &Text, ledger: &mut Ledger<'_>) -> Option<SectionKind> {
    let words = heading.as_str();
    if section.level != 2 || !may_hold_rules(section) || file::section(words).is_some() {
        return None;
    }
    let name = names::misspelt(
        words,
        HEADINGS.iter().flat_map(|(_, names)| names.iter().copied()),
    )?;
    let kind = file::section(name)?;
    let read = file::read_sections(&[(kind, section)]);
    let holds = holds_rules(&read) == Some(true);
    let mistakes = read
        .findings
        .iter()
        .any(|finding| finding.code == codes::NOT_UNDERSTOOD);
    let message = format!("no section is called `{words}`");
    let found = match slip(words, name) {
        Some(Slip::Clear | Slip::Number) if holds => {
            Diagnostic::error(codes::MISSPELT_HEADING, message)
        }
        Some(Slip::Clear) if mistakes => Diagnostic::error(codes::MISSPELT_HEADING, message),
        Some(Slip::Clear | Slip::Number) => Diagnostic::warning(codes::MISSPELT_HEADING, message),
        Some(Slip::Near) if holds => Diagnostic::warning(codes::MISSPELT_HEADING, message),
        Some(Slip::Near | Slip::Far) | None => return None,
    };
    let is_sure = found.severity == Severity::Error;
    let why = if is_sure {
        "nothing below it is loaded"
    } else {
        "read as prose"
    };
    ledger.report(
        found
            .at(heading.span(), why)
            .help(format!("did you mean `{name}`?")),
    );
    is_sure.then_some(kind)
}

/// Whether it has bullets, tables or playtests.
fn may_hold_rules(section: &Section) -> bool {
    section.all_blocks().any(|block| {
        matches!(
            block,
            Block::Bullet(_) | Block::Table(_) | Block::Fence { .. }
        )
    })
}

/// Whether there are rules beside names; none where nothing was read.
fn holds_rules(read: &File) -> Option<bool> {
    let is_name = |rule: &Rule| {
        rule.words().is_empty() && matches!(rule.line, Line::Scores(_) | Line::Condition(_))
    };
    let holds = !read.tables.is_empty() || read.rules.iter().any(|rule| !is_name(rule));
    (holds || !read.rules.is_empty()).then_some(holds)
}

/// Reports a section's name one level too deep above what reads as that section.
fn inner_heading(
    outer: Option<SectionKind>,
    heading: &Text,
    inner: &Section,
    ledger: &mut Ledger<'_>,
) {
    let words = heading.as_str();
    let Some(kind) = file::section(words).filter(|kind| Some(*kind) != outer) else {
        return;
    };
    let Some(holds) = holds_rules(&file::read_sections(&[(kind, inner)])) else {
        return;
    };
    let message = format!("`{words}` is a level-3 heading");
    let found = match holds {
        true => Diagnostic::error(codes::HEADING_LEVEL, message),
        false => Diagnostic::warning(codes::HEADING_LEVEL, message),
    };
    let help = format!(
        "if these are the rules of {}, write `## {words}`",
        kind.name()
    );
    ledger.report(found.at(heading.span(), "not read as a section").help(help));
}

fn too_many_blocks(kind: SectionKind, section: &Section, ledger: &mut Ledger<'_>) {
    let limit = ledger.limits.blocks;
    let Some(over) = section.all_blocks().nth(limit) else {
        return;
    };
    let message = format!(
        "{} has more than {limit} bullets, paragraphs and tables; the rest is not read",
        kind.name()
    );
    ledger.report(
        Diagnostic::error(codes::TOO_MANY_ITEMS, message)
            .at(over.span(), "the limit is reached here"),
    );
}
