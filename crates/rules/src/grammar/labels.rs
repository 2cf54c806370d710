//! Every label of the language: for the readers, the suggestions and the list in the grammar.

use super::again::again;
use super::condition::condition;
use super::cursor::Cursor;
use super::effect::{Rest, effects};
use super::expr::{in_code, range, two_numbers};
use super::line::{AdvancementLine, CheckLine, DiceLine, Line, ScoreLine, When};
use super::names::Thing;
use super::opposed::opposed;
use super::read::{ValueReader, advancement, checks, combat, dice, health, scores};
use crate::section::SectionKind;

use Read::{Label as ByLabel, Named, Value};
use SectionKind::{Advancement, Attributes, Checks, Clocks, Combat, Company, Dice, Health, Skills};

/// A bullet `- LABEL: value` that a section knows.
pub struct Label {
    pub section: SectionKind,
    pub words: &'static str,
    /// Reads the value, and what follows the words.
    pub(crate) read: Read,
}

/// Readers of values, by what may follow the label's words.
#[derive(Clone, Copy)]
pub(crate) enum Read {
    /// Nothing.
    Value(fn(&mut Cursor<'_>) -> Option<Line>),
    /// A name that it declares as this: `Value price`.
    Named(Thing, fn(&mut Cursor<'_>, String) -> Option<Line>),
    /// A rule, which is read first and gives the reader of the value: `At 5 Stress`.
    Label(fn(&mut Cursor<'_>) -> Option<ValueReader>),
}

/// What follows its comma is for people.
pub(crate) const STARTING_VALUES: &str = "Starting values";

const fn label(section: SectionKind, words: &'static str, read: Read) -> Label {
    Label {
        section,
        words,
        read,
    }
}

/// All of them, section by section, in the order in which they are shown.
pub const LABELS: &[Label] = &[
    label(Dice, "Dice", Value(dice::sizes)),
    label(
        Dice,
        "Dice chain",
        Value(|at| dice::steps(at).map(DiceLine::Chain).map(Line::Dice)),
    ),
    label(Dice, "Die", Named(Thing::Die, dice::die)),
    label(Dice, "Deck", Named(Thing::Die, dice::deck)),
    label(Dice, "Symbol", Named(Thing::Symbol, dice::symbol)),
    label(Dice, "Cancel", Value(dice::cancel)),
    label(
        Dice,
        "Difficulty",
        Named(Thing::Difficulty, dice::difficulty),
    ),
    label(
        Dice,
        "Advantage",
        Value(|at| {
            dice::added(at, false)
                .map(DiceLine::Advantage)
                .map(Line::Dice)
        }),
    ),
    label(
        Dice,
        "Disadvantage",
        Value(|at| {
            dice::added(at, false)
                .map(DiceLine::Disadvantage)
                .map(Line::Dice)
        }),
    ),
    label(Dice, "Visibility", Value(dice::visibility)),
    label(
        Attributes,
        "Range",
        Value(|at| two_numbers(at).map(ScoreLine::Range).map(Line::Scores)),
    ),
    label(Attributes, STARTING_VALUES, Value(scores::starting_values)),
    label(
        Attributes,
        "Modifier",
        Value(|at| in_code(at).map(ScoreLine::Modifier).map(Line::Scores)),
    ),
    label(
        Skills,
        "Range",
        Value(|at| two_numbers(at).map(ScoreLine::Range).map(Line::Scores)),
    ),
    label(
        Checks,
        "Roll",
        Value(|at| in_code(at).map(CheckLine::Roll).map(Line::Check)),
    ),
    label(Checks, "Target", Value(checks::target)),
    label(
        Checks,
        "Result",
        Value(|at| in_code(at).map(CheckLine::Result).map(Line::Check)),
    ),
    label(Checks, "Count", Value(checks::count)),
    label(
        Checks,
        "With no dice",
        Value(|at| in_code(at).map(CheckLine::WithNoDice).map(Line::Check)),
    ),
    label(
        Checks,
        "Opposing dice",
        Value(|at| in_code(at).map(CheckLine::OpposingDice).map(Line::Check)),
    ),
    label(
        Checks,
        "Asks",
        Value(|at| at.list(checks::ask).map(CheckLine::Asks).map(Line::Check)),
    ),
    label(Checks, "For", Value(checks::for_whom)),
    label(
        Checks,
        "While",
        Value(|at| condition(at).map(CheckLine::While).map(Line::Check)),
    ),
    label(
        Checks,
        "Costs",
        Value(|at| effects(at).map(CheckLine::Costs).map(Line::Check)),
    ),
    label(
        Checks,
        "Value",
        Named(Thing::Value, |at, name| {
            in_code(at).map(|is| Line::Check(CheckLine::Value { name, is }))
        }),
    ),
    label(Checks, "Flag", Named(Thing::Flag, checks::flag)),
    label(
        Checks,
        "Again",
        Named(Thing::Again, |at, name| {
            again(at, name).map(CheckLine::Again).map(Line::Check)
        }),
    ),
    label(Checks, "On natural", ByLabel(checks::on_natural)),
    label(
        Checks,
        "Opposed",
        Value(|at| opposed(at).map(CheckLine::Opposed).map(Line::Check)),
    ),
    label(
        Checks,
        "Advantage",
        Value(|at| {
            dice::added(at, true)
                .map(CheckLine::Advantage)
                .map(Line::Check)
        }),
    ),
    label(
        Checks,
        "Disadvantage",
        Value(|at| {
            dice::added(at, true)
                .map(CheckLine::Disadvantage)
                .map(Line::Check)
        }),
    ),
    label(
        Checks,
        "Dice chain",
        Value(|at| dice::steps(at).map(CheckLine::Chain).map(Line::Check)),
    ),
    label(Health, "Damage types", Value(health::damage_types)),
    label(Health, "Damage", ByLabel(health::damage)),
    label(Health, "Halving", Value(health::halving)),
    label(
        Health,
        "One hit",
        ByLabel(|at| range(at).map(When::OneHit).map(health::trigger)),
    ),
    label(
        Health,
        "Left over",
        ByLabel(|at| range(at).map(When::LeftOver).map(health::trigger)),
    ),
    label(Health, "Damage at", ByLabel(health::damage_at)),
    label(
        Health,
        "Not soaked",
        Value(|at| health::trigger(When::NotSoaked)(at)),
    ),
    label(Health, "At", ByLabel(health::at_range)),
    label(
        Health,
        "When",
        ByLabel(|at| condition(at).map(When::Holds).map(health::trigger)),
    ),
    label(
        Health,
        "Short rest",
        Value(|at| health::trigger(When::Rest(Rest::Short))(at)),
    ),
    label(
        Health,
        "Long rest",
        Value(|at| health::trigger(When::Rest(Rest::Long))(at)),
    ),
    label(
        Health,
        "Breather",
        Value(|at| health::trigger(When::Rest(Rest::Breather))(at)),
    ),
    label(Health, "End of", ByLabel(health::end_of)),
    label(Health, "Each", ByLabel(health::each)),
    label(Company, "At", ByLabel(health::at_range)),
    label(Company, "End of", ByLabel(health::end_of)),
    label(Company, "Each", ByLabel(health::each)),
    label(Clocks, "At", ByLabel(health::at_range)),
    label(Clocks, "End of", ByLabel(health::end_of)),
    label(Clocks, "Each", ByLabel(health::each)),
    label(Combat, "Combat", Value(combat::fights)),
    label(Combat, "Initiative", Value(combat::initiative)),
    label(Combat, "Ties", Value(combat::ties)),
    label(Combat, "Round", Value(combat::round)),
    label(Combat, "Held effects", Value(combat::held_effects)),
    label(Advancement, "Level up at", Value(advancement::level_up_at)),
    label(Advancement, "Tick", Value(advancement::tick)),
    label(
        Advancement,
        "Each tick",
        Value(|at| {
            effects(at)
                .map(AdvancementLine::EachTick)
                .map(Line::Advancement)
        }),
    ),
];

/// The labels of a section.
pub fn labels_of(section: SectionKind) -> impl Iterator<Item = &'static Label> {
    LABELS.iter().filter(move |label| label.section == section)
}
