//! The tree that a notation is read into.
//!
//! One tree serves expressions and formulas. The tree of an [`Expression`](crate::Expression) never
//! holds a [`Variable`]: `parse` refuses them and `bind` replaces them.

use crate::compare::{Comparison, Int, Variable};
use crate::die::Die;
use crate::fraction::Fraction;
use crate::modifiers::bonus::Tens;
use crate::modifiers::explode::Explode;
use crate::modifiers::unique::Unique;
use crate::modifiers::{self, Listed, Modifier, Stage};
use crate::text::Span;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Request {
    pub(crate) check: Check,
    /// How often the check is rolled, when the text says `repeat`.
    pub(crate) repeat: Option<u32>,
    /// What is after `#`.
    pub(crate) comment: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Check {
    pub(crate) node: Node,
    pub(crate) test: Option<Test>,
}

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

/// A function of values, in notation and in rules. True is 1, false 0; what is not 0 is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Down to a whole number.
    Floor,
    /// Up to a whole number.
    Ceil,
    /// To the nearest whole number, halves upward.
    Round,
    /// Without the sign.
    Abs,
    /// The least of its arguments.
    Min,
    /// The greatest of its arguments.
    Max,
    /// What is left of the first when the second is taken from it as often as it goes; of the
    /// second's sign.
    Mod,
    /// The second where the first is true, else the third.
    If,
    /// `not a`.
    Not,
    /// `a and b`.
    And,
    /// `a or b`.
    Or,
    /// `a > b`.
    Compare(Comparison),
}

/// A number as written: `15`, or `1.5` as 15 with one decimal place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) scaled: i64,
    pub(crate) places: u8,
    pub(crate) span: Span,
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
    /// Of as many sides as variables say.
    Open(Int),
}

/// Sub-totals that are kept, dropped, counted or added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) members: Vec<Node>,
    pub(crate) modifier: Option<Modifier>,
    pub(crate) span: Span,
}

/// What one term of a roll takes of a deck.
#[derive(Clone, Debug)]
pub struct Hand<'d> {
    pub deck: &'d Die,
    /// Which draw of the roll its first card is, from 0, where no die is rolled again.
    pub first: usize,
    /// How many cards it takes.
    pub count: usize,
    /// Those of them that it holds from an earlier roll and does not draw.
    pub held: Vec<i64>,
}

impl Request {
    /// Whether its result is how many of its repeated checks succeed.
    pub(crate) fn counts_checks(&self) -> bool {
        self.repeat.is_some()
            && self
                .check
                .test
                .as_ref()
                .is_some_and(|test| test.node().is_some())
    }
}

impl Check {
    /// Every dice term in it, in the order in which they are rolled; those of its target last.
    pub(crate) fn visit_dice<'a>(&'a self, visit: &mut dyn FnMut(&'a Dice)) {
        self.node.visit_dice(visit);
        if let Some(target) = self.test.as_ref().and_then(Test::node) {
            target.visit_dice(visit);
        }
    }

    /// Every term that draws from a deck, of which nothing falls twice, and how much the terms
    /// before it draw from the same.
    pub(crate) fn draws(&self) -> Vec<(&Dice, i64)> {
        let mut terms: Vec<(&Dice, i64)> = Vec::new();
        self.visit_dice(&mut |dice| {
            if dice.is_unique() {
                let last = terms
                    .iter()
                    .rev()
                    .find(|(term, _)| term.die() == dice.die());
                terms.push((
                    dice,
                    last.map_or(0, |(term, before)| before.saturating_add(term.count())),
                ));
            }
        });
        terms
    }

    /// What each term takes of a deck.
    pub(crate) fn hands(&self) -> Vec<Hand<'_>> {
        let (mut hands, mut first) = (Vec::new(), 0_usize);
        self.visit_dice(&mut |dice| {
            let count = usize::try_from(dice.count()).unwrap_or(0);
            if dice.is_unique() {
                hands.push(Hand {
                    deck: dice.die(),
                    first,
                    count,
                    held: Vec::new(),
                });
            }
            // A percentile die with more tens is drawn digit by digit.
            let tens = usize::try_from(dice.bonus().unsigned_abs()).unwrap_or(0);
            first += count * if tens == 0 { 1 } else { tens + 2 };
        });
        hands
    }

    /// Whether several terms draw from one deck.
    pub(crate) fn shares_a_deck(&self) -> bool {
        self.draws().iter().any(|(_, before)| *before > 0)
    }
}

impl Number {
    pub(crate) fn int(value: i64, span: Span) -> Self {
        Number {
            scaled: value,
            places: 0,
            span,
        }
    }

    pub(crate) fn value(self) -> Fraction {
        let bottom = 10_i128.pow(u32::from(self.places));
        Fraction::new(i128::from(self.scaled), bottom).unwrap_or(Fraction::ZERO)
    }
}

impl Function {
    /// Those that are called by a name before brackets.
    pub const NAMED: [Function; 8] = [
        Function::Floor,
        Function::Ceil,
        Function::Round,
        Function::Abs,
        Function::Min,
        Function::Max,
        Function::Mod,
        Function::If,
    ];

