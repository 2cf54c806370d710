//! Adventures without rules, with broken rules, with rules that change.

use rollbook_game::view::Audience;
use rollbook_record::report::Format;
use serde_json::{Value, json};

use crate::report::rig::report;
use crate::table::{Table, each};

#[test]
fn an_adventure_without_system_md_is_played_in_words_and_dice() {
    let mut table = Table::of_rules(None);
    let status = table.manage_session(json!({"action": "status"}));
    assert!(
        status
            .text("summary")
            .contains("no rules: a narrative adventure"),
        "{}",
        status["summary"]
    );
    assert_eq!(
        (&status["rules"], &status["problems"]),
        (&Value::Null, &json!([]))
    );
    table
        .skill_check(json!({"skill": "Lockpicking", "difficulty": 15}))
        .refused("no_rules");
    let roll = table.dice([11]).roll_dice(json!({"expression": "d20+2"}));
    assert_eq!(
        (&roll["total"], &roll["log"]),
        (&json!(13), &json!(3)),
        "no rules, so none were loaded"
    );
    let call = json!({"action": "create", "name": "Ann", "attributes": {"Wits": 3}, "tracks": {"Hit points": 6}});
    let made = table.manage_character(call);
    assert_eq!(made["missing"], json!([]));
    let fight = table.manage_combat(
        json!({"action": "start", "combatants": [{"name": "Ann"}, {"name": "Rat", "hp": 2}]}),
    );
    assert_eq!(fight["status"], "running");
    assert_eq!(
        table.apply_damage(json!({"target": "Rat", "amount": 2}))["incapacitated"],
        true
    );
    table.manage_combat(json!({"action": "end"})).is_fine();
}

const BROKEN: &str = "\
# A table of my own

## Dice

Roll 1d20 + modifiers against a difficulty.

## Attributes

- Might (MIG): strength of arm
- Wits (WIT): quickness
- Range: 20 to 3

## Skills

- Climbing (MIG): up
- Sailing (SEA): away

## Health

- Hit points: max `8 + {MGI} +`
- Damage: Hit points
";

#[test]
fn broken_rules_are_loaded_as_far_as_they_go_and_the_rest_is_named_with_line_and_column() {
    let mut table = Table::of_rules(Some(BROKEN));
    let status = table.manage_session(json!({"action": "status"}));
    let problems: Vec<&str> = each(&status["problems"])
        .filter_map(Value::as_str)
        .collect();
    for line in ["System.md:11:", "System.md:16:", "System.md:20:"] {
        let named = problems.iter().find(|problem| problem.starts_with(line));
        let named = named.unwrap_or_else(|| panic!("{line} is named in {problems:#?}"));
        let column = named[line.len()..].split(':').next().expect("a column");
        assert!(
            column.parse::<u32>().is_ok_and(|column| column >= 1),
            "{named}"
        );
    }
    assert!(
        status.text("summary").contains("see problems"),
        "{}",
        status["summary"]
    );

    table.create("Ann", json!({"attributes": {"MIG": 14, "Wits": 12}}));
    let climb = table
        .dice([9])
        .skill_check(json!({"skill": "Climbing", "difficulty": 10}));
    assert_eq!(climb["outcome"], "success");
}

#[test]
fn rules_that_are_no_text_at_all_stop_nothing() {
    for rules in [
        "",
        "\u{0}\u{1}",
        "# \n## \n- \n|||\n|-|\n",
        "## Dice\n\n- Dice: d7\n",
        &"#".repeat(10_000),
        &"> ".repeat(5_000),
    ] {
        let mut table = Table::of_rules(Some(rules));
        table.manage_session(json!({"action": "status"})).is_fine();
        table.get_character(json!({"list": true})).is_fine();
    }
}

#[test]
fn changed_rules_are_logged_at_the_next_write_and_the_past_stays() {
    let mut table = Table::of_rules(Some(BROKEN));
    table
        .dice([2])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
    let file = table.path("adventure").join("System.md");
    std::fs::write(file, BROKEN.replace("20 to 3", "3 to 20")).expect("the author saves");
    table.restart();
    assert_eq!(table.record().length(), 4, "looking changes nothing");
    assert_eq!(
        table.dice([2]).roll_dice(json!({"expression": "d6"}))["log"],
        6
    );
    let loaded = table
        .record()
        .rows("select seq, visibility from log where kind = 'rules_loaded'");
    assert_eq!(
        loaded,
        [
            json!({"seq": 2, "visibility": "gm"}),
            json!({"seq": 5, "visibility": "public"})
        ]
    );
    table.record().is_sound();
}

#[test]
fn a_change_of_the_rules_is_reported_to_everybody_and_its_lines_to_the_gm() {
    const RULES: &str = "# Any\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Attributes\n- Strength (STR): arms\n\
        - Intelligence (INT): wits\n\n## Skills\n- Melee (STR): blows\n- Lore (INT): books\n\n## Clocks\n- Tide: 4 boxes, full: *the end*\n";
    let mut table = Table::of_rules(Some(RULES));
    table.manage_session(json!({"action": "start"})).is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    let file = table.path("adventure").join("System.md");
    let changed = RULES.replace(
        "Melee (STR): blows\n- Lore (INT)",
        "Melee (INT): blows\n- Lore (STR)",
    );
    std::fs::write(&file, &changed).expect("the author saves");
    table.restart();
    let text = "The rules changed: 2 lines in Skills.";
    let status = table
        .manage_session(json!({"action": "status"}))
        .text("summary")
        .to_owned();
    assert!(
        status.contains(text) && status.contains("Skills: + - Melee (INT): blows"),
        "{status}"
    );
    let start = table.manage_session(json!({"action": "start"}));
    assert!(
        start["noted"][0]
            .as_str()
            .expect("a note")
            .starts_with(text),
        "{start:?}"
    );
    let seen = |table: &Table| {
        let sql = "select seq, visibility, json_extract(public, '$.text') as text from log where kind = 'rules_loaded' order by seq";
        table.record().rows(sql)
    };
    let loaded = seen(&table);
    assert_eq!(
        (&loaded[1]["visibility"], &loaded[1]["text"]),
        (&json!("public"), &json!(text))
    );
    let status = table
        .manage_session(json!({"action": "status"}))
        .text("summary")
        .to_owned();
    assert!(
        status.contains(text),
        "it is told in the whole session: {status}"
    );
    let verified = table.record().verified(None);
    let rules = format!("{:?}", verified.campaigns[0].rules);
    assert!(
        rules.contains(text) && rules.contains("Melee (STR)"),
        "{rules}"
    );
    let [players, gm] =
        [Audience::Player, Audience::Gm].map(|audience| report(&table, audience, Format::Markdown));
    assert!(
        players.contains(text) && !players.contains("Melee"),
        "{players}"
    );
    assert!(gm.contains(text) && gm.contains("Melee"), "{gm}");
    // What players do not read is changed for the GM alone.
    std::fs::write(&file, changed.replace("the end", "the dawn")).expect("the author saves");
    table.restart();
    table
        .manage_session(json!({"action": "note", "text": "On we go"}))
        .is_fine();
    assert_eq!(seen(&table)[2]["visibility"], "gm");
    let gm = report(&table, Audience::Gm, Format::Markdown);
    assert!(gm.contains("in what the GM alone reads"), "{gm}");
    table.record().is_sound();
}
