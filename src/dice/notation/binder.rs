//! Variables replaced by what they stand for.

use crate::dice::expression::tree::{Count, Dice, DieSlot, Node, Number, Sign};

use crate::dice::modifiers::bonus::Tens;
use crate::dice::modifiers::{Listed, ModifierKind};

use crate::dice::compare::{Int, Variable};
use crate::dice::die::Die;
use crate::dice::error::{Code, DiceError};
use crate::dice::limits::Limits;
use crate::dice::notation::parse::count::{check_count, whole_count};
use crate::dice::notation::parse::sides::check_sides;
use crate::dice::notation::parse::{self};
use crate::dice::text::Span;

/// What a variable stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A number.
    Number(i64),
    /// Dice text, such as `d8, d6, d10`: for a group (`{{pool}}kh2`) or any place where a number
    /// in parentheses could stand.
    Dice(String),
}

/// Replaces variables by values.
pub(crate) struct Binder {
    pub(crate) values: Vec<(String, Bound)>,
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
                let most = Limits::DEFAULT.literal;
                if value.abs() > most {
                    let span = Span::new(variable.span.start, variable.span.end);
                    return Err(DiceError::limit("for a number", most, span, "1d20 + 1000"));
                }
                Ok(value)
            }
            Bound::Dice(text) => Err(DiceError::new(
                Code::InvalidDie,
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
        if text.len() > Limits::DEFAULT.text_bytes {
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

    /// Replaces every variable below the node.
    pub(crate) fn node(&self, node: &mut Node) -> Result<(), DiceError> {
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

    /// How many dice a term asks for, before anything is refused.
    pub(crate) fn count(&self, dice: &Dice) -> Result<i64, DiceError> {
        match &dice.count {
            Count::Int(Int::Literal(count)) => Ok(*count),
            Count::Int(Int::Variable(variable)) => self.number(variable),
            Count::Computed(node) => {
                let mut node = (**node).clone();
                self.node(&mut node)?;
                whole_count(&node, dice.span)
            }
        }
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
        // No bonus dice are no modifier.
        dice.modifiers.retain(|modifier| !Tens::of(&modifier.kind).is_some_and(Tens::is_none));
        for modifier in &mut dice.modifiers {
            if let ModifierKind::Bonus(tens) = &modifier.kind {
                modifier.kind = ModifierKind::Bonus(tens.clone().settled());
            }
        }
        if computed && count == 0 {
            return Ok(true);
        }
        check_count(count, dice.span)?;
        dice.count = Count::Int(Int::Literal(count));
        Ok(false)
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
        Code::UnparseableInput,
        Span::new(variable.span.start, variable.span.end),
        format!("{} must be one expression here.", variable.name),
        "Several expressions belong in a group.",
        "{1d8, 1d6}kh1",
    )
}
