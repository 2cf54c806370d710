//! Makes effects that the program carries out of the grammar's.

use super::Effect;
use crate::grammar::effect::{self, Act, Move, Moved};
use crate::grammar::expr::constant;
use crate::grammar::names::CONDITIONS;
use crate::grammar::tree::Expr;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lowering::{self, Refused};
use crate::language::system::System;
use crate::when::Lowering;
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Span;
use rollbook_text::names::same;

/// The place of effects: below which track, in which line.
#[derive(Debug, Clone, Copy)]
pub struct Spot<'a> {
    /// The track that an effect without a name is about.
    pub here: Option<&'a str>,
    pub span: Span,
    /// Which names they may use.
    pub scope: Scope,
}

/// Each track and kind of marks that effects may name, and whether it is shared; characters' first.
pub struct Reader(Vec<(String, bool)>);

/// The most points of one move.
const NUMBER_MAX: i64 = 1_000_000;

impl Reader {
    pub fn new(system: &System) -> Reader {
        let shared = system.company.iter().flat_map(|company| &company.tracks);
        let personal = system
            .tracks
            .iter()
            .map(|track| &track.name)
            .chain(system.soaks.iter().map(|soak| &soak.name));
        let personal = personal.map(|name| (name.clone(), false));
        Reader(
            personal
                .chain(shared.map(|track| (track.name.clone(), true)))
                .collect(),
        )
    }

    /// The same with shared tracks before a character's of the same name.
    pub fn shared_first(system: &System) -> Reader {
        let mut reader = Reader::new(system);
        reader.0.sort_by_key(|(_, shared)| !shared);
        reader
    }

    /// The track of this name as declared, and whether it is shared.
    ///
    /// # Errors
    /// Where there is none, with what to declare.
    pub fn track(&self, name: &str, system: &System) -> Result<(&str, bool), Refused> {
        let found = self
            .0
            .iter()
            .find(|(track, _)| same(track, name))
            .map(|(track, shared)| (track.as_str(), *shared));
        found.ok_or_else(|| {
            let why = lowering::no_track(name, &system.names);
            Refused::new(
                why,
                "declare it under Health, or under Company where all share it",
            )
        })
    }

    /// Makes effects, in order.
    ///
    /// # Errors
    /// As [`Reader::effect`].
    pub fn effects(
        &self,
        all: &[effect::Effect],
        spot: Spot<'_>,
        system: &System,
        ledger: &mut Ledger<'_>,
    ) -> Result<Vec<Effect>, Refused> {
        all.iter()
            .map(|effect| self.effect(effect, spot, system, ledger))
            .collect()
    }

    /// Makes one effect.
    ///
    /// # Errors
    /// Where it names what does not exist, or an expression cannot be worked out.
    pub fn effect(
        &self,
        effect: &effect::Effect,
        spot: Spot<'_>,
        system: &System,
        ledger: &mut Ledger<'_>,
    ) -> Result<Effect, Refused> {
        let only_if = effect.only_if.as_ref().map(|condition| {
            let letter = |name: &str| system.named_dice.letter(name);
            let when = Lowering {
                values: &[],
                letter: &letter,
            }
            .when(condition);
            let when = when.and_then(|when| match when.measures().is_empty() {
                true => Ok(when),
                false => Err("no dice lie here that could be looked at"),
            });
            when.map_err(|why| Refused::new(why, "compare what is on the sheet: `if {Bleeding}`"))
        });
        let only_if = only_if.transpose()?;
        let (mut act, mut shared, mut text) = (effect.act.clone(), false, effect.to_string());
        let amount = match &mut act {
            Act::Move(moved, change) => {
                let name = match (&*moved, spot.here) {
                    (Moved::Named(name), _) => name.as_str(),
                    (Moved::Here, Some(here)) => here,
                    (Moved::Here, None) => {
                        Err(("nothing says which track moves", "name it: `Stress +1`"))?
                    }
                    (Moved::Ref(_), _) => Err((
                        "no call chooses an attribute here",
                        "name the track: `Stress +1`",
                    ))?,
                };
                let (track, is_shared) = self.track(name, system)?;
                shared = is_shared;
                if *moved == Moved::Here {
                    text = format!("{track} {text}");
                }
                *moved = Moved::Named(track.to_owned());
                movement(change, (track, shared), system)?
            }
            Act::Gain {
                condition, level, ..
            } => {
                if let Some(level) = level {
                    check_level(condition, constant(level), system)?;
                }
                *condition = condition_name(condition, system);
                level.as_ref()
            }
            Act::Lose { condition } => {
                *condition = condition_name(condition, system);
                None
            }
            Act::Pass { .. } => None,
            Act::Damage { amount, .. } => Some(&*amount),
        };
        let amount = amount
            .map(|expr| formula(expr, spot, system, ledger))
            .transpose()?;
        let effect = Effect {
            act,
            shared,
            amount,
            only_if,
            text,
            place: ledger.place(spot.span),
        };
        if effect.is_rolled() && shared {
            Err((
                "all share this track, and nobody is there to throw the dice for it",
                "write a number",
            ))?;
        }
        if effect.only_if.is_some() && shared {
            Err((
                "all share this track, and nobody is there whose sheet could be looked at",
                "leave the `if` out, or let what is on a sheet begin it: `When {Burning} 1+: …`",
            ))?;
        }
        Ok(effect)
    }
}

