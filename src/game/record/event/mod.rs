//! What can happen at the table, one variant each. Figures and names only: the sentence is made in `narrate`.

mod act;
mod check;
mod damage;
mod read;
mod subject;
mod texts;
mod undone;

use serde::{Deserialize, Serialize};

pub use act::{Act, EffectOn, Holder};
pub use check::{Again, CheckEvent, Formulas, Modifier, Opposed};
pub use damage::{DamageEvent, Eased, Health, Part, RollNote, Step, Told};
pub use subject::{Field, Subject};
pub use undone::UndoneEvent;

use crate::game::record::loss::Loss;

/// What happened. The tag `kind` is what readers filter by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", remote = "Self")]
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
    /// The GM plays on though the log lacks entries that it had.
    LossAccepted(Loss),
    /// Dice without a rule; the roll stands in the entry's `rolls`.
    Roll {
        input: String,
        context: Option<String>,
        /// The context stands by itself in the sentence, whatever it says. Older entries go on with it: "rolls for the tide".
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        aside: bool,
    },
    /// Several rolls of one call, `inputs` repeated `count` times; the rolls stand in the entry's `rolls` in that order.
    RollSet {
        inputs: Vec<String>,
        count: u32,
        context: Option<String>,
        /// As of a single roll.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        aside: bool,
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
        /// Players hear the fields, though a row behind them says where a condition came from.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        open: bool,
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
        /// Who held what ended, and can no longer act.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        holder: Option<Box<Holder>>,
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

    /// Whether a call may write it together with other entries: plain rolls stand alone, and change nothing.
    pub fn is_of_a_longer_call(&self) -> bool {
        !matches!(self, Event::Roll { .. } | Event::RollSet { .. })
    }

    /// The tag, as it stands in the log's `kind` column.
    pub fn kind(&self) -> &'static str {
        match self {
            Event::CampaignCreated { .. } => "campaign_created",
            Event::RulesLoaded { .. } => "rules_loaded",
            Event::SessionStarted { .. } => "session_started",
            Event::SessionEnded { .. } => "session_ended",
            Event::LossAccepted(_) => "loss_accepted",
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
