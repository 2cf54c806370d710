use super::entry::lint;
use super::survey::Survey;
use super::unreachable_row::never_fails;
use crate::diagnostic::Diagnostic;
use crate::rules::language::checks::Check;

lint!("checks/always-succeeds", Proof(lint));

fn lint(check: &Check, survey: &Survey, found: &mut Vec<Diagnostic>) {
    if !survey.proven || !never_fails(check, survey) {
        return;
    }
    let message = format!("the check `{}` always succeeds", check.name);
    let mut diagnostic = Diagnostic::warning(LINT.code, message).at(check.span, "whatever is rolled");
    for row in check.rows.iter().filter(|row| !row.canonical.is_success()) {
        diagnostic = diagnostic.and(row.span, "never wins");
    }
    let help = "compare what is rolled with the target and the rows: which numbers can the dice come to?";
    found.push(survey.looked_at(diagnostic.help(help)));
}
