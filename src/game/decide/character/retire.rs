//! Retires characters and brings them back. A retired character is kept with everything it has; none is ever deleted.

use crate::game::mechanics::lookup;
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::Visibility;
use crate::game::record::event::Event;
use crate::game::record::state::Character;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};

/// Marks the character as retired, or as active again.
pub fn retire(table: &mut Table, who: &str) -> Result<(), Refusal> {
    let before = lookup::character(table.state, table.system(), who)?.clone();
    if table.state.open_combatant(before.id).is_some() {
        let summary = format!(
            "{0} is in a fight. Send manage_combat action=\"remove\" combatant=\"{0}\" first, or end the fight.",
            before.name
        );
        return Err(Refusal::new(Code::InCombat, summary));
    }
    let back = before.retired;
    let after = Character { retired: !back, ..before.clone() };
    let event = Event::Retired { subject: after.subject(), back };
    let visibility = if after.kind.is_open() { Visibility::Public } else { Visibility::Gm };
    let changes = vec![Change::Character(Images::changed(before, after))];
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    Ok(())
}
