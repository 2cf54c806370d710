//! What stands before the `d`: how many dice, written or worked out.
//!
//! Apart from the term, because a count is also looked at when variables are bound.

use crate::compare::{Computed, Int, Variable};
use crate::error::{Code, DiceError};
use crate::expression::print::print_node;
use crate::expression::tree::{Count, Node};
use crate::notation::parse::{Dialect, LIMITS, Parser};
use crate::roll::constant;
use crate::text::Span;

impl Parser<'_> {
    /// `(2+1)d6`: the count is worked out now, or when variables are bound.
    pub(super) fn computed_count(&mut self, node: Node, start: usize) -> Result<Node, DiceError> {
        let span = self.cursor.since(start);
        if node.has_dice() {
            return Err(rolled(span));
        }
        if self.dialect == Dialect::Formula && has_variable(&node) {
            return self.dice(Count::Computed(Box::new(node)), start);
        }
        let count = whole_count(&node, span)?;
        self.dice(Count::Int(Int::Literal(count)), start)
    }
}

impl Parser<'_> {
    /// `({rank} + 1)`, where a number stands: worked out now, or when variables are bound.
    pub(super) fn computed_int(&mut self) -> Result<Int, DiceError> {
        let start = self.cursor.at();
        self.cursor.bump();
        let node = self.nested(Self::truth)?;
        self.expect(b')', "a closing parenthesis", "4d6kh(1 + 2)")?;
        let span = self.cursor.since(start);
        if node.has_dice() {
            return Err(rolled(span));
        }
        if !has_variable(&node) {
            return whole_count(&node, span).map(Int::Literal);
        }
        let mut text = String::new();
        print_node(&mut text, &node);
        let mut variables = Vec::new();
        collect(&node, &mut variables);
        Ok(Int::Computed(Box::new(Computed { text, variables, span: span.range() })))
    }
}

/// The refusal of a number in a dice term that would have to be rolled first.
fn rolled(span: Span) -> DiceError {
    let message = "The number of dice cannot itself be rolled.";
    let hint = "Roll the number first, then write it.";
    DiceError::new(Code::InvalidDie, span, message, hint, "(2 + 1)d6")
}

/// The variables of a node without dice.
fn collect(node: &Node, all: &mut Vec<Variable>) {
    if let Node::Variable(variable) = node {
        all.push(Variable::clone(variable));
    }
    node.children().for_each(|child| collect(child, all));
}

fn has_variable(node: &Node) -> bool {
    matches!(node, Node::Variable(_)) || node.children().any(has_variable)
}

/// The whole number that a constant count comes to.
pub(crate) fn whole_count(node: &Node, span: Span) -> Result<i64, DiceError> {
    let value = constant(node)?;
    value.whole().ok_or_else(|| {
        let message = format!("A number of dice, of sides, or of what is kept is whole, not {value}.");
        let hint = "Round it with floor( ) or ceil( ).";
        DiceError::new(Code::InvalidDie, span, message, hint, "(floor(5 / 2))d6")
    })
}

/// Refuses no dice, fewer than none, and too many.
pub(crate) fn check_count(count: i64, span: Span) -> Result<(), DiceError> {
    if count < 1 {
        let message = format!("There is no roll of {count} dice.");
        let hint = "Write how many dice before the d: at least 1.";
        return Err(DiceError::new(Code::InvalidDie, span, message, hint, "2d6"));
    }
    match u64::try_from(count) {
        Ok(count) if count <= LIMITS.dice => Ok(()),
        _ => Err(DiceError::limit("dice", LIMITS.dice, span, "100d6")),
    }
}
