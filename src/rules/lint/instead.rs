//! What to write instead of a rule that is not read.

use crate::names::fold;
use crate::rules::read::{Labelled, foreign_die, labels_of};
use crate::rules::section::SectionKind;

const TABLE: &str =
    "what a total comes to stands in a table with the columns Outcome and When: `| Success | total 10+ |`";
const NATURAL: &str =
    "write `- On natural 20: one step better`, or a row of the table: `| Critical success | natural 20 |`";

/// What people call parts of a check that have another name or place here.
const WORDS: [(&[&str], &str); 11] = [
    (&["dc", "tn", "difficulty", "target number", "difficulty class"], "what must be reached is `- Target: 12`"),
    (
        &["success", "successes", "hit", "hits"],
        "what counts in a pool is `- Count: 6+`; what must be reached is `- Target: 12`",
    ),
    (&["critical", "crit", "critical success", "fumble", "critical failure", "botch"], NATURAL),
    (&["reroll", "rerolls", "push it"], "a name of yours for it, then what it does: `- Push: reroll all but 6s`"),
    (&["opposing", "opposed", "against", "versus"], "dice to compare with are `- Opposing dice: 2d10`"),
    (&["with zero dice", "zero dice", "no dice"], "write `- With no dice: 2d6kl1`"),
    (
        &["exploding", "explode", "explodes", "explosion", "exploding dice", "open ended", "open-ended", "aces", "ace"],
        "a die explodes where it is rolled: `- Roll: 2d6!`",
    ),
    (
        &["keep", "drop", "keep highest", "keep lowest", "drop lowest", "drop highest"],
        "which dice are kept stands where they are rolled: `- Roll: 4d6kh3`",
    ),
    (
        &[
            "bonus",
            "penalty",
            "modifiers",
            "degrees",
            "degrees of success",
            "difficulties",
            "roll under",
            "roll over",
            "doubles",
        ],
        "what is added stands in the Roll (`1d20 + {modifier}`), which side is good is `- Succeed: at most the target`, and what \
         else comes of it is a row of the table",
    ),
    (&["dice", "die", "throw", "pool", "dice pool", "test", "check", "formula"], "what is rolled is `- Roll: 2d6`"),
    (&["failure", "partial success", "miss", "mixed success"], TABLE),
];

/// Whether people mean a part of a check by this label, in lower case.
pub(super) fn is_rule_word(label: &str) -> bool {
    WORDS.iter().any(|(words, _)| words.contains(&label))
}

/// What to write instead of a label by which people mean a part of a check.
pub(super) fn of_word(label: &str) -> Option<&'static str> {
    WORDS.iter().find(|(words, _)| words.contains(&label)).map(|(_, help)| *help)
}

/// What to write instead of this bullet.
pub(super) fn of_label(kind: SectionKind, label: &Labelled) -> String {
    const KINDS: [SectionKind; 6] = [
        SectionKind::Checks,
        SectionKind::Dice,
        SectionKind::Health,
        SectionKind::Combat,
        SectionKind::Attributes,
        SectionKind::Advancement,
    ];
    let knows = |other: &SectionKind| labels_of(*other).iter().any(|known| fold(known) == label.folded);
    if let Some(other) = KINDS.into_iter().filter(|other| *other != kind).find(knows) {
        return format!("`{}` stands under `## {}`", label.label.as_str(), other.name());
    }
    if let Some((_, die)) = foreign_die(label.value.as_str()) {
        return format!("labels and dice are read in English: `- Roll: {die}`");
    }
    if kind == SectionKind::Checks {
        let begins_with_number = label.folded.starts_with(|letter: char| letter.is_ascii_digit());
        let of_face = label.folded.starts_with("on ");
        let word = of_word(&label.folded);
        return match word {
            Some(help) => help,
            None if begins_with_number => TABLE,
            None if of_face => NATURAL,
            None => of_section(kind),
        }
        .to_owned();
    }
    of_section(kind).to_owned()
}

/// What a section reads.
pub(super) fn of_section(kind: SectionKind) -> &'static str {
    match kind {
        SectionKind::Dice => "Dice, Dice chain, Advantage, Disadvantage and Visibility are read here",
        SectionKind::Attributes => "write `- Strength (STR): 3 to 18`, or for all of them `- Range: 3 to 18`",
        SectionKind::Skills => {
            "write `- Athletics (STR)`, and behind it what it is worth unlearned: `- Dodge (DEX): base half DEX`"
        }
        SectionKind::Checks => {
            "a check has Roll, Target, Succeed, Opposing dice, Count, Pairs, With no dice, On natural 20, Modifier, \
             Flag NAME, rerolls by names of yours, and a table with Outcome and When"
        }
        SectionKind::Health => {
            "write a track (`- Hit points: max 10`), what happens at its end (`- At 0 hit points: dying`), a rest \
             (`- Long rest: hit points to max`) or what is taken off damage (`- Armour: subtract from damage`)"
        }
        SectionKind::Conditions => "write `- Stunned: disadvantage on checks, 1 round`",
        SectionKind::Combat => {
            "Initiative, Ties, Held effects and what everybody has of a number that a check is rolled against (`- Armour: 10`) are \
             read here"
        }
        SectionKind::Advancement => {
            "write `- Level up at: 7 + level XP`, or a table with the columns Level and XP; see `rollbook explain language`"
        }
        SectionKind::Examples => "write examples as `rollbook explain language` shows",
    }
}
