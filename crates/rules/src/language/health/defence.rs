//! Defences change damage before it reaches a track.

use crate::grammar::line;
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Place;
use rollbook_text::names::same;

/// A line that changes damage. The system's list is in the order of application.
#[derive(Debug, Clone, PartialEq)]
pub struct Defence {
    pub rule: line::Defence<Formula>,
    pub place: Place,
}

impl Defence {
    /// Whether it affects damage of this type.
    pub fn is_against(&self, kind: Option<&str>) -> bool {
        let is_one = |all: &[String]| {
            kind.is_some_and(|kind| all.iter().any(|excluded| same(excluded, kind)))
        };
        let line::Defence { from, except, .. } = &self.rule;
        (from.is_empty() || is_one(from)) && !is_one(except)
    }

    /// Whether a name on a sheet is this defence against a type of damage: `Resistance (cold)`,
    /// `Resistance (except fire)`, or one without brackets against all.
    pub fn covers(&self, name: &str, kind: Option<&str>) -> bool {
        let but = name
            .split_once('(')
            .is_some_and(|(_, inner)| inner.trim_start().starts_with(EXCEPT));
        self.on_sheet(name).is_some_and(|types| {
            let is_one = kind.is_some_and(|kind| types.iter().any(|one| same(one, kind)));
            types.is_empty() || is_one != but
        })
    }

    /// The types of damage that a name on a sheet has with this defence: cold for
    /// `Resistance (cold)`, none for all. `None` for other names.
    pub fn on_sheet<'n>(&self, name: &'n str) -> Option<Vec<&'n str>> {
        if same(name, &self.rule.name) {
            return Some(Vec::new());
        }
        let (noun, types) = name_and_types(name);
        (same(noun, &self.rule.name) && !types.is_empty()).then_some(types)
    }
}

/// Before types on a sheet: against all damage but these.
pub const EXCEPT: &str = "except ";

/// A name on a sheet and the types of damage in its brackets: `Resistance (fire, cold)`.
pub fn name_and_types(name: &str) -> (&str, Vec<&str>) {
    let name = name.trim();
    match name.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((noun, types)) => {
            let types = types.trim_start();
            let types = types
                .strip_prefix(EXCEPT)
                .unwrap_or(types)
                .split(',')
                .map(str::trim)
                .filter(|kind| !kind.is_empty());
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
            (
                "Resistance (fire, cold)",
                "Resistance",
                &["fire", "cold"][..],
            ),
            ("Resistance (except fire)", "Resistance", &["fire"]),
            ("Armour", "Armour", &[]),
            ("Fire resistance", "Fire resistance", &[]),
            ("Armour ()", "Armour", &[]),
        ] {
            assert_eq!(name_and_types(name), (noun, types.to_vec()), "{name}");
        }
    }
}
