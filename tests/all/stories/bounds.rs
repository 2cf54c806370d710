//! What the bounds of tracks bring and take away again, by rules of the story's own.

use serde_json::{Value, json};

use crate::table::{Answer, Table, each};

fn ann(health: &str) -> Table {
    let rules = format!(
        "# Bounds\n\n## Attributes\n- Will\n- Strength (STR)\n- Dexterity (DEX)\n- Range: 1 to 9\n\n## Health\n{health}"
    );
    let mut table = Table::of_rules(Some(&rules));
    let scores = json!({"Will": 4, "STR": 4, "DEX": 4});
    table.create("Ann", json!({"attributes": scores}));
    table
}

fn hit(table: &mut Table, amount: i64, track: Option<&str>) -> Answer {
    table.apply_damage(json!({"target": "Ann", "amount": amount, "track": track}))
}

/// Where a track of the only character stands.
fn value(table: &Table, name: &str) -> Value {
    table
        .record()
        .rows(&format!("select value from tracks where name = '{name}'"))[0]["value"]
        .clone()
}

#[test]
fn a_value_below_zero_is_not_the_one_above() {
    let mut table = ann(
        "- Hit points: max 10, from -5\n- Damage: Hit points\n- At 0 Hit points: gain down\n\
         - At -5 Hit points: gain Dead\n\n## Conditions\n- down\n",
    );
    assert_eq!(hit(&mut table, 5, None)["conditions"], json!([]));
    assert_eq!(hit(&mut table, 6, None)["conditions"], json!(["down"]));
    assert_eq!(
        hit(&mut table, 4, None)["conditions"],
        json!(["dead", "down"])
    );
}

#[test]
fn what_a_value_caused_ends_when_the_track_passes_it_again() {
    let mut table = ann(
        "- Hit points: max 10\n- Panic: 8 boxes\n- Damage: Hit points\n- At 5 Hit points: gain bloodied\n\
         - At 4 Panic: gain shaken\n\n## Conditions\n- bloodied\n- shaken\n",
    );
    assert_eq!(
        hit(&mut table, 5, None)["triggers"],
        json!(["gain bloodied"])
    );
    assert_eq!(
        hit(&mut table, 2, None)["triggers"],
        json!([]),
        "once a crossing"
    );
    assert_eq!(
        hit(&mut table, -2, None)["conditions"],
        json!(["bloodied"]),
        "at 5 still"
    );
    assert_eq!(hit(&mut table, -1, None)["conditions"], json!([]));
    assert_eq!(
        hit(&mut table, 1, None)["triggers"],
        json!(["gain bloodied"]),
        "crossed anew"
    );
    assert_eq!(
        hit(&mut table, 4, Some("Panic"))["conditions"],
        json!(["bloodied", "shaken"])
    );
    assert_eq!(
        hit(&mut table, -1, Some("Panic"))["conditions"],
        json!(["bloodied"])
    );
}

#[test]
fn what_fills_and_clears_itself_leaves_what_it_caused_and_takes_the_rest_along() {
    let mut table = ann(
        "- Stress: 6 boxes, full: gain trauma, Stress to 0\n- Damage: Stress\n- At 3 Stress: gain tense\n\n\
         ## Conditions\n- trauma\n- tense\n",
    );
    for time in ["the first", "the second"] {
        let full = hit(&mut table, 6, None);
        assert_eq!(full["conditions"], json!(["trauma"]), "{time} time");
        assert_eq!(full["tracks"][0]["after"], 0, "{time} time");
    }
}

