//! What `manage_character` takes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::tools::parameter::Whom;
use crate::tools::reply::{invalid, refuse_unread};
use rollbook_game::decide::character::{AttackCall, HitPoints, SheetCall};
use rollbook_game::decide::items::ItemCall;
use rollbook_game::mechanics::lookup;
use rollbook_game::record::state::Kind;
use rollbook_game::refusal::{Detail, Refusal};
use rollbook_game::table::Table;
use rollbook_text::names::{quoted, same, suggest};

use Action::{
    AddCondition, Award, Create, Export, Give, Import, LevelUp, RemoveCondition, Rest, Update,
};

/// What to do, with whom, and the fields of the sheet.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    pub action: Action,
    /// Whom; of rest and award nobody named: the party.
    pub character: Option<String>,
    /// The new one's name, or a new name.
    pub name: Option<String>,
    /// player (default), npc, companion, template; of rest and level_up the rules' name.
    pub kind: Option<String>,
    /// create: a template, or a block of the adventure: "Foes.md#Ogre".
    pub from: Option<String>,
    /// create: how many.
    pub count: Option<i64>,
    /// Scores: {"STR": 12}.
    #[serde(default)]
    pub attributes: BTreeMap<String, i64>,
    /// create: dice for each score not given, "4d6kh3".
    pub roll_attributes: Option<String>,
    /// Bonuses: {"Stealth": 2}.
    #[serde(default)]
    pub skills: BTreeMap<String, i64>,
    /// Also a condition's.
    pub level: Option<i64>,
    /// award: added.
    pub xp: Option<i64>,
    /// {"Hit points": 9}; defences, too: {"Resistance (cold)": 1}.
    #[serde(default)]
    pub tracks: BTreeMap<String, i64>,
    /// award: added.
    #[serde(default)]
    pub inventory: Vec<ItemCall>,
    /// By name; on update the others stay.
    #[serde(default)]
    pub attacks: Vec<AttackCall>,
    /// Of a foe: experience for its defeat.
    pub worth: Option<i64>,
    /// award: ticks: {"Lore": 1}.
    #[serde(default)]
    pub advance: BTreeMap<String, i64>,
    pub condition: Option<String>,
    /// create: those it begins with.
    #[serde(default)]
    pub conditions: Vec<String>,
    /// Whose condition, where several: names, a side, "party".
    pub on: Option<Whom>,
    /// true: also a condition of your own, which no rule knows.
    pub free: Option<bool>,
    /// "for 3 rounds", "until end of scene"; else by the rules.
    pub duration: Option<String>,
    pub source: Option<String>,
    /// Hit points, 9 or {"current": 4, "max": 9}; of players where the rules have none.
    #[schemars(with = "Option<Value>", extend("type" = ["integer", "object"]))]
    #[schemars(extend("properties" = {"current": {"type": "integer"}, "max": {"type": "integer"}}))]
    pub hp: Option<HitPointsParams>,
    /// For everybody.
    pub notes: Option<String>,
    /// For the GM.
    pub gm_notes: Option<String>,
    /// Why a rule is set aside; logged. award: what for.
    pub override_reason: Option<String>,
    pub item: Option<String>,
    pub quantity: Option<i64>,
    pub to: Option<String>,
    /// import: JSON (ours, Open5e, 5e-bits), sheet or stat block.
    pub text: Option<String>,
    /// export; json loses nothing.
    pub format: Option<Format>,
}

/// Hit points: the number unhurt, or that and what is left.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub enum HitPointsParams {
    Full(i64),
    Of {
        current: Option<i64>,
        max: Option<i64>,
    },
}

impl HitPointsParams {
    /// One of the two numbers alone is both.
    fn meant(self) -> Option<HitPoints> {
        match self {
            HitPointsParams::Full(max) => Some(HitPoints::full(max)),
            HitPointsParams::Of { current, max } => {
                let max = max.or(current)?;
                Some(HitPoints {
                    current: current.unwrap_or(max),
                    max,
                })
            }
        }
    }
}

/// How a character is written down.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    #[default]
    Json,
    Markdown,
}

/// Other words for the kinds of characters.
const KINDS: [(Kind, &[&str]); 4] = [
    (
        Kind::Player,
        &["pc", "hero", "protagonist", "player character", "character"],
    ),
    (
        Kind::Npc,
        &[
            "non-player character",
            "monster",
            "enemy",
            "foe",
            "creature",
            "villain",
            "adversary",
        ],
    ),
    (
        Kind::Companion,
        &[
            "ally", "pet", "familiar", "follower", "hireling", "henchman", "mount", "sidekick",
        ],
    ),
    (
        Kind::Template,
        &["stat block", "statblock", "blueprint", "archetype"],
    ),
];

impl Params {
    /// The character the call is about. Models send `character` and `name` for each other.
    pub fn whom(&self) -> Option<String> {
        self.character.clone().or_else(|| self.name.clone())
    }

    /// The same; without a name the only player character.
    pub fn named(&self, table: &Table) -> Result<String, Refusal> {
        self.whom().map_or_else(
            || {
                lookup::sole_player(table.state, table.system())
                    .map(|character| character.name.clone())
            },
            Ok,
        )
    }

    /// Why a rule is set aside; blank text counts as none.
    pub fn reason(&self) -> Option<String> {
        self.override_reason
            .clone()
            .filter(|reason| !reason.trim().is_empty())
    }

