//! `rollbook check`: one finding in every form, and what `--fix` mends.

use serde_json::{Value, json};

use crate::author::bench::{Bench, RULES};

/// A label with two places, a fix that is sure and one that is a guess, and something without a
/// place.
const FAULTY: &str = "\
# Keep

## Dice
Roll 1d20 + modifiers against a difficulty.

## Attributes
- Strength (STR)
- Dexterity (DEX)

## Skils
- Athletics (STR)

## Checks
### Leap
- Roll: `1d20 + {bonsu}`
- Target: `{difficulty}`

### Leap
- Roll: `1d20`
- Bonus: {bonus}

## Combat
- Initative: `1d20 + {DEXX}`
";

#[test]
fn a_person_sees_lines_labels_and_the_edit() {
    let output = Bench::of(FAULTY).run(&["check"]);
    insta::assert_snapshot!(output.ends(1).out);
}

#[test]
fn plain_is_a_line_a_finding() {
    let output = Bench::of(FAULTY).run(&["check", "--format", "plain"]);
    insta::assert_snapshot!(output.ends(1).out);
}

#[test]
fn json_holds_every_place_and_the_edit() {
    let output = Bench::empty()
        .with("a/b/System.md", FAULTY)
        .run(&["check", "a/b", "--format", "json"]);
    let json: Value = serde_json::from_str(&output.ends(1).out).expect("JSON");
    assert_eq!(json["version"], 1);
    let counts = ["errors", "warnings", "notes"].map(|kind| json[kind].as_u64().expect("a number"));
    assert_eq!(
        json["diagnostics"].as_array().expect("a list").len() as u64,
        counts.into_iter().sum::<u64>()
    );
    let mut found = json["diagnostics"].as_array().expect("a list").iter();
    let label = found
        .find(|one| one["fix"]["replacement"] == "Initiative")
        .expect("the label");
    let start = FAULTY.find("Initative").expect("there");
    let expected = json!({
        "file": "a/b/System.md", "line": 23, "column": 3, "end_line": 23, "end_column": 12, "bytes": [start, start + 9],
        "replacement": "Initiative", "message": "call it `Initiative`", "sure": true,
    });
    assert_eq!(label["fix"], expected);
    assert_eq!(
        json!([label["file"], label["line"], label["severity"]]),
        json!(["a/b/System.md", 23, "warning"])
    );
}

#[test]
fn what_cannot_be_read_at_all_is_in_every_form() {
    let bench = Bench::empty();
    std::fs::create_dir(bench.path("System.md")).expect("a folder in a file's place");
    for format in ["human", "plain", "json"] {
        bench
            .run(&["check", "--format", format])
            .ends(1)
            .says("it is no regular file")
            .says("document/unreadable-file");
    }
}

#[test]
fn fix_makes_the_sure_edits_and_no_other() {
    let bench = Bench::of(FAULTY);
    let output = bench.run(&["check", "--fix", "--format", "plain"]);
    let expected = "fixed System.md:23:3: Initative -> Initiative (call it `Initiative`)\n\
     fixed System.md:23:24: DEXX -> DEX (call it `DEX`)\n";
    assert_eq!(
        output.ends(1).err,
        expected,
        "what could not be seen before is mended, too"
    );
    let mended = FAULTY
        .replace("Initative", "Initiative")
        .replace("DEXX", "DEX");
    assert_eq!(bench.read("System.md"), mended);
    assert!(
        !output.out.contains("Initative"),
        "the findings are of the mended file: {}",
        output.out
    );
    let output = bench.run(&["check", "--fix"]);
    assert_eq!(output.err, "Nothing to fix without asking.\n");
    assert!(
        bench.read("System.md").contains("{bonsu}"),
        "nothing that is declared is called nearly so"
    );
}

#[test]
fn fix_leaves_other_words_alone() {
    let rules = "## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Spells\n- Fireball (8d6): burns\n\n## Wealth\n- Coins: 3d6\n\n\
                 ## Rests\nShort and long.\n\n## Factions\n- The Crown\n\n## Roles\n- Scout\n\n## Status\n- Noble\n";
    let bench = Bench::of(rules);
    bench.run(&["check", "--fix"]).ends(0);
    assert_eq!(bench.read("System.md"), rules);
}

#[test]
fn two_words_that_are_equally_near_are_for_the_author_to_choose() {
    let bench = Bench::of(
        "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Boldness (BOL)\n- Bond (BON)\n## Health\n- Hit points: max `8 + {BOX}`\n",
    );
    bench
        .run(&["check", "--fix"])
        .ends(1)
        .says("did you mean `BOL`?");
    assert!(bench.read("System.md").contains("{BOX}"));
}

#[test]
fn nothing_is_fixed_in_a_file_that_was_not_read_as_it_is() {
    let bench = Bench::empty();
    let bytes = b"## Skils\n- \xc9lan\n".to_vec();
    std::fs::write(bench.path("System.md"), &bytes).expect("written");
    bench.run(&["check", "--fix"]).ends(1);
    assert_eq!(
        std::fs::read(bench.path("System.md")).expect("there"),
        bytes
    );
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let bench = Bench::of(FAULTY);
    let coloured = |variables: &[(&str, &str)]| {
        let output = bench.run_with(&["check"], |command| {
            command.envs(variables.iter().copied());
        });
        output.out.contains('\u{1b}')
    };
    assert!(!coloured(&[]), "a pipe");
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("NO_COLOR", "1")]));
    assert!(!coloured(&[("NO_COLOR", "1"), ("CLICOLOR", "1")]));
    let test = bench.run_with(&["test"], |command| {
        command.env("CLICOLOR_FORCE", "1");
    });
    assert!(test.out.starts_with("No playtests"));
}

