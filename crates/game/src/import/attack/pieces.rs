//! The pieces of a description of an attack.

use crate::import::attack::Reader;
use crate::import::foe::Foe;
use crate::limits::LIMITS;
use crate::mechanics::attacks::read_damage;
use crate::record::state::{Attack, AttackDamage};
use rollbook_rules::System;
use rollbook_text::names::{fold, shortened};

/// What the printed blocks of 5e begin an attack with.
const OPENINGS: [&str; 12] = [
    "melee or ranged weapon attack",
    "melee or ranged spell attack",
    "melee or ranged attack roll",
    "melee weapon attack",
    "ranged weapon attack",
    "melee spell attack",
    "ranged spell attack",
    "melee attack roll",
    "ranged attack roll",
    "melee attack",
    "ranged attack",
    "attack roll",
];
/// Without emphasis, and without what other games put in square brackets: `[one-action]`, `[+6/+1]`.
pub fn plain(text: &str) -> String {
    let text = text.replace(['*', '_', '`'], "");
    let mut parts = text.split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((inner, rest)) if inner.contains("action") || inner.contains('/') => plain.push_str(rest.trim_start()),
            _ => plain.push_str(&format!("[{part}")),
        }
    }
    plain.trim().to_owned()
}

/// `Claw. Melee Weapon Attack` without the words of the printed blocks, and whether it had them.
pub fn without_closing(label: &str) -> (&str, bool) {
    let folded = fold(label);
    let closing = OPENINGS.iter().find(|opening| folded.ends_with(&format!(". {opening}")));
    let bare = closing.and_then(|closing| label.get(..label.len().checked_sub(closing.len())?));
    bare.map_or((label, false), |bare| (bare.trim_end_matches([' ', '.']), true))
}

/// `Melee Weapon Attack: +5 to hit …` without its opening, and whether it has one.
pub fn without_opening(text: &str) -> (&str, bool) {
    let opening = OPENINGS.iter().find_map(|opening| {
        let (start, rest) = text.split_at_checked(opening.len())?;
        let rest = rest.trim_start().strip_prefix(':')?;
        start.eq_ignore_ascii_case(opening).then(|| rest.trim_start())
    });
    opening.map_or((text, false), |rest| (rest, true))
}

/// The text in pieces at commas, semicolons and ends of sentences outside brackets.
pub fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let rest = text.get(at + letter.len_utf8()..).unwrap_or_default();
        // `reach 5 ft. or range 20/60 ft.`
        let ends = (rest.is_empty() || rest.starts_with(char::is_whitespace)) && !rest.starts_with(" or ");
        if depth == 0 && matches!(letter, ',' | ';' | '.') && ends {
            pieces.push(String::new());
        } else if let Some(last) = pieces.last_mut() {
            last.push(letter);
        }
    }
    pieces.into_iter().map(|piece| piece.trim().to_owned()).filter(|piece| !piece.is_empty()).collect()
}

/// The text without its first brackets, and what stands in them.
pub fn in_brackets(text: &str) -> (String, Option<String>) {
    let inner = text.split_once('(').and_then(|(before, rest)| Some((before, rest.split_once(')')?)));
    match inner {
        Some((before, (inner, after))) => {
            (format!("{} {}", before.trim(), after.trim()).trim().to_owned(), Some(inner.trim().to_owned()))
        }
        None => (text.trim().to_owned(), None),
    }
}

/// The name before a signed number, the number, and what stands behind: `cudgel`, 3, ``.
pub fn signed(text: &str) -> Option<(String, i64, String)> {
    let at = text.char_indices().find(|(at, letter)| {
        let alone = text.get(..*at).is_none_or(|before| before.is_empty() || before.ends_with([' ', ':']));
        matches!(letter, '+' | '-' | '−' | '–') && alone
    })?;
    let (name, rest) = text.split_at_checked(at.0)?;
    let digits = rest.trim_start_matches(['+', '-', '−', '–']);
    let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
    let (_, behind) = digits.split_at_checked(end)?;
    // `+1d6` is no bonus.
    if end == 0 || behind.starts_with(['d', 'D']) {
        return None;
    }
    let number: i64 = digits.get(..end)?.parse().ok()?;
    let number = if rest.starts_with('+') { number } else { -number };
    Some((name.trim_end_matches([' ', ':']).to_owned(), number, behind.trim().to_owned()))
}

pub fn without_to_hit(text: &str) -> String {
    let folded = fold(text);
    match ["to hit", "to attack", "attack"].iter().any(|words| folded == *words) {
        true => String::new(),
        false => {
            let text = text.trim();
            let end = text.len().saturating_sub(" to hit".len());
            let bare = text.get(..end).filter(|_| folded.ends_with(" to hit")).unwrap_or(text);
            let start = bare.get("to hit".len()..).filter(|_| folded.starts_with("to hit "));
            start.unwrap_or(bare).trim().to_owned()
        }
    }
}

