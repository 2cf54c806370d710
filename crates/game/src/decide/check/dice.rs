//! Changes a check's dice before the roll: the effects of conditions, advantage, disadvantage, the dice chain.

use super::chosen::Chosen;
use super::names::Names;
use crate::decide::roll::check_die;
use crate::mechanics::values::{Values, dice_refusal};
use crate::record::event::Modifier;
use crate::record::state::{Character, State};
use crate::refusal::{Code, Refusal};
use crate::view::secrets;
use rollbook_dice::{BindError, Bound, Expression, Mode, parse};
use rollbook_rules::{Added, Attempt, By, Change, Check, ConditionRule, Scope, Side, Succeed, Swap, SwapHow, System};
use rollbook_text::names::{fold, same};

/// The remark on a check with advantage and disadvantage.
pub const CANCEL: &str = "advantage and disadvantage cancel out";

/// The note on advantage and disadvantage that cancel: the player who asked for one of them sees dice that are rolled as
/// without.
pub fn cancelled(adjustments: &[String], effects: &FromConditions) -> Option<String> {
    let cancels = adjustments.iter().any(|adjustment| adjustment == CANCEL);
    let why = in_brackets(effects.advantage.iter().chain(&effects.disadvantage));
    cancels.then(|| format!("{CANCEL}{why}: the dice are rolled as without either"))
}

/// " (Prone, System.md:12; Blessed, System.md:14)"; empty without sources.
fn in_brackets<'a>(sources: impl IntoIterator<Item = &'a String>) -> String {
    let sources: Vec<&str> = sources.into_iter().map(String::as_str).collect();
    if sources.is_empty() { String::new() } else { format!(" ({})", sources.join("; ")) }
}

/// The expression with advantage or disadvantage; `None` with neither, or with both, which cancel.
///
/// Where the rules have none for this check, a call's is refused and a condition's is noted.
pub fn apply_mode(
    names: &Names<'_>,
    (expression, added): (&Expression, i64),
    effects: &FromConditions,
    adjustments: &mut Vec<String>,
) -> Result<Option<Expression>, Refusal> {
    let call = names.call;
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
    let word = mode.as_str();
    let swap = match find_swap(names, mode, expression) {
        Ok(swap) => swap,
        Err(refusal) if asked => return Err(refusal),
        Err(_) => {
            let sources = sources.join("; ");
            adjustments.push(format!("{sources} asks for {word}, which these rules do not say how to roll"));
            return Ok(None);
        }
    };
    // Dice that the check's own words roll instead of all are as many more as those would be.
    let more = if swap.how == SwapHow::ReplacesAll { in_all(&effects.dice) } else { 0 };
    let dice = swap.roll.with_more_dice(more, 0).bind_with(&mut |name| names.lookup(name, Side::Actor));
    let dice = dice.map_err(|error| match error {
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
    adjustments.push(format!("{word}{}: {}, {}", in_brackets(sources), swap.roll, swap.place));
    changed.map(Some).map_err(|error| dice_refusal(&error))
}

/// What advantage or disadvantage does to this check's dice by the rules.
fn find_swap<'s>(names: &Names<'s>, mode: Mode, expression: &Expression) -> Result<Swap<'s>, Refusal> {
    let (system, rule) = (names.values.system, names.chosen.rule);
    let (word, Check { name, place, .. }) = (mode.as_str(), rule);
    let swap = system.swap(mode, rule);
    // A value may have replaced the d20.
    let is_single = || expression.main_count() == 1 && expression.main_die() == rule.main_die();
    let is_known = swap.is_some();
    if let Some(swap) = swap.filter(|swap| swap.how != SwapHow::ReplacesOne || is_single()) {
        return Ok(swap);
    }
    let summary = match rule.swap_line(mode) == Some(&Added::None) {
        true if !is_known => format!("{name} ({place}) has no {word}"),
        _ if is_known || system.has_usual_advantage() => format!(
            "{name} ({place}) rolls {expression}, and {word} stands for a single d20 where these rules say nothing of it"
        ),
        _ => format!("These rules have no {word}"),
    };
    let instead = if rule.uses_result() { ", or with a modifier." } else { "." };
    let summary = format!("{summary}. Send the check without {word}{instead}");
    Err(Refusal::new(Code::InvalidAdvantageUsage, summary).at(place))
}

