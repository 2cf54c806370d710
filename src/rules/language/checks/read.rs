//! Reads the checks of the Checks section, and reports those without a name or a roll.

use std::collections::HashMap;

use super::bullets::{OPPOSED, Reader, is_roll, is_value};
use super::check::{Check, PROBE};
use super::{asks, follow_ups, opposition, rows};
use crate::diagnostic::{Diagnostic, Span};
use crate::dice::{Die, parse_formula};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::{Block, Section, Text};
use crate::rules::language::clause::Clause;
use crate::rules::language::formula;
use crate::rules::language::labels::{Labelled, labelled};
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::section::SectionKind;
use crate::rules::when::facts::Succeed;

/// Reads every check.
pub fn read(outline: &Outline<'_>, names: &Names, ledger: &mut Ledger<'_>) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    let mut taken: HashMap<String, Span> = HashMap::new();
    for section in outline.sections(SectionKind::Checks) {
        let opposed = opposed_of_all(section, ledger);
        let mut applies = opposed.is_none();
        for own in std::iter::once(section).chain(&section.subsections) {
            let Some(mut check) = read_one(own, names, ledger) else {
                continue;
            };
            if let Some(label) = &opposed {
                let read = opposition::read(label, &check.values, ledger);
                applies |= read.is_ok();
                if check.opposition.place.is_none() {
                    check.opposition = read.unwrap_or_default();
                }
            }
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
        if let Some(label) = opposed.filter(|_| !applies) {
            opposition::report(&label, label.value.as_str(), ledger);
        }
    }
    checks
}

/// How every check of the section is decided that does not say it itself: a bullet directly under its heading, where that is no check.
fn opposed_of_all(section: &Section, ledger: &mut Ledger<'_>) -> Option<Labelled> {
    let mut labels = Vec::new();
    for block in &section.blocks {
        match block {
            Block::Heading(_) => break,
            Block::Bullet(bullet) => labels.extend(labelled(bullet, ledger)),
            _ => {}
        }
    }
    if section.level == 3 || labels.iter().any(is_roll) {
        return None;
    }
    let opposed = labels.into_iter().find(|label| label.folded == OPPOSED)?;
    ledger.take(opposed.span);
    Some(opposed)
}

/// Whether the author wrote a check, readable or not.
pub fn attempted(outline: &Outline<'_>, ledger: &Ledger<'_>) -> bool {
    outline.blocks(SectionKind::Checks).any(|block| match block {
        Block::Bullet(bullet) => labelled(bullet, ledger).is_some_and(|label| is_roll(&label)),
        Block::Table(table) => rows::is_outcome_table(table),
        _ => false,
    })
}

fn read_one(section: &Section, names: &Names, ledger: &mut Ledger<'_>) -> Option<Check> {
    let blocks = own_blocks(section, ledger);
    let mut labels: Vec<Labelled> = bullets(blocks, ledger);
    // Flags and rows may ask for values that stand below them.
    labels.sort_by_key(|label| !is_value(label));
    let has_roll = labels.iter().any(is_roll);
    if section.level != 3 && !has_roll {
        return None;
    }
    let heading = section.heading.as_ref()?;
    let table = blocks.iter().find_map(|block| match block {
        Block::Table(table) if rows::is_outcome_table(table) => Some(table),
        _ => None,
    });
    let name = if section.level == 3 { heading.as_str() } else { "Check" };
    let roll = labels.iter().find(|label| is_roll(label));
    let roll = roll.and_then(|label| formula::read(&label.value, names, Scope::Check, ledger));
    let can_roll = roll.is_some();
    // Without a Roll everything else is looked at all the same: one mistake does not hide the others.
    let roll = roll.or_else(|| parse_formula("0").ok())?;
    let mut check = Check::new(name, roll, ledger.place(heading.span()), heading.span());
    check.count_symbols(&names.own_dice, !can_roll);
    let mut reader = Reader::new(check);
    for label in &labels {
        reader.bullet(label, names, ledger);
    }
    let (turned, aimed) = (reader.has("succeed"), reader.has("target"));
    let Reader { mut check, known, .. } = reader;
    if can_roll && !turned {
        assume_roll_under(&mut check, ledger);
    }
    if can_roll {
        assume_extra_dice(&check, ledger);
        assume_no_dice(&check, ledger);
    }
    check.keep_own_values();
    let bare = if aimed { None } else { of_number(&check) };
    check.rows =
        table.map(|table| rows::read(table, &check.values, bare, &mut check.unread, ledger)).unwrap_or_default();
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
    asks::name_moves(&mut check);
    asks::report_unused(&check, ledger);
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

/// Of dice that explode and are kept in part each explosion is a die of its own, which is told, as most games add it to its die.
fn assume_extra_dice(check: &Check, ledger: &mut Ledger<'_>) {
    let roll = check.roll.to_string();
    let apart = |mark: &str| roll.match_indices(mark).any(|(at, _)| !roll.get(..at).unwrap_or_default().ends_with('!'));
    if apart("!kh") || apart("!kl") {
        let text = format!(
            "{}: each die that an explosion throws is kept or dropped by itself; with `!!` in the place of `!` it is added to its own die",
            check.name
        );
        ledger.assume(text, Some(check.place.clone()));
    }
}

/// Where something is taken off the number of dice, there may be none left.
fn assume_no_dice(check: &Check, ledger: &mut Ledger<'_>) {
    let roll = check.roll.to_string();
    let Some((count, _)) = roll.split_once(")d").filter(|_| check.no_dice.is_none() && check.roll.is_one_term()) else {
        return;
    };
    if count.starts_with('(') && count.contains(" - ") {
        let text = format!(
            "{}: where no dice are left the call is refused; with `- With no dice: 0` it fails, and `- With no dice: 2d6kl1` rolls others",
            check.name
        );
        ledger.assume(text, Some(check.place.clone()));
    }
}

/// What a number alone in a row is of, where nothing is to be reached: the successes that are counted, or else the total.
fn of_number(check: &Check) -> Option<&'static str> {
    let shown = check.roll.bind(&mut |_| Some(PROBE)).ok()?;
    match check.count.is_some() || check.roll.counts() {
        true => Some("successes"),
        false => (!shown.is_numberless()).then_some("total"),
    }
}

