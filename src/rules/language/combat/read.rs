//! Fights, from the lines of the section and its one sentence.

use super::held::{CheckBy, Held, HeldCheck};
use super::initiative::{Initiative, InitiativeKind};
use crate::diagnostic::Diagnostic;
use crate::dice::{Formula, parse_formula};
use crate::names::same;
use crate::rules::codes;
use crate::rules::grammar::file::Rule;
use crate::rules::grammar::line::{self, CombatLine, Fights, Line, TieBreak};
use crate::rules::grammar::sentence;
use crate::rules::language::checks::main_die;
use crate::rules::language::clause::Clause;
use crate::rules::language::ledger::{Ledger, Scope, Written};
use crate::rules::language::lower;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// Reads them into the system: bullets, else the sentence that says who acts when, else the default.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let (mut initiative, mut fights, mut ties) = (None, None, None);
    for (rule, own) in lines(outline) {
        let place = ledger.place(rule.span);
        match own {
            CombatLine::Fights(what) => fights = Some(Clause { what: *what, place }),
            CombatLine::Round(seconds) => system.round = Some(Clause { what: *seconds, place }),
            CombatLine::Ties(all) => {
                let broken = all.iter().filter(|tie| **tie != TieBreak::Entered).map(|tie| declared_tie(tie, system));
                // The last is always who was entered first.
                ties = Some((broken.chain([TieBreak::Entered]).collect::<Vec<_>>(), place));
            }
            CombatLine::Initiative { by, highest_first, when, one_a_kind } => {
                let mut formula = |own: &_| lower::formula(own, &system.own_dice, (rule.span, Scope::Sheet), ledger);
                let kind = match by {
                    line::Initiative::None => Some(InitiativeKind::None),
                    line::Initiative::Cards => Some(InitiativeKind::Cards),
                    line::Initiative::PerSide(own) => formula(own).map(InitiativeKind::PerSide),
                    line::Initiative::Each(own) => formula(own).map(numbers),
                };
                let kind = kind.filter(|kind| is_number(kind, rule, ledger));
                initiative = kind.map(|kind| Initiative {
                    kind,
                    highest_first: *highest_first,
                    when: *when,
                    by_kind: *one_a_kind,
                    place: Some(place),
                    assumed: false,
                    ..Initiative::default()
                });
            }
            // Checks and conditions come later.
            CombatLine::HeldEffects { .. } => {}
        }
    }
    let said = if initiative.is_none() { from_sentence(outline, system, ledger) } else { None };
    let turns = said.as_ref().and_then(|own| Some(Clause { what: Fights::TurnBased, place: own.place.clone()? }));
    system.initiative = initiative.or(said).unwrap_or_default();
    if let Some((breaks, place)) = ties {
        system.initiative.ties = breaks;
        system.initiative.ties_place = Some(place);
    }
    system.fights = fights.or(turns);
}

fn lines<'o>(outline: &'o Outline<'_>) -> impl Iterator<Item = (&'o Rule, &'o CombatLine)> {
    outline.rules(SectionKind::Combat).filter_map(|rule| match &rule.line {
        Line::Combat(own) => Some((rule, own)),
        _ => None,
    })
}

/// Symbols have no order of their own.
fn is_number(kind: &InitiativeKind, rule: &Rule, ledger: &mut Ledger<'_>) -> bool {
    let InitiativeKind::Rolled(formula) = kind else { return true };
    let is_numberless = formula.bind(&mut |_| Some(1)).is_ok_and(|own| own.is_numberless());
    if is_numberless {
        let help = "dice of initiative show numbers: - Initiative: `1d10 + {NAME}`, highest first";
        lower::refuse(rule.span, "symbols have no order of their own", help, ledger);
    }
    !is_numberless
}

/// With dice it is rolled, without it is fixed.
pub fn numbers(formula: Formula) -> InitiativeKind {
    if main_die(&formula).is_some() { InitiativeKind::Rolled(formula) } else { InitiativeKind::Fixed(formula) }
}

/// An attribute is named as it is declared.
fn declared_tie(tie: &TieBreak, system: &System) -> TieBreak {
    let named = |name: &String| system.named_attribute(name).map(|own| TieBreak::HigherAttribute(own.name.clone()));
    let declared = if let TieBreak::HigherAttribute(name) = tie { named(name) } else { None };
    declared.unwrap_or_else(|| tie.clone())
}

/// What becomes of effects that somebody holds; conditions and checks must have been read.
pub fn held(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Held {
    let mut held = Held::default();
    for (rule, own) in lines(outline) {
        let CombatLine::HeldEffects { ask, against, end_with } = own else { continue };
        held.place = Some(ledger.place(rule.span));
        let by = match () {
            () if system.checks.iter().any(|own| same(&own.name, ask)) => CheckBy::Check,
            () if system.named_skill(ask).is_some() => CheckBy::Skill,
            () => CheckBy::Attribute,
        };
        let against =
            against.as_ref().map(|own| parse_formula(&own.in_notation()).ok().filter(|own| lower::is_over(own, "hit")));
        let (Some(Some(_)) | None) = &against else {
            let help = "write ``- Held effects: ask Will against `max(10, floor({hit} / 2))` ``";
            lower::refuse(rule.span, "expected a number, or one by what came through", help, ledger);
            continue;
        };
        held.asks = Some(HeldCheck { name: ask.clone(), by, against: against.flatten() });
        held.ends = end_with.clone();
    }
    held
}

/// `Turn-based combat with initiative (d20 + DEX modifier)`, a sentence of its own, where there is no such bullet.
fn from_sentence(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Option<Initiative> {
    for own in outline.paragraphs(SectionKind::Combat).flat_map(sentence::sentences) {
        let Some(read) = sentence::turn_based(&own, &system.names) else { continue };
        let formula = match read.as_ref().map(|notation| parse_formula(notation)) {
            Ok(Ok(formula)) => formula,
            Ok(Err(_)) | Err(_) => {
                let span = read.err().map_or(own.span(), |unread| unread.span);
                let finding = Diagnostic::warning(codes::NOT_A_RULE, sentence::NOT_WHOLE).at(span, "read as prose");
                ledger.report(finding.help("write ``- Initiative: `1d20 + {DEX}`, highest first``"));
                continue;
            }
        };
        let place = Some(ledger.place(own.span()));
        ledger.assume(format!("initiative is {formula}; to be sure write an `- Initiative:` bullet"), place.clone());
        ledger.written.push(Written { formula: formula.clone(), text: own, scope: Scope::Sheet });
        return Some(Initiative { kind: numbers(formula), place, ..Initiative::default() });
    }
    None
}
