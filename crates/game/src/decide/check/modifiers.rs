//! The value of `{modifier}` in a call, each part with its name and source; what had no effect or an unexpected one.

use crate::decide::check::call::{CheckCall, names_there_are};
use crate::decide::check::chosen::Chosen;
use crate::decide::check::names::Names;
use crate::mechanics::values::{Values, dice_refusal, values_example};
use crate::record::event::Modifier;
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use rollbook_dice::{Bound, Code as DiceCode, DiceError, parse};
use rollbook_rules::{Attempt, AttemptError, Attribute, Base, Check, Side, Succeed, of_target};
use rollbook_text::names::{fold, listed, quoted, same};

/// The parts of `{modifier}`.
pub struct Modifiers {
    pub parts: Vec<Modifier>,
    /// Added to the result where the rule does not name `{modifier}`.
    pub extra: i64,
}

impl Modifiers {
    /// Their sum.
    pub fn sum(&self) -> i64 {
        self.parts.iter().map(|part| part.value).fold(0, i64::saturating_add)
    }
}

/// Attribute and skill, or the rule's Modifier bullet; then conditions; then the call's modifier. `values.modifier`
/// replaces all of it. For a rule that does not name `{modifier}`, only the last two, added to the result.
pub fn modifiers(call: &CheckCall, names: &Names<'_>, conditions: Vec<Modifier>) -> Result<Modifiers, Refusal> {
    let chosen = names.chosen;
    let named = chosen.rule.names("modifier");
    if let Some(Bound::Number(value)) = names.given.get("modifier") {
        let whole = Modifier { name: "modifier".to_owned(), value: *value, from: "the call's values".to_owned() };
        return Ok(Modifiers { parts: vec![whole], extra: if named { 0 } else { *value } });
    }
    let bonus = call.bonus.as_ref();
    let of_attack = bonus.map(|bonus| Modifier {
        name: bonus.name.clone(),
        value: bonus.value,
        from: "the sheet's attack".to_owned(),
    });
    let whole = bonus.is_some_and(|bonus| bonus.whole);
    let mut around: Vec<Modifier> = of_attack.into_iter().chain(conditions).collect();
    if call.modifier != 0 {
        around.push(Modifier { name: "situational".to_owned(), value: call.modifier, from: "the call".to_owned() });
    }
    if !named {
        let extra = around.iter().map(|part| part.value).fold(0, i64::saturating_add);
        return Ok(Modifiers { parts: around, extra });
    }
    let mut parts = if whole { Vec::new() } else { default_modifiers(names.values, chosen)? };
    parts.extend(around);
    Ok(Modifiers { parts, extra: 0 })
}

fn default_modifiers(values: Values<'_>, chosen: &Chosen<'_>) -> Result<Vec<Modifier>, Refusal> {
    let mut parts = Vec::new();
    let Some(actor) = values.actor else { return Ok(parts) };
    if let Some(attribute) = chosen.attribute {
        let found = match chosen.attribute_value(&values) {
            Some(found) => found,
            None => return Err(no_score(values, actor, attribute)),
        };
        parts.push(Modifier { name: attribute.name.clone(), value: found.value, from: found.from });
    }
    if let Some(skill) = &chosen.skill {
        let found = match skill.declared {
            Some(declared) => Some(values.skill(declared)?),
            None => values.found(&skill.name),
        };
        parts.extend(found.map(|found| Modifier { name: skill.name.clone(), value: found.value, from: found.from }));
    }
    Ok(parts)
}

fn no_score(values: Values<'_>, actor: &Character, attribute: &Attribute) -> Refusal {
    if let Some(Err(error)) = values.score(attribute).map(|(score, _)| attribute.modifier(score)) {
        let summary = format!("{error}. The adventure's author has to mend the rule.");
        return Refusal::new(Code::RuleBroken, summary).at(attribute.place.to_string());
    }
    let short = attribute.short();
    let summary = format!(
        "{0} has no {1} score yet. Send manage_character action=\"update\" character=\"{0}\" \
         attributes={{\"{short}\": …}}.",
        actor.name, attribute.name
    );
    Refusal::new(Code::MissingValue, summary).at(attribute.place.to_string())
}

