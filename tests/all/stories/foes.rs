//! Non-player characters with hit points of their own, and what every movement of a track brings.

use serde_json::{Value, json};

use crate::table::Table;

/// A foe with all its scores, so that the rules work its hit points out: 8 + 2 + 4 = 14.
fn warden() -> Value {
    json!({
        "action": "create", "name": "Warden", "kind": "npc",
        "attributes": {"STR": 15, "DEX": 12, "CON": 14, "INT": 8, "WIS": 13, "CHA": 10},
    })
}

fn hit_points(table: &mut Table, name: &str) -> Value {
    let tracks = table.get_character(json!({"character": name}))["character"]["tracks"].clone();
    json!([tracks[0]["value"], tracks[0]["max"]])
}

#[test]
fn a_foes_hit_points_are_what_its_description_says() {
    let mut table = Table::with_party();
    table.manage_character(warden()).is_fine();
    assert_eq!(hit_points(&mut table, "Warden"), json!([14, 14]));
    for hp in [22, 5] {
        table.manage_character(json!({"action": "update", "character": "Warden", "hp": hp})).is_fine();
        assert_eq!(hit_points(&mut table, "Warden"), json!([hp, hp]));
    }
    table.manage_character(json!({"action": "update", "character": "Warden", "tracks": {"hit points": 30}})).is_fine();
    assert_eq!(hit_points(&mut table, "Warden"), json!([30, 30]), "more than the maximum raises it");
    table.manage_character(json!({"action": "update", "character": "Warden", "level": 9})).is_fine();
    assert_eq!(hit_points(&mut table, "Warden"), json!([30, 30]), "what the GM set, no level moves");
    let mut other = warden();
    other["name"] = json!("Warder");
    other["hp"] = json!(9);
    table.manage_character(other).is_fine();
    assert_eq!(hit_points(&mut table, "Warder"), json!([9, 9]));
    let refused = table.manage_character(json!({"action": "update", "character": "Jory", "hp": 30}));
    let summary = refused.refused("invalid_parameters")["summary"].as_str().expect("text");
    assert!(summary.contains("tracks={\"Hit points\": 30}"), "{summary}");
    table.record().is_sound();
}

#[test]
fn a_known_foe_enters_the_fight_with_the_hit_points_it_is_given() {
    let mut table = Table::with_party();
    table.manage_character(warden()).is_fine();
    let fight = table.manage_combat(
        json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 5}, {"name": "Warden", "hp": 20, "initiative": 1}]}),
    );
    assert_eq!((&fight["order"][1]["name"], &fight["order"][1]["health"]), (&json!("Warden"), &json!("20/20")));
    table.record().is_sound();
}

#[test]
fn whatever_moves_a_track_to_its_end_brings_what_stands_there_once() {
    let mut table = Table::with_party();
    let fight = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 5}, {"name": "Sabeth", "initiative": 1}]});
    table.manage_combat(fight).is_fine();
    let set = |value: i64| json!({"action": "update", "character": "Jory", "tracks": {"Hit points": value}});
    let felled = table.manage_character(set(0));
    assert_eq!(felled["triggers"].as_array().map(Vec::len), Some(1));
    assert_eq!(felled["rule"], "System.md:87");
    assert_eq!(felled["changed"][1], json!({"field": "conditions", "before": "none", "after": "unconscious"}));
    let status = table.manage_combat(json!({"action": "status"}));
    assert_eq!(
        (&status["order"][0]["defeated"], &status["order"][0]["conditions"]),
        (&json!(true), &json!(["unconscious"]))
    );
    let again = table.apply_damage(json!({"target": "Jory", "amount": 3}));
    assert_eq!(again["triggers"], json!([]), "crossed before, not now");
    let up = table.manage_character(set(4));
    assert_eq!(up["changed"][1]["after"], "none");
    assert_eq!(table.manage_combat(json!({"action": "status"}))["order"][0]["defeated"], Value::Null);
    assert_eq!(table.apply_damage(json!({"target": "Jory", "amount": 4}))["conditions"], json!(["unconscious"]));
    table.record().is_sound();
}

#[test]
fn a_lost_level_may_be_the_end_of_somebody() {
    let mut table = Table::with_party();
    table.manage_character(json!({"action": "update", "character": "Jory", "level": 3})).is_fine();
    table.apply_damage(json!({"target": "Jory", "amount": 17})).is_fine();
    let drained = table.manage_character(json!({"action": "update", "character": "Jory", "level": 1}));
    assert!(
        drained.text("summary").contains("Hit points 5/22 to 0/14; conditions none to unconscious"),
        "{}",
        drained["summary"]
    );
    table.record().is_sound();
}

