//! From what a line says to what the program does with it.

use super::dice::OwnDice;
use super::ledger::{Ledger, Scope, Written};
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::dice::{Formula, parse_formula};
use crate::names::{Slip, fold, same, shortened, slip};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::grammar::finding::{Finding, FindingKind};
use crate::rules::grammar::names::{Names, Thing};
use crate::rules::grammar::tree::Expr;

pub use crate::rules::grammar::expr::{bounds, constant as number};

/// What may stand in a place, as far as it is listed.
const EXPECTED_MAX: usize = 6;
/// What an amount may begin with, where one may stand.
const AMOUNT: &str = "a number";
/// What a condition may begin with, as it is listed.
const OTHERWISE: &str = "`otherwise`";
/// Where words go that are no rule.
const WORDS_FOR_PEOPLE: &str =
    "words for people stand in *emphasis*, as an item of their own between commas, or in a paragraph";
/// Letters of the author's words in a message.
const SHOWN_MAX: usize = 60;

/// Reports what was not understood.
pub fn report(findings: &[Finding], ledger: &mut Ledger<'_>) {
    for found in findings {
        let mut finding = finding(found);
        // Once is enough.
        if finding.code == codes::NOT_UNDERSTOOD && !ledger.diagnostics.iter().any(|own| own.code == finding.code) {
            finding = finding.because(WORDS_FOR_PEOPLE);
        }
        ledger.report(finding);
    }
}

fn finding(found: &Finding) -> Diagnostic {
    match &found.kind {
        FindingKind::NotUnderstood { word, expected, near } => {
            let message = match word.as_str() {
                "" => "this rule ends too early".to_owned(),
                "`" => "code in backticks is not understood here".to_owned(),
                word => format!("`{}` is not understood", shortened(word, SHOWN_MAX)),
            };
            let finding = Diagnostic::error(codes::NOT_UNDERSTOOD, message).at(found.span, "the rule is not read");
            match near {
                Some(near) => {
                    let (replacement, message) = (near.clone(), format!("call it `{near}`"));
                    let fix = Fix { span: found.span, replacement, message };
                    mended(finding.help(format!("did you mean `{near}`?")), word, near, fix)
                }
                None => finding.help(instead(word, expected)),
            }
        }
        FindingKind::GivenTwice { name, first } => twice(name, found.span, *first),
        FindingKind::NotARule { label, near, known_in } => {
            let message = format!("`{}` is not a rule", shortened(label, SHOWN_MAX));
            let finding = Diagnostic::warning(codes::NOT_A_RULE, message).at(found.span, "read as prose");
            match (near.first(), known_in.first()) {
                (Some(near), _) => {
                    let fix = Fix { span: found.span, replacement: near.clone(), message: format!("call it `{near}`") };
                    mended(finding.help(format!("did you mean `{near}`?")), label, near, fix)
                }
                (None, Some(_)) => {
                    let names: Vec<&str> = known_in.iter().map(|kind| kind.name()).collect();
                    finding.help(format!("it is one below `## {}`", names.join("`, `## ")))
                }
                (None, None) => {
                    finding.help("`rollbook explain language` has what is one; a paragraph is prose without a word")
                }
            }
        }
        FindingKind::OutsideChecks => {
            let message = "a table of outcomes stands where no check is";
            let finding = Diagnostic::error(codes::NOT_UNDERSTOOD, message).at(found.span, "nothing rolls for it");
            finding.help("put it below a check: `### Attempt` below `## Checks`, with its Roll")
        }
        FindingKind::Name { name, why } => {
            let message = format!("the name `{}` would be read as something else", shortened(name, SHOWN_MAX));
            Diagnostic::error(codes::AMBIGUOUS_NAME, message).at(found.span, *why).help("give it another name")
        }
        FindingKind::ReadsAsRule { words } => {
            let message = format!("`{}` would be a rule without its emphasis", shortened(words, SHOWN_MAX));
            let finding = Diagnostic::warning(codes::READS_AS_A_RULE, message)
                .at(found.span, "words for people, which nobody reads");
            finding.help("what is a rule stands without emphasis, and of an attribute or a skill in its brackets: `- Dodge (DEX, base 20)`")
        }
    }
}

/// A second rule or thing of a name.
pub fn twice(name: &str, span: Span, first: Span) -> Diagnostic {
    let message = format!("`{}` is given twice", shortened(name, SHOWN_MAX));
    let finding = Diagnostic::error(codes::GIVEN_TWICE, message).at(span, "this one is not read");
    let finding = finding.and(first, "given here first").help("take one of the two away, or give it another name");
    finding.because("case, accents, spaces, hyphens and underscores make no difference")
}