/// The refusal of a check that cannot be rolled.
pub fn attempt_refusal(error: AttemptError, names: &Names<'_>) -> Refusal {
    let rule = names.chosen.rule;
    match error {
        AttemptError::Missing(missing) => {
            let of = format!("{} ({})", rule.name, rule.place);
            let mut refusal = missing_refusal(&missing, &of, names);
            if rule.is_stated() {
                refusal.summary.push_str(&names_there_are(&names.values));
            }
            refusal.at(rule.place.to_string())
        }
        AttemptError::TooFewDice { count, roll } => {
            let summary = format!(
                "{} rolls {roll}, which comes to {count} dice here, and the rules do not say what fewer dice than none are. Check the values that were sent, or let the author add `- With no dice:` to {}.",
                rule.name, rule.place
            );
            Refusal::new(Code::InvalidDie, summary).at(rule.place.to_string())
        }
        AttemptError::DiceInTarget(target) => {
            Refusal::new(Code::TypeMix, format!("The rule's target has dice in it: {target}. It must be a number."))
        }
        AttemptError::Dice(error) => neither_number_nor_dice(names)
            .or_else(|| dice_for_a_number(names))
            .or_else(|| no_such_die(&error, names))
            .unwrap_or_else(|| dice_refusal(&error)),
    }
}

/// The refusal of dice among the values where the roll takes something else: `values={"pool": "d6,d8"}` for `{pool}d6`.
/// `None` where the numbers alone are at fault.
fn dice_for_a_number(names: &Names<'_>) -> Option<Refusal> {
    let rule = names.chosen.rule;
    // A number that is no size of a die is another fault.
    let binds = |instead: Option<(&str, Bound)>| {
        let mut lookup = |name: &str| match (&instead, names.lookup(name, Side::Actor)) {
            (Some((other, bound)), _) if same(other, name) => Some(bound.clone()),
            (_, Some(Bound::Number(number))) => Some(Bound::Number(number.max(1))),
            (_, found) => found,
        };
        rule.roll.bind_with(&mut lookup).is_ok()
    };
    let sent: Vec<(String, String)> = (rule.roll.variables().into_iter())
        .filter_map(|variable| match names.given.get(&fold(&variable.name)) {
            Some(Bound::Dice(text)) => Some((variable.name, text.clone())),
            Some(Bound::Number(_)) | None => None,
        })
        .collect();
    if sent.is_empty() || binds(None) {
        return None;
    }
    let (name, text) = sent.iter().find(|(name, _)| binds(Some((name.as_str(), Bound::Number(1)))))?;
    let sum = text.split(',').map(str::trim).collect::<Vec<&str>>().join(" + ");
    let instead = match binds(Some((name.as_str(), Bound::Dice(sum.clone())))) {
        true => format!("\"{}\"", quoted(&sum)),
        false => text.split(',').count().to_string(),
    };
    let sent = if names.opposing { "opposed_by." } else { "" };
    let way =
        values_example(name, names.opposing).replace(&format!("\"{name}\": …"), &format!("\"{name}\": {instead}"));
    let summary = format!(
        "{} ({}) rolls {}, and {sent}values.{name} is \"{}\", which does not fit there. Send {way}.",
        rule.name,
        rule.place,
        rule.roll,
        quoted(text)
    );
    Some(Refusal::new(Code::InvalidParameters, summary).at(rule.place.to_string()))
}

/// The refusal of a die whose size is a number of the sheet that is 0: `1d{skill}` of a character who never learned it.
fn no_such_die(error: &DiceError, names: &Names<'_>) -> Option<Refusal> {
    let rule = names.chosen.rule;
    let (name, found) = names.zero_in_roll().filter(|_| error.code == DiceCode::InvalidDie)?;
    let what = match (fold(&name).as_str(), &names.chosen.skill) {
        ("skill", Some(skill)) => skill.name.clone(),
        _ => name.clone(),
    };
    let who = names.values.actor.map_or_else(String::new, |actor| format!(" of {}", actor.name));
    let way = values_example(&name, names.opposing);
    let summary = format!(
        "{} ({}) rolls {}, and {what}{who} is {found}, which is the size of no die. Send {way} with a number from 1 on, or raise it on the \
         sheet.",
        rule.name, rule.place, rule.roll
    );
    Some(Refusal::new(Code::InvalidDie, summary).at(rule.place.to_string()))
}

