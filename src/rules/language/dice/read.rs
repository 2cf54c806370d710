//! Which dice may be rolled, what advantage does, words for difficulties: from the lines of the section.

use std::collections::HashSet;

use super::assumed::assume_advantage;
use super::chain::DiceChain;
use super::difficulties::Difficulty;
use super::policy::DicePolicy;
use super::swap::Swap;
use crate::diagnostic::Span;
use crate::dice::{Die, parse};
use crate::names::same;
use crate::rules::grammar::effect::Sign;
use crate::rules::grammar::line::{Added, DiceLine, Line, ToReach, WhoseRolls};
use crate::rules::grammar::table::Table;
use crate::rules::grammar::tree::{Expr, Op};
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::language::{lower, plain};
use crate::rules::section::SectionKind;

/// Reads the section into the system, whose checks are already there.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let (mut policy, mut is_said) = (None, false);
    for rule in outline.rules(SectionKind::Dice) {
        let Line::Dice(own) = &rule.line else { continue };
        match own {
            DiceLine::Sizes(None) => policy = Some(DicePolicy::any(ledger.place(rule.span))),
            DiceLine::Sizes(Some(sizes)) => {
                policy = dice(sizes, rule.span, ledger).map(|dice| DicePolicy::only(dice, ledger.place(rule.span)));
            }
            DiceLine::Chain(sizes) => system.chain = chain(sizes, rule.span, ledger),
            DiceLine::Advantage(added) => {
                is_said = true;
                system.advantage = swap(added, rule.span, system, ledger);
            }
            DiceLine::Disadvantage(added) => {
                is_said = true;
                system.disadvantage = swap(added, rule.span, system, ledger);
            }
            DiceLine::Visibility(all) => {
                for (whose, how) in all.iter().copied() {
                    let policy = &mut system.showing;
                    match whose {
                        WhoseRolls::Players => policy.players = how,
                        WhoseRolls::Npcs => policy.others = how,
                        WhoseRolls::All => (policy.players, policy.others) = (how, how),
                    }
                }
                system.showing.place = Some(ledger.place(rule.span));
            }
            DiceLine::Difficulty { name, is } => difficulty(name, is, rule.span, system, ledger),
            DiceLine::Die { .. } | DiceLine::Deck { .. } | DiceLine::Symbol { .. } | DiceLine::Cancel(_) => {}
        }
    }
    for own in outline.file.tables.iter().filter(|own| own.section == SectionKind::Dice) {
        if let Table::Difficulties(rows) = &own.table {
            for ((name, is), span) in rows.iter().zip(&own.rows) {
                difficulty(name, is, *span, system, ledger);
            }
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
    system.advantage_is_said = is_said;
    if !is_said {
        assume_advantage(system, ledger);
    }
}

/// The first of a name counts.
fn difficulty(name: &str, is: &ToReach, span: Span, system: &mut System, ledger: &mut Ledger<'_>) {
    if let ToReach::Row(label) = is
        && !system.checks.iter().any(|check| check.rank_of(label).is_some())
    {
        let why = format!("no check that is read has a row called `{label}`");
        return lower::refuse(span, &why, "name a row of an outcome table by its label, or write the number", ledger);
    }
    if system.difficulties.iter().any(|own| same(&own.name, name)) {
        return lower::refuse(span, &format!("`{name}` is given before"), "take one of the two away", ledger);
    }
    if ledger.has_room(system.difficulties.len(), "difficulties", span) {
        system.difficulties.push(Difficulty { name: name.to_owned(), is: is.clone(), place: ledger.place(span) });
    }
}

/// What advantage adds.
fn swap(added: &Added, span: Span, system: &System, ledger: &mut Ledger<'_>) -> Option<Swap> {
    let own = match added {
        Added::None => return None,
        Added::Amount(Sign::Plus, own) => own.clone(),
        Added::Amount(Sign::Minus, own) => Expr::Binary(Box::new(Expr::Number(0)), Op::Subtract, Box::new(own.clone())),
        Added::Roll(own) => own.clone(),
    };
    let roll = lower::formula(&own, &system.own_dice, (span, Scope::Check), ledger)?;
    Some(Swap { roll, adds: true, place: Some(ledger.place(span)), assumed: false })
}

fn dice(sizes: &[i64], span: Span, ledger: &mut Ledger<'_>) -> Option<Vec<Die>> {
    let die = |size: &i64| u32::try_from(*size).ok().filter(|size| *size > 0).map(Die::Sides);
    let all: Option<Vec<Die>> = sizes.iter().map(die).collect();
    if all.is_none() {
        lower::refuse(span, "a die has one side or more", "write them by name: `d20, d6`", ledger);
    }
    all
}

/// At least two dice, the smallest first.
pub fn chain(sizes: &[i64], span: Span, ledger: &mut Ledger<'_>) -> Option<DiceChain> {
    let all = dice(sizes, span, ledger)?;
    if all.len() < 2 {
        lower::refuse(span, "a dice chain has two dice or more", "write `d4, d6, d8, d10, d12`", ledger);
        return None;
    }
    Some(DiceChain { dice: all, place: ledger.place(span) })
}

/// Every die that the files name, in prose as in rules: they may be rolled.
fn named_anywhere(ledger: &Ledger<'_>) -> Vec<Die> {
    let mut dice: Vec<Die> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for (_, source) in ledger.limits.within(ledger.sources) {
        for at in plain::dice_mentions(&source.text) {
            let mention = source.text.get(at).unwrap_or_default();
            let size = mention.trim_start_matches(|letter: char| letter.is_ascii_digit());
            if dice.len() < ledger.limits.items && seen.insert(size) {
                dice.extend(parse(size).ok().and_then(|own| own.dice().into_iter().next()));
            }
        }
    }
    dice
}
