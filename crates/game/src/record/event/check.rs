//! A check that was resolved.

use super::character::ruling;
use super::{Describe, Description, Subject, actor_name, arithmetic, in_brackets, optional};
use crate::record::entry::{Audience, Entry, RollRecord};
use crate::record::purpose::{OPPOSED, OPPOSING};
use rollbook_rules::{Check, Outcome, System};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where a number comes from that the call gave.
pub const GIVEN: &str = "the call";

/// How a sentence says that the call states the check.
pub const STATED: &str = " (stated)";

/// A resolved check. Its rolls are, in order: its own, its opposing dice, and the opponent's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckEvent {
    pub check: String,
    pub subject: Option<Subject>,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    pub modifiers: Vec<Modifier>,
    /// What the caller sent; `None` where the rule needs none.
    pub difficulty: Option<i64>,
    /// The label of the row that had to be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<String>,
    /// What the total was compared with.
    pub target: Option<i64>,
    /// Positive is always good.
    pub margin: Option<i64>,
    pub outcome: Option<Outcome>,
    /// The author's word for it.
    pub label: Option<String>,
    /// The winning row's place in the table, from 1.
    pub rank: Option<u32>,
    /// The author's text in that row.
    pub row_text: Option<String>,
    pub context: Option<String>,
    /// The values of the rule's other names, and their sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Modifier>,
    /// Other values of the call that are no numbers, by name: `position`, `effect`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub said: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Subject>,
    /// It is an attack on the target character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack: Option<AttackOn>,
    /// The target number comes from a sheet that players do not know.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub target_hidden: bool,
    /// The number of dice in the pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<i64>,
    /// The successes, where the rule counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub successes: Option<i64>,
    /// Opposing dice beaten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beaten: Option<i64>,
    /// The rule's values, by the author's names: `SL`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub results: BTreeMap<String, i64>,
    /// Flags of the rule that were raised, by the author's names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What changed dice or outcome, each with its place: advantage, the dice chain, a face.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adjustments: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opposed: Option<Opposed>,
    /// The earlier roll that this one follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
    /// The rule's formulas; `None` where an earlier roll is followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formulas: Option<Formulas>,
    /// The attack of the sheet that it is made with, by its name; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack_name: Option<String>,
    /// What the call states of it; `None` of a check of the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<Stated>,
}

/// A check that its call states; its difficulty is the check's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// What is rolled, as it was sent.
    pub roll: String,
    /// Low is good.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub or_less: bool,
    /// When each row holds, and its outcome; empty with a difficulty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<(String, String)>,
    /// Why it is stated where the rules have a check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub override_reason: Option<String>,
}

impl CheckEvent {
    /// The check of the rules by which it was made; `None` of one that the call states.
    pub fn rule<'s>(&self, system: &'s System) -> Option<&'s Check> {
        if self.stated.is_some() {
            None
        } else {
            system.check(&self.check).ok()
        }
    }

    /// Why it was stated against the rules.
    pub fn override_reason(&self) -> Option<&String> {
        self.stated
            .as_ref()
            .and_then(|stated| stated.override_reason.as_ref())
    }

    /// The numbers of names that the call gave.
    pub fn given(&self) -> impl Iterator<Item = &Modifier> {
        self.variables.iter().filter(|value| value.from == GIVEN)
    }

    /// What is rolled, in a word: the skill, else the attribute, else the attack, else the rule's
    /// name. As the column `skill` of the tables in SQL.
    pub fn what(&self) -> &str {
        self.skill
            .as_ref()
            .or(self.attribute.as_ref())
            .or(self.attack_name.as_ref())
            .unwrap_or(&self.check)
    }

    /// Whom an attack is aimed at, where the audience may know it.
    pub fn attacked(&self, whole: bool) -> Option<&str> {
        let seen = self.attack.is_some_and(|on| whole || on == AttackOn::Seen);
        self.against
            .as_ref()
            .filter(|_| seen)
            .map(|target| target.name.as_str())
    }

    /// That the call states the check, and where it sets aside what the rules have.
    fn stated_words(&self, audience: Audience) -> String {
        let mark = if self.stated.is_some() { STATED } else { "" };
        format!("{mark}{}", ruling(self.override_reason(), audience))
    }

    fn opposed_words(&self, rolls: &[RollRecord], whole: bool) -> String {
        let Some(opposed) = &self.opposed else {
            return String::new();
        };
        let other = opposed
            .subject
            .as_ref()
            .filter(|_| whole || !opposed.hidden);
        let other = other.map_or("the other", |subject| subject.name.as_str());
        let dice = rolls
            .iter()
            .find(|record| record.purpose == OPPOSED)
            .filter(|_| whole);
        let dice = dice.map_or(String::new(), |record| {
            format!(", who rolls {}", arithmetic(record))
        });
        let ended = match (opposed.tie, opposed.won, opposed.tie_goes) {
            (true, _, _) if opposed.both_failed => "both fail, a tie with",
            (true, _, None) => "a tie with",
            (true, _, Some(TieGoes::Actor)) => "a tie, which wins against",
            (true, _, Some(TieGoes::Other)) => "a tie, which loses to",
            (true, _, Some(TieGoes::Again)) => "a tie, so both roll again, with",
            (false, true, _) => "wins against",
            (false, false, _) => "loses to",
        };
        format!("; {ended} {other}{dice}")
    }
}

