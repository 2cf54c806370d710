//! Formulas: expressions with variables, as rules write them.

use crate::compare::{Int, Variable};
use crate::die::Die;
use crate::error::DiceError;
use crate::expression::Expression;
use crate::expression::print::print_request;
use crate::expression::tree::{Count, Dice, DieSlot, Function, Node, Number, Request, Sign, Test};
use crate::modifiers::{Modifier, Stage};
use crate::notation::binder::{Binder, Bound};
use crate::notation::parse::{self, Dialect};
use crate::notation::suggestions;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

/// An expression that may name variables: `1d20 + {modifier}`, `{rating}d6kh1`, `1d{trait}!`.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    request: Request,
}

/// Why a formula could not be bound.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// These variables have neither a value nor a default; each once, in order.
    #[error("There is no value for {}.", .0.join(", "))]
    Missing(Vec<String>),
    /// With these values it is not an expression that can be rolled. Spans are of the formula.
    #[error(transparent)]
    Dice(#[from] DiceError),
}

/// Reads a formula. Errors: as [`parse()`](crate::parse()), as far as known without values.
pub fn parse_formula(text: &str) -> Result<Formula, DiceError> {
    strict(text).map_err(|error| {
        suggestions::suggest(error, text, &|offer| Some(strict(offer).ok()?.to_string()))
    })
}

/// As [`parse_formula`], without looking for a near text.
fn strict(text: &str) -> Result<Formula, DiceError> {
    let formula = Formula {
        request: parse::request(text, Dialect::Formula)?,
    };
    if formula.variables().is_empty() {
        Expression::new(formula.request.clone())?;
    }
    Ok(formula)
}

impl Formula {
    /// Its variables in written order, repetitions included.
    pub fn variables(&self) -> Vec<Variable> {
        let mut variables = Vec::new();
        let check = &self.request.check;
        for node in [&check.node]
            .into_iter()
            .chain(check.test.as_ref().and_then(Test::node))
        {
            node_variables(node, &mut variables);
        }
        variables.sort_by_key(|variable| variable.span.start);
        variables
    }

    /// Every label in it, each once, in order.
    pub fn labels(&self) -> Vec<String> {
        self.request.check.node.labels()
    }

    /// Every symbol on its dice, in the order of the alphabet.
    pub fn symbols(&self) -> BTreeSet<char> {
        let mut all = BTreeSet::new();
        self.request.check.node.visit_dice(&mut |dice| {
            if let DieSlot::Fixed(Die::Symbols(sides)) = &dice.die {
                all.extend(sides.iter().flat_map(|side| side.symbols.chars()));
            }
        });
        all
    }

    /// Each of its dice with the labels around it; none of dice whose size is a variable.
    pub fn labelled_dice(&self) -> Vec<(Vec<String>, Option<Die>)> {
        let mut found = Vec::new();
        let mut open: Vec<(&Node, Vec<String>)> = vec![(&self.request.check.node, Vec::new())];
        while let Some((node, labels)) = open.pop() {
            let labels = match node {
                Node::Labelled(_, inner) => labels.iter().chain(inner).cloned().collect(),
                _ => labels,
            };
            if let Node::Dice(dice) = node {
                let is_open = matches!(dice.die, DieSlot::Open(_));
                found.push((labels.clone(), (!is_open).then(|| dice.die().clone())));
            }
            open.extend(node.children().map(|child| (child, labels.clone())));
        }
        found
    }

    /// Whether its dice count successes by their notation: `{pool}d10t8`.
    pub fn counts(&self) -> bool {
        self.has(Stage::Count)
    }

    /// The names of each sum: the whole, then counts: of `({a} + {b})d6 + {c}` `c`, then `a`, `b`.
    pub fn sums(&self) -> Vec<Vec<String>> {
        let mut sums = vec![summands(&self.request.check.node)];
        self.request.check.node.visit_dice(&mut |dice| {
            if let Count::Computed(count) = &dice.count {
                sums.push(summands(count));
            }
        });
        sums
    }

