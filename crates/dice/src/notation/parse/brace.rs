//! Braces: groups and variables.

use crate::compare::{Int, Variable};
use crate::error::{Code, DiceError};
use crate::expression::tree::{Count, Node};
use crate::notation::parse::{Dialect, Parser};
use crate::text::Span;

impl Parser<'_> {
    pub(super) fn brace(&mut self, start: usize) -> Result<Node, DiceError> {
        if self.at_variable() {
            self.count_term(start)?;
            let variable = self.variable()?;
            if self.at_die() {
                return self.dice(Count::Int(Int::Variable(Box::new(variable))), start);
            }
            if self.cursor.peek() == b'k' {
                return Err(self.kept_of_a_number(start, &variable.name));
            }
            return Ok(Node::Variable(Box::new(variable)));
        }
        self.cursor.bump();
        let members = self.list()?;
        self.expect(b'}', "a closing brace", "{4d6, 3d8}kh1")?;
        // A variable may stand for several members.
        let open = matches!(members.as_slice(), [Node::Variable(_)]);
        if members.len() < 2 && !open {
            return Err(self.one_member(start));
        }
        self.group(members, start)
    }

    /// Whether a name between braces stands here.
    pub(super) fn at_variable(&self) -> bool {
        let Some(inside) = self.cursor.rest().strip_prefix('{') else { return false };
        let name = inside.split('}').next().unwrap_or("");
        let first = name.trim_start().chars().next();
        let named = first.is_some_and(char::is_alphabetic) && !name.contains([',', '{']);
        match self.dialect {
            Dialect::Formula => named,
            // `{d6}` in notation is a group of one die rather than a name.
            Dialect::Notation => {
                named && !name.split('=').next().unwrap_or("").contains(|char: char| char.is_ascii_digit())
            }
        }
    }

    /// The variable that stands here.
    pub(super) fn variable(&mut self) -> Result<Variable, DiceError> {
        let start = self.cursor.at();
        let inside = self.cursor.rest().get(1..).unwrap_or("");
        let Some(length) = inside.find('}') else {
            let message = "A brace is not closed.";
            let hint = "Write `}` after the name.";
            return Err(DiceError::new(
                Code::UnparseableInput,
                Span::new(start, self.cursor.text().len()),
                message,
                hint,
                self.variable_example(),
            ));
        };
        let end = start + length + 2;
        let span = Span::new(start, end);
        if self.dialect == Dialect::Notation {
            let message = "A name between braces has a value only in an adventure's rules.";
            let hint = "Write the number itself.";
            return Err(DiceError::new(Code::OutOfScopeSyntax, span, message, hint, "1d20 + 3"));
        }
        let inside = inside.get(..length).unwrap_or("");
        let (name, default) = match inside.split_once('=') {
            None => (inside, None),
            Some((name, default)) => match default.trim().parse::<i32>() {
                Ok(default) => (name, Some(i64::from(default))),
                Err(_) => return Err(self.bad_default(span)),
            },
        };
        let name = name.trim();
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(self.bad_default(span));
        }
        self.cursor.go(end);
        Ok(Variable { name: name.to_owned(), default, span: span.range() })
    }

    /// The refusal of `{pool}kh2`: the value is one number, or it is dice and stands in two pairs of braces.
    fn kept_of_a_number(&self, start: usize, name: &str) -> DiceError {
        DiceError::new(
            Code::UnparseableInput,
            self.cursor.since(start),
            format!("`{{{name}}}` is one number, of which nothing is kept."),
            format!(
                "Where a call brings dice by that name, write `{{{{{name}}}}}` and the modifier behind it; where it is how many dice, write their \
                 size: `{{{name}}}d6`."
            ),
            "{{pool}}kh2",
        )
    }

    fn bad_default(&self, span: Span) -> DiceError {
        let message = "A variable is a name, with an optional whole number after `=`.";
        let hint = "Write {name} or {name=0}.";
        DiceError::new(Code::UnparseableInput, span, message, hint, self.variable_example())
    }

    fn variable_example(&self) -> &'static str {
        match self.dialect {
            Dialect::Notation => "1d20 + 3",
            Dialect::Formula => "1d20 + {bonus=0}",
        }
    }
}
