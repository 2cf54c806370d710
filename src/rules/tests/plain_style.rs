//! Files without a single table or backtick.

use super::{codes, sound, system_md};
use crate::rules::{Facts, InitiativeKind, InitiativeWhen, Outcome, Reading, Succeed, TieBreak, understood};

fn outcome(reading: &Reading, facts: Facts) -> Outcome {
    reading.system.checks[0].judge(&facts).expect("a judgement").outcome
}

fn of_margin(margin: i64) -> Facts {
    Facts { margin: Some(margin), ..Facts::default() }
}

#[test]
fn the_first_dice_are_the_check() {
    let reading = sound("## Dice\nRoll 1d20 + modifiers against difficulty.\n");
    let check = &reading.system.checks[0];
    assert_eq!(check.roll.to_string(), "1d20 + {modifier}");
    assert_eq!(check.place.full(), "System.md:2:1");
    assert_eq!(
        [outcome(&reading, of_margin(0)), outcome(&reading, of_margin(-1))],
        [Outcome::Success, Outcome::Failure]
    );
}

#[test]
fn what_is_not_mentioned_is_not_added() {
    let reading = sound("## Dice\nYou say what you do. Roll 1d20 against a difficulty. Then look up.\n");
    assert_eq!(reading.system.checks[0].roll.to_string(), "1d20");
    let stat = sound("## Dice\nRoll 2d6 + stat.\n");
    assert_eq!(stat.system.checks[0].roll.to_string(), "2d6 + {attribute}");
}

/// Ordinary sentences that a program could be tempted to read: whole, or told and not at all.
#[test]
fn a_sentence_that_is_not_read_whole_is_told() {
    for sentence in [
        "Roll 1d20 under your attribute.",
        "Roll 1d20 equal to or under that attribute.",
        "Roll 2d6 and add your stat.",
        "Roll two six-sided dice and add.",
        "Roll 2d6 + stat, and keep the change.",
        "Roll 3d6 + skill and beat the target number.",
        "Roll 1d20 + modifiers against 15.",
        "Roll 1d20 + modifiers against the other's Armour.",
        "Roll percentile dice equal to or under your skill.",
        "Roll d% + skill.",
        "Roll d% against a difficulty.",
        "Roll 4d6 and drop the lowest.",
        "Roll a pool of d6 equal to your Wits.",
        "Roll 1d20 + twice your Wits against a difficulty.",
        "Roll 1d20 + modifiers + skill against a difficulty.",
        "Roll 1d20 with advantage + modifiers.",
        "Roll 1d20 + modifiers against a difficulty, or higher.",
    ] {
        let text = format!("## Dice\n{sentence}\n\n## Attributes\n- Wits\n");
        let reading = system_md(&text);
        let mut told = codes(&reading);
        told.retain(|code| *code != "dice/none-named");
        assert_eq!(told, ["document/looks-like-a-rule"], "{sentence}");
        assert!(reading.system.checks.is_empty(), "{sentence}");
    }
}

#[test]
fn two_six_sided_dice_have_three_outcomes() {
    let reading = sound("## Dice\nRoll 2d6 + stat.\n");
    let of = |total: i64| outcome(&reading, Facts { total, ..Facts::default() });
    assert_eq!(
        [of(10), of(9), of(7), of(6)],
        [Outcome::Success, Outcome::PartialSuccess, Outcome::PartialSuccess, Outcome::Failure]
    );
    assert_eq!(reading.system.checks[0].target, None);
    assert_eq!(reading.system.advantage, None, "only a d20 system has it unasked");
    let against = sound("## Dice\nRoll 2d6 + skill against a difficulty.\n");
    assert!(against.system.checks[0].target.is_some() && against.system.checks[0].rows.len() == 2);
}

#[test]
fn fudge_dice_have_four_outcomes() {
    let reading = sound("## Dice\nRoll 4dF + modifiers.\n");
    let of = |margin: i64| outcome(&reading, of_margin(margin));
    assert_eq!(
        [of(3), of(1), of(0), of(-1)],
        [Outcome::CriticalSuccess, Outcome::Success, Outcome::PartialSuccess, Outcome::Failure]
    );
}

