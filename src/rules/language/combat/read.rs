//! Fights, from the lines of the section and its one sentence.

use super::held::{CheckBy, Held, HeldCheck};
use super::initiative::{Initiative, InitiativeKind, InitiativeWhen, TieBreak};
use super::structure::{Structure, StructureKind, Structures};
use crate::diagnostic::Diagnostic;
use crate::dice::{Formula, parse_formula};
use crate::names::same;
use crate::rules::codes;
use crate::rules::grammar::file::Rule;
use crate::rules::grammar::line::{self, CombatLine, Line, Order, Tie};
use crate::rules::grammar::sentence;
use crate::rules::language::checks::main_die;
use crate::rules::language::clause::Clause;
use crate::rules::language::ledger::{Ledger, Scope, Written};
use crate::rules::language::lower;
use crate::rules::language::names::declared;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// Reads them into the system: bullets, else the sentence that says who acts when, else the default.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let (mut initiative, mut structures, mut ties) = (None, None, None);
    for (rule, own) in lines(outline) {
        let is_repeated = match own {
            CombatLine::Structure(_) => structures.is_some(),
            CombatLine::Round(..) => system.round.is_some(),
            CombatLine::Ties(_) => ties.is_some(),
            CombatLine::Initiative { .. } => initiative.is_some(),
            // Checks and conditions come later.
            CombatLine::HeldEffects { .. } => false,
        };
        if is_repeated {
            lower::refuse(rule.span, "this is given before", "take one of the two away", ledger);
            continue;
        }
        let place = ledger.place(rule.span);
        match own {
            CombatLine::Structure(own) => {
                let kind = match own {
                    line::Structure::TurnBased => StructureKind::Only(Structure::TurnBased),
                    line::Structure::Narrative => StructureKind::Only(Structure::Narrative),
                    line::Structure::Hybrid => StructureKind::Hybrid(Structure::TurnBased),
                };
                structures = Some(Structures { kind, place: Some(place) });
            }
            CombatLine::Round(amount, unit) => match lower::number(amount).filter(|many| *many > 0).zip(unit.seconds())
            {
                Some((many, seconds)) => {
                    system.round = Some(Clause { what: many.saturating_mul(seconds), place });
                }
                None => lower::refuse(rule.span, "expected a time", "write `- Round: 6 seconds`", ledger),
            },
            CombatLine::Ties(all) => {
                let broken = all.iter().filter_map(|tie| tie_break(tie, system));
                ties = Some((broken.chain([TieBreak::Entered]).collect::<Vec<_>>(), place));
            }
            CombatLine::Initiative { by, order, when, one_a_kind } => {
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
                    highest_first: *order != Some(Order::LowestFirst),
                    when: match when {
                        Some(line::InitiativeWhen::EachRound) => InitiativeWhen::EachRound,
                        Some(line::InitiativeWhen::OncePerFight) | None => InitiativeWhen::OncePerFight,
                    },
                    by_kind: *one_a_kind,
                    place: Some(place),
                    assumed: false,
                    ..Initiative::default()
                });
            }
            CombatLine::HeldEffects { .. } => {}
        }
    }
    let said = if initiative.is_none() { from_sentence(outline, system, ledger) } else { None };
    let (said, turns) = said.map_or((None, None), |(initiative, structures)| (Some(initiative), Some(structures)));
    system.initiative = initiative.or(said).unwrap_or_default();
    if let Some((breaks, place)) = ties {
        system.initiative.ties = breaks;
        system.initiative.ties_place = Some(place);
    }
    system.structures = structures.or(turns).unwrap_or_default();
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

fn tie_break(tie: &Tie, system: &System) -> Option<TieBreak> {
    match tie {
        Tie::Players => Some(TieBreak::Players),
        // The last is always who was entered first.
        Tie::AsEntered => None,
        Tie::Higher(name) => {
            let attribute = system.named_attribute(name).map(|own| TieBreak::HigherAttribute(own.name.clone()));
            attribute.or_else(|| system.named_skill(name).map(|own| TieBreak::HigherSkill(own.name.clone())))
        }
    }
}

/// What becomes of effects that somebody holds; conditions and checks must have been read.
pub fn held(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Held {
    let mut held = Held::default();
    for (rule, own) in lines(outline) {
        let CombatLine::HeldEffects { ask, against, end_with } = own else { continue };
        if held.place.is_some() {
            lower::refuse(rule.span, "this is given before", "take one of the two away", ledger);
            continue;
        }
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
fn from_sentence(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Option<(Initiative, Structures)> {
    let names = declared(&system.attributes, &system.skills);
    for own in outline.paragraphs(SectionKind::Combat).flat_map(sentence::sentences) {
        let Some(read) = sentence::turn_based(&own, &names) else { continue };
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
        let structures = Structures { kind: StructureKind::Only(Structure::TurnBased), place: place.clone() };
        return Some((Initiative { kind: numbers(formula), place, ..Initiative::default() }, structures));
    }
    None
}
