//! `rollbook test`: examples in the rules are tests.

use crate::author::bench::{Bench, RULES};

fn with_example(lines: &str) -> Bench {
    Bench::of(&format!(
        "{RULES}\n## Examples\n\n```playtest Picking a lock\n{lines}```\n"
    ))
}

#[test]
fn an_example_that_holds_is_one_line() {
    let bench = with_example(
        "character Aria: DEX 14, Lockpicking +2\n\
         > skill_check character=Aria skill=Lockpicking difficulty=15\n\
         dice 13\n= outcome: success\n= margin: 2\n= roll.rng.source: pinned\n= nothing_such: null\n\
         > skill_check character=Aria skill=Lockpik difficulty=15\n! unknown_skill\n= did_you_mean.0: Lockpicking\n",
    );
    let output = bench.run(&["test"]);
    output.ends(0);
    assert_eq!(
        output.out,
        "ok    Picking a lock  (System.md:15)\n\n1 playtest holds.\n"
    );
}

#[test]
fn what_differs_is_drawn_where_it_stands() {
    let bench = with_example(
        "character Aria: DEX 14, Lockpicking +2\n\
         > skill_check skill=Lockpicking difficulty=15\ndice 13\n= outcome: failure\n= roll.totl: 17\n\
         > skill_check skill=Lockpik difficulty=15\n! unknown_check\n",
    );
    insta::assert_snapshot!(bench.run(&["test"]).ends(1).out);
}

#[test]
fn dice_are_named_exactly() {
    for (dice, shown) in [
        ("", "too few dice: 0 are given and the call needs more"),
        (
            "dice 3\n",
            "too few dice: 1 is given and the call needs more",
        ),
        ("dice 3 4 5\n", "dice left over: 5"),
        ("dice 3 7\n", "die number 2 cannot show 7"),
        ("dice 3 x\n", "`x` is no face of a die"),
    ] {
        with_example(&format!("> roll_dice expression=2d6\n{dice}"))
            .run(&["test"])
            .ends(1)
            .says(shown);
    }
    with_example("> roll_dice expression=2d6\ndice 3, 4\n= total: 7\n")
        .run(&["test"])
        .ends(0);
    with_example("> roll_dice expression=4dF\ndice -1 0 1 1\n= total: 1\n")
        .run(&["test"])
        .ends(0);
}

#[test]
fn a_refusal_is_what_was_expected_or_a_failure() {
    with_example("> skill_check skill=Lore difficulty=15\n")
        .run(&["test"])
        .ends(1)
        .says("error[playtest/refused]: the call was refused: no_character")
        .says("say so in the line below: ! no_character");
    with_example("> roll_dice expression=d6\ndice 2\n! unknown_skill\n")
        .run(&["test"])
        .ends(1)
        .says(
            "error[playtest/not-refused]: the call was carried out, not refused with unknown_skill",
        );
    // The same schema as any client's: every bad argument at once.
    with_example("> skill_check skil=Lockpicking difficulty=[1]\n! invalid_parameters\n= details.1.parameter: skil\n")
        .run(&["test"])
        .ends(0);
}

#[test]
fn a_refusal_that_cannot_come_is_a_slip() {
    let slip = "> skill_check skill=Lockpik difficulty=15\n! unknown_skil\n";
    with_example(slip)
        .run(&["test"])
        .ends(1)
        .says("playtest/unreadable")
        .says("did you mean `unknown_skill`?");
    let table = "| roll_dice | dice | refused |\n|---|---|---|\n| d6 | | xyzzy plugh |\n";
    let output = Bench::of(RULES).with("tests/a.md", table).run(&["test"]);
    output
        .ends(1)
        .says("playtest/unreadable")
        .says("for example: unknown_skill")
        .says("tests/a.md:3:");
}

#[test]
fn what_is_on_a_call_that_was_not_made_is_not_blamed() {
    let output =
        with_example("> skill_check skill=Lockpicking difficulty=15\ndice 3\n> roll_dice expression=d6\ndice 9\n")
            .run(&["test"]);
    output.ends(1).says("the call after it was not made");
    assert!(!output.out.contains("cannot show 9"), "{}", output.out);
}

#[test]
fn lines_that_cannot_be_read_are_told_all_at_once() {
    let bench = with_example(
        "caracter Aria: DEX 14\n> roll_dic expression=2d6\ncharacter Bo: DXE 12\n= outcome\n> roll_dice 2d6\n",
    );
    insta::assert_snapshot!(bench.run(&["test"]).ends(1).out);
}

