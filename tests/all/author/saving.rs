//! The author saves while the game is on: the next call plays by the new rules, and the log says by
//! which.

use rollbook_table::playtest::{Tray, host};
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::{CallError, Host};
use rollbook_table::tools::tool_named;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::author::bench::{Bench, RULES};
use crate::process::runtime;
use crate::table::has;

/// A server's insides with an author beside it.
struct Table {
    bench: Bench,
    runtime: Runtime,
    host: Host,
    tray: Tray,
    folder: TempDir,
}

impl Table {
    fn of(bench: Bench) -> Table {
        rollbook::migrations::MIGRATIONS.hand_down();
        let adventure = Adventure::read(&bench.path("")).expect("an adventure");
        let (tray, folder) = (Tray::pinned_then_real(), TempDir::new().expect("a folder"));
        let host = host(&adventure, folder.path(), &tray, "a").following_saves();
        let runtime = runtime();
        Table {
            bench,
            runtime,
            host,
            tray,
            folder,
        }
    }

    fn call(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        let entry = tool_named(tool).expect("a tool");
        let arguments = arguments.as_object().expect("an object").clone();
        match self.runtime.block_on(entry.call(&self.host, arguments)) {
            Ok(reply) => Ok(Value::Object(reply)),
            Err(CallError::Refusal(refusal)) => Err(refusal.code.to_string()),
            Err(CallError::Failure(reason)) => panic!("{tool}: {reason}"),
        }
    }

    /// A check at difficulty 15 with a 13: its margin, and what the reply says of the rules.
    fn check(&self) -> (i64, String) {
        self.tray.lay(&[13]);
        let reply = self
            .call(
                "skill_check",
                json!({"skill": "Lockpicking", "difficulty": 15}),
            )
            .expect("a reply");
        (
            reply["margin"].as_i64().expect("a margin"),
            reply["noted"].to_string(),
        )
    }

    /// The hashes of the rules that were in force, one after the other.
    fn rules_in_the_log(&self) -> Vec<String> {
        use sqlx::{Connection as _, Row as _};
        self.runtime.block_on(async {
            let path = self.folder.path().join("a.db");
            let mut connection =
                sqlx::SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.expect("opens");
            let rows =
                sqlx::query("select cast(body as text) as body from log where kind = 'rules_loaded' order by seq");
            let rows = rows.fetch_all(&mut connection).await.expect("rows");
            let hash = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
            rows.iter()
                .map(|row| hash(&row.get::<String, _>("body"))["event"]["hash"].as_str().expect("a hash").to_owned())
                .collect()
        })
    }
}

fn with_aria() -> Table {
    let table = Table::of(Bench::of(RULES));
    let sent = json!({"action": "create", "name": "Aria", "attributes": {"DEX": 14}, "skills": {"Lockpicking": 2}});
    table.call("manage_character", sent).expect("made");
    table
}

#[test]
fn a_saved_rule_counts_from_the_next_call_on_and_the_log_names_it() {
    let table = with_aria();
    assert_eq!(table.check(), (2, "null".to_owned()));
    let first = table.host.adventure().reading.hash.clone();
    // A modifier of the author's own: the score itself.
    table.bench.save(
        "System.md",
        &RULES.replace(
            "- Range: 3 to 20",
            "- Range: 3 to 20\n- Modifier: `{score}`",
        ),
    );
    let (margin, noted) = table.check();
    assert_eq!(margin, 14);
    assert!(noted.contains("are read anew"), "{noted}");
    assert_eq!(table.check(), (14, "null".to_owned()), "it is told once");
    let second = table.host.adventure().reading.hash.clone();
    assert_ne!(first, second);
    assert_eq!(table.rules_in_the_log(), [first, second]);
}

#[test]
fn a_broken_save_keeps_the_last_good_rules_and_says_so_until_it_is_mended() {
    let table = with_aria();
    table.check();
    for broken in [
        format!("{RULES}\n## Checks\n### Leap\n- Target: 3\n"),
        String::new(),
    ] {
        table.bench.save("System.md", &broken);
        for _ in 0..2 {
            let (margin, noted) = table.check();
            assert_eq!(margin, 2);
            assert!(noted.contains("are still played by"), "{noted}");
        }
    }
    table.bench.save(
        "System.md",
        &format!("{RULES}\n## Checks\n### Leap\n- Target: 3\n"),
    );
    let (_, noted) = table.check();
    assert!(
        noted.contains("System.md:14:") && noted.contains("checks/no-roll"),
        "{noted}"
    );
    std::fs::remove_file(table.bench.path("System.md")).expect("removed");
    assert!(table.check().1.contains("System.md is gone"));
    table.bench.save("System.md", RULES);
    assert_eq!(
        table.check(),
        (2, "null".to_owned()),
        "mended, and nothing new"
    );
    assert_eq!(table.rules_in_the_log().len(), 1);
}

