//! What to write instead of a rule that is not read.

use crate::names::fold;
use crate::rules::document::Text;
use crate::rules::language::company::is_passing;
use crate::rules::language::labels::Labelled;
use crate::rules::language::labels_of;
use crate::rules::language::plain::foreign_die;
use crate::rules::language::range;
use crate::rules::language::rests::is_rest;
use crate::rules::language::system::System;
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
            "bonus dice",
            "bonus die",
            "penalty",
            "penalty dice",
            "penalty die",
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

/// What people call what Health and Combat have another label for, or another section.
const OF_HARM: [(&[&str], Elsewhere); 8] = [
    (
        &[
            "turn order",
            "order",
            "turns",
            "order of turns",
            "order of action",
            "acting order",
            "who goes first",
            "who acts first",
            "first",
            "sequence",
            "initiative order",
            "initiative roll",
        ],
        Elsewhere::Initiative,
    ),
    (
        &[
            "tie break",
            "tie breaker",
            "tie breakers",
            "tiebreak",
            "tiebreaker",
            "draws",
            "equal initiative",
            "on a tie",
        ],
        Elsewhere::Ties,
    ),
    (
        &["concentration", "concentrating", "concentrate", "maintaining", "sustaining", "sustained", "held spells"],
        Elsewhere::Held,
    ),
    (
        &["massive damage", "instant death", "overkill", "system shock", "massive wound", "grievous wound"],
        Elsewhere::Massive,
    ),
    (
        &[
            "death",
            "dying",
            "dead",
            "unconscious",
            "unconsciousness",
            "down",
            "out",
            "taken out",
            "knocked out",
            "knock out",
            "defeat",
            "defeated",
            "incapacitated",
            "knockout",
            "dropping",
        ],
        Elsewhere::End,
    ),
    (
        &[
            "resting",
            "sleep",
            "recovery",
            "healing",
            "natural healing",
            "regeneration",
            "first aid",
            "breather",
            "camp",
            "camping",
            "downtime",
            "regain",
            "recover",
            "recovers",
            "heal",
            "heals",
        ],
        Elsewhere::Rest,
    ),
    (&["armour", "armor", "shield", "shields", "damage reduction", "soak", "protection"], Elsewhere::Armour),
    (
        &["natural 20", "natural 1", "critical hit", "critical hits", "critical", "criticals", "crit", "fumble"],
        Elsewhere::Row,
    ),
];

/// What is meant by such a label.
#[derive(Clone, Copy)]
enum Elsewhere {
    Initiative,
    Ties,
    Held,
    Massive,
    End,
    Rest,
    Armour,
    Row,
}

/// The label that is meant by these folded words of Health or Combat, and how it is written with the names of the rules.
pub(super) fn of_harm(words: &str, value: &str, system: &System) -> Option<String> {
    let meant = OF_HARM.iter().find(|(own, _)| own.contains(&words)).map(|(_, meant)| *meant)?;
    let track = system.tracks.first().map_or("hit points".to_owned(), |track| track.name.to_lowercase());
    let named = value.split(|letter: char| !letter.is_alphanumeric()).find_map(|word| {
        let attribute = system.named_attribute(word).map(|own| own.short());
        attribute.or_else(|| system.named_skill(word).map(|own| own.name.as_str()))
    });
    let first = || system.attributes.first().map_or("DEX", |own| own.short());
    let with_dice =
        system.checks.iter().find_map(|check| check.main_die()).map_or("1d20".to_owned(), |die| format!("1{die}"));
    Some(match meant {
        Elsewhere::Initiative => match named {
            Some(name) => format!("who acts when is ``- Initiative: `{{{name}}}`, highest first`` under Combat; with a die it is rolled"),
            None => format!("who acts when is ``- Initiative: `{with_dice} + {{{}}}`, highest first`` under Combat", first()),
        },
        Elsewhere::Ties => format!("what decides between equal numbers is `- Ties: higher {}, then players` under Combat", first()),
        Elsewhere::Held => format!(
            "effects that somebody holds are `- Held effects: damage asks for {} against half the damage` under Combat, with a check, a \
             skill or an attribute of yours",
            named.unwrap_or(first())
        ),
        Elsewhere::Massive => {
            "write `- One hit of at least half the maximum: dead`, or `- Damage left over of at least the maximum: dead`, under Health"
                .to_owned()
        }
        Elsewhere::End => {
            let ends = match words {
                "death" => "dead",
                "unconsciousness" | "knocked out" | "knock out" | "knockout" => "unconscious",
                "defeat" | "dropping" => "down",
                own => own,
            };
            format!("what happens at the end of a track is `- At 0 {track}: {ends}` under Health")
        }
        Elsewhere::Rest => format!("what a rest gives back is `- Long rest: {track} to max`, or `- Short rest: 1d6 {track}`, under Health"),
        Elsewhere::Armour => "what is taken off damage is `- Armour: subtract from damage` under Health".to_owned(),
        Elsewhere::Row => own_row(words, value).unwrap_or_else(|| NATURAL.to_owned()),
    })
}

