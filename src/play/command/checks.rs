//! `/roll`, `/check`, `/attack` and `/odds`.

use serde_json::{Map, Value, json};

use super::entry::{
    CHECKS, CommandEntry, DIFFICULTIES, PEOPLE, Parts, Read, amount, number, signed, whom,
};
use super::harm::known_type;
use crate::play::names::{Names, first, is_one_of, leading};
use rollbook_text::names::listed;

pub const ROLL: CommandEntry = CommandEntry {
    name: "roll",
    also: &["r"],
    takes: "DICE [# WHAT FOR]",
    about: "Rolls dice; a random table with table=NAME.",
    example: "/roll 2d6+3 # the fall",
    completes: &[],
    read: Read::Fields("roll_dice", |parts, _| {
        parts.put_why("context");
        if parts.is_empty() {
            return Err("Which dice?".to_owned());
        }
        parts.put_text("expression");
        Ok(())
    }),
};

pub const ODDS: CommandEntry = CommandEntry {
    name: "odds",
    also: &["chance"],
    takes: "DICE, or as /check",
    about: "The exact chance of every total, or of a check before it is rolled.",
    example: "/odds 2d6 at_least=9",
    completes: &[PEOPLE, CHECKS, DIFFICULTIES],
    read: Read::Fields("odds", |parts, names| {
        if parts.is_empty() {
            return Err("The chance of what?".to_owned());
        }
        // Every total is wanted.
        parts.put("detail", "full");
        if parts.words.is_empty() || rollbook_dice::read(&parts.text()).is_ok() {
            parts.put_text("expression");
            return Ok(());
        }
        put_check(parts, names)
    }),
};

pub const CHECK: CommandEntry = CommandEntry {
    name: "check",
    also: &["c", "save"],
    takes: "[WHO] SKILL [DIFFICULTY] [+N] [adv|dis] [vs WHOM [SKILL]] [# WHAT FOR]",
    about: "A check or save by the rules.",
    example: "/check Sabeth Lockpicking 15 # the door",
    completes: &[PEOPLE, CHECKS, DIFFICULTIES],
    read: Read::Fields("skill_check", |parts, names| {
        parts.put_why("context");
        if parts.is_empty() {
            return Err("Who tries what?".to_owned());
        }
        put_check(parts, names)
    }),
};

pub const ATTACK: CommandEntry = CommandEntry {
    name: "attack",
    also: &["a", "hit"],
    takes: "WHO WHOM [with ATTACK or SKILL] [DAMAGE] [TYPE] [# WHAT FOR]",
    about: "An attack with its damage; end_turn=true begins the next turn.",
    example: "/attack Jory Wrecker 1 with Melee 1d12+2",
    completes: &[PEOPLE, |names, _| names.attacks.clone(), CHECKS],
    read: Read::Fields("skill_check", |parts, names| {
        parts.put_why("context");
        if let Some(with) = parts.take_after(&["with"]) {
            put_weapon(parts, with, names)?;
        }
        let words = std::mem::take(&mut parts.words);
        let who = match leading(&words, &names.people) {
            // In a fight the one whose turn it is attacks.
            Some(all) if all == words.len() => 0,
            Some(many) => many,
            None => usize::from(words.len() > 1),
        };
        let (attacker, target) = words.split_at(who.min(words.len()));
        let up = names.turn.as_ref().and_then(|(_, up)| up.clone());
        let attacker = if attacker.is_empty() {
            up
        } else {
            Some(attacker.join(" "))
        };
        match (attacker, whom(&target.join(" "))) {
            (Some(attacker), Some(target)) => {
                parts.put("character", attacker);
                parts.put("target", target);
            }
            _ if parts.has("target") => {}
            _ => return Err("Who attacks whom?".to_owned()),
        }
        if !names.attacks.is_empty() && !WITH.iter().any(|field| parts.has(field)) {
            let known = listed(names.attacks.iter().map(String::as_str), ATTACKS_SHOWN);
            return Err(format!(
                "With what? Attacks here are {known}; a skill will do, too."
            ));
        }
        Ok(())
    }),
};

/// The fields that say what an attack is made with; where nobody has attacks, the rules may need
/// none of them.
const WITH: [&str; 7] = [
    "attack",
    "skill",
    "attribute",
    "check",
    "damage",
    "difficulty",
    "again",
];
const ATTACKS_SHOWN: usize = 120;

/// What an attack is made with: one of a sheet, or a skill; and what it deals.
fn put_weapon(parts: &mut Parts<'_>, mut with: Vec<&str>, names: &Names) -> Result<(), String> {
    if let Some(at) = with.iter().rposition(|word| amount(word).is_some()) {
        let damage = with.split_off(at);
        parts.put("damage", first(&damage, 1));
        if let Some(kind @ [_, ..]) = damage.get(1..) {
            parts.put("damage_type", known_type(&kind.join(" "), names)?);
        }
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

fn put_check(parts: &mut Parts<'_>, names: &Names) -> Result<(), String> {
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
    put_skill(
        parts,
        &words.get(who..).unwrap_or_default().join(" "),
        names,
    );
    Ok(())
}

fn take_difficulty(words: &mut Vec<&str>, known: &[String]) -> Option<String> {
    let at = (0..words.len())
        .find(|at| is_one_of(&words.get(*at..).unwrap_or_default().join(" "), known))?;
    Some(words.split_off(at).join(" "))
}

/// What is tried: a skill, else an attribute or a named check, if the rules call it so.
fn put_skill(parts: &mut Parts<'_>, text: &str, names: &Names) {
    let known = [
        ("skill", &names.skills),
        ("attribute", &names.attributes),
        ("check", &names.checks),
    ];
    let field = known
        .into_iter()
        .find(|(_, known)| is_one_of(text, known))
        .map_or("skill", |(field, _)| field);
    if !text.is_empty() {
        parts.put(field, text);
    }
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
