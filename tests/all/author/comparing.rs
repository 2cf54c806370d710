//! `rollbook odds`: damage against a target, two side by side, every skill at once, and the
//! picture.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::author::bench::Bench;
use crate::process::Came;
use crate::table::each;

const RULES: &str = "## Attributes\n- Body\n- Wits\n- Range: 1 to 5\n\n## Skills\n- Blades (Body)\n- Sneak (Wits)\n\n## Dice\n\n\
    | Difficulty | Number |\n|---|---|\n| Easy | 1 |\n| Grim | 3 |\n\n## Checks\n### Test\n- Roll: `({attribute} + {skill})d6`\n- Count: 5+\n\
    - Target: `{difficulty}`\n- Value Surplus: `successes - {difficulty}`\n- Flag strain: 1s 2+\n- Again Push: reroll all but 5s, 6s; after failure\n\
    - Opposed: higher successes; ties other\n\n| Outcome | When | Damage |\n|---|---|---|\n| Triumph (critical success) | margin 2+ | dice twice |\n\
    | Success | margin 0+ | `{damage} + {Surplus}` |\n| Failure | otherwise | none |\n\n## Attacks\n| Attack | Skill | Damage |\n|---|---|---|\n\
    | Sabre | Blades | `1d6 + 1` |\n\n## Health\n- Hit points: max `4 + 2 * {Body}`\n- Damage: Hit points\n- Armour: subtract {Armour}\n- At 0 Hit points: gain Senseless\n\n\
    ## Conditions\n- Senseless: *cannot act*\n";
const IDA: &str = "Ida: Body 2, Wits 3, Blades 1, Sneak 2";
const ODD: &str = "Odd: Body 3, Wits 1, Blades 2";
const GUARD: &str = "Guard: Body 1, Wits 1, Armour 1, npc";

fn json(came: &Came) -> Value {
    serde_json::from_str(&came.ends(0).out).expect("JSON")
}

fn decimal(value: &Value) -> f64 {
    value["decimal"]
        .as_str()
        .expect("a number")
        .parse()
        .expect("a number")
}

