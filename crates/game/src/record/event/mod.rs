//! What can happen in play, one variant each. Figures and names only; `narrate` makes the sentences.

mod act;
mod check;
mod clock;
mod continued;
mod damage;
mod deck;
mod note;
mod read;
mod revealed;
mod rules;
mod seen;
mod table_roll;
mod texts;
mod time;

use serde::{Deserialize, Serialize};

pub use act::{Act, EffectOn, Holder};
pub use check::{Again, AttackOn, CheckEvent, Formulas, GIVEN, Modifier, Opposed, Stated, TieGoes};
pub use clock::{ClockAct, ClockEvent};
pub use continued::ContinuedEvent;
pub use damage::{DamageEvent, Health, Mitigated, Part, Phrasing, RollNote, Step};
pub use deck::DeckEvent;
pub use note::{ClosedThread, NoteEvent};
pub use revealed::RevealedEvent;
pub use rules::{RulesChange, RulesLine, RulesPart};
pub use seen::Seen;
pub use table_roll::{Drawn, TableRollEvent};
pub use time::TimeEvent;

use crate::record::loss::Loss;
use crate::record::state::{Character, Kind};
use rollbook_rules::Structure;

/// What happened, tagged with `kind`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", remote = "Self")]
pub enum Event {
    /// The first entry of every log; the second of one that goes on from another.
    CampaignCreated {
        campaign: String,
        name: String,
        adventure: String,
    },
    /// The campaign has another name from here on.
    CampaignRenamed {
        from: String,
        to: String,
        /// The UUID of the campaign whose log goes on where this one ends; nothing is played in this one any more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        continued_by: Option<String>,
    },
    /// The rules used from here on; `hash` is SHA-256 over the names and texts of the files.
    RulesLoaded {
        title: Option<String>,
        /// What the author calls this state of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        hash: String,
        files: Vec<String>,
        /// Their text, for the GM alone.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        text: Vec<RulesPart>,
        /// How it differs from the rules before, where these are known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        changed: Option<Box<RulesChange>>,
    },
    SessionStarted {
        number: u32,
        title: Option<String>,
    },
    SessionEnded {
        number: u32,
        /// What players saw before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<Seen>,
    },
    /// The GM plays on though entries of the log are lost.
    LossAccepted(Loss),
    /// The database was put back from a copy of it.
    Restored {
        /// The copy's file name.
        from: String,
        /// What checkpoints know that the copy did not hold.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        loss: Option<Loss>,
    },
    /// The log begins with the state in which an earlier one ended.
    Continued(Box<ContinuedEvent>),
    /// Something that the GM wrote down.
    Note(NoteEvent),
    /// A clock or a shared track.
    Clock(ClockEvent),
    /// A deck was shuffled.
    Deck(DeckEvent),
    /// Time passed in the game.
    Time(TimeEvent),
    /// Dice without a rule; the roll is in the entry's `rolls`.
    Roll {
        input: String,
        context: Option<String>,
        /// The entry of the check whose outcome it follows from: the damage of a hit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<u64>,
        /// It is dealt as damage in the same call.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        deals: bool,
    },
    /// Several rolls of one call, `inputs` repeated `count` times; the rolls are in the entry's `rolls` in that order.
    RollSet {
        inputs: Vec<String>,
        count: u32,
        context: Option<String>,
        /// As for a single roll.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<u64>,
    },
    /// A roll on a random table; its rolls, and those of its rows' texts, are in the entry's `rolls`.
    TableRoll(TableRollEvent),
    /// A check resolved by the rules.
    Check(Box<CheckEvent>),
    /// Damage, healing and conditions.
    Damage(DamageEvent),
    CharacterCreated {
        subject: Subject,
        /// The character or text it was made from.
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
        /// The texts of the triggers that fired.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        triggers: Vec<String>,
    },
    /// A character's items changed, or were given to another character.
    Items {
        subject: Subject,
        to: Option<Subject>,
        /// Each item before and after.
        fields: Vec<Field>,
        /// The same as players see it, where that differs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<Vec<Field>>,
        /// The character got something.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        awarded: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Experience and ticks were awarded.
    Awarded {
        subject: Subject,
        fields: Vec<Field>,
        reason: Option<String>,
    },
    /// A level, or the rules' other kind of advance, with everything that came with it.
    LevelUp {
        subject: Subject,
        /// The level it is now.
        level: i64,
        fields: Vec<Field>,
        /// Why the GM gave it early.
        override_reason: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        triggers: Vec<String>,
    },
    /// Ticked skills were rolled for; the rolls are in the entry's `rolls`.
    Improved {
        subject: Subject,
        fields: Vec<Field>,
    },
    Retired {
        subject: Subject,
        /// The character comes back instead.
        back: bool,
    },
    /// A rest, or the end of a scene or session, and what recovered; its rolls are in the entry's `rolls`.
    Rested {
        subject: Subject,
        /// The rest's name.
        rest: String,
        fields: Vec<Field>,
        /// The texts of the triggers that fired.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        triggers: Vec<String>,
        /// Players see the fields, though a changed row holds a secret cause of a condition.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        open: bool,
    },
    /// A fight is prepared and has not begun.
    CombatPrepared {
        combat: i64,
        title: Option<String>,
    },
    CombatStarted {
        combat: i64,
        title: Option<String>,
        /// The visible combatants of a prepared fight; in another fight combatants join after this entry.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        members: Vec<Subject>,
    },
    CombatantJoined {
        combat: i64,
        subject: Subject,
        initiative: Option<i64>,
        /// The card's name, where cards are dealt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<String>,
    },
    /// What a combatant did besides its turn, or what happened to it.
    Combatant {
        combat: i64,
        subject: Subject,
        #[serde(flatten)]
        act: Act,
    },
    /// The turn passed from `ended` to `began`; `round` is the new one.
    TurnBegan {
        combat: i64,
        round: u32,
        ended: Option<Subject>,
        began: Subject,
        /// A delayed turn goes on.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        resumed: bool,
    },
    /// The last advance is taken back: it is the turn of `back_to` again, not of `from`.
    TurnTakenBack {
        combat: i64,
        /// The round it is again.
        round: u32,
        back_to: Subject,
        from: Subject,
        /// Players did not see that turn begin.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        hidden: bool,
        /// Effects that the advance had ended and that last on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        restored: Vec<EffectOn>,
    },
    /// The fight has turns from now on, or none any more.
    StructureChanged {
        combat: i64,
        structure: Structure,
    },
    /// A round of a fight without turns begins.
    RoundBegan {
        combat: i64,
        round: u32,
    },
    /// Effects began, ended, or were counted down.
    Effects {
        combat: i64,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        began: Vec<EffectOn>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left: Vec<EffectOn>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ended: Vec<EffectOn>,
        /// The holder of the ended effects, who can no longer act.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        holder: Option<Box<Holder>>,
        /// Those that began had been hidden, and are seen from now on.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        revealed: bool,
    },
    CombatEnded {
        combat: i64,
        outcome: Option<String>,
    },
    /// A hidden entry is opened to players.
    Revealed(Box<RevealedEvent>),
    /// An earlier call is undone: its before-images are restored. Its rolls stay.
    Undone(Box<UndoneEvent>),
}

impl Event {
    /// The earlier roll that a check follows.
    pub fn again(&self) -> Option<&Again> {
        match self {
            Event::Check(event) => event.again.as_ref(),
            _ => None,
        }
    }

