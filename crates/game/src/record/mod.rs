//! Events, entries and state. Old logs are read with these types, so serialised names never change.

pub mod carried;
pub mod change;
pub mod entry;
pub mod event;
pub mod instant;
pub mod loss;
pub mod purpose;
pub mod state;

pub use change::{Change, Images};
pub use entry::{Audience, BODY_VERSION, Entry, RollRecord, Visibility};
pub use event::{
    Act, Again, AttackOn, Awarded, CampaignCreated, CampaignRenamed, CharacterCreated,
    CharacterUpdated, CheckEvent, ClockAct, ClockEvent, ClosedThread, CombatEnded, CombatPrepared,
    CombatStarted, CombatantEvent, CombatantJoined, ContinuedEvent, DamageEvent, DeckEvent, Drawn,
    EffectOn, Effects, Event, Field, Formulas, GIVEN, GM_FIELDS, HIDDEN_TICKS, Health, Holder,
    Improved, Items, LevelUp, Mitigated, Modifier, NoteEvent, Opposed, Part, Phrasing, Rested,
    Restored, Retired, RevealedEvent, RollEvent, RollNote, RollSet, RoundBegan, RulesChange,
    RulesLoaded, RulesPart, SessionEnded, SessionStarted, Stated, Step, StructureChanged, Subject,
    TableRollEvent, TieGoes, TimeEvent, TurnBegan, TurnTakenBack, UndoneEvent, Weight,
};
pub use loss::Loss;
pub use state::{
    Attack, AttackDamage, Campaign, Character, Clock, Combat, CombatStatus, Combatant, Condition,
    DEAD, Deck, Edge, Item, Kind, Note, NoteKind, Session, State, Ticks, Track, TurnsLeft, Unit,
    Until, Wait,
};
