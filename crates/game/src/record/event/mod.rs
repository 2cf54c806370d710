//! What can happen in play, one kind each. A kind is its payload with its [`Describe`] in one of
//! these files, and its line in the list here.

mod campaign;
mod character;
mod check;
mod clock;
mod combat;
mod damage;
mod roll;
mod rules;

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;

pub use campaign::{
    CampaignCreated, CampaignRenamed, ClosedThread, ContinuedEvent, NoteEvent, Restored,
    RevealedEvent, Seen, SessionEnded, SessionStarted, UndoneEvent, read_undone,
};
pub use character::{
    Awarded, CharacterCreated, CharacterUpdated, GM_FIELDS, HIDDEN_TICKS, Improved, Items, LevelUp,
    RULING, Rested, Retired,
};
pub use check::{
    Again, AttackOn, CheckEvent, Formulas, GIVEN, Modifier, Opposed, STATED, Stated, TieGoes,
};
pub use clock::{ClockAct, ClockEvent, DeckEvent, TimeEvent};
pub use combat::{
    Act, CombatEnded, CombatPrepared, CombatStarted, CombatantEvent, CombatantJoined, EffectOn,
    Effects, Holder, RoundBegan, StructureChanged, TurnBegan, TurnTakenBack,
};
pub use damage::{
    DamageEvent, Health, Mitigated, Part, Phrasing, RollNote, Step, moved, track_images,
};
pub use roll::{Drawn, RollEvent, RollSet, TableRollEvent};
pub use rules::{RulesChange, RulesLine, RulesLoaded, RulesPart};

use crate::record::entry::{Audience, Entry, RollRecord, Visibility};
use crate::record::loss::Loss;
use crate::record::state::{Character, Kind};
use rollbook_dice::EnteredRoller;

