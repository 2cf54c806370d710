//! A forger with the program in hand: one entry is changed, and every hash behind it is made anew, so that all links are whole.
//! What contradicts what is found without anything kept outside.

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
    let uuid = record.rows("select uuid from campaigns")[0]["uuid"].as_str().expect("text").parse().expect("a UUID");
    let rows = record.rows("select salt, cast(body as text) as body from log order by seq");
    let (mut head, mut state, mut changed) = (Head::default(), State::default(), 0);
    record.execute("drop trigger log_is_never_updated").expect("the vandal succeeds");
    for row in rows {
        let was: Value = serde_json::from_str(row["body"].as_str().expect("text")).expect("JSON");
        let mut body = was.clone();
        change(head.seq + 1, &mut body);
        changed += u64::from(body != was);
        let entry: Entry = serde_json::from_value(body).expect("an entry");
        state.apply(&entry.changes);
        let salt = base16ct::lower::decode_vec(row["salt"].as_str().expect("hex")).expect("hex");
        let projection = project(&entry, &state, Audience::Player).into_owned();
        let sealed =
            chain::seal(&uuid, head, entry, &projection, salt.try_into().expect("32 bytes")).expect("can be sealed");
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
        head = Head { seq: sealed.seq, chain: sealed.chain };
    }
    assert!(changed > 0, "something was forged");
    record.verify()
}

/// Demands that one finding, of that entry, and nothing else was found.
#[track_caller]
fn only(found: &[Finding], seq: u64, words: &str) {
    let [finding] = found else { panic!("one fault is one finding: {found:?}") };
    assert!(finding.seq == seq && finding.what.contains(words), "#{seq} \"{words}\": {found:?}");
}

/// The number of the first entry of a kind that has this text in its body.
fn seq(table: &Table, kind: &str, text: &str) -> u64 {
    let sql = format!("select min(seq) from log where kind = '{kind}' and instr(cast(body as text), '{}') > 0", text);
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
    let report = forge(&evening(), at(9, |body| body["at"] = json!(body["at"].as_i64().expect("a time") + 1)));
    assert!(report.findings.is_empty(), "the forger works as the program does: {:?}", report.findings);
}

#[test]
fn a_modifier_that_is_not_in_the_roll() {
    let more = json!({"name": "situational", "value": 4, "from": "the call"});
    let forger = at(6, |body| body["event"]["modifiers"].as_array_mut().expect("a list").push(more.clone()));
    let report = forge(&evening(), forger);
    only(&report.findings, 6, "its modifiers come to 9, and by its rule `1d20 + {modifier}` its roll is not 1d20 + 5");
    let taken = forge(&evening(), at(6, |body| body["event"]["modifiers"] = json!([])));
    only(&taken.findings, 6, "its modifiers come to 0");
}

#[test]
fn a_modifier_list_that_does_not_add_up() {
    let report = forge(&evening(), at(6, |body| body["event"]["modifiers"][0]["value"] = json!(-7)));
    only(&report.findings, 6, "its modifiers come to ");
}

#[test]
fn formulas_that_were_taken_away_or_changed_are_found_by_another_check_of_the_same_rule() {
    let mut table = evening();
    let pick = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15});
    let last = u64::try_from(table.dice([9]).skill_check(pick).number("log")).expect("an entry");
    let bare = |body: &mut Value| {
        body["event"].as_object_mut().expect("an event").remove("formulas").expect("formulas are there");
        body["event"]["modifiers"][0]["value"] = json!(-7);
    };
    let report = forge(&table, at(last, bare));
    only(&report.findings, last, "(the rule as #6 names it)");
    assert!(report.notes.iter().any(|note| note.names(last) && note.what.contains("by which formulas")), "{report:?}");
    let mut table = evening();
    let pick = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15});
    let last = u64::try_from(table.dice([9]).skill_check(pick).number("log")).expect("an entry");
    let report = forge(&table, at(last, |body| body["event"]["formulas"]["roll"] = json!("1d20 + {modifier} + 0")));
    assert!(
        report.findings.iter().any(|own| own.seq == last && own.what.contains("names the same rule as")),
        "{report:?}"
    );
}

