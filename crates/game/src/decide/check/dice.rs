//! Changes a check's dice before the roll: the effects of conditions, advantage, disadvantage, the dice chain.

use crate::decide::check::call::CheckCall;
use crate::decide::check::chosen::Chosen;
use crate::decide::check::names::Names;
use crate::decide::roll::check_die;
use crate::mechanics::values::dice_refusal;
use crate::record::event::Modifier;
use crate::record::state::{Character, State};
use crate::refusal::{Code, Refusal};
use crate::view::secrets;
use rollbook_dice::{BindError, Bound, Expression, Mode, parse};
use rollbook_rules::{Added, Attempt, By, Change, Check, ConditionRule, Scope, Side, Succeed, Swap, SwapHow, System};
use rollbook_text::names::{fold, same};

/// What is said of a check with advantage and disadvantage.
pub const CANCEL: &str = "advantage and disadvantage cancel out";

/// The remark on advantage and disadvantage that cancel: whoever asked for one of them sees dice that are rolled as without.
pub fn cancelled(adjustments: &[String], effects: &FromConditions) -> Option<String> {
    let cancels = adjustments.iter().any(|adjustment| adjustment == CANCEL);
    let sources: Vec<&str> = effects.advantage.iter().chain(&effects.disadvantage).map(String::as_str).collect();
    let why = if sources.is_empty() { String::new() } else { format!(" ({})", sources.join("; ")) };
    cancels.then(|| format!("{CANCEL}{why}: the dice are rolled as without either"))
}

/// The expression with advantage or disadvantage; `None` with neither, or with both, which cancel.
///
/// Where the rules have none for this check, a call's is refused and a condition's is noted.
pub fn apply_mode(
    system: &System,
    rule: &Check,
    (expression, added): (&Expression, i64),
    call: &CheckCall,
    effects: &FromConditions,
    lookup: &mut dyn FnMut(&str) -> Option<Bound>,
    adjustments: &mut Vec<String>,
) -> Result<Option<Expression>, Refusal> {
    let high = call.advantage || !effects.advantage.is_empty();
    let low = call.disadvantage || !effects.disadvantage.is_empty();
    let (mode, asked, sources) = match (high, low) {
        (true, false) => (Mode::Advantage, call.advantage, &effects.advantage),
        (false, true) => (Mode::Disadvantage, call.disadvantage, &effects.disadvantage),
        (true, true) => {
            adjustments.push(CANCEL.to_owned());
            return Ok(None);
        }
        (false, false) => return Ok(None),
    };
    let swap = match find_swap(system, rule, mode, expression) {
        Ok(swap) => swap,
        Err(refusal) if asked => return Err(refusal),
        Err(_) => {
            let word = mode.as_str();
            adjustments
                .push(format!("{} asks for {word}, which these rules do not say how to roll", sources.join("; ")));
            return Ok(None);
        }
    };
    let swapped = apply_swap((expression, added), &swap, effects.dice_in_all(), lookup)?;
    let why = if sources.is_empty() { String::new() } else { format!(" ({})", sources.join("; ")) };
    adjustments.push(format!("{}{why}: {}, {}", mode.as_str(), swap.roll, swap.place));
    Ok(Some(swapped))
}

/// What advantage or disadvantage does to this check's dice by the rules.
fn find_swap<'s>(
    system: &'s System,
    rule: &'s Check,
    mode: Mode,
    expression: &Expression,
) -> Result<Swap<'s>, Refusal> {
    let word = mode.as_str();
    let without =
        format!("Send the check without {word}{}", if rule.uses_result() { ", or with a modifier." } else { "." });
    let refuse = |summary: String| {
        let refusal = Refusal::new(Code::InvalidAdvantageUsage, format!("{summary}. {without}"));
        Err(refusal.at(rule.place.to_string()))
    };
    let rolls = format!("{} ({}) rolls {expression}, and {word}", rule.name, rule.place);
    match system.swap(mode, rule) {
        // A value may have replaced the d20.
        Some(swap) if swap.how == SwapHow::ReplacesOne => {
            match expression.main_count() == 1 && expression.main_die() == rule.main_die() {
                true => Ok(swap),
                false => refuse(format!("{rolls} stands for a single d20 where these rules say nothing of it")),
            }
        }
        Some(swap) => Ok(swap),
        None if rule.swap_line(mode) == Some(&Added::None) => {
            refuse(format!("{} ({}) has no {word}", rule.name, rule.place))
        }
        None if system.has_usual_advantage() => {
            refuse(format!("{rolls} stands for a single d20 where these rules say nothing of it"))
        }
        None => refuse(format!("These rules have no {word}")),
    }
}