/// Makes the enum from the list of its kinds: the tag in the log, and the payload; about whom it
/// is, which is open where players know that sheet, and its text.
macro_rules! events {
    ($($(#[$doc:meta])* $tag:literal => $variant:ident($payload:ident $(<$boxed:ident>)?) $(of $who:ident)? $(text $text:ident)? {$($field:ident: $is:expr),*},)+) => {
        /// What happened, tagged with `kind`.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[serde(tag = "kind")]
        pub enum Event {
            $($(#[$doc])* #[serde(rename = $tag)] $variant($payload $(<$boxed>)?),)+
        }

        impl Event {
            /// Every [`kind`](Self::kind).
            pub const KINDS: [&str; [$($tag),+].len()] = [$($tag),+];

            /// The tag, as in the log's `kind` column.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Event::$variant(_) => $tag,)+
                }
            }

            /// What the program asks of it.
            pub fn description(&self) -> Description<'_> {
                match self {
                    $(Event::$variant(payload) => {
                        let base = Description { $($field: $is,)* ..Description::default() };
                        $(let base = Description { is_open: payload.$who.kind.is_open(), who: vec![&payload.$who], ..base };)?
                        $(let base = Description { texts: optional(stringify!($text), &payload.$text), ..base };)?
                        payload.description(base)
                    })+
                }
            }

            fn as_describe(&self) -> &dyn Describe {
                match self {
                    $(Event::$variant(payload) => $(<$payload<$boxed> as AsRef<$boxed>>::as_ref)?(payload),)+
                }
            }

            fn as_describe_mut(&mut self) -> &mut dyn Describe {
                match self {
                    $(Event::$variant(payload) => $(<$payload<$boxed> as AsMut<$boxed>>::as_mut)?(payload),)+
                }
            }

            fn from_json(kind: &str, text: &str) -> Result<Event, serde_json::Error> {
                match kind {
                    $($tag => serde_json::from_str(text).map(Event::$variant),)+
                    _ => Err(serde_json::Error::custom(format_args!("unknown kind `{kind}`"))),
                }
            }
        }
    };
}

events! {
    /// The first entry of every log; the second of one that goes on from another.
    "campaign_created" => CampaignCreated(CampaignCreated) { is_open: true },
    /// The campaign has another name from here on.
    "campaign_renamed" => CampaignRenamed(CampaignRenamed) { is_open: true, weight: Some(Weight::Note) },
    /// The rules used from here on; their text has sections for the GM.
    "rules_loaded" => RulesLoaded(RulesLoaded) {},
    "session_started" => SessionStarted(SessionStarted) text title { is_open: true },
    "session_ended" => SessionEnded(SessionEnded) { is_open: true },
    /// The GM plays on though entries of the log are lost.
    "loss_accepted" => LossAccepted(Loss) { is_weighty: true },
    /// The database was put back from a copy of it.
    "restored" => Restored(Restored) { is_weighty: true },
    /// The log begins with the state in which an earlier one ended.
    "continued" => Continued(Box<ContinuedEvent>) { is_weighty: true },
    "note" => Note(NoteEvent) { is_hideable: true },
    "clock" => Clock(ClockEvent) { is_hideable: true, is_weighty: true },
    "deck" => Deck(DeckEvent) { is_open: true, is_hideable: true, is_weighty: true },
    "time" => Time(TimeEvent) { is_weighty: true },
    "roll" => Roll(RollEvent) { is_open: true, is_hideable: true },
    "roll_set" => RollSet(RollSet) { is_open: true, is_hideable: true },
    "table_roll" => TableRoll(TableRollEvent) { is_open: true, is_hideable: true, is_alone: true },
    "check" => Check(Box<CheckEvent>) { is_hideable: true },
    "damage" => Damage(DamageEvent) { is_hideable: true },
    "character_created" => CharacterCreated(CharacterCreated) of subject {},
    "character_updated" => CharacterUpdated(CharacterUpdated) of subject {},
    /// A character's items changed, or were given to another character.
    "items" => Items(Items) of subject {},
    "awarded" => Awarded(Awarded) of subject { weight: Some(Weight::Award) },
    /// A level, or the rules' other kind of advance, with everything that came with it.
    "level_up" => LevelUp(LevelUp) of subject { weight: Some(Weight::Note) },
    "improved" => Improved(Improved) of subject {},
    "retired" => Retired(Retired) of subject { weight: Some(Weight::Turn) },
    /// A rest, or the end of a scene or session, and what recovered.
    "rested" => Rested(Rested) of subject {},
    /// A fight is prepared and has not begun.
    "combat_prepared" => CombatPrepared(CombatPrepared) text title {},
    "combat_started" => CombatStarted(CombatStarted) text title { is_open: true, weight: Some(Weight::Discovery) },
    "combatant_joined" => CombatantJoined(CombatantJoined) of subject {},
    /// What a combatant did besides its turn, or what happened to it.
    "combatant" => Combatant(CombatantEvent) of subject {},
    "turn_began" => TurnBegan(TurnBegan) { is_open: true, is_weighty: true },
    /// The last advance is taken back.
    "turn_taken_back" => TurnTakenBack(TurnTakenBack) { is_weighty: true },
    /// The fight has turns from now on, or none any more.
    "structure_changed" => StructureChanged(StructureChanged) { is_open: true, weight: Some(Weight::Discovery), is_weighty: true },
    /// A round of a fight without turns begins.
    "round_began" => RoundBegan(RoundBegan) { is_open: true, is_weighty: true },
    "effects" => Effects(Effects) {},
    "combat_ended" => CombatEnded(CombatEnded) text outcome { is_open: true, weight: Some(Weight::Turn), is_weighty: true },
    /// A hidden entry is opened to players.
    "revealed" => Revealed(Box<RevealedEvent>) { is_open: true, weight: Some(Weight::Discovery), is_weighty: true },
    /// An earlier call is undone: its before-images are restored. Its rolls stay.
    "undone" => Undone(Box<UndoneEvent>) {},
}

/// What the program asks of any event. What a kind does not name, it does not have.
#[derive(Debug, Default)]
pub struct Description<'e> {
    /// Players may know all of it, as far as the event says.
    pub is_open: bool,
    /// Players know all of it only while this character is not hidden from them.
    pub against: Option<&'e Subject>,
    /// Who acts, or whom it is about.
    pub who: Vec<&'e Subject>,
    /// At whom.
    pub targets: Vec<&'e Subject>,
    /// What dice are rolled for, in the caller's words.
    pub context: Option<&'e str>,
    /// Every free text that is new in it, by its parameter; not one of an earlier entry.
    pub texts: Vec<(&'static str, &'e str)>,
    /// Its call may hide it from players.
    pub is_hideable: bool,
    /// Earlier entries that it follows from.
    pub follows: Vec<u64>,
    /// The first and last entry that it undoes.
    pub undoes: Option<(u64, u64)>,
    /// It is part of a recap.
    pub weight: Option<Weight>,
    /// A long call tells of it.
    pub is_weighty: bool,
    /// Its call has no other entries.
    pub is_alone: bool,
}

/// How much a line of a recap matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    Award,
    Note,
    Discovery,
    Turn,
}

/// What each kind says of its events.
pub trait Describe {
    /// `base` is what is so of every event of the kind.
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        base
    }

    /// The sentence; `None`: the audience sees nothing. `whole`: nothing is secret.
    fn sentence(&self, entry: &Entry, audience: Audience, whole: bool) -> Option<String>;

    /// What players read where they see the outcome alone.
    fn outcome_sentence(&self, entry: &Entry) -> String {
        format!("{} rolls.", actor_name(&entry.actor))
    }

    /// Hides these from players; whether anything is left. `None`: by whom it is about.
    fn hide(&mut self, _unseen: &[i64]) -> Option<bool> {
        None
    }

    /// Shows players what they do not see of it.
    fn open(&mut self) {}
}

