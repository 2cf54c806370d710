//! Prints expressions and ranges, so that they are read as the same again.

use std::borrow::Cow;
use std::fmt::{Display, Formatter, Result};

use super::tree::{
    Among, CHOICES, Dice, Die, Expr, From, Measure, Mod, Op, Part, Range, Ref, WORDS, What, Which,
};

/// How tightly the parts without a sign bind.
const ATOM: u8 = 9;
/// How tightly `not` and a minus bind.
const NOT: u8 = 3;
const MINUS: u8 = 7;

impl Expr {
    fn binds(&self) -> u8 {
        match self {
            Expr::Binary(_, op, _) => op.written().1,
            Expr::Not(_) => NOT,
            Expr::Minus(_) => MINUS,
            Expr::Number(number) if *number < 0 => MINUS,
            _ => ATOM,
        }
    }

    /// Whether a modifier of dice may follow it.
    fn ends_in_dice(&self) -> bool {
        match self {
            Expr::Dice(_) | Expr::Group(..) => true,
            Expr::Minus(inner) | Expr::Not(inner) => inner.ends_in_dice(),
            Expr::Binary(_, _, right) => right.ends_in_dice(),
            Expr::Number(_) | Expr::Ref(_) | Expr::Measure(_) | Expr::Call(..) => false,
        }
    }

    /// Prints it with brackets where it binds less tightly than its place.
    fn within(&self, to: &mut Formatter<'_>, least: u8) -> Result {
        if self.binds() < least {
            write!(to, "({self})")
        } else {
            write!(to, "{self}")
        }
    }

    /// Prints a count, size or modifier's number: with brackets around all but numbers and names.
    fn counted(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Expr::Number(number) if *number >= 0 => write!(to, "{number}"),
            Expr::Ref(reference) => write!(to, "{reference}"),
            other => write!(to, "({other})"),
        }
    }

    /// As dice notation, which wants brackets around conditions.
    pub fn in_notation(&self) -> String {
        match self {
            Expr::Not(_) => format!("({self})"),
            Expr::Binary(_, op, _) if !op.is_arithmetic() => format!("({self})"),
            _ => self.to_string(),
        }
    }
}

impl Display for Expr {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Expr::Number(number) => write!(to, "{number}"),
            Expr::Ref(reference) => write!(to, "{reference}"),
            Expr::Dice(dice) => write!(to, "{dice}"),
            Expr::Measure(measure) => write!(to, "{measure}"),
            Expr::Group(all, mods) => {
                write!(to, "{{{}}}", joined(all, ", "))?;
                mods.iter()
                    .try_for_each(|modifier| write!(to, "{modifier}"))
            }
            Expr::Minus(inner) => {
                write!(to, "-")?;
                inner.within(to, ATOM)
            }
            Expr::Not(inner) => {
                write!(to, "not ")?;
                inner.within(to, NOT)
            }
            Expr::Binary(left, op, right) => {
                let (written, binds) = op.written();
                // Comparisons follow each other in brackets only.
                let is_comparison = !matches!(op, Op::Or | Op::And) && binds == 4;
                // After dice the notation would read a comparison as a count of them.
                if is_comparison && left.ends_in_dice() {
                    write!(to, "({left})")?;
                } else {
                    left.within(to, binds + u8::from(is_comparison))?;
                }
                write!(to, " {written} ")?;
                right.within(to, binds + 1)
            }
            Expr::Call(function, all) => {
                write!(to, "{}({})", function.as_str(), joined(all, ", "))
            }
        }
    }
}

/// The words of a value in a table of spellings.
pub fn spelling<T: PartialEq>(spellings: &[(&'static str, T)], value: &T) -> &'static str {
    spellings
        .iter()
        .find(|(_, other)| other == value)
        .map_or("", |(words, _)| words)
}

fn joined<T: Display>(all: &[T], between: &str) -> String {
    all.iter()
        .map(ToString::to_string)
        .collect::<Vec<String>>()
        .join(between)
}

impl Ref {
    /// The name that is looked up, with `target`, `max` or `score`, without a default.
    pub fn lookup_name(&self) -> Cow<'_, str> {
        let target = if self.of_target { "target " } else { "" };
        let part = match self.part {
            Part::Whole if !self.of_target => return Cow::Borrowed(&self.name),
            Part::Whole => "",
            Part::Max => " max",
            Part::Score => " score",
        };
        Cow::Owned(format!("{target}{}{part}", self.name))
    }
}

impl Display for Ref {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        let default = self
            .default
            .map(|number| format!("={number}"))
            .unwrap_or_default();
        write!(to, "{{{}{default}}}", self.lookup_name())
    }
}

impl Display for Dice {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        if let Some(count) = &self.count {
            count.counted(to)?;
        }
        match &self.die {
            Die::Sides(sides) => {
                write!(to, "d")?;
                sides.counted(to)?;
            }
            Die::Percent => write!(to, "d%")?,
            Die::Fudge => write!(to, "dF")?,
            Die::Named(name) if self.count.is_some() => write!(to, " {name}")?,
            Die::Named(name) => write!(to, "{name}")?,
        }
        self.mods
            .iter()
            .try_for_each(|modifier| write!(to, "{modifier}"))?;
        self.label
            .as_ref()
            .map_or(Ok(()), |label| write!(to, "[{label}]"))
    }
}

impl Display for Mod {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        write!(
            to,
            "{}{}",
            self.word,
            self.compared.map_or("", |op| op.written().0)
        )?;
        self.number
            .as_ref()
            .map_or(Ok(()), |number| number.counted(to))
    }
}

impl Display for Measure {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        if let Some(label) = &self.label {
            write!(to, "{label} ")?;
        }
        match &self.what {
            What::Word(word) => to.write_str(spelling(&WORDS, word)),
            What::Face(face) => write!(to, "{face}s"),
            What::Symbol(name) => write!(to, "{name}"),
            What::Of(choice, among) => write!(to, "{}({among})", spelling(&CHOICES, choice)),
        }
    }
}

impl Display for Among {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        let (from, which) = match self {
            Among::Natural => return write!(to, "natural"),
            Among::Set(2) => return write!(to, "second"),
            Among::Set(_) => return write!(to, "third"),
            Among::Tens => return write!(to, "tens"),
            Among::Units => return write!(to, "units"),
            Among::Dice { from, which } => (from, which),
        };
        let from = match from {
            From::Kept => "",
            From::All => "all",
            From::Dropped => "dropped",
        };
        let blank = if from.is_empty() || which.is_none() {
            ""
        } else {
            " "
        };
        write!(to, "{from}{blank}")?;
        match which {
            Some(Which::Highest(amount)) => write!(to, "highest {}", Amount(amount)),
            Some(Which::Lowest(amount)) => write!(to, "lowest {}", Amount(amount)),
            Some(Which::Showing(range)) => write!(to, "{range}"),
            None => Ok(()),
        }
    }
}

/// An expression as an amount: in backticks where it is more than a number, a name or dice.
pub struct Amount<'e>(pub &'e Expr);

impl Display for Amount<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self.0 {
            Expr::Number(_) | Expr::Ref(_) | Expr::Dice(_) => write!(to, "{}", self.0),
            other => write!(to, "`{other}`"),
        }
    }
}

impl Display for Range {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Range::Exactly(amount) => write!(to, "{}", Amount(amount)),
            Range::AtLeast(amount) => write!(to, "{}+", Amount(amount)),
            Range::AtMost(amount) => write!(to, "{} or less", Amount(amount)),
            Range::Between(low, high) => write!(to, "{} to {}", Amount(low), Amount(high)),
        }
    }
}
