//! Makes formulas of the grammar's expressions, and reports what cannot be carried out.

use super::dice::NamedDice;
use super::ledger::{Ledger, Scope, Written};
use crate::codes;
use crate::document::Text;
use crate::grammar::names::{Names, Thing};
use crate::grammar::tree::Expr;
use rollbook_dice::{Formula, parse_formula};
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::{fold, same};

pub use crate::grammar::expr::{bounds, constant as number};
pub use crate::grammar::findings::given_twice;

/// Help: where to write words that are no rule.
const WORDS_FOR_PEOPLE: &str = "words for people stand in *emphasis*, as an item of their own between commas, or in a paragraph";

/// Reports findings. The first rule that is not understood says where words for people go.
pub fn report(findings: &[Diagnostic], ledger: &mut Ledger<'_>) {
    for found in findings {
        let is_first = !ledger
            .diagnostics
            .iter()
            .any(|finding| finding.code == codes::NOT_UNDERSTOOD);
        let finding = found.clone();
        ledger.report(match found.code == codes::NOT_UNDERSTOOD && is_first {
            true => finding.because(WORDS_FOR_PEOPLE),
            false => finding,
        });
    }
}

/// The message about a rule that was read and cannot be carried out; the label says why.
pub const NOT_CARRIED_OUT: &str = "this rule cannot be carried out";

/// Reports a rule that was read and cannot be carried out, unless `why` is [`REPORTED`].
pub fn refuse(span: Span, why: &str, instead: &str, ledger: &mut Ledger<'_>) {
    if why == REPORTED {
        return;
    }
    let finding = Diagnostic::error(codes::NOT_UNDERSTOOD, NOT_CARRIED_OUT).at(span, why);
    ledger.report(finding.help(instead));
}

/// Why a rule is left out that names an unreadable declaration, which is reported already.
pub const REPORTED: &str = "";

/// Why a track is unknown.
pub fn no_track(name: &str, names: &Names) -> String {
    match !same(name, "XP") && names.has(name, &[Thing::Track]) {
        true => REPORTED.to_owned(),
        false => format!("no track is called `{name}`"),
    }
}

/// Why a rule cannot be carried out, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub why: String,
    pub instead: String,
}

impl Refused {
    pub fn new(why: impl Into<String>, instead: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            instead: instead.into(),
        }
    }
}

impl<W: Into<String>, I: Into<String>> From<(W, I)> for Refused {
    fn from((why, instead): (W, I)) -> Self {
        Self::new(why, instead)
    }
}

/// The value, or none after reporting the refusal.
pub fn report_refused<T>(
    made: Result<T, Refused>,
    span: Span,
    ledger: &mut Ledger<'_>,
) -> Option<T> {
    made.map_err(|Refused { why, instead }| refuse(span, &why, &instead, ledger))
        .ok()
}

/// The formula of an expression, or none after reporting why there is none.
pub fn formula(
    expr: &Expr,
    dice: &NamedDice,
    at: (Span, Scope),
    ledger: &mut Ledger<'_>,
) -> Option<Formula> {
    let made = try_formula(expr, dice, at, ledger);
    report_refused(made, at.0, ledger)
}

/// The formula of an expression.
///
/// # Errors
/// Why there is none.
pub fn try_formula(
    expr: &Expr,
    dice: &NamedDice,
    (span, scope): (Span, Scope),
    ledger: &mut Ledger<'_>,
) -> Result<Formula, Refused> {
    let written = expr.in_notation();
    let written = dice.in_notation(&written).unwrap_or(written);
    let formula = parse_formula(&written).map_err(|error| {
        let hint = if error.hint.is_empty() {
            "write it otherwise"
        } else {
            error.hint.as_str()
        };
        Refused::new(error.message.trim_end_matches('.'), hint)
    })?;
    let is_called =
        |name: &str| scope == Scope::Sheet && ledger.check_only_names.contains(&fold(name));
    if let Some(variable) = formula
        .variables()
        .into_iter()
        .find(|variable| is_called(&variable.name))
    {
        let why = format!(
            "`{}` has a number in a check, and this is worked out without one",
            variable.name
        );
        return Err(Refused::new(why, "name what is on the sheet"));
    }
    let text = Text::invented(&written, span);
    ledger.written.push(Written {
        formula: formula.clone(),
        text,
        scope,
    });
    Ok(formula)
}

/// The formula of an expression without dice.
///
/// # Errors
/// As [`try_formula`], and where it has dice.
pub fn formula_without_dice(
    expr: &Expr,
    dice: &NamedDice,
    at: (Span, Scope),
    ledger: &mut Ledger<'_>,
) -> Result<Formula, Refused> {
    let formula = try_formula(expr, dice, at, ledger)?;
    if !formula.labelled_dice().is_empty() {
        Err((
            "this is worked out again and again, so it has no dice",
            "write a number, or names in braces",
        ))?;
    }
    Ok(formula)
}

/// Whether a formula has no dice and no name but this.
pub fn depends_only_on(formula: &Formula, name: &str) -> bool {
    formula.labelled_dice().is_empty()
        && formula
            .variables()
            .iter()
            .all(|variable| same(&variable.name, name))
}