#[test]
fn each_playtest_is_a_campaign_of_its_own() {
    let bench = Bench::of(RULES).with(
        "tests/names.md",
        "# Names\n\n```playtest one\ncharacter Aria: DEX 14\n```\n\n```playtest two\ncharacter Aria: DEX 9\n> get_character character=Aria\n= character.attributes.Dexterity.score: 9\n= character.attributes.dexterity.modifier: -1\n```\n",
    );
    bench
        .run(&["test"])
        .ends(0)
        .says("ok    two  (tests/names.md:7)");
    assert!(!bench.path(".rollbook").exists(), "nothing is kept");
}

#[test]
fn a_table_is_the_short_form() {
    let table = "# Locks\n\n\
        | skill_check | character | difficulty | dice | outcome | roll.total | ! |\n|---|---|---|---|---|---|---|\n\
        | Lockpicking | Aria: DEX 14 | 15 | 13 | success | 15 | |\n\
        | Lockpicking | Aria: DEX 14 | 15 | 12 | success | 14 | |\n\
        | Lockpik | Aria: DEX 14 | 15 | | | | unknown_skill |\n\n\
        | Lock | dice |\n|---|---|\n| not a playtest | 3 |\n";
    let bench = Bench::of(RULES).with("tests/locks.md", table);
    let output = bench.run(&["test"]);
    output
        .ends(1)
        .says("ok    skill_check Lockpicking (line 5)")
        .says("1 of 3 playtests failed");
    output.says("error[playtest/differs]: `outcome` is \"failure\", not \"success\"\n --> tests/locks.md:6:42");
    bench.run(&["test", "--update"]).ends(0);
    assert_eq!(
        bench.read("tests/locks.md"),
        table.replace("12 | success", "12 | failure")
    );
}

#[test]
fn a_row_that_is_refused_or_is_not_is_held_to_its_cell() {
    let table = "| skill_check | character | difficulty | dice | outcome | refused |\n|---|---|---|---|---|---|\n\
        | Lockpik | Aria: DEX 14 | 15 | | | unknown_skill |\n\
        | Lockpik | Aria: DEX 14 | 15 | | | unknown_character |\n\
        | Lockpicking | Aria: DEX 14 | 15 | 13 | | unknown_skill |\n\
        | Lockpik | Aria: DEX 14 | 15 | 13 | success | |\n";
    let output = Bench::of(RULES).with("tests/a.md", table).run(&["test"]);
    output
        .ends(1)
        .says("3 of 4 playtests failed")
        .says("ok    skill_check Lockpik (line 3)");
    output
        .says("error[playtest/refused]: the call was refused: unknown_skill")
        .says("tests/a.md:4:");
    output
        .says("error[playtest/not-refused]")
        .says("tests/a.md:5:")
        .says("tests/a.md:6:");
}

#[test]
fn tables_of_several_tools_are_in_one_file() {
    let tables = "# Dice\n\n| roll_dice | dice | total | modifiers |\n|---|---|---|---|\n| 2d6+1 | 3 4 | 9 | 1 |\n| 4d6kh3 | 1 2 3 4 | 9 | - |\n\n\
        # Sheets\n\n| get_character | dice | character.attributes.Dexterity.modifier | ! |\n|---|---|---|---|\n| Aria: DEX 14 | | 2 | |\n| Nobody | | | no_character |\n\n\
        # Odds\n\n| odds | at_least | dice | chances.0.fraction |\n|---|---|---|---|\n| 2d20kh1 | 11 | | 1/2 |\n\n\
        # Several\n\n| roll_multiple | count | dice | rolls.1.total |\n|---|---|---|---|\n| [{\"expression\": \"1d6\"}] | 2 | 3 5 | 5 |\n";
    let bench = Bench::of(RULES).with("tests/a.md", tables);
    bench.run(&["test"]).ends(1).says("3 of 6 playtests failed");
    let output = bench.run(&["test", "--update"]);
    assert_eq!(output.err, "tests/a.md: 3 values rewritten.\n");
    let mended = tables
        .replace("| 3 4 | 9", "| 3 4 | 8")
        .replace("4 | 9 | - |", "4 | 9 | 0 |")
        .replace("1/2", "3/4");
    assert_eq!(
        bench.read("tests/a.md"),
        mended,
        "values alone, each in its own cell"
    );
    bench.run(&["test"]).ends(0).says("6 playtests hold.");
}

#[test]
fn a_table_without_dice_is_answered_with_how_it_is_made() {
    let bench = Bench::of(RULES).with(
        "tests/a.md",
        "| roll_dice | total |\n|---|---|\n| 1d6 | 3 |\n",
    );
    bench
        .run(&["test"])
        .ends(1)
        .says("this table of `roll_dice` has no `dice` column");
}

