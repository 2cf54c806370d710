//! Formulas: expressions with variables, as rules write them.

use crate::dice::ast::{Count, Dice, DieSlot, Int, Modifier, ModifierKind, Node, Number, Request, Sign, Variable};
use crate::dice::die::Die;
use crate::dice::error::DiceError;
use crate::dice::expression::Expression;
use crate::dice::near;
use crate::dice::parse::dice::{check_count, check_sides, whole_count};
use crate::dice::parse::{self, Dialect};
use crate::dice::print::print_request;
use crate::dice::span::Span;
use std::fmt;

/// An expression that may name variables: `1d20 + {modifier}`, `{rating}d6kh1`, `1d{trait}!`.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    request: Request,
}

/// What a variable stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A number.
    Number(i64),
    /// Dice text, such as `d8, d6, d10`: for a group (`{{pool}}kh2`) or any place where a number
    /// in parentheses could stand.
    Dice(String),
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

/// Reads a formula.
///
/// # Errors
/// As [`parse`](crate::dice::parse), as far as it can be known without the variables' values.
pub fn parse_formula(text: &str) -> Result<Formula, DiceError> {
    strict(text).map_err(|error| near::suggest(error, text, &|offer| strict(offer).is_ok()))
}

/// As [`parse_formula`], without looking for a near text.
fn strict(text: &str) -> Result<Formula, DiceError> {
    let formula = Formula { request: parse::request(text, Dialect::Formula)? };
    if formula.variables().is_empty() {
        Expression::new(formula.request.clone())?;
    }
    Ok(formula)
}

impl Formula {
    /// Its variables in written order, repetitions included.
    pub fn variables(&self) -> Vec<Variable> {
        let mut variables = Vec::new();
        let mut request = self.request.clone();
        each_variable(&mut request, &mut |variable| variables.push(variable.clone()));
        variables.sort_by_key(|variable| variable.span.start);
        variables
    }

    /// The expression with every variable replaced by its number.
    ///
    /// A dice term whose count comes to 0 rolls nothing: it becomes the constant 0. A term that is
    /// added and comes to less than zero is printed as a subtraction.
    ///
    /// # Errors
    /// [`BindError::Missing`] with every variable that has no value; [`BindError::Dice`] when the
    /// result cannot be rolled.
    pub fn bind(&self, lookup: &mut dyn FnMut(&str) -> Option<i64>) -> Result<Expression, BindError> {
        self.bind_with(&mut |name| lookup(name).map(Bound::Number))
    }

    /// As [`Formula::bind`], where a variable may also stand for dice.
    ///
    /// # Errors
    /// As [`Formula::bind`].
    pub fn bind_with(&self, lookup: &mut dyn FnMut(&str) -> Option<Bound>) -> Result<Expression, BindError> {
        let mut request = self.request.clone();
        let mut values: Vec<(String, Bound)> = Vec::new();
        let mut missing: Vec<String> = Vec::new();
        for variable in self.variables() {
            if values.iter().any(|(name, _)| *name == variable.name) || missing.contains(&variable.name) {
                continue;
            }
            match lookup(&variable.name) {
                Some(value) => values.push((variable.name, value)),
                None if self.has_default(&variable.name) => {}
                None => missing.push(variable.name),
            }
        }
        if !missing.is_empty() {
            return Err(BindError::Missing(missing));
        }
        let binder = Binder { values };
        binder.node(&mut request.check.node)?;
        if let Some(target) = request.check.test.as_mut().and_then(|test| test.node_mut()) {
            binder.node(target)?;
        }
        Ok(Expression::new(request)?)
    }

    /// Whether every mention of the name has a default.
    fn has_default(&self, name: &str) -> bool {
        let variables = self.variables();
        let mut mentions = variables.iter().filter(|variable| variable.name == name);
        mentions.all(|variable| variable.default.is_some())
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        print_request(&mut text, &self.request);
        f.write_str(&text)
    }
}

fn each_variable(request: &mut Request, visit: &mut dyn FnMut(&Variable)) {
    node_variables(&mut request.check.node, visit);
    if let Some(target) = request.check.test.as_mut().and_then(|test| test.node_mut()) {
        node_variables(target, visit);
    }
}

fn node_variables(node: &mut Node, visit: &mut dyn FnMut(&Variable)) {
    match node {
        Node::Variable(variable) => visit(variable),
        Node::Dice(dice) => {
            match &mut dice.count {
                Count::Int(Int::Variable(variable)) => visit(variable),
                Count::Int(Int::Literal(_)) => {}
                Count::Computed(node) => node_variables(node, visit),
            }
            if let DieSlot::Variable(variable) = &dice.die {
                visit(variable);
            }
            modifier_variables(dice.modifiers.iter_mut(), visit);
        }
        Node::Group(group) => modifier_variables(group.modifier.iter_mut(), visit),
        _ => {}
    }
    for child in node.children_mut() {
        node_variables(child, visit);
    }
}

fn modifier_variables<'a>(modifiers: impl Iterator<Item = &'a mut Modifier>, visit: &mut dyn FnMut(&Variable)) {
    for modifier in modifiers {
        if let Some(Int::Variable(variable)) = modifier.kind.int_mut() {
            visit(variable);
        }
    }
}

/// Replaces variables by values.
struct Binder {
    values: Vec<(String, Bound)>,
}

impl Binder {
    fn bound(&self, variable: &Variable) -> Bound {
        let found = self.values.iter().find(|(name, _)| *name == variable.name);
        match found {
            Some((_, bound)) => bound.clone(),
            None => Bound::Number(variable.default.unwrap_or(0)),
        }
    }

