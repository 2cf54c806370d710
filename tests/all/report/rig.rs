//! An evening to report, with everything in it that a report tells of.

use rollbook_game::view::Audience;
use rollbook_record::report::facts::Sessions;
use rollbook_record::report::{self, Format, Reported, Wanted};
use serde_json::{Value, json};

use crate::table::{Table, jory, sabeth, with};

/// What players must not read, in every place where a secret can be.
pub const SECRETS: [&str; 10] = [
    "canary-notes",
    "canary-context",
    "canary-blind",
    "canary-note",
    "canary-thread",
    "canary-clock",
    "Canary Lurker",
    "canary-cause",
    "canary-override",
    "canary-title",
];

/// The report as text.
pub fn report(table: &Table, audience: Audience, format: Format) -> String {
    written(table, audience, format, Sessions::All).1
}

/// A report without how many entries are sealed, of which its figures say that they leave them out.
pub fn unsealed(report: &str) -> String {
    let parts: Vec<&str> = report.split(" more sealed entr").collect();
    let number = |letter: char| letter.is_ascii_digit();
    let part = |word: &&str| {
        word.trim_start_matches("ies")
            .trim_start_matches('y')
            .trim_end_matches(number)
            .to_owned()
    };
    parts
        .iter()
        .map(part)
        .collect::<Vec<String>>()
        .join("N more sealed entries")
}

/// The report of some sessions, and the notice about it.
pub fn written(
    table: &Table,
    audience: Audience,
    format: Format,
    sessions: Sessions,
) -> (Reported, String) {
    let out = table.path("report");
    let wanted = Wanted {
        sessions,
        audience,
        format,
    };
    let reported = table
        .wait(report::report(&table.location(), None, wanted, &out))
        .expect("is written");
    let text = std::fs::read_to_string(&out).expect("text");
    std::fs::remove_file(&out).expect("is removed");
    (reported, text)
}

/// The demo's scene, with dice that were set: a lock, a person behind the door, a fight in rising
/// water.
pub fn evening() -> Table {
    let mut table = Table::lockhouse();
    table
        .manage_session(json!({"action": "start", "title": "The dark lamp"}))
        .is_fine();
    table
        .manage_character(with(jory(), json!({"gm_notes": "canary-notes"})))
        .is_fine();
    table.manage_character(sabeth()).is_fine();
    let note = |table: &mut Table, text: &str, more: Value| {
        table
            .manage_session(with(json!({"action": "note", "text": text}), more))
            .is_fine();
    };
    note(
        &mut table,
        "The harbour-master's door at night",
        json!({"kind": "scene"}),
    );
    note(&mut table, "canary-note", json!({"visibility": "gm"}));
    note(&mut table, "Who lit the lamp?", json!({"kind": "thread"}));
    note(
        &mut table,
        "canary-thread",
        json!({"kind": "thread", "visibility": "gm"}),
    );
    let lock = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15, "context": "the harbour-master's lock"});
    table.dice([20]).skill_check(lock).is_fine();
    table
        .dice([4])
        .roll_dice(json!({"expression": "1d6", "visibility": "gm", "context": "canary-context"}))
        .is_fine();
    let blind = json!({"character": "Jory", "skill": "Perception", "difficulty": 12, "visibility": "blind", "context": "canary-blind"});
    table.dice([7]).skill_check(blind).is_fine();
    let clock =
        json!({"action": "clock", "name": "canary-clock", "segments": 6, "visibility": "gm"});
    table.manage_session(clock).is_fine();
    fight(&mut table);
    let award = json!({"action": "award", "character": "Jory", "xp": 50});
    table.manage_character(award).is_fine();
    note(
        &mut table,
        "The lamp is dark because its keeper is dead",
        json!({"kind": "discovery"}),
    );
    note(&mut table, "It was the reeve", json!({}));
    table.manage_session(json!({"action": "undo"})).is_fine();
    let level = json!({"action": "update", "character": "Sabeth", "attributes": {"STR": 30}, "override_reason": "canary-override"});
    table.manage_character(level).is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    table
}

/// Three rounds with two wreckers, one of whom nobody sees.
fn fight(table: &mut Table) {
    let fighters = json!([
        {"name": "Jory", "initiative": 18}, {"name": "Sabeth", "initiative": 12},
        {"name": "Wrecker", "hp": 12, "initiative": 9, "attributes": {"STR": 12, "DEX": 12}},
        {"name": "Canary Lurker", "hp": 7, "initiative": 3, "hidden": true, "attributes": {"STR": 12, "DEX": 12}}]);
    table
        .manage_combat(json!({"action": "start", "title": "The Mess", "combatants": fighters}))
        .is_fine();
    let strike = |who: &str, skill: &str, at: &str, damage: &str| json!({"character": who, "skill": skill, "difficulty": 10, "target": at, "damage": damage, "damage_type": "piercing"});
    table
        .dice([12, 5])
        .skill_check(strike("Jory", "Melee", "Wrecker", "1d12 + 2"))
        .is_fine();
    next(table);
    table
        .dice([3])
        .skill_check(strike("Sabeth", "Aim", "Wrecker", "1d8"))
        .is_fine();
    next(table);
    table
        .dice([17, 6])
        .skill_check(strike("Wrecker", "Melee", "Jory", "1d6 + 1"))
        .is_fine();
    next(table);
    table
        .apply_damage(
            json!({"target": "Sabeth", "amount": 3, "damage_type": "cold", "reason": "the wave"}),
        )
        .is_fine();
    next(table);
    table
        .dice([1])
        .skill_check(strike("Jory", "Melee", "Wrecker", "1d12 + 2"))
        .is_fine();
    next(table);
    table
        .dice([15, 8])
        .skill_check(strike("Sabeth", "Aim", "Wrecker", "1d8"))
        .is_fine();
    let call =
        json!({"action": "set_initiative", "combatants": [{"name": "Jory", "initiative": 20}]});
    table.manage_combat(call).is_fine();
    table
        .manage_combat(json!({"action": "end", "outcome": "the wrecker is down"}))
        .is_fine();
}

/// Passes the turn, also over those whom players do not see.
fn next(table: &mut Table) {
    loop {
        let turn = table.manage_combat(json!({"action": "next_turn"}));
        if turn.is_fine()["current"] != "Canary Lurker" {
            return;
        }
    }
}

/// An evening of many rolls, so that there are verdicts; what Jory rolls by hand is always best.
pub fn long_evening() -> Table {
    let mut table = Table::with_party();
    table.endless_dice(7);
    for nth in 0..60 {
        let who = if nth % 3 == 0 { "Sabeth" } else { "Jory" };
        let skill = if nth % 2 == 0 {
            "Perception"
        } else {
            "Stealth"
        };
        table
            .skill_check(json!({"character": who, "skill": skill, "difficulty": 8 + nth % 9}))
            .is_fine();
        table
            .roll_dice(json!({"expression": "2d6", "character": who}))
            .is_fine();
        if nth % 5 == 0 {
            table
                .roll_dice(json!({"expression": "1d20", "visibility": "gm"}))
                .is_fine();
        }
        if nth % 2 == 0 {
            table
                .roll_dice(json!({"expression": "2d6", "character": "Jory", "entered": [6, 6]}))
                .is_fine();
            let stealth =
                json!({"character": "Jory", "skill": "Stealth", "difficulty": 19, "entered": [20]});
            table.skill_check(stealth).is_fine();
        }
    }
    table
}
