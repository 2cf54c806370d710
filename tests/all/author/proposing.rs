//! `rollbook check --propose` and `--accept`: prose that was pasted in, and prose that is nothing but prose.

use serde_json::Value;

use crate::author::bench::{Bench, Said};

/// Rules as books print them.
const PASTED: &str = "\
# Salt Roads

Everything below is how the crew of the Gannet plays.

## How to play

When you try something that may go wrong, roll a d20 and add your modifier; if the total is equal to or greater than the difficulty,
you succeed.

Climbing a wet wall asks for a DC 15 Dexterity save, and whoever lies to the harbour master makes a Charisma (Deception) check with a
DC of 12.

You have hit points equal to 10 + your level.

## Weapons of the coast

A boarding axe deals 1d6 slashing damage. The long gaff is mostly for fish. A signal pistol deals 2d4 fire damage.

## What sailors do

### Read the weather
When you look at the sky before you sail, roll 2d6. On a 10+, you know the day, and ask one more thing. On a 7-9, you know the
morning. On a 6-, the sky looks back.

## On the reef

Reef ghoul
Armor Class 13 (wet leather)
Hit Points 22 (4d8 + 4)
Speed 20 ft., swim 40 ft.
STR DEX CON
15 (+2) 11 (+0) 12 (+1)
Hook. Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 7 (1d10 + 2) piercing damage.

Gull swarm: AC 12, HD 2, MV 90', D 1d4, ML 6.
";

fn ran(bench: &Bench, words: &[&str], code: i32) -> Said {
    let said = bench.run(words);
    said.ends(code);
    said
}

/// The hunks of a diff: each number with what it is.
fn hunks(diff: &str) -> Vec<(usize, String)> {
    let titles = diff.lines().filter_map(|line| line.strip_prefix("@@ ")?.split_once(" @@ "));
    titles
        .map(|(_, title)| title.split_once(": ").map(|(n, what)| (n.parse().unwrap(), what.to_owned())).unwrap())
        .collect()
}

/// The mark of the list that was shown.
fn mark(err: &str) -> String {
    err.split_whitespace().last().expect("a mark").to_owned()
}

/// A text with the hunks of a diff applied, each where it says.
fn patched(text: &str, diff: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let (mut out, mut at): (Vec<&str>, usize) = (Vec::new(), 0);
    for line in diff.lines().skip(2) {
        if let Some(head) = line.strip_prefix("@@ -") {
            let (start, count) = head.split(' ').next().unwrap().split_once(',').unwrap();
            let (start, count): (usize, usize) = (start.parse().unwrap(), count.parse().unwrap());
            let start = if count == 0 { start } else { start - 1 };
            out.extend(&lines[at..start]);
            at = start;
            let new = head.split('+').nth(1).unwrap().split(',').next().unwrap();
            let first = if head.split('+').nth(1).unwrap().contains(",0 ") { 0 } else { 1 };
            assert_eq!(new.parse::<usize>().unwrap(), out.len() + first, "{line}");
        } else {
            let (sign, words) = line.split_at(1);
            if sign != "+" {
                assert_eq!(lines[at], words, "{diff}");
                at += 1;
            }
            if sign != "-" {
                out.push(words);
            }
        }
    }
    out.extend(&lines[at..]);
    out.join("\n")
}

#[test]
fn what_sentences_say_is_offered_one_hunk_each() {
    let bench = Bench::of(PASTED);
    let said = ran(&bench, &["check", "--propose"], 0);
    insta::assert_snapshot!(said.out);
    assert!(said.err.contains("rollbook check . --accept 1,2 --of "), "{}", said.err);
    assert_eq!(bench.read("System.md"), PASTED, "nothing is written");
    assert_eq!(bench.run(&["check", "--propose"]).out, said.out, "the numbers stay");
}

#[test]
fn every_proposal_accepted_is_the_patch_and_is_read_without_a_remark() {
    let bench = Bench::of(PASTED);
    let said = ran(&bench, &["check", "--propose"], 0);
    let numbers: Vec<String> = hunks(&said.out).iter().map(|(number, _)| number.to_string()).collect();
    assert_eq!(numbers, (1..=numbers.len()).map(|n| n.to_string()).collect::<Vec<_>>());
    ran(&bench, &["check", "--accept", &numbers.join(","), "--of", &mark(&said.err)], 0);
    let text = bench.read("System.md");
    assert_eq!(text, patched(PASTED, &said.out));
    let plain = ran(&bench, &["check", "--format", "plain"], 0);
    assert_eq!(plain.out, "");
    let more = ran(&bench, &["check", "--propose"], 0);
    assert_eq!(hunks(&more.out), [], "{}", more.out);
    let foe = ran(&bench, &["show"], 0);
    assert!(foe.out.contains("Read the weather") && foe.out.contains("Signal pistol"), "{}", foe.out);
}

