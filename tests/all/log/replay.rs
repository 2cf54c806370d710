//! Whatever is called in whatever order: the log alone rebuilds every table, a call sent again acts
//! once, and players see of each entry what hiding makes of it.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::Config;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::state::State;
use rollbook_game::view::Audience;
use rollbook_game::view::visibility::project;
use serde_json::{Map, Value, json};

use crate::table::{Record, Table};

const NAMES: [&str; 5] = ["Jory", "Sabeth", "Pell", "Rat 1", "Eel"];

fn call() -> impl Strategy<Value = (&'static str, Value)> {
    let name = prop::sample::select(&NAMES[..]);
    let visibility = prop::sample::select(&["public", "outcome_only", "blind", "gm"][..]);
    let kind = prop::sample::select(&["player", "npc", "companion"][..]);
    prop_oneof![
        2 => (name.clone(), kind.clone(), 3..20i64, any::<bool>()).prop_map(|(name, kind, score, whole)| {
            let attributes = if whole { json!({"STR": score, "DEX": 10, "CON": score, "INT": 9, "WIS": 8, "CHA": 7}) } else { json!({"DEX": score}) };
            ("manage_character", json!({"action": "create", "name": name, "kind": kind, "attributes": attributes, "skills": {"Melee": 2}}))
        }),
        2 => (name.clone(), name.clone(), kind, 0..4i64, any::<u8>()).prop_map(|(name, other, kind, level, which)| {
            let mut call = json!({"action": "update", "character": name});
            let field = match which % 6 {
                0 => ("level", json!(level)),
                1 => ("attributes", json!({"CON": 8 + level * 3, "STR": 4 + level})),
                2 => ("gm_notes", json!(format!("secret {level}"))),
                3 => ("name", json!(other)),
                4 => ("tracks", json!({"Hit points": level, "Luck": level})),
                _ => ("kind", json!(kind)),
            };
            call[field.0] = field.1;
            ("manage_character", call)
        }),
        3 => (name.clone(), name.clone(), -2..4i64, any::<u8>()).prop_map(|(name, other, number, which)| {
            let things = json!([{"name": "rope", "quantity": number, "hidden": number == 1}, {"name": "cup", "uses": 2, "equipped": true}]);
            let call = match which % 8 {
                0 => json!({"action": "award", "xp": number * 50, "inventory": things}),
                1 => json!({"action": "award", "character": name, "inventory": things, "override_reason": "found"}),
                2 => json!({"action": "give", "character": name, "item": "rope", "quantity": number, "to": other}),
                3 => json!({"action": "retire", "character": name}),
                4 => json!({"action": "level_up", "character": name, "skills": {"Melee": number + 3}}),
                5 => json!({"action": "create", "from": "Foes.md#Wrecker", "count": number, "kind": "npc"}),
                6 => json!({"action": "create", "from": name, "name": other, "kind": "template"}),
                _ => json!({"action": "update", "character": name, "inventory": things, "level": number}),
            };
            ("manage_character", call)
        }),
        4 => (name.clone(), -12..20i64, any::<bool>(), any::<u8>(), visibility.clone()).prop_map(|(name, amount, half, which, visibility)| {
            let mut call = json!({"target": name, "amount": amount, "half": half});
            match which % 5 {
                0 => call["apply_conditions"] = json!(["soaked", "dead"]),
                1 => call["remove_conditions"] = json!(["dead"]),
                2 => call["apply_conditions"] = json!(["Half-Blind"]),
                3 => call["visibility"] = json!(visibility),
                _ => {}
            }
            ("apply_damage", call)
        }),
        2 => (visibility.clone(), prop::option::of(name.clone())).prop_map(|(visibility, name)| {
            ("roll_dice", json!({"expression": "2d6+1", "visibility": visibility, "character": name}))
        }),
        2 => (name.clone(), visibility, any::<bool>()).prop_map(|(name, visibility, edge)| {
            ("skill_check", json!({"character": name, "skill": "Melee", "difficulty": 11, "visibility": visibility, "advantage": edge}))
        }),
        2 => prop::collection::btree_set(name.clone(), 0..3).prop_map(|known| {
            let mut all: Vec<Value> = known.iter().map(|name| json!({"name": name})).collect();
            all.push(json!({"name": "Rat", "count": 2, "hp": 3}));
            ("manage_combat", json!({"action": "start", "combatants": all}))
        }),
        4 => Just(("manage_combat", json!({"action": "next_turn"}))),
        2 => Just(("manage_combat", json!({"action": "previous_turn"}))),
        2 => (name.clone(), any::<bool>()).prop_map(|(name, seen)| {
            let rats = json!([{"name": "Rat", "count": 2, "hp": 3, "hidden": !seen}, {"name": name}]);
            ("manage_combat", json!({"action": if seen { "add" } else { "create" }, "combatants": rats}))
        }),
        6 => (name.clone(), prop::sample::select(&[
            "remove", "delay", "return", "ready", "defeat", "revive", "hide", "reveal", "set_initiative", "roll_initiative", "update",
        ][..]), 1..20i64).prop_map(|(name, action, number)| {
            let whom = json!([{"name": name, "initiative": number, "side": if number % 2 == 0 { "foes" } else { "players" }}]);
            ("manage_combat", json!({"action": action, "combatants": whom, "trigger": "a noise", "acts_now": number % 3 == 0}))
        }),
        3 => (name.clone(), name.clone(), 1..4i64, any::<bool>()).prop_map(|(name, anchor, rounds, starts)| {
            let ends = if starts { "start" } else { "end" };
            ("manage_combat", json!({"action": "add_effect", "name": "soaked", "on": name, "duration": format!("for {rounds} rounds"),
                "anchor": anchor, "ends": ends, "exclusive": if rounds == 3 { json!("focus") } else { Value::Null }}))
        }),
        1 => name.clone().prop_map(|name| ("manage_combat", json!({"action": "remove_effect", "name": "soaked", "on": name}))),
        1 => Just(("manage_combat", json!({"action": "end", "outcome": "over"}))),
        4 => (any::<bool>(), -3..7i64, any::<u8>()).prop_map(|(seen, number, which)| {
            let mut call = json!({"action": "clock", "name": if which % 2 == 0 { "Tide" } else { "Doom" }});
            let field = match which % 7 {
                0 | 1 => ("segments", json!(number)),
                2 => ("value", json!(number)),
                3 => ("visibility", json!(if seen { "public" } else { "gm" })),
                4 => ("done", json!(seen)),
                _ => ("tick", json!(number)),
            };
            call[field.0] = field.1;
            if which > 200 {
                return ("apply_damage", json!({"target": call["name"], "amount": if seen { json!(number) } else { json!("1d4") }}));
            }
            if !seen && which % 3 == 0 {
                call["visibility"] = json!("gm");
            }
            ("manage_session", call)
        }),
        2 => Just(("manage_session", json!({"action": "undo"}))),
        3 => (1..90u64).prop_map(|entry| ("manage_session", json!({"action": "undo", "entry": entry}))),
        1 => Just(("manage_session", json!({"action": "end"}))),
        1 => Just(("manage_session", json!({"action": "start", "title": "again"}))),
        1 => Just(("restart", Value::Null)),
    ]
}

