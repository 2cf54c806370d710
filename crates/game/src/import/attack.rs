//! Attacks in every usual layout. What is neither roll, damage nor range is what a hit brings.
//!
//! ```text
//! cudgel +3, damage 1d6+1; crossbow +3, damage 1d6 (Neave only)
//! revolver, Firearms 55, damage 1d10
//! 2 claws (1d4), bite (1d6+2)
//! Melee Weapon Attack: +5 to hit, reach 5 ft. Hit: 8 (2d4 + 3) slashing damage, and is poisoned.
//! jaws +11 (agile), Damage 1d8+4 piercing plus Grab
//! ```

use super::foe::Foe;
use crate::record::state::{Attack, AttackDamage, Uses};
use crate::{limits::LIMITS, mechanics::attacks::read_damage};
use rollbook_rules::System;
use rollbook_text::names::{fold, numbered, same, shortened};

/// Labels of lists of attacks; those of [`COUNTED`] have a plural.
const LABELS: [&str; 5] = ["att", "melee", "ranged", "damage", "combat"];
const COUNTED: [&str; 5] = [
    "attack",
    "melee attack",
    "ranged attack",
    "weapon",
    "strike",
];
/// Bytes of a line; a longer one is prose.
const LINE_MAX: usize = 2000;
/// A longer name is prose.
const NAME_WORDS_MAX: usize = 7;
/// Words in front of an amount.
const DEALS: [&str; 6] = ["hit:", "damage:", "damage", "dmg", "deals", "for"];
/// Whom an attack aims at, where the rules have nothing else.
const ONE_TARGET: [&str; 4] = [
    "one target",
    "one creature",
    "one target per attack",
    "single target",
];
/// Bytes of a range, and of what a hit brings.
const TEXT_MAX: usize = LIMITS.context - 10;

/// Reads a line as attacks; `false` where it is none. `label` is its bold or leading name.
pub fn read_line(foe: &mut Foe, system: &System, label: &str, value: &str) -> bool {
    if value.len() > LINE_MAX {
        return false;
    }
    let text = plain(value);
    // `Claw. Melee Weapon Attack`
    let opened = label
        .rsplit_once(". ")
        .filter(|(_, opening)| is_opening(opening));
    let (label, text) = opened.map_or((label, text.clone()), |(name, _)| {
        (name.trim_end(), format!("attack roll: {text}"))
    });
    let list = fold(label);
    let is_list =
        LABELS.contains(&&*list) || COUNTED.contains(&list.strip_suffix('s').unwrap_or(&list));
    let listed = opened.is_none() && is_list;
    let name = (!listed && !label.is_empty()).then_some(label);
    let items: Vec<&str> = if listed {
        text.split(';').collect()
    } else {
        vec![text.as_str()]
    };
    let read = |item: &str| {
        let mut found = Foe::default();
        found
            .read_attacks(system, name, item, listed)
            .then_some(found)
    };
    let Some(all) = items.into_iter().map(read).collect::<Option<Vec<Foe>>>() else {
        return false;
    };
    for found in all {
        foe.bonuses.extend(found.bonuses);
        foe.attacks.extend(found.attacks);
        foe.words.extend(found.words);
        foe.uses.extend(found.uses);
        foe.questions.extend(found.questions);
    }
    true
}

impl Foe {
    /// Reads one attack, or several that are listed: `2 claws (1d4), bite (1d6+2)`; skills that it
    /// names with their numbers are bonuses.
    fn read_attacks(
        &mut self,
        system: &System,
        name: Option<&str>,
        text: &str,
        listed: bool,
    ) -> bool {
        let opening = text
            .split_once(':')
            .filter(|(opening, _)| is_opening(opening));
        let mut attack = Attack {
            name: name.unwrap_or_default().to_owned(),
            ..Attack::default()
        };
        let mut effect: Vec<String> = Vec::new();
        // Without a name before it, the first piece has it.
        let mut rolled = false;
        for piece in pieces(opening.map_or(text, |(_, rest)| rest.trim_start())) {
            if name.is_none() && !attack.damage.is_empty() && begins_attack(&piece) {
                self.add_attack(std::mem::take(&mut attack), std::mem::take(&mut effect));
                rolled = false;
            }
            rolled |= self.read_piece(system, &mut attack, &mut effect, &piece);
        }
        let deals = attack.damage.iter().any(|part| part.amount.contains('d'));
        let fits = deals || (rolled && (!attack.damage.is_empty() || opening.is_some()));
        let is_name = !attack.name.is_empty() && attack.name.split(' ').count() <= NAME_WORDS_MAX;
        // A label of another meaning, such as "Hit dice", has dice but no roll.
        if !fits || !is_name || !(listed || rolled) {
            return false;
        }
        self.add_attack(attack, effect);
        true
    }