/// What may stand in a place. Whatever an amount may begin with is one thing.
fn instead(word: &str, expected: &[String]) -> String {
    const BEGINNINGS: [&str; 8] =
        ["code in backticks", "`{`", "`(`", "a number", "a die", "a modifier of dice", "dice", "`[`"];
    if ["+", "-", "*", "/"].contains(&word) && !expected.iter().any(|own| own == AMOUNT) {
        return "an expression stands in backticks, with names in braces: `1d20 + {DEX}`".to_owned();
    }
    if word == "(" && expected.iter().any(|own| own == OTHERWISE) {
        return "a condition has no brackets; an expression in backticks has: `(margin >= 0 or natural = 20) and natural <> 1`".to_owned();
    }
    let is_amount = expected.iter().any(|own| own == AMOUNT);
    let others = expected.iter().map(String::as_str).filter(|own| !BEGINNINGS.contains(own));
    let amount = is_amount.then_some("an amount, such as 3, 1d6 or {Strength}");
    match others.chain(amount).take(EXPECTED_MAX).collect::<Vec<&str>>().as_slice() {
        [] | ["the end"] => "nothing more may stand here".to_owned(),
        all => format!("here may stand: {}", all.join(", ")),
    }
}

/// With the edit, which may be made without asking where the slip is plain.
fn mended(finding: Diagnostic, written: &str, meant: &str, fix: Fix) -> Diagnostic {
    match slip(written, meant) {
        Some(Slip::Clear | Slip::Number) => finding.fix(fix),
        _ => finding.perhaps(fix),
    }
}

/// What is said of a rule that is read and that the program cannot carry out; its label says why.
pub const NOT_CARRIED_OUT: &str = "this rule cannot be carried out";

/// A rule that is read and that the program cannot carry out. Nothing is reported where `why` is [`REPORTED`].
pub fn refuse(span: Span, why: &str, instead: &str, ledger: &mut Ledger<'_>) {
    if why == REPORTED {
        return;
    }
    let finding = Diagnostic::error(codes::NOT_UNDERSTOOD, NOT_CARRIED_OUT).at(span, why);
    ledger.report(finding.help(instead));
}

/// Why a rule is left out that names what was declared and could not be read: that is reported already.
pub const REPORTED: &str = "";

/// Why there is no such track.
pub fn no_track(name: &str, names: &Names) -> String {
    match !same(name, "XP") && names.has(name, Thing::Track) {
        true => REPORTED.to_owned(),
        false => format!("no track is called `{name}`"),
    }
}

/// Why something that is read cannot be carried out, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub why: String,
    pub instead: String,
}

impl Refused {
    pub fn new(why: impl Into<String>, instead: impl Into<String>) -> Self {
        Self { why: why.into(), instead: instead.into() }
    }
}

impl<W: Into<String>, I: Into<String>> From<(W, I)> for Refused {
    fn from((why, instead): (W, I)) -> Self {
        Self::new(why, instead)
    }
}

/// What was made of a rule; nothing where it is refused, which is reported.
pub fn reported<T>(made: Result<T, Refused>, span: Span, ledger: &mut Ledger<'_>) -> Option<T> {
    made.map_err(|Refused { why, instead }| refuse(span, &why, &instead, ledger)).ok()
}

/// An expression as it is rolled or worked out; nothing where it cannot be, which is reported.
pub fn formula(own: &Expr, dice: &OwnDice, (span, scope): (Span, Scope), ledger: &mut Ledger<'_>) -> Option<Formula> {
    let made = worked_out(own, dice, (span, scope), ledger);
    reported(made, span, ledger)
}

/// An expression as it is rolled or worked out.
///
/// # Errors
/// Why it cannot be.
pub fn worked_out(
    own: &Expr,
    dice: &OwnDice,
    (span, scope): (Span, Scope),
    ledger: &mut Ledger<'_>,
) -> Result<Formula, Refused> {
    let written = own.in_notation();
    let written = dice.written_out(&written).unwrap_or(written);
    let formula = parse_formula(&written).map_err(|error| {
        let hint = if error.hint.is_empty() { "write it otherwise" } else { error.hint.as_str() };
        Refused::new(error.message.trim_end_matches('.'), hint)
    })?;
    let is_called = |name: &str| scope == Scope::Sheet && ledger.only_called.contains(&fold(name));
    if let Some(own) = formula.variables().into_iter().find(|own| is_called(&own.name)) {
        let why = format!("`{}` has a number in a check, and this is worked out without one", own.name);
        return Err(Refused::new(why, "name what is on the sheet"));
    }
    let text = Text::invented(&written, span);
    ledger.written.push(Written { formula: formula.clone(), text, scope });
    Ok(formula)
}

/// An expression without dice.
///
/// # Errors
/// As [`worked_out`], and where it has any.
pub fn without_dice(
    own: &Expr,
    dice: &OwnDice,
    at: (Span, Scope),
    ledger: &mut Ledger<'_>,
) -> Result<Formula, Refused> {
    let formula = worked_out(own, dice, at, ledger)?;
    if !formula.labelled_dice().is_empty() {
        Err(("this is worked out again and again, so it has no dice", "write a number, or names in braces"))?;
    }
    Ok(formula)
}

/// Whether an expression has no dice and names nothing but this.
pub fn is_over(own: &Formula, name: &str) -> bool {
    own.labelled_dice().is_empty() && own.variables().iter().all(|variable| same(&variable.name, name))
}
