//! The tools that may be called: Rollbook's own, as they are listed, then those registered.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use serde_json::Value;

use super::entry::{Form, Off, ToolEntry};
use super::tool::Category;
use super::{
    apply_damage, calculator, get_character, get_rules, get_time, manage_character, manage_combat,
    manage_session, odds, roll_dice, roll_multiple, search_log, search_rules, skill_check,
};
use crate::session::Seat;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_text::names::{quoted, suggest};

/// Letters of a name, as the chat APIs allow them.
const NAME_MAX: usize = 64;

/// The tools that somebody may call. Names are told apart by every letter.
#[derive(Clone)]
pub struct Registry {
    tools: Vec<Arc<ToolEntry>>,
    of_players: OnceLock<Vec<Arc<ToolEntry>>>,
}

/// Why a tool is not added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotRegister {
    #[error("a tool is called {name} already, in {category}. Give this one another name")]
    Taken { name: String, category: String },
    #[error(
        "\"{0}\" is no name of a tool: 1 to {NAME_MAX} letters a to z, A to Z, digits, _ and - are"
    )]
    Name(String),
    #[error("the arguments of {0} are no object. Its schema has to say \"type\": \"object\"")]
    Input(String),
}

impl Default for Registry {
    /// Rollbook's own tools but the utilities, as `rollbook serve` has them without `--toolsets`.
    fn default() -> Self {
        Registry::of(&Category::DEFAULT)
    }
}

impl Registry {
    /// A registry without tools.
    pub fn new() -> Registry {
        Registry {
            tools: Vec::new(),
            of_players: OnceLock::new(),
        }
    }

    /// Rollbook's own tools of these categories, in the order they are listed.
    pub fn of(categories: &[Category]) -> Registry {
        let (on, off): (Vec<&Arc<ToolEntry>>, Vec<&Arc<ToolEntry>>) =
            all_tools().iter().partition(|tool| {
                tool.own_category()
                    .is_some_and(|tool| categories.contains(&tool))
            });
        let off: Arc<[Off]> = off
            .into_iter()
            .map(|tool| Off::of(&tool.name, &tool.category, categories))
            .collect();
        let tools = on
            .into_iter()
            .map(|tool| Arc::new(tool.beside(off.clone())))
            .collect();
        Registry {
            tools,
            of_players: OnceLock::new(),
        }
    }

    /// Adds a tool. Errors: [`CannotRegister`]; then nothing was changed.
    pub fn register(&mut self, tool: ToolEntry) -> Result<(), CannotRegister> {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
        if tool.name.is_empty() || tool.name.len() > NAME_MAX || !tool.name.chars().all(fits) {
            return Err(CannotRegister::Name(quoted(&tool.name)));
        }
        if tool.input.get("type").and_then(Value::as_str) != Some("object") {
            return Err(CannotRegister::Input(tool.name.into_owned()));
        }
        if let Some(known) = self.get(&tool.name) {
            let category = known.category.to_string();
            return Err(CannotRegister::Taken {
                name: tool.name.into_owned(),
                category,
            });
        }
        self.tools.push(Arc::new(tool));
        self.of_players = OnceLock::new();
        Ok(())
    }

    /// Takes a tool out and gives it back.
    pub fn unregister(&mut self, name: &str) -> Option<Arc<ToolEntry>> {
        let at = self.tools.iter().position(|tool| tool.name == name)?;
        self.of_players = OnceLock::new();
        Some(self.tools.remove(at))
    }

    /// Lets one caller call that tool only so long after the last time. Errors: `unknown_tool`.
    pub fn cool_down(&mut self, name: &str, time: Duration) -> Result<(), Refusal> {
        let Some(tool) = self.tools.iter_mut().find(|tool| tool.name == name) else {
            return Err(self.unknown(None, name));
        };
        *tool = Arc::new(ToolEntry::clone(tool).cooling_down(time));
        self.of_players = OnceLock::new();
        Ok(())
    }

    /// The tool of exactly that name.
    pub fn get(&self, name: &str) -> Option<&Arc<ToolEntry>> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// Every tool, in the order they are listed.
    pub fn all(&self) -> &[Arc<ToolEntry>] {
        &self.tools
    }

