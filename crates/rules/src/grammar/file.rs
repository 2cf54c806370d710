//! A whole file: each rule is read whole or reported, and the rest is prose.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::cursor::{Cursor, Expected, Unread};
use super::declared::{declare, declare_tables};
use super::findings;
use super::labels::{self, Label, Read};
use super::line::{CheckLine, DiceLine, HealthLine, Line, ScoreLine};
use super::names::Names;
use super::pieces::{NAME_WORDS_MAX, bullets, label, parts, split_at_colon, tables};
use super::read::{ValueReader, conditions, health, scores};
use super::table::{self, Table};
use super::warnings;
use crate::codes;
use crate::document::{self, Block, Bullet, Section, Text};
use crate::section::SectionKind;
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::{fold, suggest};

/// The headings of sections: at most three each, the usual one first.
pub(crate) const HEADINGS: [(SectionKind, &[&str]); 12] = [
    (SectionKind::Dice, &["Dice"]),
    (
        SectionKind::Attributes,
        &["Attributes", "Stats", "Characteristics"],
    ),
    (SectionKind::Skills, &["Skills", "Actions", "Moves"]),
    (SectionKind::Checks, &["Checks", "Rolls"]),
    (SectionKind::Health, &["Health", "Harm", "Damage"]),
    (SectionKind::Conditions, &["Conditions"]),
    (SectionKind::Combat, &["Combat", "Conflict"]),
    (SectionKind::Attacks, &["Attacks", "Weapons"]),
    (SectionKind::Company, &["Company"]),
    (SectionKind::Clocks, &["Clocks"]),
    (SectionKind::Advancement, &["Advancement", "Experience"]),
    (SectionKind::Examples, &["Examples"]),
];

/// The rules of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct File {
    pub rules: Vec<Rule>,
    pub tables: Vec<TableRule>,
    /// The checks: what is below each heading of their sections.
    pub checks: Vec<CheckPart>,
    pub findings: Vec<Diagnostic>,
    pub names: Names,
}

/// The rules of one check.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CheckPart {
    /// The heading of level 3 above them, else "Check".
    pub name: String,
    /// That heading.
    pub span: Span,
    /// The paragraphs before the bullets.
    pub about: String,
    /// Places among the file's rules and tables.
    pub rules: Range<usize>,
    pub tables: Range<usize>,
    /// Whether a part of it was not read.
    pub is_broken: bool,
}

/// A table that was read whole.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TableRule {
    pub section: SectionKind,
    pub span: Span,
    /// Each header with its place.
    pub header: Vec<(String, Span)>,
    /// The place of each row.
    pub rows: Vec<Span>,
    pub written: Arc<document::Table>,
    pub table: Table,
}

/// A line that was read whole.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rule {
    pub section: SectionKind,
    /// The label that it begins with, or the name that it declares.
    pub label: String,
    /// The track that its bullet is below.
    pub below: Option<String>,
    pub span: Span,
    /// How deep it is indented, from 0.
    pub depth: usize,
    pub line: Line,
    /// What follows the colon.
    pub value: Text,
}

impl Rule {
    /// What follows the colon, in the author's words.
    pub fn words(&self) -> &str {
        self.value.as_str()
    }
}

/// The section with this heading.
pub fn section(heading: &str) -> Option<SectionKind> {
    let heading = fold(heading);
    let is_called = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(&heading));
    HEADINGS
        .iter()
        .find(|(_, names)| is_called(names))
        .map(|(kind, _)| *kind)
}

/// Reads sections, each as this kind.
pub(crate) fn read_sections(sections: &[(SectionKind, &Section)]) -> File {
    read_with_names(Names::new(), sections)
}

/// The same, where these names are declared already.
pub(crate) fn read_with_names(mut names: Names, sections: &[(SectionKind, &Section)]) -> File {
    for (kind, section) in sections {
        declare(*kind, section, &mut names);
    }
    declare_tables(sections.iter().map(|(_, section)| *section), &mut names);
    let mut reader = Reader::new(&names);
    for (kind, section) in sections {
        reader.section(*kind, section);
    }
    let file = reader.file;
    File { names, ..file }
}

