//! Which names and measures a check uses.

use std::borrow::Cow;
use std::collections::HashSet;

use super::check::Check;
use crate::grammar::line::Added;
use crate::language::dice::NamedDice;
use crate::language::health::{Start, Track};
use crate::language::number_table::Base;
use crate::language::skills::{DeclaredBy, Skill};
use crate::language::system::System;
use crate::when::facts::Succeed;
use crate::when::{Measure, NamedNumber, When, Word};
use rollbook_dice::{Expression, Formula, Variable, parse_formula};
use rollbook_text::diagnostic::{Place, Span};
use rollbook_text::names::{fold, same};

impl Check {
    /// Whether one of its expressions or conditions names this folded variable.
    pub fn names(&self, name: &str) -> bool {
        self.names_beside_target(name) || self.names_in_target(name)
    }

    /// Whether its Target names this folded variable.
    pub fn names_in_target(&self, name: &str) -> bool {
        self.target
            .iter()
            .flat_map(Formula::variables)
            .any(|variable| same(&variable.name, name))
    }

    /// Whether anything but its Target names this folded variable: the dice, a condition, a value.
    pub fn names_beside_target(&self, name: &str) -> bool {
        let is_it = |variable: Variable| same(&variable.name, name);
        self.formulas_beside_target()
            .flat_map(Formula::variables)
            .any(is_it)
            || self
                .asked_variables()
                .any(|(variable, _)| same(&variable, name))
    }

    /// The roll in words: "Strike (System.md:89) rolls 1d20 + {modifier} against {armour class}".
    pub fn render_roll(&self) -> String {
        let against = self
            .target
            .as_ref()
            .map_or(String::new(), |target| format!(" against {target}"));
        format!(
            "{} ({}) rolls {}{against}",
            self.name, self.place, self.roll
        )
    }

    /// Every variable that it names, each once, as the author writes it.
    pub fn variables(&self) -> Vec<String> {
        let mut all = self.variables_beside_target();
        all.extend(self.target.iter().flat_map(variable_names));
        each_once(all)
    }

    /// The same without those that only its Target names.
    pub(crate) fn variables_beside_target(&self) -> Vec<String> {
        let formulas = self.formulas_beside_target();
        let mut all: Vec<String> = formulas.flat_map(variable_names).collect();
        all.extend(self.asked_variables().map(|(name, _)| name.into_owned()));
        each_once(all)
    }

    fn formulas_beside_target(&self) -> impl Iterator<Item = &Formula> {
        let clauses = [&self.no_dice, &self.opposing].into_iter().flatten();
        let swaps = [&self.advantage, &self.disadvantage]
            .into_iter()
            .flatten()
            .filter_map(Added::dice);
        std::iter::once(&self.roll)
            .chain(clauses.map(|clause| &clause.what))
            .chain(swaps)
    }

    /// The labels of the dice that it may roll, as the author writes them.
    pub fn groups(&self) -> Vec<String> {
        let rolls =
            std::iter::once(&self.roll).chain(self.no_dice.as_ref().map(|clause| &clause.what));
        each_once(rolls.flat_map(Formula::labels).collect())
    }

    /// Whether a number added to the result, or to a target where low is good, can change the
    /// outcome: not where the table measures single dice. Without one the GM goes by the result.
    pub fn uses_result(&self) -> bool {
        let result = self.result.as_ref().map(NamedNumber::measures);
        let by_result =
            result.is_none_or(|all| all.iter().any(|measure| measure.is_one_of(&[Word::Total])));
        let moved = |measure: &&Measure| {
            (by_result && measure.is_one_of(&[Word::Total, Word::Margin, Word::Beaten]))
                || (measure.is_one_of(&[Word::Successes]) && measure.label.is_none())
                || (measure.is_one_of(&[Word::Target]) && self.succeed == Succeed::AtMost)
        };
        self.rows.is_empty()
            || self
                .conditions()
                .any(|when| when.measures().iter().any(moved))
            || self
                .values
                .iter()
                .any(|value| value.measures().iter().any(moved))
    }

