//! A table of attacks: `| Weapon | To hit | Damage | Range |`.

use super::Reader;
use super::pieces::{damage_in, left_over};
use crate::import::foe::Foe;
use crate::limits::LIMITS;
use crate::record::state::Attack;
use rollbook_rules::System;
use rollbook_text::names::{fold, shortened};

/// Columns of a table of attacks.
const NAMES: [&str; 4] = ["attack", "weapon", "attacks", "weapons"];
const ROLLS: [&str; 7] = ["to hit", "hit", "bonus", "attack bonus", "roll", "skill", "attack roll"];
const DAMAGE: [&str; 3] = ["damage", "dmg", "hit deals"];
const TYPES: [&str; 2] = ["type", "damage type"];
const RANGES: [&str; 2] = ["range", "reach"];

/// Whether a row of cells is the header of a table of attacks.
pub fn is_header(cells: &[String]) -> bool {
    column(cells, &NAMES).is_some() && column(cells, &DAMAGE).is_some()
}

fn column(header: &[String], names: &[&str]) -> Option<usize> {
    header.iter().position(|cell| names.contains(&fold(cell).as_str()))
}

/// Reads a row below such a header; `false` where it is no attack.
pub fn read_row(foe: &mut Foe, system: &System, header: &[String], cells: &[String]) -> bool {
    let at = |names: &[&str]| column(header, names).and_then(|at| cells.get(at)).filter(|cell| !cell.is_empty());
    let (Some(name), Some(damage)) = (at(&NAMES), at(&DAMAGE)) else { return false };
    let Some((mut damage, rest)) = damage_in(damage, false) else { return false };
    if let (Some(kind), [only]) = (at(&TYPES), damage.as_mut_slice()) {
        only.damage_type.get_or_insert_with(|| kind.clone());
    }
    let mut own = Attack { name: name.clone(), damage, range: at(&RANGES).cloned(), ..Attack::default() };
    let mut effect: Vec<String> = left_over(&rest).into_iter().collect();
    let mut reader = Reader { system, foe_skills: Vec::new(), found: Vec::new() };
    if let Some(roll) = at(&ROLLS) {
        reader.head(&mut own, &mut effect, roll);
        foe.bonuses.extend(reader.foe_skills);
    }
    let read = [&NAMES[..], &ROLLS, &DAMAGE, &TYPES, &RANGES].map(|names| column(header, names));
    let others = cells.iter().enumerate().filter(|(at, _)| !read.contains(&Some(*at)));
    effect.extend(others.filter_map(|(_, cell)| left_over(cell)));
    own.effect = (!effect.is_empty()).then(|| shortened(&effect.join(", "), LIMITS.context - 10));
    foe.attacks.push(own);
    true
}