impl Describe for CheckEvent {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        let opponent = self
            .opposed
            .as_ref()
            .and_then(|other| other.subject.as_ref());
        let is_known = opponent.is_none_or(|foe| foe.kind.is_open());
        let values = self
            .said
            .iter()
            .flat_map(|(name, value)| [("values", name.as_str()), ("values", value)]);
        let stated = self.stated.iter().flat_map(|stated| {
            let rows = stated
                .rows
                .iter()
                .flat_map(|(when, outcome)| [("rows", when.as_str()), ("rows", outcome)]);
            [
                ("check", self.check.as_str()),
                ("roll", stated.roll.as_str()),
            ]
            .into_iter()
            .chain(rows)
        });
        Description {
            // A target number from a foe's sheet and a foe's own dice are secret.
            is_open: !self.target_hidden && self.override_reason().is_none() && is_known,
            against: self.against.as_ref(),
            who: self.subject.iter().collect(),
            targets: self.against.iter().chain(opponent).collect(),
            context: self.context.as_deref(),
            texts: optional("context", &self.context)
                .into_iter()
                .chain(values)
                .chain(stated)
                .collect(),
            follows: self.again.iter().map(|again| again.entry).collect(),
            ..base
        }
    }

    /// Unless `whole`, without a foe's dice and numbers of its sheet.
    fn sentence(&self, entry: &Entry, audience: Audience, whole: bool) -> Option<String> {
        let rolls = entry.rolls.as_slice();
        let open = whole || !self.target_hidden;
        let mut dice = rolls.first().map_or(String::new(), arithmetic);
        if let Some(successes) = self.successes {
            dice.push_str(&format!(
                ", {successes} {}",
                if successes == 1 {
                    "success"
                } else {
                    "successes"
                }
            ));
        }
        let opposing = rolls
            .iter()
            .find(|record| record.purpose == OPPOSING)
            .map_or(String::new(), |record| {
                let faces: Vec<String> = record.roll.faces().iter().map(i64::to_string).collect();
                format!(" against {}", faces.join(" and "))
            });
        let target = self
            .target
            .filter(|_| open)
            .map_or(String::new(), |target| format!(" against {target}"));
        let label = self
            .label
            .as_ref()
            .map_or(String::new(), |label| format!(": {}", label.to_lowercase()));
        // Without a target it shows what the opponent came to.
        let margin = match self
            .margin
            .filter(|_| open && (whole || self.target.is_some()))
        {
            Some(0) if self.target.is_some() => ", exactly".to_owned(),
            None | Some(0) => String::new(),
            Some(margin) => format!(" by {}", margin.abs()),
        };
        // Values may come from a number that players do not know: a sheet's, or the other's result.
        let contest = self.opposed.is_some() && self.target.is_none();
        let results = self.results.iter().filter(|_| whole || (open && !contest));
        let results: String = results.map(|(name, is)| format!("; {name} {is}")).collect();
        let flags: String = self.flags.iter().map(|flag| format!("; {flag}")).collect();
        let against = self.opposed_words(rolls, whole);
        let again = self
            .again
            .as_ref()
            .map_or(String::new(), |again| format!(" ({})", again.rule));
        let stated = self.stated_words(audience);
        let context = in_brackets(self.context.as_deref());
        let at = self
            .attacked(whole)
            .map_or(String::new(), |name| format!(" at {name}"));
        let (who, what) = (actor_name(&entry.actor), self.what());
        Some(format!(
            "{who}, {what}{at}{again}{stated}{context}: {dice}{opposing}{target}{label}{margin}{results}{flags}{against}."
        ))
    }

    fn outcome_sentence(&self, entry: &Entry) -> String {
        let label = self
            .label
            .as_deref()
            .map_or("done".to_owned(), str::to_lowercase);
        let what = self.skill.as_deref().unwrap_or(&self.check);
        let (stated, against) = (
            self.stated_words(Audience::Player),
            self.opposed_words(&entry.rolls, false),
        );
        format!("{}, {what}{stated}: {label}{against}.", entry.actor)
    }

    fn hide(&mut self, unseen: &[i64]) -> Option<bool> {
        if self
            .against
            .as_ref()
            .is_some_and(|target| !target.is_none_of(unseen))
        {
            self.attack = self.attack.map(|_| AttackOn::Unseen);
            self.target_hidden = true;
        }
        if let Some(opposed) = &mut self.opposed {
            opposed.hidden |= opposed
                .subject
                .as_ref()
                .is_some_and(|other| !other.is_none_of(unseen));
        }
        Some(
            self.subject
                .as_ref()
                .is_none_or(|subject| subject.is_none_of(unseen)),
        )
    }
}

