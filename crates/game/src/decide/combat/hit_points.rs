//! Hit points of a character that joins a fight; one without any fights, too.

use std::collections::BTreeMap;

use super::newcomer::Newcomer;
use crate::decide::character::{self, HitPoints, SheetCall};
use crate::mechanics::health::Vitality;
use crate::mechanics::tracks;
use crate::record::state::{Character, Kind};
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_text::names::listed;

/// Bytes of the names in the note.
const NAMES_MAX: usize = 200;

/// Sets the hit points of the call; a player character's are never replaced.
pub(super) fn set_hit_points(table: &mut Table, known: &Character, newcomer: &Newcomer) -> Result<(), Refusal> {
    let Some(hp) = newcomer.hp else { return Ok(()) };
    let name = tracks::main_name(table.system()).to_owned();
    match Vitality::of(table.state, known.id).main_track(table.system()) {
        Some(own) if (own.value, own.max) == (hp, Some(hp)) => Ok(()),
        Some(_) if known.kind == Kind::Player => {
            let summary = format!(
                "{0} already has hit points; hp={hp} was not taken. Leave hp out, or change them with \
                 manage_character action=\"update\" character=\"{0}\" tracks={{\"{name}\": {hp}}}.",
                known.name
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
        Some(_) | None => {
            let sheet = match known.kind == Kind::Player {
                true => SheetCall { tracks: BTreeMap::from([(name, hp)]), ..SheetCall::default() },
                false => SheetCall { hp: Some(HitPoints::full(hp)), ..SheetCall::default() },
            };
            character::update(table, &known.name, sheet)
        }
    }
}

/// Notes who has no hit points though the rules count them, and what gives some.
pub(super) fn note_without(table: &mut Table, ids: impl Iterator<Item = i64>) {
    let (state, system) = (&*table.state, table.system());
    if system.damage.iter().all(|own| system.harmed(own).is_empty()) {
        return;
    }
    let counted = |own: &&Character| {
        let vitality = Vitality::of(state, own.id);
        vitality.main_track(system).is_some() || vitality.health(system).is_some()
    };
    let without: Vec<&Character> = ids.filter_map(|id| state.characters.get(&id)).filter(|own| !counted(own)).collect();
    let Some(first) = without.first() else { return };
    let names = listed(without.iter().map(|own| own.name.as_str()), NAMES_MAX);
    let (first, missing) = (first.name.clone(), character::missing(state, system, first).join("; "));
    let more = match missing.is_empty() {
        true => format!("manage_character action=\"update\" character=\"{first}\" hp=8 gives some"),
        false => format!("{first} still lacks {missing}"),
    };
    table.note([format!("without hit points: {names}; {more}")]);
}
