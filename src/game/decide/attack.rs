//! An attack in one call: the check, and for each target the damage that its outcome deals, what it brings, and the next turn.
//!
//! What a row does to the damage is the author's ([`Check::deals`](crate::rules::Check::deals)). Each step is an entry of its own: the
//! check, the damage roll, which names the check, and the damage, which names that roll. All of it is refused before dice are rolled.

use crate::dice::{Expression, parse};
use crate::game::decide::check::{self, AttackBonus, CheckCall};
use crate::game::decide::combat;
use crate::game::decide::damage::{self, DamageCall, DamageResult, Measure};
use crate::game::decide::roll::{check_amount, default_visibility};
use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::attacks;
use crate::game::mechanics::health::Vitality;
use crate::game::mechanics::several::{Reach, left_out, several};
use crate::game::mechanics::values::{Values, dice_refusal};
use crate::game::record::entry::Visibility;
use crate::game::record::event::{CheckEvent, Event, Part, Subject};
use crate::game::record::state::{Character, State};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::game::view::secrets;
use crate::names::listed;
use crate::rules::{Check, Deals, System, dice_twice, row_formula};

/// A check against others, with what it does to them.
#[derive(Clone)]
pub struct AttackCall {
    /// Its character is each of `characters`, where there are any, and its target each of `targets`.
    pub check: CheckCall,
    /// Names, a side, "party".
    pub characters: Vec<String>,
    /// Names, a side, "party".
    pub targets: Vec<String>,
    /// An attack on the actor's sheet, by its name.
    pub attack: Option<String>,
    /// Dice and as they were typed; in place of those of the attack.
    pub damage: Option<(Expression, String)>,
    pub damage_type: Option<String>,
    /// The actor's turn is over then.
    pub end_turn: bool,
}

/// What a hit deals and brings.
#[derive(Clone)]
struct Blow {
    /// The dice of each type of damage, as they were typed.
    parts: Vec<(Expression, String, Option<String>)>,
    /// What its dice are called in the log: "damage", or the attack's name.
    name: String,
    conditions: Vec<String>,
    /// What else a hit brings, in words.
    effect: Option<String>,
}

