//! From the effects that a line says to those that the program carries out.

use super::{Act, Effect, Move, Target};
use crate::diagnostic::Span;
use crate::dice::Formula;
use crate::names::same;
use crate::rules::grammar::effect::{self, Item, Moved, Sign};
use crate::rules::grammar::names::CONDITIONS;
use crate::rules::grammar::tree::Expr;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::lower;
use crate::rules::language::system::System;
use crate::rules::language::time_words::SPAN_MAX;
use crate::rules::when::Lower;

/// Why something cannot be carried out, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub why: String,
    pub instead: &'static str,
}

impl Refused {
    pub fn new(why: impl Into<String>, instead: &'static str) -> Self {
        Self { why: why.into(), instead }
    }
}

/// Where effects stand: below which track, in which line.
#[derive(Debug, Clone, Copy)]
pub struct Spot<'a> {
    /// The track that an effect without a name is about.
    pub here: Option<&'a str>,
    pub span: Span,
    /// Which names have numbers there.
    pub scope: Scope,
}

/// Everything that effects name.
pub struct Reader {
    /// Tracks and marks, each with whether all share it; those of a character first.
    tracks: Vec<Target>,
    /// The dice of the chain, the smallest first.
    sizes: Vec<i64>,
}

/// Points of one move.
const NUMBER_MAX: i64 = 1_000_000;

impl Reader {
    pub fn of(system: &System) -> Reader {
        let own = |name: &String| Target { track: name.clone(), shared: false };
        let shared = system.company.iter().flat_map(|company| &company.tracks);
        let shared = shared.map(|track| Target { track: track.name.clone(), shared: true });
        let tracks = system.tracks.iter().map(|track| own(&track.name));
        let tracks = tracks.chain(system.soaks.iter().map(|soak| own(&soak.name))).chain(shared);
        let mut sizes: Vec<i64> =
            system.chain.iter().flat_map(|chain| &chain.dice).map(|die| i64::from(die.sides())).collect();
        sizes.sort_unstable();
        Reader { tracks: tracks.collect(), sizes }
    }

    /// The same where what all share comes before what a character has of the same name.
    pub fn of_shared(system: &System) -> Reader {
        let mut reader = Reader::of(system);
        reader.tracks.sort_by_key(|own| !own.shared);
        reader
    }

    /// The track of this name.
    ///
    /// # Errors
    /// That there is none, with what to declare.
    pub fn track(&self, name: &str, system: &System) -> Result<&Target, Refused> {
        let found = self.tracks.iter().find(|own| same(&own.track, name));
        found.ok_or_else(|| {
            let why = lower::no_track(name, &system.names);
            Refused::new(why, "declare it under Health, or under Company where all share it")
        })
    }

    /// What happens, in order; words for people are left out. `None` where something cannot be carried out, which is reported.
    pub fn effects(
        &self,
        items: &[Item],
        spot: Spot<'_>,
        system: &System,
        ledger: &mut Ledger<'_>,
    ) -> Option<Vec<Effect>> {
        let mut effects = Vec::new();
        for item in items {
            let Item::Effect(own) = item else { continue };
            match self.effect(own, spot, system, ledger) {
                Ok(own) => effects.push(own?),
                Err(Refused { why, instead }) => {
                    lower::refuse(spot.span, &why, instead, ledger);
                    return None;
                }
            }
        }
        Some(effects)
    }

    /// One of them; `None` where an expression cannot be rolled, which is reported.
    ///
    /// # Errors
    /// What it names or does that there is not.
    pub fn effect(
        &self,
        own: &effect::Effect,
        spot: Spot<'_>,
        system: &System,
        ledger: &mut Ledger<'_>,
    ) -> Result<Option<Effect>, Refused> {
        let only_if = match &own.only_if {
            None => None,
            Some(condition) => {
                let letter = |name: &str| system.own_dice.letter(name);
                let lower = Lower { values: &[], letter: &letter };
                let refused = |why: &str| Refused::new(why, "compare what is on the sheet: `if {Bleeding}`");
                let when = lower.when(condition).map_err(refused)?;
                if !when.measures().is_empty() {
                    return Err(refused("no dice lie here that could be looked at"));
                }
                Some(when)
            }
        };
        let Some(act) = self.act(&own.act, spot, system, ledger)? else { return Ok(None) };
        let name = match (&own.act, &act) {
            (effect::Act::Move(Moved::Here, _), Act::Move(target, _)) => format!("{} ", target.track),
            _ => String::new(),
        };
        let effect = Effect { act, only_if, text: format!("{name}{own}"), place: ledger.place(spot.span) };
        if effect.is_rolled() && effect.is_shared() {
            let why = "all share this track, and nobody is there to throw the dice for it";
            return Err(Refused::new(why, "write a number"));
        }
        Ok(Some(effect))
    }

