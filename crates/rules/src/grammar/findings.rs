//! Findings about a line.

use super::cursor::{Expected, Unread};
use super::names::Names;
use crate::codes;
use crate::section::SectionKind;
use rollbook_text::diagnostic::{Diagnostic, Fix, Span};
use rollbook_text::names::{Slip, shortened, slip};

/// The most things that a finding lists as expected.
const EXPECTED_MAX: usize = 6;
/// An amount may begin with this.
const AMOUNT: Expected = Expected::A("a number");
/// A condition may begin with this.
const OTHERWISE: Expected = Expected::Words("otherwise");
/// The most letters of the author's words in a message.
const SHOWN_MAX: usize = 60;

/// A rule that is not understood.
pub fn not_understood(unread: Unread, names: &Names) -> Diagnostic {
    let Unread {
        span,
        word,
        expected,
    } = unread;
    let message = match word.as_str() {
        "" => "this rule ends too early".to_owned(),
        "`" => "code in backticks is not understood here".to_owned(),
        word => format!("`{}` is not understood", shortened(word, SHOWN_MAX)),
    };
    let finding =
        Diagnostic::error(codes::NOT_UNDERSTOOD, message).at(span, "the rule is not read");
    match names.suggestion(&word) {
        Some(near) => suggested(finding, &word, &near, span),
        None => finding.help(expected_help(&word, &expected)),
    }
}

/// A second rule or thing of a name.
pub fn given_twice(name: &str, span: Span, first: Span) -> Diagnostic {
    let message = format!("`{}` is given twice", shortened(name, SHOWN_MAX));
    let finding = Diagnostic::error(codes::GIVEN_TWICE, message).at(span, "this one is not read");
    let finding = finding
        .and(first, "given here first")
        .help("take one of the two away, or give it another name");
    finding.because("case, accents, spaces, hyphens and underscores make no difference")
}

/// Text that looks like a rule and is none, and what may have been meant.
pub fn not_a_rule(
    label: &str,
    span: Span,
    near: Option<&str>,
    known_in: &[SectionKind],
) -> Diagnostic {
    let message = format!("`{}` is not a rule", shortened(label, SHOWN_MAX));
    let finding = Diagnostic::warning(codes::NOT_A_RULE, message).at(span, "read as prose");
    match near {
        Some(near) => suggested(finding, label, near, span),
        None if !known_in.is_empty() => {
            let names: Vec<&str> = known_in.iter().map(|kind| kind.name()).collect();
            finding.help(format!("it is one below `## {}`", names.join("`, `## ")))
        }
        None => finding.help(
            "`rollbook explain language` has what is one; a paragraph is prose without a word",
        ),
    }
}

/// A table of outcomes where no check is.
pub fn outside_checks(span: Span) -> Diagnostic {
    let message = "a table of outcomes stands where no check is";
    let finding =
        Diagnostic::error(codes::NOT_UNDERSTOOD, message).at(span, "nothing rolls for it");
    finding.help("put it below a check: `### Attempt` below `## Checks`, with its Roll")
}

/// A name that would be read as something else.
pub fn ambiguous_name(name: &str, span: Span, why: &str) -> Diagnostic {
    let message = format!(
        "the name `{}` would be read as something else",
        shortened(name, SHOWN_MAX)
    );
    Diagnostic::error(codes::AMBIGUOUS_NAME, message)
        .at(span, why)
        .help("give it another name")
}

/// Words for people that would be a rule without their emphasis.
pub fn reads_as_rule(words: &str, span: Span) -> Diagnostic {
    let message = format!(
        "`{}` would be a rule without its emphasis",
        shortened(words, SHOWN_MAX)
    );
    let finding = Diagnostic::warning(codes::READS_AS_A_RULE, message)
        .at(span, "words for people, which nobody reads");
    finding.help("what is a rule stands without emphasis, and of an attribute or a skill in its brackets: `- Dodge (DEX, base 20)`")
}

/// Adds the name that was meant, and the edit, which needs no question where the slip is plain.
fn suggested(finding: Diagnostic, written: &str, near: &str, span: Span) -> Diagnostic {
    let finding = finding.help(format!("did you mean `{near}`?"));
    let fix = Fix {
        span,
        replacement: near.to_owned(),
        message: format!("call it `{near}`"),
    };
    match slip(written, near) {
        Some(Slip::Clear | Slip::Number) => finding.fix(fix),
        _ => finding.perhaps(fix),
    }
}

/// What may be at a place. All that an amount may begin with is listed as one thing.
fn expected_help(word: &str, expected: &[Expected]) -> String {
    let is_amount = expected.contains(&AMOUNT);
    if ["+", "-", "*", "/"].contains(&word) && !is_amount {
        return "an expression stands in backticks, with names in braces: `1d20 + {DEX}`"
            .to_owned();
    }
    if word == "(" && expected.contains(&OTHERWISE) {
        return "a condition has no brackets; an expression in backticks has: `(margin >= 0 or natural = 20) and natural <> 1`".to_owned();
    }
    let begins_amount = |what: &Expected| match what {
        Expected::Sign('{' | '(' | '[') => true,
        Expected::A("code in backticks" | "a die" | "a modifier of dice" | "dice") => true,
        what => *what == AMOUNT,
    };
    let others = expected.iter().copied().filter(|what| !begins_amount(what));
    let amount = is_amount.then_some(Expected::A("an amount, such as 3, 1d6 or {Strength}"));
    match others
        .chain(amount)
        .take(EXPECTED_MAX)
        .collect::<Vec<Expected>>()
        .as_slice()
    {
        [] | [Expected::End] => "nothing more may stand here".to_owned(),
        all => format!(
            "here may stand: {}",
            all.iter()
                .map(Expected::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}