/// What to write for `Critical: margin 6+`: a number alone is a face.
fn own_row(label: &str, value: &str) -> Option<String> {
    let value = value.trim_end_matches('.');
    let is_face = fold(value).contains("natural") || range::score(value).is_some_and(|(_, high)| high < i64::MAX);
    if is_face || !value.contains(|letter: char| letter.is_ascii_digit()) || label.starts_with("natural") {
        return None;
    }
    let fails = ["fumble", "critical failure", "botch"].contains(&label);
    let outcome = if fails { "Critical failure" } else { "Critical success" };
    Some(format!(
        "an outcome of its own is a row of the check's table, above those that it goes before: `| {outcome} | {value} |`"
    ))
}

/// Whether words change a track of the rules: `one more Hunger`, `mark stress`.
pub(super) fn moves_a_track(words: &Text, system: &System) -> bool {
    const CHANGES: [&str; 12] =
        ["more", "less", "mark", "marks", "lose", "loses", "gain", "gains", "take", "takes", "costs", "spend"];
    let folded = fold(words.as_str());
    let spoken = || folded.split(' ').map(|word| word.trim_end_matches(['.', ',', ';']));
    let is_track = |name: &str| folded.contains(&fold(name));
    spoken().any(|word| CHANGES.contains(&word)) && system.tracks.iter().any(|own| is_track(&own.name))
}