/// Percentile dice alone are rolled to stay under their Target, as in the plain style, unless a Succeed bullet says otherwise.
/// With something added to them either may be meant; then the Target is to be reached, and that is said.
fn assume_roll_under(check: &mut Check, ledger: &mut Ledger<'_>) {
    let percentile = matches!(check.main_die(), Some(Die::Percent | Die::Sides(100)));
    let Some(target) = check.target.as_ref().filter(|_| percentile && check.count.is_none()) else { return };
    let (which, other) = match check.roll.is_one_term() {
        true => ("at most", "at least"),
        false => ("at least", "at most"),
    };
    let text = format!(
        "{} succeeds with {which} {target}, as no Succeed bullet says; to have it otherwise write `- Succeed: {other} the target`, \
         to be sure `- Succeed: {which} the target`",
        check.name
    );
    ledger.assume(text, Some(check.place.clone()));
    if check.roll.is_one_term() {
        check.succeed = Succeed::AtMost;
    }
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

/// What a check says, up to a deeper heading with a Roll of its own: that is another check, on the wrong level.
fn own_blocks<'a>(section: &'a Section, ledger: &mut Ledger<'_>) -> &'a [Block] {
    let rolls = |block: &Block| match block {
        Block::Bullet(bullet) => labelled(bullet, ledger).is_some_and(|label| is_roll(&label)),
        _ => false,
    };
    let mut heading = None;
    let deeper = section.blocks.iter().enumerate().find_map(|(at, block)| match block {
        Block::Heading(text) => {
            heading = Some((at, text));
            None
        }
        block => heading.filter(|_| rolls(block)),
    });
    let Some((at, heading)) = deeper else { return &section.blocks };
    ledger.report(
        Diagnostic::warning(codes::HEADING_LEVEL, format!("`{}` is a heading below a check", heading.as_str()))
            .at(heading.span(), "this check is not read")
            .help(format!("each check has a level-3 heading: `### {}`", heading.as_str())),
    );
    let (own, others) = section.blocks.split_at_checked(at).unwrap_or_default();
    for block in others {
        ledger.take(block.span());
    }
    own
}

/// The labelled bullets among these blocks.
pub fn bullets(blocks: &[Block], ledger: &mut Ledger<'_>) -> Vec<Labelled> {
    let mut labels = Vec::new();
    for block in blocks {
        let Block::Bullet(bullet) = block else { continue };
        labels.extend(labelled(bullet, ledger).map(|label| without_table(label, ledger)));
    }
    labels
}

/// A table that begins in the line below a bullet is part of the bullet's words for Markdown. It is told, and cut off.
fn without_table(label: Labelled, ledger: &mut Ledger<'_>) -> Labelled {
    let words = label.value.as_str();
    let Some(at) = words.find('|').filter(|_| words.contains("|--") || words.contains("|:-")) else { return label };
    let (value, table) = (label.value.slice(0..at).trim(), label.value.slice(at..words.len()));
    ledger.overlooked(table.span(), "a table that is no table", "leave a blank line between the bullet and the table");
    Labelled { value, ..label }
}
