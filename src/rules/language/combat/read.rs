//! Reads who acts when: a bullet of the Combat section, else its sentence.

use super::initiative::{Alternative, Initiative, InitiativeKind, InitiativeWhen, TieBreak};
use super::round;
use super::structure::{Structure, StructureKind, Structures};
use super::structure_words;
use crate::diagnostic::{Diagnostic, Span};
use crate::dice::{Formula, parse_formula};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::grammar::sentence;
use crate::rules::language::checks::main_die;
use crate::rules::language::declaration::bracketed;
use crate::rules::language::labels::{Labelled, labelled, report_misspelt, report_repeated};
use crate::rules::language::ledger::{Ledger, Scope, Written};
use crate::rules::language::names::{Names, declared};
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::language::{formula, plain};
use crate::rules::section::SectionKind;

/// The labels that the section knows.
pub const LABELS: [&str; 5] = ["Initiative", "Combat", "Ties", "Held effects", "Round"];

/// What says that foes of a kind roll once.
const BY_KIND: [&str; 6] = ["by kind", "per kind", "a kind", "each kind", "every kind", "per group of foes"];

/// Reads the initiative rule and whether fights have turns: bullets, else the sentence that says both, else the default.
pub fn read(
    outline: &Outline<'_>,
    names: &Names,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> (Initiative, Structures) {
    let mut structures: Option<(Structures, Span)> = None;
    let mut bullet: Option<(Initiative, Span)> = None;
    let mut ties: Option<(Vec<TieBreak>, Span)> = None;
    for found in outline.bullets(SectionKind::Combat) {
        let Some(label) = labelled(found, ledger) else {
            continue;
        };
        if ["initiative", "combat", "ties", "tie"].contains(&label.folded.as_str()) {
            ledger.take(label.span);
        }
        match label.folded.as_str() {
            "initiative" => match &bullet {
                Some((_, first)) => report_repeated(&label, *first, ledger),
                None => bullet = Some((from_bullet(&label, names, system, ledger), label.span)),
            },
            "combat" => match &structures {
                Some((_, first)) => report_repeated(&label, *first, ledger),
                None => structures = Some((structure_words::from_bullet(&label, ledger), label.span)),
            },
            "ties" | "tie" => match &ties {
                Some((_, first)) => report_repeated(&label, *first, ledger),
                None => ties = Some((tie_breaks(&label, system, ledger), label.span)),
            },
            // See [`super::held_effects`].
            "held effects" => {}
            label if round::is_round(label) => {}
            _ => drop(report_misspelt(&label, &LABELS, ledger)),
        }
    }
    let said = if bullet.is_none() { from_sentence(outline, system, ledger) } else { None };
    let (said, turns) = said.map_or((None, None), |(initiative, structures)| (Some(initiative), Some(structures)));
    let mut initiative = bullet.map(|(initiative, _)| initiative).or(said).unwrap_or_default();
    if let Some((breaks, span)) = ties {
        initiative.ties = breaks;
        initiative.ties_place = Some(ledger.place(span));
    }
    let structures = structures.map(|(structures, _)| structures).or(turns).unwrap_or_default();
    (initiative, structures)
}

fn from_bullet(label: &Labelled, names: &Names, system: &System, ledger: &mut Ledger<'_>) -> Initiative {
    let words = fold(label.value.as_str());
    let mut initiative = Initiative { place: Some(ledger.place(label.span)), assumed: false, ..Initiative::default() };
    order_and_frequency(&words, &mut initiative);
    let parts = label.value.split_all(&[",", ";"]);
    let Some(first) = parts.first() else {
        report_unreadable(&label.label, ledger);
        return initiative;
    };
    let mut others = parts.get(1..).unwrap_or_default().to_vec();
    others.retain(|part| !takes_tie(part, system, &mut initiative, ledger));
    initiative.kind = match fold(first.as_str()).as_str() {
        "none" | "no" | "no initiative" => InitiativeKind::None,
        "cards" | "card" => InitiativeKind::Cards,
        _ if SIDES.iter().any(|side| words.contains(side)) => {
            let number = parts.iter().find(|part| !part.codes().is_empty());
            others.retain(|part| Some(part) != number);
            // "each side rolls 1d6"
            let said = || parts.iter().find_map(|part| Some(part.slice(plain::first_dice(part.as_str(), names)?.at)));
            let number = number.cloned().or_else(said);
            InitiativeKind::PerSide(number.and_then(|part| formula::read(&part, names, Scope::Character, ledger)))
        }
        _ if !first.codes().is_empty() => {
            let (number, bracket) = number_and_bracket(first);
            match formula::read(&number, names, Scope::Character, ledger) {
                Some(formula) => {
                    initiative.alternatives.extend(bracket.and_then(|text| in_brackets(&text, names, ledger)));
                    numbers(formula)
                }
                None => InitiativeKind::Given,
            }
        }
        _ => match formula::whole(first, names, Scope::Character, ledger) {
            Some(formula) => numbers(formula),
            None => several(first, names, &mut initiative.alternatives, ledger),
        },
    };
    if let InitiativeKind::Rolled(formula) = &initiative.kind
        && let Some(instead) = uncounted(formula, &words)
    {
        ledger.report(
            Diagnostic::warning(codes::UNREADABLE_INITIATIVE, "this initiative cannot be read")
                .at(label.value.span(), "successes and symbols have no order of their own")
                .because("the GM gives the numbers")
                .help(instead),
        );
        initiative.kind = InitiativeKind::Given;
    }
    formula::beside(&others, ledger);
    initiative
}

/// What to write in the place of dice whose total is no number to go by: symbols, and successes that nobody counts.
fn uncounted(formula: &Formula, words: &str) -> Option<String> {
    let rolled = formula.bind(&mut |_| Some(1)).ok()?;
    if rolled.is_numberless() {
        return Some(
            "dice of initiative show numbers: - Initiative: `1d10 + {NAME}`, highest first, or - Initiative: none"
                .to_owned(),
        );
    }
    let most = ["most successes", "most hits", "more successes"].iter().any(|own| words.contains(own));
    (most && !formula.counts())
        .then(|| format!("successes are counted by the dice themselves: - Initiative: `{formula}>=5`, highest first"))
}

/// ``(`{DEX} + 50` with a readied gun)`` apart from the number before it, where the brackets hold code and words.
fn number_and_bracket(first: &Text) -> (Text, Option<Text>) {
    let (number, bracket) = bracketed(first);
    let is_another = |bracket: &Text| matches!(bracket.codes().as_slice(), [code] if code.as_str() != bracket.as_str());
    match bracket.filter(|bracket| !number.codes().is_empty() && is_another(bracket)) {
        Some(bracket) => (number, Some(bracket)),
        None => (first.clone(), None),
    }
}

fn in_brackets(bracket: &Text, names: &Names, ledger: &mut Ledger<'_>) -> Option<Alternative> {
    let codes = bracket.codes();
    let code = codes.first()?;
    let words = bracket.as_str();
    let Some(when) = words.strip_prefix(code.as_str()).or_else(|| words.strip_suffix(code.as_str())) else {
        formula::beside(std::slice::from_ref(bracket), ledger);
        return None;
    };
    let number = formula::notation(code, names, Scope::Character, ledger)?;
    Some(Alternative { number, when: when.trim().to_owned() })
}

/// `Notice (physical) or Empathy (mental)`: the first is the usual one. What is not declared is for the GM to give.
fn several(
    first: &Text,
    names: &Names,
    alternatives: &mut Vec<Alternative>,
    ledger: &mut Ledger<'_>,
) -> InitiativeKind {
    let parts = first.split_all(&[" or "]);
    let named = parts.len() > 1 && parts.iter().all(|part| bracketed(part).1.is_some());
    if !named {
        report_unreadable(first, ledger);
        return InitiativeKind::Given;
    }
    let mut kind = None;
    for part in &parts {
        let (name, when) = bracketed(part);
        let Some(number) = formula::whole(&name, names, Scope::Character, ledger) else {
            ledger.left_to_gm(name.span(), "not declared as a skill or an attribute, so the GM gives the numbers");
            return InitiativeKind::Given;
        };
        let when = when.map(|when| when.as_str().to_owned()).unwrap_or_default();
        match kind {
            None => kind = Some(numbers(number)),
            Some(_) => alternatives.push(Alternative { number, when }),
        }
    }
    kind.unwrap_or(InitiativeKind::Given)
}

/// With dice it is rolled, without it is fixed.
pub fn numbers(formula: Formula) -> InitiativeKind {
    if main_die(&formula).is_some() { InitiativeKind::Rolled(formula) } else { InitiativeKind::Fixed(formula) }
}

/// Words that say that a side has one number.
const SIDES: [&str; 6] = ["per side", "by side", "each side", "both sides", "side initiative", "group initiative"];
/// Words that say who acts first, where they stand before those of the other kind.
const LOW: [&str; 7] = ["lowest", "slowest", "smallest", "ascending", "low to high", "low goes", "low acts"];
const HIGH: [&str; 6] = ["highest", "fastest", "largest", "descending", "high to low", "high goes"];

fn order_and_frequency(folded: &str, initiative: &mut Initiative) {
    let first = |words: &[&str]| words.iter().filter_map(|word| folded.find(word)).min().unwrap_or(usize::MAX);
    initiative.highest_first = first(&HIGH) <= first(&LOW);
    if folded.contains("each round") || folded.contains("every round") {
        initiative.when = InitiativeWhen::EachRound;
    }
    initiative.by_kind = BY_KIND.iter().any(|words| folded.contains(words));
}

fn report_unreadable(value: &Text, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::warning(codes::UNREADABLE_INITIATIVE, "this initiative cannot be read")
            .at(value.span(), "expected an expression, `cards`, `per side` or `none`")
            .because("the GM gives the numbers")
            .help("write it in backticks: - Initiative: `1d20 + {DEX}`, highest first, once per fight"),
    );
}

