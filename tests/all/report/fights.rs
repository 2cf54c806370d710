//! Fights with what was taken back in them, and fights that go on over sessions.

use rollbook_game::view::Audience;
use rollbook_record::report::Format;
use rollbook_record::report::facts::Sessions;
use serde_json::{Value, json};

use super::rig::{report, written};
use crate::table::Table;

/// A fight of both with a foe, at its first turn.
fn begun(title: &str) -> Table {
    let mut table = Table::with_party();
    start(&mut table, title);
    table
}

fn start(table: &mut Table, title: &str) {
    let fighters = json!([{"name": "Sabeth", "initiative": 15}, {"name": "Cobb", "hp": 7, "initiative": 12}, {"name": "Jory", "initiative": 10}]);
    table
        .manage_combat(json!({"action": "start", "title": title, "combatants": fighters}))
        .is_fine();
}

fn hurt(table: &mut Table, who: &str, amount: i64) {
    table
        .apply_damage(json!({"target": who, "amount": amount}))
        .is_fine();
}

fn undo(table: &mut Table) {
    table.manage_session(json!({"action": "undo"})).is_fine();
}

fn round(table: &mut Table) {
    for _ in 0..3 {
        table
            .manage_combat(json!({"action": "next_turn"}))
            .is_fine();
    }
}

fn end(table: &mut Table, outcome: &str) {
    table
        .manage_combat(json!({"action": "end", "outcome": outcome}))
        .is_fine();
}

/// The section, and the cells of a character's row in the table of how everybody stood.
fn fights(markdown: &str) -> &str {
    let (_, behind) = markdown.split_once("## Fights").expect("the section");
    behind.split_once("## Luck").expect("its end").0
}

fn row(markdown: &str, who: &str) -> Vec<String> {
    let section = fights(markdown);
    let line = section
        .lines()
        .find(|line| line.starts_with(&format!("| {who} |")));
    let line = line.unwrap_or_else(|| panic!("{who} in {section}"));
    line.trim_matches('|')
        .split('|')
        .skip(1)
        .map(|cell| cell.trim().to_owned())
        .collect()
}

/// The row of a character in the table of damage.
fn damage(markdown: &str, who: &str) -> Vec<String> {
    let (_, behind) = markdown.split_once("Damage by person:").expect("the table");
    let line = behind
        .lines()
        .find(|line| line.starts_with(&format!("| {who} |")))
        .expect("a row");
    line.trim_matches('|')
        .split('|')
        .skip(1)
        .map(|cell| cell.trim().to_owned())
        .collect()
}

#[test]
fn a_hit_that_was_taken_back_leaves_a_foe_as_it_was() {
    let mut table = begun("The Mess");
    hurt(&mut table, "Cobb", 1);
    round(&mut table);
    hurt(&mut table, "Cobb", 6);
    undo(&mut table);
    round(&mut table);
    let players = report(&table, Audience::Player, Format::Markdown);
    assert_eq!(
        row(&players, "Cobb"),
        ["–", "hurt", "hurt", "hurt"],
        "{players}"
    );
    assert!(
        !players.contains("down; now") || players.contains("~~Cobb takes damage and is down"),
        "{players}"
    );
    // A foe that falls after its fall was taken back falls in the story.
    hurt(&mut table, "Cobb", 6);
    let players = report(&table, Audience::Player, Format::Markdown);
    let story = players.split_once("## Fights").expect("the section").0;
    assert!(
        story.contains("** **Cobb takes damage and is down")
            || story.matches("is down").count() == 2,
        "{story}"
    );
}

#[test]
fn a_fight_whose_end_was_taken_back_goes_on() {
    let mut table = begun("The Mess");
    hurt(&mut table, "Jory", 1);
    end(&mut table, "too early");
    undo(&mut table);
    round(&mut table);
    hurt(&mut table, "Sabeth", 3);
    round(&mut table);
    end(&mut table, "a real end");
    for audience in [Audience::Player, Audience::Gm] {
        let markdown = report(&table, audience, Format::Markdown);
        let section = fights(&markdown);
        assert!(
            section.contains(". 3 rounds. It ended: a real end.") && !section.contains("too early"),
            "{section}"
        );
        assert_eq!(
            row(&markdown, "Sabeth")[1..],
            ["13/13", "10/13", "10/13"],
            "{section}"
        );
        let taken = damage(&markdown, "Sabeth");
        assert_eq!(taken[3..5], ["3", "1"], "{taken:?}");
    }
    let rounds = table
        .record()
        .number("select max(round) from turns where not undone");
    assert_eq!(rounds, 3, "as SQL has it");
}

