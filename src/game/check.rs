//! A check by the adventure's rules: skill, attribute, modifier, expression, roll, outcome row; in that order,
//! and every number with where it came from.

use std::collections::BTreeMap;

use crate::dice::{Expression, Mode, Roll};
use crate::game::entry::Visibility;
use crate::game::event::{CheckEvent, Event, Modifier};
use crate::game::limits::{self, LIMITS};
use crate::game::lookup;
use crate::game::refusal::Refusal;
use crate::game::roll::default_visibility;
use crate::game::state::Character;
use crate::game::table::{Draft, Table};
use crate::game::values::{Values, dice_refusal};
use crate::names::fold;
use crate::rules::{Attribute, Check, Facts, Skill, Succeed, System};

/// What the caller asked for, by names as it typed them.
#[derive(Debug, Default, Clone)]
pub struct CheckCall {
    pub skill: Option<String>,
    pub character: Option<String>,
    pub check: Option<String>,
    pub difficulty: Option<i64>,
    pub attribute: Option<String>,
    pub advantage: bool,
    pub disadvantage: bool,
    /// Situational; named in the result.
    pub modifier: i64,
    pub values: BTreeMap<String, i64>,
    pub context: Option<String>,
    pub visibility: Option<Visibility>,
}

/// Resolves and logs; answers the entry's number.
pub fn decide(table: &mut Table, call: CheckCall) -> Result<u64, Refusal> {
    bounds(&call)?;
    let system = table.system();
    let rule = rule(system, call.check.as_deref())?;
    let actor = actor(table, &call)?.cloned();
    let skill = call.skill.as_deref().map(|name| skill_named(system, name)).transpose()?;
    let attribute = attribute(system, &call, skill)?;
    let given: BTreeMap<String, i64> = call.values.iter().map(|(name, value)| (fold(name), *value)).collect();
    let mut values =
        Values { state: table.state, system, actor: actor.as_ref(), given: given.clone(), resolved: BTreeMap::new() };
    let modifiers = modifiers(&call, &values, actor.as_ref(), skill, attribute)?;
    values.resolved = resolved(&call, skill, &modifiers);
    if let Some(score) = score(actor.as_ref(), attribute) {
        values.resolved.insert("attribute score", score);
    }
    let names_modifier = rule.roll.variables().iter().any(|variable| fold(&variable.name) == "modifier");
    let target = rule.target.as_ref().map(|formula| values.bind(formula)).transpose()?;
    let target = target.map(|expression| constant(&expression, "target")).transpose()?;
    let expression = values.bind(&rule.roll)?;
    let expression = with_mode(system, &values, expression, &call)?;

    // A rule that never names {modifier} still honours the call's own: on the result, or on the target where low is good.
    let (on_roll, target) = match (names_modifier, rule.succeed) {
        (true, _) => (0, target),
        (false, Succeed::AtLeast) => (call.modifier, target),
        (false, Succeed::AtMost) => (0, target.map(|target| target + call.modifier)),
    };
    let by = actor.as_ref().map_or("gm", |actor| actor.name.as_str()).to_owned();
    let record = table.roll(&expression, &by, "skill_check").map_err(|error| dice_refusal(&error))?;
    let facts = facts(&record.roll, on_roll, target, rule, &given);
    let judged = rule.judge(&facts);

    let event = CheckEvent {
        check: rule.name.clone(),
        subject: actor.as_ref().map(Character::subject),
        skill: skill.map(|skill| skill.name.clone()),
        attribute: attribute.map(|attribute| attribute.name.clone()),
        modifiers,
        difficulty: call.difficulty,
        target,
        margin: facts.margin,
        outcome: judged.as_ref().map(|judged| judged.outcome),
        label: judged.as_ref().map(|judged| judged.label.clone()),
        rank: judged.as_ref().and_then(|judged| judged.rank),
        row_text: judged.as_ref().and_then(|judged| judged.text.clone()),
        context: call.context,
    };
    let place = judged.map_or_else(|| rule.place.to_string(), |judged| judged.place.to_string());
    Ok(table.log(Draft {
        visibility: call.visibility.unwrap_or_else(|| default_visibility(actor.as_ref())),
        rolls: vec![record],
        rule: Some(place),
        ..Draft::new(&by, Event::Check(event), Vec::new())
    }))
}

fn bounds(call: &CheckCall) -> Result<(), Refusal> {
    if let Some(context) = &call.context {
        limits::text("context", context, LIMITS.context)?;
    }
    limits::number("modifier", call.modifier)?;
    limits::number("difficulty", call.difficulty.unwrap_or(0))?;
    limits::count("values", call.values.len(), LIMITS.map)?;
    call.values.iter().try_for_each(|(name, value)| {
        limits::name("values", name)?;
        limits::number(&format!("values.{name}"), *value)
    })
}

fn rule<'s>(system: &'s System, name: Option<&str>) -> Result<&'s Check, Refusal> {
    if let Some(name) = name {
        return system.check(name).map_err(|error| lookup::unknown(error, "check", ""));
    }
    system.checks.first().ok_or_else(|| {
        let summary = "This adventure has no rules for checks, so none can be resolved. Send roll_dice \
                       with an expression such as \"1d20+3\", or give the adventure a System.md.";
        Refusal::new("no_rules", summary)
    })
}

fn skill_named<'s>(system: &'s System, name: &str) -> Result<&'s Skill, Refusal> {
    let extra = match system.attributes.first() {
        Some(attribute) => format!(", or attribute=\"{}\" without a skill for an untrained check", attribute.short()),
        None => String::new(),
    };
    system.skill(name).map_err(|error| lookup::unknown(error, "skill", &extra))
}