/// A call that was answered, and its answer.
struct Made {
    tool: &'static str,
    arguments: Value,
    answer: Value,
}

impl Made {
    /// Sent again, it answers the same and does nothing.
    fn acts_once(&self, table: &mut Table) {
        let before = table.record().length();
        let mut again = table
            .call(self.tool, self.arguments.clone())
            .is_fine()
            .clone();
        assert_eq!(
            table.record().length(),
            before,
            "{} {} acted twice",
            self.tool,
            self.arguments
        );
        assert_eq!(
            again.as_object_mut().expect("an answer").remove("replayed"),
            Some(json!(true))
        );
        assert_eq!(
            again, self.answer,
            "{} {} answered otherwise",
            self.tool, self.arguments
        );
    }
}

proptest! {
    #![proptest_config(Config { cases: 100, failure_persistence: None, ..Config::default() })]

    #[test]
    fn the_log_alone_rebuilds_every_table(seed: u64, calls in prop::collection::vec((call(), any::<u8>()), 50)) {
        let mut table = Table::lockhouse();
        table.endless_dice(seed);
        let mut made: Vec<Made> = Vec::new();
        for (nth, ((tool, mut arguments), which)) in calls.into_iter().enumerate() {
            if tool == "restart" {
                table.restart();
                continue;
            }
            arguments["request_id"] = json!(format!("call {nth}"));
            let answer = table.call(tool, arguments.clone());
            if !answer.is_refused() {
                made.push(Made { tool, arguments, answer: answer.value().clone() });
            }
            let again = made.get(usize::from(which)).or(made.last().filter(|_| which % 4 == 0));
            again.into_iter().for_each(|made| made.acts_once(&mut table));
        }
        let status = table.manage_combat(json!({"action": "status"})).value().clone();
        let record = table.record();
        everybody_has_one_place(&status, &record);
        if record.length() > 0 {
            rebuilds(&record);
            hides(&record);
            record.is_sound();
        }
    }
}

