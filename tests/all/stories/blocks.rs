//! Stat blocks as people write and copy them.

use serde_json::{Value, json};

use crate::table::Table;

const SCORES: [(&str, i64); 6] =
    [("Strength", 20), ("Dexterity", 12), ("Constitution", 17), ("Intelligence", 3), ("Wisdom", 12), ("Charisma", 7)];

/// Whoever a text describes, made in a game with six scores.
fn made(text: &str) -> Value {
    let mut table = Table::with_party();
    table.manage_character(json!({"action": "import", "text": text, "kind": "npc"})).is_fine();
    let own = table.get_character(json!({"character": "Owlbear"}))["character"].clone();
    table.record().is_sound();
    own
}

fn is_whole(own: &Value, layout: &str) {
    for (name, score) in SCORES {
        assert_eq!(own["attributes"][name]["score"], score, "{layout}: {name}");
    }
    assert_eq!(own["tracks"][0]["max"], 59, "{layout}");
    assert_eq!(own["skills"]["Armour"], 13, "{layout}: what the rules roll against");
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
    let pairs: Vec<String> =
        names.split('|').zip(NUMBERS.split('|')).map(|(name, number)| format!("{name} {number}")).collect();
    let bold: Vec<String> =
        names.split('|').zip(NUMBERS.split('|')).map(|(name, number)| format!("**{name}** {number}")).collect();
    vec![
        ("quoted without a blank", tight),
        ("wide table", format!("## Owlbear\n**AC** 13 **Initiative** +1 (11)\n**HP** 59 (7d10 + 21)\n\n{wide}")),
        ("one line", format!("# Owlbear\n\nAC 13, HP 59\n{}\n", pairs.join(" "))),
        ("one line with commas", format!("# Owlbear\n\n- AC: 13\n- HP: 59\n- Attributes: {}\n", pairs.join(", "))),
        ("bold names", format!("# Owlbear\n{HEAD}{}\n", bold.join(" "))),
        ("cells with both", format!("# Owlbear\n{HEAD}\n| {} |\n", pairs.join(" | "))),
        ("bold name", format!("**Owlbear**\n{HEAD}|{names}|\n|-|-|-|-|-|-|\n|{NUMBERS}|\n")),
        ("underlined name", format!("Owlbear\n=======\n{HEAD}\n|{names}|\n|-|-|-|-|-|-|\n|{NUMBERS}|\n")),
        (
            "scores under a heading of their own",
            format!("## Owlbear\n{HEAD}\n### Attributes\n\n|{names}|\n|-|-|-|-|-|-|\n|{NUMBERS}|\n"),
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
fn what_stands_under_smaller_headings_belongs_to_the_block() {
    let text = format!(
        "# Woods\n\nDark.\n\n## Owlbear\n{HEAD}**Initiative** +1 (11)\n\n### Actions\n\n***Beak.*** *Melee Attack:* +7 to hit\n\n#### Lair\n\nFeathers.\n\n\
         | Loot | Worth |\n|---|---|\n| egg | 50 |\n\n### Owlbear cub\n\n- Hit points: 9\n\n## Elk\n\n- Hit points: 13\n"
    );
    let mut table = Table::with_party();
    let several = table.manage_character(json!({"action": "import", "text": text}));
    assert_eq!(
        several.refused("which_entry")["summary"],
        "There are 3 blocks: Owlbear, Owlbear cub, Elk. Send name=\"Owlbear\", or another of these. Nothing was changed."
    );
    table.manage_character(json!({"action": "import", "text": text, "name": "Owlbear"})).is_fine();
    let notes = table.get_character(json!({"character": "Owlbear"}))["character"]["gm_notes"].clone();
    assert_eq!(notes, "Initiative: +1 (11)\nActions\nLair\nFeathers.\nLoot | Worth\negg | 50");
    let attacks = table.get_character(json!({"character": "Owlbear"}))["character"]["attacks"].clone();
    assert_eq!(attacks, json!([{"name": "Beak", "bonus": 7}]));
    table.manage_character(json!({"action": "import", "text": "## Mote\n\n- Hit points: 0\n"})).refused("which_entry");
    table.record().is_sound();
}

#[test]
fn a_block_with_no_more_than_a_skill_is_one() {
    for text in [
        "# Tam\n\n- Melee: 3\n",
        "# Tam\n\n- Skills: Melee +3\n",
        "Some words.\n\n## Tam\n\nA porter.\n\n**Skills** Melee +3\n\n### Deeds\n\nHe lifts.\n",
    ] {
        let mut table = Table::with_party();
        table.manage_character(json!({"action": "import", "text": text, "kind": "npc"})).is_fine();
        let own = table.get_character(json!({"character": "Tam"}));
        assert_eq!(own["character"]["skills"]["Melee"], 3, "{text}: {}", own.value());
        table.record().is_sound();
    }
    // A scene that lists what to roll is no block beside those that have more.
    let mut table = Table::with_party();
    let page = "## The gate\n\n- Lockpicking: 15\n\n## Ogre\n\n- Hit points: 9\n";
    assert_eq!(table.manage_character(json!({"action": "import", "text": page}))["character"], "Ogre");
    let words =
        table.manage_character(json!({"action": "import", "text": "# Tam\n\nHe has 3 sons.\n\n- Harbour: 3\n"}));
    words.is_refused();
}
