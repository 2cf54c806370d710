//! What can happen at the table, one variant each. Figures and names only: the sentence is made in `narrate`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::game::combat::act::{Act, EffectOn};
use crate::game::standing::Health;
use crate::game::state::Kind;
use crate::rules::Outcome;

/// What happened. The tag `kind` is what readers filter by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// The first entry of every log.
    CampaignCreated {
        campaign: String,
        name: String,
        adventure: String,
    },
    /// The rules in force from here on: `hash` is SHA-256 over names and texts of the files.
    RulesLoaded {
        title: Option<String>,
        hash: String,
        files: Vec<String>,
    },
    SessionStarted {
        number: u32,
        title: Option<String>,
    },
    SessionEnded {
        number: u32,
    },
    /// Dice without a rule; the roll stands in the entry's `rolls`.
    Roll {
        input: String,
        context: Option<String>,
    },
    /// Several rolls of one call, `inputs` repeated `count` times; the rolls stand in the entry's `rolls` in that order.
    RollSet {
        inputs: Vec<String>,
        count: u32,
        context: Option<String>,
    },
    /// A check resolved by the rules.
    Check(Box<CheckEvent>),
    /// Damage, healing and the conditions that came with it.
    Damage(DamageEvent),
    CharacterCreated {
        subject: Subject,
        /// Whom or what it was drawn after.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// Why a score lies outside its range.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        override_reason: Option<String>,
    },
    CharacterUpdated {
        subject: Subject,
        fields: Vec<Field>,
        override_reason: Option<String>,
        /// What the rules did when a track crossed a bound, in the author's words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        triggers: Vec<String>,
    },
    /// What somebody owns changed, or went to somebody else.
    Items {
        subject: Subject,
        to: Option<Subject>,
        /// Each thing before and after, as its owner has it.
        fields: Vec<Field>,
        /// The same as players may know it, where that differs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<Vec<Field>>,
    },
    /// Experience, milestones, ticks and marks that were earned.
    Awarded {
        subject: Subject,
        fields: Vec<Field>,
        reason: Option<String>,
    },
    /// A level, or whatever the rules have in its place, and everything that came with it.
    LevelUp {
        subject: Subject,
        /// The level it is now.
        level: i64,
        fields: Vec<Field>,
        /// Why it came before its time.
        override_reason: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        triggers: Vec<String>,
    },
    /// Ticked skills were rolled for; the dice stand in the entry's `rolls`.
    Improved {
        subject: Subject,
        fields: Vec<Field>,
    },
    Retired {
        subject: Subject,
        /// It comes back instead.
        back: bool,
    },
    /// A rest, or the end of a scene or session, and what it mended by the rules; its dice stand in the entry's `rolls`.
    Rested {
        subject: Subject,
        /// Name as the rules have it.
        rest: String,
        fields: Vec<Field>,
        /// What the rules did when a track crossed a bound, in the author's words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        triggers: Vec<String>,
    },
    /// A fight that is made ready and has not begun.
    CombatPrepared {
        combat: i64,
        title: Option<String>,
    },
    CombatStarted {
        combat: i64,
        title: Option<String>,
        /// Those of a prepared fight whom players see; else everybody joins after it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        members: Vec<Subject>,
    },
    CombatantJoined {
        combat: i64,
        subject: Subject,
        initiative: Option<i64>,
        /// What the number is called where cards are dealt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<String>,
    },
    /// What a combatant did besides its turn, or what became of it.
    Combatant {
        combat: i64,
        subject: Subject,
        #[serde(flatten)]
        act: Act,
    },
    /// A turn passed from `ended` to `began`; the round is the new one.
    TurnBegan {
        combat: i64,
        round: u32,
        ended: Option<Subject>,
        began: Subject,
        /// It goes on with a turn that let others go first.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        resumed: bool,
    },
    /// The last advance is taken back: it is the turn of `back_to` again, and not of `from`.
    TurnTakenBack {
        combat: i64,
        /// The round it is again.
        round: u32,
        back_to: Subject,
        from: Subject,
        /// Players did not see that turn begin.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        hidden: bool,
        /// What the advance had ended and lasts on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        restored: Vec<EffectOn>,
    },
    /// Effects that began, ended or ran on by one turn.
    Effects {
        combat: i64,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        began: Vec<EffectOn>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left: Vec<EffectOn>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ended: Vec<EffectOn>,
    },
    CombatEnded {
        combat: i64,
        outcome: Option<String>,
    },
    /// A call of before, taken back: its before-images stand again. The dice that fell then stay as they fell.
    Undone(Box<UndoneEvent>),
}

impl Event {
    /// How a roll follows another: pushed, changed by luck.
    pub fn again(&self) -> Option<&Again> {
        match self {
            Event::Check(event) => event.again.as_ref(),
            _ => None,
        }
    }

