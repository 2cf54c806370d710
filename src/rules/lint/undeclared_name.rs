use std::collections::HashSet;

use super::conditions::{first, inside, line};
use super::entry::lint;
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::names::{fold, misspellings};
use crate::rules::codes;
use crate::rules::language::attributes::attribute::Attribute;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::names::ATTRIBUTE_WORDS;
use crate::rules::language::system::System;
use crate::rules::when::{Quantity, When};

lint!(codes::UNDECLARED_NAME, System(lint));

/// Names that everything of this scope has.
fn general(scope: Scope) -> Vec<&'static str> {
    match scope {
        Scope::Check => {
            let own = ["skill", "modifier", "difficulty", "attribute", "attribute score", "level"];
            own.into_iter().chain(ATTRIBUTE_WORDS).collect()
        }
        Scope::Character | Scope::Damage | Scope::Attack => vec!["level"],
        Scope::Score => vec!["score"],
    }
}

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let (declared, of_checks) = (declared(system), general(Scope::Check));
    let asked: HashSet<String> = system.checks.iter().flat_map(|own| &own.asks).map(|own| fold(&own.name)).collect();
    let targets: HashSet<String> =
        system.checks.iter().flat_map(|check| check.target_names()).map(|own| fold(&own)).collect();
    let mut reported: HashSet<(String, Scope)> = HashSet::new();
    let mut found = Vec::new();
    for written in &ledger.written {
        for variable in written.formula.variables() {
            let name = fold(&variable.name);
            let general = general(written.scope);
            let known = general.contains(&name.as_str())
                || (written.scope != Scope::Score && declared.contains(&name))
                || (matches!(written.scope, Scope::Check | Scope::Damage | Scope::Attack) && asked.contains(&name))
                || variable.default.is_some();
            let of_target = targets.contains(&name);
            if !known && reported.insert((name, written.scope)) {
                let words = written.text.as_str();
                let at = words.find(&format!("{{{}", variable.name));
                let at = at.map_or(0..words.len(), |at| at + 1..at + 1 + variable.name.len());
                let span = written.text.span_of(at);
                found.push(report((span, &variable.name), (written.scope, of_target), &general, system));
            }
        }
    }
    // The conditions of rows and flags, and values, name variables too.
    for check in &system.checks {
        for (name, _) in check.asked_variables().filter(|(_, default)| default.is_none()) {
            let folded = fold(name);
            let known = of_checks.contains(&folded.as_str()) || declared.contains(&folded);
            let of_target = targets.contains(&folded);
            if known || check.asked(&folded).is_some() || !reported.insert((folded, Scope::Check)) {
                continue;
            }
            let names_it = |when: &When| when.variables().contains(&(name, None));
            let value = check.values.iter().find(|own| own.variables().contains(&(name, None)));
            let in_value = || value.and_then(|own| line(ledger.sources, &own.place));
            let place = first(check, ledger, names_it).or_else(in_value).unwrap_or(check.span);
            let span = inside(ledger, place, name);
            found.push(report((span, name), (Scope::Check, of_target), &of_checks, system));
        }
    }
    for diagnostic in found {
        ledger.report(diagnostic);
    }
}

