//! Rules whose colon is missing are told of; and what stands in another language is read as a whole.

use super::{codes, findings, sound, system_md};

#[test]
fn a_rule_without_its_colon_is_told_of_with_what_to_write() {
    for (text, help) in [
        ("## Dice\n- Difficulty Fair 10\n- Roll 1d20\n", "- Difficulty Fair: 10"),
        ("## Checks\n### Try\n- Roll: `1d20`\n- Target: `{difficulty}`\n### Difficulties\n- Easy 8\n", "- Easy: 8"),
        (
            "## Checks\n### Try\n- Roll: `1d20`\n- Target: `{difficulty}`\n\n## Difficulties\n- Very hard 20\n",
            "- Very hard: 20",
        ),
        (
            "## Checks\n- Difficulties: easy 8, fair ten\n### Try\n- Roll: `1d20`\n- Target: `{difficulty}`\n",
            "easy 8, fair 10",
        ),
        ("## Checks\n### Try\n- Roll: `1d20`\n- Opposed higher total\n", "- Opposed: …"),
        ("## Health\n- Hits: max 10\n- Long rest hits to max\n", "- Long rest: …"),
        ("## Health\n- Hits: max 10\n- Armour subtract from damage\n", "- Armour: …"),
        ("## Attributes\n- Might\n\n## Attacks\n- Sword Might +1, 1d8\n", "- Sword: Might +1, 1d8"),
    ] {
        let reading = system_md(text);
        assert!(
            reading.diagnostics.iter().any(|found| found.help.iter().any(|own| own.contains(help))),
            "{text}: {:?}",
            findings(&reading)
        );
    }
    for prose in ["- Armour is heavy, and hot", "- Long rests are for the night"] {
        assert!(
            !codes(&system_md(&format!("## Health\n- Hits: max 10\n{prose}\n")))
                .contains(&"document/looks-like-a-rule"),
            "{prose}"
        );
    }
}

#[test]
fn advantage_that_no_check_has_is_told_of() {
    let check = "## Checks\n### Test\n- Roll: `2d6`\n- Target: `7`\n";
    let hurt = "\n## Conditions\n- Hurt: disadvantage on checks\n";
    assert_eq!(codes(&system_md(&format!("{check}{hurt}"))), ["conditions/no-such-dice"]);
    sound(&format!("{check}- Advantage: `3d6kh2`\n- Disadvantage: `3d6kl2`\n{hurt}"));
    sound(&format!("{}{hurt}", check.replace("2d6", "1d20")));
}

#[test]
fn what_a_call_gives_may_go_from_a_number_to_another() {
    let reading = sound("## Checks\n### Test\n- Roll: `1d6 + {edge}`\n- Asks: edge from 0 to 3\n- Target: `5`\n");
    let asked = reading.system.checks.first().and_then(|check| check.asked("edge")).expect("asked for");
    assert_eq!(asked.range, Some((0, 3)));
}