/// What to write instead of this bullet.
pub(super) fn of_label(kind: SectionKind, label: &Labelled, system: &System) -> String {
    const KINDS: [SectionKind; 6] = [
        SectionKind::Checks,
        SectionKind::Dice,
        SectionKind::Health,
        SectionKind::Combat,
        SectionKind::Attributes,
        SectionKind::Advancement,
    ];
    let knows = |other: &SectionKind| labels_of(*other).iter().any(|known| fold(known) == label.folded);
    if !matches!(kind, SectionKind::Company | SectionKind::Clocks) && is_passing(&label.folded) {
        let name = label.label.as_str();
        return format!(
            "what time moves stands under `## Clocks`, below a clock: `- {name}: 1 more`; or with a name behind it"
        );
    }
    if matches!(kind, SectionKind::Company | SectionKind::Clocks) && is_rest(&label.folded) {
        let (name, value) = (label.label.as_str(), label.value.as_str());
        return format!(
            "rests stand under `## Health`, with what they do to clocks and shared tracks: `- {name}: {value}`"
        );
    }
    if let Some(other) = KINDS.into_iter().filter(|other| *other != kind).find(knows) {
        return format!("`{}` stands under `## {}`", label.label.as_str(), other.name());
    }
    if kind == SectionKind::Checks && moves_a_track(&label.value, system) {
        return "what an outcome does to a track stands in the table of the check, in a column called like the track: \
                `| Outcome | When | Stress |`, and below it `1 more`"
            .to_owned();
    }
    if let Some((_, die)) = foreign_die(label.value.as_str()) {
        return format!("labels and dice are read in English: `- Roll: {die}`");
    }
    let tracks = matches!(kind, SectionKind::Company | SectionKind::Clocks | SectionKind::Health);
    if let Some((low, high)) = range::range(label.value.as_str()).filter(|(low, high)| tracks && low < high) {
        let name = label.label.as_str();
        return format!(
            "a track between two ends begins with `from`: `- {name}: from {low} to {high}` is used up, and `- {name}: from {low} to \
             {high}, start {low}, counts up` fills up"
        );
    }
    let of_harm = || of_harm(&label.folded, label.value.as_str(), system);
    if let Some(help) = of_harm().filter(|_| matches!(kind, SectionKind::Health | SectionKind::Combat)) {
        return help;
    }
    if let Some(help) = of_word(&label.folded).filter(|_| kind == SectionKind::Dice) {
        return help.to_owned();
    }
    if kind == SectionKind::Checks {
        let begins_with_number = label.folded.starts_with(|letter: char| letter.is_ascii_digit());
        let of_face = label.folded.starts_with("on ");
        let word = of_word(&label.folded);
        if word == Some(NATURAL)
            && let Some(help) = own_row(&label.folded, label.value.as_str())
        {
            return help;
        }
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

/// The label of that kind of section with which these words begin.
pub(super) fn begins_with(kind: SectionKind, words: &str) -> Option<&'static str> {
    let words = fold(words);
    let begins = |label: &&&str| {
        words.strip_prefix(&fold(label)).is_some_and(|rest| !rest.chars().next().is_some_and(char::is_alphanumeric))
    };
    let flag: &[&str] = if kind == SectionKind::Checks { &["Flag"] } else { &[] };
    labels_of(kind).iter().chain(flag).find(begins).copied()
}

/// What a section reads.
pub(super) fn of_section(kind: SectionKind) -> &'static str {
    match kind {
        SectionKind::Dice => "`Dice`, `Dice chain`, `Advantage`, `Disadvantage` and `Visibility` are read here",
        SectionKind::Attributes => "write `- Strength (STR): 3 to 18`, or for all of them `- Range: 3 to 18`",
        SectionKind::Skills => {
            "write `- Athletics (STR)`, and behind it what it is worth unlearned: `- Dodge (DEX): base half DEX`"
        }
        SectionKind::Checks => {
            "a check has `Roll`, `Target`, `Succeed`, `Opposed`, `Opposing dice`, `Count`, `Pairs`, `With no dice`, `On natural 20`, \
             `Modifier`, `Value NAME`, `Flag NAME`, rerolls by names of yours, and a table with Outcome and When"
        }
        SectionKind::Health => {
            "write a track (`- Hit points: max 10`), what happens at its end (`- At 0 hit points: dying`), a rest \
             (`- Long rest: hit points to max`) or what is taken off damage (`- Armour: subtract from damage`)"
        }
        SectionKind::Company => {
            "write what the company shares (`- Stress: 9 boxes`, `- Supplies: 10`) and what happens (`- At 0 supplies: hungry`, `- Each day: 1 less supplies`)"
        }
        SectionKind::Clocks => {
            "write the clock with its segments (`- Flooding: 6 segments`, `- The watch: 8 segments, hidden`), and below it what happens \
             (`- At 3: guards at the gate`)"
        }
        SectionKind::Conditions => "write `- Stunned: disadvantage on checks, 1 round`",
        SectionKind::Combat => {
            "`Initiative`, `Ties`, `Round`, `Held effects` and what everybody has of a number that the Target of a check asks for (`- Armour: 10` for \
             ``- Target: `{Armour}` ``) are read here; anything else is the GM's to remember"
        }
        SectionKind::Attacks => {
            "write `- Longsword: Melee, 1d8 slashing`, or a table with the columns Weapon, Skill, Damage and Type"
        }
        SectionKind::Advancement => {
            "write ``- Level up at: `7 + {level}` XP``, or a table with the columns Level and XP; see `rollbook explain language`"
        }
        SectionKind::Examples => "write examples as `rollbook explain language` shows",
    }
}

/// `Strength, from 0`: a track that begins at a score.
pub(super) fn of_score(name: &str, value: &str, system: &System) -> Option<String> {
    let score = &system.named_attribute(name).filter(|_| value.starts_with("from "))?.name;
    Some(format!(
        "a track that begins at a score has a name of its own: ``- {score} left: max `{{{score} score}}`, {value}``"
    ))
}

/// Words of what stands behind a label and has no number: `Long rest hits to max`, `Opposed higher total`.
const OF_VALUES: [&str; 19] = [
    "to max",
    "to maximum",
    "clears",
    "clear",
    "half",
    "double",
    "none",
    "subtract",
    "subtracted",
    "higher",
    "highest",
    "lower",
    "lowest",
    "better",
    "most",
    "at",
    "any",
    "keep",
    "reroll",
];
/// Words of a value that is no sentence.
const VALUE_WORDS_MAX: usize = 6;

/// Whether what stands behind the label is a value rather than a sentence about it.
pub(super) fn says_value(words: &str, label: &str) -> bool {
    let words = fold(words);
    let value = words.strip_prefix(&fold(label)).unwrap_or_default().trim_end_matches('.').trim();
    let padded = format!(" {value} ");
    value.split(' ').count() <= VALUE_WORDS_MAX
        && !padded.contains(" is ")
        && !padded.contains(" are ")
        && OF_VALUES.iter().any(|own| padded.contains(&format!(" {own} ")))
}