/// Folds the images by hand, as JSON, and compares with what lies in the tables.
fn rebuilds(record: &Record) {
    let mut rows: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
    for body in record.bodies() {
        for change in body["changes"].as_array().into_iter().flatten() {
            let entity = change["entity"].as_str().expect("an entity").to_owned();
            let image = change
                .get("before")
                .or(change.get("after"))
                .expect("an image");
            let table = rows.entry(format!("{entity}s")).or_default();
            let key = key(&entity, image);
            assert_eq!(
                table.get(&key),
                change.get("before"),
                "the image before is what was there"
            );
            match change.get("after") {
                Some(after) => drop(table.insert(key, after.clone())),
                None => drop(table.remove(&key)),
            }
        }
    }
    for entity in [
        "campaign",
        "session",
        "character",
        "track",
        "condition",
        "item",
        "combat",
        "combatant",
        "clock",
        "deck",
    ] {
        let stored = record.rows(&format!("select * from {entity}s"));
        let stored: BTreeMap<String, Value> = stored
            .into_iter()
            .map(|row| plain(entity, row))
            .map(|row| (key(entity, &row), row))
            .collect();
        let folded = rows.remove(&format!("{entity}s")).unwrap_or_default();
        assert_eq!(stored, folded, "{entity}s");
    }
    assert!(rows.is_empty(), "no table was left out: {:?}", rows.keys());
}

fn key(entity: &str, row: &Value) -> String {
    match entity {
        "campaign" => row["uuid"].to_string(),
        "session" => row["number"].to_string(),
        "clock" | "deck" => row["name"].to_string(),
        "track" | "condition" | "item" => format!("{} {}", row["character"], row["name"]),
        _ => row["id"].to_string(),
    }
}