    fn add_attack(&mut self, mut attack: Attack, effect: Vec<String>) {
        let (count, name) = counted(&attack.name);
        let (bare, often) = in_brackets(name);
        let often = often.filter(|often| Uses::is_about(often) || Uses::parse(often).is_some());
        let name = shortened(
            often.as_ref().map_or(name.trim(), |_| &bare),
            LIMITS.name - 4,
        );
        let is_taken = self.attacks.iter().any(|other| same(&other.name, &name));
        attack.name = if is_taken {
            format!("{name} {}", self.attacks.len() + 1)
        } else {
            name
        };
        let effect: Vec<String> = count
            .map(|count| format!("{count} of them"))
            .into_iter()
            .chain(often)
            .chain(effect)
            .filter(|words| !self.read_uses(&attack.name, words))
            .collect();
        let effect = effect.join(", ");
        attack.effect = (!effect.is_empty()).then(|| shortened(&effect, TEXT_MAX));
        if effect.len() > TEXT_MAX {
            self.words.push(format!("{}: {effect}", attack.name));
        }
        self.attacks.push(attack);
    }

    /// Reads a piece into the attack; whether it says what is rolled.
    fn read_piece(
        &mut self,
        system: &System,
        attack: &mut Attack,
        effect: &mut Vec<String>,
        piece: &str,
    ) -> bool {
        let folded = fold(piece);
        if ONE_TARGET.contains(&folded.as_str()) {
            return false;
        }
        if attack.range.is_none() && is_range(&folded) {
            attack.range = Some(shortened(piece.trim_end_matches('.'), TEXT_MAX));
            return false;
        }
        let deals = DEALS.iter().find_map(|word| {
            let (start, rest) = piece.split_at_checked(word.len())?;
            (start.eq_ignore_ascii_case(word) && rest.starts_with([' ', ':'])).then_some(rest)
        });
        let amount = deals.unwrap_or(piece).trim_start_matches([':', ' ']);
        if let Some((damage, rest)) = damage_in(amount, deals.is_none()) {
            attack.damage.extend(damage);
            effect.extend(left_over(&rest));
        } else if attack.bonus.is_none() && attack.skill.is_none() {
            return self.read_head(system, attack, effect, piece);
        } else {
            effect.extend(left_over(piece));
        }
        false
    }

    /// `cudgel +3`, `+5 to hit`, `Firearms 55`, `Brawl 45% (22/9)`, `claws (1d4)`, `fists 1d6`.
    fn read_head(
        &mut self,
        system: &System,
        attack: &mut Attack,
        effect: &mut Vec<String>,
        piece: &str,
    ) -> bool {
        let (before, inner) = in_brackets(piece);
        let signed = signed(&before);
        let mut rolled = signed.is_some();
        let name = without_to_hit(signed.as_ref().map_or(before.as_str(), |(name, ..)| name));
        if let Some((_, bonus, rest)) = signed {
            attack.bonus = Some(bonus);
            let rest = without_to_hit(&rest);
            let (damage, rest) = damage_in(&rest, true).unwrap_or((Vec::new(), rest));
            attack.damage.extend(damage);
            effect.extend(left_over(&rest));
        }
        match skilled(system, &name) {
            Some((skill, number)) => {
                self.bonuses
                    .extend(number.map(|number| (skill.clone(), number)));
                attack.skill = Some(skill);
                rolled = true;
            }
            // A name is before the damage.
            None if attack.name.is_empty() && attack.damage.is_empty() => {
                // `fists 1d6`
                let dice = blanks(&name).find_map(|at| {
                    let (name, dice) = name.split_at_checked(at)?;
                    // Reading every end of a sentence as dice is slow.
                    let dice =
                        Some(dice.trim()).filter(|dice| begins_amount(dice) && has_dice(dice));
                    Some((name.trim().to_owned(), read_damage(dice?)?))
                });
                let (name, damage) = dice.unwrap_or((name, Vec::new()));
                attack.name = name;
                attack.damage.extend(damage);
            }
            None => effect.extend(left_over(&name)),
        }
        if let Some(inner) = inner {
            match Some(&inner)
                .filter(|inner| has_dice(inner))
                .and_then(|inner| read_damage(inner))
            {
                Some(damage) => attack.damage.extend(damage),
                // Half and a fifth of a percentage follow from it.
                None if inner
                    .split('/')
                    .all(|part| part.trim().parse::<i64>().is_ok()) => {}
                None => effect.push(inner),
            }
        }
        rolled
    }
}