#[test]
fn a_fight_that_was_taken_back_neither_goes_on_nor_counts_rounds() {
    let mut table = begun("Mistaken");
    undo(&mut table);
    start(&mut table, "Real");
    hurt(&mut table, "Jory", 2);
    let markdown = report(&table, Audience::Gm, Format::Markdown);
    let section = fights(&markdown);
    let (mistaken, real) = section.split_once("### Real").expect("two fights");
    assert!(
        mistaken.contains("### Mistaken (taken back)") && !mistaken.contains("goes on"),
        "{mistaken}"
    );
    assert!(real.contains("1 round. It goes on."), "{real}");
    assert_eq!(damage(&markdown, "Jory")[3..5], ["2", "2"], "one round");
    assert!(
        markdown.contains("| Initiative that was typed in | 6 | 3 |"),
        "{markdown}"
    );
}

#[test]
fn a_round_that_was_taken_back_is_none() {
    let mut table = begun("The Mess");
    round(&mut table);
    undo(&mut table);
    hurt(&mut table, "Jory", 2);
    end(&mut table, "over");
    let markdown = report(&table, Audience::Player, Format::Markdown);
    let section = fights(&markdown);
    assert!(section.contains(". 1 round. It ended: over."), "{section}");
    assert_eq!(row(&markdown, "Jory").len(), 2, "{section}");
    assert!(
        !section.contains("#### Round 2") && section.contains("~~Round 2: Sabeth's turn.~~"),
        "{section}"
    );
}

#[test]
fn a_fight_goes_on_in_the_report_of_the_next_session() {
    let mut table = Table::with_party();
    start(&mut table, "Long");
    hurt(&mut table, "Jory", 1);
    round(&mut table);
    table.manage_session(json!({"action": "end"})).is_fine();
    table
        .manage_session(json!({"action": "start", "title": "two"}))
        .is_fine();
    hurt(&mut table, "Sabeth", 4);
    round(&mut table);
    end(&mut table, "done");
    let of = |sessions: Sessions| written(&table, Audience::Player, Format::Markdown, sessions).1;
    let (first, second, last) = (
        of(Sessions::Number(1)),
        of(Sessions::Number(2)),
        of(Sessions::Last),
    );
    assert_eq!(second, last);
    let section = fights(&last);
    assert!(
        section.contains(", in session 1. 2 rounds here. It ended: done."),
        "{section}"
    );
    assert_eq!(row(&last, "Sabeth"), ["9/13", "9/13"], "{section}");
    assert!(
        section.contains("| Who | Round 2 | Round 3 |") && !section.contains("Jory takes 1"),
        "{section}"
    );
    assert_eq!(damage(&last, "Sabeth")[3..5], ["4", "2"], "{last}");
    let section = fights(&first);
    assert!(
        section.contains(". 2 rounds. It goes on.") && !section.contains("in session 1"),
        "{section}"
    );
    assert!(fights(&of(Sessions::All)).contains(". 3 rounds. It ended: done."));
}

#[test]
fn who_was_hurt_out_of_sight_has_a_row_without_figures() {
    let mut table = begun("The Mess");
    let hit: Value = json!({"target": "Jory", "amount": 2, "visibility": "outcome_only"});
    table.apply_damage(hit).is_fine();
    round(&mut table);
    let players = report(&table, Audience::Player, Format::Markdown);
    assert!(
        row(&players, "Jory").iter().all(|cell| cell == "–"),
        "{players}"
    );
}

#[test]
fn the_luckiest_of_several_rolls_says_which_it_is() {
    let mut table = Table::with_party();
    let several =
        json!({"rolls": [{"expression": "1d20"}, {"expression": "1d20"}, {"expression": "1d20"}]});
    table
        .dice([7, 20, 9])
        .call("roll_multiple", several)
        .is_fine();
    let players = report(&table, Audience::Player, Format::Markdown);
    assert!(
        players.contains("It is roll 2 of the 3 in entry "),
        "{players}"
    );
}

#[test]
fn a_round_of_fights_counts_what_was_dealt_and_taken_in_them_alone() {
    let mut table = Table::with_party();
    table
        .apply_damage(json!({"target": "Jory", "amount": 3, "reason": "a trap"}))
        .is_fine();
    table.start(json!([{"name": "Jory", "initiative": 9}, {"name": "Sabeth", "initiative": 5}]));
    round(&mut table);
    table
        .apply_damage(json!({"target": "Jory", "amount": 2}))
        .is_fine();
    table.manage_combat(json!({"action": "end"})).is_fine();
    table
        .apply_damage(json!({"target": "Sabeth", "amount": 1}))
        .is_fine();
    let text = report(&table, Audience::Gm, Format::Markdown);
    assert_eq!(damage(&text, "Jory")[3..5], ["5", "1"], "{text}");
    assert_eq!(damage(&text, "Sabeth")[3..5], ["1", "0"], "{text}");
}
