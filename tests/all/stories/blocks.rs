//! Foes: stat blocks as people copy them, hit points, and characters that leave as text and come
//! back.

use serde_json::{Value, json};

use crate::table::Table;

/// Stat blocks as people write and copy them.
const SCORES: [(&str, i64); 6] = [
    ("Strength", 20),
    ("Dexterity", 12),
    ("Constitution", 17),
    ("Intelligence", 3),
    ("Wisdom", 12),
    ("Charisma", 7),
];

/// Who a text describes, made in a game with six scores.
fn made(text: &str) -> Value {
    let mut table = Table::with_party();
    table
        .manage_character(json!({"action": "import", "text": text, "kind": "npc"}))
        .is_fine();
    let character = table.get_character(json!({"character": "Owlbear"}))["character"].clone();
    table.record().is_sound();
    character
}

fn is_whole(sheet: &Value, layout: &str) {
    for (name, score) in SCORES {
        assert_eq!(
            sheet["attributes"][name]["score"], score,
            "{layout}: {name}"
        );
    }
    assert_eq!(sheet["tracks"][0]["max"], 59, "{layout}");
    assert_eq!(
        sheet["skills"]["Armour"], 13,
        "{layout}: what the rules roll against"
    );
}

const HEAD: &str = "**Armor Class** 13 (natural armor)\n**Hit Points** 59 (7d10 + 21)\n";
const NUMBERS: &str = "20 (+5)|12 (+1)|17 (+3)|3 (−4)|12 (+1)|7 (−2)";

/// Every layout of one block, with its name.
pub fn layouts() -> Vec<(&'static str, String)> {
    let names = "STR|DEX|CON|INT|WIS|CHA";
    let tight = format!(
        "___\n> ## Owlbear\n>*Large monstrosity*\n>___\n> - **Armor Class** 13\n> - **Hit Points** 59 (7d10 + 21)\n>___\n>|{names}|\n>|:---:|:---:|:---:|:---:|:---:|:---:|\n>|{NUMBERS}|\n"
    );
    let wide = "| | | Mod | Save | | | Mod | Save | | | Mod | Save |\n|-|-|-|-|-|-|-|-|-|-|-|-|\n\
                | Str | 20 | +5 | +5 | Dex | 12 | +1 | +1 | Con | 17 | +3 | +3 |\n| Int | 3 | −4 | −4 | Wis | 12 | +1 | +1 | Cha | 7 | −2 | −2 |\n";
    let spaced = NUMBERS.replace('|', " ");
    let pairs: Vec<String> = names
        .split('|')
        .zip(NUMBERS.split('|'))
        .map(|(name, number)| format!("{name} {number}"))
        .collect();
    let bold: Vec<String> = names
        .split('|')
        .zip(NUMBERS.split('|'))
        .map(|(name, number)| format!("**{name}** {number}"))
        .collect();
    let upright: Vec<String> = names
        .split('|')
        .zip(NUMBERS.split('|'))
        .map(|(name, number)| format!("{name}\n{number}"))
        .collect();
    vec![
        ("quoted without a blank", tight),
        (
            "wide table",
            format!(
                "## Owlbear\n**AC** 13 **Initiative** +1 (11)\n**HP** 59 (7d10 + 21)\n\n{wide}"
            ),
        ),
        (
            "one line",
            format!("# Owlbear\n\nAC 13, HP 59\n{}\n", pairs.join(" ")),
        ),
        (
            "one line with commas",
            format!(
                "# Owlbear\n\n- AC: 13\n- HP: 59\n- Attributes: {}\n",
                pairs.join(", ")
            ),
        ),
        (
            "bold names",
            format!("# Owlbear\n{HEAD}{}\n", bold.join(" ")),
        ),
        (
            "cells with both",
            format!("# Owlbear\n{HEAD}\n| {} |\n", pairs.join(" | ")),
        ),
        (
            "copied from a page",
            format!(
                "Owlbear\nLarge Monstrosity\n\nArmor Class 13\nHit Points 59\n\n{}\n{spaced}\n",
                names.replace('|', " ")
            ),
        ),
        (
            "copied upright",
            format!(
                "Owlbear\n\nArmor Class 13\nHit Points 59\n\n{}\n",
                upright.join("\n")
            ),
        ),
        (
            "bold name",
            format!("**Owlbear**\n{HEAD}|{names}|\n|-|-|-|-|-|-|\n|{NUMBERS}|\n"),
        ),
        (
            "underlined name",
            format!("Owlbear\n=======\n{HEAD}\n|{names}|\n|-|-|-|-|-|-|\n|{NUMBERS}|\n"),
        ),
        (
            "scores under a heading of their own",
            format!(
                "## Owlbear\n{HEAD}\n### Attributes\n\n|{names}|\n|-|-|-|-|-|-|\n|{NUMBERS}|\n"
            ),
        ),
    ]
}

