//! An expression of the calculator, read and worked out in one pass; nothing in it could be run.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = signed { ("*" | "/" | "%") signed }
//! signed  = ("+" | "-") signed | atom [ ("^" | "**") signed ]
//! atom    = number | "pi" | "e" | "(" sum ")" | function "(" values ")"
//! values  = sum { "," sum } | "[" [ sum { "," sum } ] "]"
//! ```
//!
//! A list is in `min`, `max` and `sum` alone.

use std::cmp::Ordering;

use super::number::{Fault, Number};
use rollbook_text::names::{counted, quoted, suggest};

pub const LENGTH_MAX: usize = 1000;
const DEPTH_MAX: usize = 50;
/// Digits of a number as it is written, and the power of ten behind it.
const DIGITS_MAX: usize = 100;
const POWER_MAX: i32 = 300;

pub const FUNCTIONS: [(&str, &str); 14] = [
    ("abs", "abs(-3)"),
    ("round", "round(2.5)"),
    ("floor", "floor(2.5)"),
    ("ceil", "ceil(2.5)"),
    ("min", "min(3, 5)"),
    ("max", "max(3, 5)"),
    ("sum", "sum([3, 5, 8])"),
    ("sqrt", "sqrt(16)"),
    ("pow", "pow(2, 10)"),
    ("sin", "sin(pi / 2)"),
    ("cos", "cos(0)"),
    ("tan", "tan(pi / 4)"),
    ("log", "log(e)"),
    ("log10", "log10(1000)"),
];

const MINUS: [&str; 8] = ["-", "−", "–", "‐", "‑", "‒", "—", "－"];
/// Those that take a list: `sum([1, 2])`.
const LISTED: [&str; 3] = ["min", "max", "sum"];

pub fn value(text: &str) -> Result<Number, Fault> {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
    };
    let value = reader.sum()?;
    match reader.next() {
        None => Ok(value),
        Some(')') => Err(reader.unreadable("this bracket was never opened")),
        Some(letter) if letter.is_alphanumeric() || letter == '(' => {
            Err(reader.unreadable("between two values a sign is missing, such as * in 2 * (3 + 4)"))
        }
        Some(letter) => Err(reader.unreadable(&format!(
            "\"{}\" is no sign of arithmetic",
            quoted(&letter.to_string())
        ))),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next letter that is no blank.
    fn next(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    /// Passes over one of these signs, where it is the next.
    fn takes(&mut self, signs: &[&str]) -> bool {
        self.next();
        let sign = signs.iter().find(|sign| self.rest().starts_with(**sign));
        self.at += sign.map_or(0, |sign| sign.len());
        sign.is_some()
    }

    fn unreadable(&self, why: &str) -> Fault {
        Fault::Unreadable {
            at: self.at,
            why: why.to_owned(),
        }
    }

    /// What stands within something else, which goes only so deep.
    fn within(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Number, Fault>,
    ) -> Result<Number, Fault> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.unreadable(&format!(
                "more than {DEPTH_MAX} brackets or signs stand within each other"
            )));
        }
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn sum(&mut self) -> Result<Number, Fault> {
        let mut value = self.product()?;
        loop {
            value = if self.takes(&["+"]) {
                value.plus(&self.product()?)?
            } else if self.takes(&MINUS) {
                value.plus(&self.product()?.negative())?
            } else {
                return Ok(value);
            };
        }
    }

    fn product(&mut self) -> Result<Number, Fault> {
        let mut value = self.signed()?;
        loop {
            value = if self.takes(&["*", "×", "·"]) {
                value.times(&self.signed()?)?
            } else if self.takes(&["//"]) {
                return Err(self.unreadable("// is no sign here: floor(7 / 2) rounds down"));
            } else if self.takes(&["/", "÷"]) {
                value.over(&self.signed()?)?
            } else if self.takes(&["%"]) {
                if matches!(self.next(), None | Some(')' | ',' | '+' | '*' | '/')) {
                    return Err(self
                        .unreadable("% is the remainder: 7 % 3. A part in a hundred is 50 / 100"));
                }
                value.remainder(&self.signed()?)?
            } else {
                return Ok(value);
            };
        }
    }

    fn signed(&mut self) -> Result<Number, Fault> {
        if self.takes(&MINUS) {
            return Ok(self.within(Self::signed)?.negative());
        }
        if self.takes(&["+"]) {
            return self.within(Self::signed);
        }
        let base = self.atom()?;
        if self.takes(&["**", "^"]) {
            let times = self.within(Self::signed)?;
            return base.power(&times);
        }
        Ok(base)
    }

    fn atom(&mut self) -> Result<Number, Fault> {
        if self.takes(&["("]) {
            let value = self.within(Self::sum)?;
            self.closes(")")?;
            return Ok(value);
        }
        match self.next() {
            Some(letter) if letter.is_ascii_digit() || letter == '.' => self.number(),
            Some(letter) if letter.is_alphabetic() || letter == '_' => self.named(),
            Some(_) => Err(self.unreadable("a number, a bracket or a function is expected here")),
            None => Err(self.unreadable("it ends where a number is expected")),
        }
    }

    fn closes(&mut self, bracket: &str) -> Result<(), Fault> {
        match self.takes(&[bracket]) {
            true => Ok(()),
            false => Err(self.unreadable(&format!("a bracket is not closed: {bracket}"))),
        }
    }

    fn digits(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest
            .find(|letter: char| !letter.is_ascii_digit())
            .unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn number(&mut self) -> Result<Number, Fault> {
        let begin = self.at;
        let whole = self.digits();
        let is_pointed = self.rest().starts_with('.');
        self.at += usize::from(is_pointed);
        let part = if is_pointed { self.digits() } else { "" };
        let digits = format!("{whole}{part}");
        if digits.is_empty() || digits.len() > DIGITS_MAX {
            self.at = begin;
            return Err(self.unreadable(&format!("a number has 1 to {DIGITS_MAX} digits")));
        }
        let mut power = 0;
        let exponent = self.rest().strip_prefix(['e', 'E']);
        let unsigned = exponent.map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
        if let (Some(rest), Some(unsigned)) = (
            exponent,
            unsigned.filter(|digits| digits.starts_with(|letter: char| letter.is_ascii_digit())),
        ) {
            self.at += 1 + rest.len() - unsigned.len();
            let size = self
                .digits()
                .parse::<i32>()
                .ok()
                .filter(|size| *size <= POWER_MAX);
            let Some(size) = size else {
                self.at = begin;
                return Err(self.unreadable(&format!(
                    "the power of ten of a number is at most {POWER_MAX}"
                )));
            };
            power = if rest.starts_with('-') { -size } else { size };
        }
        Number::parse(&digits, part.len(), power)
    }

    fn named(&mut self) -> Result<Number, Fault> {
        let begin = self.at;
        let rest = self.rest();
        let end = rest
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default();
        let lower = name.to_lowercase();
        self.at += end;
        let called = self.next() == Some('(');
        match lower.as_str() {
            "pi" | "π" if !called => return Ok(Number::Real(std::f64::consts::PI)),
            "e" if !called => return Ok(Number::Real(std::f64::consts::E)),
            _ => {}
        }
        let Some((_, example)) = FUNCTIONS.iter().find(|(known, _)| *known == lower) else {
            self.at = begin;
            return Err(self.unreadable(&unknown(name)));
        };
        if !self.takes(&["("]) {
            return Err(
                self.unreadable(&format!("{lower} takes its values in brackets: {example}"))
            );
        }
        let is_list = LISTED.contains(&lower.as_str()) && self.takes(&["["]);
        let values = self.values(if is_list { ']' } else { ')' })?;
        if is_list {
            self.closes("]")?;
        }
        self.closes(")")?;
        applied(&lower, &values)?.ok_or_else(|| {
            self.at = begin;
            self.unreadable(&format!(
                "{lower} does not take {}: {example}",
                counted(values.len(), "value", "values")
            ))
        })
    }

    /// What stands up to that bracket, with commas between.
    fn values(&mut self, end: char) -> Result<Vec<Number>, Fault> {
        let mut values = Vec::new();
        if self.next() == Some(end) {
            return Ok(values);
        }
        loop {
            values.push(self.within(Self::sum)?);
            if !self.takes(&[","]) {
                return Ok(values);
            }
        }
    }
}

