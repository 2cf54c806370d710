//! Harm that is marked: boxes, slots and wounds, on the shipped adventures that have them.

use std::path::Path;

use serde_json::json;

use crate::table::{Answer, Table, with};

fn at(adventure: &str) -> Table {
    Table::of(&Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures")).join(adventure))
}

fn tracks(answer: &Answer) -> Vec<(String, i64, i64)> {
    let rows = answer["tracks"].as_array().expect("tracks");
    rows.iter()
        .map(|row| {
            (
                row["name"].as_str().expect("a name").to_owned(),
                row["before"].as_i64().expect("before"),
                row["after"].as_i64().expect("after"),
            )
        })
        .collect()
}

#[test]
fn one_box_soaks_one_hit_and_consequences_the_rest() {
    let mut table = at("quorum");
    table.manage_character(json!({"action": "create", "name": "Bao", "skills": {"Engineer": 4}})).is_fine();
    let hit = |amount: i64| json!({"target": "Bao", "amount": amount, "track": "Physical stress"});
    let first = table.apply_damage(hit(2));
    assert_eq!(tracks(&first), [("Physical stress (2)".to_owned(), 0, 1)]);
    assert_eq!(first["steps"], json!([{"step": "Physical stress (2)", "before": 2, "after": 0}]));
    assert_eq!(first["summary"], "Bao takes 2 damage: Physical stress (2) 0 to 1/1.");
    let second = table.apply_damage(hit(2));
    assert_eq!(tracks(&second), [("Physical stress (3)".to_owned(), 0, 1)], "the next that is worth it");
    let foretold = table.apply_damage(with(hit(2), json!({"preview": true})));
    assert_eq!(tracks(&foretold), [("Consequences (mild)".to_owned(), 0, 1)], "box 1 alone is not worth it");
    let third = table.apply_damage(hit(7));
    assert_eq!(
        tracks(&third),
        [("Physical stress (1)".to_owned(), 0, 1), ("Consequences (severe)".to_owned(), 0, 1)],
        "one slot and a box rather than two slots"
    );
    assert_eq!(third["incapacitated"], false);
    let last = table.apply_damage(hit(7));
    assert_eq!((&last["tracks"], &last["conditions"]), (&json!([]), &json!(["Taken out", "incapacitated"])));
    assert_eq!(
        (&last["triggers"], &last["incapacitated"]),
        (&json!(["gain Taken out, gain Incapacitated"]), &json!(true))
    );
    assert_eq!(last["steps"], json!([{"step": "nothing soaks it", "before": 7, "after": 0}]));
    let mended = table.apply_damage(hit(-3));
    assert_eq!(tracks(&mended), [("Physical stress (3)".to_owned(), 1, 0)]);
    table.record().is_sound();
}

#[test]
fn what_is_spent_is_never_hit() {
    let mut table = at("quorum");
    table.manage_character(json!({"action": "create", "name": "Bao"})).is_fine();
    for amount in [1, 30] {
        let hit = table.apply_damage(json!({"target": "Bao", "amount": amount, "track": "Physical stress"}));
        assert!(!tracks(&hit).iter().any(|(name, ..)| name == "Fate points"), "{hit:?}");
    }
    let spent = table.apply_damage(json!({"target": "Bao", "amount": 1, "track": "Fate points"}));
    assert_eq!(tracks(&spent), [("Fate points".to_owned(), 3, 2)]);
    let mut luck = Table::of_rules(Some("# Luck\n\n## Health\n\n- Luck: from 0 to 99, start 50\n"));
    luck.manage_character(json!({"action": "create", "name": "Ida"})).is_fine();
    let refused = luck.apply_damage(json!({"target": "Ida", "amount": 1}));
    let advice = refused.refused("unknown_track")["summary"].to_string();
    assert!(advice.contains("only Luck") && advice.contains("track="), "{advice}");
}

#[test]
fn harm_without_room_is_the_next_worse_until_none_is_left() {
    let mut table = at("name-auction");
    table.manage_character(json!({"action": "create", "name": "Ansgar", "attributes": {"Brawl": 2}})).is_fine();
    let mut filled = Vec::new();
    for _ in 0..5 {
        let harm = table.apply_damage(json!({"target": "Ansgar", "track": "Lesser harm", "amount": 1}));
        filled.extend(tracks(&harm).into_iter().filter(|(_, before, after)| before != after));
    }
    let harm = |name: &str, before| (format!("{name} harm"), before, before + 1);
    assert_eq!(
        filled,
        [harm("Lesser", 0), harm("Lesser", 1), harm("Moderate", 0), harm("Moderate", 1), harm("Severe", 0)]
    );
    let last = table.apply_damage(json!({"target": "Ansgar", "track": "lesser harm", "amount": 1}));
    assert_eq!((&last["conditions"], &last["incapacitated"]), (&json!(["dead"]), &json!(true)));
    assert!(last.text("rule").starts_with("System.md:"), "{}", last["rule"]);
    table.manage_session(json!({"action": "undo"})).is_fine();
    let healed = table.apply_damage(json!({"target": "Ansgar", "track": "Severe harm", "amount": -1}));
    assert_eq!(tracks(&healed), [("Severe harm".to_owned(), 1, 0)]);
    table.record().is_sound();
}

#[test]
fn wounds_count_what_lies_over_the_threshold() {
    let mut table = at("ninth-reel");
    table.manage_character(json!({"action": "create", "name": "Gus", "attributes": {"MUS": 10, "REF": 6}})).is_fine();
    table.apply_damage(json!({"target": "Gus", "amount": 10})).is_fine();
    let wounds = table.record().rows("select value from tracks where name = 'Wounds'");
    assert_eq!(wounds, [json!({"value": 0})]);
    let hurt = table.apply_damage(json!({"target": "Gus", "amount": 16}));
    assert_eq!(tracks(&hurt), [("Wounds".to_owned(), 0, 2)], "nine over the Toughness, which is seven");
    assert_eq!(hurt["triggers"], json!(["Wounds +floor(({hit} - {Toughness}) / 4), gain Rattled"]));
    let named = table.apply_damage(json!({"target": "Gus", "track": "Wounds", "amount": 1}));
    assert_eq!((tracks(&named), &named["incapacitated"]), (vec![("Wounds".to_owned(), 2, 3)], &json!(false)));
    let out = table.apply_damage(json!({"target": "Gus", "track": "Wounds", "amount": 1}));
    assert_eq!((&out["conditions"], &out["incapacitated"]), (&json!(["Rattled", "incapacitated"]), &json!(true)));
    table.record().is_sound();
}

#[test]
fn players_hear_how_a_marked_foe_is_and_no_figure() {
    let mut table = at("ninth-reel");
    table.manage_character(json!({"action": "create", "name": "Gus", "attributes": {"MUS": 10}})).is_fine();
    table
        .manage_character(json!({"action": "create", "name": "Ekholm", "kind": "npc", "attributes": {"MUS": 10}}))
        .is_fine();
    let fight = table.manage_combat(json!({"action": "start", "combatants": [{"name": "Gus", "initiative": 9}, {"name": "Ekholm", "initiative": 3}]}));
    fight.is_fine();
    let hit = table.apply_damage(json!({"target": "Ekholm", "amount": 15}));
    assert_eq!(hit["player_text"], "Ekholm takes damage and is bloodied; now Rattled.");
    let out = table.apply_damage(json!({"target": "Ekholm", "amount": 40}));
    assert_eq!(out["player_text"], "Ekholm takes damage and is down; now incapacitated.");
    let order = table.manage_combat(json!({"action": "status"}));
    assert_eq!(order["order"][1]["defeated"], true, "{}", order["order"]);
    table.record().is_sound();
}
