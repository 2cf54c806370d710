//! The log is what `log.md` says: hashed as written there, append-only, complete, and found out
//! when it is touched.

mod append_only;
mod copies;
mod fixture;
mod forged;
mod formats;
mod kinds;
mod opened;
mod parts;
mod replay;
mod tampering;
mod whole;

use serde_json::json;

use crate::table::Table;

/// An evening with something of everything: public and hidden, rolls and none, a fight, a note for
/// the GM.
fn evening() -> Table {
    let mut table = Table::with_party();
    table
        .dice([13])
        .skill_check(json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15}))
        .is_fine();
    let call =
        json!({"character": "Jory", "skill": "Perception", "difficulty": 12, "visible": false});
    table.dice([17]).skill_check(call).is_fine();
    table
        .dice([3])
        .roll_dice(json!({"expression": "d6", "visibility": "blind"}))
        .is_fine();
    let fight = json!({"action": "start", "title": "The stairs", "combatants": [{"name": "Jory"}, {"name": "Wrecker", "count": 2, "hp": 7}]});
    table.dice([12, 9, 4]).manage_combat(fight).is_fine();
    let roll = table
        .dice([6])
        .roll_dice(json!({"expression": "1d12+2", "character": "Jory", "request_id": "hit"}));
    table
        .apply_damage(json!({"target": "Wrecker 1", "roll": roll["log"]}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 14}))
        .is_fine();
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    let call = json!({"action": "update", "character": "Sabeth", "gm_notes": "owes Mag Sorley", "notes": "wet"});
    table.manage_character(call).is_fine();
    table
        .manage_combat(json!({"action": "end", "outcome": "they ran"}))
        .is_fine();
    table.record().is_sound();
    table
}
