//! Two campaigns that differ only in what is hidden look the same to players, in every view there
//! is.
//!
//! Ids, nonces, salts and time are the same in both; the proof blocks, which disclose that
//! something hidden exists and commit to it, are left out.

use std::path::Path;

use proptest::prelude::*;
use rollbook_game::view::Audience;
use rollbook_record::export::Format;
use rollbook_record::report::Format as Page;
use serde_json::{Value, json};

use crate::report::rig::{report, unsealed};
use crate::table::{Record, Table, jory, sabeth, with};

/// What players must not learn.
#[derive(Debug, Clone)]
struct Secrets {
    /// Faces of rolls for the GM alone, a foe's check, and a blind roll.
    gm: i64,
    foe: i64,
    blind: i64,
    notes: String,
    /// Whether Sabeth's sheet has the GM's notes.
    noted: bool,
    /// A roll for the GM alone, which damage of 3 names.
    hit: i64,
    /// Hit points of a foe that takes 3, and of one that takes 40 and falls, alive.
    tough: i64,
    frail: i64,
    /// The first foe's initiative die; it stays between Jory's and Sabeth's.
    initiative: i64,
    /// Initiative dice of those whom players never see: they act before, between and after the
    /// others.
    lurkers: Vec<i64>,
}

fn secrets() -> impl Strategy<Value = Secrets> {
    let faces = (1..=20i64, 1..=20i64, 1..=20i64);
    let lurkers = prop::collection::vec(1..=20i64, 0..3);
    let rest = ("[a-z ]{1,40}", proptest::bool::ANY, 2..=4i64);
    (faces, rest, 7..=30i64, 21..=40i64, 9..=14i64, lurkers).prop_map(
        |((gm, foe, blind), (notes, noted, hit), tough, frail, initiative, lurkers)| Secrets {
            gm,
            foe,
            blind,
            notes,
            noted,
            hit,
            tough,
            frail,
            initiative,
            lurkers,
        },
    )
}

