//! What `/damage`, `/heal` and `/condition` take.

use std::collections::BTreeSet;

use super::entry::{Parts, amount, needs, number, whom};
use crate::play::names::Names;
use rollbook_text::names::{first, is_one_of, leading, listed, numbered, quoted};

const TYPES_MAX: usize = 200;

/// Who is hit, and how hard: the amount follows the names, which may end in a number.
pub(super) fn put_damage(parts: &mut Parts<'_>, names: &Names) -> Result<(), String> {
    let words = std::mem::take(&mut parts.words);
    let at = words
        .iter()
        .rposition(|word| amount(word).is_some())
        .filter(|at| *at > 0);
    let named = at.map(|at| first(&words, at + 1)).filter(|people| {
        people
            .rsplit(',')
            .next()
            .is_some_and(|last| is_one_of(last.trim(), &names.people))
    });
    let how_much = || match &named {
        Some(people) => {
            format!(
                "How much? The number belongs to the name {}; the amount stands behind it.",
                quoted(people)
            )
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
    parts.put("amount", rest.first().and_then(|word| amount(word)));
    if let Some(kind @ [_, ..]) = rest.get(1..) {
        parts.put("damage_type", known_type(&kind.join(" "), names)?);
    }
    parts.put("target", whom(&people.join(" ")));
    let of_damage = [
        "amount",
        "roll",
        "parts",
        "apply_conditions",
        "remove_conditions",
    ];
    needs(parts.has("target"), "Whom?")?;
    let is_worth = of_damage.iter().any(|name| parts.has(name));
    is_worth.then_some(()).ok_or_else(how_much)
}

/// A type of damage, where the rules or the sheets name any.
pub(super) fn known_type(kind: &str, names: &Names) -> Result<String, String> {
    let known = &names.damage_types;
    // Several are written as "fire, cold" or "fire and cold".
    let is_known = || {
        kind.split(',')
            .flat_map(|part| part.split(" and "))
            .all(|part| is_one_of(part.trim(), known))
    };
    if known.is_empty() || is_known() {
        return Ok(kind.to_owned());
    }
    let all: BTreeSet<String> = known.iter().map(|known| known.to_lowercase()).collect();
    Err(format!(
        "There is no damage of the type \"{0}\": there is {1}. Type one of these, or what it is from as # {0}.",
        quoted(kind),
        listed(all.iter().map(String::as_str), TYPES_MAX)
    ))
}

/// Where the condition begins, which is the end of the line: one of the rules, or the last word.
pub(super) fn condition_at(words: &[&str], names: &Names) -> Option<usize> {
    // "Exhausted 2" is a condition with its level.
    let is_condition = |at: &usize| {
        let text = words.get(*at..).unwrap_or_default().join(" ");
        is_one_of(numbered(text.trim_start_matches('-')).0, &names.conditions)
    };
    let by_name = || leading(words, &names.people).filter(|many| *many < words.len());
    let last = || {
        words
            .len()
            .checked_sub(if words.last().is_some_and(|word| number(word).is_some()) {
                2
            } else {
                1
            })
    };
    (1..words.len())
        .find(is_condition)
        .or_else(by_name)
        .or_else(last)
}
