//! A foe's numbers pasted as they stand in a book: lines without labels that are read (`Armor Class 15`), or all in one
//! (`Goblin: AC 6, HD 1, hp 3, D 1d6`). Offered as a heading with bullets, which is what a stat block is here.

use std::ops::Range;

use super::look::Proposal;
use crate::diagnostic::{FileId, Fix, Sources, Span};
use crate::rules::language::plain::dice_mentions;
use crate::rules::limits::Limits;

/// Blocks that are offered at once.
const BLOCKS_MAX: usize = 50;
/// Lines of a block.
const LINES_MAX: usize = 60;
/// Words of a foe's name.
const NAME_WORDS_MAX: usize = 5;

/// The die of a hit die where none is written.
const HIT_DIE: i64 = 8;

/// What stands before a list of scores.
const SCORES: &str = "- Attributes: ";
const ARMOUR: [&str; 5] = ["armor class", "armour class", "ac", "armour", "armor"];
const HIT_POINTS: [&str; 3] = ["hit points", "hp", "hits"];
const HIT_DICE: [&str; 4] = ["hit dice", "hit die", "hd", "hit dice (hd)"];
const DAMAGE: [&str; 4] = ["damage", "dmg", "d", "dam"];

/// A block with the scores that it names, as it names them.
pub(super) struct Block {
    pub proposal: Proposal,
    pub scores: Vec<String>,
}

/// Every block outside of the sections that the program reads.
pub(super) fn blocks(pages: &Sources, is_rule: impl Fn(Span) -> bool, limits: &Limits) -> Vec<Block> {
    let mut all = Vec::new();
    for (id, file) in limits.within(pages) {
        if file.layer == 0 {
            let found = in_file(id, &file.text);
            all.extend(found.into_iter().filter(|own| !is_rule(own.proposal.source)));
        }
    }
    all.truncate(BLOCKS_MAX);
    all
}

fn in_file(file: FileId, text: &str) -> Vec<Block> {
    let mut all = Vec::new();
    for group in groups(text) {
        let lines: Vec<&str> = group.iter().filter_map(|line| text.get(line.clone())).map(str::trim).collect();
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let found = match lines.as_slice() {
            [] => None,
            [only] => one_line(only),
            lines => many_lines(lines),
        };
        let Some((name, body)) = found else { continue };
        let span = Span::new(file, first.start..last.end);
        let what = format!("the stat block of {name}");
        let edit = Fix { span, replacement: format!("### {name}\n\n{body}"), message: what.clone() };
        let listed = body.lines().find_map(|line| line.strip_prefix(SCORES)).unwrap_or_default();
        let scores = listed.split([' ', ',']).filter(|word| word.starts_with(char::is_alphabetic)).map(str::to_owned);
        let scores = scores.collect();
        all.push(Block { proposal: Proposal { what, source: span, edit, heading: None }, scores });
    }
    all
}

/// Lines that stand together, outside of fences: no headings, bullets, tables or quotations among them.
fn groups(text: &str) -> Vec<Vec<Range<usize>>> {
    let mut all: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    let (mut at, mut fenced) = (0, false);
    for line in text.split_inclusive('\n') {
        let range = at..at + line.trim_end().len();
        at += line.len();
        let bare = line.trim_start();
        let is_fence = bare.starts_with("```") || bare.starts_with("~~~");
        fenced ^= is_fence;
        let other = bare.starts_with(['#', '-', '*', '>', '|', '`', '~']) || line.starts_with("    ");
        if fenced || is_fence || other || bare.trim().is_empty() {
            all.push(Vec::new());
        } else if let Some(group) = all.last_mut() {
            group.push(range);
        }
    }
    all.retain(|group| (1..=LINES_MAX).contains(&group.len()));
    all
}

/// `Goblin` on a line of its own, and its numbers on lines below.
fn many_lines(lines: &[&str]) -> Option<(String, String)> {
    let (name, rest) = lines.split_first()?;
    let name = as_name(name)?;
    let mut out = Numbers::default();
    let mut notes: Vec<String> = Vec::new();
    let mut lines = rest.iter().peekable();
    while let Some(line) = lines.next() {
        if line.contains(':') && !line.contains(". ") {
            // What has a label is read already, and is no block that needs a proposal.
            return None;
        }
        let scores = lines.peek().and_then(|next| scores(line, next));
        if let Some(scores) = scores {
            lines.next();
            notes.push(format!("{SCORES}{scores}"));
        } else if !out.take(line, true) {
            notes.push(format!("- {line}"));
        }
    }
    out.body(&notes).map(|body| (name, body))
}

/// `Goblin: AC 6, HD 1, hp 3, D 1d6`
fn one_line(line: &str) -> Option<(String, String)> {
    let (name, rest) = line.split_once(':').or_else(|| line.split_once(". "))?;
    let name = as_name(name)?;
    let mut out = Numbers::default();
    let mut notes: Vec<String> = Vec::new();
    for part in rest.split([',', ';']).map(|part| part.trim().trim_end_matches('.')) {
        if !part.is_empty() && !out.take(part, false) {
            notes.push(part.to_owned());
        }
    }
    // Armour and hit points alone may be anybody's remark.
    let more = notes.len() + usize::from(out.damage.is_some()) + usize::from(out.hit_dice.is_some());
    if more < 2 {
        return None;
    }
    let notes = if notes.is_empty() { Vec::new() } else { vec![format!("- {}", notes.join(", "))] };
    out.body(&notes).map(|body| (name, body))
}

