//! Which section of the document is which.

use super::ledger::Ledger;
use super::lower;
use super::plain::dice_mentions;
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::names::{self, Slip, slip};
use crate::rules::codes;
use crate::rules::document::{Block, Document, Section, Text};
use crate::rules::grammar::file::{self, File, HEADINGS, Rule};
use crate::rules::grammar::finding::FindingKind;
use crate::rules::grammar::line::{Line, ScoreLine};
use crate::rules::section::{SectionKind, SectionText};

/// The document's sections with what the program takes them for.
pub struct Outline<'a> {
    blocks_max: usize,
    replaced: &'a [Span],
    sections: Vec<(Option<SectionKind>, &'a Section)>,
    /// What the lines of the closed sections say, and the tables of numbers of all.
    pub file: File,
}

/// For what a misspelt heading is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Headings {
    /// For prose, as it is written: nothing is corrected silently.
    AsWritten,
    /// For the section that is surely meant, to see what else would be wrong with it.
    AsMeant,
}

impl SectionKind {
    /// Whether its lines are read whole or not at all.
    pub fn is_closed(self) -> bool {
        self != SectionKind::Examples
    }
}

impl<'a> Outline<'a> {
    /// Names each section, and reports headings that nearly have a name or stand on the wrong level.
    pub fn of(document: &'a Document, headings: Headings, ledger: &mut Ledger<'_>) -> Self {
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
            let heading = section.heading.as_ref();
            let kind = heading.and_then(|heading| kind_of(section, heading, headings, ledger));
            let kind = kind.map(|own| if has_rolls(own, section) { SectionKind::Checks } else { own });
            if let Some(kind) = kind {
                too_many_blocks(kind, section, ledger);
            }
            sections.push((kind, section));
            for inner in section.subsections.iter().filter(|_| kind != Some(SectionKind::Checks)) {
                if let Some(heading) = &inner.heading {
                    inner_heading(kind, heading, inner, ledger);
                }
            }
        }
        let known: Vec<(SectionKind, &Section)> =
            sections.iter().filter_map(|(kind, section)| Some(((*kind)?, *section))).collect();
        let file = file::read_sections(&known, &SectionKind::is_closed);
        lower::report(&file.findings, ledger);
        for (_, section) in sections.iter().filter(|(kind, _)| kind.is_none()) {
            lower::report(&file::elsewhere(section, &file.names), ledger);
        }
        Self { blocks_max, replaced: &document.replaced, sections, file }
    }

    /// Every section with what it is taken for, in order.
    pub fn all(&self) -> impl Iterator<Item = (Option<SectionKind>, &'a Section)> {
        self.sections.iter().copied()
    }

    /// The sections of a kind, in order.
    pub fn sections(&self, kind: SectionKind) -> impl Iterator<Item = &'a Section> {
        self.sections.iter().filter(move |(own, _)| *own == Some(kind)).map(|(_, section)| *section)
    }

    /// Everything that the sections of a kind say, subsections included, in order, up to the limit.
    pub fn blocks(&self, kind: SectionKind) -> impl Iterator<Item = &'a Block> {
        self.sections(kind).flat_map(Section::all_blocks).take(self.blocks_max)
    }

    /// The prose of a kind of section, in order.
    pub fn paragraphs(&self, kind: SectionKind) -> impl Iterator<Item = &'a Text> {
        self.blocks(kind).filter_map(|block| match block {
            Block::Paragraph(text) => Some(text),
            _ => None,
        })
    }

    /// The lines of a kind of section, each of which was read to its end.
    pub fn rules(&self, kind: SectionKind) -> impl Iterator<Item = &Rule> {
        self.file.rules.iter().filter(move |rule| rule.section == kind)
    }

    /// Every section word for word.
    pub fn texts(&self, ledger: &Ledger<'_>) -> Vec<SectionText> {
        let heading = |heading: &Text| heading.as_str().to_owned();
        let text = |(kind, section): &(Option<SectionKind>, &Section)| SectionText {
            kind: *kind,
            heading: section.heading.as_ref().map(heading).unwrap_or_default(),
            text: without(ledger.sources.text(section.span), section.span, self.replaced).trim().to_owned(),
            place: ledger.place(section.span),
            span: section.span,
        };
        self.sections.iter().take(ledger.limits.items).map(text).collect()
    }
}

/// Whether a section of skills, called Moves or Actions, has headings with what is rolled below them: those are checks.
fn has_rolls(kind: SectionKind, section: &Section) -> bool {
    let is_roll = |block: &Block| match block {
        Block::Bullet(bullet) => bullet.text.as_str().to_ascii_lowercase().starts_with("roll:"),
        _ => false,
    };
    let heading = section.heading.as_ref().map(|heading| names::fold(heading.as_str())).unwrap_or_default();
    kind == SectionKind::Skills
        && !heading.contains("skill")
        && section.subsections.iter().any(|own| own.blocks.iter().any(is_roll))
}

/// The text of a stretch without these parts of it.
fn without(text: &str, span: Span, parts: &[Span]) -> String {
    let (mut left, mut at) = (String::new(), 0);
    for part in parts.iter().filter(|part| part.file == span.file && span.start <= part.start && part.end <= span.end) {
        left.push_str(text.get(at..part.start - span.start).unwrap_or_default());
        at = part.end - span.start;
    }
    left.push_str(text.get(at..).unwrap_or_default());
    left
}

