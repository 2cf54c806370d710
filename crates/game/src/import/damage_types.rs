//! Types of damage in the words of stat blocks, read whole or not at all.
//!
//! ```text
//! types  = group { ";" group }
//! group  = "all" ["damage"] ["except" list] | list ["from nonmagical" ("attacks" | …) [exception]]
//! list   = type { ("," | "and" | "or") type }
//! ```

use crate::limits::LIMITS;
use rollbook_rules::{EXCEPT, System};
use rollbook_text::names::{fold, same};

/// Types that one defence is against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Types {
    /// These, and what else the source says of them.
    Only(Vec<String>, Option<String>),
    /// All but these.
    AllBut(Vec<String>),
    /// Conditions, which blocks of 2024 list behind the types.
    Conditions(String),
}

impl Types {
    /// The names on a sheet of a defence of these rules, each within the limits.
    pub fn on_sheet(&self, rule: &str) -> Vec<String> {
        let all = match self {
            Types::Only(all, _) => all,
            Types::AllBut(but) if but.is_empty() => return vec![rule.to_owned()],
            Types::AllBut(but) => return vec![format!("{rule} ({EXCEPT}{})", but.join(", "))],
            Types::Conditions(_) => return Vec::new(),
        };
        let mut names: Vec<String> = Vec::new();
        for kind in all {
            let longer = names
                .last()
                .and_then(|name| Some(format!("{}, {kind})", name.strip_suffix(')')?)));
            match longer.filter(|name| name.len() <= LIMITS.name) {
                Some(longer) => drop(names.pop().map(|_| names.push(longer))),
                None => names.push(format!("{rule} ({kind})")),
            }
        }
        names
    }

    /// Whether the names on the sheet are all of it.
    pub fn is_whole(&self) -> bool {
        match self {
            Types::Only(_, more) => more.is_none(),
            Types::AllBut(_) => true,
            Types::Conditions(_) => false,
        }
    }
}

impl std::fmt::Display for Types {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Types::Only(all, None) => f.write_str(&all.join(", ")),
            Types::Only(all, Some(more)) => write!(f, "{} {more}", all.join(", ")),
            Types::AllBut(but) if but.is_empty() => f.write_str("all damage"),
            Types::AllBut(but) => write!(f, "all damage except {}", but.join(", ")),
            Types::Conditions(all) => write!(f, "the conditions {all}"),
        }
    }
}

/// Conditions of 5e, whose blocks list them among the types.
const CONDITIONS: &str = "blinded charmed deafened exhaustion frightened grappled incapacitated invisible \
                          paralyzed petrified poisoned prone restrained stunned unconscious";
const ATTACKS: [&str; 5] = ["attacks", "weapons", "damage", "attack", "weapon attacks"];
const EXCEPTIONS: [&str; 4] = [
    "that aren't ",
    "that are not ",
    "not made with ",
    "that isn't ",
];

/// The groups of a text; `None` where a word of it is neither a type nor an exception.
pub fn read(system: &System, text: &str) -> Option<Vec<Types>> {
    let text = text.trim().trim_end_matches('.');
    text.split(';').map(|part| group(system, part)).collect()
}

fn group(system: &System, text: &str) -> Option<Types> {
    let lower = fold(text);
    let all = ["all damage", "all"]
        .into_iter()
        .find_map(|all| lower.strip_prefix(all));
    if let Some(rest) = all.filter(|rest| !rest.starts_with(char::is_alphanumeric)) {
        let but = rest.trim_start_matches([',', ' ']);
        return match but.strip_prefix("except ").or(but.strip_prefix("but ")) {
            Some(but) => list(system, but).map(Types::AllBut),
            None => but.is_empty().then(|| Types::AllBut(Vec::new())),
        };
    }
    if let Some(all) = list(system, text) {
        return Some(Types::Only(all, None));
    }
    let is_condition = |name: &str| {
        system.condition(name).is_some() || CONDITIONS.split(' ').any(|known| same(known, name))
    };
    if names(text).next().is_some() && names(text).all(is_condition) {
        return Some(Types::Conditions(text.trim().to_owned()));
    }
    let at = text.to_ascii_lowercase().find(" from ")?;
    let (types, rest) = text.split_at_checked(at)?;
    let rest = fold(rest);
    let attacks = rest
        .strip_prefix("from nonmagical ")
        .or(rest.strip_prefix("from non magical "))?;
    let is_whole = ATTACKS.iter().any(|word| {
        attacks
            .strip_prefix(word)
            .is_some_and(|rest| rest.is_empty() || is_exception(rest.trim_start_matches(',')))
    });
    let types = list(system, types).filter(|_| is_whole)?;
    Some(Types::Only(types, Some(rest)))
}

/// ` that aren't adamantine`, ` not made with silvered weapons`.
fn is_exception(text: &str) -> bool {
    let rest = EXCEPTIONS
        .iter()
        .find_map(|words| text.trim_start().strip_prefix(words));
    rest.is_some_and(|rest| {
        rest.split(' ').count() <= 3
            && rest
                .chars()
                .all(|letter| letter.is_alphabetic() || letter == ' ')
    })
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text
        .split(',')
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" or "));
    let bare = words.map(|part| {
        let part = part.trim();
        let part = part
            .strip_prefix("and ")
            .or(part.strip_prefix("or "))
            .unwrap_or(part);
        part.strip_suffix(" damage").unwrap_or(part).trim()
    });
    bare.filter(|part| !part.is_empty())
}

/// Types of the rules, or a word each where the rules name none.
fn list(system: &System, text: &str) -> Option<Vec<String>> {
    let is_type = |name: &str| match system.damage_types.as_slice() {
        [] => {
            name.chars().all(char::is_alphabetic)
                && !CONDITIONS.split(' ').any(|known| same(known, name))
        }
        all => all.iter().any(|known| same(known, name)),
    };
    let all: Vec<&str> = names(text).collect();
    let is_whole = !all.is_empty() && all.iter().all(|name| is_type(name));
    is_whole.then(|| all.into_iter().map(str::to_owned).collect())
}
