//! The bullets of a check beside Roll and Target.

use super::check::{Flag, RESULT, Shift};
use super::count::{Count, Pairs, Weight};
use super::rows;
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::{Slip, fold, slip};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::labels::{Labelled, misspelt};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::number_words::{counted, number_word};
use crate::rules::language::range;
use crate::rules::when::{Named, Quantity};

/// How the label of a natural face begins.
pub const ON_NATURAL: &str = "on natural ";
/// How the label of a flag begins.
pub const FLAG: &str = "flag ";
/// How the label of a value begins.
pub const VALUE: &str = "value ";

/// Reports labels that are nearly those with something of their own in them: `On nat 20`, and a flag without a name.
pub fn report_misspelling(label: &Labelled, ledger: &mut Ledger<'_>) -> bool {
    if ["flag", "flags"].contains(&label.folded.as_str()) {
        let help = "a flag has a name: `- Flag glitch: ones at least dice / 2`";
        ledger.report(misspelt(label, "Flag glitch").help(help));
        return true;
    }
    let bare = ["on a ", "on an ", "on ", "a "].iter().find_map(|opening| label.folded.strip_prefix(opening));
    let (natural, face) = bare.unwrap_or(&label.folded).rsplit_once(' ').unwrap_or_default();
    let is_natural = natural == "nat" || natural == "natural" || slip(natural, "natural") == Some(Slip::Clear);
    if !is_natural || face.parse::<u32>().is_err() {
        return false;
    }
    let meant = format!("On natural {face}");
    let fix = Fix { span: label.label.span(), message: format!("call it `{meant}`"), replacement: meant.clone() };
    let warning = misspelt(label, &meant);
    // Anything else that a natural face may do is no step, and would be an error under its right name.
    let is_step = label.value.as_str().to_ascii_lowercase().contains(" step");
    ledger.report(if is_step { warning.fix(fix) } else { warning.help(NATURAL_HELP) });
    true
}

/// What a natural face can do.
pub const NATURAL_HELP: &str =
    "write `- On natural 20: one step better`, or a row of the table: `| Critical success | natural 20 |`";

/// `6+`, `5 or more`, `6-9 as 1, 10+ as 2`.
pub fn count(label: &Labelled, ledger: &mut Ledger<'_>) -> Option<Count> {
    let mut weights = Vec::new();
    for part in uncoded(&label.value).split_all(&[",", ";", " and "]) {
        let (faces, worth) = match part.split_at_any(&[" as "]) {
            Some((faces, worth)) => {
                let number = range::number(worth.as_str()).filter(|(_, rest)| is_successes(rest));
                (faces, number.map(|(number, _)| number))
            }
            None => (part.clone(), Some(1)),
        };
        if let Some((low, named)) = worth.and(up_to(&faces, ledger)) {
            weights.push(Weight { low, high: i64::MAX, worth: worth?, at_most: Some(named) });
            continue;
        }
        let Some(((low, high), worth)) = range::score(faces.as_str()).or_else(|| face(faces.as_str())).zip(worth)
        else {
            unreadable(
                codes::UNREADABLE_COUNT,
                &part,
                "which faces count cannot be read",
                "write `6+`, or `6-9 as 1, 10+ as 2`; by a number of the sheet `at most {skill} as 1`",
                ledger,
            );
            return None;
        };
        weights.push(Weight { low, high, worth, at_most: None });
    }
    (!weights.is_empty()).then(|| Count { weights, place: ledger.place(label.span) })
}

/// `sixes`, `6s`: one face.
fn face(words: &str) -> Option<(i64, i64)> {
    let lower = words.trim().to_ascii_lowercase();
    let bare = lower.strip_suffix("es").or_else(|| lower.strip_suffix('s')).or_else(|| lower.strip_suffix("'s"));
    let one = |word: &str| word.parse().ok().or_else(|| number_word(word, 1..=20));
    let number = bare.and_then(one).or_else(|| one(lower.strip_suffix('s')?))?;
    Some((number, number))
}

/// `at most {skill}`, `1 to {Focus}`, `{attribute} + {skill} or less`: the lowest face, and what the highest is.
fn up_to(faces: &Text, ledger: &Ledger<'_>) -> Option<(i64, Named)> {
    let lower = faces.as_str().to_ascii_lowercase();
    if !lower.contains('{') {
        return None;
    }
    let (start, low) = match ["at most ", "up to ", "no more than "].iter().find(|own| lower.starts_with(**own)) {
        Some(opening) => (opening.len(), i64::MIN),
        None => match range::number(&lower).map(|(low, rest)| (low, rest.trim_start())) {
            Some((low, rest)) => {
                let rest = ["to ", "-", "\u{2013}"].iter().find_map(|own| rest.strip_prefix(own))?;
                (lower.len() - rest.len(), low)
            }
            None => (0, i64::MIN),
        },
    };
    let end = [" or less", " or lower", " or under"]
        .iter()
        .find_map(|own| lower.strip_suffix(own))
        .map_or(lower.len(), str::len);
    if start == 0 && end == lower.len() {
        return None;
    }
    let what = faces.slice(start..end).trim();
    let name = Text::invented("counted", what.span());
    Named::read(&name, &what, &[], ledger.place(what.span())).ok().map(|named| (low, named))
}

fn is_successes(rest: &str) -> bool {
    matches!(rest.trim(), "" | "success" | "successes")
}

