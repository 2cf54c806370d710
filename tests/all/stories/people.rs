//! Characters of every kind: what they own, whom they are drawn after, how they leave.

use serde_json::{Value, json};

use crate::table::Table;

fn things(table: &mut Table, who: &str) -> Value {
    let mut full = table.get_character(json!({"character": who}))["character"].clone();
    full["inventory"].take()
}

#[test]
fn belongings_are_set_handed_out_and_passed_on_and_never_below_nothing() {
    let mut table = Table::with_party();
    let rope = json!([{"name": "Rope", "quantity": 2}, {"name": "Letter", "hidden": true, "notes": "from the harbour-master"}]);
    let got = table.manage_character(json!({"action": "update", "character": "Jory", "inventory": rope}));
    assert_eq!(got["summary"], "Jory: Rope 2; Letter 1, hidden (from the harbour-master).");
    assert_eq!(got["player_text"], "Jory: Rope 2.", "players do not hear of what is hidden");
    let given = json!({"action": "give", "character": "Jory", "item": "rope", "to": "Sabeth"});
    assert_eq!(table.manage_character(given)["player_text"], "Jory gives Sabeth Rope.");
    let more = table.manage_character(json!({"action": "award", "character": "Sabeth", "inventory": [{"name": "rope", "quantity": 3, "equipped": true}]}));
    assert_eq!(more["changed"], json!([{"field": "Rope", "before": "1", "after": "4, equipped"}]));
    let lantern = json!([{"name": "Lantern", "uses": 6}]);
    table.manage_character(json!({"action": "award", "character": "Sabeth", "inventory": lantern})).is_fine();
    assert_eq!(
        things(&mut table, "Sabeth"),
        json!([
            {"name": "Lantern", "quantity": 1, "equipped": false, "uses": 6, "notes": "", "hidden": false},
            {"name": "Rope", "quantity": 4, "equipped": true, "uses": null, "notes": "", "hidden": false},
        ])
    );
    let too_many = json!({"action": "give", "character": "Jory", "item": "Rope", "quantity": 5, "to": "Sabeth"});
    let refused = table.manage_character(too_many);
    assert!(
        refused.refused("not_enough")["summary"]
            .as_str()
            .unwrap()
            .starts_with("Jory has 1 Rope; quantity takes 1 to 1.")
    );
    let below = json!({"action": "award", "character": "Jory", "inventory": [{"name": "Rope", "quantity": -2}]});
    table.manage_character(below).refused("invalid_parameters");
    table
        .manage_character(json!({"action": "give", "character": "Jory", "item": "Robe", "to": "Sabeth"}))
        .refused("unknown_item");
    let last = json!({"action": "award", "character": "Jory", "inventory": [{"name": "Rope", "quantity": -1}]});
    assert_eq!(table.manage_character(last)["summary"], "Jory: no Rope any more.");
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(things(&mut table, "Jory")[1]["quantity"], 1);
    table.record().is_sound();
}

