//! Fights: who is in one, whose turn it is, and what combatants do besides.

use serde::{Deserialize, Serialize};

use super::effects::{hide_effects, visible_effects};
use super::{Describe, Description, EffectOn, Subject, Weight, optional};
use crate::record::entry::{Audience, Entry};
use rollbook_rules::Structure;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombatPrepared {
    pub combat: i64,
    pub title: Option<String>,
}

impl Describe for CombatPrepared {
    fn description(&self) -> Description<'_> {
        Description { texts: optional("title", &self.title), ..Description::default() }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let title = self.title.as_ref().map_or(String::new(), |title| format!(": {title}"));
        Some(format!("A fight is prepared{title}."))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombatStarted {
    pub combat: i64,
    pub title: Option<String>,
    /// The visible combatants of a prepared fight; in another fight combatants join after this entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Subject>,
}

impl Describe for CombatStarted {
    fn description(&self) -> Description<'_> {
        Description {
            is_open: true,
            who: self.members.iter().collect(),
            texts: optional("title", &self.title),
            weight: Some(Weight::Discovery),
            ..Description::default()
        }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let title = self.title.as_ref().map_or(String::new(), |title| format!(": {title}"));
        let names: Vec<&str> = self.members.iter().map(|member| member.name.as_str()).collect();
        let members = if names.is_empty() { String::new() } else { format!(" In it: {}.", names.join(", ")) };
        Some(format!("A fight begins{title}.{members}"))
    }

    fn hide(&mut self, unseen: &[i64]) -> Option<bool> {
        self.members.retain(|member| member.is_none_of(unseen));
        Some(true)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombatantJoined {
    pub combat: i64,
    pub subject: Subject,
    pub initiative: Option<i64>,
    /// The card's name, where cards are dealt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
}

impl Describe for CombatantJoined {
    fn description(&self) -> Description<'_> {
        Description { is_open: self.subject.kind.is_open(), who: vec![&self.subject], ..Description::default() }
    }

    fn sentence(&self, entry: &Entry, _: Audience, whole: bool) -> Option<String> {
        Some(match self.initiative.filter(|_| whole) {
            Some(initiative) => initiative_sentence(entry, &self.subject, initiative, self.card.as_deref()),
            None => format!("{} enters the fight.", self.subject.name),
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombatantEvent {
    pub combat: i64,
    pub subject: Subject,
    #[serde(flatten)]
    pub act: Act,
}

/// What one combatant did, or what happened to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// Left the fight; the character stays in the campaign.
    Left,
    /// Set defeated by the GM.
    Defeated,
    /// Set up again by the GM.
    Revived,
    Hidden,
    /// Visible from now on; `was` is its name before, where it changed.
    Revealed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        was: Option<String>,
    },
    /// Lets others go first.
    Delayed,
    /// Called back: acts right after the current turn.
    Returned,
    /// The round ended while it let others go first.
    Lapsed,
    /// Acts once that happens.
    Readied {
        trigger: String,
    },
    /// It happened.
    Triggered {
        trigger: String,
    },
    /// Initiative set by the GM.
    InitiativeSet {
        before: Option<i64>,
        after: i64,
    },
    /// Initiative by the rules; `card` is the card's name, where cards are dealt.
    InitiativeRolled {
        initiative: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<String>,
    },
    SideChanged {
        before: String,
        after: String,
    },
    /// Acts in this round though its initiative is above the current one.
    ActsNow,
}

impl Describe for CombatantEvent {
    fn description(&self) -> Description<'_> {
        let text = match &self.act {
            Act::Readied { trigger } => vec![("trigger", trigger.as_str())],
            Act::SideChanged { after, .. } => vec![("side", after.as_str())],
            _ => Vec::new(),
        };
        Description {
            is_open: self.subject.kind.is_open(),
            who: vec![&self.subject],
            texts: text,
            weight: (self.act == Act::Defeated).then_some(Weight::Discovery),
            is_weighty: matches!(self.act, Act::Defeated | Act::Revived),
            ..Description::default()
        }
    }

    fn sentence(&self, entry: &Entry, audience: Audience, _: bool) -> Option<String> {
        let who = &self.subject.name;
        Some(match &self.act {
            Act::Left => format!("{who} leaves the fight."),
            Act::Defeated => format!("{who} is out of the fight."),
            Act::Revived => format!("{who} is back in the fight."),
            Act::Hidden => format!("{who} is out of sight."),
            Act::Revealed { was: Some(was) } if audience == Audience::Gm => {
                format!("{was} appears, as {who} from now on.")
            }
            Act::Revealed { .. } => format!("{who} appears."),
            Act::Delayed => format!("{who} lets others go first."),
            Act::Returned => format!("{who} acts right after this turn."),
            Act::Lapsed => format!("{who} has let the round pass."),
            Act::Readied { trigger } => format!("{who} is ready: {}.", trigger.trim_end_matches('.')),
            Act::Triggered { trigger } => format!("{who} acts as readied: {}.", trigger.trim_end_matches('.')),
            Act::InitiativeSet { after, .. } => format!("{who} stands at initiative {after}."),
            Act::InitiativeRolled { initiative, card } => {
                initiative_sentence(entry, &self.subject, *initiative, card.as_deref())
            }
            Act::SideChanged { after, .. } => format!("{who} is on the side of the {after} now."),
            Act::ActsNow => format!("{who} acts in this round already."),
        })
    }
}

/// An initiative with its dice or card.
fn initiative_sentence(entry: &Entry, subject: &Subject, initiative: i64, card: Option<&str>) -> String {
    match (card, entry.rolls.first()) {
        (Some(card), _) => format!("{} draws the {card}.", subject.name),
        (None, Some(record)) => format!("{} rolls initiative: {}.", subject.name, record.roll.explanation),
        (None, None) => format!("{} stands at initiative {initiative}.", subject.name),
    }
}

/// The turn passed from `ended` to `began`; `round` is the new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnBegan {
    pub combat: i64,
    pub round: u32,
    pub ended: Option<Subject>,
    pub began: Subject,
    /// A delayed turn goes on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resumed: bool,
}

impl Describe for TurnBegan {
    fn description(&self) -> Description<'_> {
        let who = self.ended.iter().chain([&self.began]).collect();
        Description { is_open: true, who, is_weighty: true, ..Description::default() }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let goes = if self.resumed { " goes on." } else { "'s turn." };
        Some(format!("Round {}: {}{goes}", self.round, self.began.name))
    }