/// A name: a few words with a capital, and nothing else.
fn as_name(words: &str) -> Option<String> {
    let words = words.trim().trim_matches(['*', '_']);
    let fits = words.starts_with(char::is_uppercase)
        && words.split_whitespace().count() <= NAME_WORDS_MAX
        && words.chars().all(|letter| letter.is_alphabetic() || " '-\u{2019}".contains(letter));
    fits.then(|| words.to_owned())
}

#[derive(Default)]
struct Numbers {
    armour: Option<String>,
    hit_points: Option<String>,
    hit_dice: Option<(i64, String)>,
    damage: Option<String>,
}

impl Numbers {
    /// Takes what a line or a part of one says; `false` where it is something else.
    fn take(&mut self, words: &str, whole: bool) -> bool {
        let Some((label, value)) = labelled(words) else { return false };
        let is = |all: &[&str]| all.contains(&label.as_str());
        let number = value.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
        let rest = value.get(number.len()..).unwrap_or_default().trim();
        let bracket = rest.is_empty() || (rest.starts_with('(') && rest.ends_with(')'));
        let plain = !number.is_empty() && (bracket || (rest.starts_with('[') && rest.ends_with(']')));
        if is(&ARMOUR) && plain {
            self.armour.get_or_insert_with(|| value.to_owned());
        } else if is(&HIT_POINTS) && plain {
            self.hit_points.get_or_insert_with(|| value.to_owned());
        } else if is(&HIT_DICE)
            && let Some(average) = average(value)
        {
            self.hit_dice.get_or_insert((average, value.to_owned()));
        } else if is(&DAMAGE) && !whole && dice_mentions(value).next().is_some_and(|dice| dice == (0..value.len())) {
            self.damage.get_or_insert_with(|| value.to_owned());
        } else {
            return false;
        }
        true
    }

    /// The bullets; none without armour, and hit points or hit dice.
    fn body(self, notes: &[String]) -> Option<String> {
        let hit_points = self.hit_points.or_else(|| {
            let (average, dice) = self.hit_dice?;
            Some(format!("{average} (hit dice {dice})"))
        })?;
        let mut lines = vec![format!("- Hit points: {hit_points}"), format!("- Armour class: {}", self.armour?)];
        lines.extend(self.damage.map(|damage| format!("- Strike: damage {damage}")));
        lines.extend(notes.iter().cloned());
        Some(lines.join("\n"))
    }
}

/// `Armor Class 15 (leather)`: the words before the first number, and the rest.
fn labelled(words: &str) -> Option<(String, &str)> {
    let at = words.find(|letter: char| letter.is_ascii_digit())?;
    let label = words.get(..at)?.trim().to_ascii_lowercase();
    Some((label, words.get(at..)?.trim()))
}

/// What hit dice come to on average, rounded down: `2`, `2d8`, `1-1`, `3+1`.
fn average(value: &str) -> Option<i64> {
    let value = value.split_whitespace().next()?.replace('\u{2212}', "-");
    let end = value.find(['+', '-']).unwrap_or(value.len());
    let (dice, bonus) = value.split_at_checked(end)?;
    let (count, size) = dice.split_once(['d', 'D']).map_or((dice, None), |(count, size)| (count, Some(size)));
    let count: i64 = count.parse().ok().filter(|count| (1..=100).contains(count))?;
    let size: i64 = size.map_or(Some(HIT_DIE), |size| size.parse().ok()).filter(|size| (2..=100).contains(size))?;
    let bonus: i64 = if bonus.is_empty() { 0 } else { bonus.parse().ok().filter(|own: &i64| own.abs() <= 1000)? };
    Some((count * (size + 1) / 2 + bonus).max(1))
}

/// `STR DEX CON` above `8 (-1) 14 (+2) 10 (+0)`: the scores, as a list.
fn scores(names: &str, numbers: &str) -> Option<String> {
    let names: Vec<&str> = names.split_whitespace().collect();
    let short = |name: &&str| name.len() == 3 && name.chars().all(|letter| letter.is_ascii_uppercase());
    let numbers: Vec<&str> = numbers.split_whitespace().filter(|word| !word.starts_with('(')).collect();
    let fits = names.len() > 1
        && names.iter().all(short)
        && names.len() == numbers.len()
        && numbers.iter().all(|number| number.parse::<i64>().is_ok());
    let pairs: Vec<String> = names.iter().zip(&numbers).map(|(name, number)| format!("{name} {number}")).collect();
    fits.then(|| pairs.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_dice_have_an_average() {
        for (dice, hit_points) in [("1", 4), ("2d8", 9), ("1-1", 3), ("3+1", 14), ("2d6", 7), ("12d10+24", 90)] {
            assert_eq!(average(dice), Some(hit_points), "{dice}");
        }
        for none in ["", "0", "two", "1000", "3d0"] {
            assert_eq!(average(none), None, "{none}");
        }
    }

    #[test]
    fn a_block_has_a_name_armour_and_hit_points() {
        let found = one_line("Marsh goblin: AC 6, HD 1-1, MV 60', D 1d6, ML 7.").expect("a block");
        let body = "- Hit points: 3 (hit dice 1-1)\n- Armour class: 6\n- Strike: damage 1d6\n- MV 60', ML 7";
        assert_eq!(found, ("Marsh goblin".to_owned(), body.to_owned()));
        for prose in [
            "The gate: 6 guards, AC unknown",
            "Remember: AC 6, hp 3",
            "Remember: AC 6, hp 3, and run",
            "At 5: hp 3, AC 2",
            "He has AC 4, hp 3.",
        ] {
            assert_eq!(one_line(prose), None, "{prose}");
        }
    }
}
