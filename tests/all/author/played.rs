//! Small rules, each with a playtest of what they say.

use crate::author::bench::Bench;

/// The rules with a playtest of these lines, which holds.
fn plays(rules: &str, lines: &str) -> Bench {
    let bench = Bench::of(&format!("# A\n\n{rules}\n## Examples\n\n```playtest As it is said\n{lines}```\n"));
    bench.run(&["test"]).ends(0);
    bench
}

const TABLE: &str = "\n\n| Outcome | When |\n|---|---|\n| Success | margin 0+ |\n| Failure | otherwise |\n";

#[test]
fn what_is_marked_on_a_foes_boxes_is_not_how_many_it_has() {
    let rules = format!(
        "## Attributes\n- Body\n\n## Checks\n### Strike\n- Roll: `{{Body}}d6`\n- Count: 5+\n- Target: 1{TABLE}\n\
         ## Health\n- Wounds: 6 boxes; full: dead\n\n## Attacks\n- Club: Body, 2\n"
    );
    let bench = plays(
        &rules,
        "> manage_character action=create name=Rat kind=npc attributes={\"Body\": 3} tracks={\"Wounds\": 2}\n\
         > get_character character=Rat\n= character.tracks.wounds.value: 2\n= character.tracks.wounds.max: 6\n\
         > manage_character action=import kind=npc text=\"### Zed\\n- Body: 3\\n- HP: 4\"\n\
         > get_character character=Zed\n= character.tracks.wounds.value: 0\n= character.tracks.wounds.max: 4\n",
    );
    let words = ["simulate", "--party", "Ana: Body 3, Wounds 2", "--foes", "Rat: Body 3, Wounds 2", "--runs", "20"];
    bench.run(&words).ends(0);
}

#[test]
fn a_line_of_a_block_is_the_track_that_is_called_so() {
    let rules = format!(
        "## Attributes\n- Body\n\n## Checks\n### Strike\n- Roll: `1d6 + {{Body}}`\n- Target: 6{TABLE}\n\
         ## Health\n- Hunger: 5 boxes\n- Hit points: max `10`, from 0\n- Armour: max `3`\n"
    );
    plays(
        &rules,
        "> manage_character action=import kind=npc text=\"### Zed\\n- Body: 3\\n- Hunger: 2\\n- Hit points: 4\\n- Armour: 2\"\n\
         > get_character character=Zed\n= character.tracks.hunger.value: 2\n= character.tracks.hunger.max: 5\n\
         = character.tracks.hit points.value: 4\n= character.tracks.armour.value: 2\n",
    );
}

#[test]
fn a_score_that_a_skill_goes_by_and_that_is_missing_is_named() {
    let rules = "## Attributes\n- Silk\n- Brass\n\n## Skills\n- Lie: base `{Silk} / 2`\n\n## Checks\n### Try\n- Roll: `1d20 + {skill}`\n\
                 - Target: 10\n";
    let rules = format!("{rules}{TABLE}");
    let bench = plays(
        &rules,
        "character Ana: Brass 3\n> skill_check character=Ana skill=Lie\n! missing_value\n\
         > manage_character action=update character=Ana attributes={\"Silk\": 4}\n> skill_check character=Ana skill=Lie\ndice 8\n= margin: 0\n",
    );
    let said = bench.run(&["odds", "--skills", "--character", "Ana: Brass 3"]);
    let why = "The untrained value of Lie (System.md";
    assert!(said.err.contains(why) && said.err.contains("needs {Silk}"), "{}", said.err);
}

#[test]
fn a_quantity_of_the_roll_in_a_formula_of_damage_needs_a_name() {
    let rules = |value: &str, damage: &str| {
        format!(
            "## Attributes\n- Might\n\n## Checks\n### Strike\n- Roll: `1d20 + {{Might}}`\n- Target: 10\n{value}\n\
             | Outcome | When | Damage |\n|---|---|---|\n| Success | margin 0+ | `{{damage}} + {{{damage}}}` |\n\
             | Failure | otherwise | none |\n\n## Health\n- Hits: max 20\n"
        )
    };
    let said = Bench::of(&format!("# A\n\n{}", rules("", "margin"))).run(&["check"]);
    assert!(said.out.contains("- Value over: `margin`") && said.out.contains("{over}"), "{}", said.out);
    let call = "character Ana: Might 2\ncharacter Rat: npc, Might 2, Hits 20\n> skill_check character=Ana target=Rat damage=1d6\n";
    plays(&rules("", "margin"), &format!("{call}! rule_broken\n"));
    plays(&rules("- Value over: `margin`\n", "over"), &format!("{call}dice 11 4\n= damage.amount: 7\n"));
}

#[test]
fn a_heading_of_playtests_is_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    std::fs::create_dir(folder.path().join("tests")).expect("a folder");
    write(
        "System.md",
        "# Duel\n\n## Attributes\n- Guard\n- Arm\n\n## Checks\n\n### Strike\n- Roll: `1d6 + {Arm}`\n- Target: `{Guard}`\n\n## Health\n- Points: from 0 to 9\n",
    );
    write("Foes.md", "# Foes\n\n## Rat\n- Points: 3\n- Guard: 4\n");
    write("tests/blows.md", "# Blows\n\n## A hard one\n- Points: 9\n- Guard: 3\n- Arm: 2\n");
    let arguments = ["simulate", "--party", "Nobody", "--foes", "Rat"];
    let found = crate::process::rollbook(folder.path()).args(arguments).output().expect("the program starts");
    let err = String::from_utf8_lossy(&found.stderr);
    assert!(err.contains("The adventure has Rat. "), "{err}");
}
