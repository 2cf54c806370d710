//! What a hit deals and brings, by the outcome, and what it is refused for before dice are rolled.

use std::collections::BTreeMap;

use crate::decide::attack::AttackCall;
use crate::decide::check::AttackBonus;
use crate::decide::damage::{DamageCall, Measure};
use crate::decide::roll::{check_amount, default_visibility};
use crate::decide::{check, damage};
use crate::limits;
use crate::limits::LIMITS;
use crate::mechanics::attacks;
use crate::mechanics::health::Vitality;
use crate::mechanics::values::{Values, dice_refusal};
use crate::record::event::{CheckEvent, Part};
use crate::record::state::{Attack, Character, State};
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_dice::{Expression, parse};
use rollbook_rules::{Check, Dealt, Row, System, row_formula};
use rollbook_text::names::{fold, listed, same};

/// What a hit deals and brings.
#[derive(Clone)]
pub struct Blow {
    /// The dice of each type of damage, as they were typed.
    pub parts: Vec<(Expression, String, Option<String>)>,
    /// What its dice are called in the log: "damage", or the attack's name.
    pub name: String,
    pub conditions: Vec<String>,
    /// What else a hit brings, in words.
    pub effect: Option<String>,
    /// What the call says in the place of what the sheet says.
    pub instead: Vec<String>,
}

impl Blow {
    /// The blow of a call; `None` where it deals nothing. The check of a named attack is what its sheet says.
    pub fn of(table: &Table, call: &mut AttackCall) -> Result<Option<Blow>, Refusal> {
        let sent = call.damage.take().map(|(expression, input)| (expression, input, call.damage_type.clone()));
        let Some(name) = call.attack.take() else {
            return Ok(sent.map(|part| Blow {
                parts: vec![part],
                name: "damage".to_owned(),
                conditions: Vec::new(),
                effect: None,
                instead: Vec::new(),
            }));
        };
        let (_, actor) = check::rule_and_actor(table, &call.check)?;
        let Some(actor) = actor else {
            let summary = "Whose attack? Send character=\"…\" with the attacker's name.";
            return Err(Refusal::new(Code::WhichCharacter, summary));
        };
        let attack = attacks::find(table.system(), actor, &name)?;
        call.check.attack = Some(attack.name.clone());
        let system = table.system();
        // Another attribute is rolled with the skill of the attack, as with any skill.
        let has_skill = attack.skill.as_deref().is_some_and(|own| system.skill(own).is_ok());
        let chosen = call.check.skill.clone().or_else(|| call.check.attribute.clone().filter(|_| !has_skill));
        let named = chosen.is_some();
        match attack.skill.clone().filter(|_| !named) {
            Some(skill) if system.skill(&skill).is_err() && system.attribute(&skill).is_ok() => {
                call.check.attribute = Some(skill);
            }
            Some(skill) => call.check.skill = Some(skill),
            None => {}
        }
        let whole = attack.skill.is_none() && !named;
        let bonus = attack.bonus.filter(|_| whole || attack.skill.is_some());
        call.check.bonus = bonus.map(|value| AttackBonus { name: attack.name.clone(), value, whole });
        let own = attacks::damage(table.state, table.system(), (actor, &attack), &call.check.numbers())?;
        let typed = |(expression, kind): (Expression, Option<String>)| {
            let input = expression.to_string();
            (expression, input, call.damage_type.clone().or(kind))
        };
        let kind = attack.damage.first().and_then(|own| own.damage_type.clone());
        let instead = instead(&attack, chosen.as_deref(), sent.as_ref().map(|(_, input, _)| input.as_str()), call);
        let parts = match sent {
            Some((expression, input, sent)) => vec![(expression, input, sent.or(kind))],
            None => own.into_iter().map(typed).collect(),
        };
        Ok(Some(Blow { parts, name: attack.name, conditions: attack.conditions, effect: attack.effect, instead }))
    }

