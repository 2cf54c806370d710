//! The author's smaller commands: `new`, `show`, `try`; rules that build on others; pinned dice;
//! the shipped playtests.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::author::bench::{Bench, RULES};
use crate::process::{Came, LOCKHOUSE, call, ran_with};

/// Twelve families, and a beginning without one.
const TEMPLATES: [&str; 13] = [
    "d20",
    "pbta",
    "fate",
    "percentile",
    "pool",
    "osr",
    "hits",
    "push",
    "under",
    "effect",
    "step",
    "challenge",
    "blank",
];

#[test]
fn all_templates_are_looked_at() {
    let help = Bench::empty().run(&["new", "--help"]).ends(0).out.clone();
    let named = help
        .lines()
        .filter(|line| line.trim_start().starts_with("- "))
        .count();
    assert_eq!(named, TEMPLATES.len(), "{help}");
}

#[test]
fn a_family_that_is_none_is_answered_with_all_of_them_in_words() {
    let bench = Bench::empty();
    let refused = bench.run(&["new", "x", "--template", "dnd5e"]);
    let err = &refused.ends(2).err;
    assert!(
        err.contains("cannot be 'dnd5e'") && err.contains("d20         A d20, a modifier"),
        "{err}"
    );
    assert!(
        TEMPLATES
            .iter()
            .all(|one| err.contains(&format!("\n  {one} "))),
        "{err}"
    );
}

#[test]
fn commands_that_are_printed_can_be_typed() {
    let bench = Bench::empty();
    let nothing = bench.run(&["check"]);
    nothing
        .ends(0)
        .says("one of down-special, ")
        .says("`rollbook new NAME`");
    let new = bench.run(&["new", "my game", "--template", "blank"]);
    new.ends(0).says("rollbook check 'my game'   what");
    bench.save(
        "my game/System.md",
        "# X\n\n## Attributes\n\n- Body (Range: 3 to 1)\n",
    );
    let doctor = bench.run(&["doctor"]);
    doctor.says("`rollbook check './my game'` shows each");
}

#[test]
fn every_template_is_sound_and_its_examples_hold() {
    for template in TEMPLATES {
        let bench = Bench::empty();
        bench
            .run(&["new", "harbour-nights", "--template", template])
            .ends(0);
        assert!(
            bench
                .read("harbour-nights/System.md")
                .starts_with("# Harbour nights\n")
        );
        let check = bench.run(&["check", "harbour-nights", "--format", "plain"]);
        assert_eq!(check.ends(0).out, "", "{template} has nothing to remark");
        let test = bench.run(&["test", "harbour-nights"]);
        let holding = test
            .ends(0)
            .out
            .lines()
            .find_map(|line| line.strip_suffix(" playtests hold.")?.parse().ok());
        assert!(holding >= Some(5), "{template}: {}", test.out);
        assert!(
            bench
                .read("harbour-nights/Why.md")
                .starts_with("# Why these rules are written so\n"),
            "{template}"
        );
    }
}

#[test]
fn nothing_is_written_over() {
    let bench = Bench::empty()
        .with("a/System.md", "mine")
        .with("b/tests/checks.md", "mine")
        .with("c/System/a.md", "mine");
    for folder in ["a", "b", "c"] {
        let output = bench.run(&["new", folder]);
        assert!(output.ends(2).err.contains("already"), "{}", output.err);
    }
    assert_eq!(
        (bench.read("a/System.md"), bench.read("b/tests/checks.md")),
        ("mine".into(), "mine".into())
    );
    assert!(
        !bench.path("a/tests").exists()
            && !bench.path("b/System.md").exists()
            && !bench.path("c/System.md").exists()
    );
}

#[test]
fn a_folder_with_other_things_in_it_will_do() {
    let bench = Bench::empty().with("Scenes.md", "a scene");
    bench.run(&["new", ".", "--template", "blank"]).ends(0);
    assert_eq!(bench.read("Scenes.md"), "a scene");
    bench.run(&["test"]).ends(0);
}

/// Adventures that are built on the rules of others.
const SKIES: &str = "# Skies\n\n## Skills\n- Rigging\n\n## Checks\n\n### Try\n- Roll: `1d20`\n- Target: `{difficulty}`\n\n\
    | Outcome | When |\n|---|---|\n| Success | margin 0+ |\n| Failure | otherwise |\n";
const MINE: &str = "# Mine\n\n- Version: 1.2\n- Base: ../skies\n";

fn shelf() -> Bench {
    Bench::empty()
        .with("mine/System.md", MINE)
        .with("skies/System.md", SKIES)
}

