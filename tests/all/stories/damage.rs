//! Damage: healing, what the rules do at the ends, what runs on to other tracks, and the roll that
//! decides a hit.

use serde_json::{Value, json};

use crate::table::{Answer, Table, each, has};

#[test]
fn a_wound_is_itemised() {
    let mut table = Table::with_party();
    let wound = table.apply_damage(
        json!({"target": "Jory", "amount": 5, "damage_type": "cold", "reason": "the sluice"}),
    );
    assert_eq!(wound["amount"], 5);
    assert_eq!(
        wound["steps"],
        json!([{"step": "Hit points", "before": 14, "after": 9}])
    );
    assert_eq!(
        wound["tracks"],
        json!([{"name": "Hit points", "before": 14, "after": 9, "max": 14}])
    );
    assert_eq!(
        wound["summary"],
        "Jory takes 5 cold damage (the sluice): Hit points 14 to 9/14."
    );
    assert_eq!(
        (&wound["triggers"], &wound["incapacitated"]),
        (&json!([]), &json!(false))
    );
}

#[test]
fn half_is_rounded_down_and_healing_stops_at_the_maximum() {
    let mut table = Table::with_party();
    let half = table.apply_damage(json!({"target": "Jory", "amount": 7, "half": true}));
    assert_eq!(
        half["steps"][0],
        json!({"step": "half, rounded down", "before": 7, "after": 3})
    );
    assert_eq!(half["tracks"][0]["after"], 11);
    let healed = table.apply_damage(json!({"target": "Jory", "amount": -10}));
    assert_eq!(healed["tracks"][0]["after"], 14);
    assert_eq!(
        healed["steps"][1],
        json!({"step": "past the end of the track", "before": 7, "after": 0})
    );
    assert_eq!(
        healed["summary"],
        "Jory recovers 3 (10 before the maximum): Hit points 11 to 14/14."
    );
}

