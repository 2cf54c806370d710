//! What is taken off a hit, in the order of the rules.
//!
//! A defence is everybody's where the rules say so (`for all`), else that of whoever has something of its name on the sheet: a track
//! `Armour` 3, `Resistance (cold)` 1, an attribute or a skill. Types of damage in brackets behind the name keep it to these. 0 means
//! that nothing is there.

use super::call;
use super::hit::Hit;
use crate::mechanics::lookup;
use crate::mechanics::values::Values;
use crate::record::event::Part;
use crate::refusal::{Code, Refusal};
use rollbook_dice::{Formula, parse_formula};
use rollbook_rules::{Against, Defence};
use rollbook_text::names::{Found, find, quoted, same, suggest};

/// Applies the target's defences to each part of the hit, except bypassed ones.
pub(super) fn defend(hit: &mut Hit<'_>, parts: &mut [Part], bypass: &[String]) -> Result<(), Refusal> {
    let bypass: Vec<&str> = bypass.iter().map(|name| defence_named(hit, name)).collect::<Result<_, _>>()?;
    let system = hit.system;
    for step in system.defences.iter().filter(|step| !bypass.contains(&step.rule.name.as_str())) {
        if hit.left == 0 {
            return Ok(());
        }
        for Applied { name, value, of } in applied(hit, step, parts) {
            let left: i64 = of.iter().filter_map(|at| parts.get(*at)).map(|part| part.amount).sum();
            let number = |amount: &Formula| number_of(hit, step, amount, value);
            let (after, how) = match &step.rule.does {
                Against::Subtract(amount) => {
                    let number = number(amount)?.max(0);
                    ((left - number).max(0), number.to_string())
                }
                Against::Half => (halved(left, system.halving_up), halving_words(system.halving_up).to_owned()),
                Against::Double => (left.saturating_mul(2), "double".to_owned()),
                Against::None => (0, "no damage".to_owned()),
                Against::Times(factor) => {
                    let rounded = if system.halving_up { "ceil" } else { "floor" };
                    let after = parse_formula(&format!("{rounded}(({factor}) * {left})"));
                    (after.as_ref().map_or(Ok(left), number)?.max(0), step.rule.does.to_string())
                }
                Against::IgnoreUnder(amount) => {
                    let number = number(amount)?;
                    if left >= number {
                        continue;
                    }
                    (0, format!("less than {number} does nothing"))
                }
            };
            let least = step.rule.least.as_ref().map_or(Ok(0), number)?;
            let after = after.max(left.min(least));
            if after == left {
                continue;
            }
            call::share(parts, &of, after);
            let others = hit.left - left;
            hit.step(format!("{name}: {how}"), others.saturating_add(after));
        }
    }
    Ok(())
}

/// Half of a number, rounded as the rules round what halves.
pub(super) fn halved(amount: i64, up: bool) -> i64 {
    amount / 2 + if up { amount % 2 } else { 0 }
}

/// "half, rounded down"
pub(super) fn halving_words(up: bool) -> &'static str {
    if up { "half, rounded up" } else { "half, rounded down" }
}

/// The number of a defence; its own name is what the sheet has of it.
fn number_of(hit: &Hit<'_>, step: &Defence, amount: &Formula, value: Option<i64>) -> Result<i64, Refusal> {
    let values = Values::of(hit.state, hit.system, hit.target);
    let own = |name: &str| value.filter(|_| same(name, &step.rule.name));
    let bound = amount.bind(&mut |name| own(name).or_else(|| values.get(name)));
    let bound = match bound {
        Ok(bound) => bound,
        Err(_) => values.bind(amount)?,
    };
    Ok(bound.constant().unwrap_or(0))
}

/// A defence as the target has it: under which name, with which number, against which parts of the hit.
struct Applied {
    name: String,
    value: Option<i64>,
    of: Vec<usize>,
}

/// How the target has this defence, against the parts of the hit.
fn applied(hit: &Hit<'_>, step: &Defence, parts: &[Part]) -> Vec<Applied> {
    let against = |part: &Part| step.is_against(part.damage_type.as_deref());
    let reached = parts.iter().enumerate().filter(|(_, part)| against(part));
    if step.rule.for_all {
        let of: Vec<usize> = reached.map(|(at, _)| at).collect();
        let own = Applied { name: step.rule.name.clone(), value: None, of };
        return if own.of.is_empty() { Vec::new() } else { vec![own] };
    }
    let mut found: Vec<Applied> = Vec::new();
    for (at, part) in reached {
        let Some((name, value)) = largest_value(hit, step, part.damage_type.as_deref()) else { continue };
        match found.iter_mut().find(|known| known.name == name) {
            Some(known) => known.of.push(at),
            None => found.push(Applied { name, value: Some(value), of: vec![at] }),
        }
    }
    found
}

/// The largest value above 0 of the target against this type, with its name on the sheet.
fn largest_value(hit: &Hit<'_>, step: &Defence, damage_type: Option<&str>) -> Option<(String, i64)> {
    let is_against = |name: &str| {
        let of_type = |types: &[&str]| damage_type.is_some_and(|wanted| types.iter().any(|own| same(own, wanted)));
        step.on_sheet(name).is_some_and(|types| types.is_empty() || of_type(&types))
    };
    let tracks = hit.state.tracks_of(hit.target.id).filter(|track| is_against(&track.name));
    let largest = tracks.max_by_key(|track| track.value).map(|track| (track.name.clone(), track.value));
    let on_sheet = || {
        let found = Values::of(hit.state, hit.system, hit.target).get(&step.rule.name)?;
        Some((step.rule.name.clone(), found))
    };
    largest.or_else(on_sheet).filter(|(_, value)| *value > 0)
}

/// The defence of the rules that a name means.
fn defence_named<'s>(hit: &Hit<'s>, name: &str) -> Result<&'s str, Refusal> {
    let names: Vec<&str> = hit.system.defences.iter().map(|step| step.rule.name.as_str()).collect();
    match find(name, names.iter().map(|own| (*own, *own))) {
        Found::One(own) => return Ok(own),
        Found::Several(fit) => {
            return Err(lookup::ambiguous_in_list("bypass", name, fit.into_iter().map(str::to_owned).collect()));
        }
        Found::Nothing => {}
    }
    let suggestions = suggest(name, names.iter().copied());
    let summary = match (names.first(), suggestions.first()) {
        (None, _) => "These rules name nothing that takes damage off, so there is nothing to bypass. Leave bypass out."
            .to_owned(),
        (_, Some(first)) => {
            format!("Nothing in these rules is called {}. Send bypass=[\"{first}\"].", quoted(name))
        }
        (Some(first), None) => format!(
            "Nothing in these rules is called {}; there is {}. Send bypass=[\"{first}\"], or another of these.",
            quoted(name),
            names.join(", ")
        ),
    };
    Err(Refusal::new(Code::UnknownMitigation, summary).did_you_mean(suggestions))
}
