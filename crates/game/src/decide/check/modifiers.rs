//! The parts of `{modifier}` with their sources; what had no effect or an unexpected one.

use super::call::{CheckCall, names_there_are};
use super::names::Names;
use crate::mechanics::values::{Values, dice_refusal, values_example};
use crate::record::{event::Modifier, state::Character};
use crate::refusal::{Code, Refusal, Result};
use rollbook_dice::{Bound, Code as DiceCode, DiceError, parse};
use rollbook_rules::{Attempt, AttemptError, Attribute, Base, Check, Side, Succeed, target_name};
use rollbook_text::names::{fold, listed, quoted, same};

pub fn sum(parts: &[Modifier]) -> i64 {
    parts
        .iter()
        .map(|part| part.value)
        .fold(0, i64::saturating_add)
}

/// Attribute and skill, or the rule's Modifier bullet; then conditions; then the call's modifier.
/// `values.modifier` replaces all. Without `{modifier}` the last two are added to the result.
pub fn modifiers(names: &Names<'_>, conditions: Vec<Modifier>) -> Result<Vec<Modifier>> {
    let (call, Names { chosen, values, .. }) = (names.call, names);
    let modifier = |name: &str, value, from: &str| Modifier {
        name: name.to_owned(),
        value,
        from: from.to_owned(),
    };
    if let Some(Bound::Number(value)) = names.given.get("modifier") {
        return Ok(vec![modifier("modifier", *value, "the call's values")]);
    }
    let mut parts = Vec::new();
    let is_whole = call.bonus.as_ref().is_some_and(|bonus| bonus.whole);
    if let Some(actor) = values
        .actor
        .filter(|_| chosen.rule.names("modifier") && !is_whole)
    {
        if let Some(attribute) = chosen.attribute {
            let value = chosen
                .attribute_value(values)
                .ok_or_else(|| no_score(*values, actor, attribute))?;
            parts.push(modifier(&attribute.name, value.value, &value.from));
        }
        let value = chosen.skill_value(values)?;
        parts.extend(
            chosen
                .skill
                .iter()
                .zip(value)
                .map(|(skill, it)| modifier(&skill.name, it.value, &it.from)),
        );
    }
    parts.extend(
        call.bonus
            .iter()
            .map(|bonus| modifier(&bonus.name, bonus.value, "the sheet's attack")),
    );
    parts.extend(conditions);
    parts.extend((call.modifier != 0).then(|| modifier("situational", call.modifier, "the call")));
    Ok(parts)
}

fn no_score(values: Values<'_>, actor: &Character, attribute: &Attribute) -> Refusal {
    let score = values
        .score(attribute)
        .map(|score| attribute.modifier(score.value));
    let (code, summary) = match score {
        Some(Err(error)) => (
            Code::RuleBroken,
            format!("{error}. The adventure's author has to mend the rule."),
        ),
        Some(Ok(_)) | None => {
            let (who, name, short) = (&actor.name, &attribute.name, attribute.short());
            let summary = format!(
                "{who} has no {name} score yet. Send manage_character action=\"update\" character=\"{who}\" \
                 attributes={{\"{short}\": …}}."
            );
            (Code::MissingValue, summary)
        }
    };
    Refusal::new(code, summary).at(&attribute.place)
}

pub fn attempt_refusal(error: AttemptError, names: &Names<'_>) -> Refusal {
    let Check { name, place, .. } = names.chosen.rule;
    match error {
        AttemptError::Missing(missing) => {
            let mut refusal = missing_refusal(&missing, names);
            if names.chosen.rule.is_stated() {
                refusal.summary.push_str(&names_there_are(&names.values));
            }
            refusal.at(place)
        }
        AttemptError::TooFewDice { count, roll } => {
            let summary = format!(
                "{name} rolls {roll}, which comes to {count} dice here, and the rules do not say what fewer dice than none are. \
                 Check the values that were sent, or let the author add `- With no dice:` to {place}."
            );
            Refusal::new(Code::InvalidDie, summary).at(place)
        }
        AttemptError::DiceInTarget(target) => Refusal::new(
            Code::TypeMix,
            format!("The rule's target has dice in it: {target}. It must be a number."),
        ),
        AttemptError::Dice(error) => neither_number_nor_dice(names)
            .or_else(|| dice_for_a_number(names))
            .or_else(|| no_such_die(&error, names))
            .unwrap_or_else(|| dice_refusal(&error)),
    }
}