#[test]
fn some_are_accepted_and_the_others_stay() {
    let bench = Bench::of(PASTED);
    let said = ran(&bench, &["check", "--propose"], 0);
    let all = hunks(&said.out);
    let of =
        |word: &str| all.iter().find(|(_, what)| what.contains(word)).unwrap_or_else(|| panic!("{word}: {all:?}")).0;
    let chosen = format!("{},{}", of("hit points"), of("Read the weather"));
    let accepted = ran(&bench, &["check", "--accept", &chosen, "--of", &mark(&said.err)], 0);
    assert!(
        accepted.out.lines().count() == 2 && accepted.err.contains("2 proposals written to System.md"),
        "{accepted:?}"
    );
    let text = bench.read("System.md");
    assert!(
        text.contains("- Hit points: max `10 + {level}`, from 0") && text.contains("| Success | total 10+ |"),
        "{text}"
    );
    assert!(text.starts_with(PASTED.trim_end()) && !text.contains("1d20 + {modifier}"));
    let left = hunks(&ran(&bench, &["check", "--propose"], 0).out);
    assert_eq!(left.len(), all.len() - 2, "{left:?}");
}

#[test]
fn a_list_that_is_not_that_of_the_files_is_refused() {
    let bench = Bench::of(PASTED);
    let said = ran(&bench, &["check", "--propose"], 0);
    let changed = PASTED.replace("DC 15", "DC 16");
    bench.save("System.md", &changed);
    let refused = ran(&bench, &["check", "--accept", "1", "--of", &mark(&said.err)], 2);
    assert!(refused.err.contains("not those that the proposals were made for") && refused.err.contains("--propose"));
    for (number, told) in [("99", "there is no proposal 99"), ("0", "there is no proposal 0")] {
        let refused = ran(&bench, &["check", "--accept", number], 2);
        assert!(refused.err.contains(told) && refused.err.contains("there are 1 to"), "{}", refused.err);
    }
    assert_eq!(bench.read("System.md"), changed);
}

#[test]
fn programs_get_every_proposal_with_its_place() {
    let bench = Bench::of(PASTED);
    let value: Value = serde_json::from_str(&ran(&bench, &["check", "--propose", "--json"], 0).out).expect("JSON");
    let all = value["proposals"].as_array().expect("a list");
    assert_eq!(value["diff"].as_str().map(|diff| hunks(diff).len()), Some(all.len()));
    let roll = all.iter().find(|own| own["source"]["text"].as_str().is_some_and(|text| text.contains("roll a d20")));
    let roll = roll.expect("the roll");
    assert_eq!(
        (roll["source"]["line"].as_u64(), roll["edit"]["heading"].as_str()),
        (Some(7), Some("Checks")),
        "{roll:#}"
    );
    assert!(all.iter().enumerate().all(|(at, own)| own["number"].as_u64() == Some(at as u64 + 1)));
    let of = value["of"].as_str().expect("a mark");
    let said = ran(&bench, &["check", "--accept", "1", "--of", of, "--json"], 0);
    let accepted: Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(accepted["accepted"], serde_json::json!([1]));
}

