#![doc = include_str!("../explained/checks/falls-through.md")]

use super::survey::Survey;
use crate::diagnostic::Diagnostic;
use crate::rules::check::Check;
use crate::rules::codes;

pub(super) fn lint(check: &Check, survey: &Survey, found: &mut Vec<Diagnostic>) {
    let (Some(example), Some(last)) = (&survey.falls, check.rows.last()) else { return };
    let message = format!("the table of `{}` does not say what {example} is", check.name);
    let diagnostic = Diagnostic::warning(codes::FALLS_THROUGH, message)
        .at(last.span, "no row holds, down to this one")
        .because("where no row holds the outcome is for the GM to say")
        .help("end the table with a row whose When is `otherwise`");
    found.push(super::looked_at(diagnostic, survey));
}
