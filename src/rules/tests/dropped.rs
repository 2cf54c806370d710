//! Lines that look like rules and that no reader takes: each is told with what to write, and what is written then is read.

use super::overlooked::{GAME, told};
use super::{codes, findings, sound, system_md};
use crate::diagnostic::Diagnostic;
use crate::rules::{Reading, proofs, understood};

/// The game with these lines behind a heading of its own, or among those of a section that it has.
fn with(section: &str, lines: &str) -> String {
    let heading = format!("## {section}\n");
    match (section, GAME.contains(&heading)) {
        ("Checks", _) => format!("{GAME}{lines}\n"),
        (_, true) => GAME.replacen(&heading, &format!("{heading}{lines}\n"), 1),
        (_, false) => format!("{GAME}\n{heading}{lines}\n"),
    }
}

/// The only finding about a line of these, and its help.
#[track_caller]
fn one(text: &str, line: &str) -> Diagnostic {
    let reading = system_md(text);
    let about = |found: &&Diagnostic| {
        let words = found.span().and_then(|span| text.get(span.bytes())).unwrap_or_default();
        line.contains(words) && !words.is_empty()
    };
    let found: Vec<&Diagnostic> = reading.diagnostics.iter().filter(about).collect();
    let [one] = found.as_slice() else { panic!("{line}: {:?}", findings(&reading)) };
    (*one).clone()
}

/// A line that is told with these words, and what to write instead, which is read without a finding.
#[track_caller]
fn mended(section: &str, line: &str, help: &str, instead: &str) -> Reading {
    let found = one(&with(section, line), line);
    assert!(found.help.join(" ").contains(help), "{line}: {:?}", found.help);
    sound(&with(section, instead))
}

#[test]
fn a_setting_of_scores_is_no_attribute_and_no_skill() {
    let reading = mended("Attributes", "- Max: 6", "`- Range: 1 to 6`", "- Range: 1 to 6");
    assert_eq!(reading.system.attributes.len(), 2);
    mended("Attributes", "- Max: 6", "`- Max (MAX)`", "- Max (MAX)");
    mended("Attributes", "- Cap: 3 to 18", "`- Range: 3 to 18`", "- Range: 3 to 18");
    mended("Attributes", "- Start: 3", "write it as a sentence", "\nEverybody starts with 3 in each.\n");
    let reading =
        mended("Attributes", "- Bonus: score / 2", "`floor({score} / 2)`", "- Modifier: `floor({score} / 2)`");
    assert_eq!(reading.system.attributes[0].modifier(7), Ok(3));
    mended("Skills", "- Rank: 0 to 5", "write it as a sentence", "\nRanks go from 0 to 5.\n");
    let reading = mended("Skills", "- Rank: 0 to 5", "`- Rank: base 0`", "- Rank: base 0");
    assert!(reading.system.skill("Rank").is_ok());
    mended("Skills", "- Trained: +2", "`- Trained: base 0`", "- Trained: base 0");
    for (section, line) in [
        ("Attributes", "- Minimum: 1"),
        ("Attributes", "- Points: 24"),
        ("Attributes", "- Adjustment: score - 10"),
        ("Skills", "- Max: 5"),
        ("Skills", "- Cost: 2 points"),
    ] {
        one(&with(section, line), line);
        let name = line.trim_start_matches("- ").split(':').next().unwrap_or_default();
        assert!(!understood(&system_md(&with(section, line))).contains(&format!("{name}  ")), "{line} is nothing");
    }
    for (section, name) in [
        ("Attributes", "- Points: 0 to 10, spent and won"),
        ("Attributes", "- Start: how fast you are away"),
        ("Skills", "- Rating: how ships are judged"),
        ("Skills", "- Master (STR): at arms, since 2 reigns"),
    ] {
        sound(&with(section, name));
    }
}

