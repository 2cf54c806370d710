//! Getting better: experience by a table and by a formula, marks, milestones, ticks; what is
//! missing is named.

use serde_json::json;

use crate::table::Table;

fn table(advancement: &str) -> Table {
    let rules = format!(
        "# Any\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Attributes\n- Strength (STR): arms\n- Range: 1 to 20\n\n\
         ## Skills\n- Lore (STR): books\n- Sorting (STR): mail\n\n## Health\n- Hit points: max `4 + 2 * {{level}}`\n\
         - Stress: 5 boxes\n- Damage: Hit points\n- End of scene: Stress to 0\n- End of session: Hit points to max\n\n## Advancement\n{advancement}\n"
    );
    let mut table = Table::of_rules(Some(&rules));
    table.create(
        "Ann",
        json!({"attributes": {"STR": 10}, "skills": {"Lore": 40, "Sorting": 60}}),
    );
    table
}

#[test]
fn a_table_counts_in_all_and_a_formula_is_spent() {
    let mut five = table("| Level | XP |\n|---|---|\n| 2 | 300 |\n| 3 | 900 |");
    let early = five.manage_character(json!({"action": "level_up"}));
    let words = early.refusal_text("not_yet").to_owned();
    assert!(
        words.starts_with("Ann has 0 of the 300 XP that level 2 takes; 300 are missing."),
        "{words}"
    );
    let award = five
        .manage_character(json!({"action": "award", "xp": 300, "override_reason": "the bridge"}));
    assert_eq!(award["player_text"], "Ann: xp 0 to 300 (the bridge).");
    assert!(
        award
            .text("next")
            .starts_with("Ann can get better by the rules"),
        "{}",
        award["next"]
    );
    five.apply_damage(json!({"target": "Ann", "amount": 2}))
        .is_fine();
    let up = five.manage_character(
        json!({"action": "level_up", "character": "Ann", "attributes": {"STR": 12}}),
    );
    assert_eq!(
        up["player_text"],
        "Ann reaches level 2: Strength 10 to 12; Hit points 4/6 to 6/8."
    );
    assert_eq!(
        five.get_character(json!({}))["character"]["xp"],
        300,
        "a table counts in all"
    );
    five.manage_character(json!({"action": "level_up", "attributes": {"STR": 25}}))
        .refused("not_yet");
    let ruled = json!({"action": "level_up", "override_reason": "the story says so"});
    assert_eq!(five.manage_character(ruled)["changed"][0]["after"], "3");
    five.manage_character(json!({"action": "level_up"}))
        .refused("not_yet");
    five.record().is_sound();

    let mut moves = table("- Level up at: `7 + {level}` XP");
    moves
        .manage_character(json!({"action": "award", "xp": 9}))
        .is_fine();
    moves
        .manage_character(json!({"action": "level_up"}))
        .is_fine();
    assert_eq!(
        moves.get_character(json!({}))["character"]["xp"],
        1,
        "a formula is spent"
    );
    moves
        .manage_character(json!({"action": "award", "xp": -2}))
        .refused("not_enough");
}

#[test]
fn a_level_is_one_step_and_one_undo() {
    let mut table = table("- Level up at: 5 XP");
    table
        .manage_character(json!({"action": "award", "xp": 5}))
        .is_fine();
    let before = table.get_character(json!({}))["character"].clone();
    table
        .manage_character(json!({"action": "level_up", "skills": {"Lore": 41}}))
        .is_fine();
    assert_ne!(table.get_character(json!({}))["character"], before);
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(table.get_character(json!({}))["character"], before);
    table
        .manage_character(json!({"action": "level_up", "skills": {"Baking": 41}}))
        .refused("invalid_parameters");
}

#[test]
fn ticked_skills_are_rolled_for_and_the_ticks_go() {
    let mut coc =
        table("- Tick: success, critical success\n- Each tick: {skill} +1d10 if `1d100 > {skill}`");
    coc.manage_character(json!({"action": "level_up"}))
        .refused("not_yet");
    coc.manage_character(json!({"action": "award", "advance": {"Lore": 1, "Sorting": 1}}))
        .is_fine();
    // 71 is above 40 and gains 6; 12 is not above 60.
    let up = coc
        .dice([71, 6, 12])
        .manage_character(json!({"action": "level_up"}));
    up.ends("player_text", "Lore 40 to 46; ticks Lore, Sorting to none.");
    coc.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        coc.get_character(json!({}))["character"]["skills"]["Lore"],
        40
    );
}

/// The ticks of a character.
fn ticks(table: &mut Table, who: &str) -> serde_json::Value {
    table.get_character(json!({"character": who}))["character"]["ticks"].clone()
}