    /// The tools of a category, Rollbook's own or one that was mounted.
    pub fn category(&self, category: &str) -> impl Iterator<Item = &Arc<ToolEntry>> {
        self.tools
            .iter()
            .filter(move |tool| tool.category == category)
    }

    /// The categories that have a tool here, in the order of their first.
    pub fn categories(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        self.tools
            .iter()
            .map(|tool| &*tool.category)
            .filter(|category| seen.insert(*category))
            .collect()
    }

    /// The schema of each tool, in that form.
    pub fn schemas(&self, form: Form) -> Vec<Value> {
        self.tools.iter().map(|tool| tool.schema(form)).collect()
    }

    /// The tools of a seat: all without keys; a player's has fewer, of those fewer parameters.
    pub fn of_seat(&self, seat: Option<&Seat>) -> &[Arc<ToolEntry>] {
        if !seat.is_some_and(Seat::is_player) {
            return &self.tools;
        }
        let narrowed = || {
            self.tools
                .iter()
                .filter_map(|tool| tool.narrowed().map(Arc::new))
                .collect()
        };
        self.of_players.get_or_init(narrowed)
    }

    /// The tool of that name for that seat. Errors: `unknown_tool`, with near names or its toolset.
    pub fn for_seat(&self, seat: Option<&Seat>, name: &str) -> Result<&Arc<ToolEntry>, Refusal> {
        self.of_seat(seat)
            .iter()
            .find(|tool| tool.name == name)
            .ok_or_else(|| self.unknown(seat, name))
    }

    fn unknown(&self, seat: Option<&Seat>, name: &str) -> Refusal {
        let is_player = seat.is_some_and(Seat::is_player);
        let off = tool_named(name)
            .filter(|off| self.get(name).is_none() && (!is_player || off.narrowed().is_some()));
        if let Some(off) = off {
            let has = |category: &Category| self.category(category.as_str()).next().is_some();
            let on: Vec<Category> = Category::ALL.into_iter().filter(has).collect();
            let Off { what, how, .. } = Off::of(&off.name, &off.category, &on);
            let advice = if is_player {
                "Go on without it, or ask the GM."
            } else {
                &how
            };
            return Refusal::new(Code::UnknownTool, format!("{what} {advice}"));
        }
        let names: Vec<&str> = self.of_seat(seat).iter().map(|tool| &*tool.name).collect();
        let suggestions = suggest(name, names.iter().copied());
        let hint = match suggestions.first() {
            Some(first) => format!("did you mean {first}?"),
            None if names.is_empty() => "this server has none.".to_owned(),
            None => format!("there are {}.", names.join(", ")),
        };
        let summary = format!("Unknown tool \"{}\": {hint}", quoted(name));
        Refusal::new(Code::UnknownTool, summary).did_you_mean(suggestions)
    }
}

/// Every tool of Rollbook's own, in the order it is listed.
pub fn all_tools() -> &'static [Arc<ToolEntry>] {
    static TOOLS: LazyLock<Vec<Arc<ToolEntry>>> = LazyLock::new(|| {
        let all = [
            ToolEntry::of::<roll_dice::RollDice>(),
            ToolEntry::of::<roll_multiple::RollMultiple>(),
            ToolEntry::of::<skill_check::SkillCheck>(),
            ToolEntry::of::<apply_damage::ApplyDamage>(),
            ToolEntry::of::<get_character::GetCharacter>(),
            ToolEntry::of::<manage_character::ManageCharacter>(),
            ToolEntry::of::<manage_combat::ManageCombat>(),
            ToolEntry::of::<manage_session::ManageSession>(),
            ToolEntry::of::<search_log::SearchLog>(),
            ToolEntry::of::<get_rules::GetRules>(),
            ToolEntry::of::<search_rules::SearchRules>(),
            ToolEntry::of::<odds::Odds>(),
            ToolEntry::of::<calculator::Calculator>(),
            ToolEntry::of::<get_time::GetTime>(),
        ];
        all.into_iter().map(Arc::new).collect()
    });
    &TOOLS
}

/// One of Rollbook's own tools, by its name.
pub fn tool_named(name: &str) -> Option<&'static ToolEntry> {
    all_tools()
        .iter()
        .find(|tool| tool.name == name)
        .map(|tool| &**tool)
}