#[test]
fn a_base_with_a_name_that_nobody_declared_is_told() {
    let reading =
        mended("Skills", "- Dodge (DEX): base half DXE", "did you mean `DEX`?", "- Dodge (DEX): base half DEX");
    assert!(reading.system.skill("Dodge").is_ok_and(|own| own.base.is_some()));
    mended("Skills", "- Ride (DEX): base 2 + Dexterty", "`Dexterity`", "- Ride (DEX): base 2 + Dexterity");
    mended("Skills", "- Swim (STR): base half POW", "`half Strength`", "- Swim (STR): base half Strength");
    mended("Skills", "- Swim (STR): base twice as much", "`half Strength`", "- Swim (STR): base `2 * {STR}`");
    sound(&with("Skills", "- Camp (DEX): base camp, tents"));
}

#[test]
fn an_effect_said_in_other_words_is_read() {
    for (said, meant) in [
        ("disadv on checks", "disadvantage on checks"),
        ("minus two on checks", "-2 on checks"),
        ("a penalty of 2 to STR", "-2 to STR"),
        ("a -2 penalty to checks", "-2 to checks"),
        ("all checks at disadvantage", "disadvantage on all checks"),
        ("-2 penalty on Climb", "-2 on Climb"),
        ("boon on checks", "advantage on checks"),
        ("STR -1 die", "-1 die on STR"),
        ("step up on STR", "+1 step on STR"),
    ] {
        let effects = |words: &str| {
            let reading = system_md(&with("Conditions", &format!("- Dazed: {words}")));
            let told: Vec<&str> =
                codes(&reading).into_iter().filter(|code| *code != "conditions/no-such-dice").collect();
            assert_eq!(told, Vec::<&str>::new(), "{words}");
            reading.system.conditions[0].effects.clone()
        };
        assert_eq!((effects(said), effects(said).len()), (effects(meant), 1), "{said}");
    }
    mended("Conditions", "- Dazed: disadv on cheks", "`disadvantage on checks`", "- Dazed: disadvantage on checks");
    for said in ["penalty on checks", "all checks are harder", "attackers have disadvantage at night"] {
        let text = with("Conditions", &format!("- Dazed: {said}"));
        assert_eq!(codes(&system_md(&text)), ["document/left-to-the-gm"], "{said}");
    }
    for said in ["you sit down", "plus a headache", "at sea, with nobody", "no advantage is lost on you"] {
        sound(&with("Conditions", &format!("- Dazed: {said}")));
    }
}

#[test]
fn a_part_of_a_condition_is_no_condition() {
    for (lines, line) in [
        ("- Dazed: -1 on checks\n  - When: dying", "- When: dying"),
        ("- Dazed: -1 on checks\n  - Duration: 3 rounds", "- Duration: 3 rounds"),
        ("- Dazed: it spins\n  - Effect: -1 on checks", "- Effect: -1 on checks"),
        ("- Dazed: it spins\n  - disadvantage on checks", "- disadvantage on checks"),
        ("- Dazed: it spins\n  - -1 on checks", "- -1 on checks"),
    ] {
        let text = with("Conditions", lines);
        one(&text, line);
        let conditions = system_md(&text).system.conditions;
        assert_eq!(conditions.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(), ["Dazed"], "{lines}");
    }
    let when = one(&with("Conditions", "- Dazed: -1 on checks\n  - When: dying"), "- When: dying");
    assert!(when.help[0].contains("`- While: dying`"), "{:?}", when.help);
    let reading = sound(&with("Conditions", "- Effect: -1 on checks"));
    assert_eq!(reading.system.conditions[0].name, "Effect");
}

#[test]
fn who_may_make_a_check_is_said_by_while() {
    let health = "\n## Health\n- Hit points: max `9`, from 0\n- At 0 hit points: dying\n";
    for label in ["When", "Only if", "Requires"] {
        let line = format!("- {label}: dying");
        let found = one(&with("Checks", &format!("{line}\n{health}")), &line);
        assert!(found.help[0].contains("`- While: dying`"), "{:?}", found.help);
    }
    let reading = sound(&with("Checks", &format!("- While: dying\n{health}")));
    assert!(reading.system.checks[0].while_held.is_some());
    for prose in ["- When: you leap, or are pushed, or fall", "- Who: anybody", "- If: the GM says so"] {
        assert_eq!(told(&format!("{prose}\n")), [], "{prose}");
    }
}

