//! What an attribute's score is worth where no Modifier rule says so.

use super::attribute::Attribute;
use super::modifier::Modifier;
use crate::dice::parse_formula;
use crate::names::{fold, same};
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::number_table::Base;
use crate::rules::language::system::System;
use crate::rules::when::facts::Succeed;

/// The d20 family derives modifiers from scores; scores that stop here are modifiers themselves.
const SCORE_MAX_OF_MODIFIERS: i64 = 10;

/// What they derive.
const HALF_ABOVE_TEN: &str = "floor(({score} - 10) / 2)";

/// In the d20 family scores beyond ten stand for a modifier that the file need not spell out, whether its check is written
/// out or assumed. Where a check also rolls under a score, where no Range says how far scores go, and with all other dice, they
/// are taken as they are. What is assumed is said.
pub fn assume_modifiers(system: &mut System, ledger: &mut Ledger<'_>) {
    let on_d20 = system.checks.iter().find(|check| check.rolls_d20() && adds_an_attribute_to_d20(check, system));
    let added = || system.checks.iter().find(|check| !check.rolls_d20() && adds_an_attribute(check, system));
    let Some(check) = on_d20.or_else(added) else { return };
    let is_d20 = check.rolls_d20();
    let (place, name) = (check.place.clone(), check.name.clone());
    let under =
        system.checks.iter().find(|check| rolls_under_an_attribute(check, system)).map(|check| check.name.clone());
    // What is itself to be reached, as an armour class is, is compared as it stands.
    let reached: Vec<String> = system.checks.iter().flat_map(reached).collect();
    let is_open = |own: &&mut Attribute| own.modifier.assumed && !reached.iter().any(|name| own.is_called(name));
    let open: Vec<&mut Attribute> = system.attributes.iter_mut().filter(is_open).collect();
    let is_score = |range: Option<(i64, i64)>| range.is_some_and(|(_, high)| high > SCORE_MAX_OF_MODIFIERS);
    let scores = open.iter().filter(|own| is_score(own.range)).count();
    let unbounded = open.iter().filter(|own| own.range.is_none()).count();
    let why = match (scores > 0, under) {
        (true, None) if is_d20 => {
            for attribute in open.into_iter().filter(|own| is_score(own.range)) {
                let Ok(formula) = parse_formula(HALF_ABOVE_TEN) else { return };
                let stated = Modifier::stated(Base::Formula(formula), attribute.place.clone());
                attribute.modifier = Modifier { assumed: true, ..stated };
            }
            HALF_ABOVE_TEN.to_owned()
        }
        (true, None) => format!("the score itself, since {name} rolls no d20"),
        (true, Some(under)) => format!("the score itself, since {under} rolls under it"),
        (false, _) if unbounded > 0 => "the score itself, since no Range goes beyond 10".to_owned(),
        (false, _) => return,
    };
    let otherwise = "to have it otherwise write a `- Modifier:` bullet or a | Score | Modifier | table";
    ledger.assume(format!("what an attribute is worth is {why}; {otherwise}"), Some(place));
}

/// Whether a check on a d20 adds what an attribute is worth, or tells the score apart from it.
fn adds_an_attribute_to_d20(check: &Check, system: &System) -> bool {
    let by_default = check.names("modifier");
    let named = || check.variables_beside_target().iter().any(|name| is_an_attribute(name, system));
    let score = |name: &String| fold(name).strip_suffix(" score").is_some_and(|bare| is_an_attribute(bare, system));
    check.assumed || by_default || named() || check.variables().iter().any(score)
}

/// Whether a check adds what an attribute is worth to its dice, as `{modifier}` or by name. A size or a number of dice is what
/// it says.
fn adds_an_attribute(check: &Check, system: &System) -> bool {
    check.roll.adds(&|name| same(name, "modifier") || is_an_attribute(name, system))
}

/// The folded names of what a check's Target says is to be reached.
fn reached(check: &Check) -> Vec<String> {
    check.target_names().iter().map(|name| fold(name)).collect()
}

/// Whether an attribute is the number that a roll must not exceed.
fn rolls_under_an_attribute(check: &Check, system: &System) -> bool {
    let target = check.target.iter().flat_map(|target| target.variables());
    check.succeed == Succeed::AtMost && target.into_iter().any(|own| is_an_attribute(&own.name, system))
}

fn is_an_attribute(name: &str, system: &System) -> bool {
    let folded = fold(name);
    folded == "attribute" || system.named_attribute(name).is_some()
}
