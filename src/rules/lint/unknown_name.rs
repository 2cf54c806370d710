use super::conditions::inside;
use super::entry::lint;
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::{fold, misspellings};
use crate::rules::codes;
use crate::rules::language::conditions::{ConditionRule, Effects, is_effect_like, rephrased};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::range;
use crate::rules::language::system::System;

lint!("conditions/unknown-name", System(lint));

/// Words around the name in a clause that changes something: "disadvantage on Stelth checks", "-2 to STG".
const AROUND: [&str; 10] = ["disadvantage", "advantage", "on", "to", "all", "checks", "rolls", "tests", "per", "level"];

/// Words of a name.
const NAME_WORDS_MAX: usize = 3;

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let attributes = system.attributes.iter().flat_map(|own| std::iter::once(&own.name).chain(&own.abbr));
    let others = system.skills.iter().map(|own| &own.name).chain(system.checks.iter().map(|own| &own.name));
    let known: Vec<&str> = attributes.chain(others).map(String::as_str).collect();
    let effects = Effects::of(system);
    // Reported as an effect that is said in another way.
    let is_reported = |clause: &String| rephrased(clause).is_some_and(|meant| effects.are(&meant));
    for condition in &system.conditions {
        for clause in condition.left.iter().filter(|clause| is_effect_like(clause) && !is_reported(clause)) {
            let name = bare(clause);
            let suggestions = misspellings(&name, known.iter().copied());
            let Some(meant) = suggestions.first().filter(|_| !name.is_empty()) else {
                let finding = unheard(clause, &name, condition, ledger);
                ledger.report(finding);
                continue;
            };
            let at = inside(ledger, condition.span, &name);
            let fix = Fix { span: at, replacement: (*meant).to_owned(), message: format!("call it `{meant}`") };
            let diagnostic = Diagnostic::warning(LINT.code, format!("nothing is called `{name}` in the rules"))
                .at(at, format!("so {} changes nothing here", condition.name))
                .help(format!("did you mean `{meant}`?"));
            ledger.report(if suggestions.len() == 1 && at != condition.span {
                diagnostic.fix(fix)
            } else {
                diagnostic.perhaps(fix)
            });
        }
    }
}

/// A name to which none is similar: a skill that was never declared, or words that are the GM's.
fn unheard(clause: &str, name: &str, condition: &ConditionRule, ledger: &Ledger<'_>) -> Diagnostic {
    let at = inside(ledger, condition.span, name);
    if ["tn", "tns", "dc", "dcs", "target number", "target numbers", "difficulty", "difficulties"]
        .contains(&fold(name).as_str())
        && let Some((number, _)) = range::number(clause.trim())
    {
        return Diagnostic::warning(LINT.code, format!("nothing is called `{name}` in the rules"))
            .at(at, format!("so {} changes nothing here", condition.name))
            .help(format!(
                "what makes checks harder is written as what it takes off the roll: `{:+} on checks`",
                -number
            ));
    }
    let words = name.split_whitespace().count();
    let is_name = (1..=NAME_WORDS_MAX).contains(&words)
        && name.split_whitespace().all(|word| word.starts_with(char::is_uppercase));
    if is_name {
        return Diagnostic::warning(LINT.code, format!("nothing is called `{name}` in the rules"))
            .at(at, format!("so {} changes nothing here", condition.name))
            .help(format!(
                "declare it under Skills (`- {name}`), or name an attribute, a skill or a check that there is"
            ));
    }
    let at = inside(ledger, condition.span, clause);
    Diagnostic::note(codes::LEFT_TO_GM, "part of this is left to the GM")
        .at(at, "characters have the condition; this part of it is the GM's to apply")
}

/// The clause without the words around the name.
fn bare(clause: &str) -> String {
    let words = clause.trim().trim_end_matches('.').split_whitespace();
    let words = words.filter(|word| {
        let number = word.trim_start_matches(['+', '-', '\u{2212}']).parse::<i64>().is_ok();
        !number && !AROUND.contains(&word.to_lowercase().as_str())
    });
    words.collect::<Vec<_>>().join(" ")
}
