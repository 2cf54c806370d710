//! Attacks by name, of a character and of the rules for everybody; their damage as dice.

use crate::limits::{self, LIMITS};
use crate::mechanics::values::{Values, dice_refusal};
use crate::record::state::{Attack, AttackDamage, Character, State};
use crate::refusal::{Code, Refusal};
use rollbook_dice::{Expression, Formula, parse_formula};
use rollbook_rules::{CommonAttack, System};
use rollbook_text::names::{Found, fold, listed, quoted, same, suggest};
use std::collections::BTreeMap;

/// Parts of one attack's damage. Stat blocks have two or three.
const PARTS_MAX: usize = 8;

/// The attack of that name on the character's sheet, else that of the rules, else the only one
/// whose name has that word. Refused: when there is none of the name, or there are several: with
/// those of the character and of the rules.
pub fn find(system: &System, who: &Character, name: &str) -> Result<Attack, Refusal> {
    let all = all(system, who);
    if let Some(exact) = all.iter().find(|attack| same(&attack.name, name)) {
        return Ok(exact.clone());
    }
    let (sheet, rules) = all.split_at(who.attacks.len());
    let found = |attacks| find_in(name, attacks);
    let names = || all.iter().map(|attack| attack.name.as_str());
    match if matches!(found(sheet), Found::Nothing) {
        found(rules)
    } else {
        found(sheet)
    } {
        Found::One(found) => Ok(found.clone()),
        Found::Several(fit) => {
            let names: Vec<String> = fit.into_iter().map(|fit| fit.name.clone()).collect();
            let (name, all) = (quoted(name), listed(names.iter().map(String::as_str), 300));
            let first = names.first().map_or("", String::as_str);
            let summary = format!(
                "\"{name}\" could be {all} of {}. Send attack=\"{first}\", or another of these.",
                who.name
            );
            Err(Refusal::new(Code::AmbiguousName, summary).did_you_mean(names))
        }
        Found::Nothing if all.is_empty() => {
            let (who, name) = (&who.name, quoted(name));
            let summary = format!(
                "{who} has no attacks on the sheet. Send damage=\"1d6\" with the dice in place of attack, or write it down first: \
                 manage_character action=\"update\" character=\"{who}\" attacks=[{{\"name\": \"{name}\", \"bonus\": 3, \"damage\": \"1d6+1\"}}]."
            );
            Err(Refusal::new(Code::UnknownAttack, summary))
        }
        Found::Nothing => {
            let suggestions = suggest(name, names());
            let send = suggestions
                .first()
                .map(String::as_str)
                .or(names().next())
                .unwrap_or_default();
            let (who, name, all) = (&who.name, quoted(name), listed(names(), 300));
            let summary = format!(
                "{who} has no attack \"{name}\". There is {all}. Send attack=\"{send}\", or damage with the dice."
            );
            let did_you_mean = if suggestions.is_empty() {
                names().map(str::to_owned).collect()
            } else {
                suggestions
            };
            Err(Refusal::new(Code::UnknownAttack, summary).did_you_mean(did_you_mean))
        }
    }
}

fn find_in<'a>(name: &str, attacks: &'a [Attack]) -> Found<&'a Attack> {
    rollbook_text::names::find(
        name,
        attacks.iter().map(|attack| (attack.name.as_str(), attack)),
    )
}

/// The attacks on the character's sheet, then those of the rules with other names.
pub fn all(system: &System, who: &Character) -> Vec<Attack> {
    let is_new = |attack: &&CommonAttack| {
        !who.attacks
            .iter()
            .any(|other| same(&other.name, &attack.name))
    };
    let common = system.attacks.iter().filter(is_new).cloned().map(|attack| {
        let CommonAttack {
            name,
            skill,
            bonus,
            damage,
            kind,
            conditions,
            ..
        } = attack;
        let damage = vec![AttackDamage {
            amount: damage,
            damage_type: kind,
        }];
        Attack {
            name,
            skill,
            bonus,
            damage,
            conditions,
            ..Attack::default()
        }
    });
    who.attacks.iter().cloned().chain(common).collect()
}

/// The damage of an attack as dice to roll, each part with its type; numbers of the sheet are
/// filled in, and what `given` has of others. Refused: a missing number, bad dice.
pub fn damage(
    state: &State,
    system: &System,
    (who, attack): (&Character, &Attack),
    given: &BTreeMap<String, i64>,
) -> Result<Vec<(Expression, Option<String>)>, Refusal> {
    let part = |part: &AttackDamage| {
        let formula = parse_formula(&part.amount).map_err(|error| dice_refusal(&error))?;
        Ok((
            Values::of(state, system, who).bind_beside(&formula, given)?,
            part.damage_type.clone(),
        ))
    };
    attack.damage.iter().map(part).collect()
}

/// The amount as it is printed, so that a sheet that is written and read is the same.
pub fn normalise(damage: &mut AttackDamage) {
    if let Some(formula) = formula(&damage.amount) {
        damage.amount = formula.to_string();
    }
}