#[test]
fn update_rewrites_values_and_no_byte_beside_them() {
    let text = "\u{feff}# Tést\r\n\r\n\t```playtest indented, so code and no playtest\r\n\r\n```playtest a\r\n\
        >   roll_dice   expression=2d6   # é\r\n```\r\n\r\n~~~playtest b\r\n# note = total: 1\r\n> roll_dice expression=2d6+1\r\n\
        dice   3  4\r\n=   total :   99   \r\n= modifiers: 0\r\n= explanation: \"x\"\r\n= nothing: 4\r\n~~~\r\nend";
    let bench = Bench::of(RULES).with("tests/a.md", text);
    let output = bench.run(&["test", "--update", "--only", "b"]);
    output.ends(1).says("the reply has no `nothing`");
    assert_eq!(output.err, "tests/a.md: 3 values rewritten.\n");
    let expected = text
        .replace("99", "8")
        .replace("modifiers: 0", "modifiers: 1")
        .replace("\"x\"", "2d6: [3, 4]; + 1 = 8");
    assert_eq!(bench.read("tests/a.md"), expected);
    assert_eq!(
        bench.read("System.md"),
        RULES,
        "what did not fail is not touched"
    );
}

#[test]
fn json_says_what_failed_and_what_would_hold() {
    let bench = with_example("> roll_dice expression=2d6\ndice 3 4\n= total: \"<8>\"\n").with(
        "tests/fine.md",
        "```playtest fine & well\n> roll_dice expression=d6\ndice 1\n```\n",
    );
    let json = bench.run(&["test", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.ends(1).out).expect("JSON");
    assert_eq!((&json["passed"], &json["failed"]), (&1.into(), &1.into()));
    let failed = &json["playtests"][0];
    assert_eq!(
        (&failed["name"], &failed["line"]),
        (&"Picking a lock".into(), &15.into())
    );
    assert_eq!(failed["failures"][0]["update"], "7");
    assert_eq!(failed["failures"][0]["line"], 18);
}

#[test]
fn no_playtests_no_folder_and_no_rules_are_told_apart() {
    Bench::of(RULES)
        .run(&["test"])
        .ends(0)
        .says("No playtests.");
    let output = Bench::empty().run(&["test", "nowhere"]);
    output.ends(2);
    assert!(
        output.err.contains("there is no folder nowhere"),
        "{}",
        output.err
    );
    let narrative = Bench::empty().with(
        "tests/a.md",
        "```playtest\n> skill_check skill=Lore\n! no_rules\n> roll_dice expression=d6\ndice 6\n= total: 6\n```\n",
    );
    narrative
        .run(&["test"])
        .ends(0)
        .says("ok    tests/a.md:1  (tests/a.md:1)");
}

#[test]
fn a_name_that_no_playtest_has_is_no_success() {
    let bench = Bench::of(RULES).with(
        "tests/a.md",
        "```playtest A\n> roll_dice expression=d6\n```\n",
    );
    let output = bench.run(&["test", "--only", "nothing like it"]);
    assert_eq!(
        output.ends(2).err,
        "rollbook: none of the 1 playtests has \"nothing like it\" in its name\n"
    );
}

#[test]
fn what_is_nearly_a_playtest_is_reported() {
    for (text, wrong) in [
        (
            "```Playtest three\n> roll_dice expression=d6\n```\n",
            "`Playtest` is not `playtest`",
        ),
        (
            "```play-test four\n> roll_dice expression=d6\n```\n",
            "`play-test` is not `playtest`",
        ),
        (
            "| skill check | dice | outcome |\n|---|---|---|\n| Lore | 4 | failure |\n",
            "`skill check` is not `skill_check`",
        ),
    ] {
        Bench::of(RULES)
            .with("tests/a.md", text)
            .run(&["test"])
            .ends(1)
            .says(wrong);
    }
    Bench::of(RULES)
        .with("tests/a.md", "```text\nplay\n```\n")
        .run(&["test"])
        .ends(0)
        .says("No playtests.");
}

#[test]
fn a_missing_comma_is_reported() {
    let text =
        "```playtest\ncharacter Aria: DEX 14 Lockpicking +2\n> roll_dice expression=d6\n```\n";
    Bench::of(RULES)
        .with("tests/a.md", text)
        .run(&["test"])
        .ends(1)
        .says("a comma stands between two of them");
}

#[test]
fn a_file_of_tests_that_cannot_be_read_fails() {
    let bench = Bench::of(RULES).with("tests/a.md", "");
    std::fs::write(
        bench.path("tests/a.md"),
        b"```playtest\n> roll_dice expression=d6 # \xff\n```\n",
    )
    .expect("written");
    bench.run(&["test"]).ends(1).says("is not UTF-8");
}
