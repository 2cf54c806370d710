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
    /// Whether each modifier that stands behind a score is half of what that has over ten; none where none stands there.
    pub halves: Option<bool>,
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
    let mut all = headed(file, text);
    for group in groups(text) {
        let lines: Vec<&str> = group.iter().filter_map(|line| text.get(line.clone())).map(str::trim).collect();
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let found = match lines.as_slice() {
            [] => None,
            [only] => one_line(only),
            lines => many_lines(lines),
        };
        let Some((name, body, scores)) = found else { continue };
        let span = Span::new(file, first.start..last.end);
        all.push(Block::new(&name, span, format!("### {name}\n\n{body}"), scores));
    }
    all
}

impl Block {
    fn new(name: &str, span: Span, replacement: String, scores: Scores) -> Self {
        let what = match replacement.contains("(hit dice ")
            && !replacement.contains("(hit dice d")
            && is_plain_die(&replacement)
        {
            true => format!("the stat block of {name}; assumed: a hit die is a d{HIT_DIE}"),
            false => format!("the stat block of {name}"),
        };
        let edit = Fix { span, replacement, message: what.clone() };
        let proposal = Proposal { what, source: span, edit, heading: None };
        Self { proposal, scores: scores.names, halves: scores.halves }
    }
}

/// Whether hit dice stand there without their size.
fn is_plain_die(body: &str) -> bool {
    let dice = body.split_once("(hit dice ").and_then(|(_, rest)| rest.split_once(')'));
    dice.is_some_and(|(dice, _)| !dice.contains(['d', 'D']))
}

/// Blocks whose name is a heading already: `### Giant Spider`, and below it `**Armor Class** 14` or `Armor Class 14`, line by line.
fn headed(file: FileId, text: &str) -> Vec<Block> {
    let mut all = Vec::new();
    let mut name: Option<String> = None;
    let mut lines: Vec<Range<usize>> = Vec::new();
    let (mut at, mut fenced) = (0, false);
    for line in text.split_inclusive('\n').chain(["# "]) {
        let range = at..at + line.trim_end().len();
        at += line.len();
        let bare = line.trim_start();
        fenced ^= bare.starts_with("```") || bare.starts_with("~~~");
        let heading =
            line.strip_prefix('#').map(|rest| rest.trim_start_matches('#')).filter(|rest| rest.starts_with(' '));
        let Some(heading) = heading.filter(|_| !fenced) else {
            if lines.len() <= LINES_MAX {
                lines.push(range);
            }
            continue;
        };
        if let Some(name) = name.take()
            && let Some((span, body, scores)) = labels(text, &lines)
        {
            all.push(Block::new(&name, Span::new(file, span), body, scores));
        }
        name = as_name(heading);
        lines.clear();
    }
    all
}

/// The lines of a block below its heading, from the first with a number of it to the last that has a label.
fn labels(text: &str, lines: &[Range<usize>]) -> Option<(Range<usize>, String, Scores)> {
    let words = |line: &Range<usize>| text.get(line.clone()).unwrap_or_default().trim();
    let mut out = Numbers::default();
    let mut scores = Scores::default();
    let mut notes: Vec<String> = Vec::new();
    let mut span: Option<Range<usize>> = None;
    let mut bold_all = false;
    let mut at = 0;
    while let Some(range) = lines.get(at) {
        let line = words(range);
        at += 1;
        let bold = line.strip_prefix("**").filter(|rest| !rest.starts_with('*')).and_then(|rest| rest.split_once("**"));
        let begun = span.is_some();
        let plain = match bold {
            Some((label, value)) => {
                format!("{} {}", label.trim().trim_end_matches(':'), value.trim().trim_start_matches(':').trim())
            }
            None => line.to_owned(),
        };
        let mut end = range.end;
        let columns =
            (begun && line.starts_with('|')).then(|| lines.get(at + 1).and_then(|row| table(line, words(row))));
        let next = lines.get(at).map(words).filter(|_| begun && bold.is_none());
        if line.is_empty() {
            continue;
        } else if let Some(columns) = columns {
            let Some((listed, found)) = columns else { break };
            notes.push(format!("{SCORES}{listed}"));
            scores.add(found);
            end = lines.get(at + 1).map_or(end, |row| row.end);
            at += 2;
        } else if let Some((listed, found)) = next.and_then(|next| self::scores(line, next)) {
            notes.push(format!("{SCORES}{listed}"));
            scores.add(found);
            end = lines.get(at).map_or(end, |row| row.end);
            at += 1;
        } else if (bold.is_some() || !bold_all || !begun) && out.take(&plain, true) {
            bold_all |= bold.is_some();
        } else if !begun {
            // What stands above the numbers is no part of them: "Large beast, unaligned" in slanted letters.
            if !line.starts_with(['*', '_']) {
                return None;
            }
            continue;
        } else if bold.is_none_or(|(label, _)| label.trim_end().ends_with('.'))
            && (bold_all || line.starts_with(['-', '*', '>', '_', '|', '`', '~', '#']))
        {
            break;
        } else {
            notes.push(format!("- {line}"));
        }
        span = Some(span.map_or(range.start, |own| own.start)..end);
    }
    let body = out.body(&notes)?;
    Some((span?, body, scores))
}