/// The refusal of an attribute's or a skill's name among the values where the rule asks for a number or dice:
/// `values={"stat": "Cheek"}`.
fn neither_number_nor_dice(names: &Names<'_>) -> Option<Refusal> {
    let system = names.values.system;
    let text = |name: &String| match names.given.get(&fold(name)) {
        Some(Bound::Dice(text)) if parse(text).is_err() => Some(text),
        Some(Bound::Dice(_) | Bound::Number(_)) | None => None,
    };
    let decimal = |name: &String| match names.given.get(&fold(name)) {
        Some(Bound::Dice(text)) => text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(|_| text),
        Some(Bound::Number(_)) | None => None,
    };
    let decimals = || names.chosen.rule.variables().into_iter().find_map(|name| Some((decimal(&name)?, name)));
    if let Some((number, name)) = decimals() {
        let sent = if names.opposing { "opposed_by." } else { "" };
        let summary = format!("{sent}values.{name} is {}, and it takes a whole number. Send one.", quoted(number));
        return Some(Refusal::new(Code::InvalidParameters, summary).at(names.chosen.rule.place.to_string()));
    }
    let (sent_text, name) = names.chosen.rule.variables().into_iter().find_map(|name| Some((text(&name)?, name)))?;
    let sent = if names.opposing { "opposed_by." } else { "" };
    let instead = match (system.attribute(sent_text), system.skill(sent_text)) {
        (Ok(attribute), _) => format!("Send {sent}attribute=\"{}\", or a number.", attribute.name),
        (_, Ok(skill)) => format!("Send {sent}skill=\"{}\", or a number.", skill.name),
        (Err(_), Err(_)) => return None,
    };
    let summary =
        format!("{sent}values.{name} is \"{}\", which is neither a number nor dice. {instead}", quoted(sent_text));
    Some(Refusal::new(Code::InvalidParameters, summary).at(names.chosen.rule.place.to_string()))
}

fn missing_refusal(missing: &[String], of: &str, names: &Names<'_>) -> Refusal {
    let lacking = names.lacking(missing);
    if let Some(target) = names.target.filter(|_| !lacking.is_empty()) {
        return target_lacks(target, missing, &lacking, of, names);
    }
    if let Some(refusal) = missing.iter().find_map(|name| skill_without_number(name, names)) {
        return refusal;
    }
    missing_score(missing, names).unwrap_or_else(|| {
        let mut refusal = names.values.missing_in(of, Some(names.chosen.rule), missing, names.opposing);
        if let Some(other) = check_for_attribute(missing, names) {
            let of = if names.opposing { "opposed_by." } else { "" };
            refusal.summary.push_str(&format!(" For the attribute alone send {of}check=\"{}\".", other.name));
        }
        refusal
    })
}

/// The refusal where a name is a skill's whose own rule comes to no number: a score that the chosen one goes by is missing, or its table
/// has no row for what it goes by.
fn skill_without_number(name: &str, names: &Names<'_>) -> Option<Refusal> {
    let chosen = names.chosen.skill.as_ref().filter(|_| fold(name) == "skill").and_then(|skill| skill.declared);
    if let Some(skill) = chosen {
        return names.values.skill(skill).err();
    }
    let skill = names.values.system.named_skill(name)?;
    let Some(Base::Table(table)) = &skill.base else { return None };
    let is_known = names.values.try_bind(&table.key).is_ok();
    is_known.then(|| names.values.skill(skill).err())?
}

/// Characters of a list of names.
const NAMES_MAX: usize = 120;

/// The refusal of a check against a character whose sheet lacks the target number, with the calls that set it.
fn target_lacks(target: &Character, missing: &[String], lacking: &[String], of: &str, names: &Names<'_>) -> Refusal {
    let who = &target.name;
    let what = listed(lacking.iter().map(String::as_str), NAMES_MAX);
    let sets: Vec<String> = names.values.fields_for(lacking);
    let mut others = Vec::new();
    if names.takes_difficulty() {
        others.push("difficulty=… for this roll alone".to_owned());
    }
    if let (Succeed::AtMost, Some(actor)) = (names.chosen.rule.succeed, names.values.actor) {
        others.push(format!("the check without target to roll against {}'s own", actor.name));
    }
    let others: String = others.iter().map(|other| format!(", or {other}")).collect();
    let summary = format!(
        "{of} is tried against the target's {what}, and {who} has none. Send manage_character action=\"update\" \
         character=\"{who}\" {}{others}.",
        sets.join(" ")
    );
    let is_lacking = |name: &str| of_target(name).is_some_and(|name| lacking.iter().any(|own| own == name));
    let rest: Vec<String> = missing.iter().filter(|name| !is_lacking(name)).cloned().collect();
    let also = match rest.is_empty() {
        true => String::new(),
        false => {
            format!(" {}", names.values.missing_in("It also", Some(names.chosen.rule), &rest, names.opposing).summary)
        }
    };
    Refusal::new(Code::MissingValue, format!("{summary}{also}"))
}

