//! `/damage`, `/heal` and `/condition`.

use serde_json::Value;

use super::entry::{CommandEntry, Completes, Deed};
use super::line::{Parts, amount, number, whom};
use crate::play::names::{Names, first, is_one_of, leading};
use rollbook_text::names::{listed, quoted};

/// Characters of the list of types.
const TYPES_MAX: usize = 200;

pub const DAMAGE: CommandEntry = CommandEntry {
    name: "damage",
    also: &["d", "hurt"],
    takes: "WHOM AMOUNT [TYPE] [# WHY]",
    about: "Damage to one or several: a number, or dice that are rolled now.",
    example: "/damage Wrecker 1 7 # the beam",
    completes: &[Completes::People],
    read: |text, names| {
        let mut parts = blow(text, names)?;
        if parts.fields.get("amount").and_then(Value::as_i64).is_some_and(|amount| amount < 0) {
            return Err("Damage is no negative number; /heal gives it back.".to_owned());
        }
        parts.put_why("reason");
        Ok(Deed::call("apply_damage", parts.fields))
    },
};

pub const HEAL: CommandEntry = CommandEntry {
    name: "heal",
    also: &["mend"],
    takes: "WHOM AMOUNT [# WHY]",
    about: "Gives back what damage took.",
    example: "/heal Sabeth 5 # the salve",
    completes: &[Completes::People],
    read: |text, names| {
        let mut parts = blow(text, names)?;
        parts.put_why("reason");
        match parts.fields.remove("amount") {
            Some(Value::String(dice)) => return Ok(Deed::Heal { dice, arguments: parts.fields }),
            Some(given) => parts.put("amount", given.as_i64().map(|given| -given.abs())),
            None => {}
        }
        Ok(Deed::call("apply_damage", parts.fields))
    },
};

pub const CONDITION: CommandEntry = CommandEntry {
    name: "condition",
    also: &["cond"],
    takes: "WHO [-]CONDITION [for 2 rounds | until end of scene]",
    about: "Puts a condition on somebody, or with a minus takes it off.",
    example: "/condition Jory frightened for 2 rounds",
    completes: &[Completes::People, Completes::Conditions],
    read: |text, names| {
        let mut parts = Parts::of(text)?;
        parts.take_duration();
        let words = std::mem::take(&mut parts.words);
        let (who, condition, ends) = who_and_condition(&words, names)?;
        parts.put("action", if ends { "remove_condition" } else { "add_condition" });
        parts.put("on", whom(&who));
        parts.put("condition", condition);
        Ok(Deed::call("manage_character", parts.fields))
    },
};

/// Whom it hits, and how hard; the amount is what names end at. A number that a name ends at is no amount.
fn blow<'l>(text: &'l str, names: &Names) -> Result<Parts<'l>, String> {
    let mut parts = Parts::of(text)?;
    let words = std::mem::take(&mut parts.words);
    let at = words.iter().rposition(|word| amount(word).is_some()).filter(|at| *at > 0);
    let named = at
        .map(|at| first(&words, at + 1))
        .filter(|people| people.rsplit(',').next().is_some_and(|last| is_one_of(last.trim(), &names.people)));
    let at = match &named {
        Some(_) if at.is_some_and(|at| at + 1 == words.len()) => None,
        // Behind the name only a type can stand.
        Some(people) => return Err(how_much(people)),
        None => at,
    };
    let (people, rest) = words.split_at(at.unwrap_or(words.len()));
    if let Some(value) = rest.first().and_then(|word| amount(word)) {
        parts.put("amount", value);
    }
    let kind: Vec<&str> = rest.iter().skip(1).copied().collect();
    if !kind.is_empty() {
        parts.put("damage_type", known_type(&kind.join(" "), names)?);
    }
    if let Some(people) = whom(&people.join(" ")) {
        parts.put("target", people);
    }
    let has = |name: &str| parts.fields.contains_key(name);
    let is_blow = ["amount", "roll", "parts", "apply_conditions", "remove_conditions"].iter().any(|name| has(name));
    match (has("target"), is_blow) {
        (true, true) => Ok(parts),
        (false, _) => Err("Whom?".to_owned()),
        (_, false) => Err(named.map_or_else(|| "How much?".to_owned(), |people| how_much(&people))),
    }
}

/// That a number belongs to a name, and what to type.
fn how_much(people: &str) -> String {
    format!("How much? The number belongs to the name {}; the amount stands behind it.", quoted(people))
}

/// A type of damage, as far as the rules and the sheets name any.
pub(super) fn known_type(kind: &str, names: &Names) -> Result<String, String> {
    let known = &names.damage_types;
    // Several are written as "fire, cold" or "fire and cold".
    let is_known = || kind.split(',').flat_map(|own| own.split(" and ")).all(|own| is_one_of(own.trim(), known));
    if known.is_empty() || is_known() {
        return Ok(kind.to_owned());
    }
    let mut all: Vec<String> = known.iter().map(|own| own.to_lowercase()).collect();
    all.sort();
    all.dedup();
    Err(format!(
        "There is no damage of the type \"{0}\": there is {1}. Type one of these, or what it is from as # {0}.",
        quoted(kind),
        listed(all.iter().map(String::as_str), TYPES_MAX)
    ))
}

