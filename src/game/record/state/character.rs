//! Characters, their tracks (hit points and the like) and their conditions.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// The row of `characters`. Every foe is one too, so a foe has hit points, scores and conditions like anybody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Character {
    /// The number of the entry that made it.
    pub id: i64,
    /// Unique in the campaign, case and accents folded.
    pub name: String,
    pub kind: Kind,
    pub level: i64,
    pub xp: i64,
    /// Scores by the attribute's name as System.md spells it.
    pub attributes: BTreeMap<String, i64>,
    /// Bonuses by the skill's name as System.md spells it.
    pub skills: BTreeMap<String, i64>,
    pub notes: String,
    pub gm_notes: String,
    /// Out of the story: neither of the party nor at any rest, and kept all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retired: bool,
    /// Skills that are ticked for improvement.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub ticks: BTreeSet<String>,
    /// Milestones that were earned and not yet spent, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub milestones: BTreeMap<String, i64>,
}

/// What a character is to the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    #[default]
    Player,
    Npc,
    Companion,
    /// What foes are made from; it takes part in nothing itself.
    Template,
}

impl Kind {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Kind; 4] = [Kind::Player, Kind::Npc, Kind::Companion, Kind::Template];

    /// The word in tables and parameters.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Player => "player",
            Kind::Npc => "npc",
            Kind::Companion => "companion",
            Kind::Template => "template",
        }
    }

    /// Whether players know its numbers.
    pub fn is_open(self) -> bool {
        matches!(self, Kind::Player | Kind::Companion)
    }
}

/// The row of `tracks`: `min <= value`, and `value <= max` where there is a maximum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Track {
    /// 0 in a [portrait](crate::game::view::snapshot::CharacterSnapshot), where it is nobody's.
    #[serde(default, skip_serializing_if = "is_nobody")]
    pub character: i64,
    pub name: String,
    pub value: i64,
    pub min: i64,
    pub max: Option<i64>,
    /// The maximum was set by the GM, so a change of score or level leaves it alone.
    pub fixed: bool,
}

/// The row of `conditions`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    pub character: i64,
    /// In lower case, as it is compared.
    pub name: String,
    /// The entry that brought it.
    pub since: i64,
    /// The rule or the person it came from.
    pub source: String,
    /// How bad it is, where the rules count it: `Frightened (1-3)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<i64>,
    /// How long it still lasts, where somebody's turns in a fight count it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasts: Option<Lasts>,
    /// The character that caused it, where that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caused_by: Option<i64>,
    /// The exclusive group it is of, such as `concentration`: whoever causes another one ends this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_name: Option<String>,
    /// What ends it, where the GM said so; else what the rules say of it. See [`crate::game::mechanics::duration`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// Where it comes from in the GM's words, which players may not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

/// What ends a condition, other than turns that are counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// The end of the scene.
    Scene,
    /// The end of the fight.
    Fight,
    /// A rest of this name.
    Rest(String),
    /// A check, skill or attribute of this name, once the bearer succeeds at it.
    Check(String),
    /// What only the GM sees: "treated".
    Words(String),
}

/// How long a condition still lasts: `left` more starts or ends of the anchor's turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lasts {
    /// 1 or more.
    pub left: u32,
    pub unit: Unit,
    /// The combatant whose turn counts.
    pub anchor: i64,
    pub at: Edge,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// The anchor's turns; a round in which it has none (it is down, it let the round pass) counts at the round's end.
    Rounds,
    /// The anchor's turns, however long it has none.
    Turns,
}

/// Which end of the anchor's turn counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    Start,
    End,
}

impl Lasts {
    /// "3 rounds", "1 turn".
    pub fn reading(&self) -> String {
        let unit = match self.unit {
            Unit::Rounds => "round",
            Unit::Turns => "turn",
        };
        let many = if self.left == 1 { "" } else { "s" };
        format!("{} {unit}{many}", self.left)
    }
}

impl Until {
    /// "until the end of the scene", "until Long rest".
    pub fn reading(&self) -> String {
        match self {
            Until::Scene => "until the end of the scene".to_owned(),
            Until::Fight => "until the end of the fight".to_owned(),
            Until::Check(name) => format!("until {name} succeeds"),
            Until::Rest(words) | Until::Words(words) => format!("until {words}"),
        }
    }

    /// The name or the words it has; empty where it has none.
    pub fn named(&self) -> &str {
        match self {
            Until::Scene | Until::Fight => "",
            Until::Rest(name) | Until::Check(name) | Until::Words(name) => name,
        }
    }
}

impl Edge {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Edge::Start => "start",
            Edge::End => "end",
        }
    }
}

impl Character {
    /// On the players' side, and in the story.
    pub fn is_of_the_party(&self) -> bool {
        self.kind.is_open() && !self.retired
    }
}

/// Rows outside a campaign belong to nobody.
pub(super) fn is_nobody(character: &i64) -> bool {
    *character == 0
}

impl Condition {
    /// "frightened 2", or the name alone.
    pub fn label(&self) -> String {
        self.level.map_or_else(|| self.name.clone(), |level| format!("{} {level}", self.name))
    }
}
