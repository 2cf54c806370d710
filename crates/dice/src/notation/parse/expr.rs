//! Sums, products, signs, labels; numbers, parentheses, functions; braces with groups, variables.

use crate::compare::{Int, Variable};
use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::expression::tree::{Count, Factor, Function, Group, Node, Number, Sign};
use crate::limits;
use crate::notation::parse::{Dialect, Parser};
use crate::text::{Span, is_digit, is_unsafe};

/// Decimal places of a number.
const PLACES_MAX: usize = 6;

impl Parser<'_> {
    /// What may be between brackets: compared expressions, and comparisons that are joined.
    pub(super) fn truth(&mut self) -> Result<Node, DiceError> {
        self.joined(Function::Or, |parser| {
            parser.joined(Function::And, Self::compared)
        })
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
            return Ok(Node::Call(
                Function::Not,
                vec![inner],
                self.cursor.since(start),
            ));
        }
        let left = self.expr()?;
        let Some(comparison) = self.cursor.take_comparison() else {
            return Ok(left);
        };
        let right = self.expr()?;
        Ok(Node::Call(
            Function::Compare(comparison),
            vec![left, right],
            self.cursor.since(start),
        ))
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
        Ok(if sign == b'-' {
            Node::Negative(Box::new(node))
        } else {
            node
        })
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
        Fault::new(
            Code::Ambiguous,
            self.cursor.since(start),
            "Between [ and ] stands a label, and here it is dice.",
        )
        .hint("Join the number and the dice with a sign.", "6 * (1d6 + 1)")
        .offering(
            Rewrite::new("to multiply")
                .replace(start..start + 1, " * (")
                .replace(end - 1..end, ")"),
        )
        .offering(
            Rewrite::new("to add")
                .replace(start..start + 1, " + (")
                .replace(end - 1..end, ")"),
        )
    }

    pub(super) fn atom(&mut self) -> Result<Node, DiceError> {
        let next = self.cursor.next();
        let start = self.cursor.at();
        match next {
            b'0'..=b'9' => self.number_or_dice(start),
            b'd' if self.at_die() => {
                self.count_term(start)?;
                self.dice(Count::Int(Int::Literal(1)), start)
            }
            b'(' => self.parenthesis(start),
            b'{' => self.brace(start),
            b'a'..=b'z' => self.call(start),
            _ => Err(self.leftover()),
        }
    }

    /// Whether a die is next; `dis` and its longer forms are none.
    pub(super) fn at_die(&mut self) -> bool {
        self.cursor.next() == b'd' && !self.at_any_advantage_word()
    }

    fn number_or_dice(&mut self, start: usize) -> Result<Node, DiceError> {
        self.count_term(start)?;
        let number = self.number(start)?;
        if !self.at_die() {
            return Ok(Node::Number(number));
        }
        if number.places > 0 {
            return Err(Fault::new(
                Code::InvalidDie,
                number.span,
                "The number of dice is a whole number.",
            )
            .hint("Write how many dice without a decimal point.", "2d6"));
        }
        self.dice(Count::Int(Int::Literal(number.scaled)), start)
    }

    fn number(&mut self, start: usize) -> Result<Number, DiceError> {
        let mut scaled = self.literal()?.unwrap_or(0);
        let mut places = 0_u8;
        if self.cursor.peek() == b'.' {
            let point = self.cursor.at();
            self.cursor.bump();
            let written = self.cursor.take_digits();
            let digits = written.trim_end_matches('0');
            if written.is_empty() || digits.len() > PLACES_MAX {
                let message = "A decimal point is followed by one to six digits.";
                return Err(Fault::new(
                    Code::UnparseableInput,
                    Span::new(point, self.cursor.at()),
                    message,
                )
                .hint("Write the number with fewer decimal places.", "2d6 * 1.5"));
            }
            for digit in digits.bytes() {
                scaled = scaled * 10 + i64::from(digit - b'0');
                places += 1;
            }
        }
        let span = self.cursor.since(start);
        if scaled > limits::LITERAL * 10_i64.pow(u32::from(places)) {
            return Err(too_large(span));
        }
        Ok(Number {
            scaled,
            places,
            span,
        })
    }

    /// The digits that are exactly here, within the limit for literals; `None` without digits.
    pub(super) fn literal(&mut self) -> Result<Option<i64>, DiceError> {
        let start = self.cursor.at();
        let digits = self.cursor.take_digits();
        if digits.is_empty() {
            return Ok(None);
        }
        let value = digits
            .parse()
            .ok()
            .filter(|value| *value <= limits::LITERAL);
        value
            .map(Some)
            .ok_or_else(|| too_large(self.cursor.since(start)))
    }

    /// An integer with an optional sign.
    pub(super) fn signed_literal(&mut self) -> Result<i64, DiceError> {
        let negative = self.cursor.take(b'-');
        self.cursor.skip_space();
        let value = self.literal()?.ok_or_else(|| self.leftover())?;
        Ok(if negative { -value } else { value })
    }

    fn parenthesis(&mut self, start: usize) -> Result<Node, DiceError> {
        self.cursor.bump();
        let mut nodes = self.list()?;
        self.expect(b')', "a closing parenthesis", "(2d6 + 3) * 2")?;
        if nodes.len() > 1 {
            return self.group(nodes, start);
        }
        let Some(node) = nodes.pop() else {
            return Err(self.leftover());
        };
        match self.at_die() {
            true => self.computed_count(node, start),
            false if self.cursor.peek() == b'k' => Err(self.one_member(start)),
            false => Ok(node),
        }
    }

    /// Expressions with commas between, one level deeper.
    pub(super) fn list(&mut self) -> Result<Vec<Node>, DiceError> {
        self.nested(|parser| {
            let mut nodes = vec![parser.truth()?];
            while parser.cursor.take(b',') {
                nodes.push(parser.truth()?);
            }
            Ok(nodes)
        })
    }

    pub(super) fn group(&mut self, members: Vec<Node>, start: usize) -> Result<Node, DiceError> {
        let modifier = self.group_modifier()?;
        Ok(Node::Group(Box::new(Group {
            members,
            modifier,
            span: self.cursor.since(start),
        })))
    }

    /// The refusal of `{4d6}kh3` and `(4d6)kh3`: dice, or their sum?
    pub(super) fn one_member(&self, start: usize) -> DiceError {
        let end = self.cursor.at();
        let hint = "Write the modifier at the dice (4d6kh3), or give the group two or more members ({4d6, 3d8}kh1).";
        let without = Rewrite::new("without the brackets")
            .delete(start..start + 1)
            .delete(end.saturating_sub(1)..end);
        Fault::new(
            Code::Ambiguous,
            Span::new(start, end),
            "A group of one could mean its dice or its sum.",
        )
        .hint(hint, "4d6kh3")
        .offering(without)
    }

    /// The refusal of a word, or of a function that is not known.
    fn no_function(&self, start: usize) -> DiceError {
        let rest = self.cursor.rest();
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let error = self.leftover();
        if error.code != Code::UnparseableInput
            || !rest
                .get(letters..)
                .is_some_and(|rest| rest.starts_with('('))
        {
            return error;
        }
        let message = format!(
            "There is no function `{}`.",
            rest.get(..letters.min(20)).unwrap_or("")
        );
        Fault::new(
            Code::UnparseableInput,
            Span::new(start, start + letters),
            message,
        )
        .hint(
            "There are floor, ceil, round, abs, min, max, mod and if.",
            "floor(2d6 / 2)",
        )
    }

    fn call(&mut self, start: usize) -> Result<Node, DiceError> {
        let found = Function::NAMED
            .into_iter()
            .find(|function| self.cursor.at_whole_word(function.as_str()));
        let Some(function) = found else {
            return Err(self.no_function(start));
        };
        self.cursor.go(start + function.as_str().len());
        let example = "max(1d8, 1d6) + 2";
        self.expect(b'(', "an opening parenthesis", example)?;
        let nodes = self.list()?;
        self.expect(b')', "a closing parenthesis", example)?;
        let span = self.cursor.since(start);
        if function.takes(nodes.len()) {
            let call = Node::Call(function, nodes, span);
            return if self.at_die() {
                self.computed_count(call, start)
            } else {
                Ok(call)
            };
        }
        let (count, example) = match function {
            Function::Min | Function::Max => ("two or more expressions", "max(1d8, 1d6)"),
            Function::Mod => ("two expressions", "mod(2d6, 2)"),
            Function::If => ("a condition and two expressions", "if((1d20) > 10, 2, 1)"),
            _ => ("one expression", "floor(2d6 / 2)"),
        };
        Err(Fault::new(
            Code::UnparseableInput,
            span,
            format!("{} takes {count}.", function.as_str()),
        )
        .hint("Separate expressions with commas.", example))
    }

    pub(super) fn brace(&mut self, start: usize) -> Result<Node, DiceError> {
        if self.at_variable() {
            self.count_term(start)?;
            let variable = Box::new(self.variable()?);
            return match self.at_die() {
                true => self.dice(Count::Int(Int::Variable(variable)), start),
                false if self.cursor.peek() == b'k' => {
                    Err(self.kept_of_a_number(start, &variable.name))
                }
                false => Ok(Node::Variable(variable)),
            };
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

    /// Whether a name between braces is here.
    pub(super) fn at_variable(&self) -> bool {
        let Some(inside) = self.cursor.rest().strip_prefix('{') else {
            return false;
        };
        let name = inside.split('}').next().unwrap_or("");
        let is_name =
            name.trim_start().starts_with(char::is_alphabetic) && !name.contains([',', '{']);
        // `{d6}` in notation is a group of one die rather than a name.
        is_name
            && (self.dialect == Dialect::Formula
                || !name.split('=').next().unwrap_or("").contains(is_digit))
    }

    /// The variable here.
    pub(super) fn variable(&mut self) -> Result<Variable, DiceError> {
        let start = self.cursor.at();
        let inside = self.cursor.rest().get(1..).unwrap_or("");
        let Some(length) = inside.find('}') else {
            let span = Span::new(start, self.cursor.text().len());
            return Err(
                Fault::new(Code::UnparseableInput, span, "A brace is not closed.")
                    .hint("Write `}` after the name.", self.variable_example()),
            );
        };
        let end = start + length + 2;
        let span = Span::new(start, end);
        if self.dialect == Dialect::Notation {
            let message = "A name between braces has a value only in an adventure's rules.";
            return Err(Fault::new(Code::OutOfScopeSyntax, span, message)
                .hint("Write the number itself.", "1d20 + 3"));
        }
        let inside = inside.get(..length).unwrap_or("");
        let (name, default) = match inside.split_once('=') {
            None => (inside.trim(), Ok(None)),
            Some((name, default)) => (
                name.trim(),
                default
                    .trim()
                    .parse::<i32>()
                    .map(|default| Some(i64::from(default))),
            ),
        };
        let default = default
            .ok()
            .filter(|_| !name.is_empty() && !name.contains(char::is_control));
        let message = "A variable is a name, with an optional whole number after `=`.";
        let Some(default) = default else {
            return Err(Fault::new(Code::UnparseableInput, span, message)
                .hint("Write {name} or {name=0}.", self.variable_example()));
        };
        self.cursor.go(end);
        Ok(Variable {
            name: name.to_owned(),
            default,
            span: span.range(),
        })
    }

    /// The refusal of `{pool}kh2`: the value is one number, or it is dice, in two pairs of braces.
    fn kept_of_a_number(&self, start: usize, name: &str) -> DiceError {
        let message = format!("`{{{name}}}` is one number, of which nothing is kept.");
        let hint = format!(
            "Where a call brings dice by that name, write `{{{{{name}}}}}` and the modifier behind it; where it is how \
             many dice, write their size: `{{{name}}}d6`."
        );
        Fault::new(Code::UnparseableInput, self.cursor.since(start), message)
            .hint(hint, "{{pool}}kh2")
    }

    fn variable_example(&self) -> &'static str {
        if self.dialect == Dialect::Formula {
            "1d20 + {bonus=0}"
        } else {
            "1d20 + 3"
        }
    }
}

fn too_large(span: Span) -> DiceError {
    Fault::new(
        Code::LimitExceeded,
        span,
        format!("Numbers go up to {}.", limits::LITERAL),
    )
    .hint("Write a smaller number.", "1d20 + 1000")
}
