//! What is taken off damage before it reaches a track.

use crate::diagnostic::Place;
use crate::dice::Formula;
use crate::names::same;
use crate::rules::when::Expr;

/// One step between the damage that is dealt and the damage that is taken. The system's list is in the order of application.
#[derive(Debug, Clone, PartialEq)]
pub struct Defence {
    /// Name as the author writes it: "Resistance".
    pub name: String,
    pub does: DefenceKind,
    /// The types of damage that it is about; none: all.
    pub from: Vec<String>,
    /// The types of damage that it does nothing about.
    pub except: Vec<String>,
    /// Everybody has it; else whose sheet has something of its name.
    pub for_all: bool,
    /// How much of a hit it leaves at least.
    pub least: Option<Formula>,
    pub place: Place,
}

/// What a step does to damage.
#[derive(Debug, Clone, PartialEq)]
pub enum DefenceKind {
    /// So much is taken off, never below zero.
    Subtract(Formula),
    /// So many times as much is left, rounded as halves are.
    Times(Expr, String),
    Half,
    Double,
    /// Nothing is left.
    None,
    /// Damage below this number does nothing.
    IgnoreUnder(Formula),
}

impl Defence {
    /// In a few words: "half, only fire".
    pub fn describe(&self) -> String {
        let types = |word: &str, all: &[String]| match all {
            [] => String::new(),
            all => format!(" {word} {}", all.join(" and ")),
        };
        let least = self.least.as_ref().map_or(String::new(), |own| format!(", at least {own} gets through"));
        let all = if self.for_all { " for all" } else { "" };
        format!("{}{}{}{all}{least}", self.does.describe(), types("from", &self.from), types("except", &self.except))
    }

    /// Whether it is about damage of this type.
    pub fn is_against(&self, kind: Option<&str>) -> bool {
        let is_one = |all: &[String]| kind.is_some_and(|kind| all.iter().any(|own| same(own, kind)));
        (self.from.is_empty() || is_one(&self.from)) && !is_one(&self.except)
    }

    /// The types of damage against which a name on a sheet counts here: cold for `Resistance (cold)`, none for all. `None` where
    /// the name means something else.
    pub fn on_sheet<'n>(&self, name: &'n str) -> Option<Vec<&'n str>> {
        if same(name, &self.name) {
            return Some(Vec::new());
        }
        let (noun, types) = by_type(name);
        (same(noun, &self.name) && !types.is_empty()).then_some(types)
    }
}

impl DefenceKind {
    /// As it is written.
    pub fn describe(&self) -> String {
        match self {
            Self::Subtract(amount) => format!("subtract {amount}"),
            Self::Times(_, text) => format!("times {text}"),
            Self::Half => "half".to_owned(),
            Self::Double => "double".to_owned(),
            Self::None => "none".to_owned(),
            Self::IgnoreUnder(amount) => format!("ignore under {amount}"),
        }
    }
}

/// A name on a sheet without the types of damage in brackets behind it, and these: `Resistance (fire, cold)`.
pub fn by_type(name: &str) -> (&str, Vec<&str>) {
    let name = name.trim();
    match name.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((noun, types)) => {
            let types = types.split(',').map(str::trim).filter(|own| !own.is_empty());
            (noun.trim_end(), types.collect())
        }
        None => (name, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_stand_in_brackets_behind_a_name() {
        for (name, noun, types) in [
            ("Resistance (fire, cold)", "Resistance", &["fire", "cold"][..]),
            ("Armour", "Armour", &[]),
            ("Fire resistance", "Fire resistance", &[]),
            ("Armour ()", "Armour", &[]),
        ] {
            assert_eq!(by_type(name), (noun, types.to_vec()), "{name}");
        }
    }
}
