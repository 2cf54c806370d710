//! Rules in words that no reader takes: a label is missing, or stands in a sentence, or a number says more than is read.

use super::{codes, findings, system_md};

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
fn a_limit_that_is_passed_is_named() {
    for (roll, limit) in [("`5000d6`", "1000 dice"), ("`5000d6 + 3`", "1000 dice"), ("`2d2000000`", "1000 sides")] {
        let reading = system_md(&format!("## Checks\n### Try\n- Roll: {roll}\n"));
        assert!(codes(&reading).contains(&"document/not-understood"), "{roll}: {:?}", findings(&reading));
        let found = format!("{:?}", reading.diagnostics);
        assert!(found.contains(limit), "{roll}: {found}");
    }
}
