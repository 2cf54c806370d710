use std::collections::HashSet;

use super::entry::lint;
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::names::{fold, misspellings};
use crate::rules::codes;
use crate::rules::language::attributes::attribute::Attribute;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::system::System;

lint!(codes::UNDECLARED_NAME, System(lint));

/// Names that everything has which is worked out before a roll.
const GENERAL: [&str; 1] = ["level"];

/// What tracks, rests and attacks name. What a closed section says was matched with what is declared when it was read.
fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let declared = declared(system);
    let asked: HashSet<String> = system.checks.iter().flat_map(|own| &own.asks).map(|own| fold(&own.name)).collect();
    let mut reported: HashSet<(String, Scope)> = HashSet::new();
    let mut found = Vec::new();
    for written in ledger.written.iter().filter(|own| matches!(own.scope, Scope::Character | Scope::Attack)) {
        for variable in written.formula.variables() {
            let name = fold(&variable.name);
            let known = GENERAL.contains(&name.as_str())
                || declared.contains(&name)
                || (written.scope == Scope::Attack && asked.contains(&name))
                || variable.default.is_some();
            if !known && reported.insert((name, written.scope)) {
                let words = written.text.as_str();
                let at = words.find(&format!("{{{}", variable.name));
                let at = at.map_or(0..words.len(), |at| at + 1..at + 1 + variable.name.len());
                found.push(report((written.text.span_of(at), &variable.name), written.scope, system));
            }
        }
    }
    for diagnostic in found {
        ledger.report(diagnostic);
    }
}

fn report((span, name): (Span, &str), scope: Scope, system: &System) -> Diagnostic {
    let message = format!("nothing is called `{name}` in the rules");
    let folded = fold(name);
    let bare = [" modifier", " mod", " bonus", " value"].iter().find_map(|suffix| folded.strip_suffix(suffix));
    if let Some(own) = bare.and_then(|bare| names(system).find(|own| fold(own) == bare)) {
        let fix = Fix { span, replacement: own.to_owned(), message: format!("name `{own}`") };
        return Diagnostic::warning(codes::UNDECLARED_NAME, message)
            .at(span, "not declared")
            .help(format!("`{{{own}}}` is what it adds, `{{{own} score}}` the score"))
            .perhaps(fix);
    }
    let suggestions = misspellings(name, names(system).chain(GENERAL));
    if let Some(known) = suggestions.first() {
        let warning = Diagnostic::warning(codes::UNDECLARED_NAME, message)
            .at(span, "not declared")
            .help(format!("did you mean `{{{known}}}`?"));
        let fix = Fix { span, replacement: (*known).to_owned(), message: format!("name `{known}`") };
        return if suggestions.len() == 1 { warning.fix(fix) } else { warning.perhaps(fix) };
    }
    if let [meant] = abbreviated(name, system).as_slice() {
        let fix = Fix { span, replacement: (*meant).to_owned(), message: format!("name `{meant}`") };
        return Diagnostic::warning(codes::UNDECLARED_NAME, message)
            .at(span, "not declared")
            .help(format!("did you mean `{{{meant}}}`?"))
            .perhaps(fix);
    }
    let value = system.checks.iter().find(|own| own.values.iter().any(|own| own.is(name)));
    match value.filter(|_| scope == Scope::Attack) {
        Some(check) => Diagnostic::warning(codes::UNDECLARED_NAME, message)
            .at(span, "a value of a check is known only when its dice have fallen")
            .help(format!(
                "leave it out here, and add it in the column Damage of `{}`: as points ``{{damage}} + {{{name}}}``, as dice `{{damage}} + {{{name}}}d6`",
                check.name
            )),
        None if system.attributes.is_empty() => Diagnostic::note(codes::UNDECLARED_NAME, message)
            .at(span, "each character has to bring it")
            .help("declare it under Attributes"),
        None => Diagnostic::warning(codes::UNDECLARED_NAME, message)
            .at(span, "not declared")
            .help("declare it under Attributes"),
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
    let shared = system.company.iter().flat_map(|company| &company.tracks).map(|own| &own.name);
    attributes.chain(skills).chain(tracks).chain(shared).map(String::as_str)
}
