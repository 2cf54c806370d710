//! Wounds in the Health section.

use crate::dice::{Formula, parse_formula};
use crate::names::fold;
use crate::rules::document::Text;
use crate::rules::wounds::Wounds;

use super::formula;
use super::labels::Labelled;
use super::ledger::{Ledger, Scope, Written};
use super::names::Names;
use super::range;

/// `Wounds: 1 per 4 over Toughness, 3 then incapacitated`.
pub fn wounds(label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> Option<Wounds> {
    let parts = label.value.split_all(&[",", ";"]);
    let (first, rest) = parts.split_first()?;
    let (each, over) = first.split_at_any(&[" over "])?;
    let words = fold(each.as_str());
    let (one, per) = words
        .split_once(" per ")
        .or_else(|| words.split_once(" for every "))
        .or_else(|| words.split_once(" for each "))?;
    let (per, after) = range::number(per)?;
    let one = one.strip_suffix(" wound").unwrap_or(one);
    if per < 1 || !after.trim().is_empty() || !matches!(one, "1" | "one" | "a") {
        return None;
    }
    let mut wounds = Wounds {
        name: label.label.as_str().to_owned(),
        per,
        over: threshold(&over, names, ledger)?,
        most: None,
        then: Vec::new(),
        text: label.value.as_str().to_owned(),
        place: ledger.place(label.span),
    };
    for part in rest {
        let ended = part.split_at_any(&[" then "]);
        let most = ended.as_ref().and_then(|(most, _)| range::number(most.as_str()));
        match (most, &ended) {
            (Some((most, "")), Some((_, then))) if most > 0 => {
                wounds.most = Some(most);
                wounds.then = then.split_all(&[" and ", ","]).iter().map(|name| name.as_str().to_owned()).collect();
            }
            _ => ledger.left_to_gm(part.span(), "not read as part of these wounds"),
        }
    }
    Some(wounds)
}

/// A number, an expression, or a name that a character brings.
pub fn threshold(over: &Text, names: &Names, ledger: &mut Ledger<'_>) -> Option<Formula> {
    if !over.codes().is_empty() {
        return formula::read(over, names, Scope::Character, ledger);
    }
    if let Some(formula) = formula::whole(over, names, Scope::Character, ledger) {
        return Some(formula);
    }
    let name = over.as_str().trim();
    let formula = parse_formula(&format!("{{{name}}}")).ok().filter(|_| name.split_whitespace().count() <= 3)?;
    ledger.written.push(Written { formula: formula.clone(), text: over.clone(), scope: Scope::Character });
    Some(formula)
}
