//! Rules in words that no reader takes: a label is missing, or stands in a sentence, or a number says more than is read.

use super::overlooked::{GAME, looks_like_a_rule, told};
use super::{codes, findings, system_md};
use crate::diagnostic::edited;
use crate::rules::EffectChange;

#[test]
fn rules_without_a_label_are_told_where_their_section_reads_them() {
    for (lines, at) in [
        ("- otherwise: trouble\n", "otherwise"),
        ("- Success - 10+\n", "Success"),
        ("- Failure on 9 or less\n", "Failure"),
        ("\n## Checks\n| Check | Roll | Target |\n|---|---|---|\n| Climb | 1d20 + STR | 12 |\n", "|"),
        ("\n## Health\nWounds: three, the fourth kills.\n", "Wounds"),
        ("\n## Conditions\n**Poisoned**: -2 on checks\n", "Poisoned"),
        ("\n## Conditions\n- **Prone** disadvantage on checks\n", "Prone"),
        ("\n## Advancement\nYou level up every 10 XP.\n", "You"),
        ("\n## Dice\n- Sixes are successes\n", "Sixes"),
        ("\n## Dice\n- Exploding dice: sixes\n", "Exploding"),
        ("\n## Dice\n- Botch: all ones\n", "Botch"),
    ] {
        looks_like_a_rule(lines, at);
    }
    for (lines, at) in [("\n## Attributes\n- Wits 3-18\n", "Wits 3-18"), ("\n## Skills\n- Sneak +3\n", "Sneak +3")] {
        looks_like_a_rule(lines, at);
    }
    assert_eq!(told("\n## Skills\n- Pilot 2\n"), [], "a number may be a part of a name");
    for prose in [
        "- Ask before you roll\n",
        "\n## Conditions\nA condition lasts until it is treated.\n",
        "\n## Health\nNobody dies without being asked.\n",
        "\n## Advancement\nBetween evenings people grow.\n",
        "\n## Dice\nThe dice are always thrown in the open.\n",
    ] {
        assert_eq!(told(prose), [], "{prose}");
    }
}

#[test]
fn what_a_score_starts_at_and_how_it_is_rolled_is_told() {
    for (line, at) in [
        ("- Luck: starts at 5", "starts"),
        ("- Wits (WIT): 4d6 drop lowest", "4d6"),
        ("- Wits: roll 3d6", "roll"),
        ("- Grace: 5", "5"),
        ("- Nerve (NRV): begins at 3, and goes up", "begins"),
    ] {
        let lines = format!("\n## Attributes\n{line}\n");
        looks_like_a_rule(&lines, at);
        // What the help says to write is read.
        let reading = system_md(&format!("{GAME}{lines}"));
        let help = reading.diagnostics[0].help.join(" ");
        let written = help.split('`').nth(1).expect("a bullet");
        assert_eq!(told(&format!("\n## Attributes\n{written}\n")), [], "{help}");
    }
    for line in ["Might 3-18", "Might: 3-18", "Might (MIG) 3 to 18, for lifting", "Luck: starts at 5"] {
        looks_like_a_rule(&format!("\n## Attributes\n{line}\n"), &line[..4]);
    }
    for prose in [
        "- Reach: seen from 5 miles",
        "- Nerve: 4, 6, 8, 10 or 12",
        "- Luck: 1 to 20, starts at 5",
        "Arrange 15, 14, 13, 12, 10 and 8 as you like.",
        "Roll 3d6 in order.",
        "Everybody starts at level 1.",
    ] {
        assert_eq!(told(&format!("\n## Attributes\n{prose}\n")), [], "{prose}");
    }
}

#[test]
fn rolling_twice_is_advantage_or_disadvantage_and_else_the_gms() {
    let of = |words: &str| {
        let reading = system_md(&format!("{GAME}\n## Conditions\n- Cursed: {words}\n"));
        let changes: Vec<EffectChange> = reading.system.conditions[0].effects.iter().map(|own| own.change).collect();
        (changes, codes(&reading))
    };
    for (words, change) in [
        ("roll twice and take the worse", EffectChange::Disadvantage),
        ("rolls twice and keeps the worst result on checks", EffectChange::Disadvantage),
        ("roll twice and use the better one on STR checks, 2 rounds", EffectChange::Advantage),
    ] {
        assert_eq!(of(words), (vec![change], vec![]), "{words}");
    }
    for words in ["roll twice and keep the lower", "roll twice, take the better", "reroll ones", "re-roll successes"] {
        assert_eq!(of(words), (vec![], vec!["document/left-to-the-gm"]), "{words}");
    }
    assert_eq!(of("you see things that are not there"), (vec![], vec![]));
}