    pub fn kind(&self) -> Result<Option<Kind>, Refusal> {
        let Some(text) = &self.kind else {
            return Ok(None);
        };
        let found = Kind::ALL.into_iter().find(|kind| same(kind.as_str(), text));
        found.map(Some).ok_or_else(|| {
            let issue = format!("no kind \"{}\"", quoted(text));
            let valid_range = Kind::ALL.map(Kind::as_str).join(", ");
            let meant = KINDS
                .iter()
                .find(|(_, words)| words.iter().any(|word| same(word, text)));
            let suggestions = suggest(text, Kind::ALL.map(Kind::as_str));
            let meant = meant
                .map(|(kind, _)| kind.as_str())
                .or(suggestions.first().map(String::as_str));
            let summary = format!("kind: {issue}; it takes one of {valid_range}.");
            let refusal = invalid("kind", &issue, &valid_range, summary);
            match meant {
                Some(kind) => refusal.send("kind", kind, ""),
                None => refusal,
            }
        })
    }

    pub fn format(&self) -> &'static str {
        match self.format.unwrap_or_default() {
            Format::Json => "JSON",
            Format::Markdown => "Markdown",
        }
    }

    pub fn sheet(&mut self) -> SheetCall {
        SheetCall {
            name: self.name.clone(),
            kind: None,
            level: self.level,
            xp: self.xp,
            attributes: std::mem::take(&mut self.attributes),
            skills: std::mem::take(&mut self.skills),
            tracks: std::mem::take(&mut self.tracks),
            hp: self.hp.and_then(HitPointsParams::meant),
            conditions: std::mem::take(&mut self.conditions),
            inventory: std::mem::take(&mut self.inventory),
            attacks: std::mem::take(&mut self.attacks),
            worth: self.worth,
            notes: self.notes.take(),
            gm_notes: self.gm_notes.take(),
            override_reason: self.reason(),
            unread: Vec::new(),
            from: None,
            roll_attributes: self.roll_attributes.take(),
            free: self.free.unwrap_or(false),
        }
    }
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Create,
    Update,
    Award,
    LevelUp,
    Rest,
    AddCondition,
    RemoveCondition,
    Give,
    Retire,
    Import,
    Export,
}

impl Action {
    /// Refuses fields that the action does not read: the reply could not be true of them.
    pub fn refuse_unread(self, params: &Params) -> Result<(), Refusal> {
        let written =
            |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
        let sheet: &[Action] = &[Create, Update, Import, LevelUp];
        let fields: [(&str, bool, &[Action]); 27] = [
            (
                "kind",
                written(&params.kind),
                &[Create, Update, Import, Rest, LevelUp],
            ),
            ("from", written(&params.from), &[Create, Import]),
            (
                "count",
                params.count.is_some_and(|count| count != 1),
                &[Create],
            ),
            ("attributes", !params.attributes.is_empty(), sheet),
            (
                "roll_attributes",
                written(&params.roll_attributes),
                &[Create, Import],
            ),
            ("skills", !params.skills.is_empty(), sheet),
            (
                "level",
                params.level.is_some(),
                &[Create, Update, Import, AddCondition, RemoveCondition],
            ),
            ("xp", params.xp.is_some(), &[Create, Update, Import, Award]),
            ("tracks", !params.tracks.is_empty(), sheet),
            (
                "inventory",
                !params.inventory.is_empty(),
                &[Create, Update, Import, Award],
            ),
            ("attacks", !params.attacks.is_empty(), sheet),
            ("worth", params.worth.is_some(), &[Create, Update, Import]),
            ("advance", !params.advance.is_empty(), &[Award]),
            (
                "condition",
                written(&params.condition),
                &[AddCondition, RemoveCondition],
            ),
            (
                "conditions",
                !params.conditions.is_empty(),
                &[Create, Import],
            ),
            ("on", params.on.is_some(), &[AddCondition, RemoveCondition]),
            (
                "free",
                params.free.is_some(),
                &[AddCondition, Create, Import],
            ),
            ("duration", written(&params.duration), &[AddCondition]),
            ("source", written(&params.source), &[AddCondition]),
            ("hp", params.hp.is_some(), sheet),
            ("notes", written(&params.notes), sheet),
            ("gm_notes", written(&params.gm_notes), sheet),
            ("item", written(&params.item), &[Give]),
            ("quantity", params.quantity.is_some(), &[Give]),
            ("to", written(&params.to), &[Give]),
            ("text", written(&params.text), &[Import]),
            ("format", params.format.is_some(), &[Export]),
        ];
        let instead = |unread: &[Detail]| {
            let things = unread
                .iter()
                .any(|detail| ["item", "quantity"].contains(&detail.parameter.as_str()));
            match self {
                Create | Update | Import | Award if things => {
                    " Things go into inventory=[{\"name\": \"rope\", \"quantity\": 1}]."
                }
                LevelUp if params.level.is_some() => {
                    " It goes up by one, as the rules say; action=\"update\" sets level to any number."
                }
                Award if !params.tracks.is_empty() => {
                    " apply_damage with track=\"…\" gives points of a track (amount=-1) and takes them (amount=1)."
                }
                _ => "",
            }
            .to_owned()
        };
        let thing = params.item.as_ref().filter(|_| self == Award);
        refuse_unread(self, &fields, ", ", instead).map_err(|refusal| match thing {
            Some(name) => {
                let quantity = params.quantity.unwrap_or(1);
                let things = json!([{"name": name, "quantity": quantity}]);
                let refusal = refusal.trying(None, vec![("inventory".to_owned(), things)]);
                refusal.without("item").without("quantity")
            }
            None => refusal,
        })
    }
}
