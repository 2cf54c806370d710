//! The check of a file in the plain style: what its prose says, and stated defaults for the rest.

use super::check::{Check, PROBE, Row};
use super::outcome::Outcome;
use super::{bullets, dice_words};
use crate::diagnostic::{Diagnostic, Span};
use crate::dice::{Die, Formula, parse_formula};
use crate::names::same;
use crate::rules::document::{Block, Bullet, Text};
use crate::rules::language::labels::{is_mechanical, labelled};
use crate::rules::language::ledger::{Ledger, Scope, Written};
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::language::plain::Found;
use crate::rules::language::section::SectionKind;
use crate::rules::language::{plain, range};
use crate::rules::when::When;
use crate::rules::when::facts::Succeed;
use crate::rules::{codes, when};

/// Bullets whose dice are not the check's.
const OTHER_DICE: [&str; 4] = ["dice", "dice chain", "advantage", "disadvantage"];
/// Words that turn a check around: low is good.
const ROLL_UNDER: [&str; 6] = ["under", "at most", "or less", "or lower", "or below", "or equal to"];

/// The check that the first dice of the Dice or Checks section describe.
///
/// A d20 has margin 0+ for success. Two d6 read 10+, 7-9, 6-. Four dF read margin 3+, 1+, 0. A d100 reads at most the
/// skill. Other dice have a margin when the prose sets them against something.
pub fn read(outline: &Outline<'_>, names: &Names, ledger: &mut Ledger<'_>) -> Option<Check> {
    let blocks = outline.blocks(SectionKind::Dice).chain(outline.blocks(SectionKind::Checks));
    let prose: Vec<&Text> = blocks.filter_map(|block| prose(block, ledger)).collect();
    let named =
        |find: &dyn Fn(&str) -> Option<Found>| prose.iter().find_map(|text| Some((*text, find(text.as_str())?)));
    let (text, found) = named(&|words| plain::first_dice(words, names)).or_else(|| named(&dice_words::first))?;
    let span = text.span_of(found.at.clone());
    if let Some(sign) = plain::dangling(text.as_str(), found.at.end) {
        let message = format!("nothing stands behind `{}`", text.as_str().get(sign.clone()).unwrap_or_default());
        ledger.report(
            Diagnostic::warning(codes::UNREADABLE_FORMULA, message)
                .at(text.span_of(sign), "what comes after this is not read")
                .help("write one sign and what it adds: `1d20 + {modifier}`"),
        );
    }
    report_labels(text, found.at.end, ledger);
    let style = Style::of(text.as_str(), &found)?;
    report_number(text, &found, &style, ledger);
    let roll = parse_formula(&style.roll).ok()?;
    let target = style.target.map(parse_formula).and_then(Result::ok);
    for formula in std::iter::once(&roll).chain(&target) {
        let text = text.slice(found.at.clone());
        ledger.written.push(Written { formula: formula.clone(), text, scope: Scope::Check });
    }
    let check = Check {
        target,
        succeed: style.succeed,
        rows: rows(style.rows, text, span, ledger),
        assumed: true,
        ..Check::new("Check", roll, ledger.place(span), span)
    };
    let target = check.target.as_ref().map(|target| format!(" against {target}")).unwrap_or_default();
    let text = format!(
        "the check is {}{target}: {}; to have it otherwise write it under `## Checks`",
        check.roll, style.words
    );
    ledger.assume(text, Some(check.place.clone()));
    Some(check)
}

/// Reports what stands behind the dice with the label of a check's bullet: a sentence's `Target: 8` is read by nobody.
fn report_labels(text: &Text, from: usize, ledger: &mut Ledger<'_>) {
    let words = text.as_str();
    for (at, _) in words.match_indices(':').filter(|(at, _)| *at >= from) {
        let before = words.get(from..at).unwrap_or_default();
        let start = before.rfind(['.', ',', ';', ':', '\n']).map_or(from, |end| from + end + 1);
        let label = words.get(start..at).unwrap_or_default().trim_matches([' ', '*', '_']);
        let Some(known) = bullets::LABELS.iter().find(|known| same(known, label)) else { continue };
        let end = words.get(at..).and_then(|rest| rest.find(['.', ';', '\n'])).map_or(words.len(), |end| at + end);
        let part = text.slice(start..end).trim();
        if is_mechanical(&part) {
            let help = format!(
                "a check is a level-3 heading, and each of its rules a bullet below it: `- Roll: …`, `- {known}: {}`",
                words.get(at + 1..end).unwrap_or_default().trim_matches([' ', '*', '_'])
            );
            ledger.overlooked(part.span(), "read as prose", help);
        }
    }
}

/// Reports a number to be reached in the sentence of the dice, which the default does not have: "2d6 + STR, 8 or more succeeds".
fn report_number(text: &Text, found: &Found, style: &Style, ledger: &mut Ledger<'_>) {
    let rest = text.as_str().get(found.at.end..).unwrap_or_default();
    let rest = rest.split_once(". ").map_or(rest, |(first, _)| first);
    let reached = |(at, _): (usize, &str)| {
        let before = rest.get(..at)?.trim_end().to_ascii_lowercase();
        let (number, behind) = range::number(rest.get(at..)?)?;
        let says_so = ["against", "beat", "at least", "reach"].iter().any(|word| before.ends_with(word))
            && !behind.starts_with(|letter: char| letter.is_alphanumeric());
        let open =
            ["+", " or more", " or higher", " or better", " or above"].iter().any(|word| behind.starts_with(word));
        (says_so || open).then(|| (number, at + rest.get(at..).map_or(0, str::len) - behind.len()))
    };
    let starts = rest.match_indices(|letter: char| letter.is_ascii_digit());
    let first = starts
        .filter(|(at, _)| !rest.get(..*at).is_some_and(|before| before.ends_with(is_of_number)))
        .find_map(reached);
    let known = |number: i64| style.rows.iter().any(|(_, when)| when.ends_with(&format!(" {number}+")));
    if let Some((number, end)) = first.filter(|(number, _)| !known(*number)) {
        let start = found.at.end + rest.get(..end).map_or(0, |own| own.trim_end_matches(is_of_number).len());
        let help = format!(
            "write the check: a level-3 heading under `## Checks`, below it ``- Roll: `{}` `` and `- Target: {number}`",
            found.notation
        );
        ledger.overlooked(text.span_of(start..found.at.end + end), "nobody compares the roll with this number", help);
    }
}

