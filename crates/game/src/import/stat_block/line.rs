//! Reads one line of a block: numbers that the rules have a name for, else notes.

use crate::import::{attack, foe::Foe};
use crate::mechanics::{health::Defence, tracks::main_name};
use rollbook_rules::{System, Track as TrackRule};
use rollbook_text::names::{fold, same};

const HIT_POINTS: [&str; 4] = ["hit points", "hp", "hits", "health"];
const ARMOUR: [&str; 5] = ["armour class", "armor class", "ac", "armour", "armor"];
/// Labels that mean armour where the rules have nothing else of that name.
const DEFENCE: [&str; 2] = ["defence", "defense"];
const WORTH: [&str; 7] = [
    "xp",
    "xp value",
    "experience",
    "experience points",
    "worth",
    "worth in xp",
    "xp award",
];
/// Labels that may have it in brackets: `Challenge 1/2 (100 XP)`, `CR 5 (XP 1,800; PB +3)`.
const CHALLENGE: [&str; 4] = ["challenge", "challenge rating", "cr", "threat"];
/// Labels of lists of scores; a line of only scores needs none.
const SCORES: [&str; 7] = [
    "",
    "attributes",
    "abilities",
    "ability scores",
    "scores",
    "stats",
    "characteristics",
];
/// Labels without colon or bold type, as in text copied from a page.
const BARE_LABELS: [&str; 8] = [
    "Challenge ",
    "Skills ",
    "Damage Vulnerabilities ",
    "Damage Resistances ",
    "Damage Immunities ",
    "Vulnerabilities ",
    "Resistances ",
    "Immunities ",
];

/// Reads a line into the foe. `names` are those of scores whose numbers are on the next line.
pub fn read_line<'t>(foe: &mut Foe, system: &System, names: &mut Vec<&'t str>, line: &'t str) {
    let above = std::mem::take(names);
    if let Some(numbers) = numbers(line).filter(|numbers| numbers.len() == above.len()) {
        return foe
            .scores
            .extend(above.into_iter().map(str::to_owned).zip(numbers));
    }
    // Names of scores without numbers after them are a note.
    foe.words
        .extend((!above.is_empty()).then(|| above.join(" ")));
    let words: Vec<&str> = line.split_whitespace().collect();
    if words
        .iter()
        .all(|name| system.named_attribute(name).is_some())
    {
        *names = words;
        return;
    }
    let line = item_text(line);
    if let Some((label, value)) = line
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"))
    {
        return read_bold(foe, system, label, value);
    }
    let begins = |label: &&str| {
        line.get(..label.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(label))
    };
    let (label, value, colon) = match (BARE_LABELS.into_iter().find(begins), line.split_once(':')) {
        (Some(label), _) => (label, line.get(label.len()..).unwrap_or_default(), false),
        (None, Some((label, value))) => (label, value, true),
        (None, None) => ("", line, false),
    };
    let label = label_text(label);
    if !attack::read_line(foe, system, &label, value) {
        read_value(foe, system, label, value, colon);
    }
}

/// A line without the mark of a list.
pub fn item_text(line: &str) -> &str {
    ["- ", "* ", "+ "]
        .into_iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line)
        .trim()
}

/// `**AC** 15 **Initiative** +2`: each label with its value, where the first has a meaning.
fn read_bold(foe: &mut Foe, system: &System, label: &str, value: &str) {
    let name = label_text(label);
    if attack::read_line(foe, system, &name, value_start(value)) {
        return;
    }
    let colon = label.ends_with(':') || value.trim_start().starts_with(':');
    let next = value
        .split_once("**")
        .filter(|(first, _)| !first.trim().is_empty());
    if let Some((first, (other, rest))) =
        next.and_then(|(first, rest)| Some((first, rest.split_once("**")?)))
        && read_labelled(foe, system, &name, &value_text(first), colon)
    {
        return read_bold(foe, system, other, rest);
    }
    read_value(foe, system, name, value, colon);
}

