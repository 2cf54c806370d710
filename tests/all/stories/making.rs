//! A character is made, completed, changed.

use serde_json::{Value, json};

use crate::table::{Table, jory, sabeth, with};

#[test]
fn a_character_is_made_with_everything_the_rules_work_out() {
    let mut table = Table::lockhouse();
    let made = table.manage_character(jory());
    assert_eq!(made["character"], "Jory");
    assert_eq!(made["missing"], json!([]));
    assert_eq!(made["player_text"], "Jory joins the story.");
    assert_eq!(made["next"], Value::Null);
    let sheet = &table.get_character(json!({}))["character"].clone();
    assert_eq!(sheet["kind"], "player");
    assert_eq!(sheet["attributes"]["Strength"], json!({"score": 15, "modifier": 2}));
    assert_eq!(sheet["attributes"]["Intelligence"], json!({"score": 8, "modifier": -1}));
    assert_eq!(sheet["skills"], json!({"Athletics": 2, "Endurance": 2, "Melee": 3, "Perception": 2}));
    assert_eq!(sheet["tracks"], json!([{"name": "Hit points", "value": 14, "min": 0, "max": 14}]));
    table.record().is_sound();
}

#[test]
fn what_is_missing_is_named_with_its_range_until_it_is_there() {
    let mut table = Table::lockhouse();
    let made =
        table.manage_character(json!({"action": "create", "name": "Merry", "attributes": {"DEX": 14, "CHA": 15}}));
    assert_eq!(
        made["missing"],
        json!([
            "Strength (STR), 3 to 20",
            "Constitution (CON), 3 to 20",
            "Intelligence (INT), 3 to 20",
            "Wisdom (WIS), 3 to 20",
            "Hit points"
        ])
    );
    assert!(made.text("next").contains("Strength (STR), 3 to 20"), "{}", made["next"]);
    let check = table.skill_check(json!({"skill": "Athletics", "difficulty": 8}));
    assert_eq!(check.refused("missing_value")["source"], "System.md:28");

    let done = table.manage_character(
        json!({"action": "update", "attributes": {"STR": 10, "CON": 13, "INT": 12, "WIS": 8}, "character": "Merry"}),
    );
    assert_eq!(done["missing"], json!([]));
    assert_eq!(table.get_character(json!({"view": "brief"}))["summary"], "Merry, player, level 1: Hit points 13/13.");
}

#[test]
fn every_bad_score_is_reported_at_once() {
    let mut table = Table::lockhouse();
    let refused = table.manage_character(json!({
        "action": "create", "name": "Merry",
        "attributes": {"STR": 2, "DEX": 21, "LUCK": 10, "CON": 20}, "skills": {"Juggling": 2, "Stealth": 2},
    }));
    let refused = refused.refused("invalid_parameters");
    let bad: Vec<(&str, &str)> = refused["details"]
        .as_array()
        .expect("details")
        .iter()
        .map(|bad| (bad["parameter"].as_str().expect("text"), bad["valid_range"].as_str().expect("text")))
        .collect();
    assert_eq!(bad.len(), 4, "{refused}");
    assert!(bad.contains(&("attributes.STR", "3 to 20")) && bad.contains(&("attributes.DEX", "3 to 20")), "{bad:?}");
    assert!(bad.iter().any(|(name, _)| *name == "attributes.LUCK"), "{bad:?}");
    assert!(bad.iter().any(|(name, valid)| *name == "skills.Juggling" && valid.contains("Stealth")), "{bad:?}");
    assert_eq!(table.record().length(), 0, "nothing was written, not even the campaign");
}

#[test]
fn a_score_out_of_range_needs_a_reason_and_the_reason_is_logged() {
    let mut table = Table::with_party();
    let change = json!({"action": "update", "character": "Jory", "attributes": {"STR": 24}});
    table.manage_character(change.clone()).refused("invalid_parameters");
    let mut ruled = change;
    ruled["override_reason"] = json!("the tide gave him its strength");
    let ruled = table.manage_character(ruled);
    assert_eq!(ruled["changed"], json!([{"field": "Strength", "before": "15", "after": "24"}]));
    assert_eq!(ruled["summary"], "Jory: Strength 15 to 24 (the GM's ruling: the tide gave him its strength).");
    let body = table.record().bodies().pop().expect("an entry");
    assert_eq!(body["event"]["override_reason"], "the tide gave him its strength");
}