#[test]
fn what_words_say_of_dice_is_told_where_no_check_does_it() {
    const LINES: [(&str, &str); 6] = [
        ("- Exploding dice", "`- Roll: 2d6!`"),
        ("- Re-roll ones", "`- Roll: 2d6r1`"),
        ("A natural 20 always hits.", "`- On natural 20: one step better`"),
        ("Roll twice and take the best.", "`2d20kh1`"),
        ("Nobody likes it. Natural ones are fumbles.", "`- On natural 1: one step worse`"),
        ("Sixes explode.", "`- Roll: 2d6!`"),
    ];
    for section in ["Dice", "Checks", "Combat"] {
        for (line, help) in LINES {
            let found = one(&with(section, &format!("\n{line}")), line);
            assert!(found.help[0].contains(help), "{section}, {line}: {:?}", found.help);
        }
    }
    // What the check does already is only explained, and what is read in a paragraph hides nothing else of it.
    let does = GAME.replace("1d20 + {modifier}", "2d20!kh1r1 + {modifier}");
    let does = format!("{does}- On natural 20: one step better\n- On natural 1: one step worse\n");
    for (line, _) in LINES {
        sound(&format!("{does}\n## Dice\n{line}\n"));
    }
    let plain = system_md("## Dice\nRoll 1d20 + modifiers against a difficulty. A natural 20 always succeeds.\n");
    assert_eq!(codes(&plain), ["document/looks-like-a-rule"]);
    for prose in [
        "If something gives you a clear edge, roll with advantage: two d20, keep the higher.",
        "Whoever has help may roll twice and take the better one.",
        "Barrels explode.",
        "The dice never explode.",
        "A natural talent of 20 years is no help.",
    ] {
        sound(&with("Dice", prose));
    }
}

#[test]
fn advantage_in_words_is_told_with_the_dice() {
    for (line, dice) in [
        ("- Advantage: roll twice", "`2d20kh1`"),
        ("- Disadvantage: roll twice and keep the worse", "`2d20kl1`"),
        ("- Advantage: two dice", "`2d20kh1`"),
    ] {
        let label = line.split(':').next().unwrap_or_default();
        mended("Dice", line, dice, &format!("{label}: {dice}"));
    }
    let text = "## Checks\n### Try\n- Roll: `3d6`\n- Target: `{difficulty}`\n- Succeed: at most the target\n\n## Dice\n- Advantage: a die more\n";
    assert!(one(text, "- Advantage: a die more").help[0].contains("`4d6kl3`"), "low is good");
    let found = one(&with("Checks", "- Advantage: roll twice"), "- Advantage: roll twice");
    assert!(found.help[0].contains("`2d20kh1`"), "{:?}", found.help);
}