/// `Turn-based combat with initiative (d20 + DEX modifier)`, a sentence of its own, where there is no such bullet.
fn from_sentence(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Option<(Initiative, Structures)> {
    let names = declared(&system.attributes, &system.skills);
    for own in outline.paragraphs(SectionKind::Combat).flat_map(sentence::sentences) {
        let Some(read) = sentence::turn_based(&own, &names) else { continue };
        let formula = match read.as_ref().map(|notation| parse_formula(notation)) {
            Ok(Ok(formula)) => formula,
            Ok(Err(_)) | Err(_) => {
                let span = read.err().map_or(own.span(), |unread| unread.span);
                let help = "write ``- Initiative: `1d20 + {DEX}`, highest first``";
                ledger.overlooked(span, sentence::NOT_WHOLE, help);
                continue;
            }
        };
        ledger.take(own.span());
        let place = Some(ledger.place(own.span()));
        ledger.assume(format!("initiative is {formula}; to be sure write an `- Initiative:` bullet"), place.clone());
        ledger.written.push(Written { formula: formula.clone(), text: own, scope: Scope::Character });
        let structures = Structures { kind: StructureKind::Only(Structure::TurnBased), place: place.clone() };
        return Some((Initiative { kind: numbers(formula), place, ..Initiative::default() }, structures));
    }
    None
}

/// `players first on ties`, `ties go to the higher DEX`: a tie-break in the line of the numbers.
fn takes_tie(part: &Text, system: &System, initiative: &mut Initiative, ledger: &mut Ledger<'_>) -> bool {
    const ENDS: [&str; 6] = [" on ties", " on a tie", " in a tie", " win ties", " wins ties", " break ties"];
    const OPENS: [&str; 8] = [
        "ties go to the ",
        "ties go to ",
        "ties to the ",
        "ties to ",
        "ties broken by ",
        "ties by ",
        "on ties ",
        "on a tie ",
    ];
    let folded = fold(part.as_str().trim_end_matches('.'));
    let ending = ENDS.iter().find_map(|own| folded.strip_suffix(own));
    let Some(what) = ending.or_else(|| OPENS.iter().find_map(|own| folded.strip_prefix(own))) else { return false };
    let acts = [" act first", " acts first", " go first", " goes first", " first", " win", " wins"];
    let what = acts.iter().find_map(|own| what.strip_suffix(own)).unwrap_or(what);
    let what = what.strip_prefix("the ").unwrap_or(what);
    match tie_break(what, system).or_else(|| tie_break(&format!("higher {what}"), system)) {
        Some(TieBreak::Entered) => {}
        Some(tie) => initiative.ties = vec![tie, TieBreak::Entered],
        None => report_tie(part, ledger),
    }
    true
}

/// The tie-breaks in order; the last is always who was entered first.
pub fn tie_breaks(label: &Labelled, system: &System, ledger: &mut Ledger<'_>) -> Vec<TieBreak> {
    let mut breaks = Vec::new();
    for part in label.value.split_all(&[",", ";", " then "]) {
        let folded = fold(part.as_str());
        let folded = folded.strip_prefix("then ").unwrap_or(&folded);
        match tie_break(folded, system) {
            Some(read) => breaks.push(read),
            None => report_tie(&part, ledger),
        }
    }
    if breaks.last() != Some(&TieBreak::Entered) {
        breaks.push(TieBreak::Entered);
    }
    breaks
}

fn tie_break(folded: &str, system: &System) -> Option<TieBreak> {
    match folded {
        "players" | "player characters" | "players first" => Some(TieBreak::Players),
        "any agreed order" | "as agreed" | "any order" | "the gm decides" | "the table decides" => {
            Some(TieBreak::Agreed)
        }
        "as entered" | "order of entry" | "entered" => Some(TieBreak::Entered),
        other => other.strip_prefix("higher ").or_else(|| other.strip_prefix("highest ")).and_then(|name| {
            let name = name.strip_suffix(" score").or_else(|| name.strip_suffix(" modifier")).unwrap_or(name);
            let attribute = system.attribute(name).map(|own| TieBreak::HigherAttribute(own.name.clone()));
            let skill = || system.skill(name).map(|own| TieBreak::HigherSkill(own.name.clone()));
            attribute.or_else(|_| skill()).ok()
        }),
    }
}

fn report_tie(part: &Text, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::warning(codes::UNREADABLE_TIE, format!("the tie-break `{}` cannot be read", part.as_str()))
            .at(part.span(), "passed over")
            .help("write `- Ties: players, then as entered`; also `higher DEX`, an attribute or a skill of yours"),
    );
}
