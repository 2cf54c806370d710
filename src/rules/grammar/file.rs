//! A whole file in lines: what is a rule is read whole or reported, and the rest is prose.

use super::cursor::{Cursor, Unread};
use super::every;
use super::finding::{Finding, FindingKind};
use super::labels::{Label, Read};
use super::line::{CheckLine, HealthLine, Line, ScoreLine};
use super::names::{Names, Thing};
use super::read::health::Head;
use super::read::{checks, conditions, health, scores};
use super::remarks;
use super::table::{self, Table};
use crate::diagnostic::Span;
use crate::names::{fold, suggest};
use crate::rules::document::{self, Block, Bullet, Document, Section, Text};
use crate::rules::section::SectionKind;

/// Words of a declared name, and of a bullet that declares one in Attributes and Skills.
const NAME_WORDS_MAX: usize = 5;

/// The headings of sections of rules: at most three each, the usual one first.
pub const HEADINGS: [(SectionKind, &[&str]); 12] = [
    (SectionKind::Dice, &["Dice"]),
    (SectionKind::Attributes, &["Attributes", "Stats", "Characteristics"]),
    (SectionKind::Skills, &["Skills", "Moves", "Actions"]),
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
    pub tables: Vec<(SectionKind, Option<String>, Table)>,
    pub findings: Vec<Finding>,
}

/// A line that was read whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub section: SectionKind,
    /// The heading of level 3 that it stands below: a check's name.
    pub part: Option<String>,
    /// The track that it stands below.
    pub below: Option<String>,
    pub span: Span,
    pub line: Line,
}

/// The section with this heading.
pub fn section(heading: &str) -> Option<SectionKind> {
    let heading = fold(heading);
    HEADINGS.iter().find(|(_, names)| names.iter().any(|name| fold(name) == heading)).map(|(kind, _)| *kind)
}

/// Reads a whole document.
pub fn read(document: &Document) -> File {
    let sections: Vec<(SectionKind, &Section)> =
        document.sections.iter().filter_map(|own| Some((section(own.heading.as_ref()?.as_str())?, own))).collect();
    let mut names = Names::new();
    for (kind, own) in &sections {
        declare(*kind, own, &mut names);
    }
    let mut reader = Reader { names: &names, file: File::default() };
    for (kind, own) in &sections {
        reader.section(*kind, own);
    }
    reader.file
}

/// The parts of a section, each with the heading of level 3 above it.
fn parts(section: &Section) -> impl Iterator<Item = (Option<&Text>, &Section)> {
    std::iter::once((None, section)).chain(section.subsections.iter().map(|own| (own.heading.as_ref(), own)))
}

fn bullets(section: &Section) -> impl Iterator<Item = &Bullet> {
    section.blocks.iter().filter_map(|block| match block {
        Block::Bullet(own) if !own.is_numbered && !is_for_people(&own.text) => Some(own),
        _ => None,
    })
}

fn tables(section: &Section) -> impl Iterator<Item = &document::Table> {
    section.blocks.iter().filter_map(|block| if let Block::Table(own) = block { Some(own) } else { None })
}

/// Whether all of it is emphasis.
fn is_for_people(text: &Text) -> bool {
    text.ends().all(|(_, mark)| mark.is_emphasis)
}

/// What stands before the first colon outside code, brackets and emphasis, and behind it.
fn halves(text: &Text) -> (Text, Option<Text>) {
    let colon = text.separators(&[":"]).find(|at| !text.mark(at.start).is_emphasis);
    match colon {
        Some(at) => (text.slice(0..at.start).trim(), Some(text.slice(at.end..text.as_str().len()).trim())),
        None => (text.trim(), None),
    }
}

/// A label that a bullet begins with, and what stands behind its words. The longest wins: `Damage types` before `Damage`.
fn label(section: SectionKind, written: &Text) -> Option<(&'static Label, Text)> {
    let whole = written.as_str();
    let fits = every::of(section).flat_map(|own| own.words.iter().map(move |words| (own, *words)));
    let fits = fits.filter_map(|(own, words)| {
        let head = head_of(whole, words)?;
        let rest = written.slice(head..whole.len()).trim();
        let fits = rest.is_empty() || !matches!(own.read, Read::Value(_));
        fits.then_some((own, rest, words.len()))
    });
    fits.max_by_key(|(_, _, length)| *length).map(|(own, rest, _)| (own, rest))
}

/// How many bytes of a label these words take at its beginning, as whole words.
fn head_of(written: &str, words: &str) -> Option<usize> {
    let mut at = 0;
    for word in words.split(' ') {
        let rest = written.get(at..)?;
        let blank = rest.len() - rest.trim_start_matches([' ', '-']).len();
        let rest = rest.get(blank..)?;
        let length = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        if fold(rest.get(..length)?) != fold(word) {
            return None;
        }
        at += blank + length;
    }
    Some(at)
}