/// The value of a function; `None` where it takes another number of values.
fn applied(name: &str, values: &[Number]) -> Result<Option<Number>, Fault> {
    let real = |value: f64| Number::real(value).map(Some);
    let best = |wanted: Ordering| {
        let better = |best: Number, next: &Number| {
            if next.compare(&best) == wanted {
                next.clone()
            } else {
                best
            }
        };
        let (first, rest) = values.split_first()?;
        Some(rest.iter().fold(first.clone(), better))
    };
    match (name, values) {
        ("abs", [value]) => Ok(Some(if value.is_negative() {
            value.negative()
        } else {
            value.clone()
        })),
        ("round", [value]) => value.round().map(Some),
        ("round", [value, places]) => {
            let Some(places) = places.small().filter(|places| (0..=6).contains(places)) else {
                return Err(Fault::Outside(
                    "round takes 0 to 6 places: round(2.345, 2)".to_owned(),
                ));
            };
            let scale = Number::whole(10_i64.pow(places.unsigned_abs()));
            value.times(&scale)?.round()?.over(&scale).map(Some)
        }
        ("floor", [value]) => Ok(Some(value.floor())),
        ("ceil", [value]) => Ok(Some(value.negative().floor().negative())),
        ("min", _) => Ok(best(Ordering::Less)),
        ("max", _) => Ok(best(Ordering::Greater)),
        ("sum", _) => values
            .iter()
            .try_fold(Number::whole(0), |sum, next| sum.plus(next))
            .map(Some),
        ("sqrt", [value]) => value.root().map(Some),
        ("pow", [base, times]) => base.power(times).map(Some),
        ("sin", [angle]) => real(angle.as_real()?.sin()),
        ("cos", [angle]) => real(angle.to_f64().cos()),
        ("tan", [angle]) => real(angle.as_real()?.tan()),
        ("log", [value]) => real(above_zero(value)?.ln()),
        ("log", [value, base]) => {
            let (value, base) = (above_zero(value)?.ln(), above_zero(base)?.ln());
            if base == 0.0 {
                Err(Fault::Zero)
            } else {
                real(value / base)
            }
        }
        ("log10", [value]) => real(above_zero(value)?.log10()),
        _ => Ok(None),
    }
}

fn above_zero(value: &Number) -> Result<f64, Fault> {
    match value.is_negative() || value.is_zero() {
        true => Err(Fault::Outside(
            "only numbers above zero have a logarithm".to_owned(),
        )),
        false => value.as_real(),
    }
}

fn unknown(name: &str) -> String {
    let known: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
    let hint = match suggest(name, known.iter().copied()).first() {
        Some(near) => format!("did you mean {near}?"),
        None => format!("there are {}, and the numbers pi and e", known.join(", ")),
    };
    format!("nothing is called \"{}\" here: {hint}", quoted(name))
}