#[test]
fn what_stands_beside_the_dice_of_an_assumed_check_is_told() {
    for (rules, at) in [
        ("## Checks\n**Roll:** 2d6 + modifier. **Target:** 8\n", ":"),
        ("## Dice\nRoll 2d6; succeed: at most 8\n", ";"),
        ("## Dice\nRoll 2d6 + modifiers, 8 or more succeeds.\n", ","),
        ("## Dice\nRoll 2d6 + modifier.\n", "modifier"),
        ("## Dice\nRoll 1d20 + modifiers against 12.\n", "12"),
    ] {
        let reading = system_md(rules);
        let found: Vec<&str> = reading.diagnostics.iter().filter_map(|own| rules.get(own.span()?.bytes())).collect();
        assert_eq!((codes(&reading), found), (vec!["document/looks-like-a-rule"], vec![at]), "{rules}");
    }
    for prose in [
        "## Dice\nRoll 1d20 + modifiers against a difficulty. 10 is easy, 15 is hard.\n",
        "## Dice\nRoll 2d6 + modifiers. Three or more of you may help, as 3 or more hands can.\n",
    ] {
        assert_eq!(findings(&system_md(prose)), Vec::<String>::new(), "{prose}");
    }
}

#[test]
fn sentences_with_numbers_below_combat_are_told() {
    for line in [
        "Everybody has Armour 10.",
        "You have 3 actions a round. Nothing surprises those who watched for it all night and who sat still.",
        "Surprise: +2",
    ] {
        looks_like_a_rule(&format!("\n## Combat\n- Initiative: `1d20`\n\n{line}\n"), &line[..4]);
    }
    for prose in [
        "On your turn you move and do one thing.",
        "A card is dealt to each of you. A joker acts when it likes, two better.",
        "On your turn you may strike, stride, shove, draw, reload, help, or raise a shield, which is 2 better until it is \
         your turn again",
    ] {
        assert_eq!(told(&format!("\n## Combat\n{prose}\n")), [], "{prose}");
    }
}

#[test]
fn a_limit_that_is_passed_is_named() {
    for (roll, limit) in [("`5000d6`", "1000 dice"), ("5000d6 + 3", "1000 dice"), ("2d2000000", "1000 sides")] {
        let reading = system_md(&format!("## Checks\n### Try\n- Roll: {roll}\n"));
        let found = findings(&reading);
        assert!(found.iter().any(|line| line.contains("is more than can be rolled")), "{roll}: {found:?}");
        assert!(found.iter().any(|line| line.contains(limit)), "{roll}: {found:?}");
    }
}

#[test]
fn names_in_a_row_are_told_and_put_in_bullets_of_their_own() {
    let text = "## Attributes\n- Might, Wits and Grace\n- Range: 1 to 6\n\n## Skills\n- Climb (Might), Read (Wits)\n
## Checks\n### Try\n- Roll: `1d20 + {modifier}`\n- Target: `12`\n";
    let first = system_md(text);
    let codes: Vec<&str> = first.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(codes, ["document/looks-like-a-rule"; 2], "{:?}", findings(&first));
    let fixes: Vec<_> = first.diagnostics.iter().filter_map(|found| found.fix.as_ref()).collect();
    let (mended, _) = edited(text, fixes);
    assert!(
        mended.contains("- Might\n- Wits\n- Grace\n") && mended.contains("- Climb (Might)\n- Read (Wits)\n"),
        "{mended}"
    );
    let reading = system_md(&mended);
    assert_eq!(findings(&reading), Vec::<String>::new(), "{mended}");
    assert_eq!(reading.system.skills.len(), 2);
    for prose in ["- Elves, who see far", "- Hack and Slash", "- Pick two, or none."] {
        assert_eq!(told(&format!("\n## Attributes\n- Might: 1 to 6\n{prose}\n")), [], "{prose}");
    }
}

#[test]
fn a_range_behind_a_name_without_a_colon_is_told_and_mended() {
    for (line, meant) in [
        ("Agility, -3 to 6", "Agility: -3 to 6"),
        ("Agility -3 to +6", "Agility: -3 to +6"),
        ("Quick wits 3-18", "Quick wits: 3-18"),
        ("Body (BOD) 1-6", "Body (BOD): 1-6"),
    ] {
        let text = format!(
            "## Attributes\n- {line}\n- Grit: 1 to 6\n\n## Checks\n### Try\n- Roll: `1d20 + {{Grit}}`\n- Target: `12`\n"
        );
        let reading = super::system_md(&text);
        let found: Vec<_> = reading.diagnostics.iter().filter(|own| own.code == "document/looks-like-a-rule").collect();
        assert_eq!(found.len(), 1, "{line}: {:?}", reading.diagnostics);
        let fix = found[0].fix.as_ref().expect("a fix");
        let mended = format!("{}{}{}", &text[..fix.span.start], fix.replacement, &text[fix.span.end..]);
        assert!(mended.contains(&format!("- {meant}\n")), "{mended}");
        super::sound(&mended);
    }
    for name in ["Agility", "Second Wind", "Half-breed", "Agility, which is quick"] {
        super::sound(&format!("## Dice\nRoll 1d20 + modifiers.\n\n## Attributes\n- Grit: 1 to 6\n- {name}\n"));
    }
}
