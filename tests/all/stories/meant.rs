//! Who and what a name means: the one called so, else the only one with that word in its name;
//! never one of several.

use serde_json::{Value, json};

use crate::table::{Table, cases, each, has, jory, sabeth, text, with};

const RULES: &str = "# Rules\n\n## Attributes\n- Great Might (0 to 5)\n- Small Wit (0 to 5)\n\n## Skills\n- Harbour Lore (Small Wit)\n\
    - Old Lore (Small Wit)\n- Rope Work (Great Might)\n\n## Checks\n\n### Bold deed\n- Roll: `1d20 + {modifier}`\n- Target: {difficulty}\n\n\
    ### Quiet deed\n- Roll: `1d20 + {modifier}`\n- Target: {difficulty}\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n- At 0 Hit points: gain Dead\n";

/// Names in the order of the fight.
fn names(reply: &Value) -> Vec<String> {
    let rows = reply["order"].as_array().expect("an order");
    rows.iter()
        .map(|row| row["name"].as_str().expect("a name").to_owned())
        .collect()
}

fn summary(refusal: &Value) -> &str {
    refusal["summary"].as_str().expect("a summary")
}

#[test]
fn a_name_that_is_twice_in_the_list_makes_two_with_numbers() {
    for [list, made] in cases(json!([
        [[{"name": "Goblin", "hp": 7}, {"name": "Goblin", "hp": 7}], ["Goblin 1", "Goblin 2"]],
        [[{"name": "Goblin", "hp": 7}, {"name": "goblin", "hp": 5}, {"name": "Rat", "hp": 1}],
         ["Goblin 1", "goblin 2", "Rat"]],
        [[{"name": "Goblin", "hp": 7}, {"name": "Goblin", "count": 2, "hp": 7}], ["Goblin 1", "Goblin 2", "Goblin 3"]],
        [[{"name": "Goblin", "hp": 7}], ["Goblin"]],
    ])) {
        let mut table = Table::with_party();
        let list: Vec<Value> = each(&list)
            .map(|fighter| with(fighter.clone(), json!({"initiative": 3})))
            .collect();
        let mut started = names(
            table
                .manage_combat(json!({"action": "start", "combatants": list}))
                .value(),
        );
        started.sort_by_key(|name| name.to_lowercase());
        let mut made: Vec<&str> = each(&made).map(text).collect();
        made.sort_by_key(|name| name.to_lowercase());
        assert_eq!(started, made);
    }
}

#[test]
fn a_foe_that_is_known_and_named_twice_joins_with_another_of_its_kind() {
    let mut table = Table::with_party();
    table
        .manage_character(json!({"action": "create", "kind": "npc", "name": "Goblin", "hp": 7}))
        .is_fine();
    let list = json!([{"name": "Goblin", "hp": 7, "initiative": 2}, {"name": "Goblin", "hp": 7, "initiative": 1}]);
    let reply = table.manage_combat(json!({"action": "start", "combatants": list}));
    assert_eq!(names(reply.value()), ["Goblin", "Goblin 2"]);
}

#[test]
fn copies_of_a_template_with_one_name_are_numbered_too() {
    let mut table = Table::with_party();
    table
        .manage_character(
            json!({"action": "create", "kind": "template", "name": "Wrecker", "hp": 7}),
        )
        .is_fine();
    let grub = json!({"template": "Wrecker", "name": "Grub", "initiative": 3});
    let reply = table.manage_combat(json!({"action": "start", "combatants": [grub, grub]}));
    assert_eq!(names(reply.value()), ["Grub 1", "Grub 2"]);
}