/// Everything players get to see of an evening with these secrets.
fn seen(secrets: &Secrets) -> Vec<(&'static str, Value)> {
    let mut table = Table::lockhouse();
    let mut views = Vec::new();
    // Players see no call that must stay hidden; whether a character acts whom players do not see.
    let mut tell = |answer: crate::table::Answer| {
        // A receipt is a proof of everything.
        views.extend(
            answer.is_fine()["player_text"]
                .is_string()
                .then(|| answer.player_text().to_owned()),
        );
        answer["current"]
            .as_str()
            .is_some_and(|current| current.contains("Lurker"))
    };
    let mut made = sabeth();
    if secrets.noted {
        made["gm_notes"] = json!(secrets.notes);
    }
    tell(table.manage_character(made));
    tell(table.manage_character(jory()));
    let sent = json!({"expression": "d20", "visibility": "gm", "context": secrets.notes});
    tell(table.dice([secrets.gm]).roll_dice(sent));
    let sent =
        json!({"character": "Jory", "skill": "Perception", "difficulty": 9, "visibility": "blind"});
    tell(table.dice([secrets.blind]).skill_check(sent));
    tell(
        table
            .dice([9])
            .skill_check(json!({"character": "Jory", "skill": "Melee", "difficulty": 9})),
    );
    let mut fighters = json!([
        {"name": "Jory"}, {"name": "Sabeth"}, {"name": "Mag", "hp": secrets.tough, "attributes": {"DEX": 10}}, {"name": "Tib", "hp": secrets.frail},
    ]);
    if !secrets.lurkers.is_empty() {
        let lurkers =
            json!({"name": "Lurker", "count": secrets.lurkers.len(), "hp": 5, "hidden": true});
        fighters.as_array_mut().expect("a list").push(lurkers);
    }
    let dice = [18, 2, secrets.initiative, 2]
        .into_iter()
        .chain(secrets.lurkers.clone());
    let mut hidden = tell(
        table
            .dice(dice)
            .manage_combat(json!({"action": "start", "combatants": fighters})),
    );
    while hidden {
        hidden = tell(table.manage_combat(json!({"action": "next_turn"})));
    }
    tell(
        table
            .dice([secrets.foe])
            .skill_check(json!({"character": "Mag", "skill": "Melee", "difficulty": 12})),
    );
    tell(table.apply_damage(json!({"target": "Mag", "amount": 3, "damage_type": "cold"})));
    tell(table.apply_damage(json!({"target": "Tib", "amount": 40})));
    tell(table.apply_damage(json!({"target": "Jory", "amount": 3})));
    let hit = table
        .dice([secrets.hit])
        .roll_dice(json!({"expression": "d6", "visibility": "gm"}));
    for amount in [3, -3] {
        let roll = json!({"target": "Jory", "amount": amount, "roll": hit["log"]});
        tell(table.apply_damage(roll));
    }
    tell(table.manage_session(json!({"action": "undo"})));
    tell(table.manage_combat(
        json!({"action": "add_effect", "name": "afraid", "on": "Jory", "duration": "for 1 turn", "combatant": "Mag"}),
    ));
    // Who hides acts, is hurt and fades while players wait for the next whom they see.
    for _ in 0..2 {
        while tell(table.manage_combat(json!({"action": "next_turn"}))) {}
        tell(table.manage_combat(json!({"action": "status"})));
    }
    if !secrets.lurkers.is_empty() {
        let lurker = if secrets.lurkers.len() > 1 {
            "Unseen Lurker 1"
        } else {
            "Lurker"
        };
        tell(table.apply_damage(json!({"target": lurker, "amount": 2})));
        let sent =
            json!({"action": "set_initiative", "combatants": [{"name": lurker, "initiative": 3}]});
        tell(table.manage_combat(sent));
        tell(table.manage_combat(json!({"action": "defeat", "combatant": lurker})));
    }
    while tell(table.manage_combat(json!({"action": "previous_turn"}))) {}
    let mut update = json!({"action": "update", "character": "Sabeth", "level": 2});
    if secrets.noted {
        update["gm_notes"] = json!(format!("{}!", secrets.notes));
    }
    tell(table.manage_character(update));
    tell(table.manage_combat(json!({"action": "end", "outcome": "terms"})));
    let note = |text: String, more: Value| with(json!({"action": "note", "text": text}), more);
    tell(table.manage_session(note(
        format!("x{}", secrets.notes),
        json!({"kind": "thread", "visibility": "gm"}),
    )));
    tell(table.manage_session(note("Whose boat?".to_owned(), json!({"kind": "thread"}))));
    let sent = json!({"kind": "scene", "closes": format!("x{}", secrets.notes)});
    tell(table.manage_session(note("The cellar".to_owned(), sent)));
    let sent = json!({"closes": "boat", "visibility": "gm"});
    tell(table.manage_session(note(format!("The reeve {}", secrets.notes), sent)));
    let clock = |name: &str, more: Value| with(json!({"action": "clock", "name": name}), more);
    tell(table.manage_session(clock("The tide", json!({"segments": 6}))));
    let doom = json!({"segments": secrets.frail + 9, "visibility": "gm", "text": secrets.notes});
    tell(table.manage_session(clock("A doom", doom)));
    tell(table.manage_session(clock("A doom", json!({"tick": secrets.gm}))));
    for _ in &secrets.lurkers {
        tell(table.apply_damage(json!({"target": "A doom", "amount": 1})));
    }
    tell(table.manage_session(clock("The tide", json!({"tick": 1}))));
    tell(table.manage_combat(json!({"action": "status"})));
    tell(table.manage_session(json!({"action": "resume", "audience": "player"})));
    for budget in [500, 700, 4000] {
        tell(table.manage_session(json!({"action": "recap", "budget": budget})));
    }

    let mut views = vec![("what is said", json!(views.join(" ")))];
    views.extend(taken_along(&table));
    views
}

/// What players find in every export, without its proofs, and in the report from its story on: the
/// seal before it tells how much is hidden.
pub fn taken_along(table: &Table) -> Vec<(&'static str, Value)> {
    let mut views = Vec::new();
    for format in Format::ALL {
        let out = table.export(
            Audience::Player,
            *format,
            &format!("players.{}", format.name()),
        );
        views.extend(exported(*format, &out));
    }
    let report = report(table, Audience::Player, Page::Markdown);
    let (_, rest) = report.split_once("## Story").expect("the story");
    views.push(("report", json!(unsealed(rest))));
    views
}