/// The first pass: everything that has a name.
fn declare(kind: SectionKind, section: &Section, names: &mut Names) {
    for (heading, part) in parts(section) {
        if let Some(heading) = heading.filter(|_| kind == SectionKind::Checks) {
            names.declare(heading.as_str(), Thing::Check);
        }
        for bullet in bullets(part) {
            let (written, value) = halves(&bullet.text);
            match (label(kind, &written), &value) {
                (Some((own, rest)), Some(value)) => declare_by_label(own, rest.as_str(), value, names),
                (Some(_), None) => {}
                (None, _) => declare_by_name(kind, &written, value.as_ref(), names),
            }
        }
        tables(part).for_each(|own| table::declare(own, names));
        dice_labels(part, names);
    }
}

fn declare_by_label(own: &Label, rest: &str, value: &Text, names: &mut Names) {
    let thing = match own.words.first().copied().unwrap_or_default() {
        "Value" => Thing::Value,
        "Flag" => Thing::Flag,
        "Again" => Thing::Again,
        "Die" | "Deck" => Thing::Die,
        "Difficulty" => Thing::Difficulty,
        "Symbol" => return names.declare(value.as_str(), Thing::Symbol),
        "Damage types" => {
            return value.split_all(&[",", ";"]).iter().for_each(|own| names.declare(own.as_str(), Thing::Kind));
        }
        "Asks" => return declare_asks(value, names),
        _ => return,
    };
    names.declare(rest, thing);
    if own.words.contains(&"Deck") {
        // Suits and further cards are what a draw shows.
        let all = value.split_all(&[",", ";", " of "]);
        all.iter().for_each(|own| {
            names.declare(own.as_str().trim_start_matches(|letter: char| letter.is_ascii_digit()).trim(), Thing::Symbol)
        });
    }
    if own.words.contains(&"Again") {
        for option in value.split_all(&[",", ";"]) {
            if let Some(asked) = head_of(option.as_str(), "asks").map(|at| option.slice(at..option.as_str().len())) {
                declare_asks(&asked, names);
            }
        }
    }
}

/// `pool 1 to 20, first from Attributes`: what stands before the range.
fn declare_asks(value: &Text, names: &mut Names) {
    for own in value.split_all(&[",", ";"]) {
        let words: Vec<&str> = own.as_str().split_whitespace().collect();
        let is_end = |word: &&str| {
            word.starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '{' | '\u{2212}'))
                || matches!(fold(word).as_str(), "from" | "dice")
        };
        let end = words.iter().position(is_end).unwrap_or(words.len());
        names.declare(&words.get(..end).unwrap_or_default().join(" "), Thing::Ask);
    }
}

/// Names of bullets that declare: before their brackets.
fn declare_by_name(kind: SectionKind, written: &Text, value: Option<&Text>, names: &mut Names) {
    let (name, notes) = written.as_str().split_once('(').map_or((written.as_str(), ""), |(name, notes)| (name, notes));
    let name = name.trim();
    if name.split_whitespace().count() > NAME_WORDS_MAX {
        return;
    }
    match kind {
        SectionKind::Attributes => {
            names.declare(name, Thing::Attribute);
            let short = notes
                .split([',', ';', ')'])
                .map(str::trim)
                .find(|own| own.starts_with(char::is_alphabetic) && !own.contains(' '));
            short.into_iter().for_each(|own| names.declare(own, Thing::Attribute));
        }
        SectionKind::Skills => names.declare(name, Thing::Skill),
        SectionKind::Conditions => names.declare(name, Thing::Condition),
        SectionKind::Health | SectionKind::Company | SectionKind::Clocks if value.is_some() => {
            names.declare(name, Thing::Track)
        }
        _ => {}
    }
}

/// `[hunger]` behind dice.
fn dice_labels(part: &Section, names: &mut Names) {
    for bullet in bullets(part) {
        for code in bullet.text.codes() {
            let mut rest = code.as_str();
            while let Some((_, behind)) = rest.split_once('[') {
                let (label, after) = behind.split_once(']').unwrap_or((behind, ""));
                names.declare(label, Thing::Label);
                rest = after;
            }
        }
    }
}

struct Reader<'a> {
    names: &'a Names,
    file: File,
}