    /// So many more dice of a labelled group: `2d6[stress]` of `{stress}d6[stress]`. None where
    /// there is no such group, or where its dice are not simply added to the others, are kept in
    /// part or have a size that varies.
    pub fn more_of(&self, is_label: &dyn Fn(&str) -> bool, count: i64) -> Option<Expression> {
        let terms: Vec<&Node> = match &self.request.check.node {
            Node::Sum(terms) => terms
                .iter()
                .filter(|(sign, _)| *sign == Sign::Plus)
                .map(|(_, node)| node)
                .collect(),
            node => vec![node],
        };
        let (dice, labels) = terms.into_iter().find_map(|term| {
            let Node::Labelled(inner, labels) = term else {
                return None;
            };
            let Node::Dice(dice) = &**inner else {
                return None;
            };
            labels
                .iter()
                .any(|label| is_label(label))
                .then_some((dice, labels))
        })?;
        if matches!(dice.die, DieSlot::Open(_)) || dice.has(Stage::Keep) {
            return None;
        }
        let dice = Dice {
            count: Count::Int(Int::Literal(count)),
            ..Dice::clone(dice)
        };
        let mut request = self.request.clone();
        request.check.node = Node::Labelled(Box::new(Node::Dice(Box::new(dice))), labels.clone());
        Formula { request }.bind(&mut |_| None).ok()
    }

    /// The same with so many more dice, or fewer, of the kind at `place`, counted from 0.
    pub fn with_more_dice(&self, more: i64, place: usize) -> Cow<'_, Formula> {
        if more == 0 {
            return Cow::Borrowed(self);
        }
        let mut request = self.request.clone();
        let mut at = 0..;
        request.check.node.visit_dice_mut(&mut |dice| {
            if at.next() != Some(place) {
                return;
            }
            let number = |value: i64| Node::Number(Number::int(value, dice.span));
            let before = match &dice.count {
                Count::Int(Int::Literal(count)) => number(*count),
                Count::Int(Int::Variable(variable)) => Node::Variable(variable.clone()),
                // A count in brackets is a node.
                Count::Int(Int::Computed(_)) => return,
                Count::Computed(node) => Node::clone(node),
            };
            let sign = if more < 0 { Sign::Minus } else { Sign::Plus };
            let all = vec![(Sign::Plus, before), (sign, number(more.saturating_abs()))];
            dice.count = Count::Computed(Box::new(Node::Sum(all)));
        });
        Cow::Owned(Formula { request })
    }

    /// Whether a die of it explodes.
    pub fn explodes(&self) -> bool {
        self.has(Stage::Explode)
    }

    /// Whether a die of it is rolled again.
    pub fn rerolls(&self) -> bool {
        self.has(Stage::Reroll)
    }

    /// Whether some of its dice are kept and others dropped, of one kind or of a group.
    pub fn keeps(&self) -> bool {
        self.has(Stage::Keep)
            || self
                .request
                .check
                .node
                .any(&|node| matches!(node, Node::Group(_)))
    }

    fn has(&self, stage: Stage) -> bool {
        let mut has = false;
        self.request
            .check
            .node
            .visit_dice(&mut |dice| has |= dice.has(stage));
        has
    }

    /// The same with what is chosen in the place of every `if` whose condition no dice decide.
    /// Errors: as [`Formula::bind_with`].
    pub fn settled(
        &self,
        lookup: &mut dyn FnMut(&str) -> Option<Bound>,
    ) -> Result<Cow<'_, Formula>, BindError> {
        if !self
            .request
            .check
            .node
            .any(&|node| matches!(node, Node::Call(Function::If, ..)))
        {
            return Ok(Cow::Borrowed(self));
        }
        let mut request = self.request.clone();
        self.binder(lookup)?.settle(&mut request.check.node)?;
        Ok(Cow::Owned(Formula { request }))
    }

    /// The expression with every variable replaced by its number.
    ///
    /// A dice term whose count comes to 0 rolls nothing: it becomes the constant 0. A term that is
    /// added and comes to less than zero is printed as a subtraction. Errors:
    /// [`BindError::Missing`] with every variable that has no value; [`BindError::Dice`] when the
    /// result cannot be rolled.
    pub fn bind(
        &self,
        lookup: &mut dyn FnMut(&str) -> Option<i64>,
    ) -> Result<Expression, BindError> {
        self.bind_with(&mut |name| lookup(name).map(Bound::Number))
    }

    /// [`Formula::bind`], where a variable may also stand for dice. Errors: as [`Formula::bind`].
    pub fn bind_with(
        &self,
        lookup: &mut dyn FnMut(&str) -> Option<Bound>,
    ) -> Result<Expression, BindError> {
        let mut request = self.request.clone();
        let binder = self.binder(lookup)?;
        binder.node(&mut request.check.node)?;
        if let Some(target) = request.check.test.as_mut().and_then(Test::node_mut) {
            binder.node(target)?;
        }
        // What variables stood for may pass the limits of a text, but a number takes one term as
        // they do, and is no deeper unless it is negative.
        let is_deep = |node: &Node| matches!(node, Node::Negative(_));
        let is_number = |(_, bound): &(String, Bound)| matches!(bound, Bound::Number(_));
        let is_plain = request.check.test.is_none()
            && binder.values.iter().all(is_number)
            && !request.check.node.any(&is_deep);
        let expression = Expression::new(request)?;
        if !is_plain {
            parse::request(expression.as_str(), Dialect::Notation)?;
        }
        Ok(expression)
    }

    /// How many dice the first dice term asks for, which may be none or fewer: what
    /// [`Formula::bind_with`] would refuse or leave out. None when the formula has no dice. Errors:
    /// as [`Formula::bind_with`].
    pub fn main_count(
        &self,
        lookup: &mut dyn FnMut(&str) -> Option<Bound>,
    ) -> Result<Option<i64>, BindError> {
        let binder = self.binder(lookup)?;
        Ok(self
            .request
            .check
            .node
            .first_dice()
            .map(|dice| binder.count(dice))
            .transpose()?)
    }

    /// How many dice of each kind there are, in order; as [`Formula::main_count`].
    /// Errors: as [`Formula::bind_with`].
    pub fn dice_counts(
        &self,
        lookup: &mut dyn FnMut(&str) -> Option<Bound>,
    ) -> Result<Vec<i64>, BindError> {
        let binder = self.binder(lookup)?;
        let mut counts = Vec::new();
        self.request
            .check
            .node
            .visit_dice(&mut |dice| counts.push(binder.count(dice)));
        Ok(counts.into_iter().collect::<Result<_, _>>()?)
    }

    fn binder(&self, lookup: &mut dyn FnMut(&str) -> Option<Bound>) -> Result<Binder, BindError> {
        let mut values: Vec<(String, Bound)> = Vec::new();
        let mut missing: Vec<String> = Vec::new();
        let all = self.variables();
        for variable in &all {
            if values.iter().any(|(name, _)| *name == variable.name)
                || missing.contains(&variable.name)
            {
                continue;
            }
            match lookup(&variable.name) {
                Some(value) => values.push((variable.name.clone(), value)),
                // Every mention must have a default.
                None if all
                    .iter()
                    .all(|other| other.name != variable.name || other.default.is_some()) => {}
                None => missing.push(variable.name.clone()),
            }
        }
        if missing.is_empty() {
            Ok(Binder { values })
        } else {
            Err(BindError::Missing(missing))
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        print_request(&mut text, &self.request);
        f.write_str(&text)
    }
}

