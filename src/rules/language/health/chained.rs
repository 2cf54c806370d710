//! A chain of damage in the Health section: `- Endurance, then Strength or Dexterity`.

use std::collections::BTreeSet;

use super::damage_chain::DamageChain;
use super::tracks::{Direction, Start, Track};
use crate::dice::parse_formula;
use crate::names::fold;
use crate::rules::document::{Bullet, Text};
use crate::rules::language::labels::labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// Words of a stage at most; a whole sentence with a "then" in it is prose.
const STAGE_WORDS_MAX: usize = 4;

/// Reads the chain, and makes a track of each attribute in it.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    for bullet in outline.bullets(SectionKind::Health) {
        if labelled(bullet, ledger).is_some() {
            continue;
        }
        let Some(chain) = chain(bullet, system, ledger) else { continue };
        ledger.take(bullet.text.span());
        if system.damage_chain.is_some() {
            ledger.left_to_gm(bullet.text.span(), "damage already goes from one to the next by a bullet above");
            continue;
        }
        for name in &chain.scores {
            let span = bullet.text.span();
            let Some(max) = parse_formula(&format!("{{{name} score}}")).ok() else { continue };
            if ledger.has_room(system.tracks.len(), "tracks", span) {
                let place = chain.place.clone();
                let (start, counts) = (Start::Full, Direction::Down);
                let (hidden, clock, progress) = (false, false, false);
                let max = Some(max);
                system.tracks.push(Track {
                    name: name.clone(),
                    max,
                    min: 0,
                    start,
                    counts,
                    hidden,
                    clock,
                    progress,
                    place,
                    span,
                });
            }
        }
        system.damage_chain = Some(chain);
    }
}

/// One that names an attribute or a track and something else is reported, since it looks read and is not.
fn chain(bullet: &Bullet, system: &System, ledger: &mut Ledger<'_>) -> Option<DamageChain> {
    let text = &bullet.text;
    if text.as_str().len() > ledger.limits.bullet_bytes {
        return None;
    }
    let stages = text.split_all(&[", then ", " then ", ";"]);
    if stages.len() < 2 {
        return None;
    }
    let found: Vec<Option<Vec<String>>> = stages
        .iter()
        .map(|stage| stage.split_all(&[" or ", "/"]).iter().map(|part| named(part, system)).collect())
        .collect();
    let is_stage = |stage: &Option<Vec<String>>| stage.as_ref().is_some_and(|stage| !stage.is_empty());
    if let Some((other, _)) = stages.iter().zip(&found).find(|(_, stage)| !is_stage(stage)) {
        let short = stages.iter().all(|stage| stage.as_str().split_whitespace().count() <= STAGE_WORDS_MAX);
        if short && found.iter().any(is_stage) {
            let why = "no attribute and no track is called so, and damage goes from one of these to the next";
            ledger.left_to_gm(other.span(), why);
        }
        return None;
    }
    let stages: Vec<Vec<String>> = found.into_iter().flatten().collect();
    let members: Vec<&String> = stages.iter().flatten().collect();
    if members.len() > members.iter().collect::<BTreeSet<_>>().len() {
        ledger.left_to_gm(text.span(), "it names something twice, and damage goes from one to another");
        return None;
    }
    let is_score = |name: &&&String| !system.tracks.iter().any(|own| own.name == ***name);
    let scores = members.iter().filter(is_score).map(|name| (*name).clone()).collect();
    Some(DamageChain { stages, scores, text: text.as_str().to_owned(), place: ledger.place(text.span()) })
}

/// The track or the attribute of this name, as it is declared.
fn named(part: &Text, system: &System) -> Option<String> {
    let name = fold(part.as_str().trim().trim_end_matches('.'));
    let track = system.tracks.iter().find(|own| fold(&own.name) == name).map(|own| &own.name);
    let attribute = || system.attributes.iter().find(|own| own.is_called(&name)).map(|own| &own.name);
    track.or_else(attribute).cloned()
}
