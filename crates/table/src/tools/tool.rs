//! What a tool is: its words, its parameters, its reply, and what it does.

use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::confirm::ConfirmBy;
pub use super::synonyms::Alias;
use crate::session::{Answer, CallError, Host, ReplyDetail, Request};
use rollbook_game::refusal::Detail;
use rollbook_rules::System;

/// What a tool is about: what `serve --toolsets` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    Dice,
    Rules,
    Characters,
    Combat,
    Log,
    Utility,
}

impl Category {
    /// Every category, in the order of the list of tools.
    pub const ALL: [Category; 6] = [
        Category::Dice,
        Category::Rules,
        Category::Characters,
        Category::Combat,
        Category::Log,
        Category::Utility,
    ];
    /// Those of a server that is told nothing. Most clients can count and tell the time.
    pub const DEFAULT: [Category; 5] = [
        Category::Dice,
        Category::Rules,
        Category::Characters,
        Category::Combat,
        Category::Log,
    ];

    /// As `--toolsets` names it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Category::Dice => "dice",
            Category::Rules => "rules",
            Category::Characters => "characters",
            Category::Combat => "combat",
            Category::Log => "log",
            Category::Utility => "utility",
        }
    }

    /// The category of that name, letter by letter.
    pub fn named(name: &str) -> Option<Category> {
        Category::ALL
            .into_iter()
            .find(|category| category.as_str() == name)
    }
}

/// A tool: its words, its parameters, its reply, and what it does.
pub trait Tool: 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// Under 2000 bytes.
    const DESCRIPTION: &'static str;
    const CATEGORY: Category;
    /// Needed so often that clients should load it at once.
    const HOT: bool = false;
    /// Words under which it is searched for, beside name and description; not of hot tools.
    const SEARCH_HINT: &'static str = "";
    const READ_ONLY: bool = false;
    const DESTRUCTIVE: bool = false;
    /// How a refusal ends: that nothing happened; empty for tools that change nothing.
    const UNTOUCHED: &'static str = if Self::READ_ONLY {
        ""
    } else {
        "Nothing was changed."
    };
    /// Other names of parameters, see [`super::synonyms::Synonyms::parameters`].
    const ALIASES: &'static [Alias] = &[];
    /// Hints for words that are no parameter's, see [`super::synonyms::Synonyms::words`].
    const WORDS: &'static [(&'static str, &'static str, &'static str)] = &[];
    /// Its fields in a brief reply: the one number or outcome, and what was asked for by name.
    const BRIEF: &'static [&'static str];
    /// What is asked before a final call, by its arguments; `None` for tools without one.
    const CONFIRM: Option<ConfirmBy> = None;
    type Params: DeserializeOwned + JsonSchema + Send;
    /// The tool's own fields of a reply; the common ones stand beside them.
    type Reply: Serialize + JsonSchema + Send + 'static;

    /// What is wrong beyond types, to report all at once; else the call itself refuses it.
    fn faults(_: &Map<String, Value>) -> Vec<Detail> {
        Vec::new()
    }

    /// Completes the advice for a refused argument where it depends on the rules.
    fn advise_by_rules(_: &System, _: &mut Detail) {}

    /// The summary in another form, where parameters had other names, `(sent, meant)`.
    fn summary(_renamed: &[(String, String)], _reply: &Map<String, Value>) -> Option<String> {
        None
    }

    fn call(
        host: &Host,
        call: Call,
        params: Self::Params,
    ) -> impl Future<Output = Result<Answer<Self::Reply>, CallError>> + Send;
}

/// What every call may bring besides its tool's parameters.
#[derive(Debug, Default)]
pub struct Call {
    pub campaign: Option<String>,
    pub request: Request,
    /// How much the reply says, for summaries that depend on it; the envelope leaves out the rest.
    pub detail: ReplyDetail,
}