#[test]
fn a_word_of_a_name_is_enough_wherever_a_character_is_named() {
    let mut table = Table::lockhouse();
    table
        .manage_character(with(jory(), json!({"name": "Jory Penrake"})))
        .is_fine();
    table
        .manage_character(with(sabeth(), json!({"name": "Sabeth Quoin"})))
        .is_fine();
    assert_eq!(
        table.get_character(json!({"character": "Jory"}))["character"]["name"],
        "Jory Penrake"
    );
    assert_eq!(
        table.apply_damage(json!({"target": "penrake", "amount": 1}))["target"],
        "Jory Penrake"
    );
    let check = table.dice([9, 9]).skill_check(
        json!({"character": "Jory", "skill": "Melee", "opposed_by": {"character": "Quoin", "skill": "Stealth"}}),
    );
    assert_eq!(check["character"], "Jory Penrake");
    assert_eq!(check["opposed"]["character"], "Sabeth Quoin");
    let call =
        json!({"action": "award", "character": "Jory", "inventory": [{"name": "coil of rope"}]});
    table.manage_character(call).is_fine();
    let given = table.manage_character(
        json!({"action": "give", "character": "Jory", "item": "rope", "to": "Sabeth"}),
    );
    assert_eq!(
        given.text("summary"),
        "Jory Penrake gives Sabeth Quoin coil of rope."
    );
    let call = json!({"action": "award", "character": "Sabeth", "inventory": [{"name": "rope", "quantity": -1}]});
    table.manage_character(call).is_fine();
    let rolled = table
        .dice([4])
        .roll_dice(json!({"expression": "d6", "character": "Sabeth"}));
    assert!(
        rolled.text("summary").starts_with("Sabeth Quoin rolls"),
        "{}",
        rolled.text("summary")
    );
    let call = json!({"action": "add_condition", "character": "Jory", "condition": "frightened"});
    table.manage_character(call).is_fine();
}

#[test]
fn a_player_who_is_known_joins_by_a_word_of_the_name_and_only_once() {
    let mut table = Table::lockhouse();
    table
        .manage_character(with(jory(), json!({"name": "Jory Penrake"})))
        .is_fine();
    let reply = table.manage_combat(
        json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 3}]}),
    );
    assert_eq!(names(reply.value()), ["Jory Penrake"]);
    for again in [
        json!([{"name": "Jory"}]),
        json!([{"name": "Jory", "hp": 14}]),
        json!([{"name": "Penrake", "count": 1}]),
    ] {
        let refusal = table.manage_combat(json!({"action": "add", "combatants": again}));
        assert!(
            summary(refusal.refused("duplicate_name"))
                .starts_with("Jory Penrake is in this fight already.")
        );
    }
    assert_eq!(
        table.get_character(json!({"list": true}))["characters"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    let twice = json!([{"name": "Jory"}, {"name": "Penrake"}]);
    table.manage_combat(json!({"action": "end"})).is_fine();
    let refusal = table.manage_combat(json!({"action": "start", "combatants": twice}));
    assert!(summary(refusal.refused("duplicate_name")).starts_with("Jory Penrake is named twice."));
}

#[test]
fn what_could_mean_several_is_refused_with_all_of_them() {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Goblin", "count": 3, "hp": 7, "initiative": 3}, {"name": "Jory", "initiative": 9}]));
    for [tool, call, parameter] in cases(json!([
        ["apply_damage", {"target": "Goblin", "amount": 2}, "target"],
        ["skill_check", {"character": "Goblin", "skill": "Melee", "difficulty": 10}, "character"],
        ["skill_check",
         {"character": "Jory", "skill": "Melee", "opposed_by": {"character": "Goblin", "skill": "Melee"}},
         "opposed_by.character"],
        ["get_character", {"character": "Goblin"}, "character"],
        ["manage_character", {"action": "update", "character": "goblin", "hp": 3}, "character"],
        ["manage_combat", {"action": "remove", "combatant": "Goblin"}, "combatant"],
        ["manage_combat", {"action": "add_effect", "name": "bless", "on": "Goblin"}, "on"],
        ["manage_combat",
         {"action": "add_effect", "name": "bless", "on": "Jory", "duration": "for 2 rounds", "anchor": "Goblin"},
         "anchor"],
    ])) {
        let refusal = table
            .call(text(&tool), call.clone())
            .refused("ambiguous_name")
            .clone();
        assert_eq!(
            refusal["did_you_mean"],
            json!(["Goblin 1", "Goblin 2", "Goblin 3"]),
            "{tool} {call}"
        );
        let words = format!(
            "could mean Goblin 1, Goblin 2, Goblin 3. Send {}=\"Goblin 1\"",
            text(&parameter)
        );
        assert!(
            summary(&refusal).contains(&words),
            "{tool} {call}: {refusal}"
        );
    }
}

#[test]
fn whom_players_do_not_see_makes_no_name_ambiguous_and_is_meant_where_nobody_else_is() {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Goblin", "hp": 7, "initiative": 3}, {"name": "Goblin", "count": 2, "hp": 7, "hidden": true, "initiative": 4},
        {"name": "Ash Wraith", "hp": 7, "hidden": true, "initiative": 4}, {"name": "Jory", "initiative": 9}]));
    let hurt = table.apply_damage(json!({"target": "goblin", "amount": 1}));
    assert_eq!(hurt["target"], "Goblin");
    assert_eq!(
        table.apply_damage(json!({"target": "Wraith", "amount": 1}))["target"],
        "Ash Wraith"
    );
    let call =
        json!({"action": "add", "combatants": [{"name": "Goblin", "hp": 7, "initiative": 1}]});
    table.manage_combat(call).is_fine();
    let refusal = table.manage_combat(json!({"action": "defeat", "combatant": "unseen goblin"}));
    assert_eq!(
        refusal.refused("ambiguous_name")["did_you_mean"],
        json!(["Unseen Goblin 1", "Unseen Goblin 2"])
    );
}