/// The named character; with no name, the only player character where the rules know attributes or skills.
fn actor<'t>(table: &'t Table, call: &CheckCall) -> Result<Option<&'t Character>, Refusal> {
    let system = table.system();
    match &call.character {
        Some(name) => lookup::character(table.state, system, name).map(Some),
        None if system.attributes.is_empty() && system.skills.is_empty() && table.state.characters.is_empty() => {
            Ok(None)
        }
        None => lookup::sole_player(table.state, system).map(Some),
    }
}

fn attribute<'s>(
    system: &'s System,
    call: &CheckCall,
    skill: Option<&Skill>,
) -> Result<Option<&'s Attribute>, Refusal> {
    let linked = skill.and_then(|skill| skill.attribute.as_deref());
    match call.attribute.as_deref().or(linked) {
        Some(name) => system.attribute(name).map(Some).map_err(|error| lookup::unknown(error, "attribute", "")),
        None => Ok(None),
    }
}

fn modifiers(
    call: &CheckCall,
    values: &Values,
    actor: Option<&Character>,
    skill: Option<&Skill>,
    attribute: Option<&Attribute>,
) -> Result<Vec<Modifier>, Refusal> {
    let mut list = Vec::new();
    if let (Some(actor), Some(attribute)) = (actor, attribute) {
        list.push(attribute_modifier(actor, attribute)?);
    }
    if let (Some(actor), Some(skill)) = (actor, skill) {
        list.push(skill_modifier(values, actor, skill)?);
    }
    if call.modifier != 0 {
        list.push(Modifier { name: "situational".to_owned(), value: call.modifier, from: "the call".to_owned() });
    }
    Ok(list)
}

fn attribute_modifier(actor: &Character, attribute: &Attribute) -> Result<Modifier, Refusal> {
    let (value, from) = match actor.attributes.get(&attribute.name) {
        Some(score) => {
            let value = attribute.modifier(*score).map_err(|error| {
                Refusal::new("rule_broken", format!("{error}. The adventure's author has to mend the rule."))
            })?;
            (value, format!("score {score}, {}", attribute.place))
        }
        None if !actor.kind.is_open() => (0, format!("{} has no score for it; taken as +0", actor.name)),
        None => {
            let short = attribute.short();
            let summary = format!(
                "{0} has no {1} score yet. Send manage_character action=\"update\" character=\"{0}\" \
                 attributes={{\"{short}\": …}}.",
                actor.name, attribute.name
            );
            return Err(Refusal::new("missing_value", summary).at(attribute.place.to_string()));
        }
    };
    Ok(Modifier { name: attribute.name.clone(), value, from })
}

fn skill_modifier(values: &Values, actor: &Character, skill: &Skill) -> Result<Modifier, Refusal> {
    let (value, from) = match actor.skills.get(&skill.name) {
        Some(bonus) => (*bonus, format!("{}'s sheet, {}", actor.name, skill.place)),
        None => (values.untrained(skill)?, format!("untrained, {}", skill.place)),
    };
    Ok(Modifier { name: skill.name.clone(), value, from })
}

/// What `{modifier}`, `{skill}`, `{attribute}` and `{difficulty}` mean in this call.
fn resolved(call: &CheckCall, skill: Option<&Skill>, modifiers: &[Modifier]) -> BTreeMap<&'static str, i64> {
    let of = |name: &str| modifiers.iter().find(|modifier| modifier.name == name).map_or(0, |modifier| modifier.value);
    let mut resolved = BTreeMap::from([("modifier", modifiers.iter().map(|modifier| modifier.value).sum())]);
    if let Some(skill) = skill {
        resolved.insert("skill", of(&skill.name));
    }
    if let Some(first) = modifiers.first().filter(|first| first.name != "situational") {
        let attribute = if skill.is_some_and(|skill| skill.name == first.name) { 0 } else { first.value };
        for name in ["attribute", "stat", "trait", "rating", "ability", "characteristic"] {
            resolved.insert(name, attribute);
        }
    }
    if let Some(difficulty) = call.difficulty {
        resolved.insert("difficulty", difficulty);
    }
    resolved
}

/// The chosen attribute's score, for rules that roll under it.
fn score(actor: Option<&Character>, attribute: Option<&Attribute>) -> Option<i64> {
    actor?.attributes.get(&attribute?.name).copied()
}

fn constant(expression: &Expression, what: &str) -> Result<i64, Refusal> {
    expression.constant().ok_or_else(|| {
        Refusal::new("type_mix", format!("The rule's {what} has dice in it: {expression}. It must be a number."))
    })
}

fn with_mode(
    system: &System,
    values: &Values,
    expression: Expression,
    call: &CheckCall,
) -> Result<Expression, Refusal> {
    let mode = match (call.advantage, call.disadvantage) {
        (true, false) => Mode::Advantage,
        (false, true) => Mode::Disadvantage,
        // One of each cancel out.
        _ => return Ok(expression),
    };
    let rule = match mode {
        Mode::Advantage => &system.advantage,
        Mode::Disadvantage => &system.disadvantage,
    };
    let Some(rule) = rule else {
        let mode = mode.as_str();
        let summary = format!("These rules have no {mode}. Send the check without it, or with a modifier.");
        return Err(Refusal::new("invalid_advantage_usage", summary));
    };
    let dice = values.bind(&rule.roll)?;
    expression.replace_main_die(&dice).map_err(|error| dice_refusal(&error))
}

fn facts(roll: &Roll, on_roll: i64, target: Option<i64>, rule: &Check, values: &BTreeMap<String, i64>) -> Facts {
    let shown = Facts::of(roll, target, rule.succeed);
    let total = roll.total.saturating_add(on_roll);
    let margin = target.map(|target| rule.succeed.margin(total, target));
    Facts { total, margin, values: values.clone(), ..shown }
}
