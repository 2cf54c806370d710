//! `rollbook odds --check`: what comes of a check, before anybody rolls.

use serde_json::{Value, json};

use crate::author::bench::{Bench, RULES};
use crate::table::each;

fn d20() -> Bench {
    let bench = Bench::empty();
    bench.run(&["new", ".", "--template", "d20"]).ends(0);
    bench
}

#[test]
fn a_table_has_a_line_a_difficulty_and_a_column_an_outcome() {
    let bench = d20();
    let output = bench.run(&[
        "odds",
        "--check",
        "attack",
        "--attribute",
        "STR",
        "--character",
        "Aria: STR 14",
        "--difficulty",
        "10..13",
    ]);
    let expected = "Attack, Aria, STR\n\n\
     difficulty  Critical hit        Hit  Miss (failure)  Miss (critical failure)\n        \
     10        5.00 %    60.00 %         30.00 %                   5.00 %\n        \
     11        5.00 %    55.00 %         35.00 %                   5.00 %\n        \
     12        5.00 %    50.00 %         40.00 %                   5.00 %\n        \
     13        5.00 %    45.00 %         45.00 %                   5.00 %\n";
    assert_eq!(output.ends(0).out, expected);
}

#[test]
fn fractions_are_exact_and_sum_to_one() {
    let bench = d20();
    let words = [
        "odds",
        "--check",
        "Attack",
        "--attribute",
        "STR",
        "--character",
        "Aria: STR 14",
        "--difficulty",
        "10",
        "--advantage",
        "--json",
    ];
    let json: Value = serde_json::from_str(&bench.run(&words).ends(0).out).expect("JSON");
    let chances: Vec<(&Value, &Value, &Value)> = each(&json["odds"][0]["outcomes"])
        .map(|row| {
            (
                &row["label"],
                &row["chance"]["numerator"],
                &row["chance"]["denominator"],
            )
        })
        .collect();
    // Of 400 ways: 39 with a 20, 48 of at most 7 without two 1s, 1 with two 1s.
    let expected = [
        ("Critical hit", "39", "400"),
        ("Hit", "39", "50"),
        ("Miss", "3", "25"),
        ("Miss", "1", "400"),
    ];
    assert_eq!(
        chances,
        expected
            .map(|(label, top, bottom)| (label.into(), top.into(), bottom.into()))
            .each_ref()
            .map(|(a, b, c): &(Value, Value, Value)| (a, b, c))
    );
    assert_eq!(json["odds"][0]["cut_off"]["numerator"], "0");
}

#[test]
fn a_character_is_a_line_a_file_with_a_line_or_what_get_character_answered() {
    let answer = json!({"character": {"name": "Aria", "kind": "player", "level": 1, "attributes": {"Dexterity": {"score": 14, "modifier": 2}}, "skills": {"Lockpicking": 2}, "tracks": []}});
    let bench = Bench::of(RULES)
        .with("aria.json", &answer.to_string())
        .with("aria.txt", "character Aria: DEX 14, Lockpicking +2\n");
    for who in ["aria.json", "aria.txt", "Aria: DEX 14, Lockpicking +2"] {
        let output = bench.run(&[
            "odds",
            "--skill",
            "Lockpicking",
            "--character",
            who,
            "--difficulty",
            "15",
        ]);
        output.ends(0).says("        15    50.00 %    50.00 %");
    }
    for (who, why) in [
        ("nobody.txt", "cannot read nobody.txt"),
        ("Aria: DXE 14", "did you mean `DEX`?"),
        ("Aria: DEX 99", "99 is out of range"),
    ] {
        let output = bench.run(&[
            "odds",
            "--skill",
            "Lockpicking",
            "--character",
            who,
            "--difficulty",
            "15",
        ]);
        assert!(output.ends(2).err.contains(why), "{who}: {}", output.err);
    }
}

#[test]
fn explosions_are_followed_and_the_rest_is_named() {
    let rules = "## Checks\n### Burst\n- Roll: `1d6!`\n- Target: `{difficulty}`\n";
    let output = Bench::of(rules).run(&["odds", "--check", "Burst", "--difficulty", "7,13"]);
    output
        .ends(0)
        .says("         7    16.67 %    83.33 %")
        .says("        13     2.78 %    97.22 %")
        .says("Explosions are followed until");
}