#[test]
fn a_check_that_says_it_goes_beyond_formulas_that_others_kept_to_is_noted() {
    let mut table = evening();
    let pick = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15});
    let last = u64::try_from(table.dice([9]).skill_check(pick).number("log")).expect("an entry");
    let honest = table.record().verify();
    assert!(!honest.notes.iter().any(|note| note.what.contains("formulas alone")), "{honest:?}");
    let beyond = |body: &mut Value| {
        body["event"]["formulas"]["partial"] = json!(true);
        body["event"]["modifiers"][0]["value"] = json!(-7);
    };
    let report = forge(&table, at(last, beyond));
    assert!(report.notes.iter().any(|note| note.names(last) && note.what.contains("formulas alone")), "{report:?}");
}

#[test]
fn a_difficulty_other_than_the_target() {
    let report = forge(&evening(), at(6, |body| body["event"]["difficulty"] = json!(10)));
    only(&report.findings, 6, "its difficulty is 10, and by its rule `{difficulty}` its target is not 15");
}

#[test]
fn damage_that_cites_no_roll() {
    let table = evening();
    let hurt = seq(&table, "damage", "Wrecker");
    let report = forge(&table, at(hurt, |body| body["event"]["roll"] = json!(1)));
    only(&report.findings, hurt, "it names #1 as its roll, and #1 has no roll");
    let table = evening();
    let report = forge(&table, at(hurt, |body| body["event"]["roll"] = Value::Null));
    assert!(report.findings.is_empty(), "an amount may be said: {:?}", report.findings);
    assert!(report.notes.iter().any(|note| note.names(hurt) && note.what.contains("it names no roll")), "{report:?}");
}

#[test]
fn a_clock_that_moved_otherwise_than_it_says() {
    let mut table = Table::lockhouse();
    table.manage_session(json!({"action": "clock", "name": "Tide", "segments": 6})).is_fine();
    let moved = table.manage_session(json!({"action": "clock", "name": "Tide", "tick": 2})).number("log");
    let moved = u64::try_from(moved).expect("a number");
    assert!(table.record().verify().findings.is_empty());
    let report = forge(&table, at(moved, |body| body["event"]["to"] = json!(5)));
    only(&report.findings, moved, "it says Tide 0 to 5, and the row goes from 0 to 2");
}

#[test]
fn a_session_that_never_was() {
    let report = forge(&evening(), at(9, |body| body["session"] = json!(9)));
    only(&report.findings, 9, "it names session 9, which never was; session 1 was on");
}

#[test]
fn time_that_runs_backwards_is_a_note() {
    let back = |seconds: i64| {
        at(9, move |body: &mut Value| body["at"] = json!(body["at"].as_i64().expect("a time") - seconds * 1_000_000))
    };
    let report = forge(&evening(), back(3600));
    assert!(report.findings.is_empty(), "clocks are set: {:?}", report.findings);
    let is_in_recap = |note: &Finding| note.seq == 9 && note.what.contains("more than a minute before");
    assert!(report.notes.iter().any(is_in_recap), "{:?}", report.notes);
    let report = forge(&evening(), back(1));
    assert!(!report.notes.iter().any(is_in_recap), "a second is nothing: {:?}", report.notes);
}

#[test]
fn a_place_that_is_in_no_rules() {
    let report = forge(&evening(), at(6, |body| body["rule"] = json!("Elsewhere.md:12")));
    only(&report.findings, 6, "it cites Elsewhere.md:12, and there is no such place");
    let report = forge(&evening(), at(6, |body| body["event"]["modifiers"][0]["from"] = json!("MySystem.md:12")));
    only(&report.findings, 6, "it cites MySystem.md:12, and there is no such place");
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
        let notes = |words: &str| report.notes.iter().find(|note| note.what.contains(words)).map(|note| note.seq);
        assert_eq!(notes("more than a day after"), noted.then_some(last - 3), "{:?}", report.notes);
        assert_eq!(notes("the clock was set back"), Some(last), "{:?}", report.notes);
        assert!(report.findings.is_empty(), "{:?}", report.findings);
    }
}