/// The longest beginning that is damage, with dice where `rolled`, and what stands behind it.
pub fn damage_in(text: &str, rolled: bool) -> Option<(Vec<AttackDamage>, String)> {
    if !text.starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, 'd' | 'D' | '{' | '(' | '+')) {
        return None;
    }
    let text = text.trim_start_matches('+');
    let ends = text.char_indices().filter(|(_, letter)| letter.is_whitespace()).map(|(at, _)| at);
    let mut ends: Vec<usize> = ends.take(40).chain([text.len()]).collect();
    ends.reverse();
    ends.into_iter().find_map(|end| {
        let (damage, rest) = text.split_at_checked(end)?;
        // `1d6 (Neave only)`: a remark.
        let remark = damage.strip_suffix(')').and_then(|inner| inner.rsplit_once('('));
        if remark.is_some_and(|(_, inner)| inner.contains(' ') && !has_dice(inner)) {
            return None;
        }
        let damage = read_damage(damage).filter(|all| !rolled || all.iter().any(|part| has_dice(&part.amount)))?;
        Some((damage, rest.trim().to_owned()))
    })
}

/// `fists 1d6`: the name and the dice behind it.
pub fn trailing_dice(text: &str) -> Option<(String, Vec<AttackDamage>)> {
    let at = text.char_indices().filter(|(_, letter)| letter.is_whitespace()).find(|(at, _)| {
        let rest = text.get(*at..).unwrap_or_default().trim();
        has_dice(rest) && read_damage(rest).is_some()
    })?;
    let (name, damage) = text.split_at_checked(at.0)?;
    Some((name.trim().to_owned(), read_damage(damage)?))
}

pub fn has_dice(text: &str) -> bool {
    let digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit() || letter == '%');
    text.char_indices().any(|(at, letter)| {
        matches!(letter, 'd' | 'D') && digit(text.get(at + 1..).and_then(|rest| rest.chars().next()))
    })
}

/// `reach 5 ft.`, `range 80/320 ft`, `30 feet`, `10m`.
pub fn is_range(folded: &str) -> bool {
    let named = ["reach", "range", "ranged", "thrown", "base range"]
        .iter()
        .any(|word| folded.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', ':'])));
    let measured = folded.starts_with(|letter: char| letter.is_ascii_digit())
        && ["ft", "feet", "yards", "m", "metres", "meters"].iter().any(|unit| {
            let bare = folded.strip_suffix(unit).map(|rest| rest.trim_end_matches(' '));
            bare.is_some_and(|bare| bare.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '/' | '-')))
        });
    (named && folded.contains(|letter: char| letter.is_ascii_digit())) || measured
}

/// `2 claws`, `1 × sword`: how many, and the name.
pub fn counted(name: &str) -> (Option<i64>, &str) {
    let rest = name.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let count = name.get(..name.len() - rest.len()).and_then(|digits| digits.parse().ok());
    let bare = rest.trim_start().trim_start_matches(['×', 'x']).trim_start();
    match count {
        Some(count) if rest.starts_with([' ', '×', 'x']) && !bare.is_empty() => {
            (Some(count).filter(|count| *count > 1), bare)
        }
        _ => (None, name),
    }
}

/// What is left of a piece, without the word that joined it.
pub fn left_over(text: &str) -> Option<String> {
    let text = text.trim().trim_matches([',', '.', ';']).trim();
    let bare = ["and ", "plus "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text).trim();
    let unwrapped = bare.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(bare).trim();
    (!unwrapped.is_empty()).then(|| unwrapped.to_owned())
}

/// Columns of a table of attacks.
const NAMES: [&str; 4] = ["attack", "weapon", "attacks", "weapons"];
const ROLLS: [&str; 7] = ["to hit", "hit", "bonus", "attack bonus", "roll", "skill", "attack roll"];
const DAMAGE: [&str; 3] = ["damage", "dmg", "hit deals"];
const TYPES: [&str; 2] = ["type", "damage type"];
const RANGES: [&str; 2] = ["range", "reach"];

/// Whether a row of cells is the header of a table of attacks.
pub fn is_header(cells: &[String]) -> bool {
    column(cells, &NAMES).is_some() && column(cells, &DAMAGE).is_some()
}

fn column(header: &[String], names: &[&str]) -> Option<usize> {
    header.iter().position(|cell| names.contains(&fold(cell).as_str()))
}

/// Reads a row below such a header; `false` where it is no attack.
pub fn read_row(foe: &mut Foe, system: &System, header: &[String], cells: &[String]) -> bool {
    let at = |names: &[&str]| column(header, names).and_then(|at| cells.get(at)).filter(|cell| !cell.is_empty());
    let (Some(name), Some(damage)) = (at(&NAMES), at(&DAMAGE)) else { return false };
    let Some((mut damage, rest)) = damage_in(damage, false) else { return false };
    if let (Some(kind), [only]) = (at(&TYPES), damage.as_mut_slice()) {
        only.damage_type.get_or_insert_with(|| kind.clone());
    }
    let mut own = Attack { name: name.clone(), damage, range: at(&RANGES).cloned(), ..Attack::default() };
    let mut effect: Vec<String> = left_over(&rest).into_iter().collect();
    let mut reader = Reader { system, foe_skills: Vec::new(), found: Vec::new() };
    if let Some(roll) = at(&ROLLS) {
        reader.head(&mut own, &mut effect, roll);
        foe.bonuses.extend(reader.foe_skills);
    }
    let read = [&NAMES[..], &ROLLS, &DAMAGE, &TYPES, &RANGES].map(|names| column(header, names));
    let others = cells.iter().enumerate().filter(|(at, _)| !read.contains(&Some(*at)));
    effect.extend(others.filter_map(|(_, cell)| left_over(cell)));
    own.effect = (!effect.is_empty()).then(|| shortened(&effect.join(", "), LIMITS.context - 10));
    foe.attacks.push(own);
    true
}
