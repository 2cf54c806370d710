//! A whole file in lines: what is a rule is read whole or reported, and the rest is prose.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::cursor::{Cursor, Expected, Unread};
use super::declared::{declare, declare_tables};
use super::every::{self, Label, Read};
use super::finding;
use super::line::{CheckLine, DiceLine, HealthLine, Line, ScoreLine};
use super::names::Names;
use super::pieces::{NAME_WORDS_MAX, bullets, halves, label, parts, tables};
use super::read::{ValueReader, conditions, health, scores};
use super::remarks;
use super::table::{self, Table};
use crate::codes;
use crate::document::{self, Block, Bullet, Section, Text};
use crate::section::SectionKind;
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::{fold, suggest};

/// The headings of sections of rules: at most three each, the usual one first.
pub const HEADINGS: [(SectionKind, &[&str]); 12] = [
    (SectionKind::Dice, &["Dice"]),
    (SectionKind::Attributes, &["Attributes", "Stats", "Characteristics"]),
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

/// What a file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct File {
    pub rules: Vec<Rule>,
    pub tables: Vec<TableRule>,
    /// The checks: what stands below each heading of their sections.
    pub checks: Vec<CheckPart>,
    pub findings: Vec<Diagnostic>,
    /// Everything that has a name.
    pub names: Names,
}

/// The rules of one check.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckPart {
    /// The heading of level 3 that they stand below, else what it is.
    pub name: String,
    /// That heading.
    pub span: Span,
    /// What is said before the bullets.
    pub about: String,
    /// Which of the file's rules and tables they are.
    pub rules: Range<usize>,
    pub tables: Range<usize>,
    /// Whether something of it is not read.
    pub is_broken: bool,
}

/// A table that was read whole.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRule {
    pub section: SectionKind,
    pub span: Span,
    /// Each header with its place.
    pub header: Vec<(String, Span)>,
    /// Where each row stands.
    pub rows: Vec<Span>,
    /// As it is written.
    pub written: Arc<document::Table>,
    pub table: Table,
}

/// A line that was read whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub section: SectionKind,
    /// The label that it begins with, or the name that it declares.
    pub label: String,
    /// The track that it stands below.
    pub below: Option<String>,
    pub span: Span,
    /// How deep it is indented, from 0.
    pub depth: usize,
    pub line: Line,
    /// What stands behind the colon.
    pub value: Text,
}

impl Rule {
    /// What stands behind the colon, in the author's words.
    pub fn words(&self) -> &str {
        self.value.as_str()
    }
}

/// The section with this heading.
pub fn section(heading: &str) -> Option<SectionKind> {
    let heading = fold(heading);
    let is_called = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(&heading));
    HEADINGS.iter().find(|(_, names)| is_called(names)).map(|(kind, _)| *kind)
}

/// Reads these sections, each with what it is taken for.
pub fn read_sections(sections: &[(SectionKind, &Section)]) -> File {
    read_beside(Names::new(), sections)
}

/// The same beside others that have these names.
pub fn read_beside(mut names: Names, sections: &[(SectionKind, &Section)]) -> File {
    for (kind, own) in sections {
        declare(*kind, own, &mut names);
    }
    declare_tables(sections.iter().map(|(_, own)| *own), &mut names);
    let mut reader = Reader::new(&names);
    for (kind, own) in sections {
        reader.section(*kind, own);
    }
    let file = reader.file;
    File { names, ..file }
}

/// What of a section that is none of rules would be a rule in one: tables of outcomes, and bullets with a known label whose value reads
/// whole by it.
pub fn elsewhere(section: &Section, names: &Names) -> Vec<Diagnostic> {
    let reader = Reader::new(names);
    let mut found = Vec::new();
    for (_, part) in parts(section) {
        for own in tables(part).filter(|own| table::is_outcomes(own)) {
            found.push(finding::outside_checks(own.span));
        }
        for bullet in bullets(part) {
            let (written, value) = halves(&bullet.text);
            let Some(value) = value else { continue };
            let is_rule = |kind: &SectionKind| {
                let own = label(*kind, &written);
                own.is_some_and(|(own, rest)| reader.labelled(own, &rest, &value).is_ok())
            };
            let known_in: Vec<SectionKind> = HEADINGS.iter().map(|(kind, _)| *kind).filter(is_rule).collect();
            if !known_in.is_empty() {
                found.push(finding::not_a_rule(written.as_str(), bullet.text.span(), None, &known_in));
            }
        }
    }
    found
}

/// What is given once: the section, what sort of name it is, and the name.
type Given = (SectionKind, &'static str, String);

struct Reader<'a> {
    names: &'a Names,
    file: File,
    given: HashMap<Given, Span>,
    given_in_check: HashMap<Given, Span>,
}