/// Findings about rules in prose: tables of outcomes, and bullets whose value fits a known label.
pub(crate) fn stray_rules(section: &Section, names: &Names) -> Vec<Diagnostic> {
    let reader = Reader::new(names);
    let mut found = Vec::new();
    for (_, part) in parts(section) {
        for table in tables(part).filter(|table| table::is_outcomes(table)) {
            found.push(findings::outside_checks(table.span));
        }
        for bullet in bullets(part) {
            let (written, value) = split_at_colon(&bullet.text);
            let Some(value) = value else { continue };
            let is_rule = |kind: &SectionKind| {
                let label = label(*kind, &written);
                label.is_some_and(|(label, rest)| reader.labelled(label, &rest, &value).is_ok())
            };
            let known_in: Vec<SectionKind> = HEADINGS
                .iter()
                .map(|(kind, _)| *kind)
                .filter(is_rule)
                .collect();
            if !known_in.is_empty() {
                found.push(findings::not_a_rule(
                    written.as_str(),
                    bullet.text.span(),
                    None,
                    &known_in,
                ));
            }
        }
    }
    found
}

/// What may be given once: the section, the sort of name, and the name.
type Given = (SectionKind, &'static str, String);

struct Reader<'a> {
    names: &'a Names,
    file: File,
    given: HashMap<Given, Span>,
    given_in_check: HashMap<Given, Span>,
}

impl<'a> Reader<'a> {
    fn new(names: &'a Names) -> Self {
        Reader {
            names,
            file: File::default(),
            given: HashMap::new(),
            given_in_check: HashMap::new(),
        }
    }

    fn section(&mut self, kind: SectionKind, section: &Section) {
        for (_, part) in parts(section) {
            let before = (
                self.file.rules.len(),
                self.file.tables.len(),
                self.file.findings.len(),
            );
            let mut below: Option<String> = None;
            // A label may be given once in each check.
            self.given_in_check = HashMap::new();
            for bullet in bullets(part) {
                let parent = below.clone().filter(|_| bullet.depth > 0);
                self.bullet(kind, bullet, parent);
                if bullet.depth == 0 {
                    below = self.file.rules.last().and_then(|rule| match &rule.line {
                        Line::Health(HealthLine::Track(track))
                            if rule.span == bullet.text.span() =>
                        {
                            Some(track.name.clone())
                        }
                        _ => None,
                    });
                }
            }
            self.paragraphs(kind, part);
            for table in tables(part) {
                self.table(kind, table);
                self.file
                    .findings
                    .extend(table::warnings(table, kind, self.names));
            }
            if kind == SectionKind::Checks {
                self.check(part, before);
            }
        }
    }

    /// Adds a check with what was read since there were this many rules, tables and findings.
    fn check(&mut self, part: &Section, (rules, tables, findings): (usize, usize, usize)) {
        let File {
            rules: all,
            tables: all_tables,
            findings: found,
            ..
        } = &self.file;
        let is_error = |finding: &Diagnostic| {
            [codes::NOT_UNDERSTOOD, codes::GIVEN_TWICE].contains(&finding.code)
        };
        let is_broken = found.iter().skip(findings).any(is_error);
        let has_table = all_tables
            .iter()
            .skip(tables)
            .any(|table| matches!(table.table, Table::Outcomes(_)));
        if !is_broken && !has_table && all.len() == rules {
            return;
        }
        let heading = part.heading.as_ref();
        let name = heading
            .filter(|_| part.level == 3)
            .map_or("Check", Text::as_str)
            .to_owned();
        let before = part.blocks.iter().map_while(|block| {
            if let Block::Paragraph(text) = block {
                Some(text)
            } else {
                None
            }
        });
        let about = before.map(Text::as_str).collect::<Vec<_>>().join("\n\n");
        let (rules, tables) = (rules..all.len(), tables..all_tables.len());
        let span = heading.map_or(part.span, Text::span);
        self.file.checks.push(CheckPart {
            name,
            span,
            about,
            rules,
            tables,
            is_broken,
        });
    }

