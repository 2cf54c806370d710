use super::conditions::inside;
use super::entry::lint;
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::{Slip, misspellings, slip};
use crate::rules::language::conditions::{Effects, rephrased};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("conditions/unreadable-effect", System(lint));

/// Words of an effect beside the names of a system.
const WORDS: [&str; 8] = ["disadvantage", "advantage", "checks", "check", "rolls", "roll", "tests", "test"];
/// Words of a clause from which on it is a sentence.
const CLAUSE_WORDS_MAX: usize = 12;

/// Tells of a clause that is an effect but for slips of the pen: "disadvantge on cheks".
fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let effects = Effects::of(system);
    let attributes = system.attributes.iter().flat_map(|own| std::iter::once(&own.name).chain(&own.abbr));
    let others = system.skills.iter().map(|own| &own.name).chain(system.checks.iter().map(|own| &own.name));
    let names: Vec<&str> = attributes.chain(others).map(String::as_str).collect();
    for condition in &system.conditions {
        for clause in &condition.left {
            let said_otherwise = || {
                let plain = rephrased(clause)?;
                let mended = mended(&plain, &names).map(|(meant, _)| meant);
                [Some(plain), mended].into_iter().flatten().find(|meant| effects.are(meant)).map(|meant| (meant, false))
            };
            let meant = mended(clause, &names).filter(|(meant, _)| effects.are(meant)).or_else(said_otherwise);
            let Some((meant, sure)) = meant else { continue };
            let at = inside(ledger, condition.span, clause);
            let fix = Fix { span: at, replacement: meant.clone(), message: format!("write `{meant}`") };
            let message = format!("`{}` cannot be read as an effect", crate::names::shortened(clause, 60));
            let diagnostic = Diagnostic::warning(LINT.code, message)
                .at(at, format!("so {} changes nothing here", condition.name))
                .help(format!("did you mean `{meant}`?"));
            ledger.report(if sure && at != condition.span { diagnostic.fix(fix) } else { diagnostic.perhaps(fix) });
        }
    }
}

/// The clause with the words that its own are slips of, and whether nothing else can be meant. None without a slip in a word
/// of the language.
fn mended(clause: &str, names: &[&str]) -> Option<(String, bool)> {
    let words: Vec<&str> = clause.split_whitespace().collect();
    let (mut sure, mut slips) = (true, 0);
    let mut written = Vec::new();
    for word in words.iter().take(CLAUSE_WORDS_MAX) {
        let own = misspellings(word, WORDS.iter().copied());
        let name = misspellings(word, names.iter().copied());
        let known = |all: &[&str]| all.iter().any(|own| own.eq_ignore_ascii_case(word));
        let meant = match (own.first(), name.first()) {
            _ if known(&WORDS) || known(names) => *word,
            (Some(own), _) => {
                slips += 1;
                own
            }
            (None, Some(name)) => name,
            (None, None) => *word,
        };
        sure &= meant == *word || (own.len() + name.len() == 1 && slip(word, meant) == Some(Slip::Clear));
        written.push(meant);
    }
    (slips > 0 && words.len() <= CLAUSE_WORDS_MAX).then(|| (written.join(" "), sure))
}
