//! Variables replaced by what they stand for.

use crate::compare::{Int, Variable};
use crate::die::Die;
use crate::error::{Code, DiceError, Fault};
use crate::expression::bounds::chosen;
use crate::expression::tree::{Count, Dice, DieSlot, Function, Node, Number, Sign};
use crate::limits;
use crate::modifiers::bonus::Tens;
use crate::modifiers::{Listed, Modifier, ModifierKind};
use crate::notation::parse::dice::{check_count, check_sides, whole_count};
use crate::notation::parse::{self, Dialect};
use crate::text::Span;

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A number.
    Number(i64),
    /// Dice text, such as `d8, d6, d10`: for a group (`{{pool}}kh2`), or a number in parentheses.
    Dice(String),
}

pub(crate) struct Binder {
    pub(crate) values: Vec<(String, Bound)>,
}

impl Binder {
    fn bound(&self, variable: &Variable) -> Bound {
        let found = self.values.iter().find(|(name, _)| *name == variable.name);
        found.map_or(
            Bound::Number(variable.default.unwrap_or(0)),
            |(_, bound)| bound.clone(),
        )
    }

    fn number(&self, variable: &Variable) -> Result<i64, DiceError> {
        match self.bound(variable) {
            Bound::Number(value) if value.abs() > limits::LITERAL => Err(DiceError::limit(
                "for a number",
                limits::LITERAL,
                variable.place(),
                "1d20 + 1000",
            )),
            Bound::Number(value) => Ok(value),
            Bound::Dice(text) => {
                let message = format!("Here {} must be a number, not `{text}`.", variable.name);
                Err(Fault::new(Code::InvalidDie, variable.place(), message)
                    .hint("Give a number.", "2d6 + 3"))
            }
        }
    }

    fn nodes(&self, variable: &Variable) -> Result<Vec<Node>, DiceError> {
        let span = variable.place();
        let Bound::Dice(text) = self.bound(variable) else {
            return Ok(vec![number_node(self.number(variable)?, span)]);
        };
        if text.len() > limits::TEXT_BYTES {
            return Err(DiceError::limit("bytes", 512, span, "2d6 + 3"));
        }
        parse::members(&text).map_err(|error| DiceError {
            span: span.range(),
            ..error
        })
    }

