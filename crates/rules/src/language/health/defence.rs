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

    /// The types of damage against which a name on a sheet has this defence: cold for
    /// `Resistance (cold)`, none for all. `None` for other names.
    pub fn on_sheet<'n>(&self, name: &'n str) -> Option<Vec<&'n str>> {
        if same(name, &self.rule.name) {
            return Some(Vec::new());
        }
        let (noun, types) = name_and_types(name);
        (same(noun, &self.rule.name) && !types.is_empty()).then_some(types)
    }
}

/// A name on a sheet and the types of damage in its brackets: `Resistance (fire, cold)`.
pub fn name_and_types(name: &str) -> (&str, Vec<&str>) {
    let name = name.trim();
    match name.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((noun, types)) => {
            let types = types
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
            ("Armour", "Armour", &[]),
            ("Fire resistance", "Fire resistance", &[]),
            ("Armour ()", "Armour", &[]),
        ] {
            assert_eq!(name_and_types(name), (noun, types.to_vec()), "{name}");
        }
    }
}
