//! Wounds and chains of attributes in the Health section.

use crate::dice::{Formula, parse_formula};
use crate::names::fold;
use crate::rules::attribute::Attribute;
use crate::rules::document::{Bullet, Text};
use crate::rules::wounds::{DamageChain, Wounds};

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
fn threshold(over: &Text, names: &Names, ledger: &mut Ledger<'_>) -> Option<Formula> {
    if let Some(code) = over.codes().first() {
        return formula::notation(code, Scope::Character, ledger);
    }
    if let Some(formula) = formula::whole(over, names, Scope::Character, ledger) {
        return Some(formula);
    }
    let name = over.as_str().trim();
    let formula = parse_formula(&format!("{{{name}}}")).ok().filter(|_| name.split_whitespace().count() <= 3)?;
    ledger.written.push(Written { formula: formula.clone(), text: over.clone(), scope: Scope::Character });
    Some(formula)
}

/// `Endurance, then Strength or Dexterity`: a bullet without a label that names attributes in stages. One that names an
/// attribute and something else is reported, since it looks read and is not.
pub fn chain(bullet: &Bullet, attributes: &[Attribute], ledger: &mut Ledger<'_>) -> Option<DamageChain> {
    let text = &bullet.text;
    if text.as_str().len() > ledger.limits.bullet_bytes {
        return None;
    }
    let stages = text.split_all(&[", then ", " then ", ";"]);
    let named = |part: &Text| {
        let name = fold(part.as_str().trim_end_matches('.'));
        attributes.iter().find(|own| own.is_called(&name)).map(|own| own.name.clone())
    };
    if stages.len() < 2 {
        return None;
    }
    let found: Vec<Option<Vec<String>>> =
        stages.iter().map(|stage| stage.split_all(&[" or ", "/"]).iter().map(named).collect()).collect();
    let is_stage = |stage: &Option<Vec<String>>| stage.as_ref().is_some_and(|stage| !stage.is_empty());
    if let Some((other, _)) = stages.iter().zip(&found).find(|(_, stage)| !is_stage(stage)) {
        // A whole sentence with a "then" in it is prose.
        let short = stages.iter().all(|stage| stage.as_str().split_whitespace().count() <= 4);
        if short && found.iter().any(is_stage) {
            ledger
                .left_to_gm(other.span(), "no attribute is called so, and damage goes from one attribute to the next");
        }
        return None;
    }
    let stages: Vec<Vec<String>> = found.into_iter().flatten().collect();
    Some(DamageChain { stages, text: text.as_str().to_owned(), place: ledger.place(text.span()) })
}
