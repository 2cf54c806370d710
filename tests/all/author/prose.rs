//! Texts as books print them: what is offered for each, and that it plays as the text says. Each file of `prose/` has the text, the lines
//! that come in when everything is accepted, and a playtest of the file that comes of it.

use std::path::Path;

use crate::author::bench::Bench;

/// The lines that a diff adds, blank ones left out.
fn added(diff: &str) -> Vec<&str> {
    let lines = diff.lines().filter(|line| !line.starts_with("+++"));
    lines.filter_map(|line| line.strip_prefix('+')).filter(|line| !line.is_empty()).collect()
}

/// What is wrong with the proposals for a text; nothing where they are right.
fn fault(case: &str) -> Option<String> {
    let (text, rest) = case.split_once("--- offered\n").expect("what is offered");
    let (offered, played) = rest.split_once("--- played\n").expect("what is played");
    let bench = Bench::of(text);
    let said = bench.run(&["check", "--propose"]);
    let offered: Vec<&str> = offered.lines().collect();
    if added(&said.out) != offered {
        return Some(format!(
            "offered:\n{}\n{}\nand not:\n{}",
            added(&said.out).join("\n"),
            said.err,
            offered.join("\n")
        ));
    }
    let hunks = said.out.lines().filter(|line| line.starts_with("@@ ")).count();
    if hunks > 0 {
        let numbers: Vec<String> = (1..=hunks).map(|number| number.to_string()).collect();
        bench.run(&["check", "--accept", &numbers.join(",")]).ends(0);
        let again = bench.run(&["check", "--propose"]);
        if !again.out.is_empty() {
            return Some(format!("offered again:\n{}", again.out));
        }
        let found = bench.run(&["check", "--format", "plain"]);
        if found.out.contains("error") || found.code != Some(0) {
            return Some(format!("found:\n{}\n{}", found.out, bench.read("System.md")));
        }
    }
    bench.save("tests/played.md", &format!("```playtest As the text says\n{played}```\n"));
    let test = bench.run(&["test"]);
    (test.code != Some(0)).then(|| format!("{}\n{}\n{}", test.out, test.err, bench.read("System.md")))
}

#[test]
fn what_is_offered_plays_as_the_text_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/author/prose");
    let (mut cases, mut faults) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let case = std::fs::read_to_string(&path).expect("text");
        faults.extend(fault(&case).map(|fault| format!("=== {}\n{fault}", path.display())));
        cases += 1;
    }
    assert!(cases >= 20, "{cases}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_is_only_said_asked_or_supposed_is_not_offered() {
    let bands = "roll 2d6 and add your Charm. On a 10+, all listen. On a 7-9, some do. On a 6-, none does.";
    for text in [
        &format!("Do not use this: when you sing, {bands}"),
        &format!("Optional rule: when you sing, {bands}"),
        &format!("Do not use this. When you sing, {bands}"),
        &format!("When you sing, {bands} You may sing only once a day."),
        &format!("When you sing, {bands} This whole paragraph is a joke."),
        "Players often think they roll a d20 under their Wit here. They do not.",
        "My cousin swears that you roll a d20 under your Wits to sing. He is wrong.",
        "Is it fun to roll a d20 under your Wits?",
        "Suppose a player rolls a d20 under Wits. What then?",
        "Imagine that you roll d100 under your Might to fly.",
        "The computer version has you roll d100 under your Might.",
        "Jory said that you roll percentile dice equal to or under your Might.",
        "In chess, roll a d20 and add your Wits. If the total equals or exceeds the difficulty, you succeed.",
        "In our old game you rolled 2d6 and added your Wits; on a total of 8 or more you succeeded.",
        "In our old game, roll a d20 under your Wits.",
        "In most games you roll a d20 under your Wits.",
        "As in backgammon, roll 2d6 and add your Wits; on a total of 8 or more you succeed.",
        &format!("In football, when you kick, {bands}"),
        &format!("In most games, {bands}"),
        "In Dungeons of Old, characters have three scores: Might, Wits and Charm. Ours have two: Sword and Song, each from 1 to 5.",
        "Three friends walk in: Mara, Jory and Ann, each from the sea.",
    ] {
        let said = Bench::of(&format!("# Salt Roads\n\n## Rules\n\n{text}\n")).run(&["check", "--propose"]);
        assert_eq!(said.ends(0).out, "", "{text}\n{}", said.err);
    }
}

#[test]
fn what_is_said_behind_the_bands_and_a_move_without_a_name_are_named() {
    let nerve = "When you cross the moor, roll 2d6 and add your Nerve. On a 10+, you are over. On a 7-9, it is night. On a 6-, you are lost.";
    let wit = "When a fight is one of words, roll +Wit. On a 10+, you win. On a 7-9, nobody does. On a 6-, you lose.";
    let bench = Bench::of(&format!("# Salt Roads\n\n## How things go\n\n{nerve}\n\n{wit}\n\n{wit}\n"));
    let said = bench.run(&["check", "--propose"]);
    let why = "this roll is not offered, since nothing there says what it is called. Where no check of yours does it yet, write it below ## Checks.";
    said.says("### Cross the moor");
    assert!([7, 9].iter().all(|line| said.err.contains(&format!("System.md:{line}: {why}"))), "{}", said.err);
    let json = bench.run(&["check", "--propose", "--json"]);
    json.says("\"not_offered\"").says("nothing there says what it is called");
    let found = bench.run(&["check", "--format", "plain"]);
    found.says("a move is decided in sentences");
    assert!(!found.out.contains("``"), "{}", found.out);
    let said = Bench::of(&format!("# Salt Roads\n\n## How things go\n\n{nerve} The moor is wide.\n"))
        .run(&["check", "--propose"]);
    assert!(said.err.contains("says more of it than is read"), "{}", said.err);
    // A player who wants to do it does it.
    let wants = wit.replace("When a fight is one of words", "When a player wants to fight with words");
    let said =
        Bench::of(&format!("# Salt Roads\n\n## How things go\n\n{nerve}\n\n{wants}\n")).run(&["check", "--propose"]);
    said.says("### Cross the moor").says("### Fight with words");
}

