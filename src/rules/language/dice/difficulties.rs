//! Words for difficulties, under Dice, Checks or a heading of their own: `- Difficulty Fair: 10`; a list below `- Difficulties:`
//! or a heading of that name, or behind it (`- Difficulties: easy 8, fair 10`); in any section a table with the columns
//! Difficulty and Number.

use crate::diagnostic::{Place, Span};
use crate::names::fold;
use crate::rules::document::{Block, Section, Table, Text};
use crate::rules::language::labels::{labelled, report_repeated};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::section::SectionKind;

/// "Hard" is 15: what a call may send as `difficulty` in the place of the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difficulty {
    /// As the author writes it.
    pub name: String,
    /// What must be reached.
    pub number: i64,
    /// Where it stands.
    pub place: Place,
}

/// What a single one begins with.
const ONE: &str = "difficulty ";
/// What a list of them is called.
const LIST: [&str; 3] = ["difficulty", "difficulties", "difficulty numbers"];
/// The column of the number.
const NUMBER: [&str; 7] = ["number", "target", "target number", "dc", "tn", "roll", "value"];
/// The column of the words, where the numbers stand below Difficulty.
const TASK: [&str; 5] = ["task", "tasks", "example", "description", "how hard"];

/// Reads them all.
pub fn read(outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> Vec<Difficulty> {
    let mut reader = Reader { found: Vec::new() };
    for kind in [SectionKind::Dice, SectionKind::Checks] {
        for section in outline.sections(kind) {
            reader.section(section, ledger);
            section.subsections.iter().for_each(|inner| reader.section(inner, ledger));
        }
    }
    let read = [Some(SectionKind::Dice), Some(SectionKind::Checks), Some(SectionKind::Examples)];
    for (_, section) in outline.all().filter(|(kind, _)| !read.contains(kind)) {
        for own in std::iter::once(section).chain(&section.subsections) {
            match own.heading.as_ref().is_some_and(|heading| is_list(heading.as_str())) {
                true => reader.section(own, ledger),
                false => reader.tables(own, ledger),
            }
        }
    }
    reader.found.into_iter().map(|(own, _)| own).collect()
}

fn is_list(words: &str) -> bool {
    LIST.contains(&fold(words).as_str())
}

struct Reader {
    found: Vec<(Difficulty, Span)>,
}

impl Reader {
    fn section(&mut self, section: &Section, ledger: &mut Ledger<'_>) {
        let mut listed = section.heading.as_ref().is_some_and(|own| is_list(own.as_str()));
        // The depth of the bullet below which they stand.
        let mut below: Option<usize> = None;
        for block in section.blocks.iter().take(ledger.limits.blocks) {
            match block {
                Block::Heading(text) => (listed, below) = (is_list(text.as_str()), None),
                Block::Table(table) => self.table(table, ledger),
                Block::Bullet(bullet) => {
                    below = below.filter(|depth| bullet.depth > *depth);
                    let Some(label) = labelled(bullet, ledger) else {
                        let one = fold(bullet.text.as_str()).starts_with(ONE);
                        if listed || one || below.is_some() {
                            without_colon(&bullet.text, ledger);
                        }
                        continue;
                    };
                    // `- Difficulty: 8` names none of them.
                    if is_list(&label.folded) && leading(label.value.as_str()).is_none() {
                        below = Some(bullet.depth);
                        ledger.take(label.span);
                        self.inline(&label.value, ledger);
                    } else if label.folded.starts_with(ONE) || listed || below.is_some() {
                        let at = if label.folded.starts_with(ONE) { ONE.len() } else { 0 };
                        let name = label.label.as_str().get(at..).unwrap_or_default().trim();
                        let Some(number) = leading(label.value.as_str()) else {
                            if label.folded.starts_with(ONE) {
                                let help = "write the number: `- Difficulty Fair: 10`";
                                ledger.overlooked(label.span, "not read: no difficulty has this name", help);
                            }
                            continue;
                        };
                        ledger.take(label.span);
                        if let Some((_, first)) = self.found.iter().find(|(own, _)| fold(&own.name) == fold(name)) {
                            report_repeated(&label, *first, ledger);
                            continue;
                        }
                        self.add(name, number, label.span, ledger);
                    }
                }
                Block::Paragraph(_) | Block::Fence { .. } => {}
            }
        }
    }

    /// The tables of a section of another kind.
    fn tables(&mut self, section: &Section, ledger: &mut Ledger<'_>) {
        for block in section.blocks.iter().take(ledger.limits.blocks) {
            if let Block::Table(table) = block {
                self.table(table, ledger);
            }
        }
    }

    /// `easy 8, fair 10`
    fn inline(&mut self, value: &Text, ledger: &mut Ledger<'_>) {
        for part in value.split_all(&[",", ";", " and "]) {
            let words = part.as_str().trim_end_matches('.');
            let found = words.rsplit_once([' ', '=', '(']).and_then(|(name, number)| {
                let name = name.trim_end_matches([' ', '=', '(', ':']);
                Some((name, number.trim_end_matches(')').parse().ok()?)).filter(|_| !name.is_empty())
            });
            match found {
                Some((name, number)) => self.add(name, number, part.span(), ledger),
                None if words.is_empty() => {}
                None => {
                    let help = "write each with its number: `- Difficulties: easy 8, fair 10`";
                    ledger.overlooked(part.span(), "not read: no difficulty has this name", help);
                }
            }
        }
    }

    fn table(&mut self, table: &Table, ledger: &mut Ledger<'_>) {
        let column =
            |names: &[&str]| table.header.iter().position(|cell| names.contains(&fold(cell.as_str()).as_str()));
        let numbers =
            |at: &usize| table.rows.iter().all(|row| row.get(*at).is_some_and(|cell| leading(cell.as_str()).is_some()));
        let of_tasks = || column(&TASK).zip(column(&LIST).filter(numbers));
        let Some((name, number)) = column(&LIST).zip(column(&NUMBER)).or_else(of_tasks) else { return };
        ledger.take(table.span);
        for row in &table.rows {
            let cell = |at: usize| row.get(at);
            let (Some(name), Some(value)) = (cell(name), cell(number)) else { continue };
            if let (Some(number), false) = (leading(value.as_str()), name.as_str().is_empty()) {
                self.add(name.as_str(), number, name.span(), ledger);
            }
        }
    }

    /// The first of a name counts.
    fn add(&mut self, name: &str, number: i64, span: Span, ledger: &mut Ledger<'_>) {
        let known = self.found.iter().any(|(own, _)| fold(&own.name) == fold(name));
        if !known && !fold(name).is_empty() && ledger.has_room(self.found.len(), "difficulties", span) {
            self.found.push((Difficulty { name: name.to_owned(), number, place: ledger.place(span) }, span));
        }
    }
}

/// `- Easy 8`: what a ladder holds, without the colon that makes it one of its steps.
fn without_colon(text: &Text, ledger: &mut Ledger<'_>) {
    let words = text.as_str().trim_end_matches('.');
    let Some((name, number)) = words.rsplit_once(' ').filter(|(_, number)| leading(number).is_some()) else { return };
    let name = name.trim_end_matches([' ', '=', '-', '–', '—']);
    ledger.take(text.span());
    let help = format!("a colon stands behind the name: `- {name}: {number}`");
    ledger.overlooked(text.span(), "not read: no difficulty has this name", help);
}

/// `10`, `` `10` ``, `10 (most things)`.
fn leading(value: &str) -> Option<i64> {
    let value = value.trim_start_matches(['`', '*', ' ', '+']);
    let end = value.char_indices().find(|(at, letter)| !(letter.is_ascii_digit() || *at == 0 && *letter == '-'));
    let (number, rest) = value.split_at_checked(end.map_or(value.len(), |(at, _)| at))?;
    // `2d6` and `8-10` are no number.
    let ends = !rest.starts_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '–' | '+'));
    number.parse().ok().filter(|_| ends)
}