    fn table(&mut self, kind: SectionKind, written: &Arc<document::Table>) {
        match table::read(written, kind, self.names) {
            Some(Ok(table)) => {
                let header = written
                    .header
                    .iter()
                    .map(|cell| (cell.as_str().to_owned(), cell.span()))
                    .collect();
                let row = |cells: &Vec<Text>| {
                    cells
                        .first()
                        .zip(cells.last())
                        .map_or(written.span, |(first, last)| first.span().to(last.span()))
                };
                let rows = written.rows.iter().map(row).collect();
                let (span, written) = (written.span, Arc::clone(written));
                self.file.tables.push(TableRule {
                    section: kind,
                    span,
                    header,
                    rows,
                    written,
                    table,
                });
            }
            Some(Err(all)) => self.file.findings.extend(
                all.into_iter()
                    .map(|unread| findings::not_understood(unread, self.names)),
            ),
            None => {}
        }
    }

    /// `Starting values: 8-18 range` is a rule in a paragraph, too.
    fn paragraphs(&mut self, kind: SectionKind, part: &Section) {
        for block in part
            .blocks
            .iter()
            .filter(|_| kind == SectionKind::Attributes)
        {
            let Block::Paragraph(text) = block else {
                continue;
            };
            let (written, value) = split_at_colon(text);
            if let (Some((label, rest)), Some(value)) = (label(kind, &written), &value)
                && label.words == labels::STARTING_VALUES
            {
                let read = self.labelled(label, &rest, value);
                self.add_line(
                    kind,
                    (text.span(), &written),
                    (None, 0),
                    value.clone(),
                    read,
                );
            }
        }
    }

    /// Adds a line that was read, or what is wrong with it.
    fn add_line(
        &mut self,
        section: SectionKind,
        (span, written): (Span, &Text),
        (below, depth): (Option<String>, usize),
        value: Text,
        read: Result<Line, Unread>,
    ) {
        match read {
            Ok(line) => {
                if let Some((name, first)) = self.given_before(section, &line, written, span) {
                    self.file
                        .findings
                        .push(findings::given_twice(&name, span, first));
                    return;
                }
                let is_free = matches!(line, Line::Scores(ScoreLine::Declared(_)));
                let empty = Text::new(span);
                let looked_at = if is_free { &empty } else { &value };
                self.file.findings.extend(warnings::line_warnings(
                    &line,
                    (span, looked_at),
                    self.names,
                ));
                if is_free {
                    self.file
                        .findings
                        .extend(warnings::free_words_warning(&value, self.names));
                }
                let label = written.as_str().to_owned();
                self.file.rules.push(Rule {
                    section,
                    label,
                    below,
                    span,
                    depth,
                    line,
                    value,
                });
            }
            Err(unread) => self
                .file
                .findings
                .push(findings::not_understood(unread, self.names)),
        }
    }

    /// The name of a line that was given before, and where; else notes it as given.
    fn given_before(
        &mut self,
        section: SectionKind,
        line: &Line,
        written: &Text,
        span: Span,
    ) -> Option<(String, Span)> {
        // Clocks and Company share their names.
        let section = if section == SectionKind::Clocks {
            SectionKind::Company
        } else {
            section
        };
        let names = match line {
            Line::Scores(ScoreLine::Declared(score)) => std::iter::once(&score.name)
                .chain(&score.short)
                .map(|name| ("score", name.as_str()))
                .collect(),
            Line::Scores(ScoreLine::Range(_)) => vec![("label", "Range")],
            Line::Condition(condition) => vec![("condition", condition.name.as_str())],
            Line::Health(HealthLine::Defence(defence)) => vec![("defence", defence.name.as_str())],
            Line::Dice(DiceLine::Die { name, .. } | DiceLine::Deck { name, .. }) => {
                vec![("die", name.as_str())]
            }
            Line::Dice(DiceLine::Cancel(_) | DiceLine::Symbol { .. })
            | Line::Health(HealthLine::Trigger { .. } | HealthLine::DamageTypes(_))
            | Line::Check(CheckLine::Costs(_) | CheckLine::OnNatural { .. }) => Vec::new(),
            _ => vec![("label", written.as_str())],
        };
        let keys: Vec<Given> = names
            .iter()
            .map(|(sort, name)| (section, *sort, fold(name)))
            .collect();
        let given = if section == SectionKind::Checks {
            &mut self.given_in_check
        } else {
            &mut self.given
        };
        let before = keys
            .iter()
            .zip(names)
            .find_map(|(key, (_, name))| Some((name.to_owned(), *given.get(key)?)));
        if before.is_none() {
            given.extend(keys.into_iter().map(|key| (key, span)));
        }
        before
    }

