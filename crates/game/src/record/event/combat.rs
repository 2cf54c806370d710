//! Fights: who is in one, whose turn it is, what combatants do, and effects on them.

use super::{Describe, Description, Subject, Weight, in_brackets};
use crate::record::entry::{Audience, Entry};
use rollbook_rules::Structure;
use serde::{Deserialize, Serialize};

/// A fight that is prepared, or that was changed before it began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombatPrepared {
    pub combat: i64,
    pub title: Option<String>,
}

impl Describe for CombatPrepared {
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let title = self
            .title
            .as_ref()
            .map_or(String::new(), |title| format!(": {title}"));
        Some(format!("A fight is prepared{title}."))
    }
}

/// A fight that began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombatStarted {
    pub combat: i64,
    pub title: Option<String>,
    /// The visible combatants of a prepared fight; in others they join after this entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Subject>,
}

impl Describe for CombatStarted {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        Description {
            who: self.members.iter().collect(),
            ..base
        }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let title = self
            .title
            .as_ref()
            .map_or(String::new(), |title| format!(": {title}"));
        let names: Vec<&str> = self
            .members
            .iter()
            .map(|member| member.name.as_str())
            .collect();
        let members = if names.is_empty() {
            String::new()
        } else {
            format!(" In it: {}.", names.join(", "))
        };
        Some(format!("A fight begins{title}.{members}"))
    }

    fn hide(&mut self, unseen: &[i64]) -> Option<bool> {
        self.members.retain(|member| member.is_none_of(unseen));
        Some(true)
    }
}

/// A combatant who joined a fight.
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
    fn sentence(&self, entry: &Entry, _: Audience, whole: bool) -> Option<String> {
        Some(match self.initiative.filter(|_| whole) {
            Some(initiative) => {
                initiative_sentence(entry, &self.subject, initiative, self.card.as_deref())
            }
            None => format!("{} enters the fight.", self.subject.name),
        })
    }
}

/// What one combatant did, or what became of it.
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
    Triggered {
        trigger: String,
    },
    /// Initiative set by the GM.
    InitiativeSet {
        before: Option<i64>,
        after: i64,
    },
    /// It has several turns in each round, set by the GM.
    TurnsSet {
        initiatives: Vec<i64>,
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
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        let text = match &self.act {
            Act::Readied { trigger } => vec![("trigger", trigger.as_str())],
            Act::SideChanged { after, .. } => vec![("side", after.as_str())],
            _ => Vec::new(),
        };
        Description {
            texts: text,
            weight: (self.act == Act::Defeated).then_some(Weight::Discovery),
            is_weighty: matches!(self.act, Act::Defeated | Act::Revived),
            ..base
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
            Act::Readied { trigger } => {
                format!("{who} is ready: {}.", trigger.trim_end_matches('.'))
            }
            Act::Triggered { trigger } => {
                format!("{who} acts as readied: {}.", trigger.trim_end_matches('.'))
            }
            Act::InitiativeSet { after, .. } => format!("{who} stands at initiative {after}."),
            Act::TurnsSet { initiatives } => {
                let all: Vec<String> = initiatives.iter().map(i64::to_string).collect();
                format!("{who} acts at {} in each round.", all.join(" and at "))
            }
            Act::InitiativeRolled { initiative, card } => {
                initiative_sentence(entry, &self.subject, *initiative, card.as_deref())
            }
            Act::SideChanged { after, .. } => format!("{who} is on the side of the {after} now."),
            Act::ActsNow => format!("{who} acts in this round already."),
        })
    }
}

fn initiative_sentence(
    entry: &Entry,
    subject: &Subject,
    initiative: i64,
    card: Option<&str>,
) -> String {
    match (card, entry.rolls.first()) {
        (Some(card), _) => format!("{} draws the {card}.", subject.name),
        (None, Some(record)) => format!(
            "{} rolls initiative: {}.",
            subject.name, record.roll.explanation
        ),
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
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        Description {
            who: self.ended.iter().chain([&self.began]).collect(),
            ..base
        }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let goes = if self.resumed {
            " goes on."
        } else {
            "'s turn."
        };
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
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        let is_open = !self.hidden && self.restored.iter().all(|effect| !effect.hidden);
        Description {
            is_open,
            who: vec![&self.back_to, &self.from],
            ..base
        }
    }

    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let (round, back_to, from) = (self.round, &self.back_to.name, &self.from.name);
        let back = match audience {
            Audience::Gm => Some(format!(
                "Back to round {round}, {back_to}'s turn; {from}'s is taken back."
            )),
            Audience::Player => (!self.hidden).then(|| format!("{from}'s turn is taken back.")),
        };
        let effects = visible_effects(&self.restored, audience)
            .map(|effect| format!("{} lasts on.", effect.label()));
        Some(
            back.into_iter()
                .chain(effects)
                .collect::<Vec<String>>()
                .join(" "),
        )
    }

    fn hide(&mut self, unseen: &[i64]) -> Option<bool> {
        self.hidden |= !self.from.is_none_of(unseen);
        hide_effects(&mut self.restored, unseen);
        Some(!self.hidden || self.restored.iter().any(|effect| !effect.hidden))
    }

    fn open(&mut self) {
        self.hidden = false;
        self.restored
            .iter_mut()
            .for_each(|effect| effect.hidden = false);
    }
}

