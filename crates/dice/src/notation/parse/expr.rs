//! Sums, products, signs and labels.

use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::expression::tree::{Factor, Function, Node, Sign};
use crate::notation::parse::Parser;
use crate::text::{Span, is_unsafe};

impl Parser<'_> {
    /// What may be between brackets: expressions that are compared, and comparisons that are joined.
    pub(super) fn truth(&mut self) -> Result<Node, DiceError> {
        self.joined(Function::Or, |parser| parser.joined(Function::And, Self::compared))
    }

    fn joined(
        &mut self,
        function: Function,
        part: impl Fn(&mut Self) -> Result<Node, DiceError>,
    ) -> Result<Node, DiceError> {
        let start = self.cursor.start();
        let first = part(self)?;
        if !self.cursor.take_whole_word(function.as_str()) {
            return Ok(first);
        }
        let mut nodes = vec![first, part(self)?];
        while self.cursor.take_whole_word(function.as_str()) {
            nodes.push(part(self)?);
        }
        Ok(Node::Call(function, nodes, self.cursor.since(start)))
    }

    fn compared(&mut self) -> Result<Node, DiceError> {
        let start = self.cursor.start();
        if self.cursor.take_whole_word(Function::Not.as_str()) {
            let inner = self.nested(Self::compared)?;
            return Ok(Node::Call(Function::Not, vec![inner], self.cursor.since(start)));
        }
        let left = self.expr()?;
        let Some(comparison) = self.cursor.take_comparison() else { return Ok(left) };
        let right = self.expr()?;
        Ok(Node::Call(Function::Compare(comparison), vec![left, right], self.cursor.since(start)))
    }

    pub(super) fn expr(&mut self) -> Result<Node, DiceError> {
        self.cursor.skip_space();
        let outer = std::mem::replace(&mut self.start, self.cursor.at());
        let first = self.term()?;
        if !matches!(self.cursor.next(), b'+' | b'-') {
            self.start = outer;
            return Ok(first);
        }
        let mut terms = vec![(Sign::Plus, first)];
        loop {
            let sign = match self.cursor.next() {
                b'+' => Sign::Plus,
                b'-' => Sign::Minus,
                _ => break,
            };
            self.cursor.bump();
            terms.push((sign, self.term()?));
        }
        self.start = outer;
        Ok(Node::Sum(terms))
    }

    pub(super) fn term(&mut self) -> Result<Node, DiceError> {
        let first = self.unary()?;
        if !matches!(self.cursor.next(), b'*' | b'/') {
            return Ok(first);
        }
        let mut factors = vec![(Factor::Times, first)];
        loop {
            let mut factor = match self.cursor.next() {
                b'*' => Factor::Times,
                b'/' => Factor::Divide,
                _ => return Ok(Node::Product(factors)),
            };
            self.cursor.bump();
            if factor == Factor::Divide && self.cursor.peek() == b'/' {
                self.cursor.bump();
                factor = Factor::DivideFloor;
            }
            factors.push((factor, self.unary()?));
        }
    }

    pub(super) fn unary(&mut self) -> Result<Node, DiceError> {
        let sign = self.cursor.next();
        if !matches!(sign, b'-' | b'+') {
            let atom = self.atom()?;
            return self.labelled(atom);
        }
        self.cursor.bump();
        let node = self.nested(Self::unary)?;
        Ok(if sign == b'-' { Node::Negative(Box::new(node)) } else { node })
    }

    pub(super) fn labelled(&mut self, node: Node) -> Result<Node, DiceError> {
        if self.cursor.next() != b'[' {
            return Ok(node);
        }
        let mut labels = Vec::new();
        while self.cursor.take(b'[') {
            let start = self.cursor.at();
            let label = self.cursor.rest().split(']').next().unwrap_or("");
            let end = start + label.len();
            let closed = end < self.cursor.text().len();
            let trimmed = label.trim();
            let bad = |char: char| char == '[' || is_unsafe(char);
            if !closed || trimmed.is_empty() || trimmed.contains(bad) {
                let message = "A label is one line of plain text between [ and ].";
                return Err(Fault::new(Code::UnparseableInput, Span::new(start.saturating_sub(1), end), message).hint(
                    "Close the label, take out line breaks and control characters, or leave it out.",
                    "2d6[fire] + 3",
                ));
            }
            labels.push(trimmed.to_owned());
            self.cursor.go(end + 1);
            if matches!(node, Node::Number(_)) && self.holds_dice(trimmed) {
                return Err(self.dice_in_label(start.saturating_sub(1)));
            }
        }
        Ok(Node::Labelled(Box::new(node), labels))
    }

    /// The refusal of `6[4d6]`: a six that is called "4d6" is hardly meant.
    fn dice_in_label(&self, start: usize) -> DiceError {
        let end = self.cursor.at();
        Fault::new(Code::Ambiguous, self.cursor.since(start), "Between [ and ] stands a label, and here it is dice.")
            .hint("Join the number and the dice with a sign.", "6 * (1d6 + 1)")
            .offering(Rewrite::new("to multiply").replace(start..start + 1, " * (").replace(end - 1..end, ")"))
            .offering(Rewrite::new("to add").replace(start..start + 1, " + (").replace(end - 1..end, ")"))
    }
}