/// `10s add 2`, several with commas between.
pub fn pairs(label: &Labelled, ledger: &mut Ledger<'_>) -> Option<Vec<Pairs>> {
    let mut all = Vec::new();
    for part in uncoded(&label.value).split_all(&[",", ";", " and "]) {
        let words = fold(part.as_str());
        let read = words.split_once(" add ").or_else(|| words.split_once(" adds ")).and_then(|(faces, add)| {
            let (face, rest) = range::number(faces)?;
            let (add, more) = range::number(add)?;
            (rest == "s" && is_successes(more)).then_some((face, add))
        });
        let Some((face, add)) = read else {
            unreadable(codes::UNREADABLE_PAIRS, &part, "these pairs cannot be read", "write `10s add 2`", ledger);
            return None;
        };
        all.push(Pairs { face, add, place: ledger.place(label.span) });
    }
    (!all.is_empty()).then_some(all)
}

/// `On natural 20: one step better`.
pub fn shift(label: &Labelled, ledger: &mut Ledger<'_>) -> Option<Shift> {
    let written = label.label.as_str();
    let faces = range::score(written.get(ON_NATURAL.len()..).unwrap_or_default());
    let value = fold(label.value.as_str());
    let mut words = value.trim_end_matches('.').split(' ');
    let steps = match (words.next(), words.next(), words.next(), words.next()) {
        (Some(many), Some("step" | "steps"), Some(way), None) => steps(many).zip(match way {
            "better" | "up" => Some(1),
            "worse" | "down" => Some(-1),
            _ => None,
        }),
        _ => None,
    };
    let (Some((low, high)), Some((many, way))) = (faces, steps) else {
        let wrong = if faces.is_none() { &label.label } else { &label.value };
        let help = "write `- On natural 20: one step better`, or `one step worse`";
        unreadable(codes::UNREADABLE_STEP, wrong, "what a natural face does cannot be read", help, ledger);
        return None;
    };
    let text = format!("{written}: {}", label.value.as_str());
    Some(Shift { low, high, steps: many * way, text, place: ledger.place(label.span) })
}

fn steps(word: &str) -> Option<i64> {
    counted(word, 1..=3)
}

/// `Flag glitch: ones at least dice / 2`, `Flag stress: ones 1+; after Push`.
pub fn flag(label: &Labelled, values: &[Named], ledger: &mut Ledger<'_>) -> Option<Flag> {
    let name = label.label.slice(FLAG.len()..label.label.as_str().len()).trim();
    let mut parts = label.value.split_all(&[";"]).into_iter();
    let first = parts.next()?;
    let when = rows::condition(&first, (values, None), "until then this flag is for the GM to raise", ledger)?;
    let mut after = None;
    for part in parts {
        let words = part.as_str().trim_end_matches('.');
        let words = ["only ", "Only "].iter().find_map(|only| words.strip_prefix(only)).unwrap_or(words);
        match ["after a ", "after an ", "after "].iter().find_map(|opening| words.strip_prefix(opening)) {
            Some(rule) if after.is_none() => after = Some(rule.trim().to_owned()),
            _ => ledger.left_to_gm(part.span(), "not read as part of this flag, which is raised without it"),
        }
    }
    let (name, when_text) = (name.as_str().to_owned(), label.value.as_str().to_owned());
    Some(Flag { name, when, after, when_text, place: ledger.place(label.span), span: label.span })
}

/// ``Value SL: `floor({target}/10) - floor({total}/10)` ``; `above` are the values that it may name.
pub fn value(label: &Labelled, above: &[Named], ledger: &mut Ledger<'_>) -> Option<Named> {
    let name = label.label.slice(VALUE.len()..label.label.as_str().len()).trim();
    match Named::read(&name, &label.value, above, ledger.place(label.span)) {
        Ok(value) if value.is(RESULT) && value.measures().iter().any(|own| own.quantity == Quantity::Margin) => {
            ledger.report(
                Diagnostic::error(
                    codes::UNREADABLE_VALUE,
                    "the margin is worked out from `Result`, and not the other way round",
                )
                .at(label.value.span(), "names the margin")
                .because("until then the margin is that of the total")
                .help("work it out from the dice: `- Value Result: `highest two``"),
            );
            None
        }
        Ok(value) => Some(value),
        Err(error) => {
            let at = if error.at == (0..0) { name.span() } else { label.value.span_of(error.at) };
            let help =
                error.help.unwrap_or_else(|| "write `- Value SL: `margin / 10``, of what the roll shows".to_owned());
            ledger.report(
                Diagnostic::error(codes::UNREADABLE_VALUE, format!("the value `{}` cannot be read", name.as_str()))
                    .at(at, error.message)
                    .because("until then nobody can ask for it")
                    .help(help),
            );
            None
        }
    }
}

/// A value that is one code span, or as it stands.
fn uncoded(value: &Text) -> Text {
    value
        .codes()
        .into_iter()
        .next()
        .filter(|code| code.as_str() == value.as_str())
        .map_or_else(|| value.clone(), |code| Text::invented(code.as_str(), code.span()))
}

pub fn unreadable(code: &'static str, at: &Text, message: &str, help: &str, ledger: &mut Ledger<'_>) {
    let message = format!("{message}: `{}`", at.as_str());
    let meanwhile = match code {
        codes::UNREADABLE_FOLLOW_UP => "until then the check decides, and nothing can follow its rolls by this rule",
        _ => "until then the outcome of this check is for the GM to say",
    };
    ledger.report(Diagnostic::error(code, message).at(at.span(), "not understood").because(meanwhile).help(help));
}
