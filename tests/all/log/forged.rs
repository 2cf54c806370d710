//! A forger with the program in hand changes an entry or its numbers and hashes everything after it
//! anew, so that all links are whole. What contradicts what is found without anything kept outside.

use rollbook_game::record::entry::Entry;
use rollbook_game::record::state::State;
use rollbook_game::view::Audience;
use rollbook_game::view::visibility::project;
use rollbook_store::verify::{Finding, Report};
use rollbook_store::{Head, chain};
use serde_json::{Value, json};

use super::evening;
use crate::table::Table;

/// Changes bodies, hashes the whole chain anew, and verifies.
pub fn forge(table: &Table, change: impl Fn(u64, &mut Value)) -> Report {
    let record = table.record();
    let uuid = record.rows("select uuid from campaigns")[0]["uuid"]
        .as_str()
        .expect("text")
        .parse()
        .expect("a UUID");
    let rows = record.rows("select salt, cast(body as text) as body from log order by seq");
    let (mut head, mut state, mut changed) = (Head::default(), State::default(), 0);
    record
        .execute("drop trigger log_is_never_updated")
        .expect("the vandal succeeds");
    for row in rows {
        let was: Value = serde_json::from_str(row["body"].as_str().expect("text")).expect("JSON");
        let mut body = was.clone();
        change(head.seq + 1, &mut body);
        changed += u64::from(body != was);
        let entry: Entry = serde_json::from_value(body).expect("an entry");
        state.apply(&entry.changes);
        let salt = base16ct::lower::decode_vec(row["salt"].as_str().expect("hex")).expect("hex");
        let projection = project(&entry, &state, Audience::Player);
        let sealed = chain::seal(
            &uuid,
            head,
            entry,
            &projection,
            salt.try_into().expect("32 bytes"),
        )
        .expect("can be sealed");
        let hex = |bytes: &[u8]| base16ct::lower::encode_string(bytes);
        let sql = format!(
            "update log set body = x'{}', public = x'{}', prev = x'{}', commitment = x'{}', leaf = x'{}', chain = x'{}',
             at = {}, session = {} where seq = {}",
            hex(&sealed.body),
            hex(&sealed.public),
            hex(&sealed.prev),
            hex(&sealed.commitment),
            hex(&sealed.leaf),
            hex(&sealed.chain),
            sealed.entry.at,
            sealed.entry.session,
            sealed.seq
        );
        record.execute(&sql).expect("the vandal succeeds");
        head = Head {
            seq: sealed.seq,
            chain: sealed.chain,
        };
    }
    assert!(changed > 0, "something was forged");
    record.verify()
}

/// Demands that one finding, of that entry, and nothing else was found.
#[track_caller]
fn only(found: &[Finding], seq: u64, words: &str) {
    let [finding] = found else {
        panic!("one fault is one finding: {found:?}")
    };
    assert!(
        finding.seq == seq && finding.what.contains(words),
        "#{seq} \"{words}\": {found:?}"
    );
}

/// The number of the first entry of a kind that has this text in its body.
fn seq(table: &Table, kind: &str, text: &str) -> u64 {
    let sql = format!(
        "select min(seq) from log where kind = '{kind}' and instr(cast(body as text), '{}') > 0",
        text
    );
    u64::try_from(table.record().number(&sql)).expect("an entry")
}

fn at(wanted: u64, change: impl Fn(&mut Value)) -> impl Fn(u64, &mut Value) {
    move |seq, body| {
        if seq == wanted {
            change(body);
        }
    }
}

#[test]
fn a_log_that_is_hashed_anew_without_a_change_of_meaning_is_sound() {
    let report = forge(
        &evening(),
        at(9, |body| {
            body["at"] = json!(body["at"].as_i64().expect("a time") + 1)
        }),
    );
    assert!(
        report.findings.is_empty(),
        "the forger works as the program does: {:?}",
        report.findings
    );
}