/// `| STR | DEX |` above `| 14 (+2) | 12 (+1) |`.
fn table(names: &str, numbers: &str) -> Option<(String, Scores)> {
    let cells = |row: &str| {
        row.trim_matches('|').split('|').map(|cell| cell.replace('*', "").trim().to_owned()).collect::<Vec<_>>()
    };
    let names = cells(names);
    let numbers = cells(numbers);
    let pairs: Vec<(String, &str)> = names.into_iter().zip(numbers.iter().map(String::as_str)).collect();
    if pairs.len() != numbers.len() { None } else { scored(&pairs) }
}

/// The scores that stat blocks have.
#[derive(Default)]
struct Scores {
    names: Vec<String>,
    halves: Option<bool>,
}

impl Scores {
    fn add(&mut self, other: Scores) {
        self.names.extend(other.names);
        self.halves = match (self.halves, other.halves) {
            (Some(own), Some(other)) => Some(own && other),
            (own, other) => own.or(other),
        };
    }
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
fn many_lines(lines: &[&str]) -> Option<(String, String, Scores)> {
    let (name, rest) = lines.split_first()?;
    let name = as_name(name)?;
    let mut out = Numbers::default();
    let mut notes: Vec<String> = Vec::new();
    let mut all = Scores::default();
    let mut lines = rest.iter().peekable();
    while let Some(line) = lines.next() {
        if line.contains(':') && !line.contains(". ") {
            // What has a label is read already, and is no block that needs a proposal.
            return None;
        }
        let scores = lines.peek().and_then(|next| scores(line, next));
        if let Some((listed, found)) = scores {
            lines.next();
            notes.push(format!("{SCORES}{listed}"));
            all.add(found);
        } else if !out.take(line, true) {
            notes.push(format!("- {line}"));
        }
    }
    out.body(&notes).map(|body| (name, body, all))
}

/// `Goblin: AC 6, HD 1, hp 3, D 1d6`
fn one_line(line: &str) -> Option<(String, String, Scores)> {
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
    out.body(&notes).map(|body| (name, body, Scores::default()))
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
        let hit_points = match (self.hit_points, self.hit_dice) {
            (Some(points), Some((_, dice))) if !points.contains(['(', '[']) => format!("{points} (hit dice {dice})"),
            (Some(points), _) => points,
            (None, Some((average, dice))) => format!("{average} (hit dice {dice})"),
            (None, None) => return None,
        };
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
fn scores(names: &str, numbers: &str) -> Option<(String, Scores)> {
    let names: Vec<&str> = names.split_whitespace().collect();
    let mut cells: Vec<String> = Vec::new();
    for word in numbers.split_whitespace() {
        match cells.last_mut().filter(|_| word.starts_with('(')) {
            Some(cell) => cell.push_str(&format!(" {word}")),
            None => cells.push(word.to_owned()),
        }
    }
    let pairs: Vec<(String, &str)> =
        names.iter().map(|name| (*name).to_owned()).zip(cells.iter().map(String::as_str)).collect();
    if names.len() != cells.len() { None } else { scored(&pairs) }
}

/// Short names with a score each, and perhaps its modifier in brackets.
fn scored(pairs: &[(String, &str)]) -> Option<(String, Scores)> {
    let mut all = Scores::default();
    let mut listed: Vec<String> = Vec::new();
    for (name, cell) in pairs {
        let short = name.len() == 3 && name.chars().all(|letter| letter.is_ascii_alphabetic());
        let (score, bracket) = cell.split_once('(').map_or((*cell, None), |(score, bracket)| (score, Some(bracket)));
        let score: i64 = score.trim().parse().ok().filter(|_| short)?;
        if let Some(bracket) = bracket {
            let number = bracket.trim_end_matches(')').replace('\u{2212}', "-");
            let modifier: i64 = number.trim().trim_start_matches('+').parse().ok()?;
            let halves = modifier == (score - 10).div_euclid(2);
            all.halves = Some(all.halves.unwrap_or(true) && halves);
        }
        let name = name.to_ascii_uppercase();
        listed.push(format!("{name} {score}"));
        all.names.push(name);
    }
    (pairs.len() > 1).then(|| (listed.join(", "), all))
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
        assert_eq!((found.0.as_str(), found.1.as_str()), ("Marsh goblin", body));
        for prose in [
            "The gate: 6 guards, AC unknown",
            "Remember: AC 6, hp 3",
            "Remember: AC 6, hp 3, and run",
            "At 5: hp 3, AC 2",
            "He has AC 4, hp 3.",
        ] {
            assert!(one_line(prose).is_none(), "{prose}");
        }
    }
}
