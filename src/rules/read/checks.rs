//! The Checks section: one level-3 heading a check.

use crate::diagnostic::{Diagnostic, Span};
use crate::names::{fold, same};
use crate::rules::check::{Check, Succeed, Unread};
use crate::rules::codes;
use crate::rules::document::{Block, Section, Text};
use crate::rules::section::SectionKind;

use super::check_rows;
use super::formula;
use super::labels::{Labelled, labelled, report_misspelt, report_repeated};
use super::ledger::{Ledger, Scope};
use super::names::Names;
use super::outline::Outline;

/// Labels that are carried out.
const ROLL: &str = "Roll";
const TARGET: &str = "Target";
const SUCCEED: &str = "Succeed";
/// Every label of a check, for suggestions.
const LABELS: [&str; 13] = [
    ROLL,
    TARGET,
    SUCCEED,
    "Opposing dice",
    "Count",
    "Pairs",
    "With no dice",
    "On natural 20",
    "On natural 1",
    "Push",
    "Luck",
    "Modifier",
    "Flag",
];
/// Labels that change the outcome and are not carried out: with one of them the outcome is for the GM.
const DECIDING: [&str; 5] = ["opposing dice", "count", "pairs", "with no dice", "modifier"];

/// Reads every check.
pub fn read(outline: &Outline<'_>, names: &Names, ledger: &mut Ledger<'_>) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    for section in outline.sections(SectionKind::Checks) {
        for own in std::iter::once(section).chain(&section.subsections) {
            let Some(check) = read_one(own, names, ledger) else {
                continue;
            };
            if let Some(first) = checks.iter().find(|known| same(&known.name, &check.name)) {
                let message = format!("the check `{}` is declared twice", check.name);
                ledger.report(
                    Diagnostic::warning(codes::DUPLICATE_CHECK, message)
                        .at(check.span, "this check is not read")
                        .and(first.span, "declared here first"),
                );
            } else if ledger.has_room(checks.len(), "checks", check.span) {
                checks.push(check);
            }
        }
    }
    checks
}

/// Whether the author wrote a check, readable or not.
pub fn attempted(outline: &Outline<'_>, ledger: &Ledger<'_>) -> bool {
    outline.blocks(SectionKind::Checks).any(|block| match block {
        Block::Bullet(bullet) => labelled(bullet, ledger).is_some_and(|label| label.folded == fold(ROLL)),
        Block::Table(table) => check_rows::is_outcome_table(table),
        _ => false,
    })
}

fn read_one(section: &Section, names: &Names, ledger: &mut Ledger<'_>) -> Option<Check> {
    let labels: Vec<Labelled> = bullets(section, ledger);
    let is = |label: &&Labelled, name: &str| label.folded == fold(name);
    let is_check = section.level == 3 || labels.iter().any(|label| is(&label, ROLL));
    if !is_check {
        return None;
    }
    let heading = section.heading.as_ref()?;
    let mut reader = Reader { roll: None, target: None, succeed: None, unread: Vec::new() };
    let mut known = 0usize;
    for label in &labels {
        known += usize::from(reader.bullet(label, names, ledger));
    }
    let table = section.blocks.iter().find_map(|block| match block {
        Block::Table(table) if check_rows::is_outcome_table(table) => Some(table),
        _ => None,
    });
    let Some((roll, _)) = reader.roll else {
        // A heading over prose is no check; one with a table or a known bullet wants to be.
        if known > 0 || table.is_some() {
            let written = labels.iter().any(|label| is(&label, ROLL));
            if !written {
                report_no_roll(heading, ledger);
            }
        }
        return None;
    };
    let mut unread = reader.unread;
    let rows = table.map(|table| check_rows::read(table, &mut unread, ledger)).unwrap_or_default();
    Some(Check {
        name: if section.level == 3 { heading.as_str().to_owned() } else { "Check".to_owned() },
        roll,
        target: reader.target.map(|(target, _)| target),
        succeed: reader.succeed.map_or(Succeed::AtLeast, |(succeed, _)| succeed),
        rows,
        unread,
        about: about(section),
        assumed: false,
        place: ledger.place(heading.span()),
        span: heading.span(),
    })
}

