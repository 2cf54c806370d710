//! A document in another language as the readers of the rules take it: headings, labels and key words in ours, everything else and
//! every place as the author wrote it.
//!
//! Bullets, tables and the headings of sections are put in ours; sentences are not. What the language's table does not have stays, so
//! that our words may stand among them.

mod own;

use std::collections::HashSet;
use std::ops::Range;

use super::codes;
use super::document::{Block, Bullet, Document, Table, Text};
use super::language::labels::is_mechanical;
use super::language::labels_of;
use super::language::section::SectionKind;
use super::limits::Limits;
use super::translation::{self, Edit, Language, Token, tokens};
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::{Slip, fold, misspelt, slip};
use own::{given_names, named_values, own_names};

/// Labels of checks and dice, folded, behind which stand expressions or conditions; those with a name behind them end in a space.
const FORMAL: [&str; 14] = [
    "roll",
    "target",
    "modifier",
    "with no dice",
    "opposing dice",
    "count",
    "pairs",
    "advantage",
    "disadvantage",
    "dice",
    "dice chain",
    "value ",
    "flag ",
    "difficulty ",
];
/// Commas that a phrase with a list in it has at most.
const LIST_MAX: usize = 6;
/// Conditions that the program knows.
const STATES: [&str; 5] = ["unconscious", "dying", "dead", "stable", "incapacitated"];
/// Headers of columns, folded, whose cells hold key words.
const READ_COLUMNS: [&str; 3] = ["damage", "score", "level"];

/// Puts a document in ours; slips of the author's labels and headings go to the findings.
pub fn translate(document: &mut Document, language: &Language, limits: &Limits, findings: &mut Vec<Diagnostic>) {
    for section in &mut document.sections {
        if section.level == 2
            && let Some(heading) = &mut section.heading
        {
            match language.heading(heading.as_str()).or_else(|| language.table().inner(heading.as_str())) {
                Some(ours) => *heading = whole(heading, ours),
                None => findings.extend(misspelt_heading(heading, language)),
            }
        }
    }
    let mut own = own_names(document);
    let table = language.table();
    let given =
        given_names(document, &Reader { table, own: &own, given: &HashSet::new(), bullet_bytes: limits.bullet_bytes });
    own.extend(named_values(document, table));
    let reader = Reader { table, own: &own, given: &given, bullet_bytes: limits.bullet_bytes };
    for section in &mut document.sections {
        let kind = section.heading.as_ref().and_then(|heading| SectionKind::of_heading(heading.as_str()));
        let blocks = section.subsections.iter_mut().flat_map(|inner| {
            if let Some(heading) = &mut inner.heading {
                reader.inner_heading(heading);
            }
            &mut inner.blocks
        });
        for block in section.blocks.iter_mut().chain(blocks) {
            match block {
                Block::Bullet(bullet) => reader.bullet(kind, section.level, bullet, findings),
                Block::Table(table) => reader.table(kind, table),
                Block::Heading(heading) => reader.inner_heading(heading),
                Block::Paragraph(text) if kind.is_some() => reader.paragraph(text),
                Block::Paragraph(_) | Block::Fence { .. } => {}
            }
        }
    }
}

fn whole(text: &Text, ours: &str) -> Text {
    text.reworded(&[(0..text.as_str().len(), ours.to_owned())])
}

struct Reader<'t> {
    table: &'t translation::Table,
    own: &'t HashSet<String>,
    /// What calls give, folded: names in braces alone.
    given: &'t HashSet<String>,
    bullet_bytes: usize,
}