fn apply_swap(
    (expression, added): (&Expression, i64),
    swap: &Swap<'_>,
    more: i64,
    lookup: &mut dyn FnMut(&str) -> Option<Bound>,
) -> Result<Expression, Refusal> {
    // Dice that the check's own words roll in the place of all are as many more as those would be.
    let roll = swap.roll.with_more_dice(if swap.how == SwapHow::ReplacesAll { more } else { 0 }, 0);
    let dice = roll.bind_with(lookup).map_err(|error| match error {
        BindError::Missing(names) => {
            let summary = format!("The rule for it needs {}, which has no value.", names.join(", "));
            Refusal::new(Code::MissingValue, summary)
        }
        BindError::Dice(error) => dice_refusal(&error),
    })?;
    let changed = match swap.how {
        SwapHow::ReplacesAll => dice.plus(added),
        SwapHow::ReplacesOne => expression.replace_main_die(&dice),
        SwapHow::Added => parse(&format!("{expression} + {dice}")),
    };
    changed.map_err(|error| dice_refusal(&error))
}

/// The expression with its main die moved along the dice chain, at most to its end, and a note.
pub fn apply_chain(
    system: &System,
    rule: &Check,
    expression: &Expression,
    steps: i64,
) -> Result<(Expression, String), Refusal> {
    let Some(chain) = rule.chain.as_ref().or(system.chain.as_ref()) else {
        let summary = "These rules have no dice chain, so steps mean nothing. Send the check without steps, or with a \
                       modifier.";
        return Err(Refusal::new(Code::NoDiceChain, summary));
    };
    let die = expression.main_die();
    let moved = die.as_ref().and_then(|die| chain.moved(die, steps));
    let (Some(die), Some(moved)) = (die, moved) else {
        let summary = format!(
            "The main die of {expression} is not on the dice chain ({}). Send the check without steps.",
            chain.list()
        );
        return Err(Refusal::new(Code::NoDiceChain, summary).at(chain.place.to_string()));
    };
    let note = format!("dice chain {steps:+}: {die} to {moved}, {}", chain.place);
    let expression = expression.with_main_die(moved).map_err(|error| dice_refusal(&error))?;
    Ok((expression, note))
}

/// Refuses dice in the call's values that the adventure does not have. The rule's own dice are always allowed.
pub fn check_dice_in_values(attempt: &Attempt, system: &System, names: &Names<'_>) -> Result<(), Refusal> {
    let rule = names.chosen.rule;
    let is_dice = |name: &str| matches!(names.given.get(&fold(name)), Some(Bound::Dice(_)));
    if !rule.variables().iter().any(|name| is_dice(name)) {
        return Ok(());
    }
    let mut lookup = |name: &str| match names.lookup(name, Side::Actor) {
        // As many members as there are dice, so that as many can be kept.
        Some(Bound::Dice(text)) => Some(Bound::Dice(vec!["1"; text.split(',').count()].join(","))),
        other => other,
    };
    let own = rule.roll.bind_with(&mut lookup).map(|own| own.dice()).unwrap_or_default();
    let foreign = attempt.expression.dice().into_iter().filter(|die| !own.iter().any(|known| known.same_as(die)));
    foreign.into_iter().try_for_each(|die| check_die(system, &die))
}

/// The effects of conditions on one check.
#[derive(Debug, Default)]
pub struct FromConditions {
    /// Modifiers, by the condition's name.
    pub modifiers: Vec<Modifier>,
    /// The conditions that give advantage, with their places.
    pub advantage: Vec<String>,
    /// The conditions that give disadvantage, with their places.
    pub disadvantage: Vec<String>,
    /// Dice more or fewer, with the conditions that bring them and their places.
    pub dice: Vec<(i64, String)>,
    /// Steps on the dice chain, likewise.
    pub steps: Vec<(i64, String)>,
    /// Something of the target counts.
    pub of_target: bool,
    /// One of them is hidden from players.
    pub hidden: bool,
}

impl FromConditions {
    /// How many dice more there are by all of them, or fewer.
    pub fn dice_in_all(&self) -> i64 {
        in_all(&self.dice)
    }

    /// How many steps they are in all.
    pub fn steps_in_all(&self) -> i64 {
        in_all(&self.steps)
    }
}

fn in_all(effects: &[(i64, String)]) -> i64 {
    effects.iter().map(|(many, _)| many).fold(0, |sum: i64, many| sum.saturating_add(*many))
}