impl<'a> Reader<'a> {
    fn new(names: &'a Names) -> Self {
        Reader { names, file: File::default(), given: HashMap::new(), given_in_check: HashMap::new() }
    }

    fn section(&mut self, kind: SectionKind, section: &Section) {
        for (_, part) in parts(section) {
            let before = (self.file.rules.len(), self.file.tables.len(), self.file.findings.len());
            let mut below: Option<String> = None;
            // Each check has its own rules.
            self.given_in_check = HashMap::new();
            for bullet in bullets(part) {
                let parent = below.clone().filter(|_| bullet.depth > 0);
                self.bullet(kind, bullet, parent);
                if bullet.depth == 0 {
                    below = self.file.rules.last().and_then(|rule| match &rule.line {
                        Line::Health(HealthLine::Track(own)) if rule.span == bullet.text.span() => {
                            Some(own.name.clone())
                        }
                        _ => None,
                    });
                }
            }
            self.paragraphs(kind, part);
            for own in tables(part) {
                self.table(kind, own);
                self.file.findings.extend(table::remarks(own, kind, self.names));
            }
            if kind == SectionKind::Checks {
                self.check(part, before);
            }
        }
    }

    /// Adds what was read of a check since there were so many rules, tables and findings.
    fn check(&mut self, part: &Section, (rules, tables, findings): (usize, usize, usize)) {
        let File { rules: all, tables: all_tables, findings: found, .. } = &self.file;
        let is_error = |own: &Diagnostic| [codes::NOT_UNDERSTOOD, codes::GIVEN_TWICE].contains(&own.code);
        let is_broken = found.iter().skip(findings).any(is_error);
        let has_table = all_tables.iter().skip(tables).any(|own| matches!(own.table, Table::Outcomes(_)));
        if !is_broken && !has_table && all.len() == rules {
            return;
        }
        let heading = part.heading.as_ref();
        let name = heading.filter(|_| part.level == 3).map_or("Check", Text::as_str).to_owned();
        let about =
            part.blocks.iter().map_while(|own| if let Block::Paragraph(own) = own { Some(own.as_str()) } else { None });
        let about = about.collect::<Vec<_>>().join("\n\n");
        let (rules, tables) = (rules..all.len(), tables..all_tables.len());
        let span = heading.map_or(part.span, Text::span);
        self.file.checks.push(CheckPart { name, span, about, rules, tables, is_broken });
    }

    fn table(&mut self, kind: SectionKind, own: &Arc<document::Table>) {
        match table::read(own, kind, self.names) {
            Some(Ok(table)) => {
                let header = own.header.iter().map(|cell| (cell.as_str().to_owned(), cell.span())).collect();
                let row = |cells: &Vec<Text>| {
                    cells.first().zip(cells.last()).map_or(own.span, |(first, last)| first.span().to(last.span()))
                };
                let rows = own.rows.iter().map(row).collect();
                let (span, written) = (own.span, Arc::clone(own));
                self.file.tables.push(TableRule { section: kind, span, header, rows, written, table });
            }
            Some(Err(all)) => {
                self.file.findings.extend(all.into_iter().map(|own| finding::not_understood(own, self.names)))
            }
            None => {}
        }
    }

    /// `Starting values: 8-18 range` is a rule as a line of its own, too.
    fn paragraphs(&mut self, kind: SectionKind, part: &Section) {
        for block in part.blocks.iter().filter(|_| kind == SectionKind::Attributes) {
            let Block::Paragraph(text) = block else { continue };
            let (written, value) = halves(text);
            if let (Some((own, rest)), Some(value)) = (label(kind, &written), &value)
                && own.words == every::STARTING_VALUES
            {
                let read = self.labelled(own, &rest, value);
                self.take(kind, (text.span(), &written), (None, 0), value.clone(), read);
            }
        }
    }