/// Another check that needs only an attribute, where the call has one and this check needs a skill.
fn check_for_attribute<'s>(missing: &[String], names: &Names<'s>) -> Option<&'s Check> {
    let chosen = names.chosen;
    let asks_for_skill = chosen.skill.is_none() && missing.iter().any(|name| fold(name) == "skill");
    chosen.attribute.filter(|_| asks_for_skill)?;
    let of_attribute = |name: &String| ["attribute", "attribute score"].contains(&fold(name).as_str());
    names.values.system.checks.iter().find(|check| check.variables().iter().any(of_attribute) && !check.names("skill"))
}

/// Where only the chosen attribute's score is missing, the refusal names the score.
fn missing_score(missing: &[String], names: &Names<'_>) -> Option<Refusal> {
    let (actor, attribute) = (names.values.actor?, names.chosen.attribute?);
    let [only] = missing else { return None };
    let only = fold(only);
    let meant = ["attribute", "attribute score"].contains(&only.as_str()) || attribute.is_called(&only);
    let has_none = names.chosen.attribute_value(&names.values).is_none();
    (meant && has_none).then(|| no_score(names.values, actor, attribute))
}

/// Notes that a rule adds `{modifier}` and the call names neither skill nor attribute. Where the pool depends on it and
/// would be empty, the check is refused.
pub fn nothing_chosen(attempt: &Attempt, names: &Names<'_>) -> Result<Option<String>, Refusal> {
    let (chosen, system) = (names.chosen, names.values.system);
    let by_default = chosen.rule.names("modifier");
    let named = chosen.skill.is_some() || chosen.attribute.is_some() || names.given.contains_key("modifier");
    if !by_default || named || (system.skills.is_empty() && system.attributes.is_empty()) {
        return Ok(None);
    }
    let of = if names.opposing { "opposed_by." } else { "" };
    let what = match (system.skills.is_empty(), system.attributes.is_empty()) {
        (false, false) => format!("{of}skill or {of}attribute"),
        (false, true) => format!("{of}skill"),
        (true, _) => format!("{of}attribute"),
    };
    let rule = format!("{} ({})", chosen.rule.name, chosen.rule.place);
    if attempt.pool == Some(0) {
        let none = if names.opposing { "" } else { ", or values={\"modifier\": 0} for a roll without any" };
        let summary =
            format!("{rule} rolls as many dice as {{modifier}} says, and nothing says what it is. Send {what}{none}.");
        return Err(Refusal::new(Code::MissingValue, summary).at(chosen.rule.place.to_string()));
    }
    Ok(Some(format!(
        "{rule} adds {{modifier}}, and neither skill nor attribute was sent: it counts as {:+}",
        names.modifier
    )))
}

/// Notes that a modifier on counted dice adds successes, not dice.
pub fn modifier_as_successes(rule: &Check, modifiers: &Modifiers) -> Option<String> {
    let extra = modifiers.extra;
    let more = if extra > 0 { "more" } else { "fewer" };
    (extra != 0 && rule.count.is_some()).then(|| {
        let count = extra.unsigned_abs();
        let successes = if count == 1 { "success" } else { "successes" };
        format!(
            "modifier {extra:+} is {count} {successes} {more}, not a die: {} ({}) counts dice; a condition that takes or gives dice says `-1 die on checks`",
            rule.name, rule.place
        )
    })
}

/// Notes modifiers of a result that the rule's table does not use. Opposed checks compare the result, so they use it.
pub fn ignored_modifiers(rule: &Check, modifiers: &Modifiers, call: &CheckCall) -> Option<String> {
    if modifiers.extra == 0 || call.opposed || rule.uses_result() {
        return None;
    }
    let parts: Vec<String> = modifiers.parts.iter().map(|part| format!("{} {:+}", part.name, part.value)).collect();
    Some(format!(
        "{} changed nothing: the table of {} ({}) looks at single dice, not at their total",
        parts.join(", "),
        rule.name,
        rule.place
    ))
}
