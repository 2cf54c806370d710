use super::entry::lint;
use super::survey::Survey;
use crate::diagnostic::Diagnostic;
use crate::rules::language::checks::Check;

lint!("checks/falls-through", Proof(lint));

fn lint(check: &Check, survey: &Survey, found: &mut Vec<Diagnostic>) {
    let (Some(example), Some(last)) = (&survey.falls, check.rows.last()) else { return };
    let message = format!("the table of `{}` does not say what {example} is", check.name);
    let diagnostic = Diagnostic::warning(LINT.code, message)
        .at(last.span, "no row holds, down to this one")
        .because("where no row holds the outcome is for the GM to say")
        .help("end the table with a row whose When is `otherwise`");
    found.push(survey.looked_at(diagnostic));
}