/// `of_target`: whether a Target names it, too.
fn report(
    (span, name): (Span, &str),
    (scope, of_target): (Scope, bool),
    general: &[&str],
    system: &System,
) -> Diagnostic {
    let message = format!("nothing is called `{name}` in the rules");
    let own: Vec<&str> = if scope == Scope::Score { Vec::new() } else { names(system).collect() };
    let folded = fold(name);
    let bare = [" modifier", " mod", " bonus", " value"].iter().find_map(|suffix| folded.strip_suffix(suffix));
    if let Some(own) = bare.and_then(|bare| names(system).find(|own| fold(own) == bare)) {
        let fix = Fix { span, replacement: own.to_owned(), message: format!("name `{own}`") };
        return Diagnostic::warning(codes::UNDECLARED_NAME, message)
            .at(span, "not declared")
            .help(format!("`{{{own}}}` is what it adds, `{{{own} score}}` the score"))
            .perhaps(fix);
    }
    let suggestions = misspellings(name, own.into_iter().chain(general.iter().copied()));
    if let Some(known) = suggestions.first() {
        let warning = Diagnostic::warning(codes::UNDECLARED_NAME, message)
            .at(span, "not declared")
            .help(format!("did you mean `{{{known}}}`?"));
        let fix = Fix { span, replacement: (*known).to_owned(), message: format!("name `{known}`") };
        // A check's name may come from the call, so nobody but the author knows that it does not.
        let sure = suggestions.len() == 1 && scope != Scope::Check;
        return if sure { warning.fix(fix) } else { warning.perhaps(fix) };
    }
    if let [meant] = abbreviated(name, system).as_slice()
        && scope != Scope::Score
    {
        let fix = Fix { span, replacement: (*meant).to_owned(), message: format!("name `{meant}`") };
        return Diagnostic::warning(codes::UNDECLARED_NAME, message)
            .at(span, "not declared")
            .help(format!("did you mean `{{{meant}}}`?"))
            .perhaps(fix);
    }
    match scope {
        Scope::Check if of_target => Diagnostic::note(codes::UNDECLARED_NAME, message)
            .at(span, "the target's sheet or each call has to give it")
            .help(format!("where each sheet has it, say what those have whose sheet has none: `- {name}: 10` under Combat, or `{{{name}=10}}`; where each call gives it: `- Asks: {name} 1 to 10`")),
        Scope::Check => Diagnostic::note(codes::UNDECLARED_NAME, message)
            .at(span, "each call has to give it")
            .help(format!("where each call gives it, say so in the check: `- Asks: {name} 1 to 10`; or give it a default: `{{{name}=0}}`")),
        Scope::Damage if Quantity::named(&folded).is_some() => Diagnostic::warning(codes::UNDECLARED_NAME, message)
            .at(span, "a quantity of the roll has no value here")
            .help(format!("give it a name in the check, `- Value over: `{name}``, and write `{{over}}` here")),
        Scope::Attack if let Some(check) = system.checks.iter().find(|own| own.values.iter().any(|own| own.is(name))) => {
            Diagnostic::warning(codes::UNDECLARED_NAME, message)
                .at(span, "a value of a check is known only when its dice have fallen")
                .help(format!(
                    "leave it out here, and add it in the column Damage of `{}`: as points `{{damage}} + {{{name}}}`, as dice `{{damage}} + {{{name}}}d6`",
                    check.name
                ))
        }
        Scope::Character | Scope::Damage | Scope::Attack if system.attributes.is_empty() => Diagnostic::note(codes::UNDECLARED_NAME, message)
            .at(span, "each character has to bring it")
            .help("declare it under Attributes"),
        Scope::Character | Scope::Damage | Scope::Attack => Diagnostic::warning(codes::UNDECLARED_NAME, message)
            .at(span, "not declared")
            .help("declare it under Attributes"),
        Scope::Score => Diagnostic::warning(codes::UNDECLARED_NAME, message)
            .at(span, "a Modifier knows the score alone")
            .help("write `{score}`"),
    }
}

/// Letters from which on the beginning of a declared name is a short form of it.
const BEGINNING_MIN: usize = 3;

/// The attributes of which a name may be another short form: `DX` for `DEX`, `Dext` for Dexterity.
fn abbreviated<'s>(name: &str, system: &'s System) -> Vec<&'s str> {
    let folded = fold(name);
    let short = |own: &&Attribute| {
        let long = fold(&own.name);
        let begins = folded.len() >= BEGINNING_MIN && long.starts_with(&folded);
        let drops = |abbr: &String| is_shortened(&folded, &fold(abbr));
        begins || own.abbr.as_ref().is_some_and(drops)
    };
    system.attributes.iter().filter(short).map(Attribute::short).collect()
}

/// Whether a word is another one of three or four letters with one of them left out behind the first: `DX`, `ST`.
fn is_shortened(word: &str, whole: &str) -> bool {
    let (word, whole): (Vec<char>, Vec<char>) = (word.chars().collect(), whole.chars().collect());
    let left_out = |at: usize| whole.iter().enumerate().filter(move |(own, _)| *own != at).map(|(_, letter)| *letter);
    (3..=4).contains(&whole.len())
        && word.len() + 1 == whole.len()
        && (1..whole.len()).any(|at| left_out(at).eq(word.iter().copied()))
}

fn declared(system: &System) -> HashSet<String> {
    let scores = system
        .attributes
        .iter()
        .flat_map(|own| std::iter::once(&own.name).chain(&own.abbr).map(|name| format!("{} score", fold(name))));
    names(system).map(fold).chain(scores).collect()
}

fn names(system: &System) -> impl Iterator<Item = &str> {
    let attributes = system.attributes.iter().flat_map(|own| std::iter::once(&own.name).chain(&own.abbr));
    let skills = system.skills.iter().map(|own| &own.name);
    let tracks = system.tracks.iter().map(|own| &own.name);
    let stated = system.stated.iter().map(|own| &own.name);
    let shared = system.company.iter().flat_map(|company| &company.tracks).map(|own| &own.name);
    attributes.chain(skills).chain(tracks).chain(stated).chain(shared).map(String::as_str)
}