fn is_of_number(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// What the dice imply.
struct Style {
    roll: String,
    target: Option<&'static str>,
    succeed: Succeed,
    rows: &'static [(Outcome, &'static str)],
    words: &'static str,
}

const D20: &[(Outcome, &str)] = &[(Outcome::Success, "margin 0+"), (Outcome::Failure, "otherwise")];
const TWO_D6: &[(Outcome, &str)] =
    &[(Outcome::Success, "total 10+"), (Outcome::PartialSuccess, "total 7-9"), (Outcome::Failure, "otherwise")];
const FATE: &[(Outcome, &str)] = &[
    (Outcome::CriticalSuccess, "margin 3+"),
    (Outcome::Success, "margin 1+"),
    (Outcome::PartialSuccess, "margin 0"),
    (Outcome::Failure, "otherwise"),
];

impl Style {
    fn of(words: &str, found: &Found) -> Option<Self> {
        let bare = parse_formula(&found.notation).ok()?;
        let sentence = sentence(words, found).to_lowercase();
        let with_modifier = || {
            let named = bare.variables().iter().any(|variable| variable.name == "modifier");
            if named { found.notation.clone() } else { format!("{} + {{modifier}}", found.notation) }
        };
        let margin = Self {
            roll: with_modifier(),
            target: Some("{difficulty}"),
            succeed: Succeed::AtLeast,
            rows: D20,
            words: "margin 0+ is a success",
        };
        let (count, die) = first_dice(&bare)?;
        Some(match (count, die) {
            (_, Die::Percent | Die::Sides(100)) => Self {
                roll: found.notation.clone(),
                target: Some("{skill}"),
                succeed: Succeed::AtMost,
                words: "at most the skill is a success",
                ..margin
            },
            _ if ROLL_UNDER.iter().any(|under| sentence.contains(under)) => Self {
                roll: found.notation.clone(),
                target: Some(if sentence.contains("skill") { "{skill}" } else { "{attribute score}" }),
                succeed: Succeed::AtMost,
                words: "at most the target is a success",
                ..margin
            },
            (2, Die::Sides(6)) => Self {
                target: None,
                rows: TWO_D6,
                words: "10+ is a success, 7-9 a partial one, 6- a failure",
                ..margin
            },
            (4, Die::Fate) => {
                Self { rows: FATE, words: "margin 3+ is a critical success, 1+ a success, 0 a partial one", ..margin }
            }
            (_, Die::Sides(20)) => margin,
            _ if ["against", "difficulty", "target"].iter().any(|word| sentence.contains(word)) => margin,
            _ => Self {
                roll: with_modifier(),
                target: None,
                rows: &[],
                words: "its outcome is for the GM to say",
                ..margin
            },
        })
    }
}

/// Count and kind of the first dice.
fn first_dice(formula: &Formula) -> Option<(i64, Die)> {
    let expression = formula.bind(&mut |_| Some(PROBE)).ok()?;
    Some((expression.main_count(), expression.main_die()?))
}

/// The sentence in which the dice stand.
fn sentence<'a>(words: &'a str, found: &Found) -> &'a str {
    let ends = [". ", "! ", "? "];
    let before = words.get(..found.at.start).unwrap_or_default();
    let start = ends.iter().filter_map(|end| before.rfind(end).map(|at| at + end.len())).max().unwrap_or(0);
    let after = words.get(found.at.end..).unwrap_or_default();
    let end = ends.iter().filter_map(|end| after.find(end)).min().unwrap_or(after.len());
    words.get(start..found.at.end + end).unwrap_or_default()
}

fn prose<'a>(block: &'a Block, ledger: &Ledger<'_>) -> Option<&'a Text> {
    match block {
        Block::Paragraph(text) => Some(text),
        Block::Bullet(Bullet { text, .. }) if !is_other(block, ledger) => Some(text),
        _ => None,
    }
}

fn is_other(block: &Block, ledger: &Ledger<'_>) -> bool {
    let Block::Bullet(bullet) = block else {
        return false;
    };
    labelled(bullet, ledger).is_some_and(|label| OTHER_DICE.contains(&label.folded.as_str()))
}

fn rows(rows: &[(Outcome, &str)], text: &Text, span: Span, ledger: &Ledger<'_>) -> Vec<Row> {
    let row = |(outcome, when): &(Outcome, &str)| {
        Some(Row {
            label: outcome.to_string(),
            canonical: *outcome,
            when: parse_when(when, text)?,
            when_text: (*when).to_owned(),
            text: None,
            moves: Vec::new(),
            damage: None,
            effects: Vec::new(),
            columns: Vec::new(),
            place: ledger.place(span),
            span,
        })
    };
    rows.iter().filter_map(row).collect()
}

fn parse_when(words: &str, origin: &Text) -> Option<When> {
    when::parse(&Text::invented(words, origin.span()), &[]).ok()
}