#[test]
fn a_check_ticks_its_skill_as_the_rules_say_and_one_undo_takes_it_back() {
    let mut coc =
        table("- Tick: success, critical success\n- Each tick: {skill} +1d10 if `1d100 > {skill}`");
    let lore =
        |difficulty: i64| json!({"skill": "Lore", "character": "Ann", "difficulty": difficulty});
    coc.dice([3]).skill_check(lore(50)).is_fine();
    assert_eq!(ticks(&mut coc, "Ann"), json!([]), "a failure earns none");
    let check = coc.dice([3]).skill_check(lore(10));
    assert!(
        check
            .text("player_text")
            .ends_with("success by 33. Ann: ticks Lore."),
        "{}",
        check["player_text"]
    );
    assert_eq!(ticks(&mut coc, "Ann"), json!(["Lore"]));
    let again = coc.dice([4]).skill_check(lore(10));
    assert!(
        !again.text("summary").contains("ticks"),
        "it has one already: {}",
        again["summary"]
    );
    coc.manage_session(json!({"action": "undo", "entry": check["log"]}))
        .is_fine();
    assert_eq!(ticks(&mut coc, "Ann"), json!([]));
    // Behind the screen players hear nothing of it; nobody's foe learns; who is beaten did not
    // succeed.
    let behind =
        json!({"skill": "Sorting", "character": "Ann", "difficulty": 5, "visibility": "gm"});
    let hidden = coc.dice([3]).skill_check(behind);
    assert!(
        hidden["player_text"].is_null()
            && hidden
                .text("summary")
                .ends_with("Ann: hidden ticks Sorting."),
        "{hidden:?}"
    );
    coc.manage_character(json!({"action": "award", "character": "Ann", "advance": {"Sorting": 0}}))
        .is_fine();
    coc.create("Rat", json!({"kind": "npc", "skills": {"Lore": 90}}));
    coc.dice([9])
        .skill_check(json!({"skill": "Lore", "character": "Rat", "difficulty": 5}))
        .is_fine();
    assert_eq!(ticks(&mut coc, "Rat"), json!([]));
    let beaten = json!({"skill": "Lore", "character": "Ann", "difficulty": 5, "opposed_by": {"character": "Rat", "skill": "Lore"}});
    coc.dice([9, 9]).skill_check(beaten).is_fine();
    assert_eq!(ticks(&mut coc, "Ann"), json!([]));
    coc.record().is_sound();

    let mut sure =
        table("- Tick: success\n- Each tick: {skill} +1d10 if `1d100 > min({skill}, 95)`");
    let learned = json!({"action": "update", "character": "Ann", "skills": {"Lore": 98}});
    sure.manage_character(learned).is_fine();
    sure.manage_character(json!({"action": "award", "character": "Ann", "advance": {"Lore": 1}}))
        .is_fine();
    let up = sure
        .dice([96, 5])
        .manage_character(json!({"action": "level_up", "character": "Ann"}));
    assert!(
        up.text("summary").contains("Lore 98 to 103"),
        "96 is always enough: {}",
        up["summary"]
    );

    let mut fails = table("- Tick: failure, critical failure");
    fails.dice([3]).skill_check(lore(50)).is_fine();
    assert_eq!(ticks(&mut fails, "Ann"), json!(["Lore"]));
}

#[test]
fn the_ends_of_fights_and_sessions_mend_what_the_rules_say() {
    let mut table = table("- Level up at: 5 XP");
    table
        .apply_damage(json!({"target": "Ann", "amount": 2, "track": "Stress"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Ann", "amount": 3, "track": "Hit points"}))
        .is_fine();
    let fight = json!({"action": "start", "combatants": [{"name": "Ann", "initiative": 9}, {"name": "Rat", "hp": 2, "initiative": 1}]});
    table.manage_combat(fight).is_fine();
    let over = table.manage_combat(json!({"action": "end"}));
    assert_eq!(
        over["player_text"],
        "The fight ends. Ann, end of scene: Stress 2/5 to 0/5."
    );
    let ended = table.manage_session(json!({"action": "end"}));
    assert_eq!(
        ended.player_text(),
        "Ann, end of session: Hit points 3/6 to 6/6. Session 1 ends."
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    let tracks = table.get_character(json!({}))["character"]["tracks"].clone();
    assert_eq!(
        tracks[0]["value"], 3,
        "with the session's end goes what it mended"
    );
    table.manage_session(json!({"action": "end"})).is_fine();
}

#[test]
fn skills_that_only_a_sheet_knows_are_ticked_and_improved_too() {
    let rules = "# Any\n\n## Checks\n\n### Skill roll\n- Roll: `d%`\n- Target: {skill} or less\n\n## Advancement\n\
                 - Tick: success, critical success\n- Each tick: {skill} +1d10 if `1d100 > {skill}`\n";
    let mut table = Table::of_people(rules, &["Ada"], json!({"skills": {"Spot": 60, "Ride": 20}}));
    table
        .dice([50])
        .skill_check(json!({"skill": "Spot"}))
        .is_fine();
    table
        .manage_character(json!({"action": "award", "advance": {"ride": 1}}))
        .is_fine();
    assert_eq!(ticks(&mut table, "Ada"), json!(["Ride", "Spot"]));
    let up = table
        .dice([21, 4, 61, 7])
        .manage_character(json!({"action": "level_up"}));
    up.ends(
        "summary",
        "Ride 20 to 24; Spot 60 to 67; ticks Ride, Spot to none.",
    );
    table
        .manage_character(json!({"action": "award", "advance": {"Swim": 1}}))
        .refused("unknown_skill");
}
