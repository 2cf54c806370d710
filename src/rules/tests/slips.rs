//! The slips of new authors: each is told where it stands, and mended where it can be meant in one way only.

use super::{codes, findings, system_md};
use crate::diagnostic::{Diagnostic, Severity, edited};
use crate::rules::{Reading, proofs};

/// A sound game but for the check.
const SCORES: &str =
    "## Attributes\n- Might (MIG): 3 to 18\n- Dexterity (DEX): 3 to 18\n\n## Skills\n- Climb (MIG)\n\n";

fn game(check: &str) -> String {
    format!("{SCORES}## Checks\n### Try\n- Roll: `1d20 + {{modifier}}`\n- Target: `{{difficulty}}`\n{check}")
}

/// The only finding with this code.
#[track_caller]
fn one<'r>(reading: &'r Reading, code: &str) -> &'r Diagnostic {
    let found: Vec<&Diagnostic> = reading.diagnostics.iter().filter(|found| found.code == code).collect();
    let [found] = found.as_slice() else { panic!("{code}: {:?}", findings(reading)) };
    found
}

/// The text after the edit of the only finding with this code, and whether it is made without asking.
#[track_caller]
fn mended(text: &str, code: &str) -> (String, bool) {
    let reading = system_md(text);
    let found = one(&reading, code);
    let fix = found.fix.as_ref().unwrap_or_else(|| panic!("no edit: {:?}", findings(&reading)));
    (edited(text, [fix]).0, found.sure_fix().is_some())
}

#[track_caller]
fn sound(text: &str) {
    let reading = system_md(text);
    assert_eq!(findings(&reading), Vec::<String>::new(), "{text}");
}

#[test]
fn a_number_between_two_rows_is_told() {
    let table = |rows: &str| game(&format!("\n| Outcome | When |\n|---|---|\n{rows}"));
    let rows = "| Success | total 10+ |\n| Partial success | total 7-8 |\n| Failure | otherwise |\n";
    let (text, sure) = mended(&table(rows), "checks/gap");
    assert!(text.contains("| Partial success | total 7-9 |") && !sure, "{text}");
    for fine in [
        "| Success | total 10+ |\n| Partial success | total 7-9 |\n| Failure | otherwise |\n",
        // A strange number that is meant.
        "| Critical success | total 7 |\n| Critical success | total 11 |\n| Failure | otherwise |\n",
        // What lies between is between.
        "| Critical success | natural 20 |\n| Critical failure | natural 1 |\n| Success | otherwise |\n",
        "| Success | total 12+ |\n| Failure | total 1-10 |\n| Partial success | otherwise |\n",
        // A third row is in the gap.
        "| Success | total 10+ |\n| Critical success | total 9 |\n| Partial success | total 7-8 |\n| Failure | otherwise |\n",
        "| Success | total 30+ |\n| Partial success | total 7-8 |\n| Failure | otherwise |\n",
    ] {
        assert!(!codes(&system_md(&table(fine))).contains(&"checks/gap"), "{fine}");
    }
    let over = table("| Success | `total > 9` |\n| Partial success | `total < 8` |\n| Failure | otherwise |\n");
    assert!(codes(&system_md(&over)).contains(&"checks/gap"), "8 and 9 are left out");
}

#[test]
fn a_face_that_no_die_has_is_told_in_rows_too() {
    let row = |when: &str| {
        game(&format!(
            "\n| Outcome | When |\n|---|---|\n| Critical success | {when} |\n| Success | margin 0+ |\n| Failure | otherwise |\n"
        ))
    };
    for (when, right) in [("natural 21", "natural 20"), ("natural 0", "natural 1"), ("highest 21", "highest 20")] {
        let text = row(when);
        let (mended, sure) = mended(&text, "checks/impossible-natural");
        assert!(!sure && mended.contains(&format!("| {right} |")), "{mended}");
        assert!(
            proofs(&system_md(&text)).iter().all(|found| found.code != "checks/unreachable-row"),
            "told once: {when}"
        );
    }
    for fine in ["natural 20", "natural 19-20", "natural 15+", "natural {DEX}+", "natural 21 or natural 20"] {
        assert!(!codes(&system_md(&row(fine))).contains(&"checks/impossible-natural"), "{fine}");
    }
}

#[test]
fn a_short_form_that_is_misspelt_is_told() {
    let sword =
        |short: &str| game(&format!("\n## Attacks\n| Attack | Damage |\n|---|---|\n| Sword | `1d8 + {{{short}}}` |\n"));
    let (text, _) = mended(&sword("Dext"), "document/not-understood");
    assert!(text.contains("{DEX}"), "{text}");
    for written in ["DX", "MG"] {
        let reading = system_md(&sword(written));
        assert_eq!(one(&reading, "document/not-understood").severity, Severity::Error, "{written}");
        assert!(reading.system.attacks.is_empty(), "{written}");
    }
    let reading = system_md(&game("\n### Other\n- Roll: `1d20 + {Zeal}`\n- Target: 12\n"));
    assert_eq!(one(&reading, "document/not-understood").severity, Severity::Error, "what a call brings is asked for");
}

#[test]
fn an_attribute_beside_the_modifier_is_counted_twice() {
    let roll = |attributes: &str, skills: &str, roll: &str| {
        format!(
            "## Attributes\n{attributes}\n## Skills\n{skills}\n## Checks\n### Try\n- Roll: `{roll}`\n- Target: 12\n"
        )
    };
    for (skills, written) in [
        ("- Climb (MIG)\n", "1d20 + {modifier} + {Might}"),
        ("- Climb (MIG)\n", "1d20 + {MIG} + {modifier}"),
        ("", "1d20 + {modifier} + {Might}"),
        ("- Climb (MIG)\n", "1d20 + {modifier} + {Climb}"),
    ] {
        one(&system_md(&roll("- Might (MIG)\n- Luck\n", skills, written)), "checks/counted-twice");
    }
    // No skill leads to Luck, so a check may add it on purpose.
    sound(&roll("- Might (MIG)\n- Luck\n", "- Climb (MIG)\n", "1d20 + {modifier} + {Luck}"));
    sound(&roll("- Might (MIG)\n- Luck\n", "- Climb (MIG)\n", "{Might}d6 + {modifier}"));
}