/// Refuses what is beyond the limits, or cannot be written on a sheet: attacks come from anywhere.
pub fn check_limits(attacks: &[Attack]) -> Result<(), Refusal> {
    limits::count("attacks", attacks.len(), LIMITS.attacks)?;
    let mut seen = std::collections::BTreeSet::new();
    for attack in attacks {
        limits::name("attacks.name", &attack.name)?;
        if !seen.insert(fold(&attack.name)) {
            let summary = format!(
                "attacks: \"{}\" stands there twice. Keep one of them.",
                quoted(&attack.name)
            );
            return Err(Refusal::new(Code::DuplicateName, summary));
        }
        attack
            .skill
            .iter()
            .try_for_each(|skill| limits::name("attacks.skill", skill))?;
        limits::number("attacks.bonus", attack.bonus.unwrap_or(0))?;
        limits::count("attacks.damage", attack.damage.len(), PARTS_MAX)?;
        for AttackDamage {
            amount,
            damage_type,
        } in &attack.damage
        {
            limits::name("attacks.damage", amount)?;
            parse_formula(amount).map_err(|error| dice_refusal(&error))?;
            if let Some(kind) = damage_type.as_ref().filter(|kind| !is_type(kind)) {
                let summary = format!(
                    "attacks.damage_type: \"{}\" is no word such as \"fire\".",
                    quoted(kind)
                );
                return Err(Refusal::new(Code::InvalidParameters, summary));
            }
        }
        limits::text(
            "attacks.range",
            attack.range.as_deref().unwrap_or_default(),
            LIMITS.context,
        )?;
        limits::text(
            "attacks.effect",
            attack.effect.as_deref().unwrap_or_default(),
            LIMITS.context,
        )?;
        limits::count(
            "attacks.conditions",
            attack.conditions.len(),
            LIMITS.conditions,
        )?;
        for name in &attack.conditions {
            limits::name("attacks.conditions", name)?;
            // On a sheet they are separated by semicolons.
            if name.contains(';') || name.trim() != name {
                let summary = format!(
                    "attacks.conditions: \"{}\" is no name such as \"prone\".",
                    quoted(name)
                );
                return Err(Refusal::new(Code::InvalidParameters, summary));
            }
        }
    }
    Ok(())
}

/// Words between two parts.
const SEPARATORS: [&str; 4] = [" plus ", " and ", ";", ","];
/// Bytes of an amount, and of a type.
const BYTES_MAX: usize = 80;
const TEXT_MAX: usize = 300;

/// The parts of a text, 1 to 8 of them within 300 bytes; `None` where it is anything else.
pub fn read_damage(text: &str) -> Option<Vec<AttackDamage>> {
    if text.len() > TEXT_MAX {
        None
    } else {
        parts(text, PARTS_MAX)
    }
}

fn parts(text: &str, most: usize) -> Option<Vec<AttackDamage>> {
    let left = most.checked_sub(1)?;
    // The whole may have a comma of its own: `max(1, 1d6)`.
    if let Some(only) = part(text) {
        return Some(vec![only]);
    }
    let mut at: Vec<(usize, &str)> = SEPARATORS
        .iter()
        .flat_map(|words| text.match_indices(words))
        .collect();
    at.sort_unstable();
    at.into_iter().find_map(|(at, separator)| {
        let first = part(text.get(..at)?)?;
        let rest = parts(text.get(at + separator.len()..)?, left)?;
        Some(std::iter::once(first).chain(rest).collect())
    })
}

/// `1d6+3 slashing`: the longest beginning that is dice, and the type after it.
fn part(text: &str) -> Option<AttackDamage> {
    let text = text.trim().trim_end_matches('.');
    // `7 (1d8 + 3) slashing`: the average is before the dice.
    let inner = text
        .split_once('(')
        .filter(|(average, _)| average.trim().parse::<i64>().is_ok());
    if let Some((dice, kind)) = inner.and_then(|(_, rest)| rest.split_once(')'))
        && let Some(formula) = formula(dice)
    {
        return with_type(&formula, kind);
    }
    let ends = text
        .match_indices(char::is_whitespace)
        .map(|(at, _)| at)
        .rev();
    std::iter::once(text.len()).chain(ends).find_map(|end| {
        let (amount, kind) = text.split_at_checked(end)?;
        with_type(&formula(amount)?, kind)
    })
}

/// The dice of an amount. `1d8/1d10` is no division: a weapon may be held in two ways.
pub fn formula(text: &str) -> Option<Formula> {
    let text = text.trim();
    let divided = text.split('/').skip(1).any(has_dice);
    (!text.is_empty() && text.len() <= BYTES_MAX && !divided).then(|| parse_formula(text).ok())?
}

/// Whether a text begins with dice: `1d8`, `d6`, `2d6 halved`.
pub fn has_dice(text: &str) -> bool {
    let sides = text
        .trim_start()
        .trim_start_matches(|letter: char| letter.is_ascii_digit())
        .strip_prefix(['d', 'D']);
    sides.is_some_and(|sides| {
        sides.starts_with(|letter: char| letter.is_ascii_digit() || letter == '%')
    })
}

