//! `Again Push: reroll all but 6s, body 1s; after failure`: what may be done after a roll.

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
    /// How often it may follow one roll; none: any number of times.
    pub times: Option<u32>,
    /// The outcomes after which it is allowed; empty: all of them.
    pub after: Vec<Outcome>,
    pub costs: Vec<Effect>,
    /// Dice that it adds: how many, and their label.
    pub adds: Vec<(i64, String)>,
    /// Points that the call names, the fewest and the most.
    pub asks: Vec<(String, Expr, Expr)>,
    pub only_if: Option<Condition>,
    /// Other rules of the check that exclude it on the same roll.
    pub not_with: Vec<String>,
}

/// What happens to the roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgainChange<T> {
    /// Dice are rolled again.
    Reroll {
        /// Which dice; none: all.
        dice: Option<Vec<Faces>>,
        /// Whether these are kept, and the others rolled.
        stay: bool,
    },
    /// This is added to the total.
    Add(T),
    /// The total is this.
    Set(T),
}

/// Dice that show a face, belong to a labelled group, or both: `6s`, `body 1s`, `gear dice`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faces {
    /// The folded label of their group; none: any dice.
    pub label: Option<String>,
    /// The face that they show; none: any face.
    pub face: Option<i64>,
}

impl<T> AgainChange<T> {
    /// The same with a converted amount.
    ///
    /// # Errors
    /// What `amount` refuses.
    pub fn map<U, E>(&self, amount: impl FnOnce(&T) -> Result<U, E>) -> Result<AgainChange<U>, E> {
        Ok(match self {
            Self::Reroll { dice, stay } => AgainChange::Reroll {
                dice: dice.clone(),
                stay: *stay,
            },
            Self::Add(added) => AgainChange::Add(amount(added)?),
            Self::Set(total) => AgainChange::Set(amount(total)?),
        })
    }
}

fn faces(at: &mut Cursor<'_>) -> Option<Faces> {
    let label = at
        .attempt(|at| at.name(&[Thing::Label], "a label of dice"))
        .map(|label| fold(&label));
    let face = match label.is_some() && at.words("dice").is_some() {
        true => None,
        false => Some(face(at)?),
    };
    Some(Faces { label, face })
}

fn change(at: &mut Cursor<'_>) -> Option<AgainChange<Expr>> {
    let reroll = [
        ("reroll all but", (true, true)),
        ("reroll all", (false, false)),
        ("reroll", (true, false)),
    ];
    if let Some((some, stay)) = at.one_of(&reroll) {
        let dice = if some { Some(at.run(faces)?) } else { None };
        return Some(AgainChange::Reroll { dice, stay });
    }
    if at.words("add").is_some() {
        return amount(at).map(AgainChange::Add);
    }
    if at.words("subtract").is_some() {
        return amount(at).map(|amount| AgainChange::Add(amount.negative()));
    }
    at.words("set")?;
    amount(at).map(AgainChange::Set)
}

/// The rule after its name.
pub fn again(at: &mut Cursor<'_>, name: String) -> Option<Again> {
    let (change, times) = (change(at)?, Some(1));
    let (after, costs, adds, asks, not_with) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut again = Again {
        name,
        change,
        times,
        after,
        costs,
        adds,
        asks,
        only_if: None,
        not_with,
    };
    while at.separator().is_some() {
        option(at, &mut again)?;
    }
    Some(again)
}

fn option(at: &mut Cursor<'_>, again: &mut Again) -> Option<()> {
    if at.words("costs").is_some() {
        // Words for people may be a cost.
        if at.emphasis().is_none() {
            again.costs.push(effect(at)?);
        }
    } else if at.words("adds").is_some() {
        again
            .adds
            .push((at.number()?, at.name(&[Thing::Label], "a label of dice")?));
    } else if at.words("after").is_some() {
        let outcomes = Outcome::ALL.map(|outcome| (outcome.as_str(), outcome));
        again.after.extend(at.run(|at| at.one_of(&outcomes))?);
    } else if at.words("asks").is_some() {
        let name = at.name(&[Thing::Ask], "a name")?;
        again.asks.push(match range(at)? {
            Range::Between(low, high) => (name, low, high),
            Range::Exactly(many) => (name, many.clone(), many),
            Range::AtLeast(_) | Range::AtMost(_) => return at.miss("the fewest and the most"),
        });
    } else if again.only_if.is_none() && at.words("if").is_some() {
        again.only_if = Some(condition(at)?);
    } else if at.words("not with").is_some() {
        again
            .not_with
            .push(at.name(&[Thing::Again], "a rule for again")?);
    } else if at.words("twice").is_some() {
        again.times = Some(2);
    } else {
        at.words("any number of times")?;
        again.times = None;
    }
    Some(())
}