#[test]
fn two_who_roll_against_each_other_have_exact_odds_at_once() {
    let bench = Bench::of(
        "## Skills\n- Sneak\n- Notice\n\n## Checks\n### Test\n- Roll: `1d20 + {skill}`\n\n### Pool\n- Roll: `{skill}d6`\n- Count: 5+\n- Target: `{difficulty}`\n",
    );
    let two = [
        "--character",
        "Ana: Sneak 4",
        "--opposed-by",
        "Guard: Notice 6",
        "--skill",
        "Sneak",
        "--opposed-skill",
        "Notice",
    ];
    let output = bench.run(&[&["odds", "--check", "Test"], &two[..]].concat());
    // Of 400 ways Ana has 18 * 17 / 2 to be higher by three or more on her die, and 18 to be higher
    // by two.
    output
        .ends(0)
        .says("Test, Ana, Sneak, against Guard")
        .says("wins")
        .says("153/400")
        .says("tie")
        .says("9/200");
    let json: Value = serde_json::from_str(
        &bench
            .run(&[&["odds", "--check", "Test", "--json"], &two[..]].concat())
            .ends(0)
            .out,
    )
    .expect("JSON");
    assert_eq!(json["odds"][0]["against"]["won"]["numerator"], "153");
    let pools = [
        "--character",
        "Ana: Sneak 20",
        "--opposed-by",
        "Guard: Notice 20",
        "--skill",
        "Sneak",
        "--opposed-skill",
        "Notice",
    ];
    let began = std::time::Instant::now();
    let output = bench.run(
        &[
            &["odds", "--check", "Pool", "--difficulty", "3..5"],
            &pools[..],
        ]
        .concat(),
    );
    output.ends(0).says("wins").says("tie");
    assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
    bench
        .run(&[
            "odds",
            "--check",
            "Test",
            "--character",
            "Ana: Sneak 4",
            "--opposed-skill",
            "Notice",
        ])
        .ends(2);
}

#[test]
fn what_cannot_be_looked_at_is_refused_in_words() {
    let bench = Bench::of(
        "## Checks\n### Burst\n- Roll: `20d6!dl2`\n- Target: `{difficulty}`\n### Plain\n- Roll: `1d6`\n- Target: `{difficulty}`\n",
    );
    for (words, why) in [
        (
            vec!["--check", "Burst", "--difficulty", "50"],
            "in more ways that this check tells apart than can be looked at",
        ),
        (vec!["--check", "Brust", "--difficulty", "50"], "Burst"),
        (vec!["--check", "Plain"], "[missing_value]"),
        (
            vec!["--check", "Plain", "--difficulty", "20..10"],
            "write 15, or 10..20, or 10,15,20",
        ),
        (
            vec!["--check", "Plain", "--difficulty", "1..9999999999"],
            "at most 200 at once",
        ),
        (
            vec!["--check", "Plain", "--difficulty", "3", "--value", "bonus"],
            "--value takes NAME=N",
        ),
        (vec!["--check", "Plain", "1d6"], "cannot be used with"),
        (
            vec!["--check", "Plain", "--difficulty", "3", "--at-least", "4"],
            "rollbook odds 2d6 --at-least 7",
        ),
        (
            vec!["2d6", "--difficulty", "7"],
            "--difficulty belongs to a check",
        ),
        (vec!["2d6", "--advantage"], "--advantage belongs to a check"),
        (vec!["1000d20", "--json"], "Leave --json out"),
        (vec![], "required"),
    ] {
        let began = std::time::Instant::now();
        let output = bench.run(&[&["odds"], words.as_slice()].concat());
        // To look at all the ways that are looked at takes many times as long here.
        assert!(
            began.elapsed().as_secs() < 3,
            "{words:?}: {:?}",
            began.elapsed()
        );
        assert!(
            output.ends(2).err.contains(why),
            "{words:?}: {}",
            output.err
        );
    }
}

#[test]
fn exploding_pools_have_exact_odds_at_once() {
    let rules = "## Checks\n### Pool\n- Roll: `{pool}d10!>=8`\n- Asks: pool 1 to 20\n- Target: `{difficulty}`\n- Flag tens: 10s 2+\n\n\
        | Outcome | When |\n|---|---|\n| critical success | total 60+ |\n| success | margin 0+ |\n| failure | otherwise |\n";
    let bench = Bench::of(rules);
    for pool in ["pool=2", "pool=5", "pool=12"] {
        let began = std::time::Instant::now();
        let output = bench.run(&[
            "odds",
            "--check",
            "Pool",
            "--value",
            pool,
            "--difficulty",
            "20..22",
        ]);
        output
            .ends(0)
            .says("critical success")
            .says("flag tens")
            .says("Explosions are followed until");
        // Far less in a release build; a walk through every sequence would never end.
        assert!(
            began.elapsed().as_secs() < 20,
            "{pool}: {:?}",
            began.elapsed()
        );
    }
}

