//! The tree that a notation is read into.
//!
//! One tree serves expressions and formulas. The tree of an
//! [`Expression`](crate::dice::Expression) never holds a [`Variable`]: `parse` refuses them and
//! `bind` replaces them.

use crate::dice::compare::{ComparePoint, Comparison};
use crate::dice::die::Die;
use crate::dice::fraction::Fraction;
use crate::dice::span::Span;

/// Everything that one text asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Request {
    pub(crate) check: Check,
    /// How often the check is rolled, when the text says `repeat`.
    pub(crate) repeat: Option<u32>,
    /// What stands after `#`.
    pub(crate) comment: Option<String>,
}

/// An expression and what it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Check {
    pub(crate) node: Node,
    pub(crate) test: Option<Test>,
}

/// What a total is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    /// `vs 15`: at least.
    Versus(Node),
    /// `under 45`: at most.
    Under(Node),
    /// `>= 15`.
    Compare(Comparison, Node),
    /// `bands 7,10`: the lower ends of bands, rising.
    Bands(Vec<i64>),
}

/// One part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Number(Number),
    Variable(Box<Variable>),
    Dice(Box<Dice>),
    /// Two or more terms; the first is never subtracted.
    Sum(Vec<(Sign, Node)>),
    /// Two or more factors; the first is never a divisor.
    Product(Vec<(Factor, Node)>),
    Negative(Box<Node>),
    Call(Function, Vec<Node>, Span),
    Group(Box<Group>),
    Labelled(Box<Node>, Vec<String>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    Times,
    Divide,
    /// `//`: the quotient, floored.
    DivideFloor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Floor,
    Ceil,
    Round,
    Abs,
    Min,
    Max,
}

/// A number as written: `15`, or `1.5` as 15 with one decimal place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) scaled: i64,
    pub(crate) places: u8,
    pub(crate) span: Span,
}

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

/// Sub-totals that are kept, dropped, counted or added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) members: Vec<Node>,
    pub(crate) modifier: Option<Modifier>,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Highest,
    Lowest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Explosion {
    /// Each extra die stands by itself and may explode again.
    Each,
    /// One extra die, which does not explode.
    Once,
    /// Extra faces are added to the die.
    Compound,
}

/// What is done with dice after they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Modifier {
    pub(crate) kind: ModifierKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ModifierKind {
    Keep(End, Int),
    KeepWhere(ComparePoint),
    Drop(End, Int),
    DropWhere(ComparePoint),
    RerollOnce(ComparePoint),
    RerollUntil(ComparePoint),
    Explode {
        explosion: Explosion,
        /// Each extra die counts one less.
        penetrating: bool,
        /// `None`: on the highest face.
        point: Option<ComparePoint>,
    },
    Minimum(Int),
    Maximum(Int),
    Success(ComparePoint),
    Even,
    Odd,
    Failure(ComparePoint),
    Double(ComparePoint),
    /// Bonus dice, or penalty dice when negative, of a percentile die.
    Bonus(Int),
    Penalty(Int),
    Crit(ComparePoint),
    Fumble(ComparePoint),
    SortAscending,
    SortDescending,
}

/// The fixed stages in which modifiers act, whatever the written order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    Draw,
    Reroll,
    Explode,
    Clamp,
    Keep,
    Count,
    Show,
}

impl ModifierKind {
    pub(crate) fn stage(&self) -> Stage {
        match self {
            ModifierKind::Bonus(_) | ModifierKind::Penalty(_) => Stage::Draw,
            ModifierKind::RerollOnce(_) | ModifierKind::RerollUntil(_) => Stage::Reroll,
            ModifierKind::Explode { .. } => Stage::Explode,
            ModifierKind::Minimum(_) | ModifierKind::Maximum(_) => Stage::Clamp,
            ModifierKind::Keep(..)
            | ModifierKind::KeepWhere(_)
            | ModifierKind::Drop(..)
            | ModifierKind::DropWhere(_) => Stage::Keep,
            ModifierKind::Success(_)
            | ModifierKind::Even
            | ModifierKind::Odd
            | ModifierKind::Failure(_)
            | ModifierKind::Double(_) => Stage::Count,
            ModifierKind::Crit(_)
            | ModifierKind::Fumble(_)
            | ModifierKind::SortAscending
            | ModifierKind::SortDescending => Stage::Show,
        }
    }

