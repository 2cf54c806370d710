//! Numbers beside the dice that cannot be: a fault of the writer would be hashed like anything else.

use serde_json::json;

use super::evening;
use crate::table::Table;

/// Changes the body of an entry and demands that the numbers themselves are found, besides the hashes.
#[track_caller]
fn found(table: &Table, seq: u64, from: &str, to: &str, words: &str) {
    let record = table.record();
    record.execute("drop trigger log_is_never_updated").expect("the vandal succeeds");
    let entry = &record.bodies()[usize::try_from(seq).expect("a number") - 1];
    assert!(entry.to_string().contains(from), "{from} in {entry}");
    let sql =
        format!("update log set body = cast(replace(cast(body as text), '{from}', '{to}') as blob) where seq = {seq}");
    record.execute(&sql).expect("the vandal succeeds");
    let findings = record.verify().findings;
    assert!(findings.iter().any(|finding| finding.seq == seq && finding.what.contains(words)), "{words}: {findings:?}");
}

#[test]
fn a_margin_that_does_not_lie_between_result_and_target() {
    let words = "its margin is 4, and that is not between 18 and 15";
    found(&evening(), 6, "\"margin\":3", "\"margin\":4", words);
    found(&evening(), 6, "\"target\":15", "\"target\":null", "a margin without a target");
}

#[test]
fn an_outcome_that_is_not_its_margins_where_no_table_decides() {
    let mut table = Table::of_rules(Some("# X\n\n## Checks\n### Test\n- Roll: `1d20`\n- Target: `{difficulty}`\n"));
    let failed = table.dice([7]).skill_check(json!({"check": "Test", "difficulty": 15})).number("log");
    let failed = u64::try_from(failed).expect("a number");
    table.record().is_sound();
    let words = "its outcome is success, and a margin of -8 is failure";
    found(&table, failed, "\"outcome\":\"failure\"", "\"outcome\":\"success\"", words);
}

#[test]
fn damage_that_is_not_what_its_steps_and_images_say() {
    let hurt = |table: &mut Table, amount: i64| {
        let hurt = table.apply_damage(json!({"target": "Sabeth", "amount": amount})).number("log");
        u64::try_from(hurt).expect("a number")
    };
    for (from, to, words) in [
        ("\"amount\":3", "\"amount\":1", "its amount is 1, and its steps say something else"),
        ("\"steps\":[{\"after\":10", "\"steps\":[{\"after\":9", "its amount is 3, and its steps say something else"),
        (
            "\"name\":\"Hit points\",\"value\":10",
            "\"name\":\"Hit points\",\"value\":9",
            "its images say something else",
        ),
    ] {
        let mut table = evening();
        let seq = hurt(&mut table, 3);
        found(&table, seq, from, to, words);
    }
    // Past either end of the track, and halved: sound, and no finding.
    let mut table = evening();
    hurt(&mut table, 15);
    hurt(&mut table, -300);
    table.apply_damage(json!({"target": "Sabeth", "amount": 7, "half": true})).is_fine();
    table.record().is_sound();
}

#[test]
fn an_improvement_that_its_dice_did_not_bring() {
    let rules = "# X\n\n## Dice\nRoll d100 under the skill.\n\n## Skills\n- Lore: books\n- Ride: mules\n\n## Advancement\n\
                 - Tick: success, critical success\n- Each tick: {skill} +1d10 if `1d100 > {skill}`\n";
    let mut table = Table::of_rules(Some(rules));
    let ann = json!({"action": "create", "name": "Ann", "skills": {"Lore": 41, "Ride": 62}});
    table.manage_character(ann).is_fine();
    table.manage_character(json!({"action": "award", "advance": {"Lore": 1, "Ride": 1}})).is_fine();
    let improved = table.dice([71, 6, 12]).manage_character(json!({"action": "level_up"})).number("log");
    table.record().is_sound();
    let seq = u64::try_from(improved).expect("a number");
    found(&table, seq, "\"Lore\":47", "\"Lore\":57", "by its dice Lore comes to 47, and its image says 57");
    let mut table = Table::of_rules(Some(rules));
    table.manage_character(json!({"action": "create", "name": "Ann", "skills": {"Lore": 41, "Ride": 62}})).is_fine();
    table.manage_character(json!({"action": "award", "advance": {"Ride": 1}})).is_fine();
    let improved = table.dice([12]).manage_character(json!({"action": "level_up"})).number("log");
    table.record().is_sound();
    let seq = u64::try_from(improved).expect("a number");
    found(&table, seq, "\"purpose\":\"Ride\"", "\"purpose\":\"Lore\"", "it has dice for a skill that was not ticked");
}

#[test]
fn a_fight_whose_turns_initiative_or_effects_do_not_add_up() {
    let played = || {
        let mut table = Table::with_party();
        let start =
            json!({"action": "start", "combatants": [{"name": "Jory"}, {"name": "Rat", "hp": 2, "initiative": 3}]});
        table.dice([12]).manage_combat(start).is_fine();
        table
            .manage_combat(json!({"action": "add_effect", "name": "wet", "on": "Rat", "duration": "for 3 rounds"}))
            .is_fine();
        table.manage_combat(json!({"action": "next_turn"})).is_fine();
        table.manage_combat(json!({"action": "next_turn"})).is_fine();
        table.record().is_sound();
        let seq = |which: &str, kind: &str| {
            let seq = table.record().number(&format!("select {which}(seq) from log where kind = '{kind}'"));
            u64::try_from(seq).expect("an entry")
        };
        let seqs = [seq("max", "turn_began"), seq("max", "effects"), seq("min", "combatant_joined")];
        (table, seqs)
    };
    let (table, [turn, ..]) = played();
    found(&table, turn, "\"acted_round\":2", "\"acted_round\":5", "it begins a turn of round 2, and its images");
    let (table, [_, effects, _]) = played();
    found(&table, effects, "\"left\":2", "\"left\":1", "wet does not run on by one");
    let (table, [.., joined]) = played();
    let words = "its initiative is 14, and its roll comes to 13";
    found(&table, joined, "\"initiative\":13,\"kind\"", "\"initiative\":14,\"kind\"", words);
}