impl Blow {
    /// The blow of a call; `None` where it deals nothing. The check of a named attack is what its sheet says.
    fn of(table: &Table, call: &mut AttackCall) -> Result<Option<Blow>, Refusal> {
        let sent = call.damage.take().map(|(expression, input)| (expression, input, call.damage_type.clone()));
        let Some(name) = call.attack.take() else {
            let blow =
                |part| Blow { parts: vec![part], name: "damage".to_owned(), conditions: Vec::new(), effect: None };
            return Ok(sent.map(blow));
        };
        let (_, actor) = check::rule_and_actor(table, &call.check)?;
        let Some(actor) = actor else {
            let summary = "Whose attack? Send character=\"…\" with the attacker's name.";
            return Err(Refusal::new(Code::WhichCharacter, summary));
        };
        let attack = attacks::find(table.system(), actor, &name)?;
        let named = call.check.skill.is_some() || call.check.attribute.is_some();
        let system = table.system();
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
        let own = attacks::damage(table.state, table.system(), actor, &attack)?;
        let typed = |(expression, kind): (Expression, Option<String>)| {
            let input = expression.to_string();
            (expression, input, call.damage_type.clone().or(kind))
        };
        let kind = attack.damage.first().and_then(|own| own.damage_type.clone());
        let parts = match sent {
            Some((expression, input, sent)) => vec![(expression, input, sent.or(kind))],
            None => own.into_iter().map(typed).collect(),
        };
        Ok(Some(Blow { parts, name: attack.name, conditions: attack.conditions, effect: attack.effect }))
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

/// One target's part of a call.
pub struct Strike {
    /// The check's entry.
    pub check: u64,
    /// The damage roll's entry.
    pub roll: Option<u64>,
    pub damage: Option<DamageResult>,
}

/// Makes the checks and what follows from them, one target after the other.
///
/// # Errors
/// What the check, the damage or the fight refuse; all unknown targets at once. Nothing is rolled then.
pub fn decide(table: &mut Table, call: &AttackCall) -> Result<Vec<Strike>, Refusal> {
    if !call.characters.is_empty() && (call.end_turn || call.check.again.is_some()) {
        let summary = "end_turn and again are about one character. Leave them out, or send character as one name.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    if call.check.again.is_some() && (call.damage.is_some() || call.attack.is_some()) {
        let summary = "again follows the first roll. Leave damage and attack out, then roll_dice and apply_damage.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    if call.end_turn {
        combat::check_turn_of(table, call.check.character.as_deref())?;
    }
    let actor = check::rule_and_actor(table, &call.check).ok().and_then(|(_, actor)| actor).map(|own| own.id);
    let found = match call.targets.as_slice() {
        [] => Vec::new(),
        names => several(table.state, table.system(), "target", names, Reach::Up)?,
    };
    // Nobody is meant by a side's name who strikes it.
    let others = found.iter().filter(|own| found.len() == 1 || Some(own.id) != actor);
    let targets: Vec<Character> = others.map(|own| Character::clone(own)).collect();
    let is_meant = |who: &Character| Some(who.id) == actor || found.iter().any(|own| own.id == who.id);
    let mut out = left_out(table.state, table.system(), "target", &call.targets, Reach::Up, is_meant);
    let characters: Vec<Option<String>> = match call.characters.as_slice() {
        [] => vec![call.check.character.clone()],
        names => {
            let found = several(table.state, table.system(), "character", names, Reach::Up)?;
            let is_meant = |who: &Character| found.iter().any(|own| own.id == who.id);
            out.extend(left_out(table.state, table.system(), "character", names, Reach::Up, is_meant));
            found.iter().map(|own| Some(own.name.clone())).collect()
        }
    };
    let mut prepared = Vec::new();
    for character in characters {
        let mut own = AttackCall { check: CheckCall { character, ..call.check.clone() }, ..call.clone() };
        let blow = Blow::of(table, &mut own)?;
        own.check.struck = blow.is_some();
        if let Some(blow) = &blow {
            check_blow(table, &own, blow, &targets)?;
        }
        let at: Vec<Option<String>> = match targets.as_slice() {
            [] => vec![None],
            targets => targets.iter().map(|own| Some(own.name.clone())).collect(),
        };
        for target in at {
            let check = CheckCall { target, ..own.check.clone() };
            // The only one is refused by the check itself.
            if !call.characters.is_empty() || targets.len() > 1 {
                check::planned_rolls(table, &check)?;
            }
            prepared.push((check, blow.clone()));
        }
    }
    if call.check.entered.is_some() && prepared.len() > 1 {
        let summary = "entered is the dice of one check. Send each check by itself, with its own dice.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    table.note(out);
    let mut strikes = Vec::new();
    for (nth, (check, blow)) in prepared.into_iter().enumerate() {
        let actor = if nth > 0 { check::rule_and_actor(table, &check)?.1.cloned() } else { None };
        if let Some(fallen) = actor.filter(|own| blow.is_some() && is_down(table.state, table.system(), own)) {
            table.note([format!("{} is down, and strikes nobody else", fallen.name)]);
            continue;
        }
        strikes.push(strike(table, check, blow.as_ref())?);
    }
    // Where the blow leaves nobody up, it is dealt all the same.
    if call.end_turn
        && let Err(refusal) = combat::next_turn(table)
    {
        table.note([refusal.summary]);
    }
    Ok(strikes)
}

/// Refuses what the damage could be refused for.
fn check_blow(table: &Table, call: &AttackCall, blow: &Blow, targets: &[Character]) -> Result<(), Refusal> {
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
        secrets::check_text(state, system, visibility, parameter, text.map(String::as_str))?;
    }
    // As little and as much as any row makes of it, so that nothing is refused once dice have fallen.
    let mut amounts = if blow.parts.is_empty() { Vec::new() } else { vec![1, greatest(&blow.parts).saturating_mul(2)] };
    for row in rule.iter().flat_map(|rule| &rule.rows) {
        if let Some(own) = &row.damage {
            amounts.push(greatest(&dice_of(state, system, actor, blow, &own.deals)?));
        }
    }
    for target in targets {
        let call = DamageCall {
            target: target.name.clone(),
            damage_type: blow.kind(),
            apply_conditions: blow.conditions.clone(),
            ..DamageCall::default()
        };
        for amount in amounts.iter().filter(|amount| **amount > 0) {
            damage::compute(state, system, &DamageCall { amount: Some(*amount), ..call.clone() }, None)?;
        }
    }
    Ok(())
}

/// The most that the dice of a blow come to.
fn greatest(parts: &[(Expression, String, Option<String>)]) -> i64 {
    parts.iter().filter_map(|(expression, ..)| expression.greatest()).fold(0, i64::saturating_add)
}

fn is_down(state: &State, system: &System, who: &Character) -> bool {
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

fn strike(table: &mut Table, call: CheckCall, blow: Option<&Blow>) -> Result<Strike, Refusal> {
    let (named, default) = (call.target.clone(), call.visibility.is_none());
    let seq = check::decide(table, call)?;
    let mut strike = Strike { check: seq, roll: None, damage: None };
    let Some((event, visibility)) = table.written_at(seq).and_then(|own| match &own.entry.event {
        Event::Check(event) => Some((CheckEvent::clone(event), own.entry.visibility)),
        _ => None,
    }) else {
        return Ok(strike);
    };
    let Ok(rule) = table.system().check(&event.check) else { return Ok(strike) };
    let mut conditions: Vec<String> = brought(rule, &event);
    // A follow-up is at whom the first roll was.
    let of_event = event.against.as_ref().or(event.subject.as_ref());
    let Some(target) = named.or_else(|| of_event.map(|own| own.name.clone())) else { return Ok(strike) };
    let mut hit = DamageCall { target, ..DamageCall::default() };
    if let Some(blow) = blow
        && let Some(measure) = deal(table, blow, &event, (seq, visibility), &mut hit)?
    {
        (strike.roll, hit.measure) = (hit.roll, measure);
        conditions.extend(blow.conditions.iter().cloned());
        table.note(blow.effect.iter().map(|effect| format!("{} also: {effect}", blow.name)));
    }
    let dead = table.state.characters.values().find(|own| own.name == hit.target);
    if let Some(dead) = dead.filter(|own| Vitality::of(table.state, own.id).is_dead()) {
        if !conditions.is_empty() {
            table.note([format!("{} is dead, so {} is not brought", dead.name, conditions.join(", "))]);
        }
        return Ok(strike);
    }
    let hurts = hit.roll.is_some() || hit.amount.is_some() || !hit.parts.is_empty();
    if hurts || !conditions.is_empty() {
        let by = secrets::unseen_striker(table.state, &event, visibility).filter(|_| default);
        strike.damage = Some(apply(table, DamageCall { apply_conditions: conditions, by_rule: true, ..hit }, by)?);
    }
    Ok(strike)
}

/// The conditions that the row of an outcome brings.
fn brought(rule: &Check, event: &CheckEvent) -> Vec<String> {
    let row = rule.row(event.rank).filter(|_| event.opposed.as_ref().is_none_or(|opposed| opposed.won));
    row.map(|row| row.effects.iter().map(|own| own.condition.clone()).collect()).unwrap_or_default()
}

/// Rolls what a check deals and says in `hit` how much it is; `None` where it is no hit.
fn deal(
    table: &mut Table,
    blow: &Blow,
    event: &CheckEvent,
    (seq, visibility): (u64, Visibility),
    hit: &mut DamageCall,
) -> Result<Option<Measure>, Refusal> {
    let deals = match deals(table.system(), event) {
        Deals::Nothing => return Ok(None),
        Deals::Unread => {
            let dice: Vec<&str> = blow.parts.iter().map(|(expression, ..)| expression.as_str()).collect();
            table.note([format!(
                "what this outcome deals is for the GM to say: roll {} and send it with apply_damage",
                dice.join(" and ")
            )]);
            return Ok(None);
        }
        deals => deals,
    };
    let actor = event.subject.as_ref().and_then(|own| table.state.characters.get(&own.id));
    let dice = dice_of(table.state, table.system(), actor, blow, &deals)?;
    let by = event.subject.as_ref().map_or_else(|| "gm".to_owned(), |own| own.name.clone());
    match deals {
        Deals::Maximum => {
            let all: Vec<&str> = dice.iter().map(|(expression, ..)| expression.as_str()).collect();
            if greatest(&dice) <= 0 {
                return Ok(Some(Measure::Once));
            }
            hit.reason = Some(format!("the most of {}", all.join(" and ")));
            set_amount(
                hit,
                dice.iter().map(|(expression, _, kind)| (expression.greatest().unwrap_or(0), kind.clone())),
            );
        }
        Deals::Nothing
        | Deals::Unread
        | Deals::Half
        | Deals::Once
        | Deals::DiceTwice
        | Deals::Twice
        | Deals::Formula(_) => {
            let mut rolls = Vec::new();
            for (expression, ..) in &dice {
                rolls.push(table.roll(expression, &by, "").map_err(|error| dice_refusal(&error))?);
            }
            if !rolls.is_empty() {
                set_amount(hit, rolls.iter().zip(&dice).map(|(record, (.., kind))| (record.roll.total, kind.clone())));
                let (context, aside, check) = (Some(blow.name.clone()), true, Some(seq));
                let mut inputs: Vec<String> = dice.into_iter().map(|(_, input, _)| input).collect();
                let event = match inputs.len() {
                    1 => Event::Roll { input: inputs.pop().unwrap_or_default(), context, aside, check },
                    _ => Event::RollSet { inputs, count: 1, context, aside, check, single: false },
                };
                hit.roll = Some(table.log(Draft { visibility, rolls, ..Draft::new(&by, event, Vec::new()) }));
            }
        }
    }
    Ok(Some(match deals {
        Deals::Half => Measure::Half,
        Deals::Twice => Measure::Twice,
        Deals::Nothing | Deals::Once | Deals::DiceTwice | Deals::Maximum | Deals::Formula(_) | Deals::Unread => {
            Measure::Once
        }
    }))
}

/// How much of which type hits. One total is read from its roll, where it is named.
fn set_amount(hit: &mut DamageCall, totals: impl Iterator<Item = (i64, Option<String>)>) {
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

/// What the outcome deals. The loser of an opposed check deals nothing; where the outcome is for the GM to say, so is the damage.
fn deals(system: &System, event: &CheckEvent) -> Deals {
    if event.opposed.as_ref().is_some_and(|opposed| !opposed.won) {
        return Deals::Nothing;
    }
    let Some(outcome) = event.outcome else { return Deals::Unread };
    system.check(&event.check).map_or(Deals::Unread, |rule| rule.deals(event.rank, outcome))
}

/// The dice of each part that are rolled for it.
fn dice_of(
    state: &State,
    system: &System,
    actor: Option<&Character>,
    blow: &Blow,
    deals: &Deals,
) -> Result<Vec<(Expression, String, Option<String>)>, Refusal> {
    match deals {
        Deals::Nothing | Deals::Unread => Ok(Vec::new()),
        Deals::Half | Deals::Once | Deals::Twice | Deals::Maximum => Ok(blow.parts.clone()),
        Deals::DiceTwice => {
            let twice = |(expression, _, kind): &(Expression, String, Option<String>)| {
                let twice = dice_twice(expression).map_err(|error| dice_refusal(&error))?;
                let input = twice.to_string();
                Ok((twice, input, kind.clone()))
            };
            blow.parts.iter().map(twice).collect()
        }
        Deals::Formula(formula) => {
            let formula = row_formula(formula, &blow.sum()?).map_err(|error| dice_refusal(&error))?;
            let expression = Values::of_optional(state, system, actor).bind(&formula)?;
            let input = expression.to_string();
            Ok(vec![(expression, input, blow.kind())])
        }
    }
}

/// Works the damage out and logs it. Conditions alone may be there already, and then nothing changes.
fn apply(table: &mut Table, call: DamageCall, by: Option<Subject>) -> Result<DamageResult, Refusal> {
    let rolled = call.roll.and_then(|seq| Some((seq, table.written_at(seq)?.entry.clone())));
    let mut result = damage::compute(table.state, table.system(), &call, rolled.as_ref().map(|(_, entry)| entry))?;
    result.event.by = by.map(Box::new);
    let alone = call.roll.is_none() && call.amount.is_none() && call.parts.is_empty();
    if alone && damage::check_effect(&result.event, &call).is_err() {
        return Ok(result);
    }
    Ok(damage::write(table, result, None))
}