#[test]
fn modifiers_a_difficulty_a_session_and_places_that_do_not_fit_are_found() {
    let cases: [(u64, &str, Value, &str); 6] = [
        (
            6,
            "/event/modifiers/0/value",
            json!(-7),
            "its modifiers come to ",
        ),
        (6, "/event/modifiers", json!([]), "its modifiers come to 0"),
        (
            6,
            "/event/difficulty",
            json!(10),
            "its difficulty is 10, and by its rule `{difficulty}` its target is not 15",
        ),
        (
            9,
            "/session",
            json!(9),
            "it names session 9, which never was; session 1 was on",
        ),
        (
            6,
            "/rule",
            json!("Elsewhere.md:12"),
            "it cites Elsewhere.md:12, and there is no such place",
        ),
        (
            6,
            "/event/modifiers/0/from",
            json!("MySystem.md:12"),
            "it cites MySystem.md:12, and there is no such place",
        ),
    ];
    for (entry, field, value, words) in cases {
        let change = |body: &mut Value| *body.pointer_mut(field).expect(field) = value.clone();
        only(&forge(&evening(), at(entry, change)).findings, entry, words);
    }
    let more = json!({"name": "situational", "value": 4, "from": "the call"});
    let forger = at(6, |body| {
        body["event"]["modifiers"]
            .as_array_mut()
            .expect("a list")
            .push(more.clone())
    });
    let words =
        "its modifiers come to 9, and by its rule `1d20 + {modifier}` its roll is not 1d20 + 5";
    only(&forge(&evening(), forger).findings, 6, words);
}

#[test]
fn formulas_that_were_taken_away_or_changed_are_found_by_another_check_of_the_same_rule() {
    let mut table = evening();
    let pick = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15});
    let last = u64::try_from(table.dice([9]).skill_check(pick).number("log")).expect("an entry");
    let bare = |body: &mut Value| {
        body["event"]
            .as_object_mut()
            .expect("an event")
            .remove("formulas")
            .expect("formulas are there");
        body["event"]["modifiers"][0]["value"] = json!(-7);
    };
    let report = forge(&table, at(last, bare));
    only(&report.findings, last, "(the rule as #6 names it)");
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.names(last) && note.what.contains("by which formulas")),
        "{report:?}"
    );
    let mut table = evening();
    let pick = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15});
    let last = u64::try_from(table.dice([9]).skill_check(pick).number("log")).expect("an entry");
    let report = forge(
        &table,
        at(last, |body| {
            body["event"]["formulas"]["roll"] = json!("1d20 + {modifier} + 0")
        }),
    );
    assert!(
        report
            .findings
            .iter()
            .any(|finding| finding.seq == last && finding.what.contains("names the same rule as")),
        "{report:?}"
    );
}

#[test]
fn a_check_that_says_it_goes_beyond_formulas_that_others_kept_to_is_noted() {
    let mut table = evening();
    let pick = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15});
    let last = u64::try_from(table.dice([9]).skill_check(pick).number("log")).expect("an entry");
    let honest = table.record().verify();
    assert!(
        !honest
            .notes
            .iter()
            .any(|note| note.what.contains("formulas alone")),
        "{honest:?}"
    );
    let beyond = |body: &mut Value| {
        body["event"]["formulas"]["partial"] = json!(true);
        body["event"]["modifiers"][0]["value"] = json!(-7);
    };
    let report = forge(&table, at(last, beyond));
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.names(last) && note.what.contains("formulas alone")),
        "{report:?}"
    );
}

#[test]
fn damage_that_cites_no_roll() {
    let table = evening();
    let hurt = seq(&table, "damage", "Wrecker");
    let report = forge(&table, at(hurt, |body| body["event"]["roll"] = json!(1)));
    only(
        &report.findings,
        hurt,
        "it names #1 as its roll, and #1 has no roll",
    );
    let table = evening();
    let report = forge(&table, at(hurt, |body| body["event"]["roll"] = Value::Null));
    assert!(
        report.findings.is_empty(),
        "an amount may be said: {:?}",
        report.findings
    );
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.names(hurt) && note.what.contains("it names no roll")),
        "{report:?}"
    );
}