#[test]
fn percentile_dice_stay_under_the_skill() {
    let check = &sound("## Dice\nRoll d%.\n").system.checks[0];
    assert_eq!(check.succeed, Succeed::AtMost);
    assert_eq!(check.target.as_ref().map(ToString::to_string).as_deref(), Some("{skill}"));
    assert!(check.roll.variables().is_empty());
}

#[test]
fn modifiers_are_assumed_only_for_scores() {
    let of = |range: &str| {
        let text = format!("## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Might (MIG)\n- Range: {range}\n");
        sound(&text).system.attributes[0].modifier(14)
    };
    assert_eq!(of("3 to 18"), Ok(2));
    assert_eq!(of("-3 to 3"), Ok(14), "these are modifiers already");
}

#[test]
fn a_range_stands_where_the_author_put_it() {
    let reading = sound(
        "## Dice\nRoll 2d6 + modifiers.\n## Attributes\n- Might (MIG, 3-18): lifting\n- Wit (1 to 6)\n- Luck (LUC, 0-10)\n- Nerve\n- Range: 1 to 4\n",
    );
    let ranges: Vec<_> = reading.system.attributes.iter().map(|own| own.range).collect();
    assert_eq!(ranges, [Some((3, 18)), Some((1, 6)), Some((0, 10)), Some((1, 4))]);
    assert_eq!(reading.system.attributes[2].abbr.as_deref(), Some("LUC"));
}

/// Of two bounds the first counts, and the other is told.
#[test]
fn starting_values_are_a_range_and_there_is_one() {
    let text = "## Dice\nRoll 2d6 + stat.\n## Attributes\n- Might (MIG)\n\nStarting values: 8-18 range, point buy.\n";
    assert_eq!(sound(text).system.attributes[0].range, Some((8, 18)));
    let twice = system_md(&text.replace("(MIG)\n", "(MIG)\n- Range: 3 to 20\n"));
    assert_eq!((twice.system.attributes[0].range, codes(&twice)), (Some((3, 20)), vec!["document/not-understood"]));
    let wrong = system_md(&text.replace("8-18 range", "8-18 about"));
    assert_eq!((wrong.system.attributes[0].range, codes(&wrong)), (None, vec!["document/not-understood"]));
}

#[test]
fn skills_are_linked_in_several_ways() {
    let reading = sound(
        "## Dice\nRoll 2d6 + modifiers.\n## Stats\n- Strength (STR)\n- Dexterity (DEX)\n## Actions\n- Athletics (strength)\n- Climb (STR)\n- Ride (DEX): on horses\n- Talk\n",
    );
    let links: Vec<_> = reading.system.skills.iter().map(|own| own.attribute.as_deref()).collect();
    assert_eq!(links, [Some("Strength"), Some("Strength"), Some("Dexterity"), None]);
}

#[test]
fn an_unlearned_skill_has_a_base() {
    let reading = sound(
        "## Dice\nRoll 2d6 + modifiers.\n## Attributes\n- Dexterity (DEX)\n## Skills\n- Dodge (DEX, base `floor({DEX} / 2)`)\n- Engineer (base -3)\n- Camp: base camp, tents\n",
    );
    let bases: Vec<_> = reading.system.skills.iter().map(|own| own.base.as_ref().map(ToString::to_string)).collect();
    assert_eq!(bases, [Some("floor({DEX} / 2)".into()), Some("-3".into()), None]);
}

#[test]
fn a_number_or_one_name_needs_no_backticks() {
    let text = |size: &str| {
        format!(
            "## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Constitution (CON)\n## Health\n- Hit points: {size}\n- Damage: none\n"
        )
    };
    for (size, meant) in [("max 12", "12"), ("max {CON}", "{CON}"), ("max {Constitution}", "{Constitution}")] {
        let max = sound(&text(size)).system.tracks[0].max.as_ref().map(ToString::to_string);
        assert_eq!(max.as_deref(), Some(meant), "{size}");
    }
    for size in ["12", "10 + CON modifier", "max 10 + Constitution", "max CON"] {
        let reading = system_md(&text(size));
        assert_eq!((codes(&reading), reading.system.tracks.len()), (vec!["document/not-understood"], 0), "{size}");
    }
}