    /// Its name, or the sign or word between its arguments.
    pub fn as_str(self) -> &'static str {
        match self {
            Function::Floor => "floor",
            Function::Ceil => "ceil",
            Function::Round => "round",
            Function::Abs => "abs",
            Function::Min => "min",
            Function::Max => "max",
            Function::Mod => "mod",
            Function::If => "if",
            Function::Not => "not",
            Function::And => "and",
            Function::Or => "or",
            Function::Compare(comparison) => comparison.as_str(),
        }
    }

    /// How tightly it binds what is around it; none of what is called by a name.
    pub(crate) fn binds(self) -> Option<u8> {
        match self {
            Function::Or => Some(1),
            Function::And => Some(2),
            Function::Not | Function::Compare(_) => Some(3),
            _ => None,
        }
    }

    /// Whether it takes so many arguments.
    pub fn takes(self, count: usize) -> bool {
        match self {
            Function::Floor | Function::Ceil | Function::Round | Function::Abs | Function::Not => {
                count == 1
            }
            Function::Min | Function::Max | Function::And | Function::Or => count >= 2,
            Function::Mod | Function::Compare(_) => count == 2,
            Function::If => count == 3,
        }
    }
}

impl Node {
    pub(crate) fn span(&self) -> Span {
        fn cover<'a>(mut nodes: impl Iterator<Item = &'a Node>) -> Span {
            let first = nodes.next().map(Node::span).unwrap_or_default();
            nodes.fold(first, |span, node| span.to(node.span()))
        }
        match self {
            Node::Number(number) => number.span,
            Node::Variable(variable) => variable.place(),
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
        let mut terms: &[(Sign, Node)] = &[];
        let mut factors: &[(Factor, Node)] = &[];
        let mut others: &[Node] = &[];
        match self {
            Node::Number(_) | Node::Variable(_) | Node::Dice(_) => {}
            Node::Sum(nodes) => terms = nodes,
            Node::Product(nodes) => factors = nodes,
            Node::Call(_, nodes, _) => others = nodes,
            Node::Group(group) => others = &group.members,
            Node::Negative(node) | Node::Labelled(node, _) => others = std::slice::from_ref(node),
        }
        let terms = terms.iter().map(|(_, node)| node);
        terms
            .chain(factors.iter().map(|(_, node)| node))
            .chain(others)
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

    /// Whether it or a part of it is wanted.
    pub(crate) fn any(&self, is_wanted: &dyn Fn(&Node) -> bool) -> bool {
        is_wanted(self) || self.children().any(|child| child.any(is_wanted))
    }

    pub(crate) fn has_dice(&self) -> bool {
        self.any(&|node| matches!(node, Node::Dice(_)))
    }

    /// It and all its parts, in the order in which they are rolled.
    pub(crate) fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        visit(self);
        self.children().for_each(|child| child.visit(visit));
    }

    /// Every dice term in it, in the order in which they are rolled.
    pub(crate) fn visit_dice<'a>(&'a self, visit: &mut dyn FnMut(&'a Dice)) {
        self.visit(&mut |node| {
            if let Node::Dice(dice) = node {
                visit(dice);
            }
        });
    }

    /// The first dice term in it.
    pub(crate) fn first_dice(&self) -> Option<&Dice> {
        if let Node::Dice(dice) = self {
            Some(dice)
        } else {
            self.children().find_map(Node::first_dice)
        }
    }

    pub(crate) fn labels(&self) -> Vec<String> {
        let mut labels: Vec<String> = Vec::new();
        self.visit(&mut |node| {
            let Node::Labelled(_, here) = node else {
                return;
            };
            let new: Vec<String> = here
                .iter()
                .filter(|label| !labels.contains(label))
                .cloned()
                .collect();
            labels.extend(new);
        });
        labels
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
    /// `vs`, `under`, a comparison sign or `bands`.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            Test::Versus(_) => "vs",
            Test::Under(_) => "under",
            Test::Compare(comparison, _) => comparison.as_str(),
            Test::Bands(_) => "bands",
        }
    }

    /// How the total must compare with the target; none of bands.
    pub(crate) fn comparison(&self) -> Option<(Comparison, &Node)> {
        match self {
            Test::Versus(node) => Some((Comparison::AtLeast, node)),
            Test::Under(node) => Some((Comparison::AtMost, node)),
            Test::Compare(comparison, node) => Some((*comparison, node)),
            Test::Bands(_) => None,
        }
    }

    /// The expression that the total is compared with, if it is one.
    pub(crate) fn node(&self) -> Option<&Node> {
        self.comparison().map(|(_, node)| node)
    }

    pub(crate) fn node_mut(&mut self) -> Option<&mut Node> {
        match self {
            Test::Versus(node) | Test::Under(node) | Test::Compare(_, node) => Some(node),
            Test::Bands(_) => None,
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
            DieSlot::Open(_) => NONE,
        }
    }

    /// Bonus tens dice (positive) or penalty tens dice (negative) of a percentile die.
    pub(crate) fn bonus(&self) -> i64 {
        self.each::<Tens>().map(Tens::signed).sum()
    }

    pub(crate) fn is_unique(&self) -> bool {
        self.each::<Unique>().next().is_some()
    }

    pub(crate) fn each<R: Listed>(&self) -> impl DoubleEndedIterator<Item = &R> + Clone {
        modifiers::each(&self.modifiers)
    }

    /// How its dice explode. Where several faces do, they all do it in the same way.
    pub(crate) fn explosion(&self) -> Option<&Explode> {
        self.each().next()
    }

    pub(crate) fn counts(&self) -> bool {
        self.has(Stage::Count)
    }

    pub(crate) fn has(&self, stage: Stage) -> bool {
        self.modifiers
            .iter()
            .any(|modifier| modifier.kind.stage() == stage)
    }
}