impl Reader<'_> {
    /// Dice in a sentence, and what is added to them: `1W20 + Modifikator`.
    fn paragraph(&self, text: &mut Text) {
        let words = text.as_str();
        if words.len() > self.bullet_bytes {
            return;
        }
        let mut edits = self.formal_edits(text, 0..words.len());
        let mut dice = edits.iter().filter(|(_, ours)| ours == "d").map(|(at, _)| at.start).peekable();
        let Some(first) = dice.peek().copied() else { return };
        let is_added = |at: usize| at > first && words.get(..at).is_some_and(|before| before.trim_end().ends_with('+'));
        edits.retain(|(at, ours)| ours == "d" || is_added(at.start));
        *text = text.reworded(&edits);
    }

    fn inner_heading(&self, heading: &mut Text) {
        if let Some(ours) = self.table.inner(heading.as_str()) {
            *heading = whole(heading, ours);
        }
    }

    fn bullet(&self, kind: Option<SectionKind>, level: u8, bullet: &mut Bullet, findings: &mut Vec<Diagnostic>) {
        let text = &bullet.text;
        let words = text.as_str();
        let section = match kind {
            Some(kind) => kind.name(),
            None if level <= 1 => "top",
            None => return,
        };
        if words.len() > self.bullet_bytes || kind == Some(SectionKind::Examples) {
            return;
        }
        let colon = text.separators(&[":"]).next();
        let mut edits = Vec::new();
        let Some(colon) = colon else {
            // A sentence of a rule (`Tick a skill when you succeed with it`), or `Endurance, then Strength`.
            self.clauses(text, 0..words.len(), kind, &mut edits);
            bullet.text = text.reworded(&edits);
            return;
        };
        let label = trimmed(words, 0..colon.start);
        let value = trimmed(words, colon.end..words.len());
        let found = self.label(text, label.clone(), section);
        if let (None, Some(kind)) = (&found, kind) {
            findings.extend(self.misspelt_label(text, label.clone(), value.clone(), kind));
        }
        let found = found.or_else(|| self.state(text, label.clone()).filter(|_| kind == Some(SectionKind::Conditions)));
        let known = found.is_some();
        edits.extend(found.unwrap_or_default());
        let read = fold(text.reworded(&edits).as_str().split(':').next().unwrap_or_default());
        let is_formal = |label: &&str| if label.ends_with(' ') { read.starts_with(*label) } else { read == *label };
        let checks = matches!(kind, Some(SectionKind::Checks | SectionKind::Dice | SectionKind::Attributes));
        if checks && FORMAL.iter().any(is_formal) {
            self.formal(text, value, &mut edits);
        } else if known || !matches!(kind, Some(SectionKind::Attributes | SectionKind::Skills) | None) {
            self.clauses(text, value, None, &mut edits);
        } else if kind.is_some() {
            self.clauses(text, value, kind, &mut edits);
        }
        bullet.text = text.reworded(&edits);
    }

    /// A condition that the program knows by its name in ours: whatever else brings it has that name, too.
    fn state(&self, text: &Text, label: Range<usize>) -> Option<Vec<Edit>> {
        let edits = self.table.values.find(&code_free(text, label.clone()))?;
        let ours = text.slice(label).as_str().to_owned();
        let whole = matches!(edits.as_slice(), [(at, own)] if at.len() == ours.len() && STATES.contains(&own.as_str()));
        whole.then_some(edits)
    }

    /// A label with what stands in brackets behind it; none where it is none of the section's.
    fn label(&self, text: &Text, label: Range<usize>, section: &str) -> Option<Vec<Edit>> {
        let words = text.as_str().get(label.clone())?;
        let bracket = words.ends_with(')').then(|| words.find('(')).flatten();
        let head = trimmed(text.as_str(), label.start..label.start + bracket.unwrap_or(words.len()));
        let known =
            self.table.labels(section).and_then(|labels| labels.find_label(&code_free(text, head), &self.table.values));
        let inner = bracket.map(|at| label.start + at + 1..label.end - 1);
        let inner = inner.and_then(|inner| self.table.values.find(&code_free(text, inner)));
        match (known, inner) {
            (None, None) => None,
            (known, inner) => Some([known, inner].into_iter().flatten().flatten().collect()),
        }
    }

    /// Each part between commas and semicolons that is a phrase as a whole, and the code and dice of all. Where a bullet declares a
    /// name of that section, what stands behind it is mostly prose, and only numbers and bases are read.
    fn clauses(&self, text: &Text, within: Range<usize>, of_names: Option<SectionKind>, edits: &mut Vec<Edit>) {
        let names = matches!(of_names, Some(SectionKind::Attributes | SectionKind::Skills));
        let separators = text.separators(&[",", ";"]).filter(|own| within.contains(&own.start));
        let mut start = within.start;
        let ends: Vec<Range<usize>> = separators.chain(std::iter::once(within.end..within.end)).collect();
        let mut ends = ends.into_iter();
        while let Some(end) = ends.next() {
            let one = trimmed(text.as_str(), start..end.start);
            let find = |clause: Range<usize>| self.table.values.find(&code_free(text, clause));
            // `alles außer 1en, 6en neu würfeln` is one phrase with a list in it.
            let list = || {
                let rest =
                    ends.as_slice().iter().take(LIST_MAX).map(|end| trimmed(text.as_str(), one.start..end.start));
                rest.enumerate().find_map(|(more, clause)| Some((more + 1, find(clause.clone())?, clause)))
            };
            let (more, found, clause) = match find(one.clone()) {
                Some(found) => (0, Some(found), one),
                None => list().map_or((0, None, one.clone()), |(more, found, clause)| (more, Some(found), clause)),
            };
            start = end.end;
            for _ in 0..more {
                start = ends.next().map_or(start, |end| end.end);
            }
            let found = found.filter(|found| {
                let numbers = text.as_str().get(clause.clone()).is_some_and(|own| own.contains(char::is_numeric));
                !names || numbers || found.first().is_some_and(|(_, ours)| ours.starts_with("base"))
            });
            let mut rest = clause.start;
            for (range, ours) in found.into_iter().flatten() {
                self.dice(text, rest..range.start, edits);
                rest = range.end;
                edits.push((range, ours));
            }
            self.dice(text, rest..clause.end, edits);
        }
    }

    /// Code in ours, and dice outside of it.
    fn dice(&self, text: &Text, within: Range<usize>, edits: &mut Vec<Edit>) {
        for token in tokens(text.as_str(), within.clone(), &|at| text.is_code(at)) {
            let in_braces = |at: usize| text.as_str().get(..at).is_some_and(|before| before.ends_with('{'));
            let in_words = |(range, ours): &Edit| text.is_code(token.at.start) || ours == "d" || in_braces(range.start);
            edits.extend(self.formal_edits(text, token.at.clone()).into_iter().filter(in_words));
        }
    }

    fn formal(&self, text: &Text, within: Range<usize>, edits: &mut Vec<Edit>) {
        edits.extend(self.formal_edits(text, within));
    }

    fn formal_edits(&self, text: &Text, within: Range<usize>) -> Vec<Edit> {
        let own = |name: &str| self.own.contains(&fold(name));
        self.table.formal.edits(text.as_str(), within, &own, &|name| self.given.contains(&fold(name)))
    }

    fn table(&self, kind: Option<SectionKind>, table: &mut Table) {
        let known: Vec<Option<&'static str>> =
            table.header.iter().map(|cell| self.table.column(cell.as_str())).collect();
        // Of other tables one word may be anybody's; two columns are no accident.
        if kind.is_none() && known.iter().flatten().count() < 2 || kind == Some(SectionKind::Examples) {
            return;
        }
        let tracks: Vec<bool> = table.header.iter().map(|cell| self.own.contains(&fold(cell.as_str()))).collect();
        for (cell, ours) in table.header.iter_mut().zip(&known) {
            match ours {
                Some(ours) => *cell = whole(cell, ours),
                None => self.bracket(cell),
            }
        }
        let headers: Vec<String> = table.header.iter().map(|cell| fold(cell.as_str())).collect();
        for row in &mut table.rows {
            for (column, cell) in row.iter_mut().enumerate() {
                let header = headers.get(column).map(String::as_str).unwrap_or_default();
                let is_track = tracks.get(column).copied().unwrap_or_default();
                let mut edits = Vec::new();
                match header {
                    "when" => self.formal(cell, 0..cell.as_str().len(), &mut edits),
                    "outcome" => edits.extend(self.outcome(cell)),
                    _ if is_track || column == 0 || READ_COLUMNS.contains(&header) => {
                        self.clauses(cell, 0..cell.as_str().len(), None, &mut edits);
                    }
                    _ => self.dice(cell, 0..cell.as_str().len(), &mut edits),
                }
                *cell = cell.reworded(&edits);
            }
        }
    }

    /// `Gift (KON)`: a header with a short form stays; nothing in it is a key word.
    fn bracket(&self, cell: &mut Text) {
        let mut edits = Vec::new();
        self.dice(cell, 0..cell.as_str().len(), &mut edits);
        *cell = cell.reworded(&edits);
    }

    /// The word in brackets, or where the author's word is one of the five itself, ours behind it in brackets.
    fn outcome(&self, cell: &Text) -> Option<Edit> {
        let words = cell.as_str();
        if let Some(ours) = self.table.outcome(words) {
            return Some((words.len()..words.len(), format!(" ({ours})")));
        }
        let open = words.rfind('(')?;
        let inner = words.get(open + 1..)?.strip_suffix(')')?;
        Some((open + 1..open + 1 + inner.len(), self.table.outcome(inner)?.to_owned()))
    }

    /// A label that is nearly one that the language has for this section.
    fn misspelt_label(
        &self,
        text: &Text,
        label: Range<usize>,
        value: Range<usize>,
        kind: SectionKind,
    ) -> Option<Diagnostic> {
        let exact = matches!(kind, SectionKind::Checks | SectionKind::Dice | SectionKind::Combat);
        let words = text.as_str().get(label.clone()).filter(|_| exact)?;
        let value = text.slice(value);
        let is_rule = is_mechanical(&value);
        let is_ours = labels_of(kind).iter().any(|own| fold(own) == fold(words));
        let meant = misspelt(words, self.table.written_labels(kind.name())).filter(|_| is_rule && !is_ours)?;
        let clear = matches!(slip(words, meant)?, Slip::Clear | Slip::Number);
        let message = format!("`{words}` is not a label that is known here");
        let span = text.span_of(label);
        clear.then(|| {
            Diagnostic::warning(codes::MISSPELT_LABEL, message)
                .at(span, "this bullet is not read")
                .help(format!("did you mean `{meant}`?"))
                .fix(Fix { span, replacement: meant.to_owned(), message: format!("call it `{meant}`") })
        })
    }
}