#[test]
fn a_sound_adventure_has_nothing_to_remark() {
    Bench::of(RULES)
        .run(&["check"])
        .ends(0)
        .says("Nothing to remark.");
}

/// The findings about stat blocks of one page of foes, by the Lockhouse's rules.
fn of_foes(page: &str) -> String {
    let rules = include_str!("../../../adventures/lockhouse/System.md");
    let bench = Bench::of(rules).with("Foes.md", page);
    let text = bench
        .run(&["check", "--format", "plain"])
        .ends(0)
        .out
        .clone();
    text.lines()
        .filter(|line| line.contains("blocks/"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_line_of_a_stat_block_that_was_not_understood_is_pointed_at() {
    for (line, why) in [
        (
            "- Hit points: seven",
            "what stands behind `Hit points` cannot be read",
        ),
        ("- Hit point: 7", "did you mean `hit points`?"),
        ("- Amour: 12", "did you mean `Armour`?"),
        ("- Atributes: STR 12, DEX 10", "did you mean `attributes`?"),
        ("- Attributes: STR 12, DXE 10", "did you mean `DEX`?"),
        (
            "- Skills: Melee +3, Juggling +4",
            "no skill of the rules is called Juggling",
        ),
        ("- Skils: Melee +3", "did you mean `skills`?"),
        (
            "- Attack: 3 or 4 of them",
            "what stands behind `Attack` cannot be read",
        ),
        ("- Strenght: 14", "did you mean `Strength`?"),
        ("- Percepton: +3", "did you mean `Perception`?"),
    ] {
        let found = of_foes(&format!(
            "# Foes\n\nProse.\n\n### Rat\n\n- HP: 3\n- AC: 11\n{line}\n\n### Other\n\n- Hit points: 4\n"
        ));
        assert!(
            found.starts_with("Foes.md:9:1: warning[blocks/unread-line]:") && found.contains(why),
            "{line}: {found}"
        );
        assert_eq!(found.lines().count(), 1, "{line}: {found}");
    }
}

#[test]
fn what_is_read_and_what_is_prose_is_no_line_to_point_at() {
    let five = "## Owlbear\n*Large monstrosity, unaligned*\n\n**Armor Class** 13 (natural armor)\n**Hit Points** 59 (7d10 + 21)\n**Speed** 40 ft.\n\n\
                |STR|DEX|CON|INT|WIS|CHA|\n|:---:|:---:|:---:|:---:|:---:|:---:|\n|20 (+5)|12 (+1)|17 (+3)|3 (-4)|12 (+1)|7 (-2)|\n\n\
                **Skills** Perception +3\n**Senses** darkvision 60 ft., passive Perception 13\n**Languages** —\n**Challenge** 3 (700 XP)\n\n\
                ***Keen Sight and Smell.*** Advantage on 2 kinds of checks.\n\n### Actions\n\n***Multiattack.*** The owlbear makes two attacks.\n\n\
                ***Beak.*** *Melee Weapon Attack:* +7 to hit, reach 5 ft., one creature. *Hit:* 10 (1d10 + 5) piercing damage.\n";
    let plain = "### Wrecker\n\nFour: **Cobb** (keeps 2 keys), Lisk.\n\n- Hit points: 7\n- Armour: 10\n- Attack: cudgel +3, damage 1d6+1\n\
                 - Attributes: STR 12, DEX 12\n- Wants: 5 crowns\n- In a fight: two on one; 3 of them flee\n- Flees: at 3 hit points\n- Worth: 25\n";
    let scene = "# The cellar\n\n- Armour hangs here: 3 suits\n- Hits: whoever looks\n- Skills that help: 2 of them\n\nAttack at 7.\n";
    let listed = "# Guard\n\nAC 13, HP 11\nStr 13 Dex 12 Con 12\n\n- **Attacks:** spear +3 (1d6+1)\n- **Resistances:** cold\n";
    for page in [five, plain, scene, listed] {
        let beside = format!("{page}\n### Rat\n\n- HP: 3\n- AC: 11\n- Amour: 12\n");
        let found = of_foes(&beside);
        assert!(
            found.contains("did you mean `Armour`?"),
            "the page is looked at: {found}"
        );
        assert_eq!(found.lines().count(), 1, "{beside}: {found}");
        assert_eq!(of_foes(page), "", "{page}");
    }
}

#[test]
fn no_line_of_a_layout_that_is_read_is_pointed_at_and_a_misspelt_one_is() {
    for (layout, page) in crate::stories::blocks::layouts() {
        assert_eq!(of_foes(&page), "", "{layout}");
        // A page of its own: a name in bold or underlined begins a block and ends none.
        let beside = format!("{page}\n### Rat\n\n- HP: 3\n- AC: 11\n- Amour: 12\n");
        let found = of_foes(&beside);
        assert!(
            found.contains("did you mean `Armour`?") && found.lines().count() == 1,
            "{layout}: {found}"
        );
    }
}

#[test]
fn no_shipped_adventure_has_such_a_line() {
    for adventure in
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures")).expect("adventures")
    {
        let folder = adventure.expect("an adventure").path();
        let output = Bench::empty().run(&[
            "check",
            folder.to_str().expect("a name"),
            "--format",
            "plain",
        ]);
        output.ends(0);
        assert!(!output.out.contains("blocks/"), "{}", output.out);
    }
}
