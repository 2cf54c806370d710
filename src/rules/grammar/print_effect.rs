//! How effects, conditions and durations are written: what is printed is read as the same again.

use std::fmt::{Display, Formatter, Result};

use super::condition::Condition;
use super::effect::{Act, Duration, EDGES, ENDS, Effect, Move, Moved, Sign, TURNS, Turn};
use super::print::Amount;
use super::tree::Expr;

impl Display for Sign {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        write!(to, "{}", if *self == Sign::Plus { '+' } else { '-' })
    }
}

impl Display for Condition {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Condition::Otherwise => write!(to, "otherwise"),
            Condition::Within(what, Some(range)) => write!(to, "{what} {range}"),
            Condition::Within(what, None) if what.may_stand_alone() => write!(to, "{what}"),
            Condition::Within(what, None) => write!(to, "`{what}`"),
            Condition::Not(inner) => write!(to, "not {inner}"),
            Condition::And(left, right) => write!(to, "{left} and {right}"),
            Condition::Or(left, right) => write!(to, "{left} or {right}"),
        }
    }
}

impl Display for Duration {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Duration::For(many, unit) => write!(to, "for {many} {}", unit.word(*many == 1)),
            Duration::UntilRemoved => write!(to, "until removed"),
            Duration::UntilNextCheck => write!(to, "until next check"),
            Duration::UntilSucceeds(name) => write!(to, "until {name} succeeds"),
            Duration::UntilRest(rest) => write!(to, "until {}", rest.name()),
            Duration::UntilEnd(end) => {
                write!(to, "until end of {}", ENDS.iter().find(|(_, own)| own == end).map_or("", |own| own.0))
            }
            Duration::UntilTurn(Turn { edge, of_source, next }) => {
                let edge = EDGES.iter().find(|(_, own)| own == edge).map_or("", |own| own.0);
                let turn = TURNS.iter().find(|own| (own.1, own.2) == (*of_source, *next)).map_or("", |own| own.0);
                write!(to, "until {edge} {turn}")
            }
        }
    }
}

impl Display for Moved {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Moved::Named(name) => write!(to, "{name} "),
            Moved::Ref(own) => write!(to, "{own} "),
            Moved::Here => Ok(()),
        }
    }
}

impl Display for Move {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Move::By(sign, amount) => write!(to, "{sign}{}", Amount(amount)),
            Move::Steps(sign, many) => {
                write!(to, "{sign}{} {}", Amount(many), if *many == Expr::Number(1) { "step" } else { "steps" })
            }
            Move::To(amount) => write!(to, "to {}", Amount(amount)),
            Move::ToMax => write!(to, "to max"),
            Move::Max(sign, amount, lasts) => {
                write!(to, "max {sign}{}", Amount(amount))?;
                lasts.as_ref().map_or(Ok(()), |own| write!(to, " {own}"))
            }
        }
    }
}

impl Display for Act {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Act::Move(moved, own) => write!(to, "{moved}{own}"),
            Act::Gain { condition, level, lasts } => {
                write!(to, "gain {condition}")?;
                level.as_ref().map_or(Ok(()), |own| write!(to, " {}", Amount(own)))?;
                lasts.as_ref().map_or(Ok(()), |own| write!(to, " {own}"))
            }
            Act::Lose { condition } => write!(to, "lose {condition}"),
            Act::Pass { amount, unit } => {
                let is_one = *amount == Expr::Number(1);
                let verb = if is_one { "passes" } else { "pass" };
                write!(to, "{} {} {verb}", Amount(amount), unit.word(is_one))
            }
            Act::Damage { amount, kind } => {
                let kind = kind.as_ref().map_or(String::new(), |own| format!(" {own}"));
                write!(to, "{}{kind} damage", Amount(amount))
            }
        }
    }
}

impl Display for Effect {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        write!(to, "{}", self.act)?;
        self.only_if.as_ref().map_or(Ok(()), |own| write!(to, " if {own}"))
    }
}