#[test]
fn a_name_is_taken_whatever_its_capitals_and_accents() {
    let mut table = Table::with_party();
    for name in ["Jory", "JORY", " jory ", "Jöry"] {
        let mut again = jory();
        again["name"] = json!(name);
        let refused = table.manage_character(again);
        assert_eq!(refused.refused("duplicate_name")["did_you_mean"], json!(["Jory"]));
    }
    for name in ["player", "GM", "System"] {
        table.manage_character(json!({"action": "create", "name": name})).refused("duplicate_name");
    }
    let renamed = table.manage_character(json!({"action": "update", "character": "Sabeth", "name": "Jory"}));
    renamed.refused("duplicate_name");
    let same = table.manage_character(json!({"action": "update", "character": "Sabeth", "name": "SABETH"}));
    assert_eq!(same["character"], "SABETH", "one's own name may change its capitals");
}

#[test]
fn a_change_that_changes_nothing_is_said_so() {
    let mut table = Table::with_party();
    table
        .manage_character(json!({"action": "update", "character": "Jory", "attributes": {"STR": 15}}))
        .refused("no_effect");
    table.manage_character(json!({"action": "update", "attributes": {"STR": 15}})).refused("which_character");
    table.manage_character(json!({"action": "update", "character": "Jorry", "level": 2})).refused("unknown_character");
}

#[test]
fn a_higher_level_raises_the_maximum_and_the_damage_stays() {
    let mut table = Table::with_party();
    table.apply_damage(json!({"target": "Jory", "amount": 5})).is_fine();
    let risen = table.manage_character(json!({"action": "update", "character": "Jory", "level": 2}));
    assert_eq!(
        risen["changed"],
        json!([
            {"field": "level", "before": "1", "after": "2"},
            {"field": "Hit points", "before": "9/14", "after": "13/18"},
        ])
    );
    table.record().is_sound();
}

#[test]
fn the_gms_notes_are_not_for_players() {
    let mut table = Table::lockhouse();
    let mut made = sabeth();
    made["gm_notes"] = json!("owes Mag Sorley forty crowns");
    made["notes"] = json!("two years short of her own shop");
    assert_eq!(table.manage_character(made)["player_text"], "Sabeth joins the story.");
    let noted =
        table.manage_character(json!({"action": "update", "character": "Sabeth", "gm_notes": "has paid", "level": 2}));
    assert!(!noted.text("player_text").contains("gm_notes"), "{}", noted["player_text"]);
    let public = table.record().rows("select cast(public as text) as text from log");
    for row in public {
        let text = row["text"].as_str().expect("text");
        assert!(!text.contains("Mag") && !text.contains("paid") && !text.contains("gm_notes"), "{text}");
    }
    assert_eq!(table.get_character(json!({}))["character"]["gm_notes"], "has paid", "the GM reads them");
}

#[test]
fn a_note_for_the_gm_alone_is_no_news_to_players() {
    let mut table = Table::with_party();
    let noted =
        table.manage_character(json!({"action": "update", "character": "Sabeth", "gm_notes": "owes Mag Sorley"}));
    assert_eq!(noted["player_text"], Value::Null);
}

#[test]
fn a_sheet_reads_as_markdown_and_a_list_names_everybody() {
    let mut table = Table::with_party();
    table
        .manage_character(json!({"action": "create", "name": "Pell", "kind": "npc", "tracks": {"Hit points": 9}}))
        .is_fine();
    let sheet = table.get_character(json!({"character": "jory", "view": "sheet"}));
    assert!(sheet.text("sheet").starts_with("# Jory\n"), "{}", sheet["sheet"]);
    assert!(sheet.text("sheet").contains("| Strength | 15 | +2 |"), "{}", sheet["sheet"]);
    let list = table.get_character(json!({"list": true}));
    assert_eq!(
        list["characters"],
        json!([
            "Sabeth, player, level 1: Hit points 13/13.",
            "Jory, player, level 1: Hit points 14/14.",
            "Pell, npc, level 1: Hit points 9/9.",
        ])
    );
    let which = table.get_character(json!({}));
    assert_eq!(which.refused("which_character")["did_you_mean"], json!(["Sabeth", "Jory"]));
}

#[test]
fn what_an_action_passes_over_is_refused_with_where_it_belongs() {
    let mut table = Table::with_party();
    let refused = table.manage_character(json!({"action": "update", "character": "Jory", "roll_attributes": "4d6kh3"}));
    assert_eq!(
        refused.refused("invalid_parameters")["summary"],
        "update does not take this: roll_attributes is of create, import. Nothing was changed."
    );
    let thing = table.manage_character(json!({"action": "award", "character": "Jory", "item": "rope", "quantity": 2}));
    assert_eq!(
        thing.refused("invalid_parameters")["summary"],
        "award does not take this: item is of give; quantity is of give. Things go into inventory=[{\"name\": \"rope\", \
         \"quantity\": 1}]. Nothing was changed."
    );
    // What says nothing is no mistake.
    table
        .manage_character(json!({"action": "retire", "character": "Jory", "count": 1, "notes": "", "skills": {}}))
        .is_fine();
    table.record().is_sound();
}

