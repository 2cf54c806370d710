//! Damage that runs from one thing to the next, through scores and through tracks.

use serde_json::{Value, json};

use crate::table::{Answer, Table};

const FAR: &str = "# Far\n\n## Attributes\n- Endurance (END)\n- Strength (STR)\n- Dexterity (DEX)\n- Range: 0 to 15\n\n\
     ## Checks\n\n### Task\n- Roll: `2d6 + {STR}`\n- Target: `8`\n\n## Health\n- Damage: Endurance, Strength or Dexterity\n- Armour: subtract {Armour}\n\
     - When `({END} = 0) + ({STR} = 0) + ({DEX} = 0) >= 2`: gain Unconscious\n- When {END} 0 and {STR} 0 and {DEX} 0: gain Dead\n\
     - Long rest: Endurance to max, Strength to max, Dexterity to max\n";

fn far() -> Table {
    let mut table = Table::of_rules(Some(FAR));
    let scores = json!({"END": 6, "STR": 7, "DEX": 9});
    table.manage_character(json!({"action": "create", "name": "Ana", "attributes": scores})).is_fine();
    table
}

fn moved(answer: &Answer) -> Vec<(String, i64, i64)> {
    answer.is_fine();
    let rows = answer["tracks"].as_array().expect("tracks").iter();
    rows.map(|row| {
        (
            row["name"].to_string().replace('"', ""),
            row["before"].as_i64().unwrap_or(-1),
            row["after"].as_i64().unwrap_or(-1),
        )
    })
    .collect()
}

fn track(name: &str, before: i64, after: i64) -> (String, i64, i64) {
    (name.to_owned(), before, after)
}

#[test]
fn what_the_first_cannot_take_falls_where_the_player_says() {
    let mut table = far();
    let light = table.apply_damage(json!({"target": "Ana", "amount": 4}));
    assert_eq!(moved(&light), [track("Endurance", 6, 2)]);
    assert_eq!(light["summary"], "Ana takes 4 damage: Endurance 6 to 2/6.");
    let refused = table.apply_damage(json!({"target": "Ana", "amount": 5}));
    let refusal = refused.refused("which_track");
    assert_eq!(refusal["did_you_mean"], json!(["Strength", "Dexterity"]));
    assert_eq!(
        refusal["summary"],
        "3 points fall on Strength (7 left) or Dexterity (9 left), and Ana says which. Ask, and send the same call with \
         track=\"Strength\". Nothing was changed."
    );
    assert_eq!(refusal["source"], "System.md:16");
    let hit = table.apply_damage(json!({"target": "Ana", "amount": 5, "track": "DEX"}));
    assert_eq!(moved(&hit), [track("Endurance", 2, 0), track("Dexterity", 9, 6)]);
    assert_eq!(hit["summary"], "Ana takes 5 damage: Endurance 2 to 0/6, Dexterity 9 to 6/9.");
    let down = table.apply_damage(json!({"target": "Ana", "amount": 7, "track": "Dexterity"}));
    assert_eq!(moved(&down), [track("Dexterity", 6, 0), track("Strength", 7, 6)], "the rest falls on what remains");
    assert_eq!((&down["triggers"], &down["conditions"]), (&json!(["gain Unconscious"]), &json!(["unconscious"])));
    assert_eq!(down["incapacitated"], true);
    let dead = table.apply_damage(json!({"target": "Ana", "amount": 9}));
    assert_eq!(moved(&dead), [track("Strength", 6, 0)], "where one remains there is nothing to choose");
    assert_eq!(dead["steps"][1], json!({"step": "past the end of the track", "before": 3, "after": 0}));
    assert_eq!(dead["conditions"], json!(["dead", "unconscious"]));
    table.record().is_sound();
}

#[test]
fn a_blow_that_takes_all_leaves_no_choice_and_healing_goes_back() {
    let mut table = far();
    let all = table.apply_damage(json!({"target": "Ana", "amount": 22, "preview": true}));
    assert_eq!(moved(&all), [track("Endurance", 6, 0), track("Strength", 7, 0), track("Dexterity", 9, 0)]);
    table.apply_damage(json!({"target": "Ana", "amount": 14, "track": "Strength"})).is_fine();
    let healed = table.apply_damage(json!({"target": "Ana", "amount": -3}));
    assert_eq!(
        moved(&healed),
        [track("Dexterity", 8, 9), track("Strength", 0, 2)],
        "what was hit last mends first: {}",
        healed["steps"]
    );
    assert_eq!((&healed["conditions"], &healed["incapacitated"]), (&json!([]), &json!(false)));
    let named = table.apply_damage(json!({"target": "Ana", "amount": -2, "track": "endurance"}));
    assert_eq!(moved(&named), [track("Endurance", 0, 2)], "the named one alone");
    let over = table.apply_damage(json!({"target": "Ana", "amount": -30}));
    assert_eq!(moved(&over), [track("Strength", 2, 7), track("Endurance", 2, 6)]);
    table.record().is_sound();
}