/// The game of [`RULES`] with checks, a track and a mistake of its own.
const WRITTEN: &str = "\
# Written

## Attributes
- Dexterity (DEX)

## Skills
- Lockpicking (DEX)

## Checks
### Try
- Roll: `1d20 + {modifier}`
- Target: `{difficulty}`

### Leap
- Roll: `2d6`
- Target: `8`

## Health
- Hit points: max `10`
- Damage: Hit points
";

fn written() -> Table {
    let table = Table::of(Bench::of(WRITTEN));
    let aria = json!({"action": "create", "name": "Aria", "attributes": {"DEX": 1}, "skills": {"Lockpicking": 2}});
    table.call("manage_character", aria).expect("made");
    assert_eq!(table.check(), (1, "null".to_owned()));
    table
}

#[test]
fn a_save_that_loses_every_check_is_not_played_by() {
    let table = written();
    let half = &WRITTEN[..WRITTEN.find("### Try").expect("a check")];
    for lost in [
        WRITTEN.replace("## Checks", "## Cheks"),
        half.to_owned(),
        format!("{half}## Dice\nRoll 1d20 + 5.\n"),
    ] {
        table.bench.save("System.md", &lost);
        for _ in 0..2 {
            let (margin, noted) = table.check();
            assert_eq!(margin, 1, "{lost}");
            has(
                &noted,
                &["No longer there: checks Try, Leap", "still played by"],
            );
        }
    }
    table
        .bench
        .save("System.md", &WRITTEN.replace("## Checks", "## Cheks"));
    assert!(
        table
            .check()
            .1
            .contains("System.md:9:1: error[document/misspelt-heading]"),
        "{}",
        table.check().1
    );
}

#[test]
fn checks_may_give_way_to_the_plain_style_and_come_back() {
    let table = with_aria();
    table.check();
    let luck = format!(
        "{RULES}\n## Checks\n### Luck\n- Roll: `1d20 + {{modifier}}`\n- Target: `{{difficulty}}`\n"
    );
    table.bench.save("System.md", &luck);
    let (_, noted) = table.check();
    assert!(noted.contains("No longer there: check Check."), "{noted}");
    table.bench.save("System.md", RULES);
    let (margin, noted) = table.check();
    assert!(
        noted.contains("are read anew") && noted.contains("No longer there: check Luck."),
        "{noted}"
    );
    assert_eq!(margin, 2);
    assert_eq!(table.check(), (2, "null".to_owned()), "it is told once");
}

#[test]
fn what_a_save_loses_is_reported_once() {
    let table = written();
    table.bench.save(
        "System.md",
        &WRITTEN
            .replace("## Health", "## Wounds")
            .replace("### Leap", "### Jump"),
    );
    let (_, noted) = table.check();
    has(
        &noted,
        &[
            "are read anew",
            "No longer there: check Leap, track Hit points",
        ],
    );
    assert_eq!(table.check().1, "null");
    table.bench.save(
        "System.md",
        &WRITTEN.replace("- Target: `8`", "- Taget: `8`"),
    );
    let (_, noted) = table.check();
    assert!(
        noted.contains("System.md:16:3: warning[document/not-a-rule]"),
        "{noted}"
    );
}

#[test]
fn rules_that_had_a_mistake_take_no_other() {
    let faulty = format!("{WRITTEN}- Armour: ignore under `5 +`\n");
    let table = Table::of(Bench::of(&faulty));
    let aria = json!({"action": "create", "name": "Aria", "attributes": {"DEX": 1}, "skills": {"Lockpicking": 2}});
    table.call("manage_character", aria).expect("made");
    table.check();
    // The same mistake in another place of the file is no news.
    table.bench.save(
        "System.md",
        &faulty.replace("# Written\n", "# Written\n\nA game.\n"),
    );
    let (_, noted) = table.check();
    assert!(
        noted.contains("are read anew") && !noted.contains("Newly found"),
        "{noted}"
    );
    table
        .bench
        .save("System.md", &faulty.replace("`2d6`", "`2d`"));
    let (_, noted) = table.check();
    assert!(
        noted.contains("document/not-understood") && noted.contains("still played by"),
        "{noted}"
    );
}