    /// Adds a line that was read, or what is wrong with it.
    fn take(
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
                    self.file.findings.push(finding::twice(&name, span, first));
                    return;
                }
                let is_free = matches!(line, Line::Scores(ScoreLine::Declared(_)));
                let empty = Text::new(span);
                let looked_at = if is_free { &empty } else { &value };
                self.file.findings.extend(remarks::of_line(&line, (span, looked_at), self.names));
                if is_free {
                    self.file.findings.extend(remarks::of_free_words(&value, self.names));
                }
                let label = written.as_str().to_owned();
                self.file.rules.push(Rule { section, label, below, span, depth, line, value });
            }
            Err(unread) => self.file.findings.push(finding::not_understood(unread, self.names)),
        }
    }

    /// What of a line is given already, and where; else it is given now.
    fn given_before(
        &mut self,
        section: SectionKind,
        line: &Line,
        written: &Text,
        span: Span,
    ) -> Option<(String, Span)> {
        // All share what stands in either.
        let section = if section == SectionKind::Clocks { SectionKind::Company } else { section };
        let names = match line {
            Line::Scores(ScoreLine::Declared(own)) => {
                std::iter::once(&own.name).chain(&own.short).map(|name| ("score", name.as_str())).collect()
            }
            Line::Scores(ScoreLine::Range(_)) => vec![("label", "Range")],
            Line::Condition(own) => vec![("condition", own.name.as_str())],
            Line::Health(HealthLine::Defence(own)) => vec![("defence", own.name.as_str())],
            Line::Dice(DiceLine::Die { name, .. } | DiceLine::Deck { name, .. }) => vec![("die", name.as_str())],
            Line::Dice(DiceLine::Cancel(_) | DiceLine::Symbol { .. })
            | Line::Health(HealthLine::Trigger { .. } | HealthLine::DamageTypes(_))
            | Line::Check(CheckLine::Costs(_) | CheckLine::OnNatural { .. }) => Vec::new(),
            _ => vec![("label", written.as_str())],
        };
        let keys: Vec<Given> = names.iter().map(|(sort, name)| (section, *sort, fold(name))).collect();
        let given = if section == SectionKind::Checks { &mut self.given_in_check } else { &mut self.given };
        let before = keys.iter().zip(names).find_map(|(key, (_, name))| Some((name.to_owned(), *given.get(key)?)));
        if before.is_none() {
            given.extend(keys.into_iter().map(|own| (own, span)));
        }
        before
    }

    fn bullet(&mut self, kind: SectionKind, bullet: &Bullet, below: Option<String>) {
        let (written, value) = halves(&bullet.text);
        let found = match (label(kind, &written), &value) {
            (Some((own, rest)), Some(value)) => Some(self.labelled(own, &rest, value)),
            (Some(_), None) => {
                let span = bullet.text.span();
                let expected = vec![Expected::A("a colon, and the rule behind it")];
                Some(Err(Unread { span: Span::new(span.file, span.end..span.end), word: String::new(), expected }))
            }
            (None, value) => self.declared(kind, &written, value.as_ref(), &bullet.text),
        };
        let Some(read) = found else { return };
        let value = value.unwrap_or(Text::new(bullet.text.span()));
        self.take(kind, (bullet.text.span(), &written), (below, bullet.depth), value, read);
    }

    /// A bullet with a known label.
    fn labelled(&self, own: &Label, rest: &Text, value: &Text) -> Result<Line, Unread> {
        match own.read {
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

    /// A bullet that declares something by its name, or is none of the language's.
    fn declared(
        &mut self,
        kind: SectionKind,
        written: &Text,
        value: Option<&Text>,
        whole: &Text,
    ) -> Option<Result<Line, Unread>> {
        let words = written.as_str().split('(').next().unwrap_or_default().split_whitespace().count();
        let head: Option<fn(&mut Cursor<'_>) -> Option<ValueReader>> = match kind {
            SectionKind::Attributes => Some(|at| scores::declared(at, false)),
            SectionKind::Skills => Some(|at| scores::declared(at, true)),
            SectionKind::Conditions => Some(conditions::condition),
            SectionKind::Health if value.is_some() => Some(|at| health::declared(at, false)),
            SectionKind::Company | SectionKind::Clocks if value.is_some() => Some(|at| health::declared(at, true)),
            _ => None,
        };
        if let Some(head) = head.filter(|_| (1..=NAME_WORDS_MAX).contains(&words)) {
            let empty = Text::new(whole.span());
            // Behind the colon of an attribute or a skill stand words for people.
            let is_free = matches!(kind, SectionKind::Attributes | SectionKind::Skills);
            let value = value.filter(|_| !is_free).unwrap_or(&empty);
            let of_value = Cursor::new(written, self.names).whole(head);
            let read = of_value.and_then(|of_value| Cursor::new(value, self.names).whole(of_value));
            match &read {
                // What does not even begin as a track is no rule at all.
                Err(unread)
                    if !is_free && kind != SectionKind::Conditions && unread.span.start == value.span().start => {}
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
        let known = every::of(kind).map(|own| own.words);
        let near = suggest(written.as_str(), known);
        let others = HEADINGS.iter().map(|(other, _)| *other).filter(|other| *other != kind);
        let known_in: Vec<SectionKind> = others.filter(|other| label(*other, written).is_some()).collect();
        let near = near.first().map(String::as_str);
        self.file.findings.push(finding::not_a_rule(written.as_str(), written.span(), near, &known_in));
    }
}
