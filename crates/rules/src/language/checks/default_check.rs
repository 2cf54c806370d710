//! The check of a file without one: made of a sentence, and of what is customary for its dice.

use super::check::{Check, PROBE};
use super::stated::{self, HEADER};
use crate::grammar::sentence::{self, Roll};
use crate::language::ledger::{Ledger, Scope, Written};
use crate::language::outline::Outline;
use crate::language::system::System;
use crate::section::SectionKind;
use rollbook_dice::{Die, Formula, parse_formula};

/// Help where a sentence is not read.
const HELP: &str = "write it as `Roll 1d20 + modifiers against a difficulty` (modifiers, attribute, skill or a declared name), or as a check: a level-3 \
                    heading under `## Checks`, below it ``- Roll: `1d20 + {modifier}` `` and `- Target: {difficulty}`";

/// The check in the first sentence of Dice, Checks or Combat. An unread `Roll …` is reported.
///
/// A d20 is rolled against a difficulty; 2d6 without one reads 10+, 7-9, 6-; 4dF reads margin 3+,
/// 1+, 0; d% alone reads at most the skill. Other dice without a difficulty have no outcome.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Option<Check> {
    let kinds = [SectionKind::Dice, SectionKind::Checks, SectionKind::Combat];
    let prose = kinds.into_iter().flat_map(|kind| outline.paragraphs(kind));
    let mut found = None;
    for sentence in prose.flat_map(sentence::sentences) {
        let Some(read) = sentence::roll(&sentence, &system.names) else {
            continue;
        };
        let meant = read
            .as_ref()
            .ok()
            .and_then(|read| Some((read.notation.clone(), custom(read)?)));
        match (meant, &found) {
            (Some(meant), None) => found = Some((sentence, meant)),
            (Some(_), Some(_)) => ledger.overlooked(
                sentence.span(),
                "not read: the first such sentence counts",
                HELP,
            ),
            (None, _) => {
                let span = read.err().map_or(sentence.span(), |unread| unread.span);
                ledger.overlooked(span, sentence::NOT_WHOLE, HELP);
            }
        }
    }
    let (text, (notation, custom)) = found?;
    let (place, span) = (ledger.place(text.span()), text.span());
    let written = format!(
        "## Checks\n### Check\n- Roll: `{notation}`\n{}\n{HEADER}{}",
        custom.target, custom.rows
    );
    let (check, _) = stated::written(
        &written,
        system.names.clone(),
        system,
        (place.clone(), span),
    )
    .ok()?;
    for formula in std::iter::once(&check.roll).chain(&check.target) {
        ledger.written.push(Written {
            formula: formula.clone(),
            text: text.clone(),
            scope: Scope::Check,
        });
    }
    let target = check
        .target
        .as_ref()
        .map(|target| format!(" against {target}"))
        .unwrap_or_default();
    let text = format!(
        "the check is {}{target}: {}; to have it otherwise write it under `## Checks`",
        check.roll, custom.words
    );
    ledger.assume(text, Some(place));
    Some(Check {
        assumed: true,
        ..check
    })
}

/// The customary target and rows of a kind of dice, as rules and in words.
struct Custom {
    target: &'static str,
    rows: &'static str,
    words: &'static str,
}

const MARGIN: Custom = Custom {
    target: "- Target: {difficulty}",
    rows: "| success | margin 0+ |\n| failure | otherwise |",
    words: "margin 0+ is a success",
};
const PERCENT: Custom = Custom {
    target: "- Target: {skill} or less",
    words: "at most the skill is a success",
    ..MARGIN
};
const FATE: Custom = Custom {
    rows: "| critical success | margin 3+ |\n| success | margin 1+ |\n| partial success | margin 0 |\n| failure | otherwise |",
    words: "margin 3+ is a critical success, 1+ a success, 0 a partial one",
    ..MARGIN
};
const TWO_D6: Custom = Custom {
    target: "",
    rows: "| success | total 10+ |\n| partial success | total 7-9 |\n| failure | otherwise |",
    words: "10+ is a success, 7-9 a partial one, 6- a failure",
};
const OPEN: Custom = Custom {
    target: "",
    rows: "",
    words: "its outcome is for the GM to say",
};

/// `None` where dice and sentence do not fit: a d% may be meant to be above or below a difficulty.
fn custom(read: &Roll) -> Option<Custom> {
    Some(match first_dice(&parse_formula(&read.notation).ok()?)? {
        (_, Die::Percent | Die::Sides(100)) if read.adds || read.against => return None,
        (_, Die::Percent | Die::Sides(100)) => PERCENT,
        (4, Die::Fate) => FATE,
        (_, Die::Sides(20)) => MARGIN,
        _ if read.against => MARGIN,
        (2, Die::Sides(6)) => TWO_D6,
        _ => OPEN,
    })
}

/// Count and kind of the first dice.
fn first_dice(formula: &Formula) -> Option<(i64, Die)> {
    let expression = formula.bind(&mut |_| Some(PROBE)).ok()?;
    Some((expression.main_count(), expression.main_die()?))
}