/// All effects on this check: of the actor's conditions, and of those of the target that are about what others roll against it.
pub fn from_conditions(
    state: &State,
    system: &System,
    (actor, target): (Option<&Character>, Option<&Character>),
    chosen: &Chosen<'_>,
    strikes: bool,
) -> FromConditions {
    let mut effects = FromConditions::default();
    let own = actor.into_iter().flat_map(|who| changes(state, system, who)).filter(|(_, own, ..)| !own.against_bearer);
    let others =
        target.into_iter().flat_map(|target| changes(state, system, target)).filter(|(_, own, ..)| own.against_bearer);
    for (rule, change, amount, hidden) in own.chain(others) {
        if !change.on.iter().any(|on| applies_to(on, system, chosen, strikes)) {
            continue;
        }
        let of = target.filter(|_| change.against_bearer);
        effects.of_target |= of.is_some();
        effects.hidden |= hidden || of.is_some_and(|own| secrets::is_hidden_from_players(state, own));
        let name = of.map_or_else(|| rule.name.clone(), |own| format!("{} on {}", rule.name, own.name));
        let named = || format!("{name}, {}", rule.place);
        match change.by {
            By::Advantage => effects.advantage.push(named()),
            By::Disadvantage => effects.disadvantage.push(named()),
            By::Dice(_) => effects.dice.push((amount, named())),
            By::Steps(_) => effects.steps.push((amount, named())),
            By::Add(_) => {
                effects.modifiers.push(Modifier { name: name.clone(), value: amount, from: rule.place.to_string() });
            }
        }
    }
    effects
}

/// What a target's conditions add to a number of its sheet that a check is made against, -2 to the armour class of an
/// off-guard target; and whether each is hidden from players.
pub fn modifiers_of_number(state: &State, system: &System, whose: &Character, name: &str) -> Vec<(Modifier, bool)> {
    let is_it = |on: &Scope| match on {
        Scope::Attribute(own) => system.named_attribute(own).is_some_and(|attribute| attribute.is_called(&fold(name))),
        Scope::Skill(own) => same(own, name),
        Scope::Checks | Scope::Check(_) | Scope::Attacks => false,
    };
    let counts =
        |change: &Change| !change.against_bearer && matches!(change.by, By::Add(_)) && change.on.iter().any(is_it);
    let all = changes(state, system, whose).filter(|(_, own, amount, _)| *amount != 0 && counts(own));
    all.map(|(rule, _, value, hidden)| {
        (Modifier { name: rule.name.clone(), value, from: rule.place.to_string() }, hidden)
    })
    .collect()
}

/// Each change by each condition of a character, with what it comes to, 0 where that is no number, and whether it is hidden.
fn changes<'a>(
    state: &'a State,
    system: &'a System,
    whose: &Character,
) -> impl Iterator<Item = (&'a ConditionRule, &'a Change, i64, bool)> {
    state.conditions_of(whose.id).flat_map(|row| {
        system.condition(&row.name).into_iter().flat_map(move |rule| {
            let level = row.level.unwrap_or_else(|| rule.levels.map_or(1, |(low, _)| low));
            rule.changes.iter().map(move |change| (rule, change, change.amount(level), row.hidden))
        })
    })
}

fn applies_to(on: &Scope, system: &System, chosen: &Chosen<'_>, strikes: bool) -> bool {
    match on {
        Scope::Checks => true,
        Scope::Attacks => strikes,
        Scope::Attribute(name) => system.named_attribute(name).is_some_and(|attribute| {
            let mut names = std::iter::once(&attribute.name).chain(&attribute.abbr);
            chosen.attribute.is_some_and(|chosen| chosen.name == attribute.name)
                || names.any(|name| uses_number(chosen, name))
        }),
        Scope::Skill(name) => {
            chosen.skill.as_ref().is_some_and(|skill| same(&skill.name, name)) || uses_number(chosen, name)
        }
        Scope::Check(name) => same(&chosen.rule.name, name),
    }
}

/// Whether the rule uses this number of the actor: `2d6 + {Poise}`, or a Target of `{Poise}` that must not be exceeded. A
/// Target that must be reached is the target's number, and its conditions count there ([`modifiers_of_number`]).
fn uses_number(chosen: &Chosen<'_>, name: &str) -> bool {
    let name = fold(name);
    let own_target = chosen.rule.succeed == Succeed::AtMost && chosen.rule.names_in_target(&name);
    chosen.rule.names_beside_target(&name) || own_target
}