/// The amount of a move.
fn movement<'m>(
    change: &'m Move,
    (track, shared): (&str, bool),
    system: &System,
) -> Result<Option<&'m Expr>, Refused> {
    match change {
        Move::ToMax => Ok(None),
        Move::To(amount) | Move::By(_, amount) => Ok(Some(amount)),
        Move::Max(_, amount, _) => {
            let is_ruled = system
                .tracks
                .iter()
                .any(|named| named.name == track && named.max.is_some());
            match shared || !is_ruled {
                true => Err(Refused::new(
                    "only a character's track with a maximum has one to move",
                    "write `+1`",
                )),
                false => Ok(Some(amount)),
            }
        }
        Move::Steps(_) if system.chain.is_none() => Err(Refused::new(
            format!("no dice are in order, along which {track} could move"),
            "write them in the section Dice: `- Dice chain: d4, d6, d8, d10, d12`",
        )),
        Move::Steps(_) => Ok(None),
    }
}

fn formula(
    expr: &Expr,
    spot: Spot<'_>,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Result<Formula, Refused> {
    if constant(expr).is_some_and(|number| number.abs() > NUMBER_MAX) {
        Err(("no track takes so many points", "write at most 1000000"))?;
    }
    lowering::try_formula(expr, &system.named_dice, (spot.span, spot.scope), ledger)
}

/// The name of a condition as the rules declare it; built-in conditions are in lower case.
pub fn condition_name(name: &str, system: &System) -> String {
    match system.condition(name) {
        Some(condition) => condition.name.clone(),
        None if CONDITIONS.iter().any(|known| same(known, name)) => name.to_lowercase(),
        None => name.to_owned(),
    }
}

/// Refuses a constant level that the condition does not have. Others are known at the table only.
fn check_level(condition: &str, level: Option<i64>, system: &System) -> Result<(), Refused> {
    let levels = system.condition(condition).and_then(|rule| rule.levels);
    if levels.is_some_and(|(low, high)| level.is_none_or(|level| (low..=high).contains(&level))) {
        return Ok(());
    }
    let has = levels.map_or("has no levels".to_owned(), |(low, high)| {
        format!("has levels {low} to {high}")
    });
    let instead = "name one of its levels, or give it levels: `- Burning (1-3)`";
    Err(Refused::new(
        format!("{} {has}", condition_name(condition, system)),
        instead,
    ))
}

/// The conditions that a hit or a row gives the target: `Prone`, `Burning 2`.
///
/// # Errors
/// Where there is another effect, or a level that the condition does not have.
pub fn gains(all: &[effect::Effect], system: &System) -> Result<Vec<String>, Refused> {
    let one = |effect: &effect::Effect| {
        let effect::Effect {
            act:
                Act::Gain {
                    condition,
                    level,
                    lasts: None,
                },
            only_if: None,
        } = effect
        else {
            let why = "conditions come upon the target, and nothing else";
            return Err(Refused::new(why, "write `gain Prone`, or `gain Burning 2`"));
        };
        let name = condition_name(condition, system);
        let Some(level) = level else { return Ok(name) };
        let level = constant(level).ok_or(("a level is a number", "write `gain Burning 2`"))?;
        check_level(condition, Some(level), system)?;
        Ok(format!("{name} {level}"))
    };
    all.iter().map(one).collect()
}

/// A die's size this many steps along the dice chain: none below the smallest, at most the largest.
pub fn die_after_steps(system: &System, value: i64, steps: i64) -> Option<i64> {
    let dice = system.chain.iter().flat_map(|chain| &chain.dice);
    let mut sizes: Vec<i64> = dice.map(|die| i64::from(die.sides())).collect();
    sizes.sort_unstable();
    let mut now = value;
    for _ in 0..steps.abs() {
        now = match steps < 0 {
            true => sizes.iter().rev().copied().find(|size| *size < now)?,
            false => sizes
                .iter()
                .copied()
                .find(|size| *size > now)
                .unwrap_or(now),
        };
    }
    Some(now)
}