    /// The tag, as it stands in the log's `kind` column.
    pub fn kind(&self) -> &'static str {
        match self {
            Event::CampaignCreated { .. } => "campaign_created",
            Event::RulesLoaded { .. } => "rules_loaded",
            Event::SessionStarted { .. } => "session_started",
            Event::SessionEnded { .. } => "session_ended",
            Event::Roll { .. } => "roll",
            Event::RollSet { .. } => "roll_set",
            Event::Check(_) => "check",
            Event::Damage(_) => "damage",
            Event::CharacterCreated { .. } => "character_created",
            Event::CharacterUpdated { .. } => "character_updated",
            Event::Items { .. } => "items",
            Event::Awarded { .. } => "awarded",
            Event::LevelUp { .. } => "level_up",
            Event::Improved { .. } => "improved",
            Event::Retired { .. } => "retired",
            Event::Rested { .. } => "rested",
            Event::CombatPrepared { .. } => "combat_prepared",
            Event::CombatStarted { .. } => "combat_started",
            Event::CombatantJoined { .. } => "combatant_joined",
            Event::Combatant { .. } => "combatant",
            Event::TurnBegan { .. } => "turn_began",
            Event::TurnTakenBack { .. } => "turn_taken_back",
            Event::Effects { .. } => "effects",
            Event::CombatEnded { .. } => "combat_ended",
            Event::Undone(_) => "undone",
        }
    }
}

/// A call that was taken back, or done again after it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoneEvent {
    /// The first entry whose changes are taken back.
    pub entry: u64,
    /// The last of them.
    pub last: u64,
    /// What had happened, in the sentences of those entries; of many the first.
    pub told: Vec<String>,
    /// The same as players heard it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<String>,
    /// Nothing of it was secret from players.
    pub open: bool,
    /// What is taken back is an undo itself, so what it had taken back is so again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// A character as an entry names it: the name it had then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub id: i64,
    pub name: String,
    pub kind: Kind,
}

/// One field of a character, before and after, as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub field: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// A resolved check. The entry's rolls are, in this order: the check's own, its opposing dice, and those of whoever opposed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckEvent {
    pub check: String,
    pub subject: Option<Subject>,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    pub modifiers: Vec<Modifier>,
    /// What the caller named; `None` where the rule needs none.
    pub difficulty: Option<i64>,
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
    /// What the other names of the rule stood for, and where from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Modifier>,
    /// What the call said besides, by name: `position`, `effect`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub said: BTreeMap<String, String>,
    /// Whom it was tried against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Subject>,
    /// The target comes from the sheet of somebody whose numbers players do not know.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub target_hidden: bool,
    /// Dice that the roll asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<i64>,
    /// Where the rule counts successes: how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub successes: Option<i64>,
    /// Opposing dice beaten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beaten: Option<i64>,
    /// What is true beside the outcome, as the author names it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What moved the dice or the outcome: advantage, the dice chain, a natural face; each with its line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adjustments: Vec<String>,
    /// Who rolled against it, and how that went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opposed: Option<Opposed>,
    /// The roll that this one follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
}

/// The other side of an opposed check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opposed {
    pub subject: Option<Subject>,
    pub check: String,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    pub modifiers: Vec<Modifier>,
    /// Its total, or its successes where the rule counts them.
    pub result: i64,
    pub target: Option<i64>,
    pub margin: Option<i64>,
    pub outcome: Option<Outcome>,
    pub label: Option<String>,
    /// Whether the one who tries beats it. A tie is the defender's.
    pub won: bool,
    pub tie: bool,
    /// Players do not see who it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// A roll that was made before and is followed by a rule: pushed, or changed by luck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// The entry of the first roll, which stays as it was.
    pub entry: u64,
    /// The rule's name: "Push".
    pub rule: String,
    /// Where it stands.
    pub place: String,
    /// Dice that were rolled anew; the others lie as they fell.
    pub redrawn: u32,
    /// Points added to the total; below zero taken off.
    pub amount: i64,
}

/// One number that was added, by name and with where it came from (`System.md:52`, `call`, the sheet).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Modifier {
    pub name: String,
    pub value: i64,
    pub from: String,
}

/// Damage (positive) or healing (negative) with each step from the amount named to the amount taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamageEvent {
    pub subject: Subject,
    pub track: Option<String>,
    pub amount: i64,
    /// Of several, all of them: `slashing, fire`.
    pub damage_type: Option<String>,
    /// Of which it was made up; empty where it was all of one kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    pub steps: Vec<Step>,
    /// What the rules did when a bound was crossed, in words.
    pub triggers: Vec<String>,
    pub gained: Vec<String>,
    pub lost: Vec<String>,
    /// How the target is afterwards, by its main track.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<Health>,
    /// The track that moved is not the main one, so nobody is the worse for it in a fight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
    pub reason: Option<String>,
    /// The entry whose roll decided the amount.
    pub roll: Option<u64>,
}

/// Damage of one kind in a hit of several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(description = "")]
pub struct Part {
    pub amount: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage_type: Option<String>,
}

/// One step of the arithmetic: `after` is what is left when the step is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Step {
    pub step: String,
    pub before: i64,
    pub after: i64,
}