#[test]
fn scores_are_told_by_how_many_there_are() {
    let text = "# Salt Roads\n\n## Rules\n\nEverybody has four qualities: Grit, Wit, Grace and Nerve, each from 0 to 4. Roll 2d6 and add your \
                Nerve; on a total of 8 or more you succeed.\n";
    let said = Bench::of(text).run(&["check", "--propose"]);
    assert_eq!(
        added(&said.out)[..6],
        ["## Attributes", "- Grit (GRI)", "- Wit", "- Grace (GRA)", "- Nerve (NER)", "- Range: 0 to 4"],
        "{}",
        said.out
    );
}

#[test]
fn a_list_of_one_is_accepted_by_its_number() {
    let bench = Bench::of("# Salt Roads\n\n## Play\n\nEveryone has 12 hit points.\n");
    let said = bench.run(&["check", "--propose"]);
    assert!(said.err.starts_with("1 proposal. To write it: rollbook check . --accept 1 --of "), "{}", said.err);
}

#[test]
fn what_is_not_offered_since_more_is_said_of_it_is_named() {
    let rules = "# Salt Roads\n\n## Play\n\nRoll 1d20 and add your modifier. If the total equals or exceeds the difficulty, you succeed.\n\n\
        A natural 20 always succeeds.\n";
    let said = Bench::of(rules).run(&["check", "--propose"]);
    assert!(said.err.contains("System.md:5: this roll is not offered"), "{}", said.err);
}

#[test]
fn what_stands_behind_the_last_word_stays_with_it() {
    let bench = Bench::of("# Salt Roads\n\n## Play\n\nEveryone has 12 hit points. ");
    bench.run(&["check", "--accept", "1"]).ends(0);
    let text = bench.read("System.md");
    assert!(
        text.starts_with("# Salt Roads\n\n## Play\n\nEveryone has 12 hit points. \n\n## Health\n")
            && !text.ends_with(' '),
        "{text:?}"
    );
}

#[test]
fn each_roll_that_is_not_offered_is_named_with_its_reason() {
    for (text, why) in [
        ("Roll a d20 under your Wits. Exactly equal is a triumph.", "says more of it than is read"),
        ("Roll a d20 under your Wits, but over the difficulty.", "it leaves a choice, or makes an exception"),
        ("Roll 2d20 and keep the higher against your Wits.", "what is rolled is not read whole"),
        (
            "Roll 1d20 and add your Wits. The GM knows the rest.",
            "what it must come to is not said in words that are read",
        ),
        ("If you have no Brawn, roll a number of d6 equal to your Wits. Each 6 is a success.", "it leaves a choice"),
        ("To act, draw a number of cards equal to your trait.", "cards are not read in sentences"),
        ("To climb, roll a d20 under your Wits. To climb, roll 2d20 under your Might.", "says two things of one name"),
    ] {
        let bench = Bench::of(&format!("# Salt Roads\n\n## Rules\n\n{text}\n"));
        let said = bench.run(&["check", "--propose"]);
        assert!(
            said.err.contains("System.md:5: this roll is not offered") && said.err.contains(why),
            "{text}\n{said:?}"
        );
        bench.run(&["check", "--propose", "--json"]).says(why);
    }
    // What a hit does and what is rolled on a table are no checks; nor is what a check of its own heading says of itself.
    for text in [
        "Roll 1d6 damage.",
        "Roll 1d6 on the table of weather.",
        "## Checks\n\n### Try\nRoll 2d20, keep one.\n\n- Roll: `2d20kh1`",
    ] {
        let said = Bench::of(&format!("# Salt Roads\n\n## Rules\n\n{text}\n")).run(&["check", "--propose"]);
        assert!(!said.err.contains("not offered"), "{text}\n{}", said.err);
    }
}

#[test]
fn what_is_taken_for_granted_of_a_difficulty_is_said() {
    for (text, assumed) in [
        ("Roll 1d20 + Wile against a DC.", "assumed: one that equals it succeeds"),
        (
            "Characters have four attributes: Brawn, Grace, Wits and Charm. Falling rocks ask for a DC 15 Grace save.",
            "assumed: a score is added as it stands",
        ),
    ] {
        Bench::of(&format!("# Salt Roads\n\n## Rules\n\n{text}\n")).run(&["check", "--propose"]).says(assumed);
    }
}

#[test]
fn proposals_are_accepted_by_ranges() {
    let text = "# Salt Roads\n\n## Play\n\nEveryone has 12 hit points. An axe deals 1d6 damage. A bow deals 1d8 damage. A whip deals 1d4 damage.\n";
    let bench = Bench::of(text);
    let said = bench.run(&["check", "--accept", "1,3-4"]).ends(0).err.clone();
    assert!(said.contains("3 proposals written"), "{said}");
    for (wrong, why) in
        [("4-1", "write the lower number first: 1-4"), ("one", "as 2,5 or 1-4"), ("1-9", "there is no proposal 2")]
    {
        let said = bench.run(&["check", "--accept", wrong]);
        assert!(said.code == Some(2) && said.err.contains(why), "{wrong}: {said:?}");
    }
}
