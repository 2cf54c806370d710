//! Characters are made, completed, changed; of every kind: what they own, whom they are drawn
//! after, how they leave.

use serde_json::{Value, json};

use crate::table::{Table, each, jory, sabeth, with};

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
    assert_eq!(
        sheet["attributes"]["Strength"],
        json!({"score": 15, "modifier": 2})
    );
    assert_eq!(
        sheet["attributes"]["Intelligence"],
        json!({"score": 8, "modifier": -1})
    );
    assert_eq!(
        sheet["skills"],
        json!({"Athletics": 2, "Endurance": 2, "Melee": 3, "Perception": 2})
    );
    assert_eq!(
        sheet["tracks"],
        json!([{"name": "Hit points", "value": 14, "min": 0, "max": 14}])
    );
}

#[test]
fn what_is_missing_is_named_with_its_range_until_it_is_there() {
    let mut table = Table::lockhouse();
    let made = table.manage_character(
        json!({"action": "create", "name": "Merry", "attributes": {"DEX": 14, "CHA": 15}}),
    );
    let expected = json!([
        "Strength (STR), 3 to 20",
        "Constitution (CON), 3 to 20",
        "Intelligence (INT), 3 to 20",
        "Wisdom (WIS), 3 to 20",
        "Hit points"
    ]);
    assert_eq!(made["missing"], expected);
    assert!(
        made.text("next").contains("Strength (STR), 3 to 20"),
        "{}",
        made["next"]
    );
    let check = table.skill_check(json!({"skill": "Athletics", "difficulty": 8}));
    assert_eq!(check.refused("missing_value")["source"], "System.md:28");

    let done = table.manage_character(
        json!({"action": "update", "attributes": {"STR": 10, "CON": 13, "INT": 12, "WIS": 8}, "character": "Merry"}),
    );
    assert_eq!(done["missing"], json!([]));
    assert_eq!(
        table.get_character(json!({"view": "brief"}))["summary"],
        "Merry, player, level 1: Hit points 13/13."
    );
}

#[test]
fn every_bad_score_is_reported_at_once() {
    let mut table = Table::lockhouse();
    let refused = table.manage_character(json!({
        "action": "create", "name": "Merry",
        "attributes": {"STR": 2, "DEX": 21, "LUCK": 10, "CON": 20}, "skills": {"Juggling": 2, "Stealth": 2},
    }));
    let refused = refused.refused("invalid_parameters");
    let bad: Vec<(&str, &str)> = each(&refused["details"])
        .map(|bad| {
            (
                bad["parameter"].as_str().expect("text"),
                bad["valid_range"].as_str().expect("text"),
            )
        })
        .collect();
    assert_eq!(bad.len(), 4, "{refused}");
    assert!(
        bad.contains(&("attributes.STR", "3 to 20"))
            && bad.contains(&("attributes.DEX", "3 to 20")),
        "{bad:?}"
    );
    assert!(
        bad.iter().any(|(name, _)| *name == "attributes.LUCK"),
        "{bad:?}"
    );
    assert!(
        bad.iter()
            .any(|(name, valid)| *name == "skills.Juggling" && valid.contains("Stealth")),
        "{bad:?}"
    );
    assert_eq!(
        table.record().length(),
        0,
        "nothing was written, not even the campaign"
    );
}

#[test]
fn a_score_out_of_range_needs_a_reason_and_the_reason_is_logged() {
    let mut table = Table::with_party();
    let change = json!({"action": "update", "character": "Jory", "attributes": {"STR": 24}});
    table
        .manage_character(change.clone())
        .refused("invalid_parameters");
    let mut ruled = change;
    ruled["override_reason"] = json!("the tide gave him its strength");
    let ruled = table.manage_character(ruled);
    assert_eq!(
        ruled["changed"],
        json!([{"field": "Strength", "before": "15", "after": "24"}])
    );
    assert_eq!(
        ruled["summary"],
        "Jory: Strength 15 to 24 (the GM's ruling: the tide gave him its strength)."
    );
    let body = table.record().bodies().pop().expect("an entry");
    assert_eq!(
        body["event"]["override_reason"],
        "the tide gave him its strength"
    );
}