/// Refuses an attribute's or a skill's name for a number (`{"stat": "Cheek"}`), and a fraction.
fn neither_number_nor_dice(names: &Names<'_>) -> Option<Refusal> {
    let (rule, system, of) = (names.chosen.rule, names.values.system, names.call.prefix());
    let variables = rule.variables();
    let sent: Vec<_> = variables
        .iter()
        .filter_map(|name| Some((name, names.text_given(name)?)))
        .collect();
    let has_fraction = |text: &str| {
        text.trim()
            .parse::<f64>()
            .is_ok_and(|number| number.fract().abs() > 0.0)
    };
    let summary = if let Some((name, number)) = sent.iter().find(|(_, text)| has_fraction(text)) {
        format!(
            "{of}values.{name} is {}, and it takes a whole number. Send one.",
            quoted(number)
        )
    } else {
        let (name, text) = sent.iter().find(|(_, text)| parse(text).is_err())?;
        let attribute = || Some(("attribute", &system.attribute(text).ok()?.name));
        let (parameter, known) =
            attribute().or_else(|| Some(("skill", &system.skill(text).ok()?.name)))?;
        let way = format!("Send {of}{parameter}=\"{known}\", or a number.");
        format!(
            "{of}values.{name} is \"{}\", which is neither a number nor dice. {way}",
            quoted(text)
        )
    };
    Some(Refusal::new(Code::InvalidParameters, summary).at(&rule.place))
}

/// Refuses dice for a number, `{"pool": "d6,d8"}` for `{pool}d6`; `None`: numbers are at fault.
fn dice_for_a_number(names: &Names<'_>) -> Option<Refusal> {
    let Check {
        name: check,
        place,
        roll,
        ..
    } = names.chosen.rule;
    let variables = roll.variables();
    let mut sent = variables
        .iter()
        .filter_map(|sent| Some((&*sent.name, names.text_given(&sent.name)?)))
        .peekable();
    // A number that is no size of a die is another fault.
    let binds = |name: &str, value| can_roll(names, (name, value), 1);
    if sent.peek().is_none() || binds("", Bound::Number(1)) {
        return None;
    }
    let (name, text) = sent.find(|(name, _)| binds(name, Bound::Number(1)))?;
    let sum = text
        .split(',')
        .map(str::trim)
        .collect::<Vec<&str>>()
        .join(" + ");
    let fits = binds(name, Bound::Dice(sum.clone()));
    let instead = if fits {
        format!("\"{}\"", quoted(&sum))
    } else {
        text.split(',').count().to_string()
    };
    let (of, text) = (names.call.prefix(), quoted(text));
    let way = values_example(name, names.call.opposing)
        .replace(&format!("\"{name}\": …"), &format!("\"{name}\": {instead}"));
    let summary = format!(
        "{check} ({place}) rolls {roll}, and {of}values.{name} is \"{text}\", which does not fit there. Send {way}."
    );
    Some(Refusal::new(Code::InvalidParameters, summary).at(place))
}

fn can_roll(names: &Names<'_>, (name, value): (&str, Bound), least: i64) -> bool {
    let mut lookup = |other: &str| match names.lookup(other, Side::Actor) {
        _ if same(other, name) => Some(value.clone()),
        Some(Bound::Number(number)) => Some(Bound::Number(number.max(least))),
        found => found,
    };
    names.chosen.rule.roll.bind_with(&mut lookup).is_ok()
}