/// Whether players see whom an attack is aimed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttackOn {
    Seen,
    Unseen,
}

/// The rule's own formulas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formulas {
    /// The roll: `1d20 + {modifier}`.
    pub roll: String,
    /// The target: `{difficulty}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The rule has no `{modifier}`: they are added to the result, or to an upper target.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
    /// The numbers do not follow from the formulas alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

impl std::fmt::Display for Formulas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.roll)?;
        self.target
            .iter()
            .try_for_each(|target| write!(f, " against {target}"))
    }
}

/// The other side of an opposed check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opposed {
    pub subject: Option<Subject>,
    pub check: String,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    pub modifiers: Vec<Modifier>,
    /// The values of the other names of its rule, and their sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Modifier>,
    /// Its values that are no numbers, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub said: BTreeMap<String, String>,
    /// Its total, or its successes where the rule counts them.
    pub result: i64,
    pub target: Option<i64>,
    pub margin: Option<i64>,
    pub outcome: Option<Outcome>,
    pub label: Option<String>,
    /// The values of its rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub results: BTreeMap<String, i64>,
    /// Whether the actor wins. A tie goes to the defender.
    pub won: bool,
    pub tie: bool,
    /// To whom the rules give a tie; `None`: to nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tie_goes: Option<TieGoes>,
    /// Whether it is a tie because both failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub both_failed: bool,
    /// Players do not see the opponent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// What the rules make of a tie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieGoes {
    /// To the one who acts.
    Actor,
    /// To the opponent.
    Other,
    /// Both roll again.
    Again,
}

/// The earlier roll that a follow-up rule changes: a push, a luck point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// The entry of the earlier roll, which stays as it is.
    pub entry: u64,
    /// The rule's name: "Push".
    pub rule: String,
    pub place: String,
    /// The number of dice that were rolled again; the others keep their faces.
    pub redrawn: u32,
    /// Points added to the total, or subtracted below zero.
    pub amount: i64,
    /// The dice that the rule adds to the roll, which come last: `1d6[stress]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added: Option<String>,
}

/// A number that was added, with its name and its source (`System.md:52`, `call`, the sheet).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Modifier {
    pub name: String,
    pub value: i64,
    pub from: String,
}