/// A skill or attribute of the rules, with its number or without: `Firearms 55`, `Brawl 45%`.
fn skilled(system: &System, text: &str) -> Option<(String, Option<i64>)> {
    let (name, number) = numbered(text.trim_end_matches('%'));
    let skill = system.named_skill(name).map(|skill| &skill.name);
    let attribute = || Some(&system.named_attribute(name)?.name);
    Some((skill.or_else(attribute)?.clone(), number))
}

/// Whether a piece after an attack with its damage begins another one: `bite (1d6+2)`, `bow +3`.
fn begins_attack(piece: &str) -> bool {
    let (before, inner) = in_brackets(piece);
    let rolls = signed(&before).is_some_and(|(name, ..)| !name.is_empty());
    let deals = inner.is_some_and(|inner| has_dice(&inner));
    let named = piece.starts_with(|letter: char| letter.is_alphabetic() || letter.is_ascii_digit());
    named && (rolls || deals) && read_damage(piece).is_none()
}

/// Whether a text is an attack of a printed block: `Melee Weapon Attack: +5 to hit`.
pub fn is_printed(text: &str) -> bool {
    let opening = text
        .split_once(':')
        .is_some_and(|(opening, _)| is_opening(opening));
    opening || (fold(text).contains(" to hit") && signed(text).is_some())
}

/// Whether printed blocks of 5e begin an attack so: `Melee Weapon Attack`, `Ranged Attack Roll`.
fn is_opening(text: &str) -> bool {
    let folded = fold(text);
    let kind = ["melee or ranged ", "melee ", "ranged "]
        .iter()
        .find_map(|reach| folded.strip_prefix(reach));
    let is_kind = |kind: &str| ["weapon attack", "spell attack", "attack roll"].contains(&kind);
    kind.is_some_and(is_kind)
        || ["melee attack", "ranged attack", "attack roll"].contains(&folded.as_str())
}

/// Without emphasis, and what other games put in square brackets: `[one-action]`, `[+6/+1]`.
fn plain(text: &str) -> String {
    let text = text.replace(['*', '_', '`'], "");
    let mut parts = text.split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((inner, rest)) if inner.contains("action") || inner.contains('/') => {
                plain.push_str(rest.trim_start())
            }
            _ => plain.push_str(&format!("[{part}")),
        }
    }
    plain.trim().to_owned()
}

/// The text in pieces at commas, semicolons and ends of sentences outside brackets.
fn pieces(text: &str) -> Vec<String> {
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
        let ends =
            (rest.is_empty() || rest.starts_with(char::is_whitespace)) && !rest.starts_with(" or ");
        if depth == 0 && matches!(letter, ',' | ';' | '.') && ends {
            pieces.push(String::new());
        } else if let Some(last) = pieces.last_mut() {
            last.push(letter);
        }
    }
    pieces
        .into_iter()
        .map(|piece| piece.trim().to_owned())
        .filter(|piece| !piece.is_empty())
        .collect()
}

/// The text without its first brackets, and what is in them.
pub fn in_brackets(text: &str) -> (String, Option<String>) {
    let found = text
        .split_once('(')
        .and_then(|(before, rest)| Some((before, rest.split_once(')')?)));
    let Some((before, (inner, after))) = found else {
        return (text.trim().to_owned(), None);
    };
    (
        format!("{} {}", before.trim(), after.trim())
            .trim()
            .to_owned(),
        Some(inner.trim().to_owned()),
    )
}

/// The name before a signed number, the number, and what is after: `cudgel`, 3, ``.
fn signed(text: &str) -> Option<(String, i64, String)> {
    const SIGNS: [char; 4] = ['+', '-', '−', '–'];
    let (at, _) = text.match_indices(SIGNS).find(|(at, _)| {
        text.get(..*at)
            .is_none_or(|before| before.is_empty() || before.ends_with([' ', ':']))
    })?;
    let (name, rest) = text.split_at_checked(at)?;
    let digits = rest.trim_start_matches(SIGNS);
    let end = digits
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(digits.len());
    let (number, after) = digits.split_at_checked(end)?;
    // `+1d6` is no bonus.
    let number: i64 = number
        .parse()
        .ok()
        .filter(|_| !after.starts_with(['d', 'D']))?;
    let number = if rest.starts_with('+') {
        number
    } else {
        -number
    };
    Some((
        name.trim_end_matches([' ', ':']).to_owned(),
        number,
        after.trim().to_owned(),
    ))
}