    fn act(
        &self,
        own: &effect::Act,
        spot: Spot<'_>,
        system: &System,
        ledger: &mut Ledger<'_>,
    ) -> Result<Option<Act>, Refused> {
        Ok(Some(match own {
            effect::Act::Move(moved, own) => {
                let name = match (moved, spot.here) {
                    (Moved::Named(name), _) => name.as_str(),
                    (Moved::Here, Some(here)) => here,
                    (Moved::Here, None) => {
                        return Err(Refused::new("nothing says which track moves", "name it: `Stress +1`"));
                    }
                    (Moved::Ref(_), _) => {
                        return Err(Refused::new("no call chooses an attribute here", "name the track: `Stress +1`"));
                    }
                };
                let target = self.track(name, system)?.clone();
                let Some(own) = self.movement(own, &target, spot, system, ledger)? else { return Ok(None) };
                Act::Move(target, own)
            }
            effect::Act::Gain { condition, level, lasts } => {
                let level = match level {
                    Some(level) => match level_of(level, condition, spot, system, ledger)? {
                        None => return Ok(None),
                        level => level,
                    },
                    None => None,
                };
                Act::Gain { condition: condition_called(condition, system), level, lasts: lasts.clone() }
            }
            effect::Act::Lose { condition } => Act::Lose { condition: condition_called(condition, system) },
            effect::Act::Pass { amount, unit } => {
                let many = lower::number(amount).filter(|many| *many > 0);
                let seconds = many.zip(unit.seconds()).and_then(|(many, seconds)| many.checked_mul(seconds));
                match seconds.filter(|seconds| *seconds <= SPAN_MAX) {
                    Some(seconds) => Act::Pass { seconds },
                    None => {
                        return Err(Refused::new("this is no time that can pass", "write `10 minutes pass`"));
                    }
                }
            }
            effect::Act::Damage { amount, kind } => {
                let Some(amount) = formula(amount, spot, system, ledger) else { return Ok(None) };
                Act::Damage { amount, kind: kind.clone() }
            }
        }))
    }

    /// How a track moves.
    ///
    /// # Errors
    /// As [`Reader::effect`].
    pub fn movement(
        &self,
        own: &effect::Move,
        target: &Target,
        spot: Spot<'_>,
        system: &System,
        ledger: &mut Ledger<'_>,
    ) -> Result<Option<Move>, Refused> {
        let formula = |own: &Expr, ledger: &mut Ledger<'_>| formula(own, spot, system, ledger);
        let is_down = |sign: Sign| sign == Sign::Minus;
        Ok(match own {
            effect::Move::ToMax => Some(Move::ToMax),
            effect::Move::To(to) => formula(to, ledger).map(Move::To),
            effect::Move::By(sign, many) => {
                formula(many, ledger).map(|amount| Move::By { down: is_down(*sign), amount })
            }
            effect::Move::Max(sign, many, lasts) => {
                let is_ruled = system.tracks.iter().any(|own| own.name == target.track && own.max.is_some());
                if target.shared || !is_ruled {
                    return Err(Refused::new("only a character's track with a maximum has one to move", "write `+1`"));
                }
                let lasts = lasts.clone();
                formula(many, ledger).map(|amount| Move::Max { down: is_down(*sign), amount, lasts })
            }
            effect::Move::Steps(sign, many) => {
                let many = lower::number(many).filter(|many| (1..=20).contains(many));
                let many = many.ok_or_else(|| Refused::new("the steps are a number", "write `-1 step`"))?;
                if self.sizes.is_empty() {
                    let why = format!("no dice are in order, along which {} could move", target.track);
                    let instead = "write them in the section Dice: `- Dice chain: d4, d6, d8, d10, d12`";
                    return Err(Refused::new(why, instead));
                }
                Some(Move::Steps { sizes: self.sizes.clone(), steps: if is_down(*sign) { -many } else { many } })
            }
        })
    }
}

fn formula(own: &Expr, spot: Spot<'_>, system: &System, ledger: &mut Ledger<'_>) -> Option<Formula> {
    if lower::number(own).is_some_and(|number| number.abs() > NUMBER_MAX) {
        lower::refuse(spot.span, "no track takes so many points", "write at most 1000000", ledger);
        return None;
    }
    lower::formula(own, &system.own_dice, (spot.span, spot.scope), ledger)
}

/// The name of a condition as the rules declare it; the program's own are in lower case.
pub fn condition_called(name: &str, system: &System) -> String {
    match system.condition(name) {
        Some(own) => own.name.clone(),
        None if CONDITIONS.iter().any(|own| same(own, name)) => name.to_lowercase(),
        None => name.to_owned(),
    }
}

/// A level that the condition has.
fn level_of(
    own: &Expr,
    condition: &str,
    spot: Spot<'_>,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Result<Option<Formula>, Refused> {
    let levels = system.condition(condition).and_then(|own| own.levels);
    let fits = |number: i64| levels.is_some_and(|(low, high)| (low..=high).contains(&number));
    if levels.is_none() || lower::number(own).is_some_and(|number| !fits(number)) {
        let has = levels.map_or("has no levels".to_owned(), |(low, high)| format!("has levels {low} to {high}"));
        let instead = "name one of its levels, or give it levels: `- Burning (1-3)`";
        return Err(Refused::new(format!("{} {has}", condition_called(condition, system)), instead));
    }
    Ok(formula(own, spot, system, ledger))
}
