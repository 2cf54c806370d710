//! Copies for players: they verify alone, an edited one does not, and one fault of lost, doubled or
//! mixed lines is one finding.

use std::path::PathBuf;

use rollbook_game::view::Audience;
use rollbook_record::export;
use rollbook_record::export::{Checked, Format, Wanted};
use serde_json::{Value, json};

use super::evening;
use crate::table::{NOW, Table};

/// Copies for players: they verify on their own, and an edited one does not.
fn copy(table: &Table, audience: Audience, name: &str) -> PathBuf {
    table.export(audience, Format::Jsonl, name)
}

fn lines(path: &PathBuf) -> Vec<String> {
    std::fs::read_to_string(path)
        .expect("text")
        .lines()
        .map(str::to_owned)
        .collect()
}

/// What is wrong with a copy that holds these lines.
fn findings(table: &Table, lines: &[String]) -> Vec<String> {
    let path = table.path("edited.jsonl");
    std::fs::write(
        &path,
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    )
    .expect("is written");
    table
        .wait(export::check_copy(&path, None))
        .map_or_else(|error| vec![error.to_string()], |copy| copy.findings)
}

#[test]
fn a_players_copy_verifies_and_reaches_the_head() {
    let table = evening();
    for audience in [Audience::Player, Audience::Gm] {
        let path = copy(&table, audience, &format!("{audience:?}.jsonl"));
        let copy = table
            .wait(export::check_copy(&path, None))
            .expect("is a copy");
        assert_eq!(copy.findings, Vec::<String>::new());
        assert_eq!(
            (copy.campaign.as_str(), copy.audience),
            ("lockhouse", audience)
        );
        assert_eq!(copy.head, table.record().verify().head);
    }
}

#[test]
fn nothing_hidden_is_in_a_players_copy() {
    let table = evening();
    let text =
        std::fs::read_to_string(copy(&table, Audience::Player, "players.jsonl")).expect("text");
    assert!(!text.contains("Mag Sorley"), "the GM's notes");
    for figure in ["[17]", "by 8", "= 20"] {
        assert!(!text.contains(figure), "the hidden roll: {figure}");
    }
    for line in text.lines().skip(1) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let expected = line["proof"]["salt"].is_string();
        assert_eq!(
            line["proof"]["body"].is_object(),
            expected,
            "salt and body go together: {line}"
        );
        assert_eq!(line["n"].is_string(), line["public"].is_object(), "{line}");
    }
    let numbers: Vec<String> = text
        .lines()
        .filter_map(|line| {
            Some(
                serde_json::from_str::<Value>(line).ok()?["n"]
                    .as_str()?
                    .to_owned(),
            )
        })
        .collect();
    let in_order = (1..=numbers.len()).map(|n| format!("P{n}"));
    assert_eq!(
        numbers,
        in_order.collect::<Vec<_>>(),
        "numbered without gaps"
    );
}

#[test]
fn an_edited_copy_is_found_out() {
    let table = evening();
    let whole = lines(&copy(&table, Audience::Player, "players.jsonl"));
    assert_eq!(findings(&table, &whole), Vec::<String>::new());
    let at = |text: &str| {
        whole
            .iter()
            .position(|line| line.contains(text))
            .unwrap_or_else(|| panic!("{text} is there"))
    };
    let edited = |line: usize, from: &str, to: &str| {
        let mut edited = whole.clone();
        assert!(edited[line].contains(from), "{from} in {}", edited[line]);
        edited[line] = edited[line].replace(from, to);
        findings(&table, &edited)
    };
    let check = at("success by 3");
    for (from, to) in [
        ("success by 3", "success by 4"),
        ("\"seq\":6", "\"seq\":66"),
        ("\"chain\":\"", "\"chain\":\"0"),
        ("\"salt\":\"", "\"salt\":\"0"),
    ] {
        assert!(!edited(check, from, to).is_empty(), "{from} to {to}");
    }
    assert!(
        !edited(check, "\"body\":{", "\"body\":{ ").is_empty(),
        "even a space"
    );
    let without = |line: usize| {
        let mut shorter = whole.clone();
        shorter.remove(line);
        findings(&table, &shorter)
    };
    for line in 0..whole.len() - 1 {
        assert!(!without(line).is_empty(), "line {line} was left out");
    }
    let mut swapped = whole.clone();
    swapped.swap(5, 6);
    assert!(!findings(&table, &swapped).is_empty(), "two lines swapped");
    let mut doubled = whole.clone();
    doubled.insert(5, whole[5].clone());
    assert!(!findings(&table, &doubled).is_empty(), "a line twice");
    let mut torn = whole.clone();
    torn[7].truncate(40);
    assert!(!findings(&table, &torn).is_empty(), "half a line");
}