/// A fight that goes on with turns, or without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructureChanged {
    pub combat: i64,
    pub structure: Structure,
}

impl Describe for StructureChanged {
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        Some(match self.structure {
            Structure::TurnBased => "From now on everybody acts in turn.".to_owned(),
            Structure::Narrative => "The fight goes on without turns.".to_owned(),
        })
    }
}

/// A round that began in a fight without turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundBegan {
    pub combat: i64,
    pub round: u32,
}

impl Describe for RoundBegan {
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        Some(format!("Round {} begins.", self.round))
    }
}

/// A fight that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombatEnded {
    pub combat: i64,
    pub outcome: Option<String>,
}

impl Describe for CombatEnded {
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let outcome = self.outcome.as_ref().map_or(String::new(), |text| {
            format!(": {}", text.trim_end_matches('.'))
        });
        Some(format!("The fight ends{outcome}."))
    }
}

/// An effect on a character. `hidden`: then, since the players' text stays so after a reveal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectOn {
    pub name: String,
    pub on: Subject,
    /// The bearer is hidden from players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// What is left of it: "2 rounds".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
}

impl EffectOn {
    /// "bless on Jory"
    pub fn label(&self) -> String {
        format!("{} on {}", self.name, self.on.name)
    }
}

/// The holder of effects that end because it can no longer act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    pub subject: Subject,
    /// Players did not see why.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// Effects that began, ended or were counted down.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effects {
    pub combat: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub began: Vec<EffectOn>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<EffectOn>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<EffectOn>,
    /// The holder of the ended effects, who can no longer act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<Box<Holder>>,
    /// Those that began had been hidden, and are seen from now on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub revealed: bool,
}

impl Describe for Effects {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        let all = || self.began.iter().chain(&self.left).chain(&self.ended);
        Description {
            is_open: self.holder.as_ref().is_none_or(|holder| !holder.hidden)
                && all().all(|effect| !effect.hidden),
            who: all().map(|effect| &effect.on).collect(),
            texts: self
                .began
                .iter()
                .map(|effect| ("name", effect.name.as_str()))
                .collect(),
            ..base
        }
    }

    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let gm = audience == Audience::Gm;
        if self.revealed {
            let seen = visible_effects(&self.began, audience).map(|effect| {
                let shown = effect.label() + &in_brackets(effect.left.as_deref());
                if gm {
                    format!("Players see {shown} from now on.")
                } else {
                    format!("It shows: {shown}.")
                }
            });
            return Some(seen.collect::<Vec<String>>().join(" "));
        }
        let duration = |effect: &EffectOn| {
            effect
                .left
                .as_ref()
                .map_or(String::new(), |left| format!(", {left}"))
        };
        let began = visible_effects(&self.began, audience);
        let began = began.map(|effect| format!("{} begins{}.", effect.label(), duration(effect)));
        let holder = self.holder.as_ref().filter(|holder| gm || !holder.hidden);
        let why = holder.map_or(String::new(), |holder| {
            format!(": {} can no longer hold it", holder.subject.name)
        });
        let ended = visible_effects(&self.ended, audience)
            .map(|effect| format!("{} ends{why}.", effect.label()));
        let left = self.left.iter().filter(|_| gm);
        let left = left.map(|effect| format!("{}{} left.", effect.label(), duration(effect)));
        Some(
            ended
                .chain(began)
                .chain(left)
                .collect::<Vec<String>>()
                .join(" "),
        )
    }

    fn hide(&mut self, unseen: &[i64]) -> Option<bool> {
        hide_effects(&mut self.began, unseen);
        hide_effects(&mut self.ended, unseen);
        self.holder
            .iter_mut()
            .for_each(|holder| holder.hidden |= !holder.subject.is_none_of(unseen));
        Some(
            self.began
                .iter()
                .chain(&self.ended)
                .any(|effect| !effect.hidden),
        )
    }

    fn open(&mut self) {
        let all = self
            .began
            .iter_mut()
            .chain(&mut self.left)
            .chain(&mut self.ended);
        all.for_each(|effect| effect.hidden = false);
        self.holder
            .iter_mut()
            .for_each(|holder| holder.hidden = false);
    }
}

pub(super) fn visible_effects(
    effects: &[EffectOn],
    audience: Audience,
) -> impl Iterator<Item = &EffectOn> {
    effects
        .iter()
        .filter(move |effect| audience == Audience::Gm || !effect.hidden)
}

pub(super) fn hide_effects(effects: &mut [EffectOn], unseen: &[i64]) {
    effects
        .iter_mut()
        .for_each(|effect| effect.hidden |= !effect.on.is_none_of(unseen));
}