fn with_type(amount: &Formula, kind: &str) -> Option<AttackDamage> {
    let kind = kind.trim();
    let bare = kind
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(kind)
        .trim();
    let bare = bare
        .strip_suffix("damage")
        .or_else(|| bare.strip_prefix("damage "))
        .unwrap_or(bare)
        .trim();
    let damage_type = Some(bare.to_owned()).filter(|kind| !kind.is_empty());
    damage_type
        .as_deref()
        .is_none_or(is_type)
        .then(|| AttackDamage {
            amount: amount.to_string(),
            damage_type,
        })
}

/// Words that no damage type has: those of sentences, and those that turn the number round.
const NO_TYPE: [&str; 25] = [
    "and", "plus", "or", "the", "a", "damage", "if", "when", "on", "to", "with", "per", "each",
    "only", "half", "halved", "twice", "double", "doubled", "minus", "less", "times", "more", "vs",
    "against",
];

/// Whether a text can be a damage type: up to three words of letters.
pub fn is_type(text: &str) -> bool {
    let letters = |letter: char| letter.is_alphabetic() || matches!(letter, '-' | '\'');
    let word = |word: &str| word.chars().all(letters) && !NO_TYPE.contains(&fold(word).as_str());
    let is_short = text.len() <= BYTES_MAX && text.split(' ').count() <= 3;
    is_short && text.starts_with(char::is_alphabetic) && text.split(' ').all(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_read_as_people_write_it() {
        let as_written = |text: &str| {
            Some(
                Attack {
                    damage: read_damage(text)?,
                    ..Attack::default()
                }
                .render_damage(),
            )
        };
        for (text, parts) in [
            ("1d6+3", "1d6 + 3"),
            ("1d6+3 slashing", "1d6 + 3 (slashing)"),
            ("1d6 + 3 slashing damage", "1d6 + 3 (slashing)"),
            ("7 (1d8 + 3) slashing damage", "1d8 + 3 (slashing)"),
            (
                "1d6+3 slashing plus 7 (2d6) cold iron damage.",
                "1d6 + 3 (slashing); 2d6 (cold iron)",
            ),
            ("1d6 + 2d4 fire and 1 cold", "1d6 + 2d4 (fire); 1 (cold)"),
            ("max(1, 1d6), 1d4 fire", "max(1, 1d6); 1d4 (fire)"),
            ("1d8 + {STR}", "1d8 + {STR}"),
            ("5", "5"),
        ] {
            assert_eq!(as_written(text).as_deref(), Some(parts), "{text}");
            assert_eq!(as_written(parts).as_deref(), Some(parts), "{parts}");
        }
        for text in [
            "",
            "slashing",
            "1d6 in 3 rounds 2",
            "1d6 (DC 12)",
            "1d6 and the target is 2 feet shorter",
        ] {
            assert_eq!(as_written(text), None, "{text}");
        }
    }

    #[test]
    fn an_attack_is_found_by_a_word_and_its_near_names_are_offered() {
        let attack = |name: &str| Attack {
            name: name.to_owned(),
            ..Attack::default()
        };
        let who = Character {
            name: "Mag".to_owned(),
            attacks: ["Bone hatchet", "Iron hatchet", "Bite"]
                .map(attack)
                .to_vec(),
            ..Character::default()
        };
        assert_eq!(
            find(&System::default(), &who, "iron").unwrap().name,
            "Iron hatchet"
        );
        assert_eq!(
            find(&System::default(), &who, "hatchet").unwrap_err().code,
            Code::AmbiguousName
        );
        let refusal = find(&System::default(), &who, "Bitte").unwrap_err();
        assert_eq!(
            (refusal.code, &*refusal.did_you_mean),
            (Code::UnknownAttack, &["Bite".to_owned()][..])
        );
        assert!(
            refusal.summary.contains("Send attack=\"Bite\""),
            "{refusal}"
        );
        let bare = Character {
            attacks: Vec::new(),
            ..who
        };
        assert!(
            find(&System::default(), &bare, "Bite")
                .unwrap_err()
                .summary
                .contains("attacks=[{\"name\": \"Bite\"")
        );
    }

    #[test]
    fn a_text_of_many_parts_is_none_however_long_it_is() {
        assert_eq!(
            read_damage(&["1"; PARTS_MAX].join(",")).map(|parts| parts.len()),
            Some(PARTS_MAX)
        );
        assert_eq!(read_damage(&["1"; PARTS_MAX + 1].join(",")), None);
        for separator in SEPARATORS {
            for times in [40, 15_000] {
                assert_eq!(
                    read_damage(&format!("{}1!", format!("1{separator}").repeat(times))),
                    None
                );
            }
        }
        assert_eq!(
            read_damage("max(1, 1d6) fire and 1d8 cold").map(|parts| parts.len()),
            Some(2)
        );
    }
}
