//! `rollbook explain`: every code has a page, and the page's examples are as it says.

use rollbook_game::refusal::Code;
use serde_json::Value;

use crate::author::bench::Bench;
use crate::table::each;

/// Every code and its page as the program knows them.
fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    rollbook_rules::codes::PAGES
        .iter()
        .chain(rollbook_table::playtest::codes::PAGES)
        .copied()
}

/// An adventure: each file's name and bytes.
type Files = Vec<(String, Vec<u8>)>;

/// The adventures that a page's examples of a kind make up: a file of a name that was there already
/// begins the next.
fn examples(page: &str, kind: &str) -> Vec<Files> {
    let mut all: Vec<Files> = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let info = line.trim_start_matches('`');
        let ticks = &line[..line.len() - info.len()];
        if ticks.len() < 3 {
            continue;
        }
        let text: String = lines
            .by_ref()
            .take_while(|line| *line != ticks)
            .map(|line| format!("{line}\n"))
            .collect();
        let mut words = info.split_whitespace();
        if words.next() != Some(kind) {
            continue;
        }
        let (mut name, mut bytes) = ("System.md", text.clone().into_bytes());
        for word in words {
            match (word, word.strip_prefix("repeat=")) {
                ("latin1", _) => {
                    bytes = text
                        .chars()
                        .map(|letter| u8::try_from(letter).expect("Latin-1"))
                        .collect()
                }
                (_, Some(times)) => bytes = bytes.repeat(times.parse().expect("a number")),
                _ => name = word,
            }
        }
        match all.last_mut() {
            Some(files) if files.iter().all(|(other, _)| other != name) => {
                files.push((name.to_owned(), bytes))
            }
            _ => all.push(vec![(name.to_owned(), bytes)]),
        }
    }
    all
}

/// The codes that `check` and `test` find in an adventure.
fn found(files: &[(String, Vec<u8>)]) -> Vec<String> {
    let bench = Bench::empty();
    for (name, bytes) in files {
        bench.save(name, "");
        std::fs::write(bench.path(name), bytes).expect("written");
    }
    let json =
        |words: &[&str]| -> Value { serde_json::from_str(&bench.run(words).out).expect("JSON") };
    let check = json(&["check", "--format", "json"]);
    let large = files.iter().any(|(_, bytes)| bytes.len() > 100_000);
    let test = if large {
        serde_json::json!({"playtests": []})
    } else {
        json(&["test", "--format", "json"])
    };
    let failures =
        each(&test["playtests"]).flat_map(|one| one["failures"].as_array().expect("a list"));
    let all = each(&check["diagnostics"]).chain(failures);
    all.map(|found| found["code"].as_str().expect("a code").to_owned())
        .collect()
}

#[test]
fn the_wrong_example_is_found_and_the_right_one_is_not() {
    for (code, page) in pages() {
        let (wrong, right) = (examples(page, "wrong"), examples(page, "right"));
        if code == "playtest/failed" {
            assert!(wrong.is_empty(), "a fault of the program has no example");
            continue;
        }
        assert!(
            !wrong.is_empty() && !right.is_empty(),
            "{code} has both examples"
        );
        for (files, is_wrong) in wrong
            .iter()
            .map(|files| (files, true))
            .chain(right.iter().map(|files| (files, false)))
        {
            let found = found(files);
            assert_eq!(
                found.iter().any(|finding| finding == code),
                is_wrong,
                "{code}: an example gives {found:?}"
            );
        }
    }
}

#[test]
fn a_page_is_printed_as_it_is() {
    insta::assert_snapshot!(
        Bench::empty()
            .run(&["explain", "document/two-homes"])
            .ends(0)
            .out
    );
}

#[test]
fn a_refusal_has_a_page_too() {
    let page = Bench::empty()
        .run(&["explain", "WHICH_TRACK"])
        .ends(0)
        .out
        .clone();
    let text = "# The rules leave open which track takes a point\n\nAsk the player, and send the same call with `track`.\n";
    assert_eq!(page, text);
}

#[test]
fn without_a_code_all_are_listed_and_a_near_miss_is_asked_about() {
    let list = Bench::empty().run(&["explain"]);
    for (code, _) in pages() {
        list.ends(0).says(code);
    }
    for code in Code::ALL {
        list.says(&format!("\n{code} "));
    }
    list.says("language ").says("The rules language");
    for (typed, meant) in [
        ("missing-part", "checks/missing-part"),
        ("skils/unused", "skills/unused"),
        ("two-hoems", "document/two-homes"),
        ("langauge", "language"),
        ("which_tack", "which_track"),
    ] {
        let output = Bench::empty().run(&["explain", typed]);
        let expected = format!(
            "rollbook: no finding or refusal has the code {typed}. Did you mean {meant}?\n"
        );
        assert_eq!(output.ends(2).err, expected);
    }
    assert!(
        Bench::empty()
            .run(&["explain", "xyzzy"])
            .ends(2)
            .err
            .contains("lists them all")
    );
}