const TWO_TRACKS: &str = "\
# Nerves

## Dice
Roll 1d20 + modifiers against a difficulty.

## Attributes
- Nerve (NRV): all there is
- Range: 1 to 20

## Health
- Wounds: max 10
- Stress: 4 boxes, full: gain shaken
- Damage: Wounds
- At 0 Wounds: gain out cold

## Conditions
- out cold
- shaken
";

#[test]
fn the_main_track_says_who_is_down_and_other_tracks_do_not() {
    let mut table = Table::of_rules(Some(TWO_TRACKS));
    let ghoul = json!({"action": "create", "name": "Ghoul", "kind": "npc", "attributes": {"NRV": 10}});
    table.manage_character(ghoul).is_fine();
    table.manage_combat(json!({"action": "start", "combatants": [{"name": "Ghoul", "initiative": 1}]})).is_fine();
    let shaken = table.apply_damage(json!({"target": "Ghoul", "track": "Stress", "amount": 4}));
    assert_eq!((&shaken["conditions"], &shaken["incapacitated"]), (&json!(["shaken"]), &json!(false)));
    assert_eq!(shaken["player_text"], "Ghoul takes damage; now shaken.");
    let status = table.manage_combat(json!({"action": "status"}));
    assert_eq!(status["order"][0]["health"], "Wounds 10/10, Stress 4/4", "two tracks are told apart");
    assert_eq!(status["player_text"], "Round 1, Ghoul's turn. Ghoul unhurt.");
    let felled = table.apply_damage(json!({"target": "Ghoul", "amount": 10}));
    assert_eq!(
        (&felled["incapacitated"], &felled["player_text"]),
        (&json!(true), &json!("Ghoul takes damage and is down; now out cold."))
    );
    let calmed = table.apply_damage(json!({"target": "Ghoul", "track": "Stress", "amount": -4}));
    assert_eq!(calmed["incapacitated"], true, "calm, and still down");
    table.record().is_sound();
}

#[test]
fn a_track_that_goes_below_zero_still_has_its_zero() {
    let rules = "# Deep\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Health\n- Hit points: max 10, from -10\n- Damage: Hit points\n\
        - At 0 Hit points: gain Dying\n";
    let mut table = Table::of_rules(Some(rules));
    table.manage_character(json!({"action": "create", "name": "Ann"})).is_fine();
    let felled = table.apply_damage(json!({"target": "Ann", "amount": 13}));
    assert_eq!((&felled["conditions"], &felled["tracks"][0]["after"]), (&json!(["dying"]), &json!(-3)));
    assert_eq!(table.apply_damage(json!({"target": "Ann", "amount": 2}))["triggers"], json!([]));
    assert_eq!(table.apply_damage(json!({"target": "Ann", "amount": -6}))["conditions"], json!([]));
}

#[test]
#[cfg(unix)]
fn a_page_behind_a_link_that_leaves_the_adventure_is_refused() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let adventure = folder.path().join("adventure");
    std::fs::create_dir(&adventure).expect("the adventure's folder");
    let rules = "# T\n\n## Health\n- Hit points: max 5\n- Damage: Hit points\n";
    std::fs::write(adventure.join("System.md"), rules).expect("rules");
    std::fs::write(folder.path().join("outside.md"), "# Rat\n\n- Hit points: 3\n").expect("a page outside");
    std::os::unix::fs::symlink("../outside.md", adventure.join("link.md")).expect("a link");
    std::os::unix::fs::symlink("..", adventure.join("up")).expect("a link");
    let mut table = Table::of(&adventure);
    for from in ["link.md#Rat", "up/outside.md#Rat", "../outside.md#Rat"] {
        let start = json!({"action": "start", "combatants": [{"from": from}]});
        let refused = table.manage_combat(start);
        let words = refused.refused("unknown_page").to_string();
        assert!(!words.contains("Hit points: 3"), "{from}: {words}");
        let made = json!({"action": "create", "kind": "npc", "from": from});
        table.manage_character(made).refused("unknown_page");
    }
    let empty = table.manage_combat(json!({"action": "status"}));
    assert_eq!(empty["status"], "none");
}

#[test]
fn somebody_unknown_may_come_from_a_page() {
    let mut table = Table::with_party();
    let refused = table.manage_combat(json!({"action": "start", "combatants": [{"name": "Wrecker"}]}));
    let summary = refused.refused("missing_value")["summary"].as_str().expect("words").to_owned();
    assert!(summary.contains("{\"from\": \"Foes.md#Wrecker\"}"), "{summary}");
    table
        .manage_combat(json!({"action": "start", "combatants": [{"from": "Foes.md#Wrecker", "initiative": 3}]}))
        .is_fine();
}