#[test]
fn a_sqlite_copy_of_which_nothing_can_be_made_is_a_finding() {
    let table = evening();
    for (nth, change) in [
        "update proof set body = substr(body, 1, 40) where body is not null",
        "pragma ignore_check_constraints = on; update proof set players_n = 1 where players_n is not null",
    ]
    .into_iter()
    .enumerate()
    {
        let path = table.export(Audience::Player, Format::Db, &format!("copy-{nth}.db"));
        crate::queries::in_file(&path, |record| record.execute(change)).expect(change);
        let checked = table.wait(export::check_copy(&path, None)).expect("is checked, whatever is in it");
        assert!(!checked.findings.is_empty(), "{change}: {checked:?}");
    }
}

#[test]
fn what_players_see_of_an_entry_and_cannot_be_read_is_one_finding() {
    let table = evening();
    let mut whole = lines(&copy(&table, Audience::Player, "players.jsonl"));
    let check = whole
        .iter()
        .position(|line| line.contains("\"kind\":\"check\""))
        .expect("a check");
    whole[check] = whole[check].replacen("\"text\":", "\"text\":\"twice\",\"text\":", 1);
    let found = findings(&table, &whole);
    assert!(
        found.len() == 1 && found[0].contains("its chain value does not follow"),
        "{found:?}"
    );
}

#[test]
fn a_copy_without_its_last_lines_is_found_out_by_a_receipt() {
    let mut table = evening();
    let early = table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .text("receipt")
        .to_owned();
    let last = table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .text("receipt")
        .to_owned();
    let path = copy(&table, Audience::Player, "players.jsonl");
    let whole = lines(&path);
    let shorter = table.path("shorter.jsonl");
    std::fs::write(
        &shorter,
        whole[..whole.len() - 1]
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    )
    .expect("is written");
    let found = |path, receipt: &str| {
        table
            .wait(export::check_copy(path, Some(receipt)))
            .expect("is a copy")
            .findings
    };
    assert_eq!(found(&path, &last), Vec::<String>::new());
    let held = table
        .wait(export::check_copy(&shorter, Some(&early)))
        .expect("is a copy");
    assert_eq!(
        held.findings,
        Vec::<String>::new(),
        "what the receipt speaks of is there"
    );
    assert_eq!(
        held.receipted,
        Some(held.head.seq),
        "and nothing stands behind it"
    );
    let longer = table
        .wait(export::check_copy(&path, Some(&early)))
        .expect("is a copy");
    assert_eq!(
        (longer.receipted, longer.head.seq),
        (held.receipted, held.head.seq + 1),
        "here a line does"
    );
    let cut = found(&shorter, &last);
    assert!(
        cut.len() == 1 && cut[0].contains("it was cut off"),
        "{cut:?}"
    );
    let forged = format!("{}ffffff", &last[..last.len() - 6]);
    assert_eq!(found(&path, &forged).len(), 1);
    assert!(table.wait(export::check_copy(&path, Some("128"))).is_err());
}

#[test]
fn lines_whose_body_was_taken_out_are_counted() {
    let table = evening();
    let path = copy(&table, Audience::Player, "players.jsonl");
    let closed = |path: &PathBuf| {
        table
            .wait(export::check_copy(path, None))
            .expect("is a copy")
            .closed
    };
    let before = closed(&path);
    let mut stripped = lines(&path);
    let nth = stripped
        .iter()
        .position(|line| line.contains("success by 3"))
        .expect("is there");
    let mut line: Value = serde_json::from_str(&stripped[nth]).expect("JSON");
    for field in ["salt", "body"] {
        line["proof"]
            .as_object_mut()
            .expect("a proof")
            .remove(field)
            .expect("it has one");
    }
    stripped[nth] = line.to_string();
    assert_eq!(
        findings(&table, &stripped),
        Vec::<String>::new(),
        "nothing it shows is false"
    );
    assert_eq!(closed(&table.path("edited.jsonl")), before + 1);
}