#[test]
fn every_bullet_of_harm_and_fights_is_read_or_told() {
    const TRACKS: &str = "- Hit points: max `9`, from 0\n- Stress: 6 boxes\n";
    let harm = |line: &str| format!("{TRACKS}{line}");
    for (line, help, instead) in [
        ("- Death at 0 hit points", "`- At 0 hit points: dead`", "- At 0 hit points: dead"),
        ("- Dying: at 0 hit points", "`- At 0 hit points: dying`", "- At 0 hit points: dying"),
        (
            "- Massive damage: dead",
            "`- One hit of at least half the maximum: dead`",
            "- One hit of at least half the maximum: dead",
        ),
        ("- Natural healing: one a day", "`- Long rest: hit points to max`", "- Long rest: hit points to max"),
        ("- Critical hit: double damage", "`- On natural 20: one step better`", ""),
        ("- Nerves 9 boxes", "`- Nerves: 9 boxes`", "- Nerves: 9 boxes"),
        ("- Panic: as the dice fall", "write a track", "- Panic: 3 boxes"),
    ] {
        mended("Health", &harm(line), help, &harm(instead));
    }
    let near = one(&with("Health", "- Stress: 6 boxes\n- Stres 9 boxes"), "- Stres 9 boxes");
    assert!(near.help.join(" ").contains("did you mean `Stress`?"), "{:?}", near.help);
    for (line, help, instead) in [
        ("- Turn order: by DEX", "`{DEX}`, highest first", "- Initiative: `{DEX}`, highest first"),
        ("- Initiative by DEX", "`- Initiative: …`", "- Initiative: `{DEX}`"),
        ("- Order: the quick before the slow", "`1d20 + {STR}`", "- Initiative: `1d20 + {STR}`, highest first"),
        (
            "- Concentration: save against half damage",
            "`- Held effects: damage asks for STR against half the damage`",
            "- Held effects: damage asks for STR against half the damage",
        ),
        ("- Tie breaker: DEX", "`- Ties: higher STR, then players`", "- Ties: higher STR, then players"),
        ("- Actions: one a turn", "the GM's to remember", "\nEach has one action a turn.\n"),
        ("- Flanking gives advantage", "the GM's to remember", "\nFlankers do better.\n"),
    ] {
        mended("Combat", line, help, instead);
    }
    for (section, prose) in [("Health", "- Bandages help"), ("Combat", "- Say what you do first")] {
        sound(&with(section, prose));
    }
    // "One" and "eleven" are no numbers here, as others are.
    for section in ["Health", "Combat"] {
        for word in ["one", "eleven"] {
            sound(&with(section, &format!("- Bandages help {word}")));
        }
        one(&with(section, "- Bandages help twelve"), "- Bandages help twelve");
    }
}

#[test]
fn every_sentence_of_a_fight_with_a_number_is_told() {
    let text = with("Combat", "Each side acts in turn. Flanking gives +2 to hit. Cover takes 4 away.");
    let reading = system_md(&text);
    let found: Vec<&str> = reading.diagnostics.iter().filter_map(|own| text.get(own.span()?.bytes())).collect();
    assert_eq!(found, ["Flanking gives +2 to hit", "Cover takes 4 away."]);
}

#[test]
fn a_score_within_its_range_that_cannot_be_rolled_is_told() {
    let found = |roll: &str, range: &str| {
        let text = format!("## Attributes\n- Might (MIG): {range}\n\n## Checks\n### Try\n- Roll: `{roll}`\n");
        let reading = system_md(&text);
        let found = proofs(&reading).into_iter().find(|found| found.code == "checks/cannot-be-rolled");
        found.map(|found| found.message)
    };
    let at = |value: i64| Some(format!("the check `Try` cannot be rolled with `MIG` at {value}"));
    assert_eq!(found("({MIG} * 1000)d6", "0 to 5"), at(5));
    assert_eq!(found("({MIG} * 300)d6", "0 to 5"), at(5));
    assert_eq!(found("1d20 + 12 / {MIG}", "0 to 5"), at(0));
    assert_eq!(found("({MIG} * 1000)d6", "0 to 1"), None);
    assert_eq!(found("({MIG} * 200)d6", "0 to 5"), None);
    assert_eq!(found("({luck} * 300)d6", "0 to 5"), None, "nothing says how far luck goes");
    for (roll, limit) in [("`600d6 + 600d6`", "1000 dice"), ("600d6 + 600d6", "1000 dice")] {
        let reading = system_md(&format!("## Checks\n### Try\n- Roll: {roll}\n"));
        assert!(findings(&reading).iter().any(|line| line.contains(limit)), "{roll}: {:?}", findings(&reading));
    }
}

#[test]
fn a_number_that_no_target_asks_for_is_no_rule_for_everybody() {
    let combat = "\n## Combat\nRoll against the other's Armour. People wear Armour 10.\n";
    let reading = system_md(&format!("{GAME}{combat}"));
    assert_eq!((reading.system.stated.len(), codes(&reading)), (0, vec!["document/looks-like-a-rule"]));
    let strike = "\n### Strike\n- Roll: `1d20 + {modifier}`\n- Target: `{Armour}`\n";
    let reading = sound(&format!("{GAME}{strike}{combat}"));
    assert_eq!(reading.system.stated.iter().map(|own| own.value).collect::<Vec<_>>(), [10]);
}