#[test]
fn no_reason_is_none_and_no_number_falls_below_zero() {
    let mut table = Table::with_party();
    let mut refused = |fields: serde_json::Value, told: &str| {
        let call = with(json!({"action": "update", "character": "Jory"}), fields);
        let answer = table.manage_character(call);
        let summary = answer.refused("invalid_parameters")["summary"].as_str().unwrap().to_owned();
        assert!(summary.starts_with(told), "{summary}");
    };
    refused(
        json!({"attributes": {"STR": 30}, "override_reason": " "}),
        "attributes.STR: 30 is out of range (valid: 3 to 20).",
    );
    refused(json!({"xp": -3}), "xp: -3 (valid: 0 to 1000000).");
    refused(json!({"tracks": {"Hit point": 3}}), "tracks.Hit point: no such track (valid: Hit points).");
    table.manage_character(json!({"action": "update", "character": "Jory", "tracks": {"Luck": 3}})).is_fine();
    table.record().is_sound();
}

#[test]
fn a_sheet_to_read_out_keeps_the_gms_secrets_and_a_list_says_who_lacks_what() {
    let mut table = Table::of_rules(Some("# Any\n\n## Attributes\n- Wit: jokes\n- Range: 1 to 3\n"));
    let list = table.get_character(json!({"list": true}));
    assert!(
        list.text("summary").starts_with("There is no player character yet. The rules ask for Wit 1 to 3."),
        "{}",
        list["summary"]
    );
    let ann = json!({"action": "create", "name": "Ann", "notes": "A clown.", "gm_notes": "The murderer.",
        "inventory": [{"name": "rose"}, {"name": "knife", "hidden": true}]});
    table.manage_character(ann).is_fine();
    let sheet = table.get_character(json!({"view": "sheet"})).text("sheet").to_owned();
    assert!(sheet.contains("A clown.") && sheet.contains("rose"), "{sheet}");
    assert!(!sheet.contains("murderer") && !sheet.contains("knife") && !sheet.contains("GM"), "{sheet}");
    table.manage_character(json!({"action": "create", "name": "Rat", "kind": "npc"})).is_fine();
    let listed = |table: &mut Table| table.get_character(json!({"list": true}))["characters"].clone();
    assert_eq!(
        listed(&mut table),
        json!(["Ann, player, level 1: no tracks yet. Missing: Wit, 1 to 3.", "Rat, npc, level 1: no tracks yet."])
    );
    table.manage_character(json!({"action": "retire"})).is_fine();
    assert_eq!(listed(&mut table)[0], "Ann, player, level 1: no tracks yet. Retired.");
    table.record().is_sound();
}

#[test]
fn whoever_is_made_after_a_page_gains_with_each_level_what_the_rules_work_out() {
    let mut table = Table::of(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures/lockhouse")));
    let jory = json!({"action": "create", "from": "Characters.md#Jory Penrake, dock porter", "name": "Jory", "kind": "player"});
    table.manage_character(jory).is_fine();
    let up = table.manage_character(json!({"action": "level_up"}));
    assert_eq!(up["summary"], "Jory reaches level 2: Hit points 14/14 to 18/18.");
    let missing = table.manage_character(json!({"action": "create", "from": "Foe.md#Wrecker"}));
    assert_eq!(
        missing.refused("unknown_page")["summary"],
        "Foe.md: the adventure has no such file (links out of its folder are not followed). Name a .md or .json file of the adventure. There is \
         System.md, Adventure.md, Characters.md, Foes.md, Handouts.md, Map.md, Scenes.md, tests/checks.md, tests/fights.md, tests/tide.md. \
         Nothing was changed."
    );
    table.record().is_sound();
}

#[test]
fn a_track_that_follows_from_scores_is_missing_until_they_are_there() {
    let rules = "# Any\n\n## Attributes\n- CON\n- SIZ\n\n## Health\n- Hit points: max `floor(({CON} + {SIZ}) / 10) + {level}`\n\
        - Luck: 3 boxes\n- Damage: Hit points\n";
    let mut table = Table::of_rules(Some(rules));
    let ada = table.manage_character(json!({"action": "create", "name": "Ada", "attributes": {"CON": 55}}));
    assert_eq!(ada["missing"], json!(["SIZ", "Hit points"]));
    let whole = table.manage_character(json!({"action": "update", "attributes": {"SIZ": 45}}));
    assert_eq!((&whole["missing"], whole.text("summary")), (&json!([]), "Ada: SIZ 45; Hit points 11/11."));
    table.record().is_sound();
}