/// The refusal of a die whose size is a 0 of the sheet: `1d{skill}` of who never learned it.
fn no_such_die(error: &DiceError, names: &Names<'_>) -> Option<Refusal> {
    let Check {
        name: check,
        place,
        roll,
        ..
    } = names.chosen.rule;
    let zeros = if error.code == DiceCode::InvalidDie {
        names.zeros_in_roll()
    } else {
        Vec::new()
    };
    // The one without which the roll can be made.
    let mends = |zero: &str| can_roll(names, (zero, Bound::Number(1)), i64::MIN);
    let (name, found) = zeros.into_iter().find(|(name, _)| mends(name))?;
    let skill = names
        .chosen
        .skill
        .as_ref()
        .filter(|_| fold(&name) == "skill");
    let what = skill.map_or(&name, |skill| &skill.name);
    let who = names
        .values
        .actor
        .map_or_else(String::new, |actor| format!(" of {}", actor.name));
    let way = values_example(&name, names.call.opposing);
    let summary = format!(
        "{check} ({place}) rolls {roll}, and {what}{who} is {found}, which is the size of no die. Send {way} with a number from \
         1 on, or raise it on the sheet."
    );
    Some(Refusal::new(Code::InvalidDie, summary).at(place))
}

fn missing_refusal(missing: &[String], names: &Names<'_>) -> Refusal {
    let (rule, opposing) = (names.chosen.rule, names.call.opposing);
    let check = format!("{} ({})", rule.name, rule.place);
    let lacking = names.lacking(missing);
    if let Some(target) = names.target.filter(|_| !lacking.is_empty()) {
        return target_lacks(target, missing, &lacking, &check, names);
    }
    if let Some(refusal) = missing
        .iter()
        .find_map(|name| skill_without_number(name, names))
    {
        return refusal;
    }
    let of_attribute = |name: &str| ["attribute", "attribute score"].contains(&fold(name).as_str());
    let attribute = names.chosen.attribute;
    if let (Some(actor), Some(attribute), [only]) = (names.values.actor, attribute, missing)
        && (of_attribute(only) || attribute.is_called(&fold(only)))
        && names.chosen.attribute_value(&names.values).is_none()
    {
        return no_score(names.values, actor, attribute);
    }
    let mut refusal = names
        .values
        .missing_in(&check, Some(rule), missing, opposing);
    // Another check may need only the attribute that the call has.
    let asks_for_skill =
        names.chosen.skill.is_none() && missing.iter().any(|name| fold(name) == "skill");
    let is_other = |check: &&Check| {
        !check.names("skill") && check.variables().iter().any(|name| of_attribute(name))
    };
    let other = names.values.system.checks.iter().find(is_other);
    if let Some(other) = other.filter(|_| attribute.is_some() && asks_for_skill) {
        let of = names.call.prefix();
        refusal.summary.push_str(&format!(
            " For the attribute alone send {of}check=\"{}\".",
            other.name
        ));
    }
    refusal
}

/// The refusal of a skill without a number: its score is missing, or its table has no row for that.
fn skill_without_number(name: &str, names: &Names<'_>) -> Option<Refusal> {
    let chosen = names
        .chosen
        .skill
        .as_ref()
        .filter(|_| fold(name) == "skill")
        .and_then(|skill| skill.declared);
    if let Some(skill) = chosen {
        return names.values.skill(skill).err();
    }
    let skill = names.values.system.named_skill(name)?;
    let Some(Base::Table(table)) = &skill.base else {
        return None;
    };
    names.values.try_bind(&table.key).ok()?;
    names.values.skill(skill).err()
}

/// Characters of a list of names.
const NAMES_MAX: usize = 120;