/// What players find in an export, without its proofs.
fn exported(format: Format, out: &Path) -> Vec<(&'static str, Value)> {
    let text = || std::fs::read_to_string(out).expect("text");
    match format {
        Format::Jsonl => {
            let lines: Vec<Value> = text()
                .lines()
                .map(without_proof)
                .filter(|line| line != &json!({}))
                .collect();
            let proofs = text()
                .lines()
                .skip(1)
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect();
            vec![("jsonl", json!(lines)), (BODIES, bodies(proofs))]
        }
        Format::Csv => {
            let mut rows = csv::Reader::from_path(out).expect("a table");
            let names = rows.headers().expect("names").clone();
            let rows = rows.records().map(|row| row.expect("a row"));
            let read = rows.map(|row| {
                let cells = names
                    .iter()
                    .zip(&row)
                    .filter(|(name, _)| !name.starts_with("proof_"));
                cells
                    .map(|(_, cell)| cell.to_owned())
                    .collect::<Vec<String>>()
            });
            vec![(
                "csv",
                json!(
                    read.filter(|row| row.iter().any(|cell| !cell.is_empty()))
                        .collect::<Vec<_>>()
                ),
            )]
        }
        Format::Db => {
            let record = Record::of(out);
            let tables = "select name from sqlite_schema where type = 'table' and name <> 'proof' order by name";
            let call = json!(record.rows("select * from entries order by n"));
            let mut seen = vec![
                ("db entries", call),
                ("db tables", json!(record.rows(tables))),
            ];
            // What these show beside comes from whole bodies, which are part of the proof, and so
            // is the number in the whole log.
            for (view, columns) in [
                ("roll_rows", "*"),
                ("undos", "*"),
                (
                    "rolls",
                    "n, nth, id, time, local_time, session, expression, individual_rolls, total, explanation, purpose, who, undone",
                ),
                (
                    "dice",
                    "n, nth, session, who, expression, sides, value, faces, kept, why, source, visibility, undone",
                ),
                (
                    "checks",
                    "n, time, session, outcome, label, players_see, visibility, undone",
                ),
                (
                    "damage",
                    "n, time, session, players_see, visibility, undone",
                ),
                (
                    "turns",
                    "n, time, session, what, players_see, visibility, undone",
                ),
                ("notes", "id, session"),
            ] {
                seen.push((
                    view,
                    json!(record.rows(&format!("select {columns} from {view} order by 1, 2"))),
                ));
            }
            seen
        }
    }
}

/// The view that shows which bodies players have.
const BODIES: &str = "bodies";

/// The bodies of the lines that players see, null where they have none.
fn bodies(lines: Vec<Value>) -> Value {
    let seen = lines.iter().filter(|line| !line["n"].is_null());
    seen.map(|line| json!([line["n"], line["public"]["kind"], line["proof"]["body"]]))
        .collect()
}

fn without_proof(line: &str) -> Value {
    let mut line: Value = serde_json::from_str(line).expect("JSON");
    line.as_object_mut().expect("an object").remove("proof");
    line
}

/// The words players hear for a foe's health after a wound.
fn word(max: i64, wound: i64) -> &'static str {
    match max - wound {
        ..=0 => "down",
        left if left * 2 <= max => "bloodied",
        _ => "hurt",
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn players_cannot_tell_two_secrets_apart(one in secrets(), other in secrets(), alone in proptest::bool::ANY) {
        let lurk = |secrets: Secrets| if alone { Secrets { lurkers: Vec::new(), ..secrets } } else { secrets };
        let (one, other) = (lurk(one), lurk(other));
        // Words do tell who is bloodied; within one word nothing does.
        let other = if word(one.tough, 3) == word(other.tough, 3) { other } else { Secrets { tough: one.tough, ..other } };
        for ((view, of_one), (_, of_other)) in seen(&one).into_iter().zip(seen(&other)) {
            // Where a character acts whom players do not see, the proof shows that something stands
            // between two turns.
            if view == BODIES && !alone {
                continue;
            }
            prop_assert_eq!(of_one, of_other, "{}", view);
        }
    }
}

#[test]
fn what_is_public_does_make_a_difference() {
    let secrets = |tough| Secrets {
        gm: 1,
        foe: 2,
        blind: 3,
        notes: "x".to_owned(),
        noted: true,
        hit: 3,
        tough,
        frail: 30,
        initiative: 10,
        lurkers: Vec::new(),
    };
    let (one, other) = (seen(&secrets(20)), seen(&secrets(5)));
    assert_ne!(
        one[0], other[0],
        "hurt is not bloodied, so the comparison can fail"
    );
    let of = |views: &[(&str, Value)], view: &str| {
        let shown = views
            .iter()
            .find(|(shown, _)| *shown == view)
            .map(|(_, shown)| shown.to_string());
        shown.expect("a view")
    };
    for view in ["jsonl", "csv", "db entries"] {
        assert_ne!(of(&one, view), of(&other, view), "{view}");
    }
    let both = of(&one, BODIES);
    assert!(
        both.contains("\"changes\"") && both.contains(",null]"),
        "{both}"
    );
}