#[test]
fn a_preview_changes_nothing() {
    let mut table = Table::with_party();
    let before = table.record().everything();
    let foretold = table.apply_damage(json!({"target": "Jory", "amount": 20, "preview": true}));
    assert_eq!(foretold["preview"], true);
    assert_eq!(foretold["conditions"], json!(["unconscious"]));
    assert_eq!(foretold["tracks"][0]["after"], 0);
    assert!(
        foretold.text("summary").contains("Nothing was changed"),
        "{}",
        foretold["summary"]
    );
    assert_eq!(
        (&foretold["log"], &foretold["receipt"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(table.record().everything(), before);
    assert_eq!(
        table.apply_damage(json!({"target": "Jory", "amount": 1}))["tracks"][0]["before"],
        14
    );
}

#[test]
fn a_roll_named_by_its_entry_decides_the_amount() {
    let mut table = Table::with_party();
    let roll = table
        .dice([6])
        .roll_dice(json!({"expression": "1d6+1", "context": "cudgel"}));
    let seq = roll.number("log");
    let wound = table.apply_damage(json!({"target": "Jory", "roll": seq}));
    assert_eq!(wound["amount"], 7);
    let body = table.record().bodies().pop().expect("an entry");
    assert_eq!(body["event"]["roll"], seq);
    let written =
        table.apply_damage(json!({"target": "Jory", "roll": format!("#{seq}"), "amount": 2}));
    assert_eq!(
        written["amount"], 2,
        "the GM's amount wins, the roll is still named"
    );
    table
        .apply_damage(json!({"target": "Jory", "roll": 99}))
        .refused("unknown_entry");
    table
        .apply_damage(json!({"target": "Jory", "roll": wound.number("log")}))
        .refused("invalid_parameters");
}

#[test]
fn at_zero_one_falls_once_and_rises_when_healed() {
    let mut table = Table::with_party();
    let felled = table.apply_damage(json!({"target": "Jory", "amount": 14}));
    assert_eq!(felled["conditions"], json!(["unconscious"]));
    assert_eq!(felled["triggers"].as_array().map(Vec::len), Some(1));
    assert_eq!(felled["incapacitated"], true);
    assert_eq!(felled["rule"], "System.md:147");
    let again = table.apply_damage(json!({"target": "Jory", "amount": 3}));
    assert_eq!(
        again["triggers"],
        json!([]),
        "the bound was crossed before, not now"
    );
    assert_eq!(again["conditions"], json!(["unconscious"]));
    let healed = table.apply_damage(json!({"target": "Jory", "amount": -4}));
    assert_eq!(
        (&healed["conditions"], &healed["tracks"][0]["after"]),
        (&json!([]), &json!(4))
    );
    assert!(
        healed.text("summary").contains("no longer unconscious"),
        "{}",
        healed["summary"]
    );
    let second = table.apply_damage(json!({"target": "Jory", "amount": 4}));
    assert_eq!(
        second["triggers"].as_array().map(Vec::len),
        Some(1),
        "a new crossing fires again"
    );
}

#[test]
fn enough_left_over_is_death_and_nothing_reaches_the_dead() {
    let mut table = Table::with_party();
    let short = table.apply_damage(json!({"target": "Jory", "amount": 27, "preview": true}));
    assert_eq!(
        short["conditions"],
        json!(["unconscious"]),
        "13 left over of a maximum of 14"
    );
    let killed = table.apply_damage(json!({"target": "Jory", "amount": 28}));
    assert_eq!(killed["conditions"], json!(["dead", "unconscious"]));
    for amount in [1, -5] {
        table
            .apply_damage(json!({"target": "Jory", "amount": amount}))
            .refused("target_dead");
    }
    let back =
        table.apply_damage(json!({"target": "Jory", "amount": -1, "remove_conditions": ["dead"]}));
    assert_eq!(
        (&back["conditions"], &back["tracks"][0]["after"]),
        (&json!([]), &json!(1))
    );
}

#[test]
fn conditions_come_and_go_by_name() {
    let mut table = Table::with_party();
    let soaked = table.apply_damage(
        json!({"target": "Jory", "amount": 0, "apply_conditions": ["Soaked", "Half-Blind"]}),
    );
    assert_eq!(soaked["conditions"], json!(["half-blind", "soaked"]));
    assert_eq!(soaked["tracks"], json!([]));
    let twice =
        table.apply_damage(json!({"target": "Jory", "amount": 1, "apply_conditions": ["soaked"]}));
    assert_eq!(twice["conditions"], json!(["half-blind", "soaked"]));
    let dry = table.apply_damage(json!({"target": "Jory", "remove_conditions": ["SOAKED"]}));
    assert_eq!(dry["conditions"], json!(["half-blind"]));
    table
        .apply_damage(json!({"target": "Jory", "remove_conditions": ["soaked"]}))
        .refused("unknown_condition");
    table
        .apply_damage(json!({"target": "Jory", "amount": 0}))
        .refused("no_effect");
}

#[test]
fn the_only_player_and_an_npc_may_be_named_by_what_they_are() {
    let mut table = Table::lockhouse();
    table
        .apply_damage(json!({"target": "player", "amount": 1}))
        .refused("no_character");
    table.manage_character(crate::table::jory()).is_fine();
    assert_eq!(
        table.apply_damage(json!({"target": "player", "amount": 1}))["target"],
        "Jory"
    );
    table.create("Pell", json!({"kind": "npc", "tracks": {"Hit points": 9}}));
    assert_eq!(
        table.apply_damage(json!({"target": "npc", "npc_name": "pell", "amount": 1}))["target"],
        "Pell"
    );
    table
        .apply_damage(json!({"target": "npc", "amount": 1}))
        .refused("invalid_parameters");
}

#[test]
fn another_track_may_be_named_and_an_unknown_one_is_refused() {
    let mut table = Table::with_party();
    table
        .manage_character(
            json!({"action": "update", "character": "Jory", "tracks": {"Lantern oil": 6}}),
        )
        .is_fine();
    let burnt = table.apply_damage(json!({"target": "Jory", "track": "lantern oil", "amount": 2}));
    assert_eq!(
        burnt["tracks"],
        json!([{"name": "Lantern oil", "before": 6, "after": 4, "max": 6}])
    );
    let refused = table.apply_damage(json!({"target": "Jory", "track": "Luck", "amount": 2}));
    assert_eq!(
        refused.refused("unknown_track")["did_you_mean"],
        json!(["Hit points", "Lantern oil"])
    );
    let burnt_out =
        table.apply_damage(json!({"target": "Jory", "track": "Lantern oil", "amount": 4}));
    assert_eq!(
        burnt_out["conditions"],
        json!([]),
        "an empty lantern knocks nobody out"
    );
}

#[test]
fn a_foes_wound_is_reported_to_players_in_words() {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Pell", "hp": 9, "initiative": 1}]));
    let hurt = table.apply_damage(json!({"target": "Pell", "amount": 2}));
    assert_eq!(hurt["summary"], "Pell takes 2 damage: Hit points 9 to 7/9.");
    assert_eq!(hurt["player_text"], "Pell takes damage and is hurt.");
    let bloodied =
        table.apply_damage(json!({"target": "Pell", "amount": 3, "damage_type": "fire"}));
    assert_eq!(
        bloodied["player_text"],
        "Pell takes fire damage and is bloodied."
    );
    let down = table.apply_damage(json!({"target": "Pell", "amount": 4}));
    assert_eq!(
        down["player_text"],
        "Pell takes damage and is down; now unconscious."
    );
}

#[test]
fn a_hit_for_the_gm_alone_says_where_players_see_its_result() {
    let mut table = Table::with_party();
    let secret = |table: &mut Table, target: &str, amount: i64| {
        let call = json!({"target": target, "amount": amount, "visibility": "gm"});
        let hit = table.apply_damage(call);
        assert!(hit["player_text"].is_null(), "{}", hit.value());
        hit["noted"].to_string()
    };
    let noted = secret(&mut table, "Jory", 2);
    has(
        &noted,
        &["players are not told what happened, and the sheet has Jory 12/14, which they see"],
    );
    // What the note says players see, they see.
    let sheet = table.get_character(json!({"character": "Jory", "view": "sheet"}));
    assert!(
        sheet.value().to_string().contains("12/14"),
        "{}",
        sheet.value()
    );
    table.start(
        json!([{"name": "Jory", "initiative": 12}, {"name": "Rat", "hp": 30, "initiative": 4},
        {"name": "Ghoul", "hp": 30, "initiative": 3, "hidden": true}]),
    );
    let noted = secret(&mut table, "Jory", 1);
    assert!(
        noted.contains("the sheet and the fight's status have Jory 11/14"),
        "{noted}"
    );
    let noted = secret(&mut table, "Rat", 1);
    assert!(noted.contains("the fight's status has Rat hurt"), "{noted}");
    let status = table.manage_combat(json!({"action": "status"}));
    assert!(
        status.text("player_text").contains("Jory 11/14, Rat hurt"),
        "{}",
        status["player_text"]
    );
    // Players see no difference, or nobody.
    assert_eq!(secret(&mut table, "Rat", 1), "null");
    assert_eq!(secret(&mut table, "Ghoul", 20), "null");
    let open = table.apply_damage(json!({"target": "Jory", "amount": 1}));
    assert_eq!(open["noted"], Value::Null);
}

/// Damage that runs from one thing to the next, through scores and through tracks.
const FAR: &str = "# Far\n\n## Attributes\n- Endurance (END)\n- Strength (STR)\n- Dexterity (DEX)\n- Range: 0 to 15\n\n\
     ## Checks\n\n### Task\n- Roll: `2d6 + {STR}`\n- Target: `8`\n\n## Health\n- Damage: Endurance, Strength or Dexterity\n- Armour: subtract {Armour}\n\
     - When `({END} = 0) + ({STR} = 0) + ({DEX} = 0) >= 2`: gain Unconscious\n- When {END} 0 and {STR} 0 and {DEX} 0: gain Dead\n\
     - Long rest: Endurance to max, Strength to max, Dexterity to max\n";

fn far() -> Table {
    let mut table = Table::of_rules(Some(FAR));
    let scores = json!({"END": 6, "STR": 7, "DEX": 9});
    table.create("Ana", json!({"attributes": scores}));
    table
}

fn moved(answer: &Answer) -> Vec<(String, i64, i64)> {
    answer.is_fine();
    let rows = each(&answer["tracks"]);
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
    let expected = "3 points fall on Strength (7 left) or Dexterity (9 left), and Ana says which. Ask, and send the same call with \
     track=\"Strength\". Nothing was changed.";
    assert_eq!(refusal["summary"], expected);
    assert_eq!(refusal["source"], "System.md:16");
    let hit = table.apply_damage(json!({"target": "Ana", "amount": 5, "track": "DEX"}));
    assert_eq!(
        moved(&hit),
        [track("Endurance", 2, 0), track("Dexterity", 9, 6)]
    );
    assert_eq!(
        hit["summary"],
        "Ana takes 5 damage: Endurance 2 to 0/6, Dexterity 9 to 6/9."
    );
    let down = table.apply_damage(json!({"target": "Ana", "amount": 7, "track": "Dexterity"}));
    assert_eq!(
        moved(&down),
        [track("Dexterity", 6, 0), track("Strength", 7, 6)],
        "the rest falls on what remains"
    );
    assert_eq!(
        (&down["triggers"], &down["conditions"]),
        (&json!(["gain Unconscious"]), &json!(["unconscious"]))
    );
    assert_eq!(down["incapacitated"], true);
    let dead = table.apply_damage(json!({"target": "Ana", "amount": 9}));
    assert_eq!(
        moved(&dead),
        [track("Strength", 6, 0)],
        "where one remains there is nothing to choose"
    );
    assert_eq!(
        dead["steps"][1],
        json!({"step": "past the end of the track", "before": 3, "after": 0})
    );
    assert_eq!(dead["conditions"], json!(["dead", "unconscious"]));
}

#[test]
fn a_hit_that_takes_all_leaves_no_choice_and_healing_goes_back() {
    let mut table = far();
    let all = table.apply_damage(json!({"target": "Ana", "amount": 22, "preview": true}));
    assert_eq!(
        moved(&all),
        [
            track("Endurance", 6, 0),
            track("Strength", 7, 0),
            track("Dexterity", 9, 0)
        ]
    );
    table
        .apply_damage(json!({"target": "Ana", "amount": 14, "track": "Strength"}))
        .is_fine();
    let healed = table.apply_damage(json!({"target": "Ana", "amount": -3}));
    let expected = [track("Dexterity", 8, 9), track("Strength", 0, 2)];
    assert_eq!(
        moved(&healed),
        expected,
        "what was hit last mends first: {}",
        healed["steps"]
    );
    assert_eq!(
        (&healed["conditions"], &healed["incapacitated"]),
        (&json!([]), &json!(false))
    );
    let named = table.apply_damage(json!({"target": "Ana", "amount": -2, "track": "endurance"}));
    assert_eq!(
        moved(&named),
        [track("Endurance", 0, 2)],
        "the named one alone"
    );
    let over = table.apply_damage(json!({"target": "Ana", "amount": -30}));
    assert_eq!(
        moved(&over),
        [track("Strength", 2, 7), track("Endurance", 2, 6)]
    );
}

#[test]
fn scores_stay_as_they_were_made_and_count_as_what_is_left() {
    let mut table = far();
    table
        .apply_damage(json!({"target": "Ana", "amount": 10, "track": "Strength"}))
        .is_fine();
    let check = table.dice([4, 4]).skill_check(json!({"character": "Ana"}));
    assert_eq!(
        (&check["roll"]["total"], &check["outcome"]),
        (&json!(11), &json!("success")),
        "{check:?}"
    );
    let sheet = table.call("get_character", json!({"character": "Ana"}));
    assert_eq!(
        sheet["character"]["attributes"]["Strength"],
        json!({"score": 7, "modifier": 3})
    );
    assert_eq!(sheet["missing"], Value::Null);
    let trained = table.manage_character(
        json!({"action": "update", "character": "Ana", "attributes": {"STR": 8}}),
    );
    assert!(
        trained.text("summary").contains("Strength 3/7 to 4/8"),
        "{}",
        trained["summary"]
    );
    let rest =
        table.manage_character(json!({"action": "rest", "character": "Ana", "kind": "Long rest"}));
    assert!(
        rest.text("summary").contains("Strength 4/8 to 8/8"),
        "{}",
        rest["summary"]
    );
}

#[test]
fn the_images_of_a_hit_give_every_stage_back() {
    let mut table = far();
    table
        .apply_damage(json!({"target": "Ana", "amount": 15, "track": "Strength"}))
        .is_fine();
    let body = table.record().bodies().pop().expect("an entry");
    let images: Vec<&Value> = each(&body["changes"])
        .filter(|change| change["entity"] == "track")
        .collect();
    let values = |side: &str| {
        images
            .iter()
            .map(|image| json!([image[side]["name"], image[side]["value"]]))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        json!(values("before")),
        json!([["Endurance", 6], ["Strength", 7], ["Dexterity", 9]])
    );
    assert_eq!(
        json!(values("after")),
        json!([["Endurance", 0], ["Strength", 0], ["Dexterity", 7]])
    );
}

#[test]
fn armour_helps_and_a_foe_without_scores_says_what_it_lacks() {
    let mut table = far();
    table
        .manage_character(json!({"action": "update", "character": "Ana", "tracks": {"Armour": 3}}))
        .is_fine();
    let hit = table.apply_damage(json!({"target": "Ana", "amount": 5}));
    assert_eq!(moved(&hit), [track("Endurance", 6, 4)]);
    table.create("Thug", json!({"kind": "npc"}));
    let refused = table.apply_damage(json!({"target": "Thug", "amount": 5}));
    refused.refused_with("missing_value", &["lacks Endurance", "hp="]);
    table
        .manage_character(json!({"action": "update", "character": "Thug", "hp": 8}))
        .is_fine();
    assert_eq!(
        moved(&table.apply_damage(json!({"target": "Thug", "amount": 5}))),
        [track("Hit points", 8, 3)]
    );
}

#[test]
fn shields_come_before_the_hull() {
    let rules = "# Ships\n\n## Health\n- Shields: max 4\n- Hull: max 10\n- Breach: 3 boxes\n- Damage: Shields, Hull, Breach\n\
        - At 0 Shields: gain exposed\n- At 0 Hull: gain adrift\n- When {Shields} 0 and {Hull} 0 and {Breach} 3: gain Dead\n\n\
        ## Conditions\n- exposed\n- adrift\n";
    let mut table = Table::of_people(rules, &["Wren"], json!({}));
    let hit = table.apply_damage(json!({"target": "Wren", "amount": 6}));
    assert_eq!(moved(&hit), [track("Shields", 4, 0), track("Hull", 10, 8)]);
    assert_eq!(
        (&hit["conditions"], &hit["incapacitated"]),
        (&json!(["exposed"]), &json!(false))
    );
    let hit = table.apply_damage(json!({"target": "Wren", "amount": 10}));
    assert_eq!(
        moved(&hit),
        [track("Hull", 8, 0), track("Breach", 0, 2)],
        "boxes fill up"
    );
    assert_eq!(
        (&hit["conditions"], &hit["incapacitated"]),
        (&json!(["adrift", "exposed"]), &json!(false))
    );
    let back = table.apply_damage(json!({"target": "Wren", "amount": -4}));
    assert_eq!(moved(&back), [track("Breach", 2, 0), track("Hull", 0, 2)]);
    assert_eq!(back["conditions"], json!(["exposed"]));
}

/// The roll that decides a hit.
#[test]
fn a_roll_below_zero_is_a_hit_of_nothing_and_heals_nobody() {
    let mut table = Table::with_party();
    table
        .apply_damage(json!({"target": "Jory", "amount": 5}))
        .is_fine();
    let roll = table.dice([1]).roll_dice(json!({"expression": "1d4-3"}));
    let hit = table.apply_damage(json!({"target": "Jory", "roll": roll["log"]}));
    assert_eq!(
        (&hit["amount"], &hit["tracks"][0]["after"]),
        (&json!(0), &json!(9))
    );
    assert_eq!(
        hit["steps"][0],
        json!({"step": "a roll below 0 is a hit of 0", "before": -2, "after": 0})
    );
    assert_eq!(hit["summary"], "Jory takes no damage.");
    let body = table.record().bodies().pop().expect("an entry");
    assert_eq!(
        (&body["event"]["kind"], &body["event"]["roll"]),
        (&json!("damage"), &roll["log"]),
        "the hit is logged"
    );
    let nobody = table.apply_damage(json!({"target": "Jorry", "roll": roll["log"]}));
    let summary = nobody.refusal_text("unknown_character");
    assert!(
        summary.contains("Send target=\"Jory\""),
        "in this tool's own word: {summary}"
    );
}

#[test]
fn a_roll_of_zero_is_a_hit_too() {
    let mut table = Table::with_party();
    let roll = table.dice([2]).roll_dice(json!({"expression": "1d4-2"}));
    let hit =
        table.apply_damage(json!({"target": "Jory", "roll": roll["log"], "damage_type": "cold"}));
    assert_eq!(hit["summary"], "Jory takes no cold damage.");
    table
        .apply_damage(json!({"target": "Jory", "amount": 0}))
        .refused("no_effect");
}

#[test]
fn only_a_roll_says_how_much() {
    let mut table = Table::with_party();
    let check = table
        .dice([10])
        .skill_check(json!({"character": "Jory", "skill": "Melee", "difficulty": 10}));
    let set = table.dice([1, 2]).call(
        "roll_multiple",
        json!({"rolls": [{"expression": "d6"}], "count": 2}),
    );
    for (entry, why) in [
        (&check["log"], "is a check (Strike)"),
        (&set["log"], "holds 2 rolls"),
        (&json!(4), "is no roll"),
    ] {
        let refusal = table.apply_damage(json!({"target": "Sabeth", "roll": entry}));
        let summary = refusal.refusal_text("invalid_parameters");
        assert!(
            summary.contains(why) && summary.contains("roll_dice"),
            "{summary}"
        );
    }
    let named = table.apply_damage(json!({"target": "Sabeth", "roll": check["log"], "amount": 3}));
    named.refused_with(
        "invalid_parameters",
        &["send it as amount and leave roll out"],
    );
    assert_eq!(
        table.apply_damage(json!({"target": "Sabeth", "amount": 3}))["amount"],
        3
    );
}

#[test]
fn what_the_players_copy_says_of_a_cause_the_players_know() {
    let mut table = Table::with_party();
    let hit = table
        .apply_damage(json!({"target": "Jory", "amount": 2, "reason": "the innkeeper's wine"}));
    assert!(
        hit.text("player_text")
            .starts_with("Jory takes 2 damage (the innkeeper's wine): "),
        "{}",
        hit.value()
    );
    let check =
        json!({"character": "Jory", "skill": "Melee", "difficulty": 9, "context": "at the weir"});
    let check = table.dice([10]).skill_check(check);
    assert!(
        check
            .text("player_text")
            .starts_with("Jory, Melee (at the weir): "),
        "{}",
        check.value()
    );
}