/// Who, which condition, and whether it ends. The condition is the end of the line: one of the rules, or the last word.
fn who_and_condition(words: &[&str], names: &Names) -> Result<(String, String, bool), String> {
    let plain = |at: usize| words.get(at..).unwrap_or_default().join(" ");
    // "Exhausted 2" is a condition with its level.
    let is_condition = |text: &str| {
        let (name, _) = rollbook_text::names::numbered(text.trim_start_matches('-'));
        is_one_of(name, &names.conditions)
    };
    let known = (1..words.len()).find(|at| is_condition(&plain(*at)));
    let by_name = || leading(words, &names.people).filter(|many| *many < words.len());
    let last = || words.len().checked_sub(if words.last().is_some_and(|word| number(word).is_some()) { 2 } else { 1 });
    let at = known.or_else(by_name).or_else(last).filter(|at| *at > 0).ok_or("Who, and which condition?")?;
    let condition = plain(at);
    let ends = condition.starts_with('-');
    Ok((first(words, at), condition.trim_start_matches('-').to_owned(), ends))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::play::command::tests::{call, names};
    use crate::play::command::{Deed, read};

    #[test]
    fn names_end_where_the_amount_begins() {
        let damage = |line: &str| call(line).1;
        assert_eq!(
            damage("/damage Wrecker 1 7 # the beam"),
            json!({"target": "Wrecker 1", "amount": 7, "reason": "the beam"})
        );
        assert_eq!(
            damage("/d Wrecker 1 2d6 cold"),
            json!({"target": "Wrecker 1", "amount": "2d6", "damage_type": "cold"})
        );
        assert_eq!(damage("/damage Sabeth, Jory 3"), json!({"target": ["Sabeth", "Jory"], "amount": 3}));
        assert_eq!(damage("/damage foes roll=last"), json!({"target": "foes", "roll": "last"}));
        assert_eq!(damage("/heal Sabeth 5"), json!({"target": "Sabeth", "amount": -5}));
        let healed = read("/heal Sabeth 1d8+1 # the salve", &names());
        let Ok(Deed::Heal { dice, arguments }) = healed else { panic!("{healed:?}") };
        assert_eq!(
            (dice.as_str(), Value::Object(arguments)),
            ("1d8+1", json!({"target": "Sabeth", "reason": "the salve"}))
        );
        for (line, why) in [
            ("/damage 7", "How much?"),
            ("/damage Sabeth", "How much?"),
            ("/damage Sabeth -3", "Damage is no"),
            ("/damage Wrecker 1", "How much? The number belongs to the name Wrecker 1"),
            ("/damage Sabeth, Wrecker 1", "How much? The number"),
            ("/damage Wrecker 1 cold", "How much? The number"),
            ("/heal Wrecker 2", "How much? The number"),
            ("/damage Sabeth 1 abc", "There is no damage of the type \"abc\": there is cold, slashing."),
        ] {
            assert!(read(line, &names()).unwrap_err().starts_with(why), "{line}: {:?}", read(line, &names()));
        }
    }

    #[test]
    fn a_number_is_the_amount_where_no_name_ends_at_it() {
        let mut only = names();
        only.people = vec!["Wrecker".to_owned()];
        let sent = |line: &str, names: &crate::play::names::Names| match read(line, names) {
            Ok(Deed::Call { arguments, .. }) => Value::Object(arguments),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(sent("/damage Wrecker 1", &only), json!({"target": "Wrecker", "amount": 1}));
        assert!(read("/damage Wrecker 1 abc", &only).unwrap_err().contains("# abc"));
        assert_eq!(
            sent("/damage Wrecker 1 # abc", &only),
            json!({"target": "Wrecker", "amount": 1, "reason": "abc"}),
            "what the refusal says to type"
        );
        assert_eq!(sent("/damage Wrecker 1 roll=last", &names()), json!({"target": "Wrecker 1", "roll": "last"}));
        let mut untyped = names();
        untyped.damage_types.clear();
        assert_eq!(
            sent("/damage Jory 2 abc", &untyped),
            json!({"target": "Jory", "amount": 2, "damage_type": "abc"}),
            "where nothing names types"
        );
    }

    #[test]
    fn conditions_come_and_go() {
        let sent = |line: &str| call(line).1;
        assert_eq!(
            sent("/condition Jory Penrake frightened for 2 rounds"),
            json!({"action": "add_condition", "on": "Jory Penrake", "condition": "frightened", "duration": "for 2 rounds"})
        );
        assert_eq!(
            sent("/cond Wrecker 1 -prone"),
            json!({"action": "remove_condition", "on": "Wrecker 1", "condition": "prone"})
        );
        assert_eq!(
            sent("/condition Jory soaked to the skin free=true"),
            json!({"action": "add_condition", "on": "Jory", "condition": "soaked to the skin", "free": true})
        );
        assert!(read("/condition Jory", &names()).is_err());
    }
}