#[test]
fn a_name_is_taken_whatever_its_capitals_and_accents() {
    let mut table = Table::with_party();
    for name in ["Jory", "JORY", " jory ", "Jöry"] {
        let mut again = jory();
        again["name"] = json!(name);
        let refused = table.manage_character(again);
        assert_eq!(
            refused.refused("duplicate_name")["did_you_mean"],
            json!(["Jory"])
        );
    }
    for name in ["player", "GM", "System"] {
        table
            .manage_character(json!({"action": "create", "name": name}))
            .refused("duplicate_name");
    }
    let renamed =
        table.manage_character(json!({"action": "update", "character": "Sabeth", "name": "Jory"}));
    renamed.refused("duplicate_name");
    let same = table
        .manage_character(json!({"action": "update", "character": "Sabeth", "name": "SABETH"}));
    assert_eq!(
        same["character"], "SABETH",
        "one's own name may change its capitals"
    );
}

#[test]
fn a_change_that_changes_nothing_is_noted() {
    let mut table = Table::with_party();
    let call = json!({"action": "update", "character": "Jory", "attributes": {"STR": 15}});
    table.manage_character(call).refused("no_effect");
    table
        .manage_character(json!({"action": "update", "attributes": {"STR": 15}}))
        .refused("which_character");
    table
        .manage_character(json!({"action": "update", "character": "Jorry", "level": 2}))
        .refused("unknown_character");
}

#[test]
fn a_higher_level_raises_the_maximum_and_the_damage_stays() {
    let mut table = Table::with_party();
    table
        .apply_damage(json!({"target": "Jory", "amount": 5}))
        .is_fine();
    let risen =
        table.manage_character(json!({"action": "update", "character": "Jory", "level": 2}));
    let expected = json!([
        {"field": "level", "before": "1", "after": "2"},
        {"field": "Hit points", "before": "9/14", "after": "13/18"},
    ]);
    assert_eq!(risen["changed"], expected);
}

#[test]
fn the_gms_notes_are_not_for_players() {
    let mut table = Table::lockhouse();
    let mut made = sabeth();
    made["gm_notes"] = json!("owes Mag Sorley forty crowns");
    made["notes"] = json!("two years short of her own shop");
    assert_eq!(
        table.manage_character(made)["player_text"],
        "Sabeth joins the story."
    );
    let noted = table.manage_character(
        json!({"action": "update", "character": "Sabeth", "gm_notes": "has paid", "level": 2}),
    );
    assert!(
        !noted.text("player_text").contains("gm_notes"),
        "{}",
        noted["player_text"]
    );
    let public = table
        .record()
        .rows("select cast(public as text) as text from log");
    for row in public {
        let text = row["text"].as_str().expect("text");
        assert!(
            !text.contains("Mag") && !text.contains("paid") && !text.contains("gm_notes"),
            "{text}"
        );
    }
    assert_eq!(
        table.get_character(json!({}))["character"]["gm_notes"],
        "has paid",
        "the GM reads them"
    );
}

#[test]
fn a_note_for_the_gm_alone_is_no_news_to_players() {
    let mut table = Table::with_party();
    let noted = table.manage_character(
        json!({"action": "update", "character": "Sabeth", "gm_notes": "owes Mag Sorley"}),
    );
    assert_eq!(noted["player_text"], Value::Null);
}

#[test]
fn a_sheet_reads_as_markdown_and_a_list_names_everybody() {
    let mut table = Table::with_party();
    table.create("Pell", json!({"kind": "npc", "tracks": {"Hit points": 9}}));
    let sheet = table.get_character(json!({"character": "jory", "view": "sheet"}));
    assert!(
        sheet.text("sheet").starts_with("# Jory\n"),
        "{}",
        sheet["sheet"]
    );
    assert!(
        sheet.text("sheet").contains("| Strength | 15 | +2 |"),
        "{}",
        sheet["sheet"]
    );
    let list = table.get_character(json!({"list": true}));
    let expected = json!([
        "Sabeth, player, level 1: Hit points 13/13.",
        "Jory, player, level 1: Hit points 14/14.",
        "Pell, npc, level 1: Hit points 9/9.",
    ]);
    assert_eq!(list["characters"], expected);
    let which = table.get_character(json!({}));
    assert_eq!(
        which.refused("which_character")["did_you_mean"],
        json!(["Sabeth", "Jory"])
    );
}