    fn hide(&mut self, unseen: &[i64]) -> Option<bool> {
        Some(self.began.is_none_of(unseen))
    }
}

/// The last advance is taken back: it is the turn of `back_to` again, not of `from`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnTakenBack {
    pub combat: i64,
    /// The round it is again.
    pub round: u32,
    pub back_to: Subject,
    pub from: Subject,
    /// Players did not see that turn begin.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Effects that the advance had ended and that last on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restored: Vec<EffectOn>,
}

impl Describe for TurnTakenBack {
    fn description(&self) -> Description<'_> {
        Description {
            is_open: !self.hidden && self.restored.iter().all(|effect| !effect.hidden),
            who: vec![&self.back_to, &self.from],
            is_weighty: true,
            ..Description::default()
        }
    }

    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let (round, back_to, from) = (self.round, &self.back_to.name, &self.from.name);
        let back = match audience {
            Audience::Gm => Some(format!("Back to round {round}, {back_to}'s turn; {from}'s is taken back.")),
            Audience::Player => (!self.hidden).then(|| format!("{from}'s turn is taken back.")),
        };
        let effects = visible_effects(&self.restored, audience).map(|effect| format!("{} lasts on.", effect.label()));
        Some(back.into_iter().chain(effects).collect::<Vec<String>>().join(" "))
    }

    fn hide(&mut self, unseen: &[i64]) -> Option<bool> {
        self.hidden |= !self.from.is_none_of(unseen);
        hide_effects(&mut self.restored, unseen);
        Some(!self.hidden || self.restored.iter().any(|effect| !effect.hidden))
    }

    fn open(&mut self) {
        self.hidden = false;
        self.restored.iter_mut().for_each(|effect| effect.hidden = false);
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructureChanged {
    pub combat: i64,
    pub structure: Structure,
}

impl Describe for StructureChanged {
    fn description(&self) -> Description<'_> {
        Description { is_open: true, weight: Some(Weight::Discovery), is_weighty: true, ..Description::default() }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        Some(match self.structure {
            Structure::TurnBased => "From now on everybody acts in turn.".to_owned(),
            Structure::Narrative => "The fight goes on without turns.".to_owned(),
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundBegan {
    pub combat: i64,
    pub round: u32,
}

impl Describe for RoundBegan {
    fn description(&self) -> Description<'_> {
        Description { is_open: true, is_weighty: true, ..Description::default() }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        Some(format!("Round {} begins.", self.round))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombatEnded {
    pub combat: i64,
    pub outcome: Option<String>,
}

impl Describe for CombatEnded {
    fn description(&self) -> Description<'_> {
        Description {
            is_open: true,
            texts: optional("outcome", &self.outcome),
            weight: Some(Weight::Turn),
            is_weighty: true,
            ..Description::default()
        }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let outcome = self.outcome.as_ref().map_or(String::new(), |text| format!(": {}", text.trim_end_matches('.')));
        Some(format!("The fight ends{outcome}."))
    }
}