#[test]
fn initiative_is_read_from_its_sentence() {
    let of = |combat: &str| {
        let text = format!("## Dice\nRoll 1d20 + modifiers.\n## Attributes\n- Dexterity (DEX)\n## Combat\n{combat}\n");
        sound(&text).system.initiative
    };
    let initiative = of("Turn-based combat with initiative (d20 + DEX modifier).");
    assert!(matches!(&initiative.kind, InitiativeKind::Rolled(formula) if formula.to_string() == "1d20 + {DEX}"));
    assert!(initiative.assumed);
    assert_eq!((initiative.highest_first, initiative.when), (true, InitiativeWhen::OncePerFight));
    let bullet = of("- Initiative: `1d10`, lowest first, each round");
    assert_eq!((bullet.highest_first, bullet.when), (false, InitiativeWhen::EachRound));
    assert_eq!(of("There is no initiative.").kind, InitiativeKind::Given, "prose is prose");
    assert_eq!(of("Everyone acts as they like.").kind, InitiativeKind::Given);
    let fixed = of("- Initiative: {DEX}, highest first\n- Ties: players, higher Dexterity");
    assert!(matches!(&fixed.kind, InitiativeKind::Fixed(formula) if formula.to_string() == "{DEX}"));
    assert_eq!(fixed.ties, [TieBreak::Players, TieBreak::HigherAttribute("Dexterity".into()), TieBreak::Entered]);
    assert_eq!(of("- Initiative: cards").kind, InitiativeKind::Cards);
}

#[test]
fn dice_named_in_prose_may_be_rolled() {
    let reading = sound("## Dice\nRoll 1d20 + modifiers. A dagger does d3, magic 2d7.\n");
    assert_eq!(reading.system.dice.list(), "d3, d4, d6, d7, d8, d10, d12, d20, d100, dF");
    let reading = sound("## Dice\nRoll 1d20 + modifiers.\n- Dice: d20, d6, d3\n");
    assert_eq!(reading.system.dice.list(), "d3, d6, d20");
    assert!(sound("## Dice\nRoll 1d20 + modifiers.\n- Dice: any\n").system.dice.is_any());
}

/// What looks like a rule and is none is pointed at: silence would be the worst answer.
#[test]
fn what_is_passed_over_is_told() {
    const BASE: &str = "# X\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Attributes\n- Wits (WIT)\n- Range: 3 to 18\n\n";
    for (added, at) in [
        ("## Combat\nTurn-based combat with initiative (d20 + FOO modifier).\n", "FOO"),
        (
            "## Health\n- Hit points: max 10\n- Damage: Hit points\n- At minus three Hit points: gain Unconscious\n",
            "minus",
        ),
        ("## Health\n- Hit points: max 10\n- Damage: Hit points\n- Left over bananas+: gain Dead\n", "bananas"),
    ] {
        let text = format!("{BASE}{added}");
        let reading = system_md(&text);
        let told: Vec<&str> = reading.diagnostics.iter().map(|told| &text[told.labels[0].span.bytes()]).collect();
        assert_eq!(told, [at], "{added}");
    }
}

#[test]
fn what_an_attribute_is_worth_does_not_depend_on_whether_the_check_is_written_out() {
    let scores = "## Attributes\n- Might (MIG)\n- Range: 3 to 18\n";
    for checks in [
        "## Dice\nRoll 1d20 + modifiers against a difficulty.\n",
        "## Checks\n### Check\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n",
        "## Checks\n### Check\n- Roll: `1d20 + {attribute} + {skill}`\n- Target: `{difficulty}`\n",
        "## Checks\n### Check\n- Roll: `1d20 + {MIG}`\n- Target: `{difficulty}`\n",
        "## Checks\n### Check\n- Roll: `1d20 + {MIG} + 1`\n- Target: `{difficulty}`\n",
        "## Checks\n### Hex\n- Roll: `2d6`\n### Check\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n",
        "## Checks\n### Check\n- Roll: `1d20`\n- Target: {attribute score} or less\n",
    ] {
        let reading = system_md(&format!("{scores}{checks}"));
        assert_eq!(reading.system.attributes[0].modifier(15), Ok(2), "{checks}");
        let assumed = reading.system.assumptions.iter().find(|own| own.text.contains("floor(({score} - 10) / 2)"));
        assert!(assumed.is_some_and(|own| own.place.is_some()), "{checks}: said with its line");
        let shown = understood(&reading);
        assert!(shown.contains("3 to 18; worth floor(({score} - 10) / 2) (assumed)"), "{shown}");
    }
}

