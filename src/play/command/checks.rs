//! `/check` and `/attack`.

use serde_json::{Map, Value, json};

use super::entry::{CommandEntry, Completes, Deed};
use super::harm::known_type;
use super::line::{Parts, amount, number, signed, whom};
use crate::play::names::{Names, first, is_one_of, leading};
use rollbook_text::names::listed;

pub const CHECK: CommandEntry = CommandEntry {
    name: "check",
    also: &["c", "save"],
    takes: "[WHO] SKILL [DIFFICULTY] [+N] [adv|dis] [vs WHOM [SKILL]] [# WHAT FOR]",
    about: "A check or save by the rules.",
    example: "/check Sabeth Lockpicking 15 # the door",
    completes: &[Completes::People, Completes::Checks, Completes::Difficulties],
    read: |text, names| {
        let mut parts = Parts::of(text)?;
        parts.put_why("context");
        if parts.words.is_empty() && parts.fields.is_empty() {
            return Err("Who tries what?".to_owned());
        }
        Ok(Deed::call("skill_check", check(parts, names)?))
    },
};

pub const ATTACK: CommandEntry = CommandEntry {
    name: "attack",
    also: &["a", "hit"],
    takes: "WHO WHOM [with ATTACK or SKILL] [DAMAGE] [TYPE] [# WHAT FOR]",
    about: "An attack with its damage; end_turn=true begins the next turn.",
    example: "/attack Jory Wrecker 1 with Melee 1d12+2",
    completes: &[Completes::People, Completes::Attacks, Completes::Checks],
    read: |text, names| {
        let mut parts = Parts::of(text)?;
        parts.put_why("context");
        if let Some(with) = parts.behind(&["with"]) {
            weapon(&mut parts, with, names)?;
        }
        let words = std::mem::take(&mut parts.words);
        let who = match leading(&words, &names.people) {
            // In a fight whoever is up attacks.
            Some(all) if all == words.len() => 0,
            Some(many) => many,
            None => usize::from(words.len() > 1),
        };
        let (attacker, target) = words.split_at(who.min(words.len()));
        let up = names.turn.as_ref().and_then(|(_, up)| up.as_deref());
        match (attacker, up, whom(&target.join(" "))) {
            ([], Some(up), Some(target)) => {
                parts.put("character", up);
                parts.put("target", target);
            }
            ([_, ..], _, Some(target)) => {
                parts.put("character", attacker.join(" "));
                parts.put("target", target);
            }
            _ if parts.fields.contains_key("target") => {}
            _ => return Err("Who attacks whom?".to_owned()),
        }
        if !names.attacks.is_empty() && !WITH.iter().any(|field| parts.fields.contains_key(*field)) {
            let known = listed(names.attacks.iter().map(String::as_str), ATTACKS_SHOWN);
            return Err(format!("With what? Attacks here are {known}; a skill will do, too."));
        }
        Ok(Deed::call("skill_check", parts.fields))
    },
};

/// The fields that say what an attack is made with; where nobody has attacks, the rules may need none of them.
const WITH: [&str; 7] = ["attack", "skill", "attribute", "check", "damage", "difficulty", "again"];
/// Letters of the list of attacks.
const ATTACKS_SHOWN: usize = 120;

/// What an attack is made with: one of a sheet, or a skill; and what it deals.
fn weapon(parts: &mut Parts<'_>, mut with: Vec<&str>, names: &Names) -> Result<(), String> {
    let dice = |word: &&str| amount(word).is_some();
    if let Some(at) = with.iter().rposition(dice) {
        let mut damage = with.split_off(at).into_iter();
        parts.put("damage", damage.next().unwrap_or_default());
        let kind: Vec<&str> = damage.collect();
        if !kind.is_empty() {
            parts.put("damage_type", known_type(&kind.join(" "), names)?);
        }
    }
    let name = with.join(" ");
    match name.is_empty() {
        true if parts.fields.contains_key("damage") => {}
        true => return Err("With what?".to_owned()),
        false if is_one_of(&name, &names.attacks) => parts.put("attack", name),
        false if is_one_of(&name, &names.skills) => parts.put("skill", name),
        false if is_one_of(&name, &names.attributes) => parts.put("attribute", name),
        false => parts.put("attack", name),
    }
    Ok(())
}

/// The fields of a check.
pub fn check(mut parts: Parts<'_>, names: &Names) -> Result<Map<String, Value>, String> {
    if let Some(against) = parts.behind(&["vs", "vs.", "against"]) {
        opponent(&mut parts, &against, names)?;
    }
    loop {
        if parts.pop(|word| ["adv", "advantage"].contains(&word.to_lowercase().as_str()).then_some(())).is_some() {
            parts.put("advantage", true);
        } else if parts
            .pop(|word| ["dis", "disadvantage"].contains(&word.to_lowercase().as_str()).then_some(()))
            .is_some()
        {
            parts.put("disadvantage", true);
        } else if let Some(modifier) = parts.pop(signed) {
            parts.put("modifier", modifier);
        } else if let Some(difficulty) = parts.pop(number) {
            parts.put("difficulty", difficulty);
        } else if let Some(difficulty) = trailing(&mut parts.words, &names.difficulties) {
            parts.put("difficulty", difficulty);
        } else {
            break;
        }
    }
    let words = std::mem::take(&mut parts.words);
    let known = |many: &usize| *many < words.len() || !is_trial(&first(&words, *many), names);
    match leading(&words, &names.people).filter(known) {
        Some(who) => {
            parts.put("character", first(&words, who));
            tried(&mut parts, &words.get(who..).unwrap_or_default().join(" "), names);
        }
        None if is_trial(&words.join(" "), names) || words.len() == 1 => tried(&mut parts, &words.join(" "), names),
        // Somebody whom nobody knows: the tool says who there is.
        None if !words.is_empty() => {
            parts.put("character", first(&words, 1));
            tried(&mut parts, &words.get(1..).unwrap_or_default().join(" "), names);
        }
        None => {}
    }
    Ok(parts.fields)
}

