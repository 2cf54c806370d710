use super::entry::lint;
use super::survey::Survey;
use crate::diagnostic::Diagnostic;
use crate::rules::language::checks::Check;

lint!("checks/cannot-be-rolled", Refused(lint));

fn lint(check: &Check, survey: &Survey, found: &mut Vec<Diagnostic>) {
    if let Some((at, why)) = &survey.refused_at {
        let message = format!("the check `{}` cannot be rolled with {at}", check.name);
        let diagnostic = Diagnostic::warning(LINT.code, message)
            .at(check.span, "every call of it with that score is refused")
            .because(why.clone())
            .help("let the Range of that score end where it can be rolled, or let the Roll ask for fewer dice");
        return found.push(diagnostic);
    }
    let Some(why) = &survey.refused else { return };
    let message = match survey.left_at.as_slice() {
        [] => format!("the check `{}` cannot be rolled", check.name),
        _ => format!("the check `{}` cannot be rolled with its defaults", check.name),
    };
    let at = match (survey.left_at.as_slice(), survey.names.as_slice()) {
        ([], []) => "every call of it is refused".to_owned(),
        ([], _) => "refused with every value that was looked at".to_owned(),
        (defaults, _) => format!("every call that leaves {} is refused", defaults.join(" and ")),
    };
    let diagnostic = Diagnostic::warning(LINT.code, message).at(check.span, at).because(why.clone());
    found.push(survey.looked_at(diagnostic));
}