#[test]
fn what_an_action_passes_over_is_refused_with_where_it_belongs() {
    let mut table = Table::with_party();
    let refused = table.manage_character(
        json!({"action": "update", "character": "Jory", "roll_attributes": "4d6kh3"}),
    );
    let expected =
        "update does not take this: roll_attributes is of create, import. Nothing was changed.";
    assert_eq!(refused.refused("invalid_parameters")["summary"], expected);
    let thing = table.manage_character(
        json!({"action": "award", "character": "Jory", "item": "rope", "quantity": 2}),
    );
    let wanted = "award does not take this: item is of give; quantity is of give. Things go into inventory=[{\"name\": \"rope\", \
     \"quantity\": 1}]. Nothing was changed.";
    assert_eq!(thing.refused("invalid_parameters")["summary"], wanted);
    // What says nothing is no mistake.
    let call =
        json!({"action": "retire", "character": "Jory", "count": 1, "notes": "", "skills": {}});
    table.manage_character(call).is_fine();
}

#[test]
fn no_reason_is_none_and_no_number_falls_below_zero() {
    let mut table = Table::with_party();
    let mut refused = |fields: serde_json::Value, words: &str| {
        let call = with(json!({"action": "update", "character": "Jory"}), fields);
        let answer = table.manage_character(call);
        let summary = answer.refusal_text("invalid_parameters").to_owned();
        assert!(summary.starts_with(words), "{summary}");
    };
    let sent = json!({"attributes": {"STR": 30}, "override_reason": " "});
    refused(sent, "attributes.STR: 30 is out of range (valid: 3 to 20).");
    refused(json!({"xp": -3}), "xp: -3 (valid: 0 to 1000000).");
    refused(
        json!({"tracks": {"Hit point": 3}}),
        "tracks.Hit point: no such track (valid: Hit points).",
    );
    table
        .manage_character(json!({"action": "update", "character": "Jory", "tracks": {"Luck": 3}}))
        .is_fine();
}

#[test]
fn a_sheet_to_read_out_keeps_the_gms_secrets_and_a_list_says_who_lacks_what() {
    let mut table = Table::of_rules(Some(
        "# Any\n\n## Attributes\n- Wit: jokes\n- Range: 1 to 3\n",
    ));
    let list = table.get_character(json!({"list": true}));
    list.starts(
        "summary",
        "There is no player character yet. The rules ask for Wit 1 to 3.",
    );
    table.create(
        "Ann",
        json!({"notes": "A clown.", "gm_notes": "The murderer.",
        "inventory": [{"name": "rose"}, {"name": "knife", "hidden": true}]}),
    );
    let sheet = table
        .get_character(json!({"view": "sheet"}))
        .text("sheet")
        .to_owned();
    assert!(
        sheet.contains("A clown.") && sheet.contains("rose"),
        "{sheet}"
    );
    assert!(
        !sheet.contains("murderer") && !sheet.contains("knife") && !sheet.contains("GM"),
        "{sheet}"
    );
    table.create("Rat", json!({"kind": "npc"}));
    let listed =
        |table: &mut Table| table.get_character(json!({"list": true}))["characters"].clone();
    assert_eq!(
        listed(&mut table),
        json!([
            "Ann, player, level 1: no tracks yet. Missing: Wit, 1 to 3.",
            "Rat, npc, level 1: no tracks yet."
        ])
    );
    table
        .manage_character(json!({"action": "retire"}))
        .is_fine();
    assert_eq!(
        listed(&mut table)[0],
        "Ann, player, level 1: no tracks yet. Retired."
    );
}

#[test]
fn who_is_made_after_a_page_gains_with_each_level_what_the_rules_work_out() {
    let mut table = Table::shipped("lockhouse");
    let jory = json!({"action": "create", "from": "Characters.md#Jory Penrake, dock porter", "name": "Jory", "kind": "player"});
    table.manage_character(jory).is_fine();
    let up = table.manage_character(json!({"action": "level_up"}));
    assert_eq!(
        up["summary"],
        "Jory reaches level 2: Hit points 14/14 to 18/18."
    );
    let missing = table.manage_character(json!({"action": "create", "from": "Foe.md#Wrecker"}));
    let expected = "Foe.md: the adventure has no such file (links out of its folder are not followed). Name a .md or .json file of the adventure. There is \
     System.md, Adventure.md, Characters.md, Foes.md, Handouts.md, Map.md, Scenes.md, tests/checks.md, tests/fights.md, tests/pages.md, tests/tide.md. \
     Nothing was changed.";
    assert_eq!(missing.refused("unknown_page")["summary"], expected);
}