#[test]
fn one_of_several_at_zero_or_all_of_them() {
    let health = "- Will: max {Will score}\n- Damage: Strength, Dexterity\n- At 0 Will: gain mad\n\
                  - When {Strength} 0 or {Dexterity} 0: gain out\n- When {Strength} 0 and {Dexterity} 0: gain Dead\n\n\
                  ## Conditions\n- mad\n- out\n";
    let mut table = ann(health);
    let first = hit(&mut table, 4, None);
    // The chain says where a hit falls, not the track that is watched.
    assert_eq!(first["tracks"][0]["name"], "Strength");
    assert_eq!(first["conditions"], json!(["out"]));
    assert_eq!(hit(&mut table, 2, None)["triggers"], json!([]));
    assert_eq!(
        hit(&mut table, -2, Some("Strength"))["conditions"],
        json!([]),
        "neither is at zero"
    );
    let last = hit(&mut table, 9, None);
    assert_eq!(
        (&last["triggers"], &last["conditions"]),
        (&json!(["gain out", "gain Dead"]), &json!(["dead", "out"]))
    );
}

#[test]
fn points_before_a_track_that_are_on_the_sheet_are_granted_and_taken_back() {
    let mut table = ann(
        "- Hit points: max 10\n- Temporary hit points: from 0, keeps larger\n\
         - Damage: Temporary hit points, Hit points\n",
    );
    let tracks = json!({"Temporary hit points": 2});
    table
        .manage_character(json!({"action": "update", "character": "Ann", "tracks": tracks}))
        .is_fine();
    assert_eq!(
        hit(&mut table, -5, Some("Temporary hit points"))["tracks"][0]["after"],
        5
    );
    table.record().is_sound();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.record().is_sound();
    let row = table
        .record()
        .rows("select value, max from tracks where name = 'Temporary hit points'");
    assert_eq!(
        (&row[0]["value"], &row[0]["max"]),
        (&json!(2), &json!(null)),
        "as the GM wrote it"
    );
}

#[test]
fn two_that_fill_each_other_go_round_once() {
    let mut table = ann("- Rage: 2 boxes, full: gain mad, Rage to 0, Fear +2\n\
         - Fear: 2 boxes, full: gain lost, Fear to 0, Rage +2\n- Damage: none\n\n## Conditions\n- mad\n- lost\n");
    let hit = hit(&mut table, 2, Some("Rage"));
    assert_eq!(
        (
            &hit["triggers"].as_array().map(Vec::len),
            &hit["conditions"]
        ),
        (&Some(2), &json!(["lost", "mad"]))
    );
}

#[test]
fn nobody_wakes_from_death_because_a_number_rises() {
    let mut table = ann(
        "- Hit points: max 10\n- Damage: Hit points\n- At 0 Hit points: gain Dead, gain cold\n\n\
         ## Conditions\n- cold\n",
    );
    assert_eq!(
        hit(&mut table, 10, None)["conditions"],
        json!(["cold", "dead"])
    );
    let tracks = json!({"Hit points": 5});
    let risen =
        table.manage_character(json!({"action": "update", "character": "Ann", "tracks": tracks}));
    assert!(
        risen["summary"]
            .as_str()
            .is_some_and(|text| text.contains("cold, dead to dead")),
        "{}",
        risen.value()
    );
}

