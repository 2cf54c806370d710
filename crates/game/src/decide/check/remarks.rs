//! Notes on a check: what had no effect, and what had an unexpected one.

use super::call::CheckCall;
use super::modifiers::Modifiers;
use super::names::Names;
use crate::refusal::{Code, Refusal};
use rollbook_rules::{Attempt, Check};

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
    if modifiers.extra == 0 || call.opposed || rule.heeds_the_result() {
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