#[test]
fn odds_show_flags_and_draw_their_picture() {
    let rules =
        "## Checks\n### Any\n- Roll: `2d6`\n- Target: `{difficulty}`\n- Flag fumble: 1s 2\n";
    let bench = Bench::of(rules);
    let words = [
        "odds",
        "--check",
        "Any",
        "--difficulty",
        "7",
        "--svg",
        "odds.svg",
    ];
    let output = bench.run(&words);
    output.ends(0).says("flag fumble").says("2.78 %");
    assert!(output.err.contains("Drawn to odds.svg."), "{}", output.err);
    let picture = std::fs::read_to_string(bench.path("odds.svg")).expect("the picture");
    assert!(
        picture.starts_with("<svg") && picture.contains("success: 58.333 %"),
        "{picture}"
    );
    let json: Value = serde_json::from_str(
        &bench
            .run(&["odds", "--check", "Any", "--difficulty", "7", "--json"])
            .ends(0)
            .out,
    )
    .expect("JSON");
    assert_eq!(json["odds"][0]["flags"][0]["flag"], "fumble");
    assert_eq!(json["odds"][0]["flags"][0]["chance"]["denominator"], "36");
    let output = bench.run(&["odds", "--check", "Any", "--difficulty", "7"]);
    output.ends(0).says("flag fumble");
}

#[test]
fn a_push_that_pays_has_odds_of_its_own() {
    // One die, thrown again unless it is a six: 1/6 + 5/6 * 1/6, and a one on a die that was thrown
    // twice.
    let rules = "## Checks\n### Any\n- Roll: `1d6`\n- Count: 6\n- Target: `{difficulty}`\n- Again Push: reroll all but 6s\n\
                 - Again Luck: add {points}; asks points 1 to 1\n- Flag hurt: 1s 1; after Push\n";
    let bench = Bench::of(rules);
    let output = bench.run(&[
        "odds",
        "--check",
        "Any",
        "--difficulty",
        "1",
        "--again",
        "push",
    ]);
    let expected = "Any\n\ndifficulty    success    failure  flag hurt       Push\n         \
     1    30.56 %    69.44 %    13.89 %    83.33 %\n";
    assert_eq!(output.ends(0).out, expected);
    let json = bench
        .run(&[
            "odds",
            "--check",
            "Any",
            "--difficulty",
            "2",
            "--again",
            "push",
            "--json",
        ])
        .ends(0)
        .out
        .clone();
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["odds"][0]["again"]["rule"], "Push");
    assert_eq!(
        json["odds"][0]["again"]["chance"]["numerator"], "0",
        "no push reaches two, so none pays"
    );
    for (words, why) in [
        (
            &[
                "odds",
                "--check",
                "Any",
                "--difficulty",
                "1",
                "--again",
                "luck",
            ][..],
            "rolls dice again by Push",
        ),
        (
            &["odds", "2d6", "--again", "push"],
            "--again belongs to a check",
        ),
    ] {
        let output = bench.run(words);
        assert!(
            output.code != 0 && output.err.contains(why),
            "{}",
            output.err
        );
    }
}

#[test]
fn a_difficulty_may_be_a_word_of_the_rules() {
    let bench = Bench::empty();
    let rules = "# W\n\n## Dice\n\nRoll 1d20 + modifiers against a difficulty.\n\n| Difficulty | Number |\n|---|---|\n\
        | Hard | 15 |\n\n## Attributes\n\n- Wits\n- Range: -1 to 4\n";
    std::fs::write(bench.path("System.md"), rules).expect("System.md");
    let odds = |difficulty: &str| {
        let call = [
            "odds",
            "--character",
            "A: Wits 3",
            "--attribute",
            "Wits",
            "--difficulty",
            difficulty,
        ];
        bench.run(&call).ends(0).out.clone()
    };
    let number = odds("15");
    assert!(number.contains('%'), "{number}");
    assert_eq!(
        odds("hard").replace("hard", "15").replace("Hard", "15"),
        number
    );
}