    /// The whole damage as one expression.
    fn sum(&self) -> Result<Expression, Refusal> {
        let all: Vec<String> = self.parts.iter().map(|(expression, ..)| format!("({expression})")).collect();
        match self.parts.as_slice() {
            [] => parse("0").map_err(|error| dice_refusal(&error)),
            [(only, ..)] => Ok(only.clone()),
            _ => parse(&all.join(" + ")).map_err(|error| dice_refusal(&error)),
        }
    }

    fn kind(&self) -> Option<String> {
        self.parts.first().and_then(|(.., kind)| kind.clone())
    }
}

/// What the call says in the place of what the sheet says of the attack.
fn instead(attack: &Attack, chosen: Option<&str>, damage: Option<&str>, call: &AttackCall) -> Vec<String> {
    let name = &attack.name;
    let mut notes = Vec::new();
    if let Some(chosen) = chosen.filter(|chosen| attack.skill.as_deref().is_none_or(|own| !same(own, chosen))) {
        notes.push(match (&attack.skill, attack.bonus) {
            (Some(own), _) => format!("{chosen} is rolled in the place of {own}, which {name} has"),
            (None, Some(bonus)) => format!("{chosen} is rolled in the place of {name}'s {bonus:+}, which is left out"),
            (None, None) => return notes,
        });
    }
    let own: Vec<String> = attack.damage.iter().map(|own| own.amount.clone()).collect();
    if let Some(sent) = damage.filter(|_| !own.is_empty()) {
        notes.push(format!("{name} deals {sent} in the place of its own {}", own.join(" and ")));
    }
    let kinds: Vec<&str> = attack.damage.iter().filter_map(|own| own.damage_type.as_deref()).collect();
    if let Some(sent) = call.damage_type.as_deref().filter(|sent| kinds.iter().any(|own| !same(own, sent))) {
        notes.push(format!("{name}'s damage is {sent} in the place of {}", kinds.join(" and ")));
    }
    notes
}

