#![doc = include_str!("../explained/checks/cannot-be-rolled.md")]

use super::survey::Survey;
use crate::diagnostic::Diagnostic;
use crate::rules::check::Check;
use crate::rules::codes;

pub(super) fn lint(check: &Check, survey: &Survey, found: &mut Vec<Diagnostic>) {
    let Some(why) = &survey.refused else { return };
    let diagnostic =
        Diagnostic::warning(codes::CANNOT_BE_ROLLED, format!("the check `{}` cannot be rolled", check.name))
            .at(check.span, "every call of it is refused")
            .because(why.clone());
    found.push(super::looked_at(diagnostic, survey));
}
