//! `Again Push: reroll all but 6s, body 1s; after failure`: what may be done with a roll that was made.

use super::condition::{Condition, condition};
use super::cursor::Cursor;
use super::effect::{Effect, effect};
use super::expr::{amount, face, range};
use super::names::Thing;
use super::outcome::Outcome;
use super::tree::{Expr, Range};
use rollbook_text::names::fold;

/// A rule of a check for `again`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Again {
    pub name: String,
    pub change: AgainChange<Expr>,
    /// How often one roll may be followed by it; none: as often as one likes.
    pub times: Option<u32>,
    /// The outcomes that may be followed; empty: all of them.
    pub after: Vec<Outcome>,
    pub costs: Vec<Effect>,
    /// Dice that it adds, so many of a label.
    pub adds: Vec<(i64, String)>,
    /// Points that the call names, the fewest and the most.
    pub asks: Vec<(String, Expr, Expr)>,
    pub only_if: Option<Condition>,
    /// The check's other rules with which it is never used on one roll.
    pub not_with: Vec<String>,
}

/// What happens to a roll that is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgainChange<T> {
    /// Dice are rolled again.
    Reroll {
        /// These; none: all.
        dice: Option<Vec<Faces>>,
        /// Whether these are the ones that stay.
        stay: bool,
    },
    /// So much is added to the total.
    Add(T),
    /// The total is this.
    Set(T),
}

/// Dice of a roll that show a face, or that belong to a labelled group, or both: `6s`, `body 1s`, `gear dice`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faces {
    /// The folded label of their group; none: of the whole roll.
    pub label: Option<String>,
    /// The face that they show; none: whatever they show.
    pub face: Option<i64>,
}

impl<T> AgainChange<T> {
    /// The same with its amount as something else.
    ///
    /// # Errors
    /// What `amount` refuses.
    pub fn map<U, E>(&self, amount: impl FnOnce(&T) -> Result<U, E>) -> Result<AgainChange<U>, E> {
        Ok(match self {
            Self::Reroll { dice, stay } => AgainChange::Reroll { dice: dice.clone(), stay: *stay },
            Self::Add(own) => AgainChange::Add(amount(own)?),
            Self::Set(own) => AgainChange::Set(amount(own)?),
        })
    }
}

fn faces(at: &mut Cursor<'_>) -> Option<Faces> {
    let label = at.attempt(|at| at.name(&[Thing::Label], "a label of dice")).map(|own| fold(&own));
    let face = match label.is_some() && at.words("dice").is_some() {
        true => None,
        false => Some(face(at)?),
    };
    Some(Faces { label, face })
}

fn change(at: &mut Cursor<'_>) -> Option<AgainChange<Expr>> {
    let reroll = [("reroll all but", (true, true)), ("reroll all", (false, false)), ("reroll", (true, false))];
    if let Some((some, stay)) = at.one_of(&reroll) {
        let dice = if some { Some(at.run(faces)?) } else { None };
        return Some(AgainChange::Reroll { dice, stay });
    }
    if at.words("add").is_some() {
        return amount(at).map(AgainChange::Add);
    }
    if at.words("subtract").is_some() {
        return amount(at).map(|own| AgainChange::Add(own.negative()));
    }
    at.words("set")?;
    amount(at).map(AgainChange::Set)
}

/// A number that the call gives by the same rule is not declared anywhere else.
pub fn again(at: &mut Cursor<'_>, name: String) -> Option<Again> {
    let (change, times) = (change(at)?, Some(1));
    let (after, costs, adds, asks, not_with) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut own = Again { name, change, times, after, costs, adds, asks, only_if: None, not_with };
    while at.separator().is_some() {
        option(at, &mut own)?;
    }
    Some(own)
}

fn option(at: &mut Cursor<'_>, own: &mut Again) -> Option<()> {
    if at.words("costs").is_some() {
        // Words for people are an item here, too.
        if at.emphasis().is_none() {
            own.costs.push(effect(at)?);
        }
    } else if at.words("adds").is_some() {
        own.adds.push((at.number()?, at.name(&[Thing::Label], "a label of dice")?));
    } else if at.words("after").is_some() {
        let outcomes = Outcome::ALL.map(|own| (own.as_str(), own));
        own.after.extend(at.run(|at| at.one_of(&outcomes))?);
    } else if at.words("asks").is_some() {
        let name = at.name(&[Thing::Ask], "a name")?;
        own.asks.push(match range(at)? {
            Range::Between(low, high) => (name, low, high),
            Range::Exactly(many) => (name, many.clone(), many),
            Range::AtLeast(_) | Range::AtMost(_) => return at.miss("the fewest and the most"),
        });
    } else if own.only_if.is_none() && at.words("if").is_some() {
        own.only_if = Some(condition(at)?);
    } else if at.words("not with").is_some() {
        own.not_with.push(at.name(&[Thing::Again], "a rule for again")?);
    } else if at.words("twice").is_some() {
        own.times = Some(2);
    } else {
        at.words("any number of times")?;
        own.times = None;
    }
    Some(())
}
