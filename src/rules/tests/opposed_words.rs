//! What sentences say of two who roll against each other: offered as the bullet, and left alone where it is so already.

use super::{codes, findings, system_md};

/// The rules with what the finding offers put in, where there is one.
fn mended(text: &str) -> Option<String> {
    let reading = system_md(text);
    let found = reading.diagnostics.iter().find(|found| found.code == "document/looks-like-a-rule")?;
    let fix = found.fix.clone().expect("an edit");
    Some(format!("{}{}{}", &text[..fix.span.start], fix.replacement, &text[fix.span.end..]))
}

fn under(words: &str) -> String {
    format!("## Skills\n- Sneak\n\n## Checks\n### Test\n{words}\n\n- Roll: `1d100`\n- Target: `{{skill}}`\n")
}

#[test]
fn a_rule_that_a_sentence_plainly_says_is_offered_and_the_offer_is_read() {
    for (words, is) in [
        ("In an opposed check the higher total wins.", "higher total"),
        (
            "Opposed: the higher roll that succeeds wins; ties go to the defender.",
            "higher total that succeeds; ties: other",
        ),
        ("In a contest, whoever rolls lower wins. On a tie both roll again.", "lower total; ties: again"),
        ("Two may roll against each other. If both succeed, the higher roll wins.", "higher total that succeeds"),
    ] {
        let text = mended(&under(words)).unwrap_or_else(|| panic!("nothing is found in: {words}"));
        let reading = system_md(&text);
        assert_eq!(findings(&reading), Vec::<String>::new(), "{text}");
        assert_eq!(reading.system.checks[0].opposition.text, is, "{text}");
    }
}

#[test]
fn it_may_be_said_of_every_check_and_below_a_heading_of_its_own() {
    let pool = "## Checks\n\n### Test\n- Roll: `{pool}d6`\n- Asks: pool 1 to 9\n- Count: 5+\n- Target: `1`\n\n### Contests\nBoth roll; the one with more successes wins; ties go to the defender.\n";
    let text = mended(pool).expect("a finding");
    assert!(text.starts_with("## Checks\n\n- Opposed: most successes; ties: other\n"), "{text}");
    let reading = system_md(&text);
    assert_eq!(
        (findings(&reading), reading.system.checks[0].opposition.text.as_str()),
        (Vec::new(), "most successes; ties: other")
    );
}

#[test]
fn what_is_so_already_or_is_not_plainly_said_is_left_alone() {
    for words in [
        "In an opposed check the better outcome wins.",
        "In an opposed check the higher initiative wins.",
        "In our old game the higher total of an opposed roll always wins? Who knows.",
        "A contest of songs is held each spring, and the bards roll about laughing.",
        "In an opposed check the higher total does not win.",
    ] {
        let reading = system_md(&under(words));
        assert!(!codes(&reading).contains(&"document/looks-like-a-rule"), "{words}: {:?}", findings(&reading));
    }
    let open = "## Skills\n- Sneak\n\n## Checks\n### Test\nIn an opposed check the higher total wins.\n\n- Roll: `1d20 + {skill}`\n- Target: `{difficulty}`\n";
    assert_eq!(findings(&system_md(open)), Vec::<String>::new(), "so it is without a difficulty");
    let said =
        under("In an opposed check the higher total wins.").replace("- Target", "- Opposed: higher total\n- Target");
    assert_eq!(findings(&system_md(&said)), Vec::<String>::new());
}