fn without_to_hit(text: &str) -> String {
    let (text, folded) = (text.trim(), fold(text));
    if ["to hit", "to attack", "attack"].contains(&folded.as_str()) {
        return String::new();
    }
    let end = text.len().saturating_sub(" to hit".len());
    let bare = text
        .get(..end)
        .filter(|_| folded.ends_with(" to hit"))
        .unwrap_or(text);
    bare.get("to hit".len()..)
        .filter(|_| folded.starts_with("to hit "))
        .unwrap_or(bare)
        .trim()
        .to_owned()
}

fn blanks(text: &str) -> impl Iterator<Item = usize> {
    text.char_indices()
        .filter(|(_, letter)| letter.is_whitespace())
        .map(|(at, _)| at)
}

/// The longest beginning that is damage, with dice where `rolled`, and what is after it.
fn damage_in(text: &str, rolled: bool) -> Option<(Vec<AttackDamage>, String)> {
    if !begins_amount(text) || (rolled && !has_dice(text)) {
        return None;
    }
    let text = text.trim_start_matches('+');
    let ends: Vec<usize> = blanks(text).take(40).chain([text.len()]).collect();
    ends.into_iter().rev().find_map(|end| {
        let (damage, rest) = text.split_at_checked(end)?;
        // `1d6 (Neave only)`: a remark.
        let remark = damage
            .strip_suffix(')')
            .and_then(|inner| inner.rsplit_once('('));
        if remark.is_some_and(|(_, inner)| inner.contains(' ') && !has_dice(inner)) {
            return None;
        }
        let damage = read_damage(damage)
            .filter(|all| !rolled || all.iter().any(|part| has_dice(&part.amount)))?;
        Some((damage, rest.trim().to_owned()))
    })
}

fn begins_amount(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_digit() || "dD{(+".contains(letter))
}

pub fn has_dice(text: &str) -> bool {
    let sides = |at: usize| text.get(at + 1..).and_then(|rest| rest.chars().next());
    let is_die =
        |at: usize| sides(at).is_some_and(|letter| letter.is_ascii_digit() || letter == '%');
    text.match_indices(['d', 'D']).any(|(at, _)| is_die(at))
}

/// `reach 5 ft.`, `range 80/320 ft`, `30 feet`, `10m`.
fn is_range(folded: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let named = ["reach", "range", "ranged", "thrown", "base range"]
        .iter()
        .any(|word| {
            folded
                .strip_prefix(word)
                .is_some_and(|rest| rest.starts_with([' ', ':']))
        });
    let measured = ["ft", "feet", "yards", "m", "metres", "meters"]
        .iter()
        .any(|unit| {
            let number = folded
                .strip_suffix(unit)
                .map(|rest| rest.trim_end_matches(' '));
            number.is_some_and(|number| {
                number
                    .chars()
                    .all(|letter| is_digit(letter) || matches!(letter, '/' | '-'))
            })
        });
    (named && folded.contains(is_digit)) || (measured && folded.starts_with(is_digit))
}

/// `2 claws`, `1 × sword`: how many, where there are several, and the name.
fn counted(name: &str) -> (Option<i64>, &str) {
    let rest = name.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let count = name
        .strip_suffix(rest)
        .and_then(|digits| digits.parse().ok());
    let bare = rest
        .trim_start()
        .trim_start_matches(['×', 'x'])
        .trim_start();
    let is_counted = count.is_some() && rest.starts_with([' ', '×', 'x']) && !bare.is_empty();
    if is_counted {
        (count.filter(|count| *count > 1), bare)
    } else {
        (None, name)
    }
}

fn left_over(text: &str) -> Option<String> {
    let text = text.trim().trim_matches([',', '.', ';']).trim();
    let bare = ["and ", "plus "]
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .unwrap_or(text)
        .trim();
    let unwrapped = bare
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(bare)
        .trim();
    (!unwrapped.is_empty()).then(|| unwrapped.to_owned())
}
