//! Harm without points: wounds by how far a hit goes.

use crate::diagnostic::Place;
use crate::dice::{Formula, parse_formula};
use crate::names::fold;
use crate::rules::document::Text;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::{Ledger, Scope, Written};
use crate::rules::language::names::Names;
use crate::rules::language::{formula, range};

/// `Wounds: 1 per 4 over Toughness, 3 then incapacitated`.
#[derive(Debug, Clone, PartialEq)]
pub struct Wounds {
    /// Name as the author writes it.
    pub name: String,
    /// Points over the threshold for each wound; 1 or more.
    pub per: i64,
    /// What a hit must reach to harm at all.
    pub over: Formula,
    /// Wounds that somebody bears; none when the file sets no end.
    pub most: Option<i64>,
    /// What one more than that brings.
    pub then: Vec<String>,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

impl Wounds {
    /// In a few words: "1 for every 4 over {Toughness}, 3, then incapacitated".
    pub fn describe(&self) -> String {
        let end = self.most.map_or(String::new(), |most| format!(", {most}, then {}", self.then.join(", ")));
        format!("1 for every {} over {}{end}", self.per, self.over)
    }
}

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