/// Refuses what the damage could be refused for.
pub fn check_blow(table: &Table, call: &AttackCall, blow: &Blow, targets: &[Character]) -> Result<(), Refusal> {
    let (state, system) = (&*table.state, table.system());
    let mut asked: u64 = 0;
    for (expression, ..) in &blow.parts {
        check_amount(system, "damage", "1d8+2", expression)?;
        asked = asked.saturating_add(expression.asked());
    }
    // Each die twice at most.
    let asked = asked.saturating_mul(2).saturating_mul(targets.len() as u64);
    limits::count("dice of all damage", usize::try_from(asked).unwrap_or(usize::MAX), LIMITS.dice)?;
    if targets.is_empty() {
        let summary =
            "damage needs somebody who takes it. Send target=\"Goblin 1\", a list of names, or a side of the fight.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    let down: Vec<&str> =
        targets.iter().filter(|own| is_down(state, system, own)).map(|own| own.name.as_str()).collect();
    if !down.is_empty() {
        return Err(target_down(state, &down));
    }
    let (rule, actor) = check::rule_and_actor(table, &call.check)?;
    let visibility = call.check.visibility.unwrap_or_else(|| default_visibility(state, system, actor));
    let typed =
        blow.parts.iter().flat_map(|(_, input, kind)| [("damage", Some(input)), ("damage_type", kind.as_ref())]);
    for (parameter, text) in typed.chain([("attack", Some(&blow.name))]) {
        table.check_text(visibility, parameter, text.map(String::as_str))?;
    }
    // As little and as much as any row makes of it, so that nothing is refused once dice have fallen.
    let doubles = |row: &Row| row.damage == Some(Dealt::Twice);
    let times = if rule.iter().flat_map(|rule| &rule.rows).any(doubles) { 2 } else { 1 };
    let most = greatest(&blow.parts).saturating_mul(times);
    let mut amounts = if blow.parts.is_empty() { Vec::new() } else { vec![1, most] };
    // How much a value comes to is not known yet; by its size no damage is refused.
    let values = rule.iter().flat_map(|rule| &rule.values).map(|value| (fold(&value.name), 1));
    let values = values.chain(call.check.numbers()).collect();
    for row in rule.iter().flat_map(|rule| &rule.rows) {
        if let Some(own) = &row.damage {
            amounts.push(greatest(&dice_of(state, system, actor, blow, own, &values)?));
        }
    }
    for target in targets {
        let call = DamageCall {
            target: target.name.clone(),
            damage_type: blow.kind(),
            apply_conditions: blow.conditions.clone(),
            ..call.hit()
        };
        for amount in amounts.iter().filter(|amount| **amount > 0) {
            damage::compute(state, system, &DamageCall { amount: Some(*amount), ..call.clone() }, None)?;
        }
    }
    Ok(())
}

/// The most that the dice of a blow come to.
pub fn greatest(parts: &[(Expression, String, Option<String>)]) -> i64 {
    parts.iter().filter_map(|(expression, ..)| expression.greatest()).fold(0, i64::saturating_add)
}

pub fn is_down(state: &State, system: &System, who: &Character) -> bool {
    Vitality::of(state, who.id).is_down(system) || state.open_combatant(who.id).is_some_and(|own| own.defeated)
}

fn target_down(state: &State, down: &[&str]) -> Refusal {
    let up = state.running_combat().into_iter().flat_map(|combat| state.combatants_of(combat.id));
    let side = |name: &str| {
        let who = state.characters.values().find(|own| own.name == name)?;
        state.open_combatant(who.id).map(|own| own.side.clone())
    };
    let side = down.first().and_then(|name| side(name));
    let up = up.filter(|own| !own.defeated && Some(&own.side) == side.as_ref());
    let up: Vec<&str> =
        up.filter_map(|own| state.characters.get(&own.character)).map(|own| own.name.as_str()).collect();
    let others = if up.is_empty() { String::new() } else { format!(" Up: {}.", listed(up.iter().copied(), 200)) };
    let dead = |name: &&&str| {
        let who = state.characters.values().find(|own| own.name == **name);
        who.is_some_and(|own| Vitality::of(state, own.id).is_dead())
    };
    let all_dead = down.iter().filter(dead).count() == down.len();
    let verb = if down.len() == 1 { "is" } else { "are" };
    let (what, advice) = match all_dead {
        true => ("dead", "Name others; a dead body takes no damage, so say without dice what becomes of it."),
        false => (
            "down",
            "Name others; or to strike somebody who lies there and lives, send the check without damage, then apply_damage.",
        ),
    };
    let summary = format!("{} {verb} {what}.{others} {advice}", listed(down.iter().copied(), 200));
    Refusal::new(Code::TargetDown, summary)
}

/// The dice of each part that are rolled for it; `values` are those of the check, by folded names.
pub fn dice_of(
    state: &State,
    system: &System,
    actor: Option<&Character>,
    blow: &Blow,
    deals: &Dealt,
    values: &BTreeMap<String, i64>,
) -> Result<Vec<(Expression, String, Option<String>)>, Refusal> {
    match deals {
        Dealt::None => Ok(Vec::new()),
        Dealt::Half | Dealt::Once | Dealt::Twice | Dealt::Maximum => Ok(blow.parts.clone()),
        Dealt::DiceTwice => {
            let twice = |(expression, _, kind): &(Expression, String, Option<String>)| {
                let twice = parse(&expression.with_dice_twice()).map_err(|error| dice_refusal(&error))?;
                let input = twice.to_string();
                Ok((twice, input, kind.clone()))
            };
            blow.parts.iter().map(twice).collect()
        }
        Dealt::Amount(own) => {
            let formula = row_formula(own, &blow.sum()?).map_err(|error| dice_refusal(&error))?;
            let sheet = Values::of_optional(state, system, actor);
            // Of fewer dice than none there are none.
            let at_least_none = || values.iter().map(|(name, value)| (name.clone(), (*value).max(0))).collect();
            let bound = sheet.bind_beside(&formula, values);
            let expression = bound.or_else(|_| sheet.bind_beside(&formula, &at_least_none()))?;
            let input = expression.to_string();
            Ok(vec![(expression, input, blow.kind())])
        }
    }
}

/// Dice of one type of damage, as they were typed.
pub type TypedDice = (Expression, String, Option<String>);

/// What an outcome deals.
pub enum Dealing {
    Nothing,
    /// It is for the GM to say.
    Unread,
    /// The most that these dice can show; they are not rolled.
    Most(Vec<TypedDice>),
    /// So much of what these dice show.
    Rolled(Vec<TypedDice>, Measure),
}

/// What this check deals, by the row that decided; the state is that after the check.
pub fn dealing(table: &Table, blow: &Blow, event: &CheckEvent) -> Result<Dealing, Refusal> {
    let Some(deals) = deals(table.system(), event) else { return Ok(Dealing::Unread) };
    let actor = event.subject.as_ref().and_then(|own| table.state.characters.get(&own.id));
    let given = event.given().map(|own| (fold(&own.name), own.value));
    let values = given.chain(event.results.iter().map(|(name, value)| (fold(name), *value))).collect();
    let dice = || dice_of(table.state, table.system(), actor, blow, &deals, &values);
    Ok(match deals {
        Dealt::None => Dealing::Nothing,
        Dealt::Maximum => Dealing::Most(dice()?),
        Dealt::Half => Dealing::Rolled(dice()?, Measure::Half),
        Dealt::Twice => Dealing::Rolled(dice()?, Measure::Twice),
        Dealt::Once | Dealt::DiceTwice | Dealt::Amount(_) => Dealing::Rolled(dice()?, Measure::Once),
    })
}

/// What the outcome deals. The loser of an opposed check deals nothing; where the outcome is for the GM to say, so is the damage: none.
fn deals(system: &System, event: &CheckEvent) -> Option<Dealt> {
    if event.opposed.as_ref().is_some_and(|opposed| !opposed.won) {
        return Some(Dealt::None);
    }
    let outcome = event.outcome?;
    match &event.stated {
        Some(_) => Some(Dealt::by_outcome(outcome)),
        None => event.rule(system).map(|rule| rule.deals(event.rank, outcome)),
    }
}

/// Whether an attack with this outcome deals anything.
pub fn deals_something(system: &System, event: &CheckEvent) -> bool {
    deals(system, event) != Some(Dealt::None)
}

/// The conditions that an outcome brings: those of its row, and those of the blow where it dealt anything.
pub fn brought(rule: Option<&Check>, event: &CheckEvent, dealt: Option<&Blow>) -> Vec<String> {
    let row =
        rule.and_then(|rule| rule.row(event.rank)).filter(|_| event.opposed.as_ref().is_none_or(|opposed| opposed.won));
    let of_row = row.into_iter().flat_map(|row| &row.effects).cloned();
    of_row.chain(dealt.into_iter().flat_map(|blow| &blow.conditions).cloned()).collect()
}

/// Says in `hit` how much of which type hits. One total is read from its roll, where it is named.
pub fn set_amount(hit: &mut DamageCall, totals: impl Iterator<Item = (i64, Option<String>)>) {
    let mut parts: Vec<Part> = totals.map(|(amount, damage_type)| Part { amount, damage_type }).collect();
    let total: i64 = parts.iter().map(|part| part.amount).sum();
    if parts.len() > 1 {
        parts.retain(|part| part.amount > 0);
    }
    if parts.len() > 1 {
        hit.parts = parts;
        return;
    }
    let only = parts.pop();
    let below = only.as_ref().map_or(total, |only| only.amount);
    hit.below_zero = (below < 0).then_some(below);
    hit.amount = Some(only.as_ref().map_or(0, |only| only.amount.max(0)));
    hit.damage_type = only.and_then(|only| only.damage_type);
}

/// The same with the most that dice can show; nothing where that is nothing.
pub fn set_most(hit: &mut DamageCall, dice: &[TypedDice]) {
    if greatest(dice) > 0 {
        set_amount(hit, dice.iter().map(|(expression, _, kind)| (expression.greatest().unwrap_or(0), kind.clone())));
    }
}

/// Whether a hit says how much it is.
pub fn hurts(hit: &DamageCall) -> bool {
    hit.roll.is_some() || hit.amount.is_some() || !hit.parts.is_empty()
}
