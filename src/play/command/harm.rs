//! `/damage`, `/heal` and `/condition`.

use serde_json::Value;

use super::entry::{CommandEntry, Completes, Deed};
use super::line::{Parts, amount, number, whom};
use crate::play::names::{Names, first, is_one_of, leading};

pub const DAMAGE: CommandEntry = CommandEntry {
    name: "damage",
    also: &["d", "hurt"],
    takes: "WHOM AMOUNT [TYPE] [# WHY]",
    about: "Damage to one or several: a number, or dice that are rolled now.",
    example: "/damage Wrecker 1 7 # the beam",
    completes: &[Completes::People],
    read: |text, _| {
        let mut parts = blow(text)?;
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
    read: |text, _| {
        let mut parts = blow(text)?;
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
    takes: "WHO [-]CONDITION [for DURATION]",
    about: "Puts a condition on somebody, or with a minus takes it off.",
    example: "/condition Jory frightened for 2 rounds",
    completes: &[Completes::People, Completes::Conditions],
    read: |text, names| {
        let mut parts = Parts::of(text)?;
        if let Some(duration) = parts.behind(&["for", "until"]) {
            let until = if text.contains(" until ") { "until " } else { "" };
            parts.put("duration", format!("{until}{}", duration.join(" ")));
        }
        let words = std::mem::take(&mut parts.words);
        let (who, condition, ends) = who_and_condition(&words, names)?;
        parts.put("action", if ends { "remove_condition" } else { "add_condition" });
        parts.put("on", whom(&who));
        parts.put("condition", condition);
        Ok(Deed::call("manage_character", parts.fields))
    },
};

/// Whom it hits, and how hard; the amount is what names end at.
fn blow(text: &str) -> Result<Parts<'_>, String> {
    let mut parts = Parts::of(text)?;
    let words = std::mem::take(&mut parts.words);
    let at = words.iter().rposition(|word| amount(word).is_some()).filter(|at| *at > 0);
    let (people, rest) = words.split_at(at.unwrap_or(words.len()));
    if let Some(value) = rest.first().and_then(|word| amount(word)) {
        parts.put("amount", value);
    }
    let kind: Vec<&str> = rest.iter().skip(1).copied().collect();
    if !kind.is_empty() {
        parts.put("damage_type", kind.join(" "));
    }
    if let Some(people) = whom(&people.join(" ")) {
        parts.put("target", people);
    }
    let has = |name: &str| parts.fields.contains_key(name);
    let is_blow = ["amount", "roll", "parts", "apply_conditions", "remove_conditions"].iter().any(|name| has(name));
    match (has("target"), is_blow) {
        (true, true) => Ok(parts),
        (false, _) => Err("Whom?".to_owned()),
        (_, false) => Err("How much?".to_owned()),
    }
}

/// Who, which condition, and whether it ends. The condition is the end of the line: one of the rules, or the last word.
fn who_and_condition(words: &[&str], names: &Names) -> Result<(String, String, bool), String> {
    let plain = |at: usize| words.get(at..).unwrap_or_default().join(" ");
    // "Exhausted 2" is a condition with its level.
    let is_condition = |text: &str| {
        let (name, _) = crate::names::numbered(text.trim_start_matches('-'));
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
        for (line, why) in
            [("/damage 7", "How much?"), ("/damage Sabeth", "How much?"), ("/damage Sabeth -3", "Damage is no")]
        {
            assert!(read(line, &names()).unwrap_err().starts_with(why), "{line}: {:?}", read(line, &names()));
        }
    }

    #[test]
    fn conditions_come_and_go() {
        let sent = |line: &str| call(line).1;
        assert_eq!(
            sent("/condition Jory Penrake frightened for 2 rounds"),
            json!({"action": "add_condition", "on": "Jory Penrake", "condition": "frightened", "duration": "2 rounds"})
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