impl Event {
    /// As [`Describe::hide`].
    pub fn hide(&mut self, unseen: &[i64]) -> Option<bool> {
        self.as_describe_mut().hide(unseen)
    }

    /// The earlier roll that a check follows.
    pub fn again(&self) -> Option<&Again> {
        match self {
            Event::Check(event) => event.again.as_ref(),
            _ => None,
        }
    }
}

impl Entry {
    /// Its sentence; `None` when the audience sees nothing. `whole`: nothing of the entry is
    /// secret.
    pub fn sentence(&self, audience: Audience, whole: bool) -> Option<String> {
        let event = self.event.as_describe();
        match (audience, self.visibility) {
            (Audience::Player, Visibility::Gm) => None,
            (Audience::Player, Visibility::Blind) if self.rolls.is_empty() => {
                Some("Something happens behind the screen.".to_owned())
            }
            (Audience::Player, Visibility::Blind) => {
                Some("Dice fall behind the screen.".to_owned())
            }
            (Audience::Player, Visibility::OutcomeOnly) => Some(event.outcome_sentence(self)),
            (Audience::Player, Visibility::Public) | (Audience::Gm, _) => {
                event.sentence(self, audience, whole)
            }
        }
    }

    /// The same entry with nothing hidden.
    pub fn opened(mut self) -> Entry {
        self.visibility = Visibility::Public;
        self.reader = None;
        self.event.as_describe_mut().open();
        self
    }
}

/// In canonical JSON `kind` is among the fields, so it is read first.
impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Tag<'a> {
            #[serde(borrow)]
            kind: Cow<'a, str>,
        }
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let read = serde_json::from_str(raw.get())
            .and_then(|Tag { kind }| Event::from_json(&kind, raw.get()));
        read.map_err(D::Error::custom)
    }
}

/// A character as an entry names it, with its name at that time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub id: i64,
    pub name: String,
    pub kind: Kind,
}

impl Subject {
    pub(crate) fn is_none_of(&self, ids: &[i64]) -> bool {
        !ids.contains(&self.id)
    }
}

impl Character {
    pub(crate) fn subject(&self) -> Subject {
        Subject {
            id: self.id,
            name: self.name.clone(),
            kind: self.kind,
        }
    }
}

/// One field of a character, before and after, as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub field: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// A free text by its parameter, where there is one.
fn optional<'a>(parameter: &'static str, text: &'a Option<String>) -> Vec<(&'static str, &'a str)> {
    text.as_deref()
        .map(|text| (parameter, text))
        .into_iter()
        .collect()
}

/// The name of who acts, at the beginning of a sentence.
pub fn actor_name(actor: &str) -> &str {
    if actor == "gm" { "The GM" } else { actor }
}

fn as_sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = line
        .trim_end_matches(['"', '\'', '”', '’', '»', ')', '*', '_'])
        .ends_with(['.', '!', '?', '…', ':', '。', '！', '？']);
    if ends { line } else { line + "." }
}

/// Text in brackets after a sentence.
pub fn in_brackets(words: Option<&str>) -> String {
    words.map_or(String::new(), |words| {
        format!(" ({})", words.trim_end_matches('.'))
    })
}

/// Characters of arithmetic in a sentence; the entry's roll holds all of it.
const ARITHMETIC_MAX: usize = 600;

/// A roll's arithmetic, cut when it has hundreds of dice.
pub fn arithmetic(record: &RollRecord) -> String {
    let whole = &record.roll.explanation;
    let mut text = match whole.char_indices().nth(ARITHMETIC_MAX) {
        Some((cut, _)) => {
            let dice = record.roll.dice().len();
            format!(
                "{}… ({dice} dice) = {}",
                whole.get(..cut).unwrap_or_default(),
                record.roll.total
            )
        }
        None => whole.clone(),
    };
    if record.source == EnteredRoller::SOURCE {
        text.push_str(" (entered by hand)");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Event;

    #[test]
    fn an_event_without_a_known_kind_is_refused() {
        for wrong in [
            r#"{"input":"2d6"}"#,
            r#"{"kind":"rolled","input":"2d6"}"#,
            r#"{"kind":"roll"}"#,
        ] {
            assert!(serde_json::from_str::<Event>(wrong).is_err(), "{wrong}");
        }
        let roll = r#"{"context":null,"deals":true,"input":"2d6","kind":"roll"}"#;
        let event: Event = serde_json::from_str(roll).unwrap();
        assert_eq!(serde_json::to_value(event).unwrap().to_string(), roll);
    }
}
