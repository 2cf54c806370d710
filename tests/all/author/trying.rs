//! `rollbook try`: a prompt whose campaign is thrown away.

use std::io::Write as _;
use std::process::Stdio;

use crate::author::bench::{Bench, RULES, Said};

fn typed(bench: &Bench, words: &[&str], lines: &str) -> Said {
    let mut command = bench.command(&[&["try"], words].concat());
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("it starts");
    child.stdin.take().expect("its input").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Said { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
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
    let said = typed(&bench, &["--dice", "13"], PLAY);
    said.ends(0)
        .says("Aria, Lockpicking: 1d20: [13]; + 4 = 17 against 15: success by 2.\n  ")
        .says("\nholds\nrefused (unknown_skill): No skill \"Lockpik\"")
        .says("2d6: [3, 3] = 6");
    assert!(!bench.path(".rollbook").exists(), "nothing is kept");
    assert_eq!(said.err, "", "no prompt in a pipe");
}

#[test]
fn what_is_recorded_holds_whatever_fell() {
    let bench = Bench::of(RULES).with("tests/mine.md", "# Mine\n");
    for name in ["one", "two"] {
        // The last roll is made with real dice.
        let lines = format!("{PLAY}roll_dice expression=8d10\nskill_check skill=Lockpicking difficulty=11\n");
        typed(&bench, &["--record", "tests/mine.md", "--name", name, "--dice=13"], &lines).ends(0);
    }
    let recorded = bench.read("tests/mine.md");
    assert!(recorded.starts_with("# Mine\n\n```playtest one\ncharacter Aria: DEX 14, Lockpicking +2\n> skill_check skill=Lockpicking difficulty=15\ndice 13\n= outcome: success\n"), "{recorded}");
    assert!(recorded.contains("! unknown_skill\n"), "{recorded}");
    bench.run(&["test"]).ends(0).says("ok    one").says("ok    two").says("2 playtests hold.");
}

#[test]
fn a_line_that_cannot_be_carried_out_says_why_and_play_goes_on() {
    let lines = "skil_check a=1\n= total: 3\ndice x\ndice 9\nroll_dice expression=d6\nroll_dice expression=3\ncharacter Bo: DXE 1\nquit\nnever read";
    let said = typed(&Bench::of(RULES), &["--record", "never.md"], &format!("{lines}\n"));
    said.ends(1)
        .says("no tool is called `skil_check`\n  did you mean `skill_check`?")
        .says("There is no reply yet")
        .says("`x` is no face of a die")
        .says("shows 9, which this die does not have")
        .says("did you mean `DEX`?");
    assert!(!said.out.contains("never"), "{}", said.out);
}

#[test]
fn nothing_played_is_nothing_recorded() {
    let bench = Bench::of(RULES);
    let said = typed(&bench, &["--record", "a.md"], "");
    assert_eq!(said.ends(0).err, "Nothing was played, so nothing was recorded.\n");
    assert!(!bench.path("a.md").exists());
    assert!(typed(&bench, &["--dice", "x"], "").ends(2).err.contains("no face of a die"));
}
