//! Every requirement of the RPG system has a test, here or elsewhere.

use std::collections::BTreeSet;
use std::path::Path;

/// Its requirements by their numbers, each with a test that holds it: "" is this file. NF-1, NF-2
/// and how long System.md takes to read are figures, which benchmarks measure and
/// docs/measurements.md lists.
const REQUIREMENTS: [(&str, &str, &str); 46] = [
    (
        "F-1",
        "author/saving.rs",
        "rules_of_several_files_are_followed_too",
    ),
    ("F-2", "", "bad_dice_are_refused_with_what_to_send"),
    (
        "F-3",
        "stories/making.rs",
        "a_character_is_made_with_everything_the_rules_work_out",
    ),
    (
        "F-4",
        "stories/checks.rs",
        "a_lock_is_picked_and_every_number_says_where_it_came_from",
    ),
    ("F-5", "", "a_fight_needs_no_more_than_names"),
    (
        "F-5a",
        "stories/making.rs",
        "a_foe_of_the_adventure_is_a_template_and_is_on_the_table_any_number_of_times",
    ),
    (
        "F-6",
        "wire/resources.rs",
        "prompts_are_listed_and_made_from_the_rules",
    ),
    (
        "F-7",
        "stories/making.rs",
        "what_is_missing_is_named_with_its_range_until_it_is_there",
    ),
    ("F-8", "", "a_character_is_made_with_its_fields"),
    (
        "F-9",
        "",
        "characters_and_a_fight_survive_a_reload_and_its_end_is_kept",
    ),
    (
        "F-10",
        "stories/making.rs",
        "a_sheet_reads_as_markdown_and_a_list_names_everybody",
    ),
    ("F-11", "", "dice_are_rolled_with_its_three_parameters"),
    ("F-12", "", "dice_are_rolled_with_its_three_parameters"),
    ("F-13", "", "dice_are_rolled_with_its_three_parameters"),
    (
        "F-14",
        "",
        "hidden_rolls_are_logged_and_do_not_appear_to_players",
    ),
    (
        "F-15",
        "",
        "hidden_rolls_are_logged_and_do_not_appear_to_players",
    ),
    ("F-16", "", "its_lock_is_picked"),
    (
        "F-17",
        "stories/given.rs",
        "a_difficulty_may_be_a_word_of_the_rules",
    ),
    ("F-18", "", "the_five_outcomes_are_its_words"),
    ("F-19", "", "its_lock_is_picked"),
    (
        "F-20",
        "stories/structure.rs",
        "a_hybrid_fight_changes_over_and_back",
    ),
    ("F-21", "", "its_system_plays_a_check_a_fight_and_its_end"),
    (
        "F-22",
        "stories/damage.rs",
        "a_roll_named_by_its_entry_decides_the_amount",
    ),
    (
        "F-23",
        "",
        "damage_and_healing_reach_the_player_and_a_named_npc",
    ),
    (
        "F-24",
        "",
        "characters_and_a_fight_survive_a_reload_and_its_end_is_kept",
    ),
    (
        "F-25",
        "",
        "characters_and_a_fight_survive_a_reload_and_its_end_is_kept",
    ),
    (
        "F-26",
        "stories/advancing.rs",
        "a_level_is_one_step_and_one_undo",
    ),
    (
        "F-27",
        "stories/making.rs",
        "belongings_are_set_handed_out_and_passed_on_and_never_below_nothing",
    ),
    (
        "F-28",
        "stories/damage.rs",
        "conditions_come_and_go_by_name",
    ),
    (
        "F-29",
        "",
        "malformed_rules_are_a_warning_with_file_and_place_and_play_goes_on",
    ),
    ("F-30", "", "bad_dice_are_refused_with_what_to_send"),
    (
        "F-31",
        "stories/making.rs",
        "every_bad_score_is_reported_at_once",
    ),
    (
        "F-32",
        "stories/damage.rs",
        "at_zero_one_falls_once_and_rises_when_healed",
    ),
    (
        "F-33",
        "",
        "npcs_have_what_player_characters_have_and_are_rewarded_for",
    ),
    (
        "F-34",
        "",
        "npcs_have_what_player_characters_have_and_are_rewarded_for",
    ),
    (
        "F-35",
        "",
        "npcs_have_what_player_characters_have_and_are_rewarded_for",
    ),
    (
        "F-36",
        "stories/making.rs",
        "a_name_is_taken_whatever_its_capitals_and_accents",
    ),
    (
        "F-37",
        "stories/making.rs",
        "who_retires_is_kept_and_comes_back",
    ),
    (
        "F-38",
        "",
        "damage_and_healing_reach_the_player_and_a_named_npc",
    ),
    (
        "F-39",
        "",
        "npcs_have_what_player_characters_have_and_are_rewarded_for",
    ),
    (
        "NF-3",
        "author/commands.rs",
        "the_playtests_of_every_adventure_hold",
    ),
    (
        "NF-4",
        "log/replay.rs",
        "the_log_alone_rebuilds_every_table",
    ),
    ("NF-5", "", "without_rules_the_adventure_is_narrative"),
    (
        "NF-6",
        "play/talk.rs",
        "a_model_calls_and_its_results_go_back_and_it_answers",
    ),
    (
        "NF-7",
        "",
        "malformed_rules_are_a_warning_with_file_and_place_and_play_goes_on",
    ),
    ("randomness", "fairness.rs", "every_classic_die_is_fair"),
];

#[test]
fn every_requirement_has_its_test() {
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for (number, file, test) in REQUIREMENTS {
        let path = if file.is_empty() {
            "specifications/rpg_system.rs".to_owned()
        } else {
            format!("all/{file}")
        };
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests")
            .join(path);
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(
            text.contains(&format!("fn {test}(")),
            "{number}: {} has no test {test}",
            path.display()
        );
        named.insert(number);
    }
    let lacking = (1..=39)
        .map(|number| format!("F-{number}"))
        .filter(|number| !named.contains(number.as_str()));
    assert_eq!(lacking.collect::<Vec<_>>(), Vec::<String>::new());
}
