//! Random tables of the adventure, and dice that people rolled by hand.

use serde_json::json;

use crate::table::Table;

const NIGHT: &str = "# Night\n\n## Rumours\n\n| d6 | Rumour |\n|---|---|\n| 1-2 | A bell under the water |\n| 3-5 | 1d4 wolves, and roll on the [Weather](Day.md) table |\n\
                     | 6 | Roll on Rumours |\n\n## Names\n\n| d2 | Name |\n|---|---|\n| 1 | Bea |\n| 2 | Cid |\n";
const DAY: &str = "# Day\n\n## Weather\n\n| Roll 2d6 | Sky |\n|---|---|\n| 2-7 | Rain; roll on Rumours |\n| 8+ | Clear |\n\n## Names\n\n| d2 | Name |\n|---|---|\n| 1 | Dot |\n\
                   | 2 | Eve |\n";

fn table() -> Table {
    let table = Table::of_rules(Some("# Any\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n"));
    for (name, text) in [("Night.md", NIGHT), ("Day.md", DAY)] {
        std::fs::write(table.path("adventure").join(name), text).expect("a page");
    }
    table
}

#[test]
fn a_row_is_logged_with_its_place_and_what_it_says_is_carried_out() {
    let mut table = table();
    let plain = table.dice([2]).roll_dice(json!({"table": "rumours"}));
    assert_eq!(plain["summary"], "The GM rolls on Rumours: 1d6: [2] = 2 (Night.md:7): A bell under the water.");
    assert_eq!(plain["rows"][0]["row"], "1-2");
    assert!(plain["player_text"].is_null(), "the GM's rolls on tables are the GM's: {}", plain.value());
    // 3 on the table, 4 wolves, 3 + 4 on Weather, whose row leads back and is not followed.
    let nested = table.dice([3, 4, 3, 4]).roll_dice(json!({"table": "Rumours", "visibility": "public"}));
    assert_eq!(
        nested["summary"],
        "The GM rolls on Rumours: 1d6: [3] = 3 (Night.md:8): 4 wolves, and roll on the Weather table. On Weather: 2d6: [3, 4] = 7 (Day.md:7): \
         Rain; roll on Rumours."
    );
    assert!(!nested.text("player_text").contains("Night.md"), "{}", nested["player_text"]);
    let circle = table.dice([6]).roll_dice(json!({"table": "Rumours"}));
    assert_eq!(circle["rows"].as_array().unwrap().len(), 1);
    for cut in [&nested, &circle] {
        assert!(cut["noted"].to_string().contains("none back to a table that it came from"), "{}", cut.value());
    }
    assert!(plain["noted"].is_null(), "{}", plain.value());
    table.record().is_sound();
}

#[test]
fn an_unknown_or_ambiguous_table_is_refused_with_what_there_is() {
    let mut table = table();
    let several = table.roll_dice(json!({"table": "Names"}));
    let summary = several.refused("ambiguous_name")["summary"].as_str().unwrap().to_owned();
    assert!(summary.contains("Day.md#Names (Day.md:12), Night.md#Names (Night.md:13)"), "{summary}");
    assert_eq!(table.dice([1]).roll_dice(json!({"table": "Day.md#Names"}))["rows"][0]["result"], "Dot");
    let near = table.roll_dice(json!({"table": "Rumors"}));
    assert!(near.refused("unknown_page")["summary"].as_str().unwrap().contains("Send table=\"Rumours\""));
    table.roll_dice(json!({"table": "Rumours", "expression": "1d6"})).refused("invalid_parameters");
    table.record().is_sound();
}

#[test]
fn dice_that_people_rolled_are_marked_for_ever_and_must_fit() {
    let mut table = table();
    let entered = table.dice([]).roll_dice(json!({"expression": "1d20 + 1d4 + 2", "entered": [13, 4]}));
    assert_eq!(entered["summary"], "The GM rolls 1d20: [13]; + 1d4: [4]; + 2 = 19 (entered by hand).");
    assert_eq!((&entered["total"], &entered["rng"]["source"]), (&json!(19), &json!("entered")));
    for (dice, words) in [
        (json!([13]), "one more is needed"),
        (json!([13, 4, 1]), "1 of 3 numbers are left over"),
        (json!([13, 5]), "1 to 4"),
    ] {
        let refused = table.roll_dice(json!({"expression": "1d20 + 1d4", "entered": dice}));
        let summary = refused.refused("invalid_parameters")["summary"].as_str().unwrap().to_owned();
        assert!(summary.contains(words), "{summary}");
    }
    let on_table = table.dice([]).roll_dice(json!({"table": "Rumours", "entered": [1]}));
    assert_eq!(on_table["rows"][0]["result"], "A bell under the water");
    assert_eq!(table.record().number("select count(*) from rolls where source = 'entered'"), 2);
    table.record().is_sound();
}

#[test]
fn a_row_that_says_roll_twice_is_carried_out_within_bounds() {
    let mut table = Table::of_rules(Some("# Any\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n"));
    let page = "# Loot\n\n| d6 | Loot |\n|---|---|\n| 1-5 | a coin |\n| 6 | Roll twice, ignoring 6 |\n\n## Storm\n\n| d4 | Sky |\n|---|---|\n\
                | 1-3 | wind |\n| 4 | Roll again |\n\n## Timetable\n\n| Hour | Ferry |\n|---|---|\n| 1-6 | none |\n| 7-12 | one |\n";
    std::fs::write(table.path("adventure").join("Loot.md"), page).expect("a page");
    let loot = table.dice([6, 2, 6, 3]).roll_dice(json!({"table": "Loot"}));
    let results: Vec<&str> =
        loot["rows"].as_array().unwrap().iter().map(|row| row["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["Roll twice, ignoring 6", "a coin", "6 is ignored, and rolled again", "a coin"]);
    let storm = table.dice([4, 4, 4, 4]).roll_dice(json!({"table": "Storm"}));
    assert_eq!(storm["rows"].as_array().map(Vec::len), Some(4), "{}", storm.value());
    assert!(storm["noted"].to_string().contains("more rolls than one call makes"), "{}", storm.value());
    table.roll_dice(json!({"table": "Timetable"})).refused("unknown_page");
    table.record().is_sound();
}