/// Where something of a copy is under no hash, it is worked out again or refused.
#[test]
fn what_no_hash_covers_is_checked_too() {
    let table = evening();
    for audience in [Audience::Player, Audience::Gm] {
        let whole = lines(&copy(&table, audience, &format!("{audience:?}.jsonl")));
        let last = whole.len() - 1;
        let at = whole
            .iter()
            .position(|line| line.contains("success by 3"))
            .expect("the check");
        let (number, another) = match audience {
            Audience::Gm => ("\"n\":", "\"n\":1"),
            Audience::Player => ("\"n\":\"P", "\"n\":\"P1"),
        };
        for (line, from, to) in [
            (0, "lockhouse", "Lockhouse"),
            (0, "\"format\":1", "\"format\":2"),
            (0, "\"format\":1", "\"format\":1,\"verified\":true"),
            (0, "{\"rollbook\"", "{\"by\":\"me\",\"rollbook\""),
            (at, number, another),
            (at, "{\"n\":", "{\"note\":\"he cheated\",\"n\":"),
            (at, "\"proof\":{", "\"proof\":{\"note\":\"he cheated\","),
            (at, "\"proof\":{", "\"proof\":{\"seq\":1,"),
            (last, "\"salt\":\"", "\"salt\":null,\"pepper\":\""),
        ] {
            let mut edited = whole.clone();
            assert!(edited[line].contains(from), "{from} in {}", edited[line]);
            edited[line] = edited[line].replacen(from, to, 1);
            assert!(
                !findings(&table, &edited).is_empty(),
                "{audience:?} {line}: {from} to {to}"
            );
        }
        let other = match audience {
            Audience::Gm => whole[0].replace("\"gm\"", "\"player\""),
            Audience::Player => whole[0].replace("\"player\"", "\"gm\""),
        };
        let mut edited = whole.clone();
        edited[0] = other;
        assert!(
            !findings(&table, &edited).is_empty(),
            "passed off as the other audience's"
        );
        assert_eq!(findings(&table, &whole[..1]), ["it holds no entry"]);
    }
}

#[test]
fn a_gms_copy_holds_every_body_and_says_of_it_what_it_says() {
    let table = evening();
    let whole = lines(&copy(&table, Audience::Gm, "gm.jsonl"));
    let edited = |line: usize, edit: &dyn Fn(&mut serde_json::Map<String, Value>)| {
        let mut edited = whole.clone();
        // Parts keep the bytes they have, so that only the edit shows.
        let mut fields: serde_json::Map<String, Value> =
            serde_json::from_str(&edited[line]).expect("JSON");
        edit(&mut fields);
        edited[line] = Value::Object(fields).to_string();
        findings(&table, &edited)
    };
    let at = whole
        .iter()
        .position(|line| line.contains("success by 3"))
        .expect("the check");
    assert_eq!(
        edited(at, &|_| {}),
        Vec::<String>::new(),
        "the harness itself changes nothing"
    );
    let text = edited(at, &|line| line["text"] = json!("Sabeth fails."));
    assert!(
        text.len() == 1 && text[0].contains("its text is not what its body says"),
        "{text:?}"
    );
    let public = edited(at, &|line| drop(line.remove("body")));
    assert!(public[0].contains("a salt without its body"), "{public:?}");
    let bare = edited(at, &|line| {
        line.remove("body");
        line["proof"]
            .as_object_mut()
            .expect("a proof")
            .remove("salt");
    });
    assert!(
        bare.iter()
            .any(|finding| finding.contains("its body is missing")),
        "{bare:?}"
    );
    let numbered = edited(at, &|line| line["n"] = json!("P1"));
    assert!(
        numbered
            .iter()
            .any(|finding| finding.contains("number in the view")),
        "{numbered:?}"
    );
}

