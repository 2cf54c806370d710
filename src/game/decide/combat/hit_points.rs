//! Hit points of a known character that joins a fight.

use std::collections::BTreeMap;

use super::newcomer::Newcomer;
use crate::game::decide::character::{self, SheetCall};
use crate::game::mechanics::health::Vitality;
use crate::game::mechanics::tracks;
use crate::game::record::state::{Character, Kind};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;

/// Checks that the character has hit points, or sets those of the call; a player character's are never replaced.
pub(super) fn ensure_hit_points(table: &mut Table, known: &Character, newcomer: &Newcomer) -> Result<(), Refusal> {
    let vitality = Vitality::of(table.state, known.id);
    let name = tracks::main_name(table.system()).to_owned();
    match (vitality.main_track(table.system()), newcomer.hp) {
        (Some(_), None) => Ok(()),
        (None, None) if vitality.health(table.system()).is_some() => Ok(()),
        (Some(own), Some(hp)) if (own.value, own.max) == (hp, Some(hp)) => Ok(()),
        (Some(_), Some(hp)) if known.kind == Kind::Player => {
            let summary = format!(
                "{0} already has hit points; hp={hp} was not taken. Leave hp out, or change them with \
                 manage_character action=\"update\" character=\"{0}\" tracks={{\"{name}\": {hp}}}.",
                known.name
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
        (_, Some(hp)) => {
            let sheet = match known.kind == Kind::Player {
                true => SheetCall { tracks: BTreeMap::from([(name, hp)]), ..SheetCall::default() },
                false => SheetCall { hp: Some(hp), ..SheetCall::default() },
            };
            character::update(table, &known.name, sheet).map(|_| ())
        }
        (None, None) => {
            let missing = character::missing(table.state, table.system(), known).join("; ");
            let missing = if missing.is_empty() { String::new() } else { format!(" Still missing: {missing}.") };
            let summary = format!(
                "{0} has no hit points yet, and every combatant needs them.{missing} Send {{\"name\": \"{0}\", \"hp\": 8}}, or \
                 complete {0} with manage_character action=\"update\".",
                known.name
            );
            Err(Refusal::new(Code::MissingValue, summary))
        }
    }
}