#[test]
fn scores_stay_as_they_were_made_and_count_as_what_is_left() {
    let mut table = far();
    table.apply_damage(json!({"target": "Ana", "amount": 10, "track": "Strength"})).is_fine();
    let check = table.dice([4, 4]).skill_check(json!({"character": "Ana"}));
    assert_eq!((&check["roll"]["total"], &check["outcome"]), (&json!(11), &json!("success")), "{check:?}");
    let sheet = table.call("get_character", json!({"character": "Ana"}));
    assert_eq!(sheet["character"]["attributes"]["Strength"], json!({"score": 7, "modifier": 3}));
    assert_eq!(sheet["missing"], Value::Null);
    let trained = table.manage_character(json!({"action": "update", "character": "Ana", "attributes": {"STR": 8}}));
    assert!(trained.text("summary").contains("Strength 3/7 to 4/8"), "{}", trained["summary"]);
    let rest = table.manage_character(json!({"action": "rest", "character": "Ana", "kind": "Long rest"}));
    assert!(rest.text("summary").contains("Strength 4/8 to 8/8"), "{}", rest["summary"]);
    table.record().is_sound();
}

#[test]
fn the_images_of_a_hit_give_every_stage_back() {
    let mut table = far();
    table.apply_damage(json!({"target": "Ana", "amount": 15, "track": "Strength"})).is_fine();
    let body = table.record().bodies().pop().expect("an entry");
    let images: Vec<&Value> =
        body["changes"].as_array().expect("changes").iter().filter(|own| own["entity"] == "track").collect();
    let values = |side: &str| {
        images.iter().map(|own| (own[side]["name"].clone(), own[side]["value"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(
        values("before"),
        [(json!("Endurance"), json!(6)), (json!("Strength"), json!(7)), (json!("Dexterity"), json!(9))]
    );
    assert_eq!(
        values("after"),
        [(json!("Endurance"), json!(0)), (json!("Strength"), json!(0)), (json!("Dexterity"), json!(7))]
    );
}

#[test]
fn armour_helps_and_a_foe_without_scores_says_what_it_lacks() {
    let mut table = far();
    table.manage_character(json!({"action": "update", "character": "Ana", "tracks": {"Armour": 3}})).is_fine();
    let hit = table.apply_damage(json!({"target": "Ana", "amount": 5}));
    assert_eq!(moved(&hit), [track("Endurance", 6, 4)]);
    table.manage_character(json!({"action": "create", "name": "Thug", "kind": "npc"})).is_fine();
    let refused = table.apply_damage(json!({"target": "Thug", "amount": 5}));
    let advice = refused.refused("missing_value")["summary"].to_string();
    assert!(advice.contains("lacks Endurance") && advice.contains("hp="), "{advice}");
    table.manage_character(json!({"action": "update", "character": "Thug", "hp": 8})).is_fine();
    assert_eq!(moved(&table.apply_damage(json!({"target": "Thug", "amount": 5}))), [track("Hit points", 8, 3)]);
    table.record().is_sound();
}

#[test]
fn shields_come_before_the_hull() {
    let rules = "# Ships\n\n## Health\n- Shields: max 4\n- Hull: max 10\n- Breach: 3 boxes\n- Damage: Shields, Hull, Breach\n\
        - At 0 Shields: gain exposed\n- At 0 Hull: gain adrift\n- When {Shields} 0 and {Hull} 0 and {Breach} 3: gain Dead\n\n\
        ## Conditions\n- exposed\n- adrift\n";
    let mut table = Table::of_rules(Some(rules));
    table.manage_character(json!({"action": "create", "name": "Wren"})).is_fine();
    let hit = table.apply_damage(json!({"target": "Wren", "amount": 6}));
    assert_eq!(moved(&hit), [track("Shields", 4, 0), track("Hull", 10, 8)]);
    assert_eq!((&hit["conditions"], &hit["incapacitated"]), (&json!(["exposed"]), &json!(false)));
    let hit = table.apply_damage(json!({"target": "Wren", "amount": 10}));
    assert_eq!(moved(&hit), [track("Hull", 8, 0), track("Breach", 0, 2)], "boxes fill up");
    assert_eq!((&hit["conditions"], &hit["incapacitated"]), (&json!(["adrift", "exposed"]), &json!(false)));
    let back = table.apply_damage(json!({"target": "Wren", "amount": -4}));
    assert_eq!(moved(&back), [track("Breach", 2, 0), track("Hull", 0, 2)]);
    assert_eq!(back["conditions"], json!(["exposed"]));
    table.record().is_sound();
}