#[test]
fn every_layout_brings_every_number() {
    for (layout, text) in layouts() {
        is_whole(&made(&text), layout);
    }
}

#[test]
fn what_is_under_smaller_headings_belongs_to_the_block() {
    let text = format!(
        "# Woods\n\nDark.\n\n## Owlbear\n{HEAD}**Initiative** +1 (11)\n\n### Actions\n\n***Beak.*** *Melee Attack:* +7 to hit\n\n#### Lair\n\nFeathers.\n\n\
         | Loot | Worth |\n|---|---|\n| egg | 50 |\n\n### Owlbear cub\n\n- Hit points: 9\n\n## Elk\n\n- Hit points: 13\n"
    );
    let mut table = Table::with_party();
    let several = table.manage_character(json!({"action": "import", "text": text}));
    let expected = "There are 3 blocks: Owlbear, Owlbear cub, Elk. Send name=\"Owlbear\", or another of these. Nothing was changed.";
    assert_eq!(several.refused("which_entry")["summary"], expected);
    table
        .manage_character(json!({"action": "import", "text": text, "name": "Owlbear"}))
        .is_fine();
    let notes =
        table.get_character(json!({"character": "Owlbear"}))["character"]["gm_notes"].clone();
    assert_eq!(
        notes,
        "Armor Class: 13 (natural armor)\nInitiative: +1 (11)\nActions\nLair\nFeathers.\nLoot | Worth\negg | 50"
    );
    let attacks =
        table.get_character(json!({"character": "Owlbear"}))["character"]["attacks"].clone();
    assert_eq!(attacks, json!([{"name": "Beak", "bonus": 7}]));
    table
        .manage_character(json!({"action": "import", "text": "## Mote\n\n- Hit points: 0\n"}))
        .refused_with("invalid_sheet", &["Send the same call with hp=7"]);
    let mote = "## Mote\n\n- Hit points: 0\n- Attack: 2 of them\n";
    let call = json!({"action": "import", "text": mote, "hp": 7, "kind": "npc"});
    let made = table.manage_character(call);
    let noted = made["noted"].to_string();
    assert!(noted.contains("Attack: 2 of them"), "{noted}");
}

#[test]
fn a_block_with_no_more_than_a_skill_is_one() {
    for text in [
        "# Tam\n\n- Melee: 3\n",
        "# Tam\n\n- Skills: Melee +3\n",
        "Some words.\n\n## Tam\n\nA porter.\n\n**Skills** Melee +3\n\n### Deeds\n\nHe lifts.\n",
    ] {
        let mut table = Table::with_party();
        table
            .manage_character(json!({"action": "import", "text": text, "kind": "npc"}))
            .is_fine();
        let character = table.get_character(json!({"character": "Tam"}));
        assert_eq!(
            character["character"]["skills"]["Melee"],
            3,
            "{text}: {}",
            character.value()
        );
    }
    // A scene that lists what to roll is no block beside those that have more.
    let mut table = Table::with_party();
    let page = "## The gate\n\n- Lockpicking: 15\n\n## Ogre\n\n- Hit points: 9\n";
    assert_eq!(
        table.manage_character(json!({"action": "import", "text": page}))["character"],
        "Ogre"
    );
    let words = table.manage_character(
        json!({"action": "import", "text": "# Tam\n\nHe has 3 sons.\n\n- Harbour: 3\n"}),
    );
    words.is_refused();
}

// Non-player characters with hit points of their own, and what every movement of a track brings.

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
        table
            .manage_character(json!({"action": "update", "character": "Warden", "hp": hp}))
            .is_fine();
        assert_eq!(hit_points(&mut table, "Warden"), json!([hp, hp]));
    }
    table
        .manage_character(
            json!({"action": "update", "character": "Warden", "tracks": {"hit points": 30}}),
        )
        .is_fine();
    assert_eq!(
        hit_points(&mut table, "Warden"),
        json!([30, 30]),
        "more than the maximum raises it"
    );
    table
        .manage_character(json!({"action": "update", "character": "Warden", "level": 9}))
        .is_fine();
    assert_eq!(
        hit_points(&mut table, "Warden"),
        json!([30, 30]),
        "what the GM set, no level moves"
    );
    let mut other = warden();
    other["name"] = json!("Warder");
    other["hp"] = json!(9);
    table.manage_character(other).is_fine();
    assert_eq!(hit_points(&mut table, "Warder"), json!([9, 9]));
    let refused =
        table.manage_character(json!({"action": "update", "character": "Jory", "hp": 30}));
    refused.refused_with("invalid_parameters", &["tracks={\"Hit points\": 30}"]);
}