/// A row in the shape of its image: without the campaign's key, JSON columns read, flags as flags.
fn plain(entity: &str, row: Value) -> Value {
    let Value::Object(row) = row else {
        panic!("a row is an object")
    };
    let fields = row
        .into_iter()
        .filter(|(name, _)| name != "campaign" && (entity != "campaign" || name != "id"));
    // An image leaves out what is empty.
    let later = [
        "level",
        "lasts",
        "caused_by",
        "group_name",
        "until",
        "cause",
        "turn_at",
        "waits",
        "ready",
        "advanced",
        "ticks",
        "attacks",
        "worth",
        "structure",
        "interrupted",
        "continued_by",
        "extra",
        "renewal",
    ];
    let is_left_out = |name: &str, value: &Value| {
        (later.contains(&name) && value.is_null())
            || (name == "properties" && value == "{}")
            || ([
                "again",
                "from_round",
                "hidden",
                "retired",
                "by_kind",
                "down",
                "closed",
            ]
            .contains(&name)
                && value == 0)
    };
    let fields = fields.filter(|(name, value)| !is_left_out(name, value));
    let fields = fields.map(|(name, value)| {
        let value = match name.as_str() {
            "attributes" | "skills" | "ties" | "lasts" | "until" | "ticks" | "attacks"
            | "renewal" | "drawn" | "properties" => {
                serde_json::from_str(value.as_str().expect("text")).expect("JSON")
            }
            "fixed" | "defeated" | "hidden" | "equipped" | "retired" | "by_kind" | "down"
            | "closed" => {
                json!(value == 1)
            }
            _ => value,
        };
        (name, value)
    });
    Value::Object(fields.collect::<Map<String, Value>>())
}

/// The public part of each entry is the projection of its body in the state right after it.
fn hides(record: &Record) {
    let mut state = State::default();
    let mut entries = Vec::new();
    for row in
        record.rows("select seq, cast(body as text) as body, cast(public as text) as public from log order by seq")
    {
        let entry: Entry = serde_json::from_str(row["body"].as_str().expect("text")).expect("an entry");
        state.apply(&entry.changes);
        let seen = project(&entry, &state, Audience::Player).seen.map(|seen| serde_json::to_value(seen).expect("JSON"));
        let public: Value = serde_json::from_str(row["public"].as_str().expect("text")).expect("JSON");
        assert_eq!(public, seen.unwrap_or_else(|| json!({"hidden": true, "seq": row["seq"]})));
        entries.push(entry);
    }
    for entry in entries.iter().rev() {
        let after = state.clone();
        state.revert(&entry.changes);
        let mut again = state.clone();
        again.apply(&entry.changes);
        assert_eq!(
            again, after,
            "taking an entry back and doing it again is the identity"
        );
    }
    assert_eq!(
        state,
        State::default(),
        "taken back one by one, nothing is left"
    );
}

/// The order of the last fight is exactly its members, each once; who acts is one of them.
fn everybody_has_one_place(status: &Value, record: &Record) {
    let mut names: Vec<&str> = status["order"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|place| place["name"].as_str())
        .collect();
    let others = status["others"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    names.extend(others.filter_map(|line| line.split(',').next()));
    if let Some(current) = status["current"].as_str() {
        assert!(
            names.contains(&current),
            "{current} acts and is in the fight"
        );
    }
    names.sort_unstable();
    if status["status"] == "none" {
        assert!(names.is_empty());
        return;
    }
    let members = record.rows(
        "select characters.name from combatants join characters on characters.id = combatants.character
         where combat = (select max(id) from combats)",
    );
    let mut members: Vec<&str> = members
        .iter()
        .filter_map(|row| row["name"].as_str())
        .collect();
    members.sort_unstable();
    assert_eq!(names, members);
}

#[test]
fn the_log_alone_rebuilds_what_is_out_of_a_deck() {
    let rules = "# Mine\n\n## Dice\n- Deck Tickets: 1-6; drawn cards stay out\n\n## Checks\n### Draw\n- Roll: `1 Tickets`\n- Target: `3`\n";
    let mut table = Table::of_rules(Some(rules));
    table.endless_dice(7);
    for expression in ["2 Tickets", "1 Tickets"] {
        table.roll_dice(json!({"expression": expression})).is_fine();
    }
    let record = table.record();
    assert_eq!(record.rows("select * from decks").len(), 1);
    rebuilds(&record);
    table
        .manage_session(json!({"action": "shuffle", "deck": "Tickets"}))
        .is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    let record = table.record();
    rebuilds(&record);
    record.is_sound();
}
