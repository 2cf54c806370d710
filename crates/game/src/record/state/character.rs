//! Characters, their tracks (hit points and the like), conditions and items.

use super::{Renewal, Uses, is_default};
use crate::moment::moment_words;
use rollbook_rules::{Duration, End};
use rollbook_text::names::shortened;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A row of `characters`. Foes are characters too, with hit points, scores and conditions.
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
    /// Retired: out of the party and of rests, but kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retired: bool,
    /// Skills that are ticked for improvement.
    #[serde(default, skip_serializing_if = "Ticks::is_empty")]
    pub ticks: Ticks,
    /// In the order in which they were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attacks: Vec<Attack>,
    /// The experience for defeating it, where its description says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<i64>,
}

/// The kind of a character.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    #[default]
    Player,
    Npc,
    Companion,
    /// A template that foes are made from; it takes no part in play.
    Template,
}

words! {
    Kind: Player = "player", Npc = "npc", Companion = "companion", Template = "template";
    Edge: Start = "start", End = "end";
}

impl Kind {
    /// All kinds, in the order of lists.
    pub const ALL: [Kind; 4] = [Kind::Player, Kind::Npc, Kind::Companion, Kind::Template];

    /// Whether its numbers are open to players.
    pub fn is_open(self) -> bool {
        matches!(self, Kind::Player | Kind::Companion)
    }
}

/// A row of `tracks`: `min <= value`, and `value <= max` where there is a maximum.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Track {
    /// 0 in a [snapshot](crate::view::snapshot::CharacterSnapshot).
    #[serde(default, skip_serializing_if = "is_default")]
    pub character: i64,
    pub name: String,
    pub value: i64,
    pub min: i64,
    pub max: Option<i64>,
    /// The maximum was set by the GM, so a change of score or level leaves it alone.
    pub fixed: bool,
    /// It counts uses, and this brings them back to the maximum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renewal: Option<Renewal>,
}

impl Track {
    /// A full one that the GM set.
    pub fn full(character: i64, name: &str, value: i64) -> Track {
        Track {
            character,
            name: name.to_owned(),
            value,
            max: Some(value),
            fixed: true,
            ..Track::default()
        }
    }

    /// What it counts, where that is uses.
    pub fn uses(&self) -> Option<Uses> {
        let (many, renewal) = self.max.zip(self.renewal)?;
        Some(Uses { many, renewal })
    }
}

/// The condition that only its removal ends.
pub const DEAD: &str = "dead";

/// A row of `conditions`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// 0 in a [snapshot](crate::view::snapshot::CharacterSnapshot), as the next.
    #[serde(default, skip_serializing_if = "is_default")]
    pub character: i64,
    /// The entry that brought it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub since: i64,
    /// In lower case, as it is compared.
    pub name: String,
    /// Its level, where the rules declare levels: `Frightened (1-3)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<i64>,
    /// The rule or the person it came from.
    pub source: String,
    /// The turns that it still lasts, where a fight counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasts: Option<TurnsLeft>,
    /// The character that caused it, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caused_by: Option<i64>,
    /// Its exclusive group (`concentration`): another effect of it and of the cause ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_name: Option<String>,
    /// What ends it, where the GM set it; else by [`crate::mechanics::duration`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// Its cause in the GM's words, which is secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Players know nothing of it, until it is revealed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// What ends a condition, other than counted turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    Scene,
    Fight,
    /// This moment of the game's time, in seconds since it began.
    Time(i64),
    Rest(String),
    /// A success of the bearer at the check, skill or attribute of this name.
    Check(String),
    /// The next check of the bearer for which it counts.
    NextCheck,
    /// The GM removes it, whatever the rules say.
    Removed,
}

/// Turns that a condition still lasts: `left` more starts or ends of the anchor's turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnsLeft {
    /// 1 or more.
    pub left: u32,
    pub unit: Unit,
    /// The combatant whose turn counts.
    pub anchor: i64,
    pub at: Edge,
    /// The round in which the end of that turn does not count, since it began in the turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub not_in: u32,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// The anchor's turns; a round without one (down, or its delay lapsed) counts at its end.
    Rounds,
    /// The anchor's turns only.
    Turns,
}