#[test]
fn line_breaks_stay_those_of_the_file() {
    let bench = Bench::of("# Salt Roads\r\n\r\n## Play\r\n\r\nEveryone has 12 hit points.\r\n");
    ran(&bench, &["check", "--accept", "1"], 0);
    let text = bench.read("System.md");
    assert!(text.contains("12 hit points.\r\n\r\n## Health\r\n\r\n- Hit points: max `12`, from 0\r\n"), "{text:?}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
}

/// Sentences that speak of dice, numbers and weapons, and say no rule.
const STORIES: [&str; 22] = [
    "There were 10 of us, and 7-9 of them, and on a 6- foot plank nobody argues.",
    "The guard has 12 hit points and a bad temper.",
    "You lose hit points equal to the depth of the water.",
    "The sword deals with its owner as it likes.",
    "A falling rock deals 2d6 damage to whoever stands below.",
    "In other games you would roll a d20 and add your modifier against a difficulty class; equal or exceed it, and you win. Not here: \
     never roll a d20 and add a modifier against the difficulty at least once.",
    "She rolled 2d6, got a 10+ on paper, and lost the boat.",
    "They roll barrels under the pier until it is dark.",
    "A failed save deals half damage.",
    "The dragon's bite deals 2d10 piercing damage.",
    "DC Comics is not read in the harbour, and Washington DC 15 years ago was different.",
    "The check bounced; the save was only for show.",
    "His AC unit broke: AC 6 was the room number, HP printers stood in it.",
    "The inn: 6 beds, 2 cats, 1 cook.",
    "Remember: AC 6, hp 3.",
    "On the 10th you sail, on the 7th to 9th you mend.",
    "Nobody dies at 0 hit points if the surgeon is near.",
    "Rolling under the table is how the bar fight ends.",
    "Roll call is at 6.",
    "It takes at least 2d6 days to reach the difficulty of the Cape.",
    "The longsword that hangs there deals 1d8 reasons for regret.",
    "Each of the 20 hit points on the map marks a ship.",
];

#[test]
fn prose_that_says_no_rule_is_left_alone() {
    for story in STORIES {
        let rules = format!("# Salt Roads\n\n## Tales\n\n{story}\n\n### Of the sea\n\n{story}\n");
        let said = ran(&Bench::of(&rules), &["check", "--propose"], 0);
        assert_eq!(said.out, "", "{story}");
        assert!(said.err.starts_with("Nothing to propose"), "{}", said.err);
    }
}

/// Sentences that say one rule, with the heading they stand below, and what is offered.
const SAID: [(&str, &str, &str, &str); 10] = [
    (
        "## Magic",
        "To cast, roll 1d100 equal to or less than your skill.",
        "not be higher",
        "- Roll: `1d100`\n+- Target: `{skill}`\n+- Succeed: at most the target",
    ),
    ("## Feats", "Roll under your attribute on a d20.", "must be lower", "- Target: `{attribute score}`"),
    ("## Play", "Roll percentile dice; you do it on a roll at or below the skill.", "not be higher", "- Roll: `1d100`"),
    (
        "## Play",
        "Roll 3d6 plus your bonus, and meet or beat the target number.",
        "reach a difficulty",
        "- Roll: `3d6 + {modifier}`",
    ),
    ("## Play", "The ledge calls for a DC 12 Agility check.", "DC 12 Agility check", "- Target: `{difficulty}`"),
    ("## Play", "The ledge calls for a DC 12 Agility check.", "what Agility adds", "- Agility"),
    ("## Life", "Everyone has 12 hit points.", "hit points: 12", "- Hit points: max `12`, from 0"),
    (
        "## Arms",
        "The heavy crossbow deals 1d10 piercing damage.",
        "weapon: Heavy crossbow",
        "- Heavy crossbow: 1d10 piercing",
    ),
    ("## Dice", "Roll 2d6 and hope.", "taken for granted", "| Success | total 10+ |"),
    ("## Kampfregeln\n\n## Proben", "Wirf den W20 und nicht vom Tisch.", "document/not-in-english", "- Language: de"),
];

#[test]
fn each_kind_of_sentence_is_offered_as_its_rule_and_loads() {
    for (heading, sentence, what, added) in SAID {
        let bench = Bench::of(&format!("# Salt Roads\n\n{heading}\n\n{sentence}\n"));
        let said = ran(&bench, &["check", "--propose"], 0);
        let all = hunks(&said.out);
        let number =
            all.iter().find(|(_, own)| own.contains(what)).unwrap_or_else(|| panic!("{sentence}: {}", said.out)).0;
        assert!(said.out.contains(&format!("+{added}")), "{sentence}: {}", said.out);
        ran(&bench, &["check", "--accept", &number.to_string()], 0);
        let left = hunks(&ran(&bench, &["check", "--propose"], 0).out);
        assert!(left.iter().all(|(_, own)| !own.contains(what)), "{sentence}: {left:?}");
        let found = bench.run(&["check", "--format", "plain"]);
        assert!(!found.out.contains("error"), "{sentence}: {}\n{}", found.out, bench.read("System.md"));
    }
}

#[test]
fn a_megabyte_of_prose_is_looked_through_at_once() {
    let long = "Roll a d20 under DC 15 Dexterity, hit points equal to, on a 10+ AC 6 HD 2 deals 1d8 damage ".repeat(60);
    let rules = format!("# Salt Roads\n\n## Tales\n\n{}\n", format!("{long}\n\n").repeat(180));
    let bench = Bench::of(&rules);
    let begun = std::time::Instant::now();
    ran(&bench, &["check", "--propose"], 0);
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}