fn summands(node: &Node) -> Vec<String> {
    match node {
        Node::Variable(variable) => vec![variable.name.clone()],
        Node::Sum(terms) => terms.iter().flat_map(|(_, term)| summands(term)).collect(),
        Node::Negative(inner) | Node::Labelled(inner, _) => summands(inner),
        Node::Number(_) | Node::Dice(_) | Node::Product(_) | Node::Call(..) | Node::Group(_) => {
            Vec::new()
        }
    }
}

fn node_variables(node: &Node, all: &mut Vec<Variable>) {
    let mut modifiers: &[Modifier] = &[];
    match node {
        Node::Variable(variable) => all.push(Variable::clone(variable)),
        Node::Dice(dice) => {
            match &dice.count {
                Count::Int(int) => all.extend_from_slice(int.variables()),
                Count::Computed(node) => node_variables(node, all),
            }
            if let DieSlot::Open(sides) = &dice.die {
                all.extend_from_slice(sides.variables());
            }
            modifiers = &dice.modifiers;
        }
        Node::Group(group) => modifiers = group.modifier.as_slice(),
        _ => {}
    }
    for modifier in modifiers {
        all.extend(
            modifier
                .kind
                .clone()
                .int_mut()
                .into_iter()
                .flat_map(|int| int.variables().to_vec()),
        );
    }
    node.children().for_each(|child| node_variables(child, all));
}