#[test]
fn a_clock_that_moved_otherwise_than_it_says() {
    let mut table = Table::lockhouse();
    table
        .manage_session(json!({"action": "clock", "name": "Tide", "segments": 6}))
        .is_fine();
    let moved = table
        .manage_session(json!({"action": "clock", "name": "Tide", "tick": 2}))
        .number("log");
    let moved = u64::try_from(moved).expect("a number");
    assert!(table.record().verify().findings.is_empty());
    let report = forge(&table, at(moved, |body| body["event"]["to"] = json!(5)));
    only(
        &report.findings,
        moved,
        "it says Tide 0 to 5, and the row goes from 0 to 2",
    );
}

#[test]
fn time_that_runs_backwards_is_a_note() {
    let back = |seconds: i64| {
        at(9, move |body: &mut Value| {
            body["at"] = json!(body["at"].as_i64().expect("a time") - seconds * 1_000_000)
        })
    };
    let report = forge(&evening(), back(3600));
    assert!(
        report.findings.is_empty(),
        "clocks are set: {:?}",
        report.findings
    );
    let is_in_recap =
        |note: &Finding| note.seq == 9 && note.what.contains("more than a minute before");
    assert!(report.notes.iter().any(is_in_recap), "{:?}", report.notes);
    let report = forge(&evening(), back(1));
    assert!(
        !report.notes.iter().any(is_in_recap),
        "a second is nothing: {:?}",
        report.notes
    );
}

#[test]
fn a_clock_that_jumps_is_noted_and_no_finding() {
    const HOUR: i64 = 3_600_000_000;
    // Forward, and back again later.
    for (hours, noted) in [(23, false), (25, true)] {
        let table = evening();
        let last = table.record().length().unsigned_abs();
        let report = forge(&table, |seq, body| {
            if (last - 3..last).contains(&seq) {
                body["at"] = json!(body["at"].as_i64().expect("a time") + hours * HOUR);
            }
        });
        let notes = |words: &str| {
            report
                .notes
                .iter()
                .find(|note| note.what.contains(words))
                .map(|note| note.seq)
        };
        assert_eq!(
            notes("more than a day after"),
            noted.then_some(last - 3),
            "{:?}",
            report.notes
        );
        assert_eq!(
            notes("the clock was set back"),
            Some(last),
            "{:?}",
            report.notes
        );
        assert!(report.findings.is_empty(), "{:?}", report.findings);
    }
}

// Numbers beside the dice that cannot be: a fault of the writer would be hashed like anything else.

/// Changes the body of an entry and demands that the numbers themselves are found, besides the
/// hashes.
#[track_caller]
fn found(table: &Table, seq: u64, from: &str, to: &str, words: &str) {
    let record = table.record();
    record
        .execute("drop trigger log_is_never_updated")
        .expect("the vandal succeeds");
    let entry = &record.bodies()[usize::try_from(seq).expect("a number") - 1];
    assert!(entry.to_string().contains(from), "{from} in {entry}");
    let sql = format!(
        "update log set body = cast(replace(cast(body as text), '{from}', '{to}') as blob) where seq = {seq}"
    );
    record.execute(&sql).expect("the vandal succeeds");
    let findings = record.verify().findings;
    assert!(
        findings
            .iter()
            .any(|finding| finding.seq == seq && finding.what.contains(words)),
        "{words}: {findings:?}"
    );
}

#[test]
fn a_margin_that_does_not_lie_between_result_and_target() {
    let words = "its margin is 4, and that is not between 18 and 15";
    found(&evening(), 6, "\"margin\":3", "\"margin\":4", words);
    found(
        &evening(),
        6,
        "\"target\":15",
        "\"target\":null",
        "a margin without a target",
    );
}

#[test]
fn an_outcome_that_is_not_its_margins_where_no_table_decides() {
    let mut table = Table::of_rules(Some(
        "# X\n\n## Checks\n### Test\n- Roll: `1d20`\n- Target: `{difficulty}`\n",
    ));
    let failed = table
        .dice([7])
        .skill_check(json!({"check": "Test", "difficulty": 15}))
        .number("log");
    let failed = u64::try_from(failed).expect("a number");
    table.record().is_sound();
    let words = "its outcome is success, and a margin of -8 is failure";
    found(
        &table,
        failed,
        "\"outcome\":\"failure\"",
        "\"outcome\":\"success\"",
        words,
    );
}