#[test]
fn healing_of_a_chain_mends_what_was_hit_last() {
    let mut table = ann("- Damage: Will, Strength or Dexterity\n");
    assert_eq!(
        hit(&mut table, 12, None)["incapacitated"],
        true,
        "4 of each"
    );
    let names = |answer: &Answer| {
        each(&answer["tracks"])
            .map(|row| row["name"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&hit(&mut table, -3, None)), ["Dexterity"]);
    assert_eq!(names(&hit(&mut table, -5, None)), ["Dexterity", "Strength"]);
}

#[test]
fn a_bound_brings_a_condition_at_no_level_that_it_does_not_have() {
    let mut table = ann(
        "- Hit points: max 4\n- Damage: Hit points\n- At 0 Hit points: gain Weak {Will}\n\n\
         ## Conditions\n- Weak (1-3): -{Weak} on checks\n",
    );
    assert_eq!(hit(&mut table, 4, None)["conditions"], json!(["Weak 3"]));
}

#[test]
fn death_saves_go_to_either_end_and_are_forgotten_when_a_character_is_healed() {
    let mut table = ann(
        "- Hit points: max 10\n- Passed: 3 boxes, full: gain Stable\n- Failed: 3 boxes, full: gain Dead\n\
         - Damage: Hit points\n- At 0 Hit points: gain Dying\n- At 1+ Hit points: Passed to 0, Failed to 0\n",
    );
    assert_eq!(hit(&mut table, 12, None)["conditions"], json!(["dying"]));
    hit(&mut table, 2, Some("Failed")).is_fine();
    assert_eq!(
        hit(&mut table, 3, Some("Passed"))["conditions"],
        json!(["dying", "stable"])
    );
    assert_eq!(
        hit(&mut table, -1, None)["conditions"],
        json!([]),
        "up, and nothing is left of it"
    );
    assert_eq!(
        (value(&table, "Passed"), value(&table, "Failed")),
        (json!(0), json!(0))
    );
    hit(&mut table, 1, Some("Failed")).is_fine();
    hit(&mut table, -1, None).is_fine();
    assert_eq!(
        value(&table, "Failed"),
        json!(1),
        "healed when above zero is no rise from it"
    );
    hit(&mut table, -1, Some("Failed")).is_fine();
    hit(&mut table, 2, None).is_fine();
    assert_eq!(
        hit(&mut table, 2, Some("Failed"))["conditions"],
        json!(["dying"]),
        "counted anew"
    );
    assert_eq!(
        hit(&mut table, 1, Some("Failed"))["conditions"],
        json!(["dead", "dying"])
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(value(&table, "Failed"), json!(2));
}

#[test]
fn one_hit_of_at_least_what_a_character_bears_shakes_them() {
    let mut table = ann(
        "- Wounds: 3 boxes, over: gain out\n- Damage: none\n- Armour: subtract {Armour}\n\
         - One hit {Strength}+: Wounds +`floor(({hit} - {Strength}) / 4)`, gain shaken\n\n## Conditions\n- out\n- shaken\n",
    );
    let tracks = json!({"Armour": 1});
    table
        .manage_character(json!({"action": "update", "character": "Ann", "tracks": tracks}))
        .is_fine();
    assert_eq!(
        hit(&mut table, 4, None)["triggers"],
        json!([]),
        "armour takes one of it"
    );
    let shaken = hit(&mut table, 5, None);
    assert_eq!(
        (&shaken["conditions"], value(&table, "Wounds")),
        (&json!(["shaken"]), json!(0))
    );
    let wounded = hit(&mut table, 9, None);
    assert_eq!(
        (&wounded["conditions"], &wounded["tracks"][0]["after"]),
        (&json!(["shaken"]), &json!(1))
    );
    assert_eq!(
        hit(&mut table, 1, Some("Wounds"))["triggers"],
        json!([]),
        "a wound that is counted is no blow"
    );
}

#[test]
fn a_skill_stays_in_its_range_unless_a_reason_is_given() {
    let rules = "# Bounds\n\n## Skills\n- Lore\n- Luck (1 to 9)\n- Range: 0 to 5\n\n## Checks\n### Try\n- Roll: `1d6 + {skill}`\n- Target: `5`\n";
    let mut table = Table::of_rules(Some(rules));
    let made = |skills: Value| json!({"action": "create", "name": "Ann", "skills": skills});
    for (skills, words) in [
        (json!({"Lore": 6}), "6 is out of range (valid: 0 to 5)"),
        (json!({"Luck": 0}), "0 is out of range (valid: 1 to 9)"),
    ] {
        table
            .manage_character(made(skills))
            .refused_with("invalid_parameters", &[words, "override_reason"]);
    }
    table
        .manage_character(made(json!({"Lore": 5, "Luck": 9})))
        .is_fine();
    let over = json!({"action": "update", "character": "Ann", "skills": {"Lore": 7}, "override_reason": "a gift"});
    table.manage_character(over).is_fine();
    assert_eq!(
        table.get_character(json!({}))["character"]["skills"]["Lore"],
        7
    );
}