struct Reader {
    roll: Option<(crate::dice::Formula, Span)>,
    target: Option<(crate::dice::Formula, Span)>,
    succeed: Option<(Succeed, Span)>,
    unread: Vec<Unread>,
}

impl Reader {
    /// Takes one bullet; whether its label belongs to the language.
    fn bullet(&mut self, label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> bool {
        match label.folded.as_str() {
            "roll" => match self.roll {
                Some((_, first)) => report_repeated(label, first, ledger),
                None => self.roll = expression(label, names, ledger),
            },
            "target" => match self.target {
                Some((_, first)) => report_repeated(label, first, ledger),
                None => {
                    self.target = expression(label, names, ledger);
                    if self.target.is_none() {
                        self.leave(label, ledger);
                    }
                }
            },
            "succeed" => match self.succeed {
                Some((_, first)) => report_repeated(label, first, ledger),
                None => {
                    self.succeed = succeed(label, ledger).map(|succeed| (succeed, label.span));
                    if self.succeed.is_none() {
                        self.leave(label, ledger);
                    }
                }
            },
            deciding if DECIDING.contains(&deciding) || deciding.starts_with("on natural ") => {
                self.leave(label, ledger);
                let meanwhile = "until then the outcome of this check is for the GM to say";
                ledger.not_read(label.label.as_str(), label.label.span(), meanwhile);
            }
            other if is_follow_up(other, &label.value) => {
                ledger.not_read(label.label.as_str(), label.label.span(), "the check itself is carried out without it");
            }
            _ => return report_misspelt(label, &LABELS, ledger),
        }
        true
    }

    /// The check is loaded, but does not decide.
    fn leave(&mut self, label: &Labelled, ledger: &Ledger<'_>) {
        self.unread.push(Unread { label: label.label.as_str().to_owned(), place: ledger.place(label.span) });
    }
}

fn expression(label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> Option<(crate::dice::Formula, Span)> {
    formula::read(&label.value, names, Scope::Check, ledger).map(|formula| (formula, label.span))
}

fn succeed(label: &Labelled, ledger: &mut Ledger<'_>) -> Option<Succeed> {
    let value = fold(label.value.as_str());
    for (words, succeed) in [("at least", Succeed::AtLeast), ("at most", Succeed::AtMost)] {
        if value == words || value.strip_prefix(words).is_some_and(|rest| rest.starts_with([' ', ','])) {
            return Some(succeed);
        }
    }
    ledger.report(
        Diagnostic::error(codes::UNREADABLE_SUCCEED, format!("`{}` cannot be read", label.value.as_str()))
            .at(label.value.span(), "expected which side of the target is good")
            .help("write `at least the target` or `at most the target`"),
    );
    None
}

/// Flags stand beside the outcome, and Push, Luck and their like follow a roll: neither decides it.
fn is_follow_up(label: &str, value: &Text) -> bool {
    let value = fold(value.as_str());
    label.starts_with("flag ") || value.starts_with("reroll ") || value.starts_with("subtract up to ")
}

fn bullets(section: &Section, ledger: &Ledger<'_>) -> Vec<Labelled> {
    let bullet = |block: &Block| match block {
        Block::Bullet(bullet) => labelled(bullet, ledger),
        _ => None,
    };
    section.blocks.iter().filter_map(bullet).collect()
}

fn about(section: &Section) -> String {
    let prose = section.blocks.iter().map_while(|block| match block {
        Block::Paragraph(text) => Some(text.as_str()),
        _ => None,
    });
    prose.collect::<Vec<_>>().join("\n\n")
}

fn report_no_roll(heading: &Text, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::error(codes::NO_ROLL, format!("the check `{}` has no Roll", heading.as_str()))
            .at(heading.span(), "this check is not read")
            .help("say what is rolled: - Roll: `1d20 + {modifier}`"),
    );
}