impl Reader<'_> {
    fn section(&mut self, kind: SectionKind, section: &Section) {
        for (heading, part) in parts(section) {
            let part_name = heading.filter(|_| kind == SectionKind::Checks).map(|own| own.as_str().to_owned());
            let mut below: Option<String> = None;
            for bullet in bullets(part) {
                let parent = below.clone().filter(|_| bullet.depth > 0);
                self.bullet(kind, bullet, part_name.as_deref(), parent);
                if bullet.depth == 0 {
                    below = self.file.rules.last().and_then(|rule| match &rule.line {
                        Line::Health(HealthLine::Track(own)) if rule.span == bullet.text.span() => {
                            Some(own.name.clone())
                        }
                        _ => None,
                    });
                }
            }
            for own in tables(part) {
                match table::read(own, kind, self.names) {
                    Some(Ok(found)) => self.file.tables.push((kind, part_name.clone(), found)),
                    Some(Err(all)) => all.into_iter().for_each(|unread| self.not_understood(unread)),
                    None => {}
                }
                self.file.findings.extend(table::remarks(own, kind, self.names));
            }
        }
    }

    fn not_understood(&mut self, unread: Unread) {
        let Unread { span, word, expected } = unread;
        self.file.findings.push(Finding { span, kind: FindingKind::NotUnderstood { word, expected } });
    }

    fn bullet(&mut self, kind: SectionKind, bullet: &Bullet, part: Option<&str>, below: Option<String>) {
        let (written, value) = halves(&bullet.text);
        let found = match (label(kind, &written), &value) {
            (Some((own, rest)), Some(value)) => Some(self.labelled(own, &rest, value)),
            (Some((own, _)), None) => {
                let span = bullet.text.span();
                let expected = vec![format!("`: {}`", own.takes)];
                Some(Err(Unread { span: Span::new(span.file, span.end..span.end), word: String::new(), expected }))
            }
            (None, value) => self.declared(kind, &written, value.as_ref(), &bullet.text),
        };
        let span = bullet.text.span();
        match found {
            Some(Ok(line)) => {
                self.file.findings.extend(remarks::of_line(&line, span, self.names));
                if let (Line::Scores(ScoreLine::Declared(_)), Some(words)) = (&line, &value) {
                    self.file.findings.extend(remarks::of_free_words(words, self.names));
                }
                let part = part.map(str::to_owned);
                self.file.rules.push(Rule { section: kind, part, below, span, line });
            }
            Some(Err(unread)) => self.not_understood(unread),
            None => {}
        }
    }

    /// A bullet with a known label.
    fn labelled(&self, own: &Label, rest: &Text, value: &Text) -> Result<Line, Unread> {
        match own.read {
            Read::Value(read) => Cursor::new(value, self.names).whole(read),
            Read::Named(read) => {
                let name = Cursor::new(rest, self.names).whole(|at| at.new_name("a name"))?;
                Cursor::new(value, self.names).whole(|at| read(at, name))
            }
            Read::Label(read) => {
                let head = Cursor::new(rest, self.names).whole(read)?;
                Cursor::new(value, self.names).whole(|at| match head {
                    Head::When(when) => health::trigger(at, when),
                    Head::Damage(kind) => health::taken_from(at, kind),
                    Head::OnNatural(range) => {
                        let (sign, steps) = checks::outcome_steps(at)?;
                        Some(Line::Check(CheckLine::OnNatural { range, sign, steps }))
                    }
                })
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
        let is_name = (1..=NAME_WORDS_MAX).contains(&words);
        match kind {
            SectionKind::Attributes | SectionKind::Skills if is_name => {
                let is_skill = kind == SectionKind::Skills;
                return Some(Cursor::new(written, self.names).whole(|at| scores::declared(at, is_skill)));
            }
            SectionKind::Conditions if is_name => {
                let levels = Cursor::new(written, self.names).whole(|at| {
                    let name = at.new_name("a name")?;
                    let levels = match at.sign('(') {
                        Some(()) => {
                            let range = super::expr::range(at)?;
                            at.sign(')')?;
                            Some(range)
                        }
                        None => None,
                    };
                    Some((name, levels))
                });
                let empty = Text::new(whole.span());
                return Some(levels.and_then(|(name, levels)| {
                    Cursor::new(value.unwrap_or(&empty), self.names).whole(|at| conditions::condition(at, name, levels))
                }));
            }
            SectionKind::Health | SectionKind::Company | SectionKind::Clocks if is_name => {
                if let Some(value) = value {
                    let is_shared = kind != SectionKind::Health;
                    let name = Cursor::new(written, self.names).whole(|at| at.new_name("a name"));
                    let read = name.and_then(|name| {
                        Cursor::new(value, self.names).whole(|at| health::declared(at, name, is_shared))
                    });
                    match read {
                        // What does not even begin as a track is no rule at all.
                        Err(unread) if unread.span.start == value.span().start => {}
                        read => return Some(read),
                    }
                }
            }
            _ => {}
        }
        let is_looked_at = value.is_some() || !whole.codes().is_empty();
        if is_looked_at {
            self.not_a_rule(kind, written);
        }
        None
    }

    fn not_a_rule(&mut self, kind: SectionKind, written: &Text) {
        let known = every::of(kind).flat_map(|own| own.words.iter().copied());
        let near = suggest(written.as_str(), known);
        let others = HEADINGS.iter().map(|(other, _)| *other).filter(|other| *other != kind);
        let known_in = others.filter(|other| label(*other, written).is_some()).collect();
        let label = written.as_str().to_owned();
        self.file
            .findings
            .push(Finding { span: written.span(), kind: FindingKind::NotARule { label, near, known_in } });
    }
}
