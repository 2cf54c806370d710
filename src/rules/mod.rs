//! System.md -> [`System`] and diagnostics. Strings in, values out; no file is opened here.
//!
//! [`read`] takes the texts, builds a [`document`] that knows where each word stands, and hands it to one reader a
//! section (`read/`). The readers take what they can and write down what they cannot; nothing stops them. Then the
//! lints look at the whole. What prose leaves open is filled by stated defaults, each noted as an [`Assumption`].
//!
//! Words: a *check* is how an uncertain thing is resolved; a *row* is one line of its outcome table; a *track* is a number
//! that play moves; a *trigger* is what happens when it reaches an end. A *condition* of a row is a comparison on dice; a
//! condition of a character is a [`ConditionRule`].

mod assumption;
mod attribute;
mod check;
pub mod codes;
mod condition;
pub mod document;
pub mod explained;
mod facts;
mod initiative;
mod limits;
mod lint;
mod model;
mod modifier;
mod outcome;
mod policy;
mod read;
mod reading;
mod rest;
mod section;
mod skill;
mod swap;
mod system;
#[cfg(test)]
mod tests;
mod track;
mod trigger;
mod understood;
mod unknown;
pub mod when;

pub use assumption::Assumption;
pub use attribute::Attribute;
pub use check::{Check, Judgement, Row, Succeed, Unread};
pub use condition::ConditionRule;
pub use facts::{Facts, GroupFacts};
pub use initiative::{Initiative, InitiativeKind, InitiativeWhen, TieBreak};
pub use limits::Limits;
pub use model::model;
pub use modifier::{Modifier, ModifierError, ModifierKind, ModifierRow};
pub use outcome::Outcome;
pub use policy::DicePolicy;
pub use reading::{Reading, read, read_within};
pub use rest::{Rest, RestEffect};
pub use section::{SectionKind, SectionText};
pub use skill::Skill;
pub use swap::Swap;
pub use system::System;
pub use track::{Direction, Start, Track};
pub use trigger::{Trigger, TriggerWhen};
pub use understood::understood;
pub use unknown::Unknown;