#[test]
fn a_base_in_a_folder_is_read_below_adventures_and_nowhere_else() {
    let bench = shelf();
    let shown = bench
        .run(&["show", "mine", "--adventures", "."])
        .ends(0)
        .out
        .clone();
    assert!(
        shown.contains("version") && shown.contains("1.2") && shown.contains("skies/System.md:4"),
        "{shown}"
    );
    let without = bench
        .run(&["check", "mine", "--format", "plain"])
        .ends(1)
        .out
        .clone();
    assert!(
        without.contains("document/base") && without.contains("--adventures DIR"),
        "{without}"
    );
    let out = bench
        .run(&["check", "mine", "--adventures", "mine", "--format", "plain"])
        .ends(1)
        .out
        .clone();
    assert!(out.contains("it leads out of"), "{out}");
    let gone = bench
        .run(&["check", "mine", "--adventures", "gone"])
        .ends(2)
        .err
        .clone();
    assert!(
        gone.contains("cannot read the folder of adventures gone"),
        "{gone}"
    );
    for command in ["roll d6", "new other", "log", "demo"] {
        let line = format!("{command} --adventures .");
        let refused = bench.run(&line.split(' ').collect::<Vec<_>>());
        refused.ends(2);
        let why = "unexpected argument '--adventures'";
        assert!(refused.err.contains(why), "{line}: {}", refused.err);
    }
    let init = "init --adventure mine --client claude-code --adventures .";
    bench.run(&init.split(' ').collect::<Vec<_>>()).ends(0);
    let settings = std::fs::read_to_string(bench.path(".mcp.json")).expect("settings");
    assert!(settings.contains("--adventures"), "{settings}");
    for (base, written) in [
        ("../sky", "there is no folder sky"),
        ("../../x", "it leads out of"),
        ("../mine", "this adventure itself"),
        ("d20", "`- Base: builtin:d20`"),
    ] {
        bench.save("mine/System.md", &MINE.replace("../skies", base));
        let found = bench
            .run(&["check", "mine", "--adventures", ".", "--format", "plain"])
            .ends(1)
            .out
            .clone();
        assert!(found.contains(written), "{base}: {found}");
    }
}

#[cfg(unix)]
#[test]
fn no_symbolic_link_is_followed_to_a_base() {
    let bench = shelf();
    std::os::unix::fs::symlink(bench.path("skies"), bench.path("sky")).expect("a link");
    bench.save("mine/System.md", &MINE.replace("../skies", "../sky"));
    let found = bench
        .run(&["check", "mine", "--adventures", ".", "--format", "plain"])
        .ends(1)
        .out
        .clone();
    assert!(found.contains("sky is a symbolic link"), "{found}");
    std::fs::remove_file(bench.path("sky")).expect("gone");
    std::fs::create_dir(bench.path("sky")).expect("a folder");
    std::os::unix::fs::symlink(bench.path("skies/System.md"), bench.path("sky/System.md"))
        .expect("a link");
    let found = bench
        .run(&["check", "mine", "--adventures", ".", "--format", "plain"])
        .ends(1)
        .out
        .clone();
    assert!(
        found.contains("sky/System.md is a symbolic link"),
        "{found}"
    );
}

#[test]
fn playtests_of_a_base_are_its_own() {
    let example =
        "\n## Examples\n\n```playtest a\n> roll_dice expression=1d6\ndice 3\n= total: 4\n```\n";
    let bench = shelf();
    bench.save("skies/System.md", &format!("{SKIES}{example}"));
    bench.run(&["test", "skies"]).ends(1);
    let none = bench.run(&["test", "mine", "--adventures", "."]);
    assert!(!none.out.contains("fail"), "{}{}", none.out, none.err);
    let played = "\n```playtest b\ncharacter Ana: Rigging +2\n> skill_check character=Ana skill=Rigging difficulty=10\ndice 12\n= outcome: success\n```\n";
    bench.save("mine/System.md", &format!("{MINE}{played}"));
    bench.run(&["test", "mine", "--adventures", "."]).ends(0);
}

// Dice are pinned by an author's commands and by nobody else.

