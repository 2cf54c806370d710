//! Adventures that are built on the rules of others.

use super::bench::Bench;

const SKIES: &str = "# Skies\n\n## Skills\n- Rigging\n\n## Checks\n\n### Try\n- Roll: `1d20`\n- Target: `{difficulty}`\n\n\
    | Outcome | When |\n|---|---|\n| Success | margin 0+ |\n| Failure | otherwise |\n";
const MINE: &str = "# Mine\n\n- Version: 1.2\n- Base: ../skies\n";

fn shelf() -> Bench {
    Bench::empty().with("mine/System.md", MINE).with("skies/System.md", SKIES)
}

#[test]
fn a_base_in_a_folder_is_read_below_adventures_and_nowhere_else() {
    let bench = shelf();
    let shown = bench.run(&["show", "mine", "--adventures", "."]).ends(0).out.clone();
    assert!(shown.contains("version") && shown.contains("1.2") && shown.contains("skies/System.md:4"), "{shown}");
    let without = bench.run(&["check", "mine", "--format", "plain"]).ends(1).out.clone();
    assert!(without.contains("document/base") && without.contains("--adventures DIR"), "{without}");
    let out = bench.run(&["check", "mine", "--adventures", "mine", "--format", "plain"]).ends(1).out.clone();
    assert!(out.contains("it leads out of"), "{out}");
    let gone = bench.run(&["check", "mine", "--adventures", "gone"]).ends(2).err.clone();
    assert!(gone.contains("cannot read the folder of adventures gone"), "{gone}");
    for (base, said) in [
        ("../sky", "there is no folder sky"),
        ("../../x", "it leads out of"),
        ("../mine", "this adventure itself"),
        ("d20", "`- Base: builtin:d20`"),
    ] {
        bench.save("mine/System.md", &MINE.replace("../skies", base));
        let found = bench.run(&["check", "mine", "--adventures", ".", "--format", "plain"]).ends(1).out.clone();
        assert!(found.contains(said), "{base}: {found}");
    }
}

#[cfg(unix)]
#[test]
fn no_symbolic_link_is_followed_to_a_base() {
    let bench = shelf();
    std::os::unix::fs::symlink(bench.path("skies"), bench.path("sky")).expect("a link");
    bench.save("mine/System.md", &MINE.replace("../skies", "../sky"));
    let found = bench.run(&["check", "mine", "--adventures", ".", "--format", "plain"]).ends(1).out.clone();
    assert!(found.contains("sky is a symbolic link"), "{found}");
    std::fs::remove_file(bench.path("sky")).expect("gone");
    std::fs::create_dir(bench.path("sky")).expect("a folder");
    std::os::unix::fs::symlink(bench.path("skies/System.md"), bench.path("sky/System.md")).expect("a link");
    let found = bench.run(&["check", "mine", "--adventures", ".", "--format", "plain"]).ends(1).out.clone();
    assert!(found.contains("sky/System.md is a symbolic link"), "{found}");
}

#[test]
fn playtests_of_a_base_are_its_own() {
    let example = "\n## Examples\n\n```playtest a\n> roll_dice expression=1d6\ndice 3\n= total: 4\n```\n";
    let bench = shelf();
    bench.save("skies/System.md", &format!("{SKIES}{example}"));
    bench.run(&["test", "skies"]).ends(1);
    let none = bench.run(&["test", "mine", "--adventures", "."]);
    assert!(!none.out.contains("fail"), "{}{}", none.out, none.err);
    let played = "\n```playtest b\ncharacter Ana: Rigging +2\n> skill_check character=Ana skill=Rigging difficulty=10\ndice 12\n= outcome: success\n```\n";
    bench.save("mine/System.md", &format!("{MINE}{played}"));
    bench.run(&["test", "mine", "--adventures", "."]).ends(0);
}
