//! The Checks section: one level-3 heading a check.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Span};
use crate::dice::{Formula, parse_formula};
use crate::names::fold;
use crate::rules::check::{Check, Succeed, Unread};
use crate::rules::clause::Clause;
use crate::rules::codes;
use crate::rules::document::{Block, Section, Text};
use crate::rules::section::SectionKind;

use super::check_blocks::{bullets, own_blocks};
use super::check_parts;
use super::check_rows;
use super::follow_ups;
use super::formula;
use super::labels::{Labelled, labelled, report_misspelt, report_repeated};
use super::ledger::{Ledger, Scope};
use super::names::Names;
use super::outline::Outline;

/// The bullet without which there is no check.
pub const ROLL: &str = "Roll";
/// Every label of a check, for suggestions.
pub const LABELS: [&str; 11] = [
    ROLL,
    "Target",
    "Succeed",
    "Opposing dice",
    "Count",
    "Pairs",
    "With no dice",
    "On natural 20",
    "Push",
    "Luck",
    "Modifier",
];

/// Reads every check.
pub fn read(outline: &Outline<'_>, names: &Names, ledger: &mut Ledger<'_>) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    let mut taken: HashMap<String, Span> = HashMap::new();
    for section in outline.sections(SectionKind::Checks) {
        for own in std::iter::once(section).chain(&section.subsections) {
            let Some(check) = read_one(own, names, ledger) else {
                continue;
            };
            if let Some(first) = taken.get(&fold(&check.name)) {
                let message = format!("the check `{}` is declared twice", check.name);
                ledger.report(
                    Diagnostic::warning(codes::DUPLICATE_CHECK, message)
                        .at(check.span, "this check is not read")
                        .and(*first, "declared here first"),
                );
            } else if ledger.has_room(checks.len(), "checks", check.span) {
                taken.insert(fold(&check.name), check.span);
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
    let blocks = own_blocks(section, ledger);
    let labels: Vec<Labelled> = bullets(blocks, ledger);
    let has_roll = labels.iter().any(|label| label.folded == fold(ROLL));
    if section.level != 3 && !has_roll {
        return None;
    }
    let heading = section.heading.as_ref()?;
    let table = blocks.iter().find_map(|block| match block {
        Block::Table(table) if check_rows::is_outcome_table(table) => Some(table),
        _ => None,
    });
    let name = if section.level == 3 { heading.as_str() } else { "Check" };
    let roll = labels.iter().find(|label| label.folded == fold(ROLL));
    let roll = roll.and_then(|label| formula::read(&label.value, names, Scope::Check, ledger));
    let can_roll = roll.is_some();
    // Without a Roll everything else is looked at all the same: one mistake does not hide the others.
    let roll = roll.or_else(|| parse_formula("0").ok())?;
    let check = Check::new(name, roll, ledger.place(heading.span()), heading.span());
    let mut reader = Reader { check, seen: Vec::new(), known: 0 };
    for label in &labels {
        reader.bullet(label, names, ledger);
    }
    let Reader { mut check, known, .. } = reader;
    check.rows = table.map(|table| check_rows::read(table, &mut check.unread, ledger)).unwrap_or_default();
    if !can_roll {
        // A heading over prose is no check; one with a table or a known bullet wants to be.
        let meant = known > 0 || table.is_some();
        if meant && !has_roll {
            report_no_roll(heading, ledger);
        }
        if (meant || has_roll) && ledger.lost_checks.len() < ledger.limits.items {
            let place = ledger.place(heading.span());
            ledger.lost_checks.push(Clause { what: name.to_owned(), place });
        }
        return None;
    }
    if name.trim().is_empty() {
        report_no_name(heading, ledger);
        return None;
    }
    if let Some(pairs) = check.pairs.first().filter(|_| check.count.is_none()) {
        let message = format!("`Pairs` of {}s add to successes, and nothing says what a success is", pairs.face);
        ledger.report(
            Diagnostic::warning(codes::UNREADABLE_PAIRS, message)
                .at(heading.span(), "this check has no Count")
                .help("say what counts: - Count: `6+`"),
        );
    }
    follow_ups::resolve(&mut check, ledger);
    check.about = about(section);
    Some(check)
}

/// The check as far as its bullets were read.
struct Reader {
    check: Check,
    /// Labels that count once, with where they were given.
    seen: Vec<(String, Span)>,
    /// Bullets whose label belongs to the language.
    known: usize,
}

impl Reader {
    fn bullet(&mut self, label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) {
        let part = match label.folded.as_str() {
            "roll" => Part::Roll,
            "target" => Part::Target,
            "succeed" => Part::Succeed,
            "opposing dice" => Part::Opposing,
            "count" => Part::Count,
            "pairs" => Part::Pairs,
            "with no dice" => Part::NoDice,
            "modifier" => Part::Modifier,
            natural if natural == check_parts::ON_NATURAL.trim_end() => Part::Shift,
            natural if natural.starts_with(check_parts::ON_NATURAL) => Part::Shift,
            flag if flag.starts_with(check_parts::FLAG) => Part::Flag,
            _ if follow_ups::is_follow_up(&label.value) => Part::FollowUp,
            _ => {
                let reported = check_parts::report_near(label, ledger) || report_misspelt(label, &LABELS, ledger);
                self.known += usize::from(reported);
                return;
            }
        };
        self.known += 1;
        ledger.take(label.span);
        if let Some((_, first)) = self.seen.iter().find(|(folded, _)| *folded == label.folded) {
            return report_repeated(label, *first, ledger);
        }
        self.seen.push((label.folded.clone(), label.span));
        if read_part(part, label, &mut self.check, names, ledger).is_none() {
            // The check is loaded, but does not decide.
            self.check.unread.push(Unread { label: label.label.as_str().to_owned(), place: ledger.place(label.span) });
        }
    }
}

/// What a bullet is about.
#[derive(Clone, Copy)]
enum Part {
    Roll,
    Target,
    Succeed,
    Opposing,
    Count,
    Pairs,
    NoDice,
    Modifier,
    Shift,
    Flag,
    FollowUp,
}

/// Puts a bullet into the check; none when the check cannot decide without it and it cannot be read.
fn read_part(part: Part, label: &Labelled, check: &mut Check, names: &Names, ledger: &mut Ledger<'_>) -> Option<()> {
    match part {
        // Read before the others.
        Part::Roll => {}
        Part::Target => check.target = Some(formula::read(&label.value, names, Scope::Check, ledger)?),
        Part::Succeed => check.succeed = succeed(label, ledger)?,
        Part::Opposing => check.opposing = Some(clause(label, names, ledger)?),
        Part::NoDice => check.no_dice = Some(clause(label, names, ledger)?),
        Part::Modifier => check.modifier = Some(clause(label, names, ledger)?),
        Part::Count => check.count = Some(check_parts::count(label, ledger)?),
        Part::Pairs => check.pairs = check_parts::pairs(label, ledger)?,
        Part::Shift => check.shifts.push(check_parts::shift(label, ledger)?),
        // Flags stand beside the outcome, and Push, Luck and their like follow a roll: neither decides it.
        Part::Flag => check.flags.extend(check_parts::flag(label, ledger)),
        Part::FollowUp => check.follow_ups.extend(follow_ups::follow_up(label, names, ledger)),
    }
    Some(())
}

fn clause(label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> Option<Clause<Formula>> {
    let what = formula::read(&label.value, names, Scope::Check, ledger)?;
    Some(Clause { what, place: ledger.place(label.span) })
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

fn report_no_name(heading: &Text, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::error(codes::NO_NAME, "a check has no name")
            .at(heading.span(), "this check is not read")
            .help("give it one: `### Attack`"),
    );
}