/// What a section is taken for by its heading.
fn kind_of(section: &Section, heading: &Text, headings: Headings, ledger: &mut Ledger<'_>) -> Option<SectionKind> {
    let words = heading.as_str();
    if let Some(kind) = file::section(words) {
        if section.level == 1 {
            if is_title(section, kind, ledger) {
                return None;
            }
            ledger.report(
                Diagnostic::warning(codes::HEADING_LEVEL, format!("`{words}` is a level-1 heading"))
                    .at(heading.span(), "read as a section all the same")
                    .help(format!("sections have level-2 headings: `## {words}`")),
            );
        }
        return Some(kind);
    }
    if section.level != 2 {
        return None;
    }
    let Nearly { name, kind, sure } = nearly(section, words)?;
    let lost = matches!(kind, SectionKind::Checks | SectionKind::Dice);
    let warning = Diagnostic::warning(codes::MISSPELT_HEADING, format!("no section is called `{words}`"))
        .at(heading.span(), "read as prose")
        .help(format!("did you mean `{name}`?"));
    let span = heading.span_of(0..words.len());
    let fix = Fix { span, replacement: name.to_owned(), message: format!("call it `{name}`") };
    // What is a slip here may be a word of another language, and its author's to change.
    let warning = if sure && ledger.is_english() { warning.fix(fix) } else { warning.perhaps(fix) };
    if lost {
        ledger.report_lost(warning)
    } else {
        ledger.report(warning)
    }
    ledger.headings_misspelt |= sure;
    (sure && headings == Headings::AsMeant).then_some(kind)
}

/// Whether a level-1 heading with a section's name is the file's title: it comes first, and nothing below it is what that
/// section reads.
fn is_title(section: &Section, kind: SectionKind, ledger: &Ledger<'_>) -> bool {
    let before = Span::new(section.span.file, 0..section.span.start);
    let is_first = ledger.sources.text(before).lines().all(|line| !line.starts_with('#'));
    is_first && fit(section, kind) == Fit::Not
}

/// How much what stands below a heading looks like a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// Nothing in it is what that section reads.
    Not,
    /// Something in it may be: dice in prose under Checks, a list of names under Skills.
    Somewhat,
    /// Something in it is a rule of that section and no prose.
    Well,
}

/// How much a section, with what stands below its inner headings, looks like that one.
fn fit(section: &Section, kind: SectionKind) -> Fit {
    let read = file::read_sections(&[(kind, section)], &|_| true);
    let is_bare = |line: &Line| match line {
        Line::Scores(ScoreLine::Declared(own)) => {
            own.short.is_none() && own.attribute.is_none() && own.range.is_none() && own.base.is_none()
        }
        Line::Condition(own) => own.changes.is_empty() && own.lasts.is_none() && own.levels.is_none(),
        _ => false,
    };
    if !read.tables.is_empty() || read.rules.iter().any(|own| !is_bare(&own.line)) {
        return Fit::Well;
    }
    let may_be = |block: &Block| match block {
        Block::Paragraph(text) => match kind {
            SectionKind::Dice | SectionKind::Checks => dice_mentions(text.as_str()).next().is_some(),
            SectionKind::Combat => text.as_str().to_lowercase().contains("initiative"),
            _ => false,
        },
        Block::Fence { info, .. } => kind == SectionKind::Examples && info.starts_with("playtest"),
        _ => false,
    };
    let is_understood_in_part =
        || read.findings.iter().any(|own| matches!(own.kind, FindingKind::NotUnderstood { .. }));
    match !read.rules.is_empty() || is_understood_in_part() || section.all_blocks().any(may_be) {
        true => Fit::Somewhat,
        false => Fit::Not,
    }
}

/// A section's name that a heading nearly is.
struct Nearly {
    name: &'static str,
    kind: SectionKind,
    /// Whether nothing else can be meant: a slip of the pen, and below it what that section reads.
    sure: bool,
}

/// Letters from which on a slip is worth a question whatever stands below: it is hardly a word of its own.
const TELLING_MIN: usize = 7;

fn nearly(section: &Section, words: &str) -> Option<Nearly> {
    let name = names::misspelt(words, HEADINGS.iter().flat_map(|(_, names)| names.iter().copied()))?;
    let kind = file::section(name)?;
    let found = fit(section, kind);
    let (worth_asking, sure) = match slip(words, name)? {
        Slip::Clear => (found > Fit::Not || name.len() >= TELLING_MIN, found > Fit::Not),
        Slip::Number => (found > Fit::Not, found == Fit::Well),
        Slip::Near => (found == Fit::Well, false),
        Slip::Far => (false, false),
    };
    worth_asking.then_some(Nearly { name, kind, sure })
}

/// A section's name one level too deep: most likely a slip, since nothing in it is read as that section.
fn inner_heading(outer: Option<SectionKind>, heading: &Text, inner: &Section, ledger: &mut Ledger<'_>) {
    let words = heading.as_str();
    let Some(kind) = file::section(words).filter(|kind| Some(*kind) != outer) else { return };
    if fit(inner, kind) == Fit::Not {
        return;
    }
    let warning = Diagnostic::warning(codes::HEADING_LEVEL, format!("`{words}` is a level-3 heading"))
        .at(heading.span(), "not read as a section")
        .help(format!("if these are the rules of {}, write `## {words}`", kind.name()));
    if kind == SectionKind::Checks { ledger.report_lost(warning) } else { ledger.report(warning) }
}

fn too_many_blocks(kind: SectionKind, section: &Section, ledger: &mut Ledger<'_>) {
    let limit = ledger.limits.blocks;
    let Some(over) = section.all_blocks().nth(limit) else {
        return;
    };
    let message = format!("{} has more than {limit} bullets, paragraphs and tables; the rest is not read", kind.name());
    ledger.report(Diagnostic::error(codes::TOO_MANY_ITEMS, message).at(over.span(), "the limit is reached here"));
}