#[test]
fn an_export_that_failed_leaves_nothing() {
    let table = evening();
    let broken = "drop trigger log_is_never_updated; update log set body = x'7b' where seq = (select max(seq) from log)";
    table.record().execute(broken).expect("the vandal succeeds");
    let before = names(&table);
    let both = |format: &Format| [(Audience::Player, *format), (Audience::Gm, *format)];
    for (audience, format) in Format::ALL.iter().flat_map(both) {
        let out = table.path("half");
        let failed = table.wait(export::export(
            table.database(),
            &Wanted::of(audience, format),
            &out,
            NOW,
        ));
        assert!(failed.is_err(), "{format:?}");
        let after: Vec<String> = names(&table)
            .into_iter()
            .filter(|name| name != "checkpoints.log")
            .collect();
        assert_eq!(after, before, "{format:?}");
    }
}

fn names(table: &Table) -> Vec<String> {
    let files = std::fs::read_dir(table.path(".")).expect("lists");
    let mut names: Vec<String> = files
        .map(|file| {
            file.expect("a file")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    names.sort();
    names
}

#[test]
fn a_gms_database_holds_the_named_campaign_alone_and_verifies() {
    let mut table = evening();
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6", "campaign": "two", "context": "a secret of two"}))
        .is_fine();
    let record = table.record();
    let (one, all) = (table.path("a #1%.db"), table.path("all.db"));
    let written = table
        .wait(export::export(
            table.database(),
            &Wanted::of(Audience::Gm, Format::Db).campaign("Lockhouse"),
            &one,
            NOW,
        ))
        .expect("is written");
    let verified = table
        .wait(rollbook_store::verify::verify(&one, None, None))
        .expect("can be verified");
    assert!(
        verified.is_sound() && verified.notes.is_empty(),
        "{verified:?}"
    );
    let [report] = &verified.campaigns[..] else {
        panic!("{verified:?}")
    };
    assert_eq!(
        (report.campaign.as_str(), report.head),
        ("lockhouse", written.head)
    );
    let bytes = std::fs::read(&one).expect("bytes");
    assert!(
        !bytes.windows(15).any(|bytes| bytes == b"a secret of two"),
        "not even in a free page"
    );
    let heads = table
        .wait(export::export_all(table.database(), &all, NOW))
        .expect("is written");
    assert_eq!(
        heads
            .iter()
            .map(|(name, ..)| name.as_str())
            .collect::<Vec<_>>(),
        ["lockhouse", "two"]
    );
    let verified = table
        .wait(rollbook_store::verify::verify(&all, None, None))
        .expect("can be verified");
    assert!(
        verified.is_sound() && verified.campaigns.len() == 2,
        "{verified:?}"
    );
    record.is_sound_beside(2);
    assert!(
        table
            .wait(export::export_all(table.database(), &all, NOW))
            .is_err(),
        "never over a file"
    );
}

/// Copies that lost, doubled or mixed up lines: one fault is one finding, and the rest is still
/// checked.
const AUDIENCES: [Audience; 2] = [Audience::Player, Audience::Gm];

fn torn_lines(table: &Table, audience: Audience) -> Vec<String> {
    let path: PathBuf = table.export(audience, Format::Jsonl, &format!("{audience:?}.jsonl"));
    std::fs::read_to_string(path)
        .expect("text")
        .lines()
        .map(str::to_owned)
        .collect()
}

fn check(table: &Table, lines: &[String], receipt: Option<&str>) -> Checked {
    let path = table.path("edited.jsonl");
    std::fs::write(
        &path,
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    )
    .expect("is written");
    table
        .wait(export::check_copy(&path, receipt))
        .expect("is a copy")
}

/// Edits the copy of either audience in every place, and demands one finding that names the entry.
#[track_caller]
fn one(edit: impl Fn(&mut Vec<String>, usize), words: impl Fn(usize) -> String, but: usize) {
    let table = evening();
    for audience in AUDIENCES {
        let whole = torn_lines(&table, audience);
        // Line 0 is the header, so that line n holds entry n.
        for line in 1..whole.len() - but {
            let mut edited = whole.clone();
            edit(&mut edited, line);
            let found = check(&table, &edited, None).findings;
            let [finding] = &found[..] else {
                panic!("{audience:?}, line {line}: {found:#?}")
            };
            assert!(
                finding.contains(&words(line)),
                "{audience:?}, line {line}: {finding}"
            );
        }
    }
}

#[test]
fn a_line_that_is_dropped_doubled_swapped_or_no_entry_is_one_finding() {
    one(
        |lines, at| drop(lines.remove(at)),
        |at| format!("#{}: entry #{at} is missing before it", at + 1),
        1,
    );
    let missing = |at: usize| {
        format!(
            "#{}: entries #{at} to #{} are missing before it",
            at + 3,
            at + 2
        )
    };
    one(|lines, at| drop(lines.drain(at..at + 3)), missing, 3);
    one(
        |lines, at| lines.insert(at, "{}".to_owned()),
        |at| format!("after #{}: a line cannot be read", at - 1),
        0,
    );
    one(
        |lines, at| lines.insert(at, lines[at].clone()),
        |at| format!("#{at}: it stands there a second time"),
        0,
    );
    one(
        |lines, at| lines.swap(at, at + 1),
        |at| format!("#{at}: it stands out of place, behind later ones"),
        1,
    );
}

#[test]
fn two_dropped_lines_apart_are_two_findings() {
    let table = evening();
    for audience in AUDIENCES {
        let mut edited = torn_lines(&table, audience);
        edited.remove(10);
        edited.remove(4);
        let found = check(&table, &edited, None).findings;
        assert_eq!(found.len(), 2, "{found:#?}");
        assert!(
            found[0].starts_with("#5: entry #4 is missing")
                && found[1].starts_with("#11: entry #10"),
            "{found:#?}"
        );
    }
}

#[test]
fn a_torn_line_is_one_finding() {
    let torn = |at: usize| {
        format!(
            "#{}: entry #{at} is missing before it: a line there cannot be read",
            at + 1
        )
    };
    one(|lines, at| lines[at].truncate(40), torn, 1);
    let broken_in_two = |lines: &mut Vec<String>, at: usize| {
        let rest = lines[at].split_off(40);
        lines.insert(at + 1, rest);
    };
    one(broken_in_two, torn, 1);
}

#[test]
fn a_number_that_was_changed_is_one_finding() {
    let renumbered = |lines: &mut Vec<String>, at: usize| {
        let proof = lines[at].find("\"proof\":{").expect("a proof");
        let proof = lines[at].split_off(proof);
        lines[at].push_str(&proof.replacen(&format!("\"seq\":{at}"), "\"seq\":9999", 1));
    };
    one(
        renumbered,
        |at| format!("#{at}: its number was changed to 9999"),
        0,
    );
}

#[test]
fn the_last_line_is_one_finding_by_a_receipt_whether_it_is_dropped_or_torn() {
    let mut table = evening();
    let receipt = table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .text("receipt")
        .to_owned();
    for audience in AUDIENCES {
        let whole = torn_lines(&table, audience);
        let last = whole.len() - 1;
        assert_eq!(
            check(&table, &whole, Some(&receipt)).receipted,
            u64::try_from(last).ok()
        );
        let dropped = check(&table, &whole[..last], Some(&receipt)).findings;
        let [finding] = &dropped[..] else {
            panic!("{dropped:#?}")
        };
        assert!(
            finding.starts_with(&format!("#{last}: the receipt says the log reached it")),
            "{finding}"
        );
        let mut torn = whole.clone();
        torn[last].truncate(40);
        let torn = check(&table, &torn, Some(&receipt)).findings;
        let [finding] = &torn[..] else {
            panic!("{torn:#?}")
        };
        assert!(
            finding.starts_with(&format!("after #{}: a line cannot be read", last - 1)),
            "{finding}"
        );
    }
}

#[test]
fn an_edit_after_a_dropped_line_is_still_found() {
    let table = evening();
    for audience in AUDIENCES {
        let mut edited = torn_lines(&table, audience);
        let line = &mut edited[12];
        *line = line.replacen("\"commitment\":\"", "\"commitment\":\"0", 1);
        edited.remove(4);
        let found = check(&table, &edited, None).findings;
        assert!(
            found
                .iter()
                .any(|finding| finding.starts_with("#12: its chain value does not follow")),
            "{found:#?}"
        );
        assert!(
            found
                .iter()
                .any(|finding| finding.starts_with("#5: entry #4 is missing")),
            "{found:#?}"
        );
    }
}
