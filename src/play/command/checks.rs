//! What `/check`, `/attack` and `/odds` take.

use serde_json::{Map, Value, json};

use super::entry::{Parts, amount, number, signed};
use super::harm::put_amount;
use crate::play::names::Names;
use rollbook_text::names::{first, is_one_of, leading};

/// What an attack is made with. Where nobody has attacks, the rules may need none.
pub(super) const WITH: [&str; 7] = [
    "attack",
    "skill",
    "attribute",
    "check",
    "damage",
    "difficulty",
    "again",
];
pub(super) const ATTACKS_SHOWN: usize = 120;

/// What an attack is made with: one of a sheet, or a skill; and what it deals.
pub(super) fn put_weapon(
    parts: &mut Parts<'_>,
    mut with: Vec<&str>,
    names: &Names,
) -> Result<(), String> {
    let known = [&names.attacks, &names.skills, &names.attributes];
    let is_known = |at: &usize| {
        known
            .iter()
            .any(|known| is_one_of(&first(&with, *at), known))
    };
    let is_amount = |at: &usize| with.get(*at).and_then(|word| amount(word)).is_some();
    let mut amounts = (0..with.len()).rev().filter(is_amount);
    let last = amounts.clone().next();
    if let Some(at) = amounts.find(is_known).or(last) {
        put_amount(parts, "damage", &with.split_off(at), names)?;
    }
    let name = with.join(" ");
    let field = match name.is_empty() {
        true if parts.has("damage") => return Ok(()),
        true => return Err("With what?".to_owned()),
        false if is_one_of(&name, &names.attacks) => "attack",
        false if is_one_of(&name, &names.skills) => "skill",
        false if is_one_of(&name, &names.attributes) => "attribute",
        false => "attack",
    };
    parts.put(field, name);
    Ok(())
}

pub(super) fn put_check(parts: &mut Parts<'_>, names: &Names) -> Result<(), String> {
    if let Some(against) = parts.take_after(&["vs", "vs.", "against"]) {
        put_opponent(parts, &against, names)?;
    }
    loop {
        if parts.pop_word(&["adv", "advantage"]) {
            parts.put("advantage", true);
        } else if parts.pop_word(&["dis", "disadvantage"]) {
            parts.put("disadvantage", true);
        } else if let Some(modifier) = parts.pop(signed) {
            parts.put("modifier", modifier);
        } else if let Some(difficulty) = parts.pop(number) {
            parts.put("difficulty", difficulty);
        } else if let Some(difficulty) = take_difficulty(&mut parts.words, &names.difficulties) {
            parts.put("difficulty", difficulty);
        } else {
            break;
        }
    }
    let words = std::mem::take(&mut parts.words);
    let is_check = |text: &str| {
        [&names.skills, &names.attributes, &names.checks]
            .iter()
            .any(|known| is_one_of(text, known))
    };
    let known = |many: &usize| *many < words.len() || !is_check(&first(&words, *many));
    let who = match leading(&words, &names.people).filter(known) {
        Some(who) => who,
        None if is_check(&words.join(" ")) || words.len() <= 1 => 0,
        // A character that nobody knows: the tool says who there is.
        None => 1,
    };
    if who > 0 {
        parts.put("character", first(&words, who));
    }
    // What is tried: a skill, else an attribute or a named check, if the rules call it so.
    let tried = words.get(who..).unwrap_or_default().join(" ");
    let known = [
        ("skill", &names.skills),
        ("attribute", &names.attributes),
        ("check", &names.checks),
    ];
    let field = known
        .into_iter()
        .find(|(_, known)| is_one_of(&tried, known))
        .map_or("skill", |(field, _)| field);
    if !tried.is_empty() {
        parts.put(field, tried);
    }
    Ok(())
}

fn take_difficulty(words: &mut Vec<&str>, known: &[String]) -> Option<String> {
    let at = (0..words.len())
        .find(|at| is_one_of(&words.get(*at..).unwrap_or_default().join(" "), known))?;
    Some(words.split_off(at).join(" "))
}

fn put_opponent(parts: &mut Parts<'_>, words: &[&str], names: &Names) -> Result<(), String> {
    match words {
        [] => return Err("Against whom?".to_owned()),
        [only] if number(only).is_some() => parts.put("difficulty", number(only)),
        _ => {
            let who = leading(words, &names.people).unwrap_or(1);
            let mut against =
                Map::from_iter([("character".to_owned(), Value::from(first(words, who)))]);
            let rest = words.get(who..).unwrap_or_default().join(" ");
            if !rest.is_empty() {
                let field = if is_one_of(&rest, &names.attributes) {
                    "attribute"
                } else {
                    "skill"
                };
                against.insert(field.to_owned(), rest.into());
            }
            parts.put("opposed_by", json!(against));
        }
    }
    Ok(())
}