/// The expression with its main die moved along the dice chain, at most to its end, and a note.
pub fn apply_chain(names: &Names<'_>, expression: &Expression, steps: i64) -> Result<(Expression, String), Refusal> {
    let Some(chain) = names.chosen.rule.chain.as_ref().or(names.values.system.chain.as_ref()) else {
        let summary = "These rules have no dice chain, so steps mean nothing. Send the check without steps, or with a \
                       modifier.";
        return Err(Refusal::new(Code::NoDiceChain, summary));
    };
    let (place, die) = (&chain.place, expression.main_die());
    let Some((die, moved)) = die.and_then(|die| chain.moved(&die, steps).map(|moved| (die, moved))) else {
        let dice = chain.list();
        let summary =
            format!("The main die of {expression} is not on the dice chain ({dice}). Send the check without steps.");
        return Err(Refusal::new(Code::NoDiceChain, summary).at(place));
    };
    let note = format!("dice chain {steps:+}: {die} to {moved}, {place}");
    let expression = expression.with_main_die(moved).map_err(|error| dice_refusal(&error))?;
    Ok((expression, note))
}

/// Refuses dice in the call's values that the adventure does not have. The rule's own dice are always allowed.
pub fn check_dice_in_values(attempt: &Attempt, names: &Names<'_>) -> Result<(), Refusal> {
    let rule = names.chosen.rule;
    if !rule.variables().iter().any(|name| names.text_given(name).is_some()) {
        return Ok(());
    }
    let mut lookup = |name: &str| match names.lookup(name, Side::Actor) {
        // As many members as there are dice, so that as many can be kept.
        Some(Bound::Dice(text)) => Some(Bound::Dice(vec!["1"; text.split(',').count()].join(","))),
        other => other,
    };
    let of_rule = rule.roll.bind_with(&mut lookup).map(|bound| bound.dice()).unwrap_or_default();
    let foreign = attempt.expression.dice().into_iter().filter(|die| !of_rule.iter().any(|known| known.same_as(die)));
    foreign.into_iter().try_for_each(|die| check_die(names.values.system, &die))
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

/// How many dice or steps they are in all, more or fewer.
pub fn in_all(effects: &[(i64, String)]) -> i64 {
    effects.iter().map(|(many, _)| *many).fold(0, i64::saturating_add)
}

/// All effects on this check: of the actor's conditions, and of those of the target that are about what others roll against
/// it.
pub fn from_conditions(names: &Names<'_>) -> FromConditions {
    let (Values { state, system, actor, .. }, chosen, target) = (names.values, names.chosen, names.target);
    let mut effects = FromConditions::default();
    let of_actor = actor.into_iter().flat_map(|who| changes(state, system, who)).map(|all| (all, None));
    let of_target = target.into_iter().flat_map(|who| changes(state, system, who)).map(|all| (all, target));
    for ((rule, change, amount, hidden), of) in of_actor.chain(of_target) {
        let applies = change.on.iter().any(|on| applies_to(on, system, chosen, names.call.struck));
        if change.against_bearer != of.is_some() || !applies {
            continue;
        }
        effects.of_target |= of.is_some();
        effects.hidden |= hidden || of.is_some_and(|who| secrets::is_hidden_from_players(state, who));
        let name = of.map_or_else(|| rule.name.clone(), |who| format!("{} on {}", rule.name, who.name));
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
        Scope::Attribute(on) => system.named_attribute(on).is_some_and(|attribute| attribute.is_called(&fold(name))),
        Scope::Skill(on) => same(on, name),
        Scope::Checks | Scope::Check(_) | Scope::Attacks => false,
    };
    let counts =
        |change: &Change| !change.against_bearer && matches!(change.by, By::Add(_)) && change.on.iter().any(is_it);
    let all = changes(state, system, whose).filter(|(_, change, amount, _)| *amount != 0 && counts(change));
    let modifier =
        |rule: &ConditionRule, value| Modifier { name: rule.name.clone(), value, from: rule.place.to_string() };
    all.map(|(rule, _, value, hidden)| (modifier(rule, value), hidden)).collect()
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

/// Whether the rule uses this number of the actor: `2d6 + {Poise}`, or a Target of `{Poise}` that must not be exceeded.
/// A Target that must be reached is the target's number, and its conditions count there ([`modifiers_of_number`]).
fn uses_number(chosen: &Chosen<'_>, name: &str) -> bool {
    let name = fold(name);
    let own_target = chosen.rule.succeed == Succeed::AtMost && chosen.rule.names_in_target(&name);
    chosen.rule.names_beside_target(&name) || own_target
}