#[test]
fn a_template_is_meant_by_no_name_that_a_character_living_has() {
    let mut table = Table::with_party();
    for name in ["Wrecker", "Bay Smuggler", "Old Smuggler"] {
        table
            .manage_character(
                json!({"action": "create", "kind": "template", "name": name, "hp": 7}),
            )
            .is_fine();
    }
    let alone = table.apply_damage(json!({"target": "Wrecker", "amount": 1}));
    assert!(
        summary(alone.refused("is_template"))
            .contains("action=\"start\" combatants=[{\"template\": \"Wrecker\"}]")
    );
    let near = table.apply_damage(json!({"target": "Wreker", "amount": 1}));
    assert_eq!(
        near.refused("unknown_character")["did_you_mean"],
        Value::Null,
        "a template is no target"
    );
    let start = json!({"action": "start", "combatants": [{"template": "wrecker", "initiative": 2}, {"name": "Jory", "initiative": 4}]});
    assert_eq!(
        names(table.manage_combat(start).value()),
        ["Jory", "Wrecker 1"]
    );
    assert_eq!(
        table.apply_damage(json!({"target": "Wrecker", "amount": 1}))["target"],
        "Wrecker 1"
    );
    assert_eq!(
        table.get_character(json!({"character": "Wrecker"}))["character"]["kind"],
        "template"
    );
    let two =
        table.manage_combat(json!({"action": "add", "combatants": [{"template": "Smuggler"}]}));
    assert_eq!(
        two.refused("ambiguous_name")["did_you_mean"],
        json!(["Bay Smuggler", "Old Smuggler"])
    );
    let by_word = table.manage_combat(
        json!({"action": "add", "combatants": [{"template": "Bay", "initiative": 1}]}),
    );
    assert!(names(by_word.value()).contains(&"Bay Smuggler 1".to_owned()));
}