#[test]
fn damage_that_is_not_what_its_steps_and_images_say() {
    let hurt = |table: &mut Table, amount: i64| {
        let hurt = table
            .apply_damage(json!({"target": "Sabeth", "amount": amount}))
            .number("log");
        u64::try_from(hurt).expect("a number")
    };
    for (from, to, words) in [
        (
            "\"amount\":3",
            "\"amount\":1",
            "its amount is 1, and its steps say something else",
        ),
        (
            "\"steps\":[{\"after\":10",
            "\"steps\":[{\"after\":9",
            "its amount is 3, and its steps say something else",
        ),
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
    table
        .apply_damage(json!({"target": "Sabeth", "amount": 7, "half": true}))
        .is_fine();
    table.record().is_sound();
}

#[test]
fn an_improvement_that_its_dice_did_not_bring() {
    let rules = "# X\n\n## Dice\nRoll d100 under the skill.\n\n## Skills\n- Lore: books\n- Ride: mules\n\n## Advancement\n\
                 - Tick: success, critical success\n- Each tick: {skill} +1d10 if `1d100 > {skill}`\n";
    let mut table = Table::of_people(rules, &["Ann"], json!({"skills": {"Lore": 41, "Ride": 62}}));
    table
        .manage_character(json!({"action": "award", "advance": {"Lore": 1, "Ride": 1}}))
        .is_fine();
    let improved = table
        .dice([71, 6, 12])
        .manage_character(json!({"action": "level_up"}))
        .number("log");
    table.record().is_sound();
    let seq = u64::try_from(improved).expect("a number");
    found(
        &table,
        seq,
        "\"Lore\":47",
        "\"Lore\":57",
        "by its dice Lore comes to 47, and its image says 57",
    );
    let mut table = Table::of_people(rules, &["Ann"], json!({"skills": {"Lore": 41, "Ride": 62}}));
    table
        .manage_character(json!({"action": "award", "advance": {"Ride": 1}}))
        .is_fine();
    let improved = table
        .dice([12])
        .manage_character(json!({"action": "level_up"}))
        .number("log");
    table.record().is_sound();
    let seq = u64::try_from(improved).expect("a number");
    found(
        &table,
        seq,
        "\"purpose\":\"Ride\"",
        "\"purpose\":\"Lore\"",
        "it has dice for a skill that was not ticked",
    );
}

#[test]
fn a_fight_whose_turns_initiative_or_effects_do_not_add_up() {
    let played = || {
        let mut table = Table::with_party();
        table
            .dice([12])
            .start(json!([{"name": "Jory"}, {"name": "Rat", "hp": 2, "initiative": 3}]));
        let call =
            json!({"action": "add_effect", "name": "wet", "on": "Rat", "duration": "for 3 rounds"});
        table.manage_combat(call).is_fine();
        table
            .manage_combat(json!({"action": "next_turn"}))
            .is_fine();
        table
            .manage_combat(json!({"action": "next_turn"}))
            .is_fine();
        table.record().is_sound();
        let seq = |which: &str, kind: &str| {
            let seq = table.record().number(&format!(
                "select {which}(seq) from log where kind = '{kind}'"
            ));
            u64::try_from(seq).expect("an entry")
        };
        let seqs = [
            seq("max", "turn_began"),
            seq("max", "effects"),
            seq("min", "combatant_joined"),
        ];
        (table, seqs)
    };
    let (table, [turn, ..]) = played();
    found(
        &table,
        turn,
        "\"acted_round\":2",
        "\"acted_round\":5",
        "it begins a turn of round 2, and its images",
    );
    let (table, [_, effects, _]) = played();
    found(
        &table,
        effects,
        "\"left\":2",
        "\"left\":1",
        "wet does not run on by one",
    );
    let (table, [.., joined]) = played();
    let words = "its initiative is 14, and its roll comes to 13";
    found(
        &table,
        joined,
        "\"initiative\":13,\"kind\"",
        "\"initiative\":14,\"kind\"",
        words,
    );
}
