#![doc = include_str!("../explained/checks/always-succeeds.md")]

use super::survey::Survey;
use super::unreachable_row::never_fails;
use crate::diagnostic::Diagnostic;
use crate::rules::check::Check;
use crate::rules::codes;

pub(super) fn lint(check: &Check, survey: &Survey, found: &mut Vec<Diagnostic>) {
    if !survey.proven || !never_fails(check, survey) {
        return;
    }
    let message = format!("the check `{}` always succeeds", check.name);
    let mut diagnostic = Diagnostic::warning(codes::ALWAYS_SUCCEEDS, message).at(check.span, "whatever is rolled");
    for row in check.rows.iter().filter(|row| !row.canonical.is_success()) {
        diagnostic = diagnostic.and(row.span, "never wins");
    }
    let help = "compare what is rolled with the target and the rows: which numbers can the dice come to?";
    found.push(super::looked_at(diagnostic.help(help), survey));
}
