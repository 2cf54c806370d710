//! Archived sessions: they leave the database and stay part of its log, whoever asks, and nothing of them can be changed unseen.

mod alike;
mod lost;
mod played_on;
mod read;
mod refused;
mod stopped;
mod tampering;

use std::path::{Path, PathBuf};

use rollbook::game::view::Audience;
use rollbook::session::archive::{Archived, Step, Wanted, archive};
use serde_json::json;

use crate::table::{NOW, Table};

/// Three sessions with something of everything, the last of them running.
fn play(table: &mut Table) {
    let mut secret = 0;
    for session in 1..=3 {
        if session > 1 {
            table.manage_session(json!({"action": "start", "title": format!("Night {session}")})).is_fine();
        }
        table
            .dice([13])
            .skill_check(json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15}))
            .is_fine();
        let hidden = json!({"character": "Jory", "skill": "Perception", "difficulty": 12, "visible": false});
        let checked = table.dice([17]).skill_check(hidden).number("log");
        if session == 1 {
            secret = checked;
        }
        table.dice([3]).roll_dice(json!({"expression": "d6", "visibility": "blind"})).is_fine();
        table.dice([2, 5]).roll_dice(json!({"expression": "2d6", "request_id": format!("tide {session}")})).is_fine();
        let note = json!({"action": "note", "text": format!("The lantern burns, night {session}.")});
        table.manage_session(note).is_fine();
        table.apply_damage(json!({"target": "Jory", "amount": 2})).is_fine();
        if session == 3 {
            table.manage_session(json!({"action": "reveal", "entry": secret})).is_fine();
        }
        if session < 3 {
            table.manage_session(json!({"action": "end"})).is_fine();
        }
    }
}

/// Archives what was before a session, with nobody at the table; `told` hears of each step.
fn archived_with(
    table: &mut Table,
    before: u32,
    out: Option<PathBuf>,
    told: &mut (dyn FnMut(Step) -> Result<(), String> + Send),
) -> Result<Archived, String> {
    let wanted = Wanted { campaign: None, before, out };
    table.away(|table| table.wait(archive(&table.location(), &wanted, NOW, told)))
}

fn archived(table: &mut Table, before: u32) -> Archived {
    archived_with(table, before, None, &mut |_| Ok(())).expect("is archived")
}

/// Fails unless everything verifies; answers how many entries were looked at.
#[track_caller]
fn sound(table: &Table) -> u64 {
    let verified = table.record().verified(None);
    assert!(verified.is_sound(), "{verified:?}");
    verified.campaigns[0].entries
}

/// Fails unless a file verifies as a database of its own.
#[track_caller]
fn sound_file(table: &Table, file: &Path) -> u64 {
    let verified = table.wait(rollbook::store::verify::verify(file, None, None)).expect("can be verified");
    assert!(verified.is_sound(), "{}: {verified:?}", file.display());
    verified.campaigns[0].entries
}

/// The whole log as an audience gets it, in every format that is the same bytes each time.
fn copies(table: &Table, name: &str) -> Vec<Vec<u8>> {
    use rollbook::export::Format;
    let mut copies = Vec::new();
    for audience in [Audience::Player, Audience::Gm] {
        for format in [Format::Jsonl, Format::Csv] {
            let path = table.export(audience, format, &format!("{name}-{audience:?}.{}", format.name()));
            copies.push(std::fs::read(path).expect("is read"));
        }
    }
    copies
}