    fn int(&self, int: &mut Int) -> Result<(), DiceError> {
        let number = match int {
            Int::Literal(_) => return Ok(()),
            Int::Variable(variable) => self.number(variable)?,
            Int::Computed(computed) => {
                let span = computed.span;
                let of_whole = |error: DiceError| DiceError {
                    span: span.range(),
                    ..error
                };
                let mut request =
                    parse::request(&computed.text, Dialect::Formula).map_err(of_whole)?;
                self.node(&mut request.check.node)?;
                whole_count(&request.check.node, span)?
            }
        };
        *int = Int::Literal(number);
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
                        return Err(self
                            .number(variable)
                            .err()
                            .unwrap_or_else(|| missing_member(variable)));
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
                let (members, mut modifiers) =
                    (group.members.len(), Vec::from_iter(group.modifier.take()));
                if self.modifiers(&mut modifiers, members)? == 0 {
                    *node = Node::Number(Number::int(0, group.span));
                    return Ok(());
                }
                group.modifier = modifiers.pop();
            }
            Node::Call(Function::If, ..) => {
                if let Some(condition) = node.children_mut().into_iter().next() {
                    self.node(condition)?;
                }
                if let Some(branch) = chosen(node) {
                    *node = branch;
                    return self.node(node);
                }
                for branch in node.children_mut().into_iter().skip(1) {
                    self.node(branch)?;
                }
            }
            Node::Sum(terms) => {
                for (index, (sign, term)) in terms.iter_mut().enumerate() {
                    let bare = matches!(term, Node::Variable(_));
                    self.node(term)?;
                    if let (true, true, Node::Negative(inner)) = (bare, index > 0, &*term) {
                        *term = (**inner).clone();
                        *sign = if *sign == Sign::Plus {
                            Sign::Minus
                        } else {
                            Sign::Plus
                        };
                    }
                }
            }
            _ => node
                .children_mut()
                .into_iter()
                .try_for_each(|child| self.node(child))?,
        }
        Ok(())
    }

    /// Puts what is chosen in the place of every `if` whose condition no dice decide.
    pub(crate) fn settle(&self, node: &mut Node) -> Result<(), DiceError> {
        while let Node::Call(Function::If, nodes, _) = node {
            let Some(condition) = nodes.first_mut().filter(|condition| !condition.has_dice())
            else {
                break;
            };
            self.node(condition)?;
            match chosen(node) {
                Some(branch) => *node = branch,
                None => break,
            }
        }
        node.children_mut()
            .into_iter()
            .try_for_each(|child| self.settle(child))
    }

    /// Binds the numbers of modifiers; answers how many dice are left by those that keep or drop
    /// some. Of what variables say there, none is none and more than there are is all.
    fn modifiers(
        &self,
        modifiers: &mut Vec<Modifier>,
        mut left: usize,
    ) -> Result<usize, DiceError> {
        for mut modifier in std::mem::take(modifiers) {
            let mut is_open = false;
            if let Some(int) = modifier.kind.int_mut() {
                is_open = !matches!(int, Int::Literal(_));
                self.int(int)?;
            }
            let chosen = match &modifier.kind {
                ModifierKind::Keep(selection) if is_open => selection.best(left),
                _ => None,
            };
            match chosen {
                Some((_, chosen)) if chosen >= left => {}
                Some((_, 0)) => left = 0,
                Some((_, chosen)) => {
                    left = chosen;
                    modifiers.push(modifier);
                }
                None => modifiers.push(modifier),
            }
        }
        Ok(left)
    }

    /// How many dice a term asks for, before anything is refused; none where none of them is kept.
    pub(crate) fn count(&self, dice: &Dice) -> Result<i64, DiceError> {
        let count = self.asked(&mut dice.count.clone(), dice.span)?;
        let left = self.modifiers(
            &mut dice.modifiers.clone(),
            usize::try_from(count).unwrap_or(0),
        )?;
        Ok(if left == 0 { count.min(0) } else { count })
    }

    fn asked(&self, count: &mut Count, span: Span) -> Result<i64, DiceError> {
        match count {
            Count::Int(int) => {
                self.int(int)?;
                Ok(int.get())
            }
            Count::Computed(node) => {
                self.node(node)?;
                whole_count(node, span)
            }
        }
    }

    /// Binds a dice term; answers whether it rolls nothing.
    fn dice(&self, dice: &mut Dice) -> Result<bool, DiceError> {
        let is_computed = !matches!(dice.count, Count::Int(Int::Literal(_)));
        let count = self.asked(&mut dice.count, dice.span)?;
        if let DieSlot::Open(sides) = &mut dice.die {
            self.int(sides)?;
            dice.die = DieSlot::Fixed(Die::Sides(check_sides(sides.get(), dice.span)?));
        }
        let left = self.modifiers(&mut dice.modifiers, usize::try_from(count).unwrap_or(0))?;
        // No bonus dice are no modifier.
        dice.modifiers
            .retain(|modifier| !Tens::from_kind(&modifier.kind).is_some_and(Tens::is_none));
        for modifier in &mut dice.modifiers {
            if let ModifierKind::Bonus(tens) = &modifier.kind {
                modifier.kind = ModifierKind::Bonus(tens.clone().settled());
            }
        }
        if is_computed && count == 0 {
            return Ok(true);
        }
        check_count(count, dice.span)?;
        dice.count = Count::Int(Int::Literal(count));
        Ok(left == 0)
    }
}

fn number_node(value: i64, span: Span) -> Node {
    let number = Node::Number(Number::int(value.abs(), span));
    if value < 0 {
        Node::Negative(Box::new(number))
    } else {
        number
    }
}

fn missing_member(variable: &Variable) -> DiceError {
    let message = format!("{} must be one expression here.", variable.name);
    Fault::new(Code::UnparseableInput, variable.place(), message)
        .hint("Several expressions belong in a group.", "{1d8, 1d6}kh1")
}
