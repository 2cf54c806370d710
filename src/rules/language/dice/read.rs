//! The Dice section: which dice may be rolled, and what advantage does.

use std::collections::HashSet;

use super::advantage::{assume_advantage, swap};
use super::chain::DiceChain;
use super::own;
use super::policy::DicePolicy;
use super::showing::showing;
use crate::diagnostic::{Diagnostic, Span};
use crate::dice::{Die, Mode, parse};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::labels::{Labelled, labelled, report_misspelt, report_repeated};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::language::plain;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// Impossible dice that are pointed at in one paragraph.
const IMPOSSIBLE_MAX: usize = 10;

/// The labels that the section knows.
pub const LABELS: [&str; 6] = ["Dice", "Dice chain", "Advantage", "Disadvantage", "Visibility", "Cancel"];

/// Reads the section into the system, whose checks are already there.
pub fn read(outline: &Outline<'_>, names: &Names, system: &mut System, ledger: &mut Ledger<'_>) {
    let mut seen: Vec<(String, Span)> = Vec::new();
    let mut policy = None;
    for bullet in outline.bullets(SectionKind::Dice) {
        let Some(label) = labelled(bullet, ledger).filter(|label| !own::read::is_own(&label.folded)) else {
            continue;
        };
        let folded = match label.folded.as_str() {
            "boon" => "advantage",
            "bane" => "disadvantage",
            own => own,
        };
        if let Some((_, first)) = seen.iter().find(|(own, _)| own == folded) {
            report_repeated(&label, *first, ledger);
            continue;
        }
        match folded {
            "dice" => policy = allowed(&label, ledger),
            "advantage" => system.advantage = swap(&label, Mode::Advantage, &system.checks, names, ledger),
            "disadvantage" => system.disadvantage = swap(&label, Mode::Disadvantage, &system.checks, names, ledger),
            "dice chain" => system.chain = chain(&label, ledger),
            "visibility" => showing(&label, &mut system.showing, ledger),
            _ => {
                let _ = own::read::report_misspelling(&label, ledger) || report_misspelt(&label, &LABELS, ledger);
                continue;
            }
        }
        ledger.take(label.span);
        seen.push((folded.to_owned(), label.span));
    }
    for text in
        outline.paragraphs(SectionKind::Dice).chain(outline.bullets(SectionKind::Dice).map(|bullet| &bullet.text))
    {
        for at in plain::impossible_dice(text.as_str()).take(IMPOSSIBLE_MAX) {
            let die = text.slice(at);
            ledger.report(
                Diagnostic::warning(codes::UNREADABLE_DIE, format!("`{}` is no die that can be rolled", die.as_str()))
                    .at(die.span(), "passed over")
                    .help("a die has one side or more: `2d6`"),
            );
        }
    }
    system.dice = policy.unwrap_or_else(|| {
        let mut policy = DicePolicy::classic();
        policy.add(named_anywhere(ledger));
        policy
    });
    for own in &system.own_dice.dice {
        system.dice.add_named(&own.die, &own.name);
    }
    let written = |name: &str| seen.iter().any(|(folded, _)| folded == name);
    if !written("advantage") && !written("disadvantage") {
        assume_advantage(system, ledger);
    }
}

/// Every die that the files name, in prose as in rules.
fn named_anywhere(ledger: &Ledger<'_>) -> Vec<Die> {
    let mut dice: Vec<Die> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for (_, source) in ledger.limits.within(ledger.sources) {
        for at in plain::dice_mentions(&source.text) {
            let mention = source.text.get(at).unwrap_or_default();
            let size = mention.trim_start_matches(|letter: char| letter.is_ascii_digit());
            if dice.len() < ledger.limits.items && seen.insert(size) {
                dice.extend(die(size));
            }
        }
    }
    dice
}

fn die(size: &str) -> Option<Die> {
    parse(size).ok()?.dice().into_iter().next()
}

/// A die and nothing more: `d7x` is an exploding roll, and a list of dice has no rolls in it.
fn bare_die(size: &str) -> Option<Die> {
    let expression = parse(size).ok()?;
    let die = expression.dice().into_iter().next()?;
    let shown = expression.to_string();
    (shown.trim_start_matches(|letter: char| letter.is_ascii_digit()) == die.to_string()).then_some(die)
}

fn allowed(label: &Labelled, ledger: &mut Ledger<'_>) -> Option<DicePolicy> {
    let place = ledger.place(label.span);
    if ["any", "all", "any size", "every size"].contains(&fold(label.value.as_str()).as_str()) {
        return Some(DicePolicy::any(place));
    }
    let dice = dice_list(label, "write the dice by name: `d20, d6`, or `any`", ledger);
    // A bullet of which nothing can be read narrows nothing.
    (!dice.is_empty()).then(|| DicePolicy::only(dice, place))
}

fn dice_list(label: &Labelled, help: &str, ledger: &mut Ledger<'_>) -> Vec<Die> {
    let mut dice = Vec::new();
    let value = &label.value;
    let whole = value.codes().into_iter().next().filter(|code| code.as_str() == value.as_str());
    let value = whole.map_or_else(|| value.clone(), |code| Text::invented(code.as_str(), code.span()));
    for part in value.split_all(&[",", " and ", ";"]) {
        let part = part.codes().into_iter().next().unwrap_or(part);
        match bare_die(part.as_str().trim_end_matches('.')) {
            Some(die) => dice.push(die),
            None => ledger.report(
                Diagnostic::warning(codes::UNREADABLE_DIE, format!("`{}` is not a die", part.as_str()))
                    .at(part.span(), "this one is left out")
                    .help(help),
            ),
        }
    }
    dice
}

/// `d3, d4, d5, d6`: at least two, each once.
pub fn chain(label: &Labelled, ledger: &mut Ledger<'_>) -> Option<DiceChain> {
    let mut dice: Vec<Die> = Vec::new();
    for die in dice_list(label, "write the dice in order: `d4, d6, d8, d10, d12`", ledger) {
        if dice.iter().any(|known| known.same_as(&die)) {
            ledger.report(
                Diagnostic::warning(codes::UNREADABLE_DIE, format!("`{die}` is on the chain twice"))
                    .at(label.value.span(), "its first place counts"),
            );
        } else {
            dice.push(die);
        }
    }
    if dice.len() < 2 {
        ledger.report(
            Diagnostic::warning(codes::UNREADABLE_DIE, "a dice chain has two dice or more")
                .at(label.value.span(), "steps along it are refused")
                .help("write the dice in order: `d4, d6, d8, d10, d12`"),
        );
        return None;
    }
    Some(DiceChain { dice, place: ledger.place(label.span) })
}
