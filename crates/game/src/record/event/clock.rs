//! What happened to clocks, shared tracks and decks, and time that passed in the game.

use super::combat::{hide_effects, visible_effects};
use super::{Describe, Description, EffectOn, Weight, as_sentence, in_brackets, optional};
use crate::record::entry::{Audience, Entry};
use crate::{moment::moment_words, record::state::of_max};
use rollbook_rules::span_words;
use serde::{Deserialize, Serialize};

/// A clock or shared track that was made, moved, shown, hidden or closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockEvent {
    pub name: String,
    pub act: ClockAct,
    /// Its value before; of one that is made, its first.
    pub from: i64,
    pub to: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// "full" or "empty", where it came to its bad end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// The texts of the triggers that fired; the GM's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triggers: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The entry whose roll decided how far it moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll: Option<u64>,
}

/// What happened to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockAct {
    Made,
    Moved,
    /// Back where it was, since the roll that moved it was followed.
    TakenBack,
    /// Visible to players from now on.
    Revealed,
    Hidden,
    Closed,
}

impl Describe for ClockEvent {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        let reason = optional("reason", &self.reason);
        Description {
            // What a trigger brings about is the GM's to tell.
            is_open: self.triggers.is_empty(),
            texts: std::iter::once(("name", self.name.as_str()))
                .chain(reason)
                .collect(),
            weight: self.end.is_some().then_some(Weight::Discovery),
            ..base
        }
    }

    /// "Flooding 5 to 6/6 (the pumps stop), full: the hold is under water."
    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let name = &self.name;
        let value = of_max(self.to, self.max);
        let reason = in_brackets(self.reason.as_deref());
        let end = self
            .end
            .as_ref()
            .map_or(String::new(), |end| format!(", {end}"));
        Some(match (self.act, audience) {
            (ClockAct::Made, _) => format!("{name} begins at {value}{reason}."),
            (ClockAct::Moved, Audience::Gm) if !self.triggers.is_empty() => as_sentence(&format!(
                "{name} {} to {value}{reason}{end}: {}",
                self.from,
                self.triggers.join("; ")
            )),
            (ClockAct::Moved, _) => format!("{name} {} to {value}{reason}{end}.", self.from),
            (ClockAct::TakenBack, _) => format!("{name} {} to {value}, taken back.", self.from),
            (ClockAct::Revealed, Audience::Gm) => {
                format!("Players see {name} {value} from now on{reason}.")
            }
            (ClockAct::Revealed, Audience::Player) => format!("{name} {value}{reason}."),
            (ClockAct::Hidden, _) => format!("{name} {value} is hidden from players{reason}."),
            (ClockAct::Closed, _) => format!("{name} {value} is done with{reason}."),
        })
    }

    fn outcome_sentence(&self, entry: &Entry) -> String {
        self.sentence(entry, Audience::Player, false)
            .unwrap_or_default()
    }
}

/// A deck that was shuffled by hand: all of its cards are in it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeckEvent {
    pub name: String,
}

impl Describe for DeckEvent {
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        Some(format!(
            "{} is shuffled: all of its cards are in it again.",
            self.name
        ))
    }
}

/// Time that passed, in seconds since the game began, and what ended; what is hidden has its entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeEvent {
    pub from: i64,
    pub to: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<EffectOn>,
}

/// Seconds that are part of a recap, at least: the rounds of a fight are no story.
const RECAP_MIN: i64 = 600;

impl Describe for TimeEvent {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        Description {
            is_open: self.ended.iter().all(|effect| !effect.hidden),
            who: self.ended.iter().map(|effect| &effect.on).collect(),
            texts: optional("text", &self.reason),
            weight: (self.to - self.from >= RECAP_MIN).then_some(Weight::Note),
            ..base
        }
    }

    /// "2 hours pass (Long rest): it is day 1, 10:00. Blessed on Ana ends."
    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let seconds = self.to.saturating_sub(self.from);
        let span = span_words(seconds);
        // "1 hour passes", "2 hours pass", "1 hour and 10 minutes pass".
        let pass = if span.starts_with("1 ") && !span.contains(" and ") {
            "passes"
        } else {
            "pass"
        };
        let reason = in_brackets(self.reason.as_deref());
        let passed = (seconds > 0)
            .then(|| format!("{span} {pass}{reason}: it is {}.", moment_words(self.to)));
        let ended = visible_effects(&self.ended, audience)
            .map(|effect| format!("{} ends.", effect.label()));
        Some(
            passed
                .into_iter()
                .chain(ended)
                .collect::<Vec<String>>()
                .join(" "),
        )
    }

    fn hide(&mut self, unseen: &[i64]) -> Option<bool> {
        hide_effects(&mut self.ended, unseen);
        Some(true)
    }
}