/// The refusal of a check against a sheet without the target number, with the calls that set it.
fn target_lacks(
    target: &Character,
    missing: &[String],
    lacking: &[String],
    check: &str,
    names: &Names<'_>,
) -> Refusal {
    let (rule, values, who) = (names.chosen.rule, &names.values, &target.name);
    let what = listed(lacking.iter().map(String::as_str), NAMES_MAX);
    let sets = values.fields_for(lacking).join(" ");
    let mut summary = format!(
        "{check} is tried against the target's {what}, and {who} has none. Send manage_character action=\"update\" \
         character=\"{who}\" {sets}"
    );
    if !rule.target_names().is_empty() {
        summary.push_str(", or difficulty=… for this roll alone");
    }
    if let (Succeed::AtMost, Some(actor)) = (rule.succeed, values.actor) {
        summary.push_str(&format!(
            ", or the check without target to roll against {}'s own",
            actor.name
        ));
    }
    summary.push('.');
    let is_lacking = |name: &str| {
        target_name(name).is_some_and(|name| lacking.iter().any(|lacked| lacked == name))
    };
    let rest: Vec<String> = missing
        .iter()
        .filter(|name| !is_lacking(name))
        .cloned()
        .collect();
    if !rest.is_empty() {
        let also = values.missing_in(" It also", Some(rule), &rest, names.call.opposing);
        summary.push_str(&also.summary);
    }
    Refusal::new(Code::MissingValue, summary)
}

/// Notes that a rule adds `{modifier}` and the call has no skill, attribute or bonus. Where the pool
/// depends on it and would be empty, the check is refused.
pub fn nothing_chosen(attempt: &Attempt, names: &Names<'_>) -> Result<Option<String>> {
    let (chosen, system) = (names.chosen, names.values.system);
    let is_chosen = chosen.skill.is_some()
        || chosen.attribute.is_some()
        || names.given.contains_key("modifier");
    let of = names.call.prefix();
    let what = match (system.skills.is_empty(), system.attributes.is_empty()) {
        _ if is_chosen || !chosen.rule.names("modifier") => return Ok(None),
        (true, true) => return Ok(None),
        (false, false) => format!("{of}skill or {of}attribute"),
        (false, true) => format!("{of}skill"),
        (true, false) => format!("{of}attribute"),
    };
    let Check { name, place, .. } = chosen.rule;
    if attempt.pool == Some(0) {
        let none = if names.call.opposing {
            ""
        } else {
            ", or values={\"modifier\": 0} for a roll without any"
        };
        let summary = format!(
            "{name} ({place}) rolls as many dice as {{modifier}} says, and nothing says what it is. Send {what}{none}."
        );
        return Err(Refusal::new(Code::MissingValue, summary).at(place));
    }
    let value = names.modifier;
    Ok(names.call.bonus.is_none().then(|| format!(
        "{name} ({place}) adds {{modifier}}, and neither skill nor attribute was sent: it counts as {value:+}"
    )))
}

/// Notes that an `extra` modifier on counted dice adds successes, not dice, and that the rule's
/// table does not use the result. Opposed checks compare the result, so they use it.
pub fn notes_on_extra(
    rule: &Check,
    extra: i64,
    parts: &[Modifier],
    call: &CheckCall,
) -> Vec<String> {
    let (Check { name, place, .. }, mut notes) = (rule, Vec::new());
    if extra != 0 && !call.is_opposed() && !rule.uses_result() {
        let parts: Vec<String> = parts
            .iter()
            .map(|part| format!("{} {:+}", part.name, part.value))
            .collect();
        let parts = parts.join(", ");
        notes.push(format!(
            "{parts} changed nothing: the table of {name} ({place}) looks at single dice, not at their total"
        ));
    }
    if extra != 0 && rule.count.is_some() {
        let (count, more) = (
            extra.unsigned_abs(),
            if extra > 0 { "more" } else { "fewer" },
        );
        let successes = if count == 1 { "success" } else { "successes" };
        notes.push(format!(
            "modifier {extra:+} is {count} {successes} {more}, not a die: {name} ({place}) counts dice; a condition that takes \
             or gives dice says `-1 die on checks`"
        ));
    }
    notes
}
