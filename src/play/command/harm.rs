//! `/damage`, `/heal` and `/condition`.

use serde_json::Value;

use super::entry::{CONDITIONS, CommandEntry, Deed, PEOPLE, Parts, Read, amount, number, whom};
use crate::play::names::{Names, first, is_one_of, leading};
use rollbook_text::names::quoted;

pub const DAMAGE: CommandEntry = CommandEntry {
    name: "damage",
    also: &["d", "hurt"],
    takes: "WHOM AMOUNT [TYPE] [# WHY]",
    about: "Damage to one or several: a number, or dice that are rolled now.",
    example: "/damage Wrecker 1 7 # the beam",
    completes: &[PEOPLE],
    read: Read::Fields("apply_damage", |parts, names| {
        put_damage(parts, names)?;
        if parts.fields.get("amount").and_then(Value::as_i64).is_some_and(|amount| amount < 0) {
            return Err("Damage is no negative number; /heal gives it back.".to_owned());
        }
        parts.put_why("reason");
        Ok(())
    }),
};

pub const HEAL: CommandEntry = CommandEntry {
    name: "heal",
    also: &["mend"],
    takes: "WHOM AMOUNT [# WHY]",
    about: "Gives back what damage took.",
    example: "/heal Sabeth 5 # the salve",
    completes: &[PEOPLE],
    read: Read::Text(|text, names| {
        let mut parts = Parts::read(text)?;
        put_damage(&mut parts, names)?;
        parts.put_why("reason");
        match parts.fields.remove("amount") {
            Some(Value::String(dice)) => return Ok(Deed::Heal { dice, arguments: parts.fields }),
            Some(given) => parts.put("amount", given.as_i64().map(|given| -given.abs())),
            None => {}
        }
        Ok(parts.call("apply_damage"))
    }),
};

pub const CONDITION: CommandEntry = CommandEntry {
    name: "condition",
    also: &["cond"],
    takes: "WHO [-]CONDITION [for 2 rounds | until end of scene]",
    about: "Puts a condition on somebody, or with a minus takes it off.",
    example: "/condition Jory frightened for 2 rounds",
    completes: &[PEOPLE, CONDITIONS],
    read: Read::Fields("manage_character", |parts, names| {
        parts.take_duration();
        let words = std::mem::take(&mut parts.words);
        let at = condition_at(&words, names).filter(|at| *at > 0).ok_or("Who, and which condition?")?;
        let condition = words.get(at..).unwrap_or_default().join(" ");
        parts.put("action", if condition.starts_with('-') { "remove_condition" } else { "add_condition" });
        parts.put("on", whom(&first(&words, at)));
        parts.put("condition", condition.trim_start_matches('-'));
        Ok(())
    }),
};

/// Who is hit, and how hard; the amount is what names end at. A number that a name ends at is no amount.
fn put_damage(parts: &mut Parts<'_>, names: &Names) -> Result<(), String> {
    let words = std::mem::take(&mut parts.words);
    let at = words.iter().rposition(|word| amount(word).is_some()).filter(|at| *at > 0);
    let named = at
        .map(|at| first(&words, at + 1))
        .filter(|people| people.rsplit(',').next().is_some_and(|last| is_one_of(last.trim(), &names.people)));
    let how_much = || match &named {
        Some(people) => {
            format!("How much? The number belongs to the name {}; the amount stands behind it.", quoted(people))
        }
        None => "How much?".to_owned(),
    };
    let at = match named {
        Some(_) if at.is_some_and(|at| at + 1 == words.len()) => None,
        // After the name only a type can come.
        Some(_) => return Err(how_much()),
        None => at,
    };
    let (people, rest) = words.split_at(at.unwrap_or(words.len()));
    if let Some(value) = rest.first().and_then(|word| amount(word)) {
        parts.put("amount", value);
    }
    if let Some(kind @ [_, ..]) = rest.get(1..) {
        parts.put("damage_type", kind.join(" "));
    }
    let people = whom(&people.join(" "));
    people.into_iter().for_each(|people| parts.put("target", people));
    let is_damage =
        ["amount", "roll", "parts", "apply_conditions", "remove_conditions"].iter().any(|name| parts.has(name));
    match (parts.has("target"), is_damage) {
        (true, true) => Ok(()),
        (false, _) => Err("Whom?".to_owned()),
        (_, false) => Err(how_much()),
    }
}

/// Where the condition begins, which is the end of the line: one of the rules, or the last word.
fn condition_at(words: &[&str], names: &Names) -> Option<usize> {
    // "Exhausted 2" is a condition with its level.
    let is_condition = |at: &usize| {
        let text = words.get(*at..).unwrap_or_default().join(" ");
        is_one_of(rollbook_text::names::numbered(text.trim_start_matches('-')).0, &names.conditions)
    };
    let by_name = || leading(words, &names.people).filter(|many| *many < words.len());
    let last = || words.len().checked_sub(if words.last().is_some_and(|word| number(word).is_some()) { 2 } else { 1 });
    (1..words.len()).find(is_condition).or_else(by_name).or_else(last)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::play::command::tests::{call, names};
    use crate::play::command::{Deed, read};
    use crate::play::names::Names;

    #[test]
    fn names_end_where_the_amount_begins() {
        for (line, sent) in [
            ("/damage Wrecker 1 7 # the beam", json!({"target": "Wrecker 1", "amount": 7, "reason": "the beam"})),
            ("/d Wrecker 1 2d6 cold", json!({"target": "Wrecker 1", "amount": "2d6", "damage_type": "cold"})),
            ("/damage Sabeth, Jory 3", json!({"target": ["Sabeth", "Jory"], "amount": 3})),
            ("/damage foes roll=last", json!({"target": "foes", "roll": "last"})),
            ("/damage Wrecker 1 roll=last", json!({"target": "Wrecker 1", "roll": "last"})),
            ("/heal Sabeth 5", json!({"target": "Sabeth", "amount": -5})),
        ] {
            assert_eq!(call(line).1, sent, "{line}");
        }
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
        ] {
            assert!(read(line, &names()).unwrap_err().starts_with(why), "{line}: {:?}", read(line, &names()));
        }
    }

    #[test]
    fn a_number_is_the_amount_where_no_name_ends_at_it() {
        let only = Names { people: vec!["Wrecker".to_owned()], ..names() };
        let Ok(Deed::Call { arguments, .. }) = read("/damage Wrecker 1 # abc", &only) else { panic!("a call") };
        assert_eq!(Value::Object(arguments), json!({"target": "Wrecker", "amount": 1, "reason": "abc"}));
    }

    #[test]
    fn conditions_come_and_go() {
        for (line, sent) in [
            (
                "/condition Jory Penrake frightened for 2 rounds",
                json!({"action": "add_condition", "on": "Jory Penrake", "condition": "frightened", "duration": "for 2 rounds"}),
            ),
            ("/cond Wrecker 1 -prone", json!({"action": "remove_condition", "on": "Wrecker 1", "condition": "prone"})),
            (
                "/condition Jory soaked to the skin free=true",
                json!({"action": "add_condition", "on": "Jory", "condition": "soaked to the skin", "free": true}),
            ),
        ] {
            assert_eq!(call(line).1, sent, "{line}");
        }
        assert!(read("/condition Jory", &names()).is_err());
    }
}