/// Reads a label with its value; what has no meaning is a note.
fn read_value(foe: &mut Foe, system: &System, label: String, value: &str, colon: bool) {
    let value = value_text(value);
    if !read_labelled(foe, system, &label, &value, colon) {
        foe.words.push(if label.is_empty() {
            value
        } else {
            format!("{label}: {value}")
        });
    }
}

fn read_labelled(foe: &mut Foe, system: &System, label: &str, value: &str, colon: bool) -> bool {
    let (number, name) = (first_number(value), label.to_owned());
    let folded = fold(label);
    let is = |labels: &[&str]| labels.contains(&folded.as_str());
    // The track that is called exactly so is meant before the health track and armour.
    let is_track_name =
        |track: &TrackRule| same(&track.name, label) && !same(&track.name, main_name(system));
    match number {
        Some(value) if system.tracks.iter().any(is_track_name) => foe.tracks.push((name, value)),
        Some(hp) if is(&HIT_POINTS) && hp > 0 => drop(foe.hp.get_or_insert(hp)),
        // No hit points: the line is a note.
        _ if is(&HIT_POINTS) => return false,
        // What the rules call so is meant before armour in general.
        Some(bonus) if is(&ARMOUR) && system.skill(label).is_ok() => {
            foe.bonuses.push((name, bonus))
        }
        Some(armour) if is(&ARMOUR) => drop(foe.armour.get_or_insert(armour)),
        Some(worth) if is(&WORTH) => drop(foe.worth.get_or_insert(worth)),
        // The line is a note, too: the experience is only a part of it.
        _ if is(&CHALLENGE) => {
            foe.worth = foe.worth.or_else(|| experience_in(value));
            return false;
        }
        _ if folded.is_empty() => return read_scores(foe, system, value),
        _ if is(&SCORES) => {
            let scores = pairs(value, |_| true);
            let is_list = scores.is_some();
            foe.scores.extend(scores.into_iter().flatten());
            return is_list;
        }
        _ if is(&["skills"]) => {
            let Some(skills) = pairs(value, |_| true) else {
                return false;
            };
            if colon {
                foe.bonuses.extend(skills)
            } else {
                foe.totals.extend(skills)
            }
        }
        Some(score) if system.named_attribute(label).is_some() => foe.scores.push((name, score)),
        Some(bonus) if system.named_skill(label).is_some() => foe.bonuses.push((name, bonus)),
        Some(value) if is_track(system, label) => foe.tracks.push((name, value)),
        Some(armour)
            if is(&DEFENCE) && value.starts_with(|letter: char| letter.is_ascii_digit()) =>
        {
            foe.armour = foe.armour.or(Some(armour));
        }
        _ => match Defence::from_label(label).filter(|_| !value.is_empty() && number.is_none()) {
            Some(defence) => foe.defences.push((defence, value.to_owned())),
            None => return false,
        },
    }
    true
}

/// `AC 15, HP 65`, `Str 15 Dex 16`, `Hit points 13, Dodge 40%`: names with numbers, all known.
fn read_scores(foe: &mut Foe, system: &System, text: &str) -> bool {
    let is = |names: &[&str], name: &str| names.contains(&fold(name).as_str());
    let is_skill = |name: &str| system.skill(name).is_ok();
    let is_score = |name: &str| system.named_attribute(name).is_some();
    let is_known = |name: &str| {
        is(&HIT_POINTS, name)
            || is(&ARMOUR, name)
            || is_score(name)
            || is_skill(name)
            || is_track(system, name)
    };
    let Some(all) = pairs(text, is_known) else {
        return false;
    };
    for (name, number) in all {
        match name.as_str() {
            text if is_score(text) => foe.scores.push((name, number)),
            text if is_skill(text) => foe.bonuses.push((name, number)),
            text if is(&HIT_POINTS, text) => foe.hp = foe.hp.or(Some(number).filter(|hp| *hp > 0)),
            text if is(&ARMOUR, text) => drop(foe.armour.get_or_insert(number)),
            _ => foe.tracks.push((name, number)),
        }
    }
    true
}