#[test]
fn the_rules_names_are_found_by_a_word_too_and_pointed_to_their_own_parameter() {
    let mut table = Table::of_people(
        RULES,
        &["Ana"],
        json!({"attributes": {"Might": 2, "Wit": 1}, "skills": {"Rope": 3}}),
    );
    let sheet = table.get_character(json!({}));
    assert_eq!(sheet["character"]["skills"], json!({"Rope Work": 3}));
    let check = table.dice([9]).skill_check(
        json!({"check": "Bold", "skill": "rope", "attribute": "wit", "difficulty": 10}),
    );
    assert_eq!(
        [&check["check"], &check["skill"], &check["attribute"]],
        ["Bold deed", "Rope Work", "Small Wit"]
    );
    for [call, words] in cases(json!([
        [{"skill": "Lore", "difficulty": 9}, "\"Lore\" could mean Harbour Lore, Old Lore. Send skill=\"Harbour Lore\""],
        [{"check": "deed", "difficulty": 9}, "\"deed\" could mean Bold deed, Quiet deed. Send check=\"Bold deed\""],
        [{"skill": "Bold deed", "difficulty": 9}, "Send check=\"Bold deed\" in place of skill."],
        [{"check": "Rope", "difficulty": 9}, "Send skill=\"Rope Work\" in place of check."],
        [{"attribute": "Rope", "difficulty": 9}, "Send skill=\"Rope Work\" in place of attribute."],
        [{"skill": "Might", "difficulty": 9}, "Send attribute=\"Great Might\" in place of skill."],
    ])) {
        let refusal = table.skill_check(call.clone());
        assert!(
            refusal.is_refused() && summary(refusal.value()).contains(text(&words)),
            "{call}: {}",
            refusal.value()
        );
    }
    let rules = table.call("get_rules", json!({"name": "quiet"}));
    assert_eq!(rules["item"]["name"], "Quiet deed");
    let refusal = table.call("get_rules", json!({"name": "lore"}));
    assert_eq!(
        refusal.refused("ambiguous_name")["did_you_mean"],
        json!(["Harbour Lore", "Old Lore"])
    );
}

#[test]
fn conditions_and_effects_end_by_a_word_of_their_name() {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Jory", "initiative": 3}]));
    for name in ["Shield of Faith", "Mage Armour", "Mage Hand"] {
        table
            .manage_combat(json!({"action": "add_effect", "name": name, "on": "Jory"}))
            .is_fine();
    }
    table
        .manage_combat(json!({"action": "remove_effect", "name": "shield"}))
        .is_fine();
    let several = table.manage_combat(json!({"action": "remove_effect", "name": "mage"}));
    assert_eq!(
        several.refused("ambiguous_name")["did_you_mean"],
        json!(["mage armour", "mage hand"])
    );
    let several = table.apply_damage(json!({"target": "Jory", "remove_conditions": ["mage"]}));
    assert_eq!(
        several.refused("ambiguous_name")["did_you_mean"],
        json!(["mage armour", "mage hand"])
    );
    let call = json!({"target": "Jory", "remove_conditions": ["hand"]});
    assert_eq!(
        table.apply_damage(call)["conditions"],
        json!(["mage armour"])
    );
}

#[test]
fn a_bare_name_never_makes_a_character_new() {
    let mut table = Table::lockhouse();
    table
        .manage_character(with(jory(), json!({"name": "Jory Penrake"})))
        .is_fine();
    let refusal =
        table.manage_combat(json!({"action": "start", "combatants": [{"name": "Jorry"}]}));
    let words = summary(refusal.refused("missing_value"));
    assert!(
        words.contains("Send {\"name\": \"Jory Penrake\"}")
            && !words.contains("{\"name\": \"Jorry\""),
        "{words}"
    );
    let mut table = Table::lockhouse();
    let refusal = table.manage_combat(json!({"action": "start", "combatants": [{"name": "Jory"}]}));
    let words = summary(refusal.refused("missing_value"));
    assert!(
        words.contains("action=\"create\" name=\"Jory\"") && !words.contains("{\"name\": \"Jory\""),
        "{words}"
    );
}