/// Which end of the anchor's turn counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    Start,
    End,
}

impl TurnsLeft {
    /// "3 rounds", "1 turn".
    pub fn render(&self) -> String {
        let unit = if self.unit == Unit::Rounds {
            "round"
        } else {
            "turn"
        };
        format!(
            "{} {unit}{}",
            self.left,
            if self.left == 1 { "" } else { "s" }
        )
    }
}

impl Until {
    /// As a call takes it: "until end of scene"; of a moment "until day 2, 06:30".
    pub fn render(&self) -> String {
        let duration = match self {
            Until::Scene => Duration::UntilEnd(End::Scene),
            Until::Fight => Duration::UntilEnd(End::Fight),
            Until::Time(at) => return format!("until {}", moment_words(*at)),
            Until::Check(name) => Duration::UntilSucceeds(name.clone()),
            Until::NextCheck => Duration::UntilNextCheck,
            Until::Removed => Duration::UntilRemoved,
            Until::Rest(name) => return format!("until {name}"),
        };
        duration.to_string()
    }

    /// The name in it; empty without one.
    pub fn name(&self) -> &str {
        match self {
            Until::Scene | Until::Fight | Until::Time(_) | Until::NextCheck | Until::Removed => "",
            Until::Rest(name) | Until::Check(name) => name,
        }
    }
}

impl Character {
    /// Neither retired nor a template.
    pub fn takes_part(&self) -> bool {
        !self.retired && self.kind != Kind::Template
    }

    /// On the players' side, and not retired.
    pub fn is_in_party(&self) -> bool {
        self.kind.is_open() && !self.retired
    }
}

impl Condition {
    /// "frightened 2", or the name alone.
    pub fn label(&self) -> String {
        self.level.map_or_else(
            || self.name.clone(),
            |level| format!("{} {level}", self.name),
        )
    }
}

/// A row of `items`, one for each kind of item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// 0 in a [snapshot](crate::view::snapshot::CharacterSnapshot).
    #[serde(default, skip_serializing_if = "is_default")]
    pub character: i64,
    /// Unique for its owner, case and accents folded.
    pub name: String,
    /// 1 or more.
    pub quantity: i64,
    /// Worn, held, at hand.
    pub equipped: bool,
    /// Charges; `None` where none are counted.
    pub uses: Option<i64>,
    pub notes: String,
    /// Hidden from players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// What else the caller keeps of it; no rule reads it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, Value>,
}

/// Characters of the properties in a line.
const PROPERTIES_MAX: usize = 80;

impl Item {
    /// The properties as JSON; nothing where there are none.
    pub fn render_properties(&self) -> String {
        let shown = Some(&self.properties).filter(|all| !all.is_empty());
        shown
            .and_then(|all| serde_json::to_string(all).ok())
            .unwrap_or_default()
    }

    /// Every text of it that is the caller's.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts = vec![self.name.as_str(), self.notes.as_str()];
        self.properties
            .iter()
            .for_each(|(name, value)| add_texts(name, value, &mut texts));
        texts
    }

    /// "2, equipped, 3 uses (of silver)".
    pub fn render(&self) -> String {
        let equipped = if self.equipped { ", equipped" } else { "" };
        let uses = |uses: i64| format!(", {uses} {}", if uses == 1 { "use" } else { "uses" });
        let uses = self.uses.map_or(String::new(), uses);
        let hidden = if self.hidden { ", hidden" } else { "" };
        let notes = if self.notes.is_empty() {
            String::new()
        } else {
            format!(" ({})", self.notes)
        };
        let properties = shortened(&self.render_properties(), PROPERTIES_MAX);
        format!(
            "{}{equipped}{uses}{hidden}{notes} {properties}",
            self.quantity
        )
        .trim_end()
        .to_owned()
    }
}