    fn number(&self, variable: &Variable) -> Result<i64, DiceError> {
        match self.bound(variable) {
            Bound::Number(value) => {
                let most = crate::dice::limits::Limits::DEFAULT.literal;
                if value.abs() > most {
                    let span = Span::new(variable.span.start, variable.span.end);
                    return Err(DiceError::limit("for a number", most, span, "1d20 + 1000"));
                }
                Ok(value)
            }
            Bound::Dice(text) => Err(DiceError::new(
                crate::dice::error::Code::InvalidDie,
                Span::new(variable.span.start, variable.span.end),
                format!("Here {} must be a number, not `{text}`.", variable.name),
                "Give a number.",
                "2d6 + 3",
            )),
        }
    }

    fn nodes(&self, variable: &Variable) -> Result<Vec<Node>, DiceError> {
        let span = Span::new(variable.span.start, variable.span.end);
        let text = match self.bound(variable) {
            Bound::Number(_) => return Ok(vec![number_node(self.number(variable)?, span)]),
            Bound::Dice(text) => text,
        };
        if text.len() > crate::dice::limits::Limits::DEFAULT.text_bytes {
            return Err(DiceError::limit("bytes", 512, span, "2d6 + 3"));
        }
        let read = parse::members(&text);
        read.map_err(|error| DiceError { span: span.range(), ..error })
    }

    fn int(&self, int: &mut Int) -> Result<(), DiceError> {
        if let Int::Variable(variable) = int {
            *int = Int::Literal(self.number(variable)?);
        }
        Ok(())
    }

    fn node(&self, node: &mut Node) -> Result<(), DiceError> {
        match node {
            Node::Variable(variable) => {
                let mut nodes = self.nodes(variable)?;
                *node = match (nodes.len(), nodes.pop()) {
                    (1, Some(only)) => only,
                    _ => {
                        return Err(self.number(variable).err().unwrap_or_else(|| missing_member(variable)));
                    }
                };
            }
            Node::Dice(dice) => {
                if self.dice(dice)? {
                    *node = Node::Number(Number::int(0, dice.span));
                }
            }
            Node::Group(group) => {
                let mut members = Vec::with_capacity(group.members.len());
                for mut member in std::mem::take(&mut group.members) {
                    match &member {
                        Node::Variable(variable) => members.extend(self.nodes(variable)?),
                        _ => {
                            self.node(&mut member)?;
                            members.push(member);
                        }
                    }
                }
                group.members = members;
                if let Some(int) = group.modifier.as_mut().and_then(|modifier| modifier.kind.int_mut()) {
                    self.int(int)?;
                }
            }
            Node::Sum(terms) => {
                for (index, (sign, term)) in terms.iter_mut().enumerate() {
                    let bare = matches!(term, Node::Variable(_));
                    self.node(term)?;
                    if let (true, true, Node::Negative(inner)) = (bare, index > 0, &*term) {
                        *term = (**inner).clone();
                        *sign = match sign {
                            Sign::Plus => Sign::Minus,
                            Sign::Minus => Sign::Plus,
                        };
                    }
                }
            }
            _ => {
                for child in node.children_mut() {
                    self.node(child)?;
                }
            }
        }
        Ok(())
    }

    /// Binds a dice term; answers whether it rolls nothing.
    fn dice(&self, dice: &mut Dice) -> Result<bool, DiceError> {
        let mut computed = false;
        let count = match &mut dice.count {
            Count::Int(int) => {
                computed = matches!(int, Int::Variable(_));
                self.int(int)?;
                int.get()
            }
            Count::Computed(node) => {
                computed = !computed;
                self.node(node)?;
                whole_count(node, dice.span)?
            }
        };
        if let DieSlot::Variable(variable) = &dice.die {
            let sides = self.number(variable)?;
            dice.die = DieSlot::Fixed(Die::Sides(check_sides(sides, dice.span)?));
        }
        for modifier in &mut dice.modifiers {
            if let Some(int) = modifier.kind.int_mut() {
                self.int(int)?;
            }
        }
        settle_percentile(&mut dice.modifiers);
        if computed && count == 0 {
            return Ok(true);
        }
        check_count(count, dice.span)?;
        dice.count = Count::Int(Int::Literal(count));
        Ok(false)
    }
}

/// No bonus dice are no modifier; a negative bonus is a penalty.
fn settle_percentile(modifiers: &mut Vec<Modifier>) {
    modifiers.retain(|modifier| {
        !matches!(modifier.kind, ModifierKind::Bonus(Int::Literal(0)) | ModifierKind::Penalty(Int::Literal(0)))
    });
    for modifier in modifiers {
        match modifier.kind {
            ModifierKind::Bonus(Int::Literal(count)) if count < 0 => {
                modifier.kind = ModifierKind::Penalty(Int::Literal(-count));
            }
            ModifierKind::Penalty(Int::Literal(count)) if count < 0 => {
                modifier.kind = ModifierKind::Bonus(Int::Literal(-count));
            }
            _ => {}
        }
    }
}

fn number_node(value: i64, span: Span) -> Node {
    match value < 0 {
        true => Node::Negative(Box::new(Node::Number(Number::int(-value, span)))),
        false => Node::Number(Number::int(value, span)),
    }
}

fn missing_member(variable: &Variable) -> DiceError {
    DiceError::new(
        crate::dice::error::Code::UnparseableInput,
        Span::new(variable.span.start, variable.span.end),
        format!("{} must be one expression here.", variable.name),
        "Several expressions belong in a group.",
        "{1d8, 1d6}kh1",
    )
}
