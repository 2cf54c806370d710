//! The check of a file without one: what a sentence says that is read whole, and what its kind of dice has by custom.

use super::check::{Check, PROBE, Row};
use super::outcome::Outcome;
use crate::diagnostic::Span;
use crate::dice::{Die, Formula, parse_formula};
use crate::rules::document::{Block, Text};
use crate::rules::grammar::condition::condition;
use crate::rules::grammar::cursor::Cursor;
use crate::rules::grammar::names::Names;
use crate::rules::grammar::sentence::{self, Roll};
use crate::rules::language::ledger::{Ledger, Scope, Written};
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;
use crate::rules::when::facts::Succeed;
use crate::rules::when::{Lower, When};

/// What to write where a sentence is not read.
const HELP: &str = "write it as `Roll 1d20 + modifiers against a difficulty` (modifiers, attribute, skill or a declared name), or as a check: a level-3 \
                    heading under `## Checks`, below it ``- Roll: `1d20 + {modifier}` `` and `- Target: {difficulty}`";

/// The check that the first sentence of Dice, Checks or Combat says, whole. What begins with Roll and is not read is told.
///
/// A d20 is rolled against a difficulty; 2d6 without one reads 10+, 7-9, 6-; 4dF reads margin 3+, 1+, 0; d% alone reads at most the
/// skill. Other dice without a difficulty have no outcome.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Option<Check> {
    let kinds = [SectionKind::Dice, SectionKind::Checks, SectionKind::Combat];
    let blocks = kinds.into_iter().flat_map(|kind| outline.blocks(kind));
    let prose = blocks.filter_map(|block| if let Block::Paragraph(text) = block { Some(text) } else { None });
    let mut found = None;
    for own in prose.flat_map(sentence::sentences) {
        let Some(read) = sentence::roll(&own, &system.names) else { continue };
        let style = read.as_ref().ok().and_then(Style::of);
        match (style, &found) {
            (Some(style), None) => found = Some((own, style)),
            (Some(_), Some(_)) => ledger.overlooked(own.span(), "not read: the first such sentence counts", HELP),
            (None, _) => {
                let span = read.err().map_or(own.span(), |unread| unread.span);
                ledger.overlooked(span, sentence::NOT_WHOLE, HELP);
            }
        }
    }
    let (text, style) = found?;
    let span = text.span();
    let roll = parse_formula(&style.roll).ok()?;
    let target = style.target.map(parse_formula).and_then(Result::ok);
    for formula in std::iter::once(&roll).chain(&target) {
        ledger.written.push(Written { formula: formula.clone(), text: text.clone(), scope: Scope::Check });
    }
    let check = Check {
        target,
        succeed: style.succeed,
        rows: rows(style.rows, &text, span, ledger),
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
    /// `None` where the dice and what they are rolled against do not go together: nobody knows which way a d% goes against a difficulty.
    fn of(read: &Roll) -> Option<Self> {
        let (count, die) = first_dice(&parse_formula(&read.notation).ok()?)?;
        let margin = Self {
            roll: read.notation.clone(),
            target: Some("{difficulty}"),
            succeed: Succeed::AtLeast,
            rows: D20,
            words: "margin 0+ is a success",
        };
        Some(match (count, die) {
            (_, Die::Percent | Die::Sides(100)) if read.adds || read.against => return None,
            (_, Die::Percent | Die::Sides(100)) => Self {
                target: Some("{skill}"),
                succeed: Succeed::AtMost,
                words: "at most the skill is a success",
                ..margin
            },
            (4, Die::Fate) => {
                Self { rows: FATE, words: "margin 3+ is a critical success, 1+ a success, 0 a partial one", ..margin }
            }
            (_, Die::Sides(20)) => margin,
            _ if read.against => margin,
            (2, Die::Sides(6)) => Self {
                target: None,
                rows: TWO_D6,
                words: "10+ is a success, 7-9 a partial one, 6- a failure",
                ..margin
            },
            _ => Self { target: None, rows: &[], words: "its outcome is for the GM to say", ..margin },
        })
    }
}

/// Count and kind of the first dice.
fn first_dice(formula: &Formula) -> Option<(i64, Die)> {
    let expression = formula.bind(&mut |_| Some(PROBE)).ok()?;
    Some((expression.main_count(), expression.main_die()?))
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
            place: ledger.place(span),
            span,
        })
    };
    rows.iter().filter_map(row).collect()
}

fn parse_when(words: &str, origin: &Text) -> Option<When> {
    let text = Text::invented(words, origin.span());
    let read = Cursor::new(&text, &Names::new()).whole(condition).ok()?;
    Lower { values: &[], letter: &|_| None }.when(&read).ok()
}