#[test]
fn rules_of_several_files_are_followed_too() {
    let table = Table::of(Bench::empty().with("System/a.md", RULES));
    let rules = || table.call("get_rules", json!({"name": "Swimming"}));
    assert_eq!(rules(), Err("unknown_rule".to_owned()));
    table.bench.save(
        "System/b.md",
        "## Skills\n- Swimming (DEX): in cold water\n",
    );
    assert_eq!(rules().expect("a reply")["source"], "System/b.md:2");
}

#[test]
fn the_rules_are_read_word_for_word() {
    let table = Table::of(Bench::of(&format!(
        "{RULES}\n## Checks\n\n### Leap\nOver the gap.\n\n- Roll: `1d20 + {{modifier}}`\n- Target: `{{difficulty}}`\n\n### Fall\n- Roll: `1d6`\n"
    )));
    let call = |arguments: Value| table.call("get_rules", arguments).expect("a reply");
    let all = call(json!({}));
    assert_eq!(all["contents"][1], "Dice (System.md:3)");
    assert!(
        all["understood"]
            .as_str()
            .expect("text")
            .contains("Lockpicking"),
        "{all}"
    );
    assert_eq!(all["hash"], table.host.adventure().reading.hash.as_str());
    let dice = call(json!({"section": "DICE"}));
    assert_eq!(
        dice["untrusted_text"],
        "## Dice\nRoll 1d20 + modifiers against a difficulty."
    );
    assert_eq!(dice["source"], "System.md:3");
    let leap = call(json!({"name": "leap"}));
    let expected =
        "### Leap\nOver the gap.\n\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`";
    assert_eq!(leap["untrusted_text"], expected);
    assert_eq!(leap["item"]["target"], "{difficulty}");
    assert_eq!(
        call(json!({"name": "dex"}))["untrusted_text"],
        "- Dexterity (DEX)"
    );
    assert_eq!(
        table.call("get_rules", json!({"section": "Mgaic"})),
        Err("unknown_rule".to_owned())
    );
    let sent = json!({"section": "Dice", "name": "Leap"});
    assert_eq!(
        table.call("get_rules", sent),
        Err("invalid_parameters".to_owned())
    );
    let narrative = Table::of(Bench::empty());
    assert_eq!(
        narrative.call("get_rules", json!({})),
        Err("no_rules".to_owned())
    );
}

#[test]
fn a_long_section_comes_in_parts() {
    let long = "é".repeat(30_000);
    let table = Table::of(Bench::of(&format!("{RULES}\n## History\n\n{long}\n")));
    let mut read = String::new();
    let mut next = json!(0);
    while !next.is_null() {
        let part = table
            .call("get_rules", json!({"section": "History", "offset": next}))
            .expect("a part");
        read.push_str(part["untrusted_text"].as_str().expect("text"));
        next = part["offset"].clone();
    }
    assert_eq!(read, format!("## History\n\n{long}"));
}

#[test]
fn a_check_written_out_as_it_was_assumed_leaves_every_modifier_as_it_was() {
    const LOCKHOUSE: &str = include_str!("../../../adventures/lockhouse/System.md");
    let table = Table::of(Bench::of(LOCKHOUSE));
    let sabeth = json!({"action": "create", "name": "Sabeth", "attributes": {"STR": 15, "CON": 14}, "skills": {"Melee": 3}});
    table.call("manage_character", sabeth).expect("made");
    let melee = || {
        table.tray.lay(&[10]);
        let reply = table
            .call("skill_check", json!({"skill": "Melee", "difficulty": 15}))
            .expect("a reply");
        (
            reply["modifier"].as_i64(),
            reply["margin"].as_i64(),
            reply["outcome"].clone(),
        )
    };
    let before = (Some(5), Some(0), json!("success"));
    assert_eq!(melee(), before);
    let written =
        "\n## Checks\n\n### Check\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n";
    table
        .bench
        .save("System.md", &format!("{LOCKHOUSE}{written}"));
    assert_eq!(melee(), before, "not the score of 15");
    let sheet = table
        .call("get_character", json!({"character": "Sabeth"}))
        .expect("a sheet");
    assert!(
        sheet["summary"].to_string().contains("14/14"),
        "8, 2 for CON 14, 4 a level: {}",
        sheet["summary"]
    );
    table.bench.save("System.md", LOCKHOUSE);
    assert_eq!(melee(), before);
}