fn add_texts<'v>(name: &'v str, value: &'v Value, texts: &mut Vec<&'v str>) {
    texts.push(name);
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| add_texts("", item, texts)),
        Value::Object(fields) => fields
            .iter()
            .for_each(|(name, value)| add_texts(name, value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A named attack of a character, as it is on its sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// Unique for its owner, case and accents folded.
    pub name: String,
    /// The skill or attribute that is rolled, as System.md spells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// Added to the skill; without a skill, all that is added to the roll: `+5 to hit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<i64>,
    /// What a hit deals, each type by itself; empty where a hit deals no damage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<AttackDamage>,
    /// "reach 5 ft.", "80/320 ft.".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// Conditions of the rules that a hit brings by itself: "prone", "burning 2".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// What else a hit brings, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<String>,
}

/// One part of an attack's damage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttackDamage {
    /// Dice, which may name numbers of the sheet: `1d6 + {STR}`.
    pub amount: String,
    /// "slashing".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage_type: Option<String>,
}

impl Attack {
    /// "Melee +1, 1d6+3 (slashing), reach 5 ft., prone, DC 13 CON save or poisoned".
    pub fn render(&self) -> String {
        let shown = |text: String| Some(text).filter(|text| !text.is_empty());
        let (roll, damage) = (shown(self.render_roll()), shown(self.render_damage()));
        let parts = [
            roll,
            damage,
            self.range.clone(),
            shown(self.conditions.join(", ")),
            self.effect.clone(),
        ];
        parts
            .into_iter()
            .flatten()
            .collect::<Vec<String>>()
            .join(", ")
    }

    /// "Melee +1", "+5", "Melee".
    pub fn render_roll(&self) -> String {
        let bonus = self.bonus.map(|bonus| format!("{bonus:+}"));
        self.skill
            .clone()
            .into_iter()
            .chain(bonus)
            .collect::<Vec<String>>()
            .join(" ")
    }

    /// "1d6+3 (slashing); 1d4 (fire)".
    pub fn render_damage(&self) -> String {
        self.damage
            .iter()
            .map(AttackDamage::render)
            .collect::<Vec<String>>()
            .join("; ")
    }
}

impl AttackDamage {
    /// "1d6+3 (slashing)".
    pub fn render(&self) -> String {
        let kind = self
            .damage_type
            .as_ref()
            .map_or(String::new(), |kind| format!(" ({kind})"));
        format!("{}{kind}", self.amount)
    }
}

/// The ticks that players know and those of hidden entries; a skill is in one of the two.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Tick>", into = "Vec<Tick>")]
pub struct Ticks {
    pub seen: BTreeSet<String>,
    pub hidden: BTreeSet<String>,
}

/// A tick as it is written: the skill's name, or of a hidden one an object.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Tick {
    Seen(String),
    Hidden { hidden: String },
}

impl Ticks {
    /// Whether no skill is ticked.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty() && self.hidden.is_empty()
    }

    /// All of them, by name.
    pub fn all(&self) -> BTreeSet<&String> {
        self.seen.union(&self.hidden).collect()
    }

    /// Ticks a skill; a hidden tick of one that players know to be ticked changes nothing.
    pub fn add(&mut self, skill: String, hidden: bool) {
        if !hidden {
            self.hidden.remove(&skill);
            self.seen.insert(skill);
        } else if !self.seen.contains(&skill) {
            self.hidden.insert(skill);
        }
    }

    pub(crate) fn remove(&mut self, skill: &str) {
        self.seen.remove(skill);
        self.hidden.remove(skill);
    }
}

impl From<Vec<Tick>> for Ticks {
    fn from(all: Vec<Tick>) -> Ticks {
        let mut ticks = Ticks::default();
        for tick in all {
            match tick {
                Tick::Seen(skill) => ticks.add(skill, false),
                Tick::Hidden { hidden } => ticks.add(hidden, true),
            }
        }
        ticks
    }
}

impl From<Ticks> for Vec<Tick> {
    fn from(ticks: Ticks) -> Vec<Tick> {
        let seen = ticks.seen.into_iter().map(Tick::Seen);
        seen.chain(
            ticks
                .hidden
                .into_iter()
                .map(|hidden| Tick::Hidden { hidden }),
        )
        .collect()
    }
}