#[test]
fn a_track_that_follows_from_scores_is_missing_until_they_are_there() {
    let rules = "# Any\n\n## Attributes\n- CON\n- SIZ\n\n## Health\n- Hit points: max `floor(({CON} + {SIZ}) / 10) + {level}`\n\
        - Luck: 3 boxes\n- Damage: Hit points\n";
    let mut table = Table::of_rules(Some(rules));
    let ada = table
        .manage_character(json!({"action": "create", "name": "Ada", "attributes": {"CON": 55}}));
    assert_eq!(ada["missing"], json!(["SIZ", "Hit points"]));
    let whole = table.manage_character(json!({"action": "update", "attributes": {"SIZ": 45}}));
    assert_eq!(
        (&whole["missing"], whole.text("summary")),
        (&json!([]), "Ada: SIZ 45; Hit points 11/11.")
    );
}

/// Characters of every kind: what they own, whom they are drawn after, how they leave.
fn things(table: &mut Table, who: &str) -> Value {
    let mut full = table.get_character(json!({"character": who}))["character"].clone();
    full["inventory"].take()
}

#[test]
fn belongings_are_set_handed_out_and_passed_on_and_never_below_nothing() {
    let mut table = Table::with_party();
    let rope = json!([{"name": "Rope", "quantity": 2}, {"name": "Letter", "hidden": true, "notes": "from the harbour-master"}]);
    let got =
        table.manage_character(json!({"action": "update", "character": "Jory", "inventory": rope}));
    assert_eq!(
        got["summary"],
        "Jory: Rope 2; Letter 1, hidden (from the harbour-master)."
    );
    assert_eq!(
        got["player_text"], "Jory: Rope 2.",
        "players do not hear of what is hidden"
    );
    let given = json!({"action": "give", "character": "Jory", "item": "rope", "to": "Sabeth"});
    assert_eq!(
        table.manage_character(given)["player_text"],
        "Jory gives Sabeth Rope."
    );
    let more = table.manage_character(json!({"action": "award", "character": "Sabeth", "inventory": [{"name": "rope", "quantity": 3, "equipped": true}]}));
    assert_eq!(
        more["changed"],
        json!([{"field": "Rope", "before": "1", "after": "4, equipped"}])
    );
    let lantern = json!([{"name": "Lantern", "uses": 6}]);
    table
        .manage_character(json!({"action": "award", "character": "Sabeth", "inventory": lantern}))
        .is_fine();
    let expected = json!([
        {"name": "Lantern", "quantity": 1, "equipped": false, "uses": 6, "notes": "", "hidden": false},
        {"name": "Rope", "quantity": 4, "equipped": true, "uses": null, "notes": "", "hidden": false},
    ]);
    assert_eq!(things(&mut table, "Sabeth"), expected);
    let too_many = json!({"action": "give", "character": "Jory", "item": "Rope", "quantity": 5, "to": "Sabeth"});
    let refused = table.manage_character(too_many);
    assert!(
        refused
            .refusal_text("not_enough")
            .starts_with("Jory has 1 Rope; quantity takes 1 to 1.")
    );
    let below = json!({"action": "award", "character": "Jory", "inventory": [{"name": "Rope", "quantity": -2}]});
    table.manage_character(below).refused("invalid_parameters");
    let call = json!({"action": "give", "character": "Jory", "item": "Robe", "to": "Sabeth"});
    table.manage_character(call).refused("unknown_item");
    let last = json!({"action": "award", "character": "Jory", "inventory": [{"name": "Rope", "quantity": -1}]});
    assert_eq!(
        table.manage_character(last)["summary"],
        "Jory: no Rope any more."
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(things(&mut table, "Jory")[1]["quantity"], 1);
}

#[test]
fn a_foe_of_the_adventure_is_a_template_and_is_on_the_table_any_number_of_times() {
    let mut table = Table::with_party();
    let wrecker = json!({"action": "create", "kind": "template", "from": "Foes.md#Wrecker"});
    let made = table.manage_character(wrecker);
    assert_eq!(
        made["summary"],
        "Wrecker is made after Foes.md#Wrecker (a template)."
    );
    assert!(made["player_text"].is_null());
    let fight = json!({"action": "start", "combatants": [
        {"name": "Jory", "initiative": 12}, {"template": "Wrecker", "count": 2, "initiative": 5}, {"name": "Lisk", "template": "wrecker", "initiative": 3},
    ]});
    let begun = table.manage_combat(fight);
    let names: Vec<&str> = each(&begun["order"])
        .map(|place| place["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Jory", "Wrecker 1", "Wrecker 2", "Lisk"]);
    assert_eq!(begun["order"][1]["health"], "7/7");
    table
        .apply_damage(json!({"target": "Wrecker 2", "amount": 3}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Wrecker", "amount": 3}))
        .refused("ambiguous_name");
    let again = json!({"action": "add", "combatants": [{"name": "Wrecker", "count": 1, "initiative": 2, "hidden": true}]});
    let added = table.manage_combat(again);
    assert!(
        added["summary"]
            .as_str()
            .unwrap()
            .contains("Unseen Wrecker 1"),
        "{}",
        added["summary"]
    );
    let character = table.get_character(json!({"character": "Lisk"}));
    assert_eq!(
        character["character"]["attributes"]["Strength"]["score"],
        12
    );
    assert_eq!(character["character"]["attacks"][0]["name"], "cudgel");
    let party = table.manage_session(json!({"action": "status"}))["party"].clone();
    assert_eq!(party.as_array().unwrap().len(), 2);
    let many = table.manage_character(json!({"action": "create", "from": "Wrecker", "count": 3}));
    assert!(
        many["summary"]
            .as_str()
            .unwrap()
            .starts_with("Wrecker 3 is made after Wrecker"),
        "{}",
        many["summary"]
    );
}

#[test]
fn pages_stay_inside_the_adventure_and_say_what_they_hold() {
    let mut table = Table::lockhouse();
    for from in [
        "../quorum/System.md",
        "/etc/hosts.md",
        "Nowhere.md",
        "tests",
        "Foes.md\u{0}.md",
    ] {
        let refused = table.manage_character(json!({"action": "create", "from": from}));
        assert!(refused.is_refused(), "{from}: {}", refused.value());
    }
    let which = table.manage_character(json!({"action": "create", "from": "Foes.md"}));
    which.refused_with("which_entry", &["Wrecker, Mag Sorley, Ansel Drewitt"]);
    table
        .manage_character(json!({"action": "create", "from": "Foes.md#Wrekker"}))
        .refused("which_entry");
    let person = table.manage_character(json!({"action": "create", "kind": "player", "from": "Characters.md#Sabeth Quoin, locksmith", "name": "Sabeth"}));
    assert_eq!(person["missing"], json!([]));
    let full = table.get_character(json!({"character": "Sabeth"}))["character"].clone();
    assert_eq!(full["skills"]["Lockpicking"], 3);
    assert_eq!(
        full["tracks"][0],
        json!({"name": "Hit points", "value": 13, "min": 0, "max": 13})
    );
}

/// What is outside is not shown, nor whether it is there: not of a path, and not of what lies
/// behind a link.
#[cfg(unix)]
#[test]
fn a_file_outside_the_adventure_is_refused_in_the_same_words_whether_or_not_it_exists() {
    let mut table = Table::of_rules(Some("# Any\n"));
    let adventure = table.path("adventure");
    std::fs::write(table.path("secret.md"), "## Mag\n").expect("a file outside");
    std::fs::write(adventure.join("Foes.md"), "## Rat\n").expect("a file inside");
    for (name, to) in [
        ("there.md", "../secret.md"),
        ("gone.md", "../gone.md"),
        ("folder", ".."),
        ("root.md", "/root/x/y.md"),
    ] {
        std::os::unix::fs::symlink(to, adventure.join(name)).expect("a link");
    }
    let outside = table.path("secret.md").display().to_string();
    let mut words = |from: &str, action: &str| {
        let refused = table.manage_character(json!({"action": action, "from": from}));
        refused.refusal_text("unknown_page").replace(from, "FROM")
    };
    for action in ["create", "import"] {
        let path = words("/etc/passwd", action);
        assert!(
            path.contains("FROM: it leads out of the adventure's folder, where nothing is read."),
            "{path}"
        );
        let elsewhere = [
            "/etc/no-such",
            "../x.md",
            "../secret.md",
            "a/../../secret.md",
            "/etc/passwd#Ogre",
            "..",
            &outside,
        ];
        for from in elsewhere {
            let text =
                words(from, action).replace(from.split('#').next().unwrap_or_default(), "FROM");
            let expected = path.split_once(": it leads").map(|(_, rest)| rest);
            assert_eq!(
                text.split_once(": it leads").map(|(_, rest)| rest),
                expected,
                "{from}"
            );
        }
        let missing = words("nothing.md", action);
        for from in [
            "there.md",
            "gone.md",
            "folder/secret.md",
            "folder/gone.md",
            "root.md",
        ] {
            assert_eq!(words(from, action), missing, "{from}");
        }
    }
    table
        .manage_character(json!({"action": "create", "from": "Foes.md"}))
        .is_refused();
}

#[test]
fn who_retires_is_kept_and_comes_back() {
    let mut table = Table::with_party();
    let call = json!({"action": "retire", "character": "Jory"});
    assert_eq!(
        table.manage_character(call)["player_text"],
        "Jory leaves the story."
    );
    let party = table.manage_session(json!({"action": "status"}))["party"].clone();
    assert_eq!(party.as_array().unwrap().len(), 1);
    table
        .dice([9])
        .skill_check(json!({"skill": "Lockpicking", "difficulty": 8}))
        .is_fine();
    table
        .manage_character(json!({"action": "retire", "character": "Jory"}))
        .is_fine();
    assert_eq!(
        table.manage_session(json!({"action": "status"}))["party"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    table.start(json!([{"name": "Jory", "initiative": 12}]));
    table
        .manage_character(json!({"action": "retire", "character": "Jory"}))
        .refused("in_combat");
}

#[test]
fn scores_are_rolled_in_the_open_and_only_where_the_range_holds_whatever_falls() {
    let mut table = Table::lockhouse();
    let ann = json!({"action": "create", "name": "Ann", "attributes": {"STR": 12}, "roll_attributes": "4d6kh3"});
    let dice = [6, 5, 4, 1, 3, 3, 3, 3, 6, 6, 6, 6, 1, 1, 1, 1, 2, 3, 4, 5];
    let made = table.dice(dice).manage_character(ann);
    made.has(
        "player_text",
        &["(Dexterity 4d6kh3: [6, 5, 4, 1] keep 6, 5, 4 = 15; Constitution 4d6kh3:"],
    );
    let full = table.get_character(json!({"character": "Ann"}))["character"]["attributes"].clone();
    let scores = [
        "Strength",
        "Dexterity",
        "Constitution",
        "Intelligence",
        "Wisdom",
        "Charisma",
    ]
    .map(|name| full[name]["score"].as_i64().unwrap());
    assert_eq!(scores, [12, 15, 9, 18, 3, 12]);
    let low = json!({"action": "create", "name": "Bo", "roll_attributes": "2d6"});
    table.manage_character(low).refused_with(
        "invalid_parameters",
        &["2 to 12, and Strength goes from 3 to 20"],
    );
    let out = json!({"action": "create", "name": "Bo", "attributes": {"STR": 25}, "override_reason": "cursed"});
    assert!(
        table.manage_character(out)["summary"]
            .as_str()
            .unwrap()
            .contains("(the GM's ruling: cursed)")
    );
}

#[test]
fn a_template_rolls_for_nobody() {
    let mut table = Table::with_party();
    let call =
        json!({"action": "create", "name": "Rat", "kind": "template", "attributes": {"DEX": 14}});
    table.manage_character(call).is_fine();
    let check = json!({"character": "Rat", "attribute": "DEX", "difficulty": 5});
    let refused = table.skill_check(check.clone());
    let summary = refused.refusal_text("is_template").to_owned();
    assert!(
        summary.contains("from=\"Rat\"") && summary.ends_with("Nothing was rolled."),
        "{summary}"
    );
    let opposed = json!({"character": "Jory", "attribute": "DEX", "opposed_by": {"character": "Rat", "attribute": "DEX"}});
    table.skill_check(opposed).refused("is_template");
    table
        .manage_character(json!({"action": "create", "from": "Rat"}))
        .is_fine();
    let call = json!({"character": "Rat 1", "attribute": "DEX", "difficulty": 5});
    table.dice([9]).skill_check(call).is_fine();
}