#[test]
fn a_known_foe_enters_the_fight_with_the_hit_points_it_is_given() {
    let mut table = Table::with_party();
    table.manage_character(warden()).is_fine();
    let call = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 5}, {"name": "Warden", "hp": 20, "initiative": 1}]});
    let fight = table.manage_combat(call);
    assert_eq!(
        (&fight["order"][1]["name"], &fight["order"][1]["health"]),
        (&json!("Warden"), &json!("20/20"))
    );
}

#[test]
fn whatever_moves_a_track_to_its_end_brings_what_is_there_once() {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Jory", "initiative": 5}, {"name": "Sabeth", "initiative": 1}]));
    let set = |value: i64| json!({"action": "update", "character": "Jory", "tracks": {"Hit points": value}});
    let felled = table.manage_character(set(0));
    assert_eq!(felled["triggers"].as_array().map(Vec::len), Some(1));
    assert_eq!(felled["rule"], "System.md:147");
    assert_eq!(
        felled["changed"][1],
        json!({"field": "conditions", "before": "none", "after": "unconscious"})
    );
    let status = table.manage_combat(json!({"action": "status"}));
    let expected = json!([true, ["unconscious"]]);
    assert_eq!(
        json!([
            status["order"][0]["defeated"],
            status["order"][0]["conditions"]
        ]),
        expected
    );
    let again = table.apply_damage(json!({"target": "Jory", "amount": 3}));
    assert_eq!(again["triggers"], json!([]), "crossed before, not now");
    let up = table.manage_character(set(4));
    assert_eq!(up["changed"][1]["after"], "none");
    assert_eq!(
        table.manage_combat(json!({"action": "status"}))["order"][0]["defeated"],
        Value::Null
    );
    assert_eq!(
        table.apply_damage(json!({"target": "Jory", "amount": 4}))["conditions"],
        json!(["unconscious"])
    );
}

#[test]
fn a_lost_level_may_be_the_end_of_a_character() {
    let mut table = Table::with_party();
    table
        .manage_character(json!({"action": "update", "character": "Jory", "level": 3}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 17}))
        .is_fine();
    let drained =
        table.manage_character(json!({"action": "update", "character": "Jory", "level": 1}));
    drained.has(
        "summary",
        &["Hit points 5/22 to 0/14; conditions none to unconscious"],
    );
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
    let mut table = Table::of_people(
        TWO_TRACKS,
        &["Ghoul"],
        json!({"kind": "npc", "attributes": {"NRV": 10}}),
    );
    table.start(json!([{"name": "Ghoul", "initiative": 1}]));
    let shaken = table.apply_damage(json!({"target": "Ghoul", "track": "Stress", "amount": 4}));
    assert_eq!(
        (&shaken["conditions"], &shaken["incapacitated"]),
        (&json!(["shaken"]), &json!(false))
    );
    assert_eq!(shaken["player_text"], "Ghoul takes damage; now shaken.");
    let status = table.manage_combat(json!({"action": "status"}));
    assert_eq!(
        status["order"][0]["health"], "Wounds 10/10, Stress 4/4",
        "two tracks are told apart"
    );
    assert_eq!(
        status["player_text"],
        "Round 1, Ghoul's turn. Ghoul unhurt."
    );
    let felled = table.apply_damage(json!({"target": "Ghoul", "amount": 10}));
    let expected = json!([true, "Ghoul takes damage and is down; now out cold."]);
    assert_eq!(
        json!([felled["incapacitated"], felled["player_text"]]),
        expected
    );
    let calmed = table.apply_damage(json!({"target": "Ghoul", "track": "Stress", "amount": -4}));
    assert_eq!(calmed["incapacitated"], true, "calm, and still down");
}

#[test]
fn a_track_that_goes_below_zero_still_has_its_zero() {
    let rules = "# Deep\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Health\n- Hit points: max 10, from -10\n- Damage: Hit points\n\
        - At 0 Hit points: gain Dying\n";
    let mut table = Table::of_people(rules, &["Ann"], json!({}));
    let felled = table.apply_damage(json!({"target": "Ann", "amount": 13}));
    assert_eq!(
        (&felled["conditions"], &felled["tracks"][0]["after"]),
        (&json!(["dying"]), &json!(-3))
    );
    assert_eq!(
        table.apply_damage(json!({"target": "Ann", "amount": 2}))["triggers"],
        json!([])
    );
    assert_eq!(
        table.apply_damage(json!({"target": "Ann", "amount": -6}))["conditions"],
        json!([])
    );
}