#[test]
fn what_is_to_be_reached_is_no_modifier() {
    let reading = system_md(
        "## Attributes\n- Might (MIG)\n- Armour class (AC, 10 to 30)\n- Range: -1 to 4\n\
         ## Checks\n### Strike\n- Roll: `1d20 + {modifier}`\n- Target: {target armour class}\n",
    );
    assert_eq!(reading.system.attributes[1].modifier(16), Ok(16));
}

#[test]
fn scores_that_are_taken_as_they_are_are_said() {
    let check = "## Checks\n### Check\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n";
    let under = "### Save\n- Roll: `1d20`\n- Target: {MIG} or less\n";
    for (rules, why) in [
        (format!("## Attributes\n- Might (MIG)\n- Range: 3 to 18\n{check}{under}"), "Save rolls under it"),
        (format!("## Attributes\n- Might (MIG)\n{check}"), "no Range goes beyond 10"),
    ] {
        let reading = system_md(&rules);
        assert_eq!(reading.system.attributes[0].modifier(15), Ok(15), "{rules}");
        let said = reading.system.assumptions.iter().find(|own| own.text.contains(why)).expect(why);
        assert!(said.place.is_some());
    }
    for (dice, added, asks) in [
        ("3d6", "{modifier}", ""),
        ("2d10", "{MIG}", ""),
        ("3d6", "({modifier} + {bonus=1})", "- Asks: bonus 0 to 3\n"),
        ("d%", "{attribute}", ""),
    ] {
        let added = format!("## Checks\n### Check\n- Roll: `{dice} + {added}`\n{asks}- Target: `{{difficulty}}`\n");
        let said = |scores: &str| {
            let reading = system_md(&format!("## Attributes\n- Might (MIG)\n{scores}{added}"));
            assert_eq!(reading.system.attributes[0].modifier(15), Ok(15), "{added}");
            assert!(!understood(&reading).contains("what an attribute is worth is floor"), "{added}");
            reading.system.assumptions.into_iter().find(|own| own.text.contains("is worth")).map(|own| own.text)
        };
        assert!(
            said("- Range: 3 to 18\n").is_some_and(|text| text.contains("the score itself, since Check rolls no d20"))
        );
        assert!(said("").is_some_and(|text| text.contains("no Range goes beyond 10")));
        assert_eq!(said("- Range: 3 to 18\n- Modifier: `{score}`\n"), None, "{added}");
        assert_eq!(said("- Range: 0 to 3\n"), None, "{added}");
    }
    for size in ["1d{attribute}", "{attribute}d6", "({MIG} + 1)d6kh3"] {
        let checks = format!("## Checks\n### Check\n- Roll: `{size}`\n- Target: `4`\n");
        let reading = system_md(&format!("## Attributes\n- Might (MIG)\n- Range: 4 to 12\n{checks}"));
        assert_eq!(reading.system.assumptions, [], "{size}: a size or a number of dice is the score");
    }
    for said in [
        "- Range: 3 to 18\n- Modifier: `{score}`\n",
        "- Range: -3 to 3\n",
        "- Range: 3 to 18\n- Modifier: `{score} - 10`\n",
    ] {
        let reading = system_md(&format!("## Attributes\n- Might (MIG)\n{said}{check}"));
        assert!(!reading.system.assumptions.iter().any(|own| own.text.contains("is worth")), "{said}");
    }
}

#[test]
fn which_way_percentile_dice_go_is_written_and_never_assumed() {
    for roll in ["d%", "1d100"] {
        for (target, succeed) in [("{skill} or less", Succeed::AtMost), ("{skill}", Succeed::AtLeast)] {
            let rules = format!("## Skills\n- Any\n## Checks\n### Test\n- Roll: `{roll}`\n- Target: {target}\n");
            let reading = sound(&rules);
            assert_eq!(reading.system.checks[0].succeed, succeed, "{roll}, {target}");
            assert_eq!(reading.system.assumptions, [], "{roll}, {target}");
        }
    }
}
