//! The Combat section: turns, initiative, and held effects.

mod model;

use crate::codes;
use crate::grammar::file::Rule;
use crate::grammar::line::{CombatLine, Fights, InitiativeKind, Line, TieBreak};
use crate::grammar::sentence;
use crate::grammar::tree::Expr;
use crate::language::clause::Clause;
use crate::language::ledger::{Ledger, Scope, Written};
use crate::language::lowering::{self, Refused};
use crate::language::outline::Outline;
use crate::language::summary::{Summary, with_note};
use crate::language::system::System;
use crate::section::SectionKind;
use rollbook_dice::{Formula, parse_formula};
use rollbook_text::diagnostic::Diagnostic;

pub use model::{HeldEffects, Initiative, Structure};

/// Reads the section into the system. Initiative: by bullets, else the sentence, else the default.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let (mut initiative, mut fights, mut ties) = (None, None, None);
    for (rule, line) in lines(outline) {
        let place = ledger.place(rule.span);
        match line {
            CombatLine::Fights(what) => fights = Some(Clause { what: *what, place }),
            CombatLine::Round(seconds) => {
                system.round = Some(Clause {
                    what: *seconds,
                    place,
                })
            }
            CombatLine::Ties(all) => {
                let broken = all.iter().filter(|tie| **tie != TieBreak::Entered).cloned();
                // The order of entry is always last.
                ties = Some(broken.chain([TieBreak::Entered]).collect::<Vec<_>>());
            }
            CombatLine::Initiative {
                kind,
                highest_first,
                when,
                by_kind,
            } => {
                let kind = lowering::report_refused(
                    initiative_kind(kind, rule, system, ledger),
                    rule.span,
                    ledger,
                );
                let (highest_first, when, by_kind, place) =
                    (*highest_first, *when, *by_kind, Some(place));
                let with_kind = |kind| Initiative {
                    kind,
                    highest_first,
                    when,
                    by_kind,
                    place,
                    assumed: false,
                    ..Initiative::default()
                };
                initiative = kind.map(with_kind);
            }
            CombatLine::HeldEffects { .. } => {}
        }
    }
    let from_prose = if initiative.is_none() {
        from_sentence(outline, system, ledger)
    } else {
        None
    };
    let stated = from_prose
        .as_ref()
        .and_then(|sentence| sentence.place.clone());
    let turns = stated.map(|place| Clause {
        what: Fights::TurnBased,
        place,
    });
    system.initiative = initiative.or(from_prose).unwrap_or_default();
    if let Some(ties) = ties {
        system.initiative.ties = ties;
    }
    system.fights = fights.or(turns);
    system.held = held(outline, ledger);
}

fn lines<'o>(outline: &'o Outline<'_>) -> impl Iterator<Item = (&'o Rule, &'o CombatLine)> {
    outline
        .rules(SectionKind::Combat)
        .filter_map(|rule| match &rule.line {
            Line::Combat(line) => Some((rule, line)),
            _ => None,
        })
}

fn initiative_kind(
    written: &InitiativeKind<Expr>,
    rule: &Rule,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Result<InitiativeKind<Formula>, Refused> {
    let mut formula = |expr: &Expr| -> Result<Formula, Refused> {
        let formula =
            lowering::try_formula(expr, &system.named_dice, (rule.span, Scope::Sheet), ledger)?;
        if formula
            .bind(&mut |_| Some(1))
            .is_ok_and(|bound| bound.is_numberless())
        {
            let help =
                "dice of initiative show numbers: - Initiative: `1d10 + {NAME}`, highest first";
            Err(("symbols have no order of their own", help))?;
        }
        Ok(formula)
    };
    Ok(match written {
        InitiativeKind::Each(expr) => InitiativeKind::Each(formula(expr)?),
        InitiativeKind::PerSide(expr) => InitiativeKind::PerSide(formula(expr)?),
        InitiativeKind::Cards => InitiativeKind::Cards,
        InitiativeKind::Given => InitiativeKind::Given,
        InitiativeKind::None => InitiativeKind::None,
    })
}

/// The line of held effects. The last one counts.
fn held(outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> Option<HeldEffects> {
    let lines = lines(outline).filter_map(|(rule, line)| match line {
        CombatLine::HeldEffects {
            ask,
            against,
            end_with,
        } => Some((rule, ask, against, end_with)),
        _ => None,
    });
    let (rule, ask, against, end_with) = lines.last()?;
    let against = against.as_ref().map(|expr| {
        let formula = parse_formula(&expr.in_notation())
            .ok()
            .filter(|formula| lowering::depends_only_on(formula, "hit"));
        let help = "write ``- Held effects: ask Will against `max(10, floor({hit} / 2))` ``";
        formula.ok_or_else(|| Refused::new("expected a number, or one by what came through", help))
    });
    let against = lowering::report_refused(against.transpose(), rule.span, ledger)?;
    Some(HeldEffects {
        asks: ask.clone(),
        against,
        ends: end_with.clone(),
        place: ledger.place(rule.span),
    })
}

/// `Turn-based combat with initiative (d20 + DEX modifier)`, a whole sentence.
fn from_sentence(
    outline: &Outline<'_>,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Option<Initiative> {
    for text in outline
        .paragraphs(SectionKind::Combat)
        .flat_map(sentence::sentences)
    {
        let Some(read) = sentence::turn_based(&text, &system.names) else {
            continue;
        };
        let formula = match read.as_ref().map(|notation| parse_formula(notation)) {
            Ok(Ok(formula)) => formula,
            Ok(Err(_)) | Err(_) => {
                let span = read.err().map_or(text.span(), |unread| unread.span);
                let finding = Diagnostic::warning(codes::NOT_A_RULE, sentence::NOT_WHOLE)
                    .at(span, "read as prose");
                ledger
                    .report(finding.help("write ``- Initiative: `1d20 + {DEX}`, highest first``"));
                continue;
            }
        };
        let place = Some(ledger.place(text.span()));
        ledger.assume(
            format!("initiative is {formula}; to be sure write an `- Initiative:` bullet"),
            place.clone(),
        );
        ledger.written.push(Written {
            formula: formula.clone(),
            text,
            scope: Scope::Sheet,
        });
        return Some(Initiative {
            kind: InitiativeKind::Each(formula),
            place,
            ..Initiative::default()
        });
    }
    None
}

/// Writes the summary's lines about combat.
pub fn describe(system: &System, summary: &mut Summary) {
    for bullet in system.bullets(SectionKind::Combat) {
        summary.line(&bullet.label, &bullet.text, Some(&bullet.place));
    }
    let initiative = &system.initiative;
    if initiative.assumed {
        let what = initiative
            .formula()
            .map_or("the GM gives the numbers".to_owned(), ToString::to_string);
        summary.line(
            "Initiative",
            &with_note(what, true),
            initiative.place.as_ref(),
        );
    }
}