    fn bullet(&mut self, kind: SectionKind, bullet: &Bullet, below: Option<String>) {
        let (written, value) = split_at_colon(&bullet.text);
        let found = match (label(kind, &written), &value) {
            (Some((label, rest)), Some(value)) => Some(self.labelled(label, &rest, value)),
            (Some(_), None) => {
                let span = bullet.text.span();
                let expected = vec![Expected::A("a colon, and the rule behind it")];
                Some(Err(Unread {
                    span: Span::new(span.file, span.end..span.end),
                    word: String::new(),
                    expected,
                }))
            }
            (None, value) => self.declared(kind, &written, value.as_ref(), &bullet.text),
        };
        let Some(read) = found else { return };
        let value = value.unwrap_or(Text::new(bullet.text.span()));
        self.add_line(
            kind,
            (bullet.text.span(), &written),
            (below, bullet.depth),
            value,
            read,
        );
    }

    /// A bullet with a known label.
    fn labelled(&self, label: &Label, rest: &Text, value: &Text) -> Result<Line, Unread> {
        match label.read {
            Read::Value(read) => Cursor::new(value, self.names).whole(read),
            Read::Named(_, read) => {
                let name = Cursor::new(rest, self.names).whole(|at| at.new_name("a name"))?;
                Cursor::new(value, self.names).whole(|at| read(at, name))
            }
            Read::Label(read) => {
                let of_value = Cursor::new(rest, self.names).whole(read)?;
                Cursor::new(value, self.names).whole(of_value)
            }
        }
    }

    /// A bullet without a known label: it declares something by its name, or is prose.
    fn declared(
        &mut self,
        kind: SectionKind,
        written: &Text,
        value: Option<&Text>,
        whole: &Text,
    ) -> Option<Result<Line, Unread>> {
        let words = written
            .as_str()
            .split('(')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .count();
        let head: Option<fn(&mut Cursor<'_>) -> Option<ValueReader>> = match kind {
            SectionKind::Attributes => Some(|at| scores::declared(at, false)),
            SectionKind::Skills => Some(|at| scores::declared(at, true)),
            SectionKind::Conditions => Some(conditions::condition),
            SectionKind::Health if value.is_some() => Some(|at| health::declared(at, false)),
            SectionKind::Company | SectionKind::Clocks if value.is_some() => {
                Some(|at| health::declared(at, true))
            }
            _ => None,
        };
        if let Some(head) = head.filter(|_| (1..=NAME_WORDS_MAX).contains(&words)) {
            let empty = Text::new(whole.span());
            // After the colon of an attribute or a skill come words for people.
            let is_free = matches!(kind, SectionKind::Attributes | SectionKind::Skills);
            let value = value.filter(|_| !is_free).unwrap_or(&empty);
            let of_value = Cursor::new(written, self.names).whole(head);
            let read = of_value.and_then(|of_value| Cursor::new(value, self.names).whole(of_value));
            match &read {
                // A value that does not begin like a track is prose.
                Err(unread)
                    if !is_free
                        && kind != SectionKind::Conditions
                        && unread.span.start == value.span().start => {}
                _ => return Some(read),
            }
        }
        let is_looked_at = value.is_some() || !whole.codes().is_empty();
        if is_looked_at {
            self.not_a_rule(kind, written);
        }
        None
    }

    fn not_a_rule(&mut self, kind: SectionKind, written: &Text) {
        let known = labels::labels_of(kind).map(|label| label.words);
        let near = suggest(written.as_str(), known);
        let others = HEADINGS
            .iter()
            .map(|(other, _)| *other)
            .filter(|other| *other != kind);
        let known_in: Vec<SectionKind> = others
            .filter(|other| label(*other, written).is_some())
            .collect();
        let near = near.first().map(String::as_str);
        self.file.findings.push(findings::not_a_rule(
            written.as_str(),
            written.span(),
            near,
            &known_in,
        ));
    }
}
