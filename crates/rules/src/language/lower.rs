//! From what a line says to what the program does with it.

use super::dice::OwnDice;
use super::ledger::{Ledger, Scope, Written};
use crate::codes;
use crate::document::Text;
use crate::grammar::names::{Names, Thing};
use crate::grammar::tree::Expr;
use rollbook_dice::{Formula, parse_formula};
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::{fold, same};

pub use crate::grammar::expr::{bounds, constant as number};
pub use crate::grammar::finding::twice;

/// Where words go that are no rule.
const WORDS_FOR_PEOPLE: &str =
    "words for people stand in *emphasis*, as an item of their own between commas, or in a paragraph";
/// Reports what was found in lines.
pub fn report(findings: &[Diagnostic], ledger: &mut Ledger<'_>) {
    for found in findings {
        // Once is enough.
        let is_first = !ledger.diagnostics.iter().any(|own| own.code == codes::NOT_UNDERSTOOD);
        let finding = found.clone();
        ledger.report(match found.code == codes::NOT_UNDERSTOOD && is_first {
            true => finding.because(WORDS_FOR_PEOPLE),
            false => finding,
        });
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
    match !same(name, "XP") && names.has(name, &[Thing::Track]) {
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