/// A difficulty by its word, taken from the end.
fn trailing(words: &mut Vec<&str>, known: &[String]) -> Option<String> {
    let at = (0..words.len()).find(|at| is_one_of(&words.get(*at..).unwrap_or_default().join(" "), known))?;
    Some(words.split_off(at).join(" "))
}

/// Whether the rules know it as something to try.
fn is_trial(text: &str, names: &Names) -> bool {
    [&names.skills, &names.attributes, &names.checks].iter().any(|known| is_one_of(text, known))
}

/// What is tried: a skill, else an attribute or a named check, if the rules call it so.
fn tried(parts: &mut Parts<'_>, text: &str, names: &Names) {
    let field = if text.is_empty() {
        return;
    } else if is_one_of(text, &names.skills) {
        "skill"
    } else if is_one_of(text, &names.attributes) {
        "attribute"
    } else if is_one_of(text, &names.checks) {
        "check"
    } else {
        "skill"
    };
    parts.put(field, text);
}

/// Who rolls against it; a number is what must be reached.
fn opponent(parts: &mut Parts<'_>, words: &[&str], names: &Names) -> Result<(), String> {
    match words {
        [] => return Err("Against whom?".to_owned()),
        [only] if number(only).is_some() => parts.put("difficulty", number(only)),
        _ => {
            let who = leading(words, &names.people).unwrap_or(1);
            let mut against = Map::from_iter([("character".to_owned(), Value::from(first(words, who)))]);
            let rest = words.get(who..).unwrap_or_default().join(" ");
            if !rest.is_empty() {
                let field = if is_one_of(&rest, &names.attributes) { "attribute" } else { "skill" };
                against.insert(field.to_owned(), rest.into());
            }
            parts.put("opposed_by", json!(against));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::play::command::tests::{call, names};
    use crate::play::command::{Deed, read};
    use crate::play::names::Names;

    #[track_caller]
    fn check(line: &str, wanted: Value) {
        assert_eq!(call(line), ("skill_check".to_owned(), wanted), "{line}");
    }

    #[test]
    fn who_and_what_are_told_apart_by_what_the_table_knows() {
        check(
            "/check Sabeth Quoin Sleight of Hand 15",
            json!({"character": "Sabeth Quoin", "skill": "Sleight of Hand", "difficulty": 15}),
        );
        check(
            "/check sabeth dex very hard adv",
            json!({"character": "sabeth", "attribute": "dex", "difficulty": "very hard", "advantage": true}),
        );
        check("/check Lockpicking +2 12", json!({"skill": "Lockpicking", "modifier": 2, "difficulty": 12}));
        check("/save Jory Save 12", json!({"character": "Jory", "check": "Save", "difficulty": 12}));
        check("/check Bob Lockpicking", json!({"character": "Bob", "skill": "Lockpicking"}));
        check("/check Lockpickin 9", json!({"skill": "Lockpickin", "difficulty": 9}));
        check(
            "/check Jory Melee vs Wrecker 1 STR",
            json!({"character": "Jory", "skill": "Melee", "opposed_by": {"character": "Wrecker 1", "attribute": "STR"}}),
        );
        check("/check Jory Melee vs 14", json!({"character": "Jory", "skill": "Melee", "difficulty": 14}));
        check(
            "/check Jory skill=Melee # over the rail",
            json!({"character": "Jory", "skill": "Melee", "context": "over the rail"}),
        );
    }

    #[test]
    fn attacks_name_both_and_what_with() {
        check(
            "/attack Jory Wrecker 1 with boat hook",
            json!({"character": "Jory", "target": "Wrecker 1", "attack": "boat hook"}),
        );
        check(
            "/a Jory Penrake Wrecker 2 with Melee 1d12+2 slashing",
            json!({"character": "Jory Penrake", "target": "Wrecker 2", "skill": "Melee", "damage": "1d12+2", "damage_type": "slashing"}),
        );
        check(
            "/attack Jory Wrecker 1, Wrecker 2 with Melee",
            json!({"character": "Jory", "target": ["Wrecker 1", "Wrecker 2"], "skill": "Melee"}),
        );
        assert!(read("/attack Wrecker 1", &names()).unwrap_err().starts_with("Who attacks whom?"));
        let bare = read("/attack Jory Wrecker 1", &names()).unwrap_err();
        assert!(bare.starts_with("With what? Attacks here are boat hook, Crossbow; a skill will do, too."), "{bare}");
        let without = Names { attacks: Vec::new(), ..names() };
        assert!(read("/attack Jory Wrecker 1", &without).is_ok(), "rules may need no more");
        let mut up = names();
        up.turn = Some((2, Some("Sabeth Quoin".to_owned())));
        let Ok(Deed::Call { arguments, .. }) = read("/attack Wrecker 1 with Crossbow end_turn=true", &up) else {
            panic!("a call")
        };
        assert_eq!(
            Value::Object(arguments),
            json!({"character": "Sabeth Quoin", "target": "Wrecker 1", "attack": "Crossbow", "end_turn": true})
        );
    }
}