/// A heading that is nearly one that the language has for a section.
fn misspelt_heading(heading: &Text, language: &Language) -> Option<Diagnostic> {
    let words = heading.as_str();
    if SectionKind::of_heading(words).is_some() {
        return None;
    }
    let meant = misspelt(words, language.headings()).filter(|meant| slip(words, meant) == Some(Slip::Clear))?;
    let ours = language.heading(meant)?;
    Some(
        Diagnostic::warning(codes::MISSPELT_HEADING, format!("no section is called `{words}`"))
            .at(heading.span(), "read as prose")
            .help(format!("did you mean `{meant}`, which is {ours}?")),
    )
}

/// The words of a stretch, each with whether it is code.
fn code_free(text: &Text, within: Range<usize>) -> Vec<Token> {
    tokens(text.as_str(), within, &|at| text.is_code(at))
}

fn trimmed(words: &str, range: Range<usize>) -> Range<usize> {
    let text = words.get(range.clone()).unwrap_or_default();
    let start = range.start + (text.len() - text.trim_start().len());
    start..start + text.trim().len()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::translation::ALL;

    /// Labels that are names of the author's own, and are compared only to find slips.
    const NAMES: [&str; 9] = [
        "Push",
        "Luck",
        "On natural 20",
        "Hit points",
        "Armour",
        "Resistance",
        "Vulnerability",
        "Immunity",
        "Threshold",
    ];

    #[test]
    fn every_language_has_every_heading_and_every_label() {
        for language in &ALL {
            let table = language.table();
            assert_eq!(table.wrong, Vec::<String>::new(), "{}", language.code());
            let text = language.text();
            for kind in SectionKind::ALL {
                let headings: Vec<&str> = language.headings().filter_map(|own| language.heading(own)).collect();
                assert!(headings.contains(&kind.name()), "{}: {}", language.code(), kind.name());
                for label in labels_of(*kind).iter().filter(|label| !NAMES.contains(label)) {
                    let ours = if *label == "At 0 hit points" { "At # *" } else { label };
                    assert!(table.has_label(kind.name(), text, ours), "{}: {} {label}", language.code(), kind.name());
                }
            }
        }
    }

    #[test]
    fn every_language_says_the_same_in_ours() {
        let ours = |text: &'static str, part: &str| -> BTreeSet<&str> {
            let lines = text.lines().skip_while(|line| *line != format!("[{part}]")).skip(1);
            let lines = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(" = "));
            lines.map(|(_, ours)| ours).collect()
        };
        for part in ["headings", "inner", "columns", "outcomes", "values", "formal"] {
            let first = ours(ALL[0].text(), part);
            assert!(!first.is_empty(), "{part}");
            for language in &ALL {
                let own = ours(language.text(), part);
                let other: Vec<_> = own.symmetric_difference(&first).collect();
                assert!(other.is_empty(), "{} [{part}]: {other:?}", language.code());
            }
        }
    }
}
