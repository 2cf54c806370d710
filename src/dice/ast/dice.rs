//! Dice terms, and the integers in them that a formula may leave open.

use crate::dice::ast::{Modifier, ModifierKind, Node, Stage};
use crate::dice::die::Die;
use crate::dice::span::Span;

/// An integer that a formula may leave to a variable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Int {
    Literal(i64),
    Variable(Box<Variable>),
}

/// `{name}` or `{name=0}` in a formula.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name between the braces, trimmed, as written.
    pub name: String,
    /// The value when nothing else gives one.
    pub default: Option<i64>,
    /// The bytes of the formula where it stands, braces included.
    pub span: std::ops::Range<usize>,
}

impl PartialEq for Variable {
    /// By name and default; where it stands does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.default == other.default
    }
}

/// A dice term with its modifiers in written order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dice {
    pub(crate) count: Count,
    pub(crate) die: DieSlot,
    pub(crate) modifiers: Vec<Modifier>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Count {
    Int(Int),
    /// `({attribute} + {skill})d6`: constant once its variables are bound.
    Computed(Box<Node>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DieSlot {
    Fixed(Die),
    Variable(Box<Variable>),
}

impl Int {
    /// The value. An expression holds literals only (see the module's words), so the zero that
    /// stands for an unbound variable is never seen.
    pub(crate) fn get(&self) -> i64 {
        match self {
            Int::Literal(value) => *value,
            Int::Variable(_) => 0,
        }
    }
}

impl Dice {
    /// How many dice are asked for, before explosions.
    pub(crate) fn count(&self) -> i64 {
        match &self.count {
            Count::Int(int) => int.get(),
            Count::Computed(_) => 0,
        }
    }

    /// The die. As with [`Int::get`], an expression never holds a variable here.
    pub(crate) fn die(&self) -> &Die {
        const NONE: &Die = &Die::Sides(0);
        match &self.die {
            DieSlot::Fixed(die) => die,
            DieSlot::Variable(_) => NONE,
        }
    }

    /// Bonus tens dice (positive) or penalty tens dice (negative) of a percentile die.
    pub(crate) fn bonus(&self) -> i64 {
        self.modifiers
            .iter()
            .map(|modifier| match &modifier.kind {
                ModifierKind::Bonus(int) => int.get(),
                ModifierKind::Penalty(int) => -int.get(),
                _ => 0,
            })
            .sum()
    }

    /// Whether its result is a number of successes.
    pub(crate) fn counts(&self) -> bool {
        self.modifiers.iter().any(|modifier| modifier.kind.stage() == Stage::Count)
    }
}