/// Whether the rules know a track or a defence of this name, with damage types or without.
fn is_track(system: &System, label: &str) -> bool {
    system.track(label).is_ok()
        || system
            .defences
            .iter()
            .any(|rule| rule.on_sheet(label).is_some())
}

/// The value of a label, without the colon in front.
pub fn value_start(value: &str) -> &str {
    value.trim_start().trim_start_matches(':').trim_start()
}

/// The number before or after "XP": `1/2 (100 XP)`, `5 (XP 1,800; PB +3)`.
fn experience_in(text: &str) -> Option<i64> {
    let folded = fold(text);
    let (before, after) = folded.split_once("xp")?;
    let before = before.rsplit(['(', ';']).next().and_then(first_number);
    before.or_else(|| after.split([';', ')']).next().and_then(first_number))
}

pub fn label_text(label: &str) -> String {
    without_emphasis(label.trim_end().trim_end_matches([':', '.']))
}

fn value_text(value: &str) -> String {
    without_emphasis(&value_start(value).replace('*', ""))
}

pub fn without_emphasis(text: &str) -> String {
    text.replace("**", "")
        .trim()
        .trim_matches(['*', '_', '`'])
        .trim()
        .to_owned()
}

const HEADS: [&str; 8] = [
    "",
    "score",
    "mod",
    "modifier",
    "save",
    "ability",
    "attribute",
    "bonus",
];

/// Reads a row, without its first `|`. `header` is the last one that may be a header.
pub fn read_row(foe: &mut Foe, system: &System, header: &mut Vec<String>, row: &str) {
    let cells: Vec<String> = row
        .trim_end_matches('|')
        .split('|')
        .map(without_emphasis)
        .collect();
    if cells
        .iter()
        .all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' ')))
    {
        return;
    }
    let is_score = |name: &String| system.named_attribute(name).is_some();
    let score = |(name, cell): (&String, &String)| {
        Some((name.clone(), first_number(cell).filter(|_| is_score(name))?))
    };
    // STR | DEX in the row above.
    let above = header
        .iter()
        .zip(&cells)
        .filter_map(score)
        .collect::<Vec<_>>();
    if header.len() == cells.len() && !above.is_empty() && !cells.iter().any(is_score) {
        return foe.scores.extend(above);
    }
    // Str | 14 | +2 | +2 | Dex | 15 | +2 | +2
    let beside: Vec<(String, i64)> = cells
        .iter()
        .zip(cells.iter().skip(1))
        .filter_map(score)
        .collect();
    if !beside.is_empty() {
        return foe.scores.extend(beside);
    }
    // A weapon may be called as a skill is: with dice beside it the row is no skill's.
    if let [name, value, ..] = cells.as_slice()
        && !cells.iter().any(|cell| attack::has_dice(cell))
        && let (Some(_), Some(bonus)) = (system.named_skill(name), first_number(value))
    {
        return foe.bonuses.push((name.clone(), bonus));
    }
    // STR 16 (+3) | DEX 12 (+1)
    if read_scores(foe, system, &cells.join(", ")) {
        return;
    }
    let is_head = |cell: &String| HEADS.contains(&fold(cell).as_str());
    if !cells.iter().any(is_score) && !cells.iter().all(is_head) {
        foe.words.push(cells.join(" | "));
    }
    *header = cells;
}

/// The first whole number of a text: `7 (2d6)`, `+3`, `−1`, `1,024`.
pub fn first_number(text: &str) -> Option<i64> {
    let (before, rest) = text.split_at_checked(text.find(|c: char| c.is_ascii_digit())?)?;
    let (number, _) = whole_number(rest)?;
    Some(if before.ends_with(['-', '−']) {
        -number
    } else {
        number
    })
}

