//! Prints effects, conditions and durations, so that they are read as the same again.

use std::fmt::{Display, Formatter, Result};

use super::condition::Condition;
use super::effect::{
    self, Act, By, Change, Duration, EDGES, ENDS, Effect, Move, Moved, Scope, Sign, TURNS, Turn,
    Unit,
};
use super::line::{Against, Defence};
use super::print::{Amount, spelling};

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
            Duration::UntilEnd(end) => write!(to, "until end of {}", spelling(&ENDS, end)),
            Duration::UntilTurn(Turn {
                edge,
                of_source,
                next,
            }) => {
                let turn = TURNS
                    .iter()
                    .find(|(_, source, later)| (source, later) == (of_source, next));
                write!(
                    to,
                    "until {} {}",
                    spelling(&EDGES, edge),
                    turn.map_or("", |(words, ..)| words)
                )
            }
        }
    }
}

impl Display for Moved {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Moved::Named(name) => write!(to, "{name} "),
            Moved::Ref(reference) => write!(to, "{reference} "),
            Moved::Here => Ok(()),
        }
    }
}

impl Display for Move {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Move::By(sign, amount) => write!(to, "{sign}{}", Amount(amount)),
            Move::Steps(steps) => write!(to, "{}", signed_count(*steps, "step", "steps")),
            Move::To(amount) => write!(to, "to {}", Amount(amount)),
            Move::ToMax => write!(to, "to max"),
            Move::Max(sign, amount, lasts) => {
                write!(to, "max {sign}{}", Amount(amount))?;
                lasts
                    .as_ref()
                    .map_or(Ok(()), |duration| write!(to, " {duration}"))
            }
        }
    }
}

impl Display for Act {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Act::Move(moved, change) => write!(to, "{moved}{change}"),
            Act::Gain {
                condition,
                level,
                lasts,
            } => {
                write!(to, "gain {condition}")?;
                level
                    .as_ref()
                    .map_or(Ok(()), |amount| write!(to, " {}", Amount(amount)))?;
                lasts
                    .as_ref()
                    .map_or(Ok(()), |duration| write!(to, " {duration}"))
            }
            Act::Lose { condition } => write!(to, "lose {condition}"),
            Act::Pass { seconds } => {
                let words = span_words(*seconds);
                // A single unit of one kind.
                let is_one = words.starts_with("1 ") && words.split(' ').count() == 2;
                write!(to, "{words} {}", if is_one { "passes" } else { "pass" })
            }
            Act::Damage { amount, kind } => {
                let kind = kind
                    .as_ref()
                    .map_or(String::new(), |name| format!(" {name}"));
                write!(to, "{}{kind} damage", Amount(amount))
            }
        }
    }
}

impl Display for Effect {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        write!(to, "{}", self.act)?;
        self.only_if
            .as_ref()
            .map_or(Ok(()), |condition| write!(to, " if {condition}"))
    }
}

impl Display for effect::Amount {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match &self.level_of {
            Some(name) => write!(to, "{}{{{name}}}", if self.number < 0 { '-' } else { '+' }),
            None => write!(to, "{:+}", self.number),
        }
    }
}

impl Display for Change {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        let noun =
            |amount: &effect::Amount, one, many| if amount.number.abs() == 1 { one } else { many };
        match &self.by {
            By::Add(amount) => write!(to, "{amount}")?,
            By::Dice(amount) => write!(to, "{amount} {}", noun(amount, "die", "dice"))?,
            By::Steps(amount) => write!(to, "{amount} {}", noun(amount, "step", "steps"))?,
            By::Advantage => write!(to, "advantage")?,
            By::Disadvantage => write!(to, "disadvantage")?,
        }
        let on = self.on.iter().map(|scope| match scope {
            Scope::Checks => "checks",
            Scope::Attacks => "attacks",
            Scope::Attribute(name) | Scope::Skill(name) | Scope::Check(name) => name,
        });
        let against = if self.against_bearer {
            " against bearer"
        } else {
            ""
        };
        write!(to, " on {}{against}", on.collect::<Vec<_>>().join(" and "))
    }
}

impl<N: Display> Display for Against<N> {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Against::Subtract(amount) => write!(to, "subtract {amount}"),
            Against::Times(amount) => write!(to, "times {amount}"),
            Against::IgnoreUnder(amount) => write!(to, "ignore under {amount}"),
            Against::Half => write!(to, "half"),
            Against::Double => write!(to, "double"),
            Against::None => write!(to, "none"),
        }
    }
}

/// Prints what it does, without its name.
impl<N: Display> Display for Defence<N> {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        write!(to, "{}", self.does)?;
        for (word, types) in [("from", &self.from), ("except", &self.except)] {
            if !types.is_empty() {
                write!(to, " {word} {}", types.join(" and "))?;
            }
        }
        write!(to, "{}", if self.for_all { " for all" } else { "" })?;
        self.least.as_ref().map_or(Ok(()), |amount| {
            write!(to, ", at least {amount} gets through")
        })
    }
}

/// `-1 die`, `+2 dice`.
pub fn signed_count(many: i64, one: &str, several: &str) -> String {
    format!("{many:+} {}", if many.abs() == 1 { one } else { several })
}

/// "2 hours", "1 day, 4 hours and 10 minutes".
pub fn span_words(seconds: i64) -> String {
    let mut left = seconds;
    let mut parts: Vec<String> = Vec::new();
    // Weeks are printed in days.
    for unit in [Unit::Day, Unit::Hour, Unit::Minute, Unit::Second] {
        let seconds = unit.seconds().unwrap_or(1);
        let many = left / seconds;
        left -= many * seconds;
        if many > 0 {
            parts.push(format!("{many} {}", unit.word(many == 1)));
        }
    }
    match parts.split_last() {
        None => "no time".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
    }
}