#[test]
fn a_foe_of_the_adventure_is_a_template_and_stands_on_the_table_any_number_of_times() {
    let mut table = Table::with_party();
    let wrecker = json!({"action": "create", "kind": "template", "from": "Foes.md#Wrecker"});
    let made = table.manage_character(wrecker);
    assert_eq!(made["summary"], "Wrecker is made after Foes.md#Wrecker (a template).");
    assert!(made["player_text"].is_null());
    let fight = json!({"action": "start", "combatants": [
        {"name": "Jory", "initiative": 12}, {"template": "Wrecker", "count": 2, "initiative": 5}, {"name": "Lisk", "template": "wrecker", "initiative": 3},
    ]});
    let begun = table.manage_combat(fight);
    let names: Vec<&str> = begun["order"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Jory", "Wrecker 1", "Wrecker 2", "Lisk"]);
    assert_eq!(begun["order"][1]["health"], "7/7");
    table.apply_damage(json!({"target": "Wrecker 2", "amount": 3})).is_fine();
    table.apply_damage(json!({"target": "Wrecker", "amount": 3})).refused("ambiguous_name");
    let again =
        json!({"action": "add", "combatants": [{"name": "Wrecker", "count": 1, "initiative": 2, "hidden": true}]});
    let added = table.manage_combat(again);
    assert!(added["summary"].as_str().unwrap().contains("Unseen Wrecker 1"), "{}", added["summary"]);
    let own = table.get_character(json!({"character": "Lisk"}));
    assert_eq!(own["character"]["attributes"]["Strength"]["score"], 12);
    assert_eq!(own["character"]["attacks"][0]["name"], "cudgel");
    let party = table.manage_session(json!({"action": "status"}))["party"].clone();
    assert_eq!(party.as_array().unwrap().len(), 2);
    let many = table.manage_character(json!({"action": "create", "from": "Wrecker", "count": 3}));
    assert!(many["summary"].as_str().unwrap().starts_with("Wrecker 3 is made after Wrecker"), "{}", many["summary"]);
    table.record().is_sound();
}

#[test]
fn pages_stay_inside_the_adventure_and_say_what_they_hold() {
    let mut table = Table::lockhouse();
    for from in ["../quorum/System.md", "/etc/hosts.md", "Nowhere.md", "tests", "Foes.md\u{0}.md"] {
        let refused = table.manage_character(json!({"action": "create", "from": from}));
        assert!(refused.is_refused(), "{from}: {}", refused.value());
    }
    let which = table.manage_character(json!({"action": "create", "from": "Foes.md"}));
    let words = which.refused("which_entry")["summary"].as_str().unwrap().to_owned();
    assert!(words.contains("Wrecker, Mag Sorley, Ansel Drewitt"), "{words}");
    table.manage_character(json!({"action": "create", "from": "Foes.md#Wrekker"})).refused("which_entry");
    let person = table.manage_character(json!({"action": "create", "kind": "player", "from": "Characters.md#Sabeth Quoin, locksmith", "name": "Sabeth"}));
    assert_eq!(person["missing"], json!([]));
    let full = table.get_character(json!({"character": "Sabeth"}))["character"].clone();
    assert_eq!(full["skills"]["Lockpicking"], 3);
    assert_eq!(full["tracks"][0], json!({"name": "Hit points", "value": 13, "min": 0, "max": 13}));
    table.record().is_sound();
}

/// What is outside is not told, nor whether it is there: not of a path, and not of what lies behind a link.
#[cfg(unix)]
#[test]
fn a_file_outside_the_adventure_is_refused_in_the_same_words_whether_or_not_it_exists() {
    let mut table = Table::of_rules(Some("# Any\n"));
    let adventure = table.path("adventure");
    std::fs::write(table.path("secret.md"), "## Mag\n").expect("a file outside");
    std::fs::write(adventure.join("Foes.md"), "## Rat\n").expect("a file inside");
    for (name, to) in
        [("there.md", "../secret.md"), ("gone.md", "../gone.md"), ("folder", ".."), ("root.md", "/root/x/y.md")]
    {
        std::os::unix::fs::symlink(to, adventure.join(name)).expect("a link");
    }
    let outside = table.path("secret.md").display().to_string();
    let mut words = |from: &str, action: &str| {
        let refused = table.manage_character(json!({"action": action, "from": from}));
        refused.refused("unknown_page")["summary"].as_str().expect("text").replace(from, "FROM")
    };
    for action in ["create", "import"] {
        let path = words("/etc/passwd", action);
        assert!(path.contains("FROM: it leads out of the adventure's folder, where nothing is read."), "{path}");
        let elsewhere =
            ["/etc/no-such", "../x.md", "../secret.md", "a/../../secret.md", "/etc/passwd#Ogre", "..", &outside];
        for from in elsewhere {
            let told = words(from, action).replace(from.split('#').next().unwrap_or_default(), "FROM");
            assert_eq!(
                told.split_once(": it leads").map(|(_, rest)| rest),
                path.split_once(": it leads").map(|(_, rest)| rest),
                "{from}"
            );
        }
        let missing = words("nothing.md", action);
        for from in ["there.md", "gone.md", "folder/secret.md", "folder/gone.md", "root.md"] {
            assert_eq!(words(from, action), missing, "{from}");
        }
    }
    table.manage_character(json!({"action": "create", "from": "Foes.md"})).is_refused();
}

#[test]
fn whoever_retires_is_kept_and_comes_back() {
    let mut table = Table::with_party();
    assert_eq!(
        table.manage_character(json!({"action": "retire", "character": "Jory"}))["player_text"],
        "Jory leaves the story."
    );
    let party = table.manage_session(json!({"action": "status"}))["party"].clone();
    assert_eq!(party.as_array().unwrap().len(), 1);
    table.dice([9]).skill_check(json!({"skill": "Lockpicking", "difficulty": 8})).is_fine();
    table.manage_character(json!({"action": "retire", "character": "Jory"})).is_fine();
    assert_eq!(table.manage_session(json!({"action": "status"}))["party"].as_array().unwrap().len(), 2);
    let fight = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 12}]});
    table.manage_combat(fight).is_fine();
    table.manage_character(json!({"action": "retire", "character": "Jory"})).refused("in_combat");
    table.record().is_sound();
}