/// Every line of a table fits a terminal.
fn fits(came: &Came) {
    let wide: Vec<&str> = came
        .ends(0)
        .out
        .lines()
        .filter(|line| line.chars().count() > 80)
        .collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn an_attack_says_what_it_does_to_its_target() {
    let bench = Bench::of(RULES);
    let words = [
        "odds",
        "--character",
        IDA,
        "--attack",
        "Sabre",
        "--target",
        GUARD,
        "--difficulty",
        "Easy",
    ];
    let output = bench.run(&words);
    fits(&output);
    output
        .says("Test, Ida, Sabre at Guard")
        .says("Guard is down")
        .says("Damage to Guard, ")
        .says("on average");
    let json = json(&bench.run(&[&words[..], &["--json"]].concat()));
    let damage = &json["odds"][0]["damage"];
    // Of 27 ways three dice have 1 of three successes, 6 of two and 12 of one. Sabres take 1d6+1
    // less the armour and, below a triumph, what is over: 3.5, 4.5; a triumph 2d6.
    let mean = (12.0 * 3.5 + 6.0 * 4.5 + 1.0 * 7.0) / 27.0;
    assert!((decimal(&damage["mean"]) - mean).abs() < 1e-5, "{damage}");
    let points: BTreeMap<i64, f64> = each(&damage["points"])
        .map(|point| {
            (
                point["is"].as_i64().expect("a number"),
                decimal(&point["chance"]),
            )
        })
        .collect();
    let of =
        |points: &BTreeMap<i64, f64>, point: i64| points.get(&point).copied().unwrap_or_default();
    assert!((of(&points, 0) - 8.0 / 27.0).abs() < 1e-5, "{points:?}");
    assert!(
        (of(&points, 1) - 12.0 / 27.0 / 6.0).abs() < 1e-5,
        "{points:?}"
    );
    assert!(
        (points.values().sum::<f64>() - 1.0).abs() < 1e-4,
        "{points:?}"
    );
    // The guard has six: a success of one by a six, one of two by a five or a six, a triumph by six
    // or more of two dice.
    let down = (12.0 / 6.0 + 6.0 * 2.0 / 6.0 + 26.0 / 36.0) / 27.0;
    assert!((decimal(&damage["down"]) - down).abs() < 1e-5, "{damage}");
    let dice = [
        "odds",
        "--character",
        IDA,
        "--skill",
        "Blades",
        "--damage",
        "1d4",
        "--target",
        GUARD,
        "--difficulty",
        "1..3",
    ];
    let output = bench.run(&dice);
    fits(&output);
    output.says("On average").says("Guard is down");
    for (words, why) in [
        (&["--attack", "Sabre", "--difficulty", "1"][..], "--target"),
        (
            &["--attack", "Saber", "--difficulty", "1", "--target", GUARD],
            "Sabre",
        ),
        (
            &[
                "--skill",
                "Blades",
                "--damage",
                "1d",
                "--difficulty",
                "1",
                "--target",
                GUARD,
            ],
            "1d",
        ),
        (
            &[
                "--attack",
                "Sabre",
                "--difficulty",
                "1",
                "--target",
                GUARD,
                "--again",
                "Push",
            ],
            "Leave --again out, or --attack",
        ),
    ] {
        let output = bench.run(&[&["odds", "--character", IDA], words].concat());
        assert!(
            output.ends(2).err.contains(why),
            "{words:?}: {}",
            output.err
        );
    }
}

#[test]
fn two_are_side_by_side_with_what_the_second_has_more() {
    let bench = Bench::of(RULES)
        .with("harder.md", &RULES.replace("5+", "6"))
        .with("odd.txt", &format!("character {ODD}\n"));
    let alone = |words: &[&str]| {
        json(&bench.run(&[&["odds", "--json"], words].concat()))["odds"][0].clone()
    };
    for (sides, common, one, other) in [
        (
            [IDA, "odd.txt"],
            vec!["--skill", "Blades", "--difficulty", "2"],
            vec!["--skill", "Blades", "--difficulty", "2", "--character", IDA],
            vec!["--skill", "Blades", "--difficulty", "2", "--character", ODD],
        ),
        (
            ["easy", "3"],
            vec!["--skill", "Sneak", "--character", IDA],
            vec!["--skill", "Sneak", "--character", IDA, "--difficulty", "1"],
            vec!["--skill", "Sneak", "--character", IDA, "--difficulty", "3"],
        ),
        (
            ["System.md", "harder.md"],
            vec![
                "--skill",
                "Sneak",
                "--character",
                IDA,
                "--difficulty",
                "2",
                "--again",
                "Push",
            ],
            vec![
                "--skill",
                "Sneak",
                "--character",
                IDA,
                "--difficulty",
                "2",
                "--again",
                "Push",
            ],
            vec![
                "--skill",
                "Sneak",
                "--character",
                IDA,
                "--difficulty",
                "2",
                "--again",
                "Push",
                "--adventure",
                "harder",
            ],
        ),
    ] {
        std::fs::create_dir_all(bench.path("harder")).expect("a folder");
        std::fs::copy(bench.path("harder.md"), bench.path("harder/System.md")).expect("a copy");
        let words = [&["odds", "--compare", sides[0], sides[1]], &common[..]].concat();
        let output = bench.run(&words);
        fits(&output);
        output
            .says("difference")
            .says("any success")
            .says("flag strain")
            .says("Surplus, mean");
        let found = json(&bench.run(&[&words[..], &["--json"]].concat()));
        let (one, other) = (alone(&one), alone(&other));
        for (side, expected) in [("one", &one), ("other", &other)] {
            let named = |value: &Value| value.to_string().replace("harder.md:", "System.md:");
            for part in ["outcomes", "flags", "values"] {
                assert_eq!(
                    named(&found[side][part]),
                    named(&expected[part]),
                    "{sides:?}"
                );
            }
            assert_eq!(found[side]["success"], expected["success"], "{sides:?}");
        }
        let row = each(&found["rows"])
            .find(|row| row["kind"] == "success")
            .expect("successes");
        let difference = decimal(&other["success"]) - decimal(&one["success"]);
        assert!(
            (decimal(&row["difference"]) - difference).abs() < 2e-6 && difference != 0.0,
            "{row}"
        );
    }
    for alone in ["4d6kh3", "1000d6", "3d6!"] {
        fits(&bench.run(&["odds", alone]));
    }
    let dice = bench.run(&["odds", "--compare", "4d6kh3", "3d6"]);
    fits(&dice);
    dice.says("mean 12.2446 and 10.5000")
        .says("   18     1.62 %     0.46 %       -1.16 ");
}

#[test]
fn what_cannot_be_compared_says_what_to_send() {
    let bench = Bench::of(RULES);
    for (words, why) in [
        (
            &["--compare", IDA, "3", "--skill", "Blades"][..],
            "takes two of a kind",
        ),
        (
            &[
                "--compare",
                IDA,
                ODD,
                "--character",
                IDA,
                "--skill",
                "Blades",
            ],
            "Leave --character out",
        ),
        (
            &[
                "--compare",
                "1",
                "2",
                "--difficulty",
                "1",
                "--skill",
                "Blades",
                "--character",
                IDA,
            ],
            "Leave --difficulty out",
        ),
        (
            &[
                "--compare",
                "1..2",
                "3",
                "--skill",
                "Blades",
                "--character",
                IDA,
            ],
            "takes one difficulty",
        ),
        (
            &[
                "--compare",
                IDA,
                ODD,
                "--skill",
                "Blades",
                "--difficulty",
                "1..3",
            ],
            "takes one difficulty",
        ),
        (
            &["--compare", "2d6", "3d6", "--svg", "odds.svg"],
            "cannot be used with",
        ),
        (
            &["--skills", "--character", IDA, "--svg", "odds.svg"],
            "cannot be used with",
        ),
        (
            &[
                "--character",
                IDA,
                "--skill",
                "Sneak",
                "--difficulty",
                "1..3",
                "--svg",
                "odds.svg",
            ],
            "draws one difficulty",
        ),
        (
            &[
                "--compare",
                "a.md",
                "b.md",
                "--skill",
                "Blades",
                "--character",
                IDA,
            ],
            "there is no file a.md",
        ),
        (
            &[
                "--compare",
                "Nobody",
                ODD,
                "--skill",
                "Blades",
                "--difficulty",
                "1",
            ],
            "--db and --campaign",
        ),
        (&["--compare", IDA, ODD], "need a check beside them"),
        (&["--compare", "2d6"], "2 values"),
        (
            &["--compare", "2d6", "3d6", "--at-least", "3"],
            "Leave it out",
        ),
        (&["--skills", "--check", "Test"], "--character"),
        (&["2d6", "--target", "x"], "--target belongs to a check"),
    ] {
        let output = bench.run(&[&["odds"], words].concat());
        assert!(
            output.ends(2).err.contains(why),
            "{words:?}: {}",
            output.err
        );
    }
}

#[test]
fn every_skill_is_compared_with_every_difficulty() {
    let bench = Bench::of(RULES);
    let output = bench.run(&["odds", "--skills", "--character", IDA]);
    fits(&output);
    let expected = "Test, Ida: chance of a success, a partial one too, in per cent\n\n\
     difficulty     Easy 1     Grim 3\n\
     Blades          70.37       3.70\n\
     Sneak           86.83      20.99\n";
    assert_eq!(output.ends(0).out, expected);
    let words = [
        "odds",
        "--skills",
        "--character",
        IDA,
        "--difficulty",
        "1..20",
    ];
    let found = json(&bench.run(&[&words[..], &["--json"]].concat()));
    assert_eq!(
        (&found["character"], &found["check"]),
        (&"Ida".into(), &"Test".into())
    );
    for row in found["skills"].as_array().expect("skills") {
        let skill = row["skill"].as_str().expect("a name");
        let command = [
            "odds",
            "--json",
            "--skill",
            skill,
            "--character",
            IDA,
            "--difficulty",
            "1..20",
        ];
        assert_eq!(row["odds"], json(&bench.run(&command))["odds"], "{skill}");
    }
    // A check without difficulties has its outcomes for columns; where the rules have no words for
    // them, they are asked for.
    let under = "## Skills\n- Climb\n- Swim\n\n## Checks\n### Try\n- Roll: `d%`\n- Target: {skill} or less\n";
    let output =
        Bench::of(under).run(&["odds", "--skills", "--character", "Bo: Climb +40, Swim +5"]);
    output.ends(0).says(
        "         success    failure\nClimb      40.00      60.00\nSwim        5.00      95.00\n",
    );
    let plain = "## Attributes\n- Luck\n\n## Checks\n### Try\n- Roll: `1d20 + {Luck}`\n- Target: `{difficulty}`\n";
    let bench = Bench::of(plain);
    let output = bench.run(&["odds", "--skills", "--character", "Bo: Luck 3"]);
    assert!(
        output.ends(2).err.contains("--difficulty 5..20"),
        "{}",
        output.err
    );
    bench
        .run(&[
            "odds",
            "--skills",
            "--character",
            "Bo: Luck 3",
            "--difficulty",
            "11",
        ])
        .ends(0)
        .says("Luck            65.00");
}

#[test]
fn skills_without_attributes_of_their_own_are_all_tried_with_one() {
    let rules = "## Attributes\n- Head\n- Heart\n\n## Skills\n- Talk\n- Fight\n\n## Checks\n### Scene\n- Roll: `1d6 + {attribute} + {skill}`\n\
                 - Target: `{difficulty}`\n";
    let asked = [
        "odds",
        "--skills",
        "--character",
        "Ana: Head 2, Talk 1, Fight 0",
        "--difficulty",
        "6",
    ];
    let bench = Bench::of(rules);
    assert!(bench.run(&asked).ends(2).err.contains("attribute=\"…\""));
    let output = bench.run(&[&asked[..], &["--attribute", "head"]].concat());
    output
        .ends(0)
        .says("Scene, Ana with Head")
        .says("Fight           50.00")
        .says("Talk            66.67");
    let alone = Bench::of(
        &rules
            .replace("## Skills\n- Talk\n- Fight\n\n", "")
            .replace(" + {skill}", ""),
    );
    let asked = [
        "odds",
        "--skills",
        "--character",
        "Ana: Head 2",
        "--difficulty",
        "6",
        "--attribute",
        "Head",
    ];
    assert!(
        alone
            .run(&asked)
            .ends(2)
            .err
            .contains("Leave --attribute out")
    );
}

#[test]
fn a_difficulty_of_the_check_is_one_of_the_words_and_what_nobody_rolls_is_no_skill() {
    let words = "## Skills\n- Climb\n\n## Dice\n- Difficulty Easy: 8\n- Difficulty Hard: 16\n\n";
    let check = "## Checks\n### Try\n- Roll: `1d20 + {skill}`\n- Target: `{difficulty=12}`\n";
    let asked = ["odds", "--skills", "--character", "Bo: Climb +2"];
    let output = Bench::of(&format!("{words}{check}")).run(&asked);
    output
        .ends(0)
        .says("difficulty     Easy 8    Hard 16\nClimb           75.00      35.00\n");
    let output = Bench::of(&format!("## Skills\n- Climb\n\n{check}")).run(&asked);
    output
        .ends(0)
        .says("difficulty 12 (what the rules take without one)")
        .says("Climb      55.00      45.00\n");

    let saves = "## Checks\n### Save\n- Roll: `1d20`\n- Target: `{skill}`\n\n| Class | Level | Death | Wands |\n|---|---|---|---|\n\
        | Fighter | 1-3 | 11 | 13 |\n| | 4+ | 9 | 11 |\n| Cleric | 1-3 | 6 | 16 |\n| | 4+ | 5 | 15 |\n\n\
        ### Open\n- Roll: `1d6`\n- Target: {Doors} or less\n\n\
        | Class | Level | Doors |\n|---|---|---|\n| Fighter | 1-3 | 2 |\n| | 4+ | 3 |\n| Cleric | 1+ | 1 |\n";
    let output = Bench::of(saves).run(&[
        "odds",
        "--skills",
        "--check",
        "Save",
        "--character",
        "Bo: level 1, Fighter 1",
    ]);
    let expected = "Save, Bo: chances in per cent\n\n         success    failure\nDeath      50.00      50.00\nWands      40.00      60.00\n";
    assert_eq!(output.ends(0).out, expected);
}

#[test]
fn the_picture_needs_nothing_else() {
    let bench = Bench::of(RULES);
    for (words, says) in [
        (
            vec![
                "--character",
                IDA,
                "--attack",
                "Sabre",
                "--target",
                GUARD,
                "--difficulty",
                "1",
            ],
            "Guard is down: ",
        ),
        (
            vec![
                "--character",
                IDA,
                "--skill",
                "Sneak",
                "--difficulty",
                "2",
                "--again",
                "Push",
            ],
            "Push: ",
        ),
        (
            vec![
                "--character",
                IDA,
                "--skill",
                "Sneak",
                "--difficulty",
                "2",
                "--opposed-by",
                ODD,
            ],
            "wins: ",
        ),
        (vec!["4d6kh3"], "18: 1.620 %"),
    ] {
        let output = bench.run(&[&["odds", "--svg", "odds.svg"], words.as_slice()].concat());
        assert!(
            output.ends(0).err.contains("Drawn to odds.svg."),
            "{words:?}: {}",
            output.err
        );
        let picture = bench.read("odds.svg");
        assert!(
            picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"),
            "{words:?}"
        );
        assert!(picture.contains(says), "{words:?} lacks {says}:\n{picture}");
        for word in ["href", "url(", "<script", "NaN", "inf"] {
            assert!(!picture.contains(word), "{words:?} has {word}:\n{picture}");
        }
    }
}

#[test]
fn an_opposed_check_says_by_what_it_is_decided() {
    let bench = Bench::of(RULES);
    let words = [
        "odds",
        "--character",
        IDA,
        "--skill",
        "Sneak",
        "--opposed-by",
        ODD,
        "--difficulty",
        "1",
    ];
    let output = bench.run(&words);
    fits(&output);
    output.says("Decided by: higher successes; ties other (System.md:25).");
    let found = json(&bench.run(&[&words[..], &["--json"]].concat()));
    assert_eq!(
        found["odds"][0]["against"]["decided_by"],
        "higher successes; ties other"
    );
    assert_eq!(found["odds"][0]["against"]["rule"], "System.md:25");
}

#[test]
fn people_of_a_campaign_are_as_they_are_now() {
    let bench = Bench::of(RULES);
    let mut play = bench.command(&[
        "play",
        "--adventure",
        ".",
        "--db",
        "c.db",
        "--campaign",
        "North",
    ]);
    let mut child = play
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let lines = format!("/new {IDA}\n/new {GUARD}\n/damage Guard 4\n");
    child
        .stdin
        .take()
        .expect("an input")
        .write_all(lines.as_bytes())
        .expect("it reads");
    assert!(child.wait().expect("it ends").success());
    let words = [
        "odds",
        "--db",
        "c.db",
        "--attack",
        "Sabre",
        "--target",
        "Guard",
        "--difficulty",
        "1",
        "--json",
    ];
    let hurt = json(&bench.run(&[&words[..], &["--character", "Ida"]].concat()));
    // Of six points three are left (the armour took one): a success by a three or more, one of two
    // by a two, a triumph by two dice.
    let down = (12.0 * 4.0 / 6.0 + 6.0 * 5.0 / 6.0 + 35.0 / 36.0) / 27.0;
    assert!(
        (decimal(&hurt["odds"][0]["damage"]["down"]) - down).abs() < 1e-5,
        "{hurt}"
    );
    // A sheet is for the one of its name.
    let other = json(&bench.run(&[&words[..], &["--character", "Ida: Body 3, Blades 1"]].concat()));
    assert!(decimal(&other["odds"][0]["success"]) > decimal(&hurt["odds"][0]["success"]));
    let both = bench.run(&[
        "odds",
        "--db",
        "c.db",
        "--compare",
        "Ida",
        ODD,
        "--skill",
        "Blades",
        "--difficulty",
        "1",
    ]);
    both.ends(0).says("Ida        Odd  difference");
    for (who, why) in [("Idda", "Ida"), ("Odd", "Odd")] {
        let output = bench.run(&[
            "odds",
            "--db",
            "c.db",
            "--character",
            who,
            "--skill",
            "Blades",
            "--difficulty",
            "1",
        ]);
        assert!(output.ends(2).err.contains(why), "{}", output.err);
    }
    let output = bench.run(&[
        "odds",
        "--db",
        "c.db",
        "--campaign",
        "South",
        "--character",
        "Ida",
        "--skill",
        "Blades",
    ]);
    assert!(
        output.ends(2).err.contains("there are North"),
        "{}",
        output.err
    );
}