#[test]
#[cfg(unix)]
fn a_page_through_a_link_that_leaves_the_adventure_is_refused() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let adventure = folder.path().join("adventure");
    std::fs::create_dir(&adventure).expect("the adventure's folder");
    let rules = "# T\n\n## Health\n- Hit points: max 5\n- Damage: Hit points\n";
    std::fs::write(adventure.join("System.md"), rules).expect("rules");
    std::fs::write(
        folder.path().join("outside.md"),
        "# Rat\n\n- Hit points: 3\n",
    )
    .expect("a page outside");
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
fn the_adventures_character_is_made_by_the_name_alone() {
    let mut table = Table::shipped("lockhouse");
    let create = |name: &str| json!({"action": "create", "from": name});
    table.manage_character(create("Jory Penrake")).is_fine();
    let made = table.get_character(json!({"character": "Jory Penrake"}))["character"].clone();
    assert_eq!(made["kind"], "player");
    // Those of the campaign come first, and foes have a page.
    let again = table.manage_character(json!({"action": "create", "from": "Jory", "name": "Ann"}));
    again.has("summary", &["Ann joins the story after Jory Penrake"]);
    table
        .manage_character(create("Wrecker"))
        .refused("unknown_character");
}

#[test]
fn an_unknown_character_may_come_from_a_page() {
    let mut table = Table::with_party();
    let refused =
        table.manage_combat(json!({"action": "start", "combatants": [{"name": "Wrecker"}]}));
    refused.refused_with("missing_value", &["{\"from\": \"Foes.md#Wrecker\"}"]);
    table.start(json!([{"from": "Foes.md#Wrecker", "initiative": 3}]));
}

/// Characters leave as text and come back; foes come from the open data sets and from stat blocks.
const GOBLIN: &str = r#"{"name": "Goblin", "size": "Small", "type": "humanoid", "armor_class": 15, "hit_points": 7, "hit_dice": "2d6",
    "speed": "30 ft.", "strength": 8, "dexterity": 14, "constitution": 10, "intelligence": 10, "wisdom": 8, "charisma": 8, "stealth": 6,
    "damage_immunities": "", "challenge_rating": "1/4", "special_abilities": [{"name": "Nimble Escape", "desc": "It slips away."}],
    "actions": [{"name": "Scimitar", "desc": "+4 to hit.\nHit: 5 (1d6 + 2) slashing damage."}]}"#;

fn document(table: &mut Table, who: &str, format: &str) -> String {
    table
        .manage_character(json!({"action": "export", "character": who, "format": format}))
        .text("document")
        .to_owned()
}

fn busy() -> Table {
    let mut table = Table::with_party();
    let jory = json!({
        "action": "update", "character": "Jory", "notes": "Owes | a *favour*\n\n> to nobody", "gm_notes": "is \\ followed", "xp": 120, "level": 2,
        "tracks": {"Luck | pluck, *or*": 3}, "inventory": [{"name": "rope, thin | 3*", "quantity": 2, "notes": "of silk\nand tar", "uses": 0}],
    });
    table.manage_character(jory).is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 4, "apply_conditions": ["soaked, cold"]}))
        .is_fine();
    let held = json!({"action": "add_condition", "character": "Jory", "condition": "held | fast", "duration": "until end of scene"});
    table.manage_character(held).is_fine();
    table
}

#[test]
fn a_character_goes_out_and_comes_back_the_same() {
    for format in ["json", "markdown"] {
        let mut table = busy();
        let out = document(&mut table, "Jory", format);
        let back = json!({"action": "import", "text": out, "name": "Jory the second"});
        table.manage_character(back).is_fine();
        let again = document(&mut table, "Jory the second", format);
        // What ends a condition goes along: the end of a scene, here.
        let ended = if format == "json" {
            "\"until\": \"scene\""
        } else {
            "held \\| fast | until end of scene"
        };
        assert!(again.contains(ended), "{again}");
        let again = again
            .replace("Jory the second", "Jory")
            .replace("\"source\": \"sheet\"", "\"source\": \"gm\"");
        assert_eq!(again, out, "{format}");
    }
}