/// A server with everything in its environment that a user might try, asked for many dice.
#[test]
fn no_argument_and_no_variable_of_the_server_pins_a_die() {
    let bench = Bench::of(RULES);
    let mut command = bench.command(&[
        "serve",
        "--adventure",
        ".",
        "--db",
        "a.db",
        "--detail",
        "full",
    ]);
    for name in [
        "ROLLBOOK_DICE",
        "ROLLBOOK_PIN",
        "ROLLBOOK_SEED",
        "DICE",
        "SEED",
        "ROLLBOOK_TEST",
        "ROLLBOOK_SOURCE",
    ] {
        command.env(name, "7 7 7 7 7 7 7 7");
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = vec![
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a raw client", "version": "1"},
        }}),
    ];
    lines.push(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    lines.push(call(json!(2), "roll_dice", json!({"expression": "8d100"})));
    for (id, name) in (3..).zip(["dice", "faces", "pinned", "seed", "rng", "source"]) {
        lines.push(call(
            json!(id),
            "roll_dice",
            json!({"expression": "8d100", (name): [7, 7, 7, 7, 7, 7, 7, 7]}),
        ));
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let mut input = child.stdin.take().expect("its input");
    std::io::Write::write_all(&mut input, text.as_bytes()).expect("it reads");
    // The server leaves when its input ends, so the end waits for the last answer.
    let mut output = std::io::BufReader::new(child.stdout.take().expect("its output"));
    let mut answers = Vec::new();
    while answers.len() < lines.len() - 1 {
        let mut line = String::new();
        assert_ne!(
            std::io::BufRead::read_line(&mut output, &mut line).expect("a line"),
            0,
            "it answers all"
        );
        answers.push(serde_json::from_str::<Value>(&line).expect("JSON"));
    }
    drop(input);
    child.wait().expect("it ends");
    let answer = |id: i64| {
        answers
            .iter()
            .find(|answer| answer["id"] == id)
            .expect("an answer")["result"]
            .clone()
    };
    let rolled = &answer(2)["structuredContent"];
    assert_eq!(rolled["rng"]["source"], "os-chacha12", "{rolled}");
    assert_ne!(
        rolled["individual_rolls"],
        json!([7, 7, 7, 7, 7, 7, 7, 7]),
        "once in 10^16 runs"
    );
    for id in 3..9 {
        let refused = answer(id);
        assert_eq!(refused["isError"], true, "{refused}");
        assert_eq!(refused["structuredContent"]["code"], "invalid_parameters");
    }
}

/// `rollbook show`: the model, each item with its line.
#[test]
fn every_item_has_a_line_that_holds_it() {
    let bench = Bench::empty();
    let model: Value =
        serde_json::from_str(&bench.run(&["show", LOCKHOUSE, "--json"]).ends(0).out).expect("JSON");
    let text = std::fs::read_to_string(format!("{LOCKHOUSE}/System.md")).expect("the rules");
    let lines: Vec<&str> = text.lines().collect();
    let mut seen = 0;
    for kind in [
        "attributes",
        "skills",
        "checks",
        "tracks",
        "triggers",
        "rests",
        "conditions",
        "sections",
    ] {
        for item in model[kind].as_array().expect("a list") {
            let at = item["at"]
                .as_str()
                .unwrap_or_else(|| panic!("{kind} {item} has a place"));
            let line: usize = at
                .strip_prefix("System.md:")
                .and_then(|line| line.parse().ok())
                .expect("a line");
            if ["attributes", "skills", "tracks", "rests"].contains(&kind) {
                let name = item["name"].as_str().expect("a name");
                assert!(
                    lines[line - 1].contains(name),
                    "{name} stands in line {line}: {}",
                    lines[line - 1]
                );
            }
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
    assert_eq!(model["skills"][3]["attribute"], "Dexterity");
    assert_eq!(model["title"], "The Lockhouse: rules of play");
}

#[test]
fn a_person_reads_a_table() {
    let output = Bench::empty().run(&["show", LOCKHOUSE]);
    output.ends(0).says("Lockpicking").says("System.md:44");
    Bench::empty()
        .run(&["show"])
        .ends(0)
        .says("A narrative adventure");
}

#[test]
fn rows_of_a_check_have_their_lines() {
    let bench = Bench::empty();
    bench.run(&["new", ".", "--template", "pbta"]).ends(0);
    let model: Value = serde_json::from_str(&bench.run(&["show", "--json"]).out).expect("JSON");
    let rows = model["checks"][0]["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1]["label"], "Weak hit");
    assert_eq!(rows[1]["outcome"], "partial_success");
    let line = rows[1]["at"]
        .as_str()
        .and_then(|at| at.strip_prefix("System.md:"))
        .expect("a place");
    let line: usize = line.parse().expect("a number");
    assert!(
        bench
            .read("System.md")
            .lines()
            .nth(line - 1)
            .expect("a line")
            .contains("Weak hit")
    );
}

#[test]
fn what_health_and_conditions_do_is_shown_to_people_and_programs() {
    let rules = "# T\n\n## Attributes\n- Wits\n- Brawn\n\n## Checks\n\n### Try\n- Roll: `1d6`\n- Again Push: reroll all; after failure\n- Flag odd: natural 1; after Push\n\n\
                 ## Health\n- Damage: Ward, Wits, Brawn\n- Stress: soak 1, 2\n- Wounds: 3 boxes, over: gain Incapacitated\n\
                 - One hit 5+: Wounds +`floor(({hit} - 5) / 4)`\n- Armour: subtract {Armour}\n- Ward: from 0, keeps larger\n\
                 - Long rest: Wounds -1, Stress to 0\n\n\
                 ## Conditions\n- Dazed (1-3): -{Dazed} on checks, for 3 rounds, *no running*\n";
    let bench = Bench::of(rules);
    let model: Value =
        serde_json::from_str(&bench.run(&["show", "--json"]).ends(0).out).expect("JSON");
    assert_eq!(
        model["damage"][0]["stages"],
        serde_json::json!([["Ward"], ["Wits"], ["Brawn"]])
    );
    for (kind, at) in [
        ("damage", "System.md:15"),
        ("marks", "System.md:16"),
        ("tracks", "System.md:17"),
        ("triggers", "System.md:17"),
        ("defences", "System.md:19"),
    ] {
        assert_eq!(model[kind][0]["at"], at, "{kind}: {}", model[kind]);
    }
    assert_eq!(model["tracks"][1]["keeps_larger"], true);
    assert_eq!(
        model["triggers"][1]["effects"],
        serde_json::json!(["Wounds +`floor(({hit} - 5) / 4)`"])
    );
    assert_eq!(
        model["rests"][0]["effects"],
        serde_json::json!(["Wounds -1", "Stress to 0"])
    );
    let bullets = &model["checks"][0]["bullets"];
    let push = serde_json::json!({"label": "Again Push", "is": "reroll all, after failure", "at": "System.md:11"});
    assert_eq!(
        (&bullets[1], &bullets[2]["is"]),
        (&push, &serde_json::json!("natural 1, after Push"))
    );
    let dazed = &model["conditions"][0];
    assert_eq!(dazed["levels"], serde_json::json!([1, 3]));
    assert_eq!(dazed["effects"], serde_json::json!(["-{Dazed} on checks"]));
    assert_eq!(dazed["lasts"], "for 3 rounds");
    let output = bench.run(&["show"]);
    output
        .ends(0)
        .says("for 3 rounds")
        .says("Ward, then Wits, then Brawn")
        .says("Wounds -1, Stress to 0");
}

/// `rollbook try`: a prompt whose campaign is thrown away.
fn typed(bench: &Bench, words: &[&str], lines: &str) -> Came {
    ran_with(&mut bench.command(&[&["try"], words].concat()), lines)
}

const PLAY: &str = "\
# a comment
character Aria: DEX 14, Lockpicking +2
> skill_check skill=Lockpicking difficulty=15
= outcome: success
skill_check skill=Lockpik difficulty=15
! unknown_skill
dice 3 3
roll_dice expression=2d6 context=\"a fall: on the stairs\"
get_character character=Aria view=brief
";

#[test]
fn calls_are_carried_out_one_by_one() {
    let bench = Bench::of(RULES);
    let output = typed(&bench, &["--dice", "13"], PLAY);
    output
        .ends(0)
        .says("Aria, Lockpicking: 1d20: [13]; + 4 = 17 against 15: success by 2.\n  ")
        .says("\nholds\nrefused (unknown_skill): No skill \"Lockpik\"")
        .says("2d6: [3, 3] = 6");
    assert!(!bench.path(".rollbook").exists(), "nothing is kept");
    assert_eq!(output.err, "", "no prompt in a pipe");
}

#[test]
fn what_is_recorded_holds_whatever_is_rolled() {
    let bench = Bench::of(RULES).with("tests/mine.md", "# Mine\n");
    for name in ["one", "two"] {
        // The last roll is made with real dice.
        let lines = format!(
            "{PLAY}roll_dice expression=8d10\nskill_check skill=Lockpicking difficulty=11\n"
        );
        typed(
            &bench,
            &["--record", "tests/mine.md", "--name", name, "--dice=13"],
            &lines,
        )
        .ends(0);
    }
    let recorded = bench.read("tests/mine.md");
    assert!(recorded.starts_with("# Mine\n\n```playtest one\ncharacter Aria: DEX 14, Lockpicking +2\n> skill_check skill=Lockpicking difficulty=15\ndice 13\n= outcome: success\n"), "{recorded}");
    assert!(recorded.contains("! unknown_skill\n"), "{recorded}");
    bench
        .run(&["test"])
        .ends(0)
        .says("ok    one")
        .says("ok    two")
        .says("2 playtests hold.");
}

#[test]
fn a_line_that_cannot_be_carried_out_says_why_and_play_goes_on() {
    let lines = "skil_check a=1\n= total: 3\ndice x\ndice 9\nroll_dice expression=d6\nroll_dice expression=3\ncharacter Bo: DXE 1\nquit\nnever read";
    let output = typed(
        &Bench::of(RULES),
        &["--record", "never.md"],
        &format!("{lines}\n"),
    );
    output
        .ends(1)
        .says("no tool is called `skil_check`\n  did you mean `skill_check`?")
        .says("There is no reply yet")
        .says("`x` is no face of a die")
        .says("shows 9, which this die does not have")
        .says("did you mean `DEX`?");
    assert!(!output.out.contains("never"), "{}", output.out);
}

#[test]
fn nothing_played_is_nothing_recorded() {
    let bench = Bench::of(RULES);
    let output = typed(&bench, &["--record", "a.md"], "");
    assert_eq!(
        output.ends(0).err,
        "Nothing was played, so nothing was recorded.\n"
    );
    assert!(!bench.path("a.md").exists());
    assert!(
        typed(&bench, &["--dice", "x"], "")
            .ends(2)
            .err
            .contains("no face of a die")
    );
}

/// The adventures of this repository hold what their playtests say.
#[test]
fn the_playtests_of_every_adventure_hold() {
    let adventures = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures"));
    let mut seen = 0;
    for folder in std::fs::read_dir(adventures)
        .expect("adventures")
        .map(|entry| entry.expect("a folder").path())
    {
        let output = Bench::empty().run(&["test", folder.to_str().expect("a path")]);
        output.ends(0);
        assert!(
            !output.out.starts_with("No playtests"),
            "{} has no playtests",
            folder.display()
        );
        seen += 1;
    }
    assert!(seen > 0);
}

/// The blocks of a document: rules marked `system`, each with the `playtest` blocks after it.
fn documented(document: &str) -> Vec<(String, String)> {
    let mut games: Vec<(String, String)> = Vec::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        let kind = line
            .strip_prefix("```")
            .map(|info| info.split_whitespace().next().unwrap_or_default());
        let mut block = || {
            lines
                .by_ref()
                .take_while(|line| *line != "```")
                .map(|line| format!("{line}\n"))
                .collect::<String>()
        };
        match kind {
            Some("system") => games.push((block(), String::new())),
            Some("playtest") => {
                let tests = &mut games.last_mut().expect("rules before their examples").1;
                tests.push_str(&format!("{line}\n{}```\n\n", block()));
            }
            // Another block, so that what is inside it is not taken for one.
            Some(_) => drop(block()),
            None => {}
        }
    }
    games
}

/// Every game of a document is read with nothing to remark, and its examples hold; how many
/// examples there are.
fn hold(document: &str) -> usize {
    let mut examples = 0;
    for (rules, tests) in documented(document) {
        let bench = Bench::of(&rules).with("tests/a.md", &tests);
        let check = bench.run(&["check"]);
        assert!(
            check.code == 0 && check.out.contains("\nNothing to remark.\n"),
            "{rules}\n{}",
            check.out
        );
        let count = tests.matches("```playtest").count();
        let test = bench.run(&["test"]);
        assert_eq!(test.code, 0, "{rules}\n{tests}\n{}{}", test.out, test.err);
        assert_eq!(
            test.out
                .lines()
                .filter(|line| line.starts_with("ok "))
                .count(),
            count,
            "{}",
            test.out
        );
        examples += count;
    }
    examples
}

#[test]
fn the_rules_and_the_examples_for_authors_hold() {
    assert_eq!(hold(include_str!("../../../docs/authors.md")), 1);
}

#[test]
fn the_rules_and_the_examples_in_the_reference_hold() {
    let output = Bench::empty().run(&["explain", "language"]);
    assert_eq!(
        output.ends(0).out,
        include_str!("../../../crates/rules/src/grammar/language.md"),
        "a pipe gets Markdown"
    );
    let examples = hold(&output.out);
    assert!(examples > 4, "{examples}");
}
