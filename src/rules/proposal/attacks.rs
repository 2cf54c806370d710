//! Weapons in a sentence: "A longsword deals 1d8 slashing damage".

use super::look::{Look, Proposal};
use super::sentences::{Sentence, bare, sentences};
use crate::names::same;
use crate::rules::language::plain::dice_mentions;
use crate::rules::language::section::SectionKind;

/// What a weapon's last word ends with: what bites in a story, or falls, is none that everybody may take.
const WEAPONS: [&str; 32] = [
    "sword", "axe", "bow", "dagger", "mace", "spear", "hammer", "club", "staff", "knife", "blade", "sling", "lance",
    "halberd", "flail", "whip", "rapier", "scimitar", "pike", "glaive", "pistol", "rifle", "musket", "shotgun",
    "revolver", "javelin", "hatchet", "trident", "sabre", "saber", "cutlass", "carbine",
];
/// Words between a weapon and its dice.
const DEALS: [&str; 5] = ["deals", "does", "inflicts", "causes", "deal"];
/// Weapons that are offered at once.
const WEAPONS_MAX: usize = 40;

pub(super) fn proposals(look: &Look<'_>) -> Vec<Proposal> {
    let mut found: Vec<(String, Proposal)> = Vec::new();
    for sentence in sentences(look) {
        let Some((name, damage)) = weapon(&sentence) else { continue };
        let known = look.system.attacks.iter().any(|own| same(&own.name, &name));
        if known || found.len() >= WEAPONS_MAX || found.iter().any(|(other, _)| same(other, &name)) {
            continue;
        }
        let body = format!("- {name}: {damage}");
        let proposal =
            look.below(SectionKind::Attacks, format!("the damage of a weapon: {name}"), sentence.span(), body);
        found.push((name, proposal));
    }
    found.into_iter().map(|(_, proposal)| proposal).collect()
}

/// The weapon of a sentence that says nothing else, and its damage with the type.
fn weapon(sentence: &Sentence<'_>) -> Option<(String, String)> {
    let words = bare(sentence.words());
    let at = words.iter().position(|word| DEALS.contains(word))?;
    let name = match words.get(..at)? {
        ["A" | "An" | "The", name @ ..] => name,
        name => name,
    };
    let last = name.last()?.to_ascii_lowercase();
    let is_weapon = WEAPONS.iter().any(|weapon| last.ends_with(weapon)) && name.len() <= 3;
    let letters = name.iter().all(|word| word.chars().all(|letter| letter.is_alphabetic() || letter == '-'));
    let rest = words.get(at + 1..).filter(|_| is_weapon && letters && sentence.is_told())?;
    let [dice, kind @ .., "damage"] = rest else { return None };
    let whole = dice_mentions(dice).next().is_some_and(|own| own.start == 0);
    let fits = whole && crate::dice::parse(dice).is_ok() && kind.len() <= 2;
    let kinds = kind.iter().all(|word| word.chars().all(|letter| letter.is_ascii_lowercase()));
    if !fits || !kinds {
        return None;
    }
    let mut name = name.join(" ");
    if let Some(first) = name.get(..1).map(str::to_ascii_uppercase) {
        name.replace_range(..1, &first);
    }
    let kind = kind.iter().map(|word| format!(" {word}")).collect::<String>();
    Some((name, format!("{dice}{kind}")))
}
