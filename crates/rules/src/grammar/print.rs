//! How expressions and ranges are written: what is printed is read as the same again.

use std::borrow::Cow;
use std::fmt::{Display, Formatter, Result};

use super::tree::{Among, CHOICES, Dice, Die, Expr, From, Measure, Mod, Op, Part, Range, Ref, WORDS, What, Which};

/// How tightly what is not joined by a sign binds.
const ATOM: u8 = 9;
/// And `not` before something, and a minus.
const NOT: u8 = 3;
const MINUS: u8 = 7;

impl Expr {
    fn binds(&self) -> u8 {
        match self {
            Expr::Binary(_, op, _) => op.written().1,
            Expr::Not(_) => NOT,
            Expr::Minus(_) => MINUS,
            Expr::Number(own) if *own < 0 => MINUS,
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

    /// With brackets where it binds less tightly than its place.
    fn within(&self, to: &mut Formatter<'_>, least: u8) -> Result {
        if self.binds() < least { write!(to, "({self})") } else { write!(to, "{self}") }
    }

    /// As a count, a size or the number of a modifier: brackets around all but numbers and names.
    fn counted(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Expr::Number(own) if *own >= 0 => write!(to, "{own}"),
            Expr::Ref(own) => write!(to, "{own}"),
            other => write!(to, "({other})"),
        }
    }
}

impl Expr {
    /// As it stands where dice are rolled: what is true or not stands in brackets there.
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
            Expr::Number(own) => write!(to, "{own}"),
            Expr::Ref(own) => write!(to, "{own}"),
            Expr::Dice(own) => write!(to, "{own}"),
            Expr::Measure(own) => write!(to, "{own}"),
            Expr::Group(all, mods) => {
                write!(to, "{{{}}}", joined(all, ", "))?;
                mods.iter().try_for_each(|own| write!(to, "{own}"))
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
                // Comparisons stand side by side in brackets only.
                let is_comparison = !matches!(op, Op::Or | Op::And) && binds == 4;
                // Right behind dice the notation would read a comparison as a count of them.
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

fn joined<T: Display>(all: &[T], between: &str) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<String>>().join(between)
}

impl Ref {
    /// What is looked up: the name with what of it and whose, without a default.
    pub fn called(&self) -> Cow<'_, str> {
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
        let default = self.default.map(|own| format!("={own}")).unwrap_or_default();
        write!(to, "{{{}{default}}}", self.called())
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
            Die::Own(name) if self.count.is_some() => write!(to, " {name}")?,
            Die::Own(name) => write!(to, "{name}")?,
        }
        self.mods.iter().try_for_each(|own| write!(to, "{own}"))?;
        self.label.as_ref().map_or(Ok(()), |label| write!(to, "[{label}]"))
    }
}

impl Display for Mod {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        write!(to, "{}{}", self.word, self.compared.map_or("", |own| own.written().0))?;
        self.number.as_ref().map_or(Ok(()), |own| own.counted(to))
    }
}

impl Display for Measure {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        if let Some(label) = &self.label {
            write!(to, "{label} ")?;
        }
        match &self.what {
            What::Word(own) => write!(to, "{}", WORDS.iter().find(|(_, word)| word == own).map_or("", |own| own.0)),
            What::Face(face) => write!(to, "{face}s"),
            What::Symbol(name) => write!(to, "{name}"),
            What::Of(choice, among) => {
                let name = CHOICES.iter().find(|(_, own)| own == choice).map_or("", |own| own.0);
                write!(to, "{name}({among})")
            }
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
        let blank = if from.is_empty() || which.is_none() { "" } else { " " };
        write!(to, "{from}{blank}")?;
        match which {
            Some(Which::Highest(own)) => write!(to, "highest {}", Amount(own)),
            Some(Which::Lowest(own)) => write!(to, "lowest {}", Amount(own)),
            Some(Which::Showing(own)) => write!(to, "{own}"),
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
            Range::Exactly(own) => write!(to, "{}", Amount(own)),
            Range::AtLeast(own) => write!(to, "{}+", Amount(own)),
            Range::AtMost(own) => write!(to, "{} or less", Amount(own)),
            Range::Between(low, high) => write!(to, "{} to {}", Amount(low), Amount(high)),
        }
    }
}
