//! What `/damage`, `/heal` and `/condition` take.

use std::collections::BTreeSet;

use super::entry::{Parts, amount, needs, number, whom};
use crate::play::names::Names;
use rollbook_text::names::{first, is_one_of, leading, listed, numbered, quoted};

const TYPES_MAX: usize = 200;

/// Who is hit, and how hard, in that field: the amount follows the names, which may end in a number.
pub(super) fn put_damage(parts: &mut Parts<'_>, names: &Names, field: &str) -> Result<(), String> {
    let words = std::mem::take(&mut parts.words);
    let is_amount = |at: usize| words.get(at).and_then(|word| amount(word)).is_some();
    let is_known = |many: usize| {
        let people = first(&words, many);
        let last = people.rsplit(',').next().unwrap_or_default();
        let last: Vec<&str> = last.split_whitespace().collect();
        leading(&last, &names.people) == Some(last.len())
    };
    let named = (1..words.len()).find(|at| is_amount(*at) && is_known(at + 1));
    let mut amounts = (1..words.len())
        .rev()
        .filter(|at| is_amount(*at) && !is_known(at + 1));
    let last = amounts.clone().next().filter(|_| named.is_none());
    let at = amounts.find(|at| is_known(*at)).or(last);
    let (people, rest) = words.split_at(at.unwrap_or(words.len()));
    put_amount(parts, field, rest, names)?;
    parts.put("target", whom(&people.join(" ")));
    let of_damage = [
        field,
        "roll",
        "parts",
        "apply_conditions",
        "remove_conditions",
    ];
    needs(parts.has("target"), "Whom?")?;
    let is_worth = of_damage.iter().any(|name| parts.has(name));
    is_worth.then_some(()).ok_or_else(|| match named {
        Some(at) => format!(
            "How much? The number belongs to the name {}; the amount stands behind it.",
            quoted(&first(&words, at + 1))
        ),
        None => "How much?".to_owned(),
    })
}

/// An amount with its type, if it has one. What is more than that the tool reads.
pub(super) fn put_amount(
    parts: &mut Parts<'_>,
    field: &str,
    words: &[&str],
    names: &Names,
) -> Result<(), String> {
    match words {
        [_, more @ ..] if more.iter().any(|word| amount(word).is_some()) => {
            parts.put(field, words.join(" "));
        }
        [much, kind @ ..] => {
            parts.put(field, amount(much));
            if !kind.is_empty() {
                parts.put("damage_type", known_type(&kind.join(" "), names)?);
            }
        }
        [] => {}
    }
    Ok(())
}

/// A type of damage, where the rules or the sheets name any.
fn known_type(kind: &str, names: &Names) -> Result<String, String> {
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