#[test]
fn a_source_is_free_text_and_no_word_of_a_characters_name() {
    let mut table = Table::with_party();
    table
        .manage_character(
            json!({"action": "create", "kind": "npc", "name": "Fire Priest", "hp": 5}),
        )
        .is_fine();
    let call = json!({"action": "add_condition", "character": "Jory", "condition": "burning", "source": "fire"});
    table.manage_character(call).is_fine();
    let rows = table.record().rows("select caused_by from conditions");
    assert_eq!(rows, [json!({"caused_by": null})]);
}

#[test]
fn a_name_of_several_outside_the_fight_is_refused_with_all_of_them() {
    let mut table = Table::with_party();
    table.start(
        json!([{"name": "Sabeth", "initiative": 9}, {"name": "Joury", "hp": 5, "initiative": 3}]),
    );
    // Jory is the whole name of one of them.
    table.create("Bess Hale", json!({"attributes": {"STR": 10}}));
    table.create("Bess Marl", json!({"attributes": {"STR": 10}}));
    for action in ["defeat", "hide", "delay", "remove"] {
        let refused = table.manage_combat(json!({"action": action, "combatant": "Bess"}));
        let refused = refused.refused("unknown_combatant");
        assert!(summary(refused).contains("which could mean Bess Hale, Bess Marl. Send manage_combat action=\"add\" combatants=[{\"name\": \"Bess Hale\"}]"), "{refused}");
        assert_eq!(refused["did_you_mean"], json!(["Bess Hale", "Bess Marl"]));
    }
    let refused = table.manage_combat(json!({"action": "defeat", "combatant": "Jory"}));
    assert!(
        summary(refused.refused("unknown_combatant"))
            .contains("combatants=[{\"name\": \"Jory\"}] first"),
        "{refused:?}"
    );
    table
        .manage_combat(json!({"action": "defeat", "combatant": "Joury"}))
        .is_fine();
}

#[test]
fn a_template_that_is_not_made_is_pointed_to_where_the_adventure_has_it() {
    let mut table = Table::with_party();
    let start = |named: &str| json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 9}, {"template": named, "initiative": 3}]});
    let send = "Send {\"from\": \"Foes.md#Wrecker\"}, with count";
    for (named, near) in [
        ("Wrecker", false),
        ("Foes.md#Wrecker", false),
        ("wrecker", false),
        ("Wreker", true),
        ("Foes.md#Wreker", true),
    ] {
        let refused = table.manage_combat(start(named));
        let refused = refused.refused("unknown_template");
        assert!(summary(refused).contains(send), "{refused}");
        assert_eq!(
            refused["did_you_mean"],
            if near {
                json!(["Wrecker"])
            } else {
                Value::Null
            }
        );
    }
    let refused = table.manage_combat(start("Zzyzx"));
    let words = summary(refused.refused("unknown_template"));
    has(
        words,
        &["The adventure has ", "{\"name\": \"Zzyzx\", \"hp\": 7}"],
    );
    assert!(!words.contains("#Zzyzx"), "{words}");
    // What is advised does what was meant.
    let advised = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 9}, {"from": "Foes.md#Wrecker", "initiative": 3}]});
    assert_eq!(
        names(Table::with_party().manage_combat(advised).value()),
        ["Jory", "Wrecker"]
    );
    table
        .manage_character(
            json!({"action": "create", "kind": "template", "from": "Foes.md#Wrecker"}),
        )
        .is_fine();
    let refused = table.manage_combat(start("Wreker"));
    assert!(
        summary(refused.refused("unknown_template")).contains("Send {\"template\": \"Wrecker\"}."),
        "{refused:?}"
    );
    assert_eq!(
        names(table.manage_combat(start("Wrecker")).value()),
        ["Jory", "Wrecker 1"]
    );
    let page = table.manage_character(json!({"action": "create", "from": "Foes.md#Wreker"}));
    assert!(
        summary(page.refused("which_entry")).contains("Send from=\"Foes.md#Wrecker\"."),
        "{page:?}"
    );
}