/// `STR 12 (+1), DEX 12`, with a comma or not: names with numbers; `None` of anything else.
fn pairs(text: &str, is_known: impl Fn(&str) -> bool) -> Option<Vec<(String, i64)>> {
    let pair = |(name, number): (&str, i64)| {
        let sign = if name.ends_with(['-', '−']) { -1 } else { 1 };
        let name = name
            .trim_end_matches(['+', '-', '−'])
            .trim_end()
            .trim_end_matches([':', '='])
            .trim_end();
        // `Agility d8`: the die is the score.
        let name = name
            .strip_suffix(" d")
            .filter(|name| is_known(name))
            .unwrap_or(name);
        (!name.is_empty() && is_known(name)).then(|| (name.to_owned(), sign * number))
    };
    parts(text)?.into_iter().map(pair).collect()
}

/// The numbers of a line with nothing else: `16 (+3) 13 (+1)`.
fn numbers(text: &str) -> Option<Vec<i64>> {
    parts(text)?
        .into_iter()
        .map(|(before, number)| before.is_empty().then_some(number))
        .collect()
}

/// The numbers of a text, each with what is before it; brackets after a number (`(+3)`) do not
/// count. `None` where more is after the last.
fn parts(text: &str) -> Option<Vec<(&str, i64)>> {
    let skip =
        |text| str::trim_start_matches(text, [',', ';', '/', '|', '.', '%', ' ', '\t']).trim_end();
    let (mut all, mut rest) = (Vec::new(), skip(text));
    while !rest.is_empty() {
        let (before, number) = rest.split_at_checked(rest.find(|c: char| c.is_ascii_digit())?)?;
        let (number, after) = whole_number(number)?;
        all.push((before, number));
        let inner = after
            .trim_start()
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'));
        rest = skip(inner.map_or(after, |(_, rest)| rest));
    }
    (!all.is_empty()).then_some(all)
}

/// The number at the beginning of a text, with or without thousands separators, and the rest.
fn whole_number(text: &str) -> Option<(i64, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(text);
    let grouped = (1..=3).contains(&end);
    while let Some(group) = text
        .get(end..)
        .and_then(|rest| rest.strip_prefix(','))
        .filter(|_| grouped)
    {
        if digits(group) != 3 {
            break;
        }
        end += 4;
    }
    let (number, rest) = text.split_at_checked(end)?;
    Some((number.replace(',', "").parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::{first_number, numbers, pairs};

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let read = [
            "7 (2d6)",
            "+3",
            "-1",
            "−2",
            "1,024 (50d20)",
            "12, 14",
            "about 1,02",
            "none",
        ]
        .map(first_number);
        assert_eq!(
            read,
            [
                Some(7),
                Some(3),
                Some(-1),
                Some(-2),
                Some(1024),
                Some(12),
                Some(1),
                None
            ]
        );
        assert_eq!(numbers("16 (+3) 13 (+1)"), Some(vec![16, 13]));
        assert_eq!(numbers("16 ft."), None);
    }

    #[test]
    fn names_stand_before_their_numbers() {
        let read = |text| {
            pairs(text, |name| {
                ["STR", "Dex", "Animal Handling"].contains(&name)
            })
        };
        let two = |a: i64, b: i64| Some(vec![("STR".to_owned(), a), ("Dex".to_owned(), b)]);
        assert_eq!(read("STR 12 (+1), Dex 9 (−1)"), two(12, 9));
        assert_eq!(read("STR 12 (+1) Dex 9 (−1)"), two(12, 9));
        assert_eq!(read("STR +1; Dex: -2"), two(1, -2));
        assert_eq!(read("STR d12, Dex d6"), two(12, 6));
        assert_eq!(
            read("Animal Handling +4"),
            Some(vec![("Animal Handling".to_owned(), 4)])
        );
        for other in ["", "STR", "STR 12 and Dex 9", "Luck 3", "STR 2d6", "12"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