#[test]
fn a_title_may_be_called_as_a_section_is() {
    for text in [
        "# Moves\n\n## Dice\nRoll 1d20 + modifiers.\n",
        "# Combat\nA game of it.\n\n## Dice\nRoll 1d20 + modifiers.\n",
        "# Tide\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Play\n### Moves\nSay what you do.\n",
        "# Tide\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Moves\n### Sneak\nYou are not seen.\n",
    ] {
        sound(text);
    }
    // With the section's rules below it, it is the section.
    assert_eq!(
        codes(&system_md(
            "# Skills\n- Stealth (DEX)\n\n## Attributes\n- Dexterity (DEX)\n\n## Dice\nRoll 1d20 + modifiers.\n"
        )),
        ["document/heading-level"]
    );
}

#[test]
fn losing_the_only_check_is_an_error() {
    let check = "### Try\n- Roll: `1d20 + {modifier}`\n- Target: 12\n";
    for lost in [
        format!("## Cheks\n{check}"),
        format!("## Rules\n### Checks\n{}", check.replace("###", "####")),
        format!("## Dice\nRoll 1d20 + modifiers.\n\n## Cheks\n{check}"),
    ] {
        let reading = system_md(&lost);
        assert!(reading.count(Severity::Error) >= 1, "{lost}\n{:?}", findings(&reading));
    }
    // With another check of the author's own it is a warning.
    let reading = system_md(&format!("{}\n## Cheks\n{}", game(""), check.replace("Try", "Other")));
    assert_eq!(reading.count(Severity::Error), 0, "{:?}", findings(&reading));
}

#[test]
fn a_heading_in_another_language_is_never_mended() {
    for text in [
        "# Jeu\nLancez les d\u{e9}s.\n\n## Attributs\n- Force (FOR)\n- Agilit\u{e9} (AGI)\n",
        "# Spiel\nEs wird mit Karten gespielt.\n\n## Attribute\n- St\u{e4}rke (ST)\n- Mut (MU)\n",
        "# Joc\n\n## Rols\n### Jet\n- Roll: `1d20`\n",
        "# Jeu\n\n## Avancement\n- Level up at: 7\n",
        "# Jeu\n## Approches\n- Vif (VIF)\n- Malin (MAL)\n",
    ] {
        let reading = system_md(text);
        assert!(reading.diagnostics.iter().all(|found| found.sure_fix().is_none()), "{text}\n{:?}", findings(&reading));
    }
    let english = "# Tide\nThe sea is rough, and you are on it.\n\n## Skils\n- Climb (STR)\n";
    assert!(system_md(english).diagnostics.iter().any(|found| found.sure_fix().is_some()));
}

#[test]
fn a_roll_beyond_a_limit_is_told_when_it_is_all_there_is() {
    for roll in [
        "- Roll: `{rating=100}d6 + 950d6`\n- Asks: rating 1 to 100\n",
        "- Roll: `{1000d6!,1000d8!!,50d20}kh2 + {modifier}`\n",
    ] {
        for more in ["", "- Target: 12\n"] {
            let reading = system_md(&format!("## Checks\n### Try\n{roll}{more}"));
            let found: Vec<&str> =
                reading.diagnostics.iter().chain(&proofs(&reading)).map(|found| found.code).collect();
            assert!(found.contains(&"checks/cannot-be-rolled"), "{roll} {more}: {found:?}");
        }
    }
    let fine = system_md("## Checks\n### Try\n- Roll: `{rating=3}d6`\n- Asks: rating 1 to 20\n");
    assert_eq!(proofs(&fine), []);
}

#[test]
fn what_is_refused_of_a_check_beyond_a_limit_is_said_exactly() {
    let said = |rules: &str| {
        let found = proofs(&system_md(&format!("## Checks\n### Try\n{rules}\n")));
        let found: Vec<_> = found.iter().filter(|found| found.code == "checks/cannot-be-rolled").collect();
        found.iter().map(|found| found.labels[0].text.clone()).collect::<Vec<_>>()
    };
    for (rules, words) in [
        ("- Roll: `{rating=5000}d6`\n- Asks: rating 1 to 20", "every call that leaves `rating` at 5000 is refused"),
        (
            "- Roll: `{rating=5000}d6 + {bonus=1}`\n- Asks: rating 1 to 20, bonus 0 to 5",
            "every call that leaves `bonus` at 1 and `rating` at 5000 is refused",
        ),
        // Names without a default do not hide it.
        (
            "- Roll: `{rating=5000}d6 + {modifier}`\n- Asks: rating 1 to 20\n- Target: 12",
            "every call that leaves `rating` at 5000 is refused",
        ),
        ("- Roll: `{1000d6!,1000d8!!,50d20}kh2 + {modifier}`", "refused with every value that was looked at"),
    ] {
        assert_eq!(said(rules), [words], "{rules}");
    }
    for fine in [
        "- Roll: `{rating=3}d6 + {modifier}`\n- Asks: rating 1 to 20",
        "- Roll: `{rating}d6`\n- Asks: rating 1 to 20",
        "- Roll: `1d6 / {by}`\n- Asks: by 1 to 6",
    ] {
        assert!(said(fine).is_empty(), "{fine}");
    }
}