    /// The modifier's integer, if it has one, for binding.
    pub(crate) fn int_mut(&mut self) -> Option<&mut Int> {
        match self {
            ModifierKind::Keep(_, int)
            | ModifierKind::Drop(_, int)
            | ModifierKind::Minimum(int)
            | ModifierKind::Maximum(int)
            | ModifierKind::Bonus(int)
            | ModifierKind::Penalty(int) => Some(int),
            ModifierKind::KeepWhere(point)
            | ModifierKind::DropWhere(point)
            | ModifierKind::RerollOnce(point)
            | ModifierKind::RerollUntil(point)
            | ModifierKind::Success(point)
            | ModifierKind::Failure(point)
            | ModifierKind::Double(point)
            | ModifierKind::Crit(point)
            | ModifierKind::Fumble(point) => Some(&mut point.value),
            ModifierKind::Explode { point, .. } => point.as_mut().map(|point| &mut point.value),
            ModifierKind::Even | ModifierKind::Odd | ModifierKind::SortAscending | ModifierKind::SortDescending => None,
        }
    }
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

impl Number {
    pub(crate) fn int(value: i64, span: Span) -> Self {
        Number { scaled: value, places: 0, span }
    }

    pub(crate) fn value(self) -> Fraction {
        if self.places == 0 {
            return Fraction::int(self.scaled);
        }
        let bottom = 10_i128.pow(u32::from(self.places));
        Fraction::new(i128::from(self.scaled), bottom).unwrap_or(Fraction::ZERO)
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

impl Function {
    pub(crate) const ALL: [Function; 6] =
        [Function::Floor, Function::Ceil, Function::Round, Function::Abs, Function::Min, Function::Max];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Function::Floor => "floor",
            Function::Ceil => "ceil",
            Function::Round => "round",
            Function::Abs => "abs",
            Function::Min => "min",
            Function::Max => "max",
        }
    }
}

impl Node {
    /// Where it stands in the text.
    pub(crate) fn span(&self) -> Span {
        fn cover<'a>(mut nodes: impl Iterator<Item = &'a Node>) -> Span {
            let first = nodes.next().map(Node::span).unwrap_or_default();
            nodes.fold(first, |span, node| span.to(node.span()))
        }
        match self {
            Node::Number(number) => number.span,
            Node::Variable(variable) => Span::new(variable.span.start, variable.span.end),
            Node::Dice(dice) => dice.span,
            Node::Sum(terms) => cover(terms.iter().map(|(_, node)| node)),
            Node::Product(factors) => cover(factors.iter().map(|(_, node)| node)),
            Node::Negative(node) | Node::Labelled(node, _) => node.span(),
            Node::Call(_, _, span) => *span,
            Node::Group(group) => group.span,
        }
    }

    /// Its direct parts, in the order in which they are rolled.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Node> {
        let terms: &[(Sign, Node)] = match self {
            Node::Sum(terms) => terms,
            _ => &[],
        };
        let factors: &[(Factor, Node)] = match self {
            Node::Product(factors) => factors,
            _ => &[],
        };
        let others = match self {
            Node::Call(_, nodes, _) => nodes.as_slice(),
            Node::Group(group) => group.members.as_slice(),
            Node::Negative(node) | Node::Labelled(node, _) => std::slice::from_ref(&**node),
            _ => &[],
        };
        let terms = terms.iter().map(|(_, node)| node);
        let factors = factors.iter().map(|(_, node)| node);
        terms.chain(factors).chain(others)
    }

    /// As [`Node::children`], to be changed.
    pub(crate) fn children_mut(&mut self) -> Vec<&mut Node> {
        match self {
            Node::Number(_) | Node::Variable(_) | Node::Dice(_) => Vec::new(),
            Node::Sum(terms) => terms.iter_mut().map(|(_, node)| node).collect(),
            Node::Product(factors) => factors.iter_mut().map(|(_, node)| node).collect(),
            Node::Negative(node) | Node::Labelled(node, _) => vec![node],
            Node::Call(_, nodes, _) => nodes.iter_mut().collect(),
            Node::Group(group) => group.members.iter_mut().collect(),
        }
    }

    /// Every dice term in it, in the order in which they are rolled.
    pub(crate) fn visit_dice<'a>(&'a self, visit: &mut dyn FnMut(&'a Dice)) {
        if let Node::Dice(dice) = self {
            visit(dice);
        }
        for child in self.children() {
            child.visit_dice(visit);
        }
    }

    /// As [`Node::visit_dice`], to be changed.
    pub(crate) fn visit_dice_mut(&mut self, visit: &mut dyn FnMut(&mut Dice)) {
        if let Node::Dice(dice) = self {
            visit(dice);
        }
        for child in self.children_mut() {
            child.visit_dice_mut(visit);
        }
    }
}

impl Test {
    /// The expression that the total is compared with, if it is one.
    pub(crate) fn node(&self) -> Option<&Node> {
        match self {
            Test::Versus(node) | Test::Under(node) | Test::Compare(_, node) => Some(node),
            Test::Bands(_) => None,
        }
    }

    pub(crate) fn node_mut(&mut self) -> Option<&mut Node> {
        match self {
            Test::Versus(node) | Test::Under(node) | Test::Compare(_, node) => Some(node),
            Test::Bands(_) => None,
        }
    }
}