#[test]
fn what_is_imported_is_held_to_the_rules() {
    let mut table = busy();
    let mut out: Value = serde_json::from_str(&document(&mut table, "Jory", "json")).unwrap();
    out["character"]["name"] = json!("Hob");
    out["character"]["attributes"]["Strength"] = json!(29);
    let import = |text: &Value| json!({"action": "import", "text": text.to_string()});
    let refused = table.manage_character(import(&out));
    refused.refused_with(
        "invalid_parameters",
        &["29 is out of range (valid: 3 to 20)"],
    );
    out["character"]["attributes"]["Strength"] = json!(12);
    out["character"]["tracks"][0]["value"] = json!(-4);
    table
        .manage_character(import(&out))
        .refused("invalid_parameters");
    out["character"]["tracks"][0]["value"] = json!(1);
    out["character"]["surprise"] = json!(true);
    table
        .manage_character(import(&out))
        .refused("invalid_document");
    table
        .manage_character(import(&json!({"rollbook_character": 9, "character": {}})))
        .refused("invalid_document");
    table
        .manage_character(import(&json!({"some": "thing"})))
        .refused("invalid_document");
    let deep = "[".repeat(100_000);
    table
        .manage_character(json!({"action": "import", "text": deep}))
        .refused("invalid_document");
    table
        .manage_character(json!({"action": "import", "text": "x".repeat(200_001)}))
        .refused("limit_exceeded");
    let call = json!({"action": "import", "text": "# Hob\n\nCompanion, level 1, 0 xp\n\n- **Hit points**: many\n"});
    table.manage_character(call).refused("invalid_sheet");
    table
        .manage_character(json!({"action": "import", "text": "Nothing to see here."}))
        .refused("which_entry");
}

#[test]
fn a_monster_of_the_open_data_sets_is_fitted_to_the_rules() {
    let mut table = Table::with_party();
    let came = table.manage_character(json!({"action": "import", "text": GOBLIN}));
    assert_eq!(
        came["summary"],
        "Goblin is made after an imported text (a template)."
    );
    let goblin = table.get_character(json!({"character": "Goblin"}))["character"].clone();
    assert_eq!(
        goblin["skills"],
        json!({"Armour": 15, "Stealth": 4}),
        "6 with the +2 of its Dexterity"
    );
    assert_eq!(
        goblin["tracks"],
        json!([{"name": "Hit points", "value": 7, "min": 0, "max": 7}])
    );
    let notes = goblin["gm_notes"].as_str().unwrap();
    for line in [
        "size: Small",
        "challenge rating: 1/4",
        "Nimble Escape: It slips away.",
    ] {
        assert!(notes.contains(line), "no {line} in {notes}");
    }
    assert_eq!(
        goblin["attacks"],
        json!([{"name": "Scimitar", "bonus": 4, "damage": [{"amount": "1d6 + 2", "damage_type": "slashing"}]}])
    );
    let rats = json!({"count": 2, "results": [{"name": "Rat", "hit_points": 1, "strength": 2}, {"name": "Ox", "hit_points": 15}]});
    let rat = json!({"action": "import", "text": rats.to_string(), "name": "Rat", "kind": "npc"});
    let came = table.manage_character(rat);
    let wanted = "Rat is made after an imported text (a non-player character) (the GM's ruling: as its block has it).";
    assert_eq!(came["summary"], wanted, "2 is below the range");
    table
        .manage_character(json!({"action": "import", "text": rats.to_string()}))
        .refused("which_entry");
    let empty = table.manage_character(json!({"action": "import", "text": "[]"}));
    assert!(
        empty
            .refusal_text("which_entry")
            .starts_with("The list is empty")
    );
}

#[test]
fn a_stat_block_in_the_usual_layout_is_read() {
    let mut table = Table::shipped("lockhouse");
    let block = "> ## Ogre\n> *Large giant, chaotic evil*\n> - **Armor Class** 11 (hide armor)\n> - **Hit Points** 59 (7d10 + 21)\n>\n\
                 > |STR|DEX|CON|INT|WIS|CHA|\n> |:---:|:---:|:---:|:---:|:---:|:---:|\n> |19 (+4)|8 (-1)|16 (+3)|5 (-3)|7 (-2)|7 (-2)|\n>\n\
                 > - **Skills** Stealth +1\n> - **Damage Resistances** cold\n> ***Greatclub.*** +6 to hit\n";
    table
        .manage_character(json!({"action": "import", "text": block}))
        .is_fine();
    let ogre = table.get_character(json!({"character": "Ogre"}))["character"].clone();
    assert_eq!(ogre["attributes"]["Strength"]["score"], 19);
    assert_eq!(
        ogre["skills"],
        json!({"Armour": 11, "Stealth": 2}),
        "+1 with the -1 of its Dexterity"
    );
    assert_eq!(ogre["tracks"][0]["max"], 59);
    let notes = ogre["gm_notes"].as_str().unwrap();
    assert!(
        notes.contains("Resistant to: cold") && notes.contains("Greatclub"),
        "{notes}"
    );
}