    /// Adds a value for each symbol on its dice, in the author's order, and the pairs that cancel.
    pub(crate) fn count_symbols(&mut self, dice: &NamedDice) {
        let mut letters: Vec<char> = self.roll.symbols().into_iter().collect();
        let declared = |letter: &char| {
            dice.symbols
                .iter()
                .position(|symbol| symbol.letter == *letter)
        };
        letters.sort_by_key(|letter| declared(letter).unwrap_or(usize::MAX));
        for letter in letters {
            let declared = dice.symbols.iter().find(|symbol| symbol.letter == letter);
            let place = declared.map_or_else(|| self.place.clone(), |symbol| symbol.place.clone());
            self.values
                .push(NamedNumber::of_symbol(letter, dice.name_of(letter), place));
        }
        self.cancels.clone_from(&dice.cancels);
    }

    /// A check that rolls these dice and counts their symbols. None for compared or repeated dice.
    pub fn for_symbols(expression: &Expression, dice: &NamedDice) -> Option<Check> {
        if expression.is_compared() {
            return None;
        }
        let roll = parse_formula(expression.as_str()).ok()?;
        let mut check = Check::new("Dice", roll, Place::default(), Span::default());
        check.count_symbols(dice);
        Some(check)
    }

    /// A value of the author replaces the symbol of the same name.
    pub(crate) fn drop_replaced_symbols(&mut self) {
        let written: Vec<String> = self
            .values
            .iter()
            .filter(|value| value.symbol.is_none())
            .map(|value| value.name.clone())
            .collect();
        self.values
            .retain(|value| value.symbol.is_none() || !written.iter().any(|name| value.is(name)));
    }

    /// The conditions of its rows and flags.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &When> {
        self.rows
            .iter()
            .map(|row| &row.when)
            .chain(self.flags.iter().map(|flag| &flag.when))
    }

    /// The default of a name in its Roll or Target.
    pub(crate) fn default_of(&self, name: &str) -> Option<i64> {
        let variables = std::iter::once(&self.roll)
            .chain(&self.target)
            .flat_map(Formula::variables);
        variables
            .filter(|variable| same(&variable.name, name))
            .find_map(|variable| variable.default)
    }

    /// The variables in its conditions, values and costs, each with its default.
    pub(crate) fn asked_variables(&self) -> impl Iterator<Item = (Cow<'_, str>, Option<i64>)> {
        let counted = self.count.iter().flat_map(|count| count.named());
        let prices = self
            .costs
            .iter()
            .map(|cost| &cost.amount)
            .chain(&self.result);
        self.conditions().flat_map(When::variables).chain(
            self.values
                .iter()
                .chain(prices)
                .chain(counted)
                .flat_map(NamedNumber::variables),
        )
    }
}

impl Track {
    /// The variables of its ends and start, each once, as the author writes them.
    pub fn variables(&self) -> Vec<String> {
        let start = match &self.start {
            Start::At(formula) => Some(formula),
            Start::Full | Start::Empty => None,
        };
        let variables = self
            .max
            .iter()
            .chain([&self.min])
            .chain(start)
            .flat_map(Formula::variables);
        each_once(
            variables
                .filter(|variable| variable.default.is_none())
                .map(|variable| variable.name)
                .collect(),
        )
    }
}

impl System {
    /// The skills that one may roll with: no classes, nor columns of tables used by name.
    pub fn rolled_skills(&self) -> impl Iterator<Item = &Skill> {
        let mut used: Vec<String> = self.checks.iter().flat_map(Check::variables).collect();
        used.extend(self.tracks.iter().flat_map(Track::variables));
        used.extend(
            self.initiative
                .formula()
                .into_iter()
                .flat_map(variable_names),
        );
        let bases = self.skills.iter().filter_map(|skill| skill.base.as_ref());
        used.extend(bases.map(Base::formula).flat_map(variable_names));
        let used: HashSet<String> = used.iter().map(|name| fold(name)).collect();
        self.skills.iter().filter(move |skill| match skill.by {
            DeclaredBy::List => true,
            DeclaredBy::Column => !used.contains(&fold(&skill.name)),
            DeclaredBy::Kind => false,
        })
    }
}

fn variable_names(formula: &Formula) -> Vec<String> {
    formula
        .variables()
        .iter()
        .map(|variable| variable.name.clone())
        .collect()
}

fn each_once(names: Vec<String>) -> Vec<String> {
    let mut once: Vec<String> = Vec::new();
    for name in names {
        if !once.iter().any(|known| same(known, &name)) {
            once.push(name);
        }
    }
    once
}