    /// Whether its call may have other entries: a plain roll is alone, unless it is part of an attack.
    pub fn may_share_call(&self) -> bool {
        !matches!(self, Event::Roll { check: None, .. } | Event::RollSet { check: None, .. } | Event::TableRoll(_))
    }
}

/// Makes the tag of each event, and the list of all.
macro_rules! kinds {
    ($($event:pat => $kind:literal,)+) => {
        impl Event {
            /// Every [`kind`](Self::kind).
            pub const KINDS: [&str; [$($kind),+].len()] = [$($kind),+];

            /// The tag, as in the log's `kind` column.
            pub fn kind(&self) -> &'static str {
                match self {
                    $($event => $kind,)+
                }
            }
        }
    };
}

kinds! {
    Event::CampaignCreated { .. } => "campaign_created",
    Event::CampaignRenamed { .. } => "campaign_renamed",
    Event::RulesLoaded { .. } => "rules_loaded",
    Event::SessionStarted { .. } => "session_started",
    Event::SessionEnded { .. } => "session_ended",
    Event::LossAccepted(_) => "loss_accepted",
    Event::Restored { .. } => "restored",
    Event::Continued(_) => "continued",
    Event::Note(_) => "note",
    Event::Clock(_) => "clock",
    Event::Deck(_) => "deck",
    Event::Time(_) => "time",
    Event::Roll { .. } => "roll",
    Event::RollSet { .. } => "roll_set",
    Event::TableRoll(_) => "table_roll",
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
    Event::StructureChanged { .. } => "structure_changed",
    Event::RoundBegan { .. } => "round_began",
    Event::Effects { .. } => "effects",
    Event::CombatEnded { .. } => "combat_ended",
    Event::Revealed(_) => "revealed",
    Event::Undone(_) => "undone",
}

/// A character as an entry names it, with its name at that time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub id: i64,
    pub name: String,
    pub kind: Kind,
}

impl Character {
    /// The character as an entry names it.
    pub fn subject(&self) -> Subject {
        Subject { id: self.id, name: self.name.clone(), kind: self.kind }
    }
}

/// One field of a character, before and after, as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub field: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// A call that was undone, or redone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoneEvent {
    /// The first entry of the call.
    pub entry: u64,
    /// The last entry of the call.
    pub last: u64,
    /// The sentences of those entries, the first few.
    pub told: Vec<String>,
    /// The same as players saw them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<String>,
    /// All of it was public.
    pub open: bool,
    /// The undone call is an undo itself, so its call is redone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}