#[test]
fn what_cannot_be_paid_for_is_reported_and_no_roll_is_pushed() {
    let rules = "## Attributes\n- Body\n\n## Checks\n### Any\n- Roll: `{attribute}d6`\n- Count: 6\n- Target: `1`\n- Again Push: reroll all but 6s; costs Stress +1\n\n\
                 ### Feat\n- Roll: `1d6`\n- Target: `4`\n- Costs: Stress +3\n\n## Health\n- Vigour: max `3`\n- Stress: 4 boxes\n- Damage: Vigour\n";
    let bench = Bench::of(rules);
    let odds = |who: &str, more: &[&str]| {
        let words = [&["odds", "--attribute", "Body", "--character", who], more].concat();
        bench.run(&words).ends(0).out.clone()
    };
    let tired = odds("Ida: Body 1, Stress 4", &["--again", "push"]);
    let text =
        "Push (System.md:9) costs Stress +1, and Ida has Stress 4/4, so no roll is\nfollowed.\n";
    assert!(
        tired.contains("16.6667 %") && tired.contains("Push") && tired.ends_with(text),
        "{tired}"
    );
    let fresh = odds("Ida: Body 1, Stress 3", &["--again", "push"]);
    assert!(
        fresh.contains("30.5556 %") && !fresh.contains("costs"),
        "{fresh}"
    );
    let words = [
        "odds",
        "--check",
        "Feat",
        "--character",
        "Ida: Body 1, Stress 2",
        "--json",
    ];
    let json: Value = serde_json::from_str(&bench.run(&words).ends(0).out).expect("JSON");
    let why = "Feat costs 3 Stress (System.md:14), and Ida has Stress 2/4, so the check is refused at the table.";
    assert_eq!(json["odds"][0]["notes"], json!([why]));
}

#[test]
fn a_tie_that_is_rolled_again_leaves_who_wins_in_the_end() {
    let rules = "## Checks\n### Any\n- Roll: `{pool}d6`\n- Asks: pool 1 to 3\n- Opposed: higher total; ties again\n";
    let bench = Bench::of(rules);
    let words = [
        "odds",
        "--check",
        "Any",
        "--character",
        "Ida: level 1",
        "--opposed-by",
        "Odd: level 1",
    ];
    let words = [
        &words[..],
        &["--value", "pool=2", "--opposed-value", "pool=1"],
    ]
    .concat();
    // By hand: of 216 pairs 15 are alike, so 201 end it.
    let (mut won, mut tied) = (0, 0);
    for (one, two, other) in (1..=6)
        .flat_map(|one| (1..=6).flat_map(move |two| (1..=6).map(move |three| (one, two, three))))
    {
        won += i32::from(one + two > other);
        tied += i32::from(one + two == other);
    }
    assert_eq!((won, tied), (181, 15));
    bench
        .run(&words)
        .ends(0)
        .says("wins in the end")
        .says("181/201");
    let json: Value =
        serde_json::from_str(&bench.run(&[&words[..], &["--json"]].concat()).ends(0).out)
            .expect("JSON");
    let against = &json["odds"][0]["against"];
    assert_eq!(
        json!([
            against["won"]["numerator"],
            against["won_in_the_end"]["denominator"]
        ]),
        json!(["181", "201"])
    );
    let once = bench
        .with("System.md", &rules.replace("ties again", "ties nobody"))
        .run(&words);
    assert!(!once.ends(0).out.contains("in the end"), "{}", once.out);
}

#[test]
fn a_check_takes_steps_along_its_dice_chain_and_a_push_has_one_side() {
    let rules = "## Dice\n- Dice chain: d4, d6, d8\n\n## Checks\n### Any\n- Roll: `1d6`\n- Target: `{difficulty}`\n- Again Push: reroll all\n";
    let bench = Bench::of(rules);
    let odds = |steps: &str| {
        bench
            .run(&[
                "odds",
                "--check",
                "Any",
                "--difficulty",
                "4",
                "--steps",
                steps,
            ])
            .ends(0)
            .out
            .clone()
    };
    for (steps, chance) in [("1", "62.50 %"), ("0", "50.00 %"), ("-1", "25.00 %")] {
        assert!(odds(steps).contains(chance), "{steps}: {}", odds(steps));
    }
    let refused = |words: &[&str]| {
        let output = bench.run(words);
        assert!(output.code != 0, "{}", output.out);
        output.err.clone()
    };
    assert!(refused(&["odds", "2d6", "--steps", "1"]).contains("--steps belongs to a check"));
    let both = [
        "odds",
        "--check",
        "Any",
        "--again",
        "Push",
        "--opposed-by",
        "Odd: level 1",
        "--character",
        "Ida: level 1",
    ];
    let why = refused(&both);
    assert!(
        why.contains("Leave --again out") && why.contains("or --opposed-by"),
        "{why}"
    );
    let damage = [
        "odds",
        "--check",
        "Any",
        "--again",
        "Push",
        "--damage",
        "1d6",
        "--target",
        "Odd: level 1",
        "--character",
        "Ida: level 1",
    ];
    assert!(refused(&damage).contains("Leave --again out, or --damage."));
}
