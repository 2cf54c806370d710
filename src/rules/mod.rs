//! System.md -> [`System`] and diagnostics. Strings in, values out; no file is opened here.
//!
//! [`read()`] takes the texts, builds a [`document`] that knows where each word stands, and hands it to one reader a
//! section (`read/`). The readers take what they can and write down what they cannot; nothing stops them. Then the
//! lints look at the whole. What prose leaves open is filled by stated defaults, each noted as an [`Assumption`].
//!
//! A check is carried out here too, as far as no table is needed: [`Check::attempt`] puts values in the place of names,
//! [`Check::verdict`] says what a roll comes to, [`Check::each_verdict`] what every roll does. Calls, exact odds, lints and
//! tests share them.
//!
//! Words: a *check* is how an uncertain thing is resolved; a *row* is one line of its outcome table; a *track* is a number
//! that play moves; a *trigger* is what happens when it reaches an end. A *condition* of a row is a comparison on dice; a
//! condition of a character is a [`ConditionRule`].

mod advancement;
mod assumption;
mod attempt;
mod attribute;
mod boxes;
mod chain;
mod check;
mod chosen;
mod clause;
pub mod codes;
mod condition;
mod count;
mod damage_chain;
mod difficulty;
pub mod document;
pub mod explained;
mod facts;
mod flag;
mod follow_up;
mod harm;
mod held;
mod initiative;
mod judgement;
mod limits;
mod lint;
mod mitigation;
mod model;
mod modifier;
mod naming;
mod outcome;
mod policy;
mod read;
mod reading;
mod rest;
mod row_move;
mod section;
mod shift;
mod showing;
mod skill;
mod stated;
mod swap;
mod system;
#[cfg(test)]
mod tests;
mod track;
mod trigger;
mod understood;
mod unknown;
pub mod when;
mod wounds;

pub use advancement::{AdvanceTrack, Advancement, Earned, Improvement, Threshold, Tick};
pub use assumption::Assumption;
pub use attempt::{Attempt, AttemptError, Means, Side, Verdict, Visit, Walked, Ways, Work};
pub use attribute::Attribute;
pub use boxes::{Boxes, Slot, Slots};
pub use chain::DiceChain;
pub use check::{Check, Row, Succeed, Unread};
pub use chosen::{ATTRIBUTE_WORDS, CALL_WORDS};
pub use clause::Clause;
pub use condition::{ANY_CHECK, Anchor, ConditionEffect, ConditionRule, Duration, EffectChange, EffectOn};
pub use count::{Count, Pairs, Weight};
pub use damage_chain::DamageChain;
pub use difficulty::Difficulty;
pub use facts::{Facts, GroupFacts};
pub use flag::Flag;
pub use follow_up::{Apart, FollowUp, FollowUpChange};
pub use harm::{Harm, Marks};
pub use held::{Against, CheckBy, Held, HeldCheck, Share};
pub use initiative::{Alternative, Initiative, InitiativeKind, InitiativeWhen, TieBreak};
pub use judgement::Judgement;
pub use limits::Limits;
pub use lint::{links, proofs, proofs_until};
pub use mitigation::{Layer, Mitigation, MitigationKind};
pub use model::model;
pub use modifier::{Modifier, ModifierError, ModifierKind, ModifierRow};
pub use outcome::Outcome;
pub use policy::DicePolicy;
pub use read::lasting;
pub use reading::{Reading, read, read_within};
pub use rest::{Rest, RestEffect};
pub use row_move::{Need, RowMove, While};
pub use section::{SectionKind, SectionText};
pub use shift::Shift;
pub use showing::{Showing, ShowingPolicy};
pub use skill::Skill;
pub use stated::Stated;
pub use swap::{Swap, Swapping};
pub use system::System;
pub use track::{Direction, Start, Track};
pub use trigger::{AlsoWith, Trigger, TriggerWhen};
pub use understood::understood;
pub use unknown::{Named, Unknown};
pub use wounds::Wounds;