#[test]
fn scores_are_rolled_in_the_open_and_only_where_the_range_holds_whatever_falls() {
    let mut table = Table::lockhouse();
    let ann = json!({"action": "create", "name": "Ann", "attributes": {"STR": 12}, "roll_attributes": "4d6kh3"});
    let dice = [6, 5, 4, 1, 3, 3, 3, 3, 6, 6, 6, 6, 1, 1, 1, 1, 2, 3, 4, 5];
    let made = table.dice(dice).manage_character(ann);
    assert!(
        made["player_text"]
            .as_str()
            .unwrap()
            .contains("(Dexterity 4d6kh3: [6, 5, 4, 1] keep 6, 5, 4 = 15; Constitution 4d6kh3:"),
        "{}",
        made["player_text"]
    );
    let full = table.get_character(json!({"character": "Ann"}))["character"]["attributes"].clone();
    let scores = ["Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma"]
        .map(|name| full[name]["score"].as_i64().unwrap());
    assert_eq!(scores, [12, 15, 9, 18, 3, 12]);
    let low = json!({"action": "create", "name": "Bo", "roll_attributes": "2d6"});
    let refused = table.manage_character(low);
    assert!(
        refused.refused("invalid_parameters")["summary"]
            .as_str()
            .unwrap()
            .contains("2 to 12, and Strength goes from 3 to 20")
    );
    let out = json!({"action": "create", "name": "Bo", "attributes": {"STR": 25}, "override_reason": "cursed"});
    assert!(table.manage_character(out)["summary"].as_str().unwrap().contains("(the GM's ruling: cursed)"));
    table.record().is_sound();
}

#[test]
fn a_template_rolls_for_nobody() {
    let mut table = Table::with_party();
    table
        .manage_character(json!({"action": "create", "name": "Rat", "kind": "template", "attributes": {"DEX": 14}}))
        .is_fine();
    let check = json!({"character": "Rat", "attribute": "DEX", "difficulty": 5});
    let refused = table.skill_check(check.clone());
    let summary = refused.refused("is_template")["summary"].as_str().unwrap().to_owned();
    assert!(summary.contains("from=\"Rat\"") && summary.ends_with("Nothing was rolled."), "{summary}");
    let opposed =
        json!({"character": "Jory", "attribute": "DEX", "opposed_by": {"character": "Rat", "attribute": "DEX"}});
    table.skill_check(opposed).refused("is_template");
    table.manage_character(json!({"action": "create", "from": "Rat"})).is_fine();
    let own = json!({"character": "Rat 1", "attribute": "DEX", "difficulty": 5});
    table.dice([9]).skill_check(own).is_fine();
    table.record().is_sound();
}
