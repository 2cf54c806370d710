//! Prompts: a person starts them by name, and their text tells the assistant what to do, by this
//! adventure's rules.
//!
//! Every prompt is made from the rules and the table as they are now. Texts of the adventure that
//! are in them (names of skills, of the rules) are quoted, short and printable: they are data,
//! never instructions.

mod character;
mod session;

use rmcp::model::{
    ErrorData, GetPromptRequestParams, GetPromptResult, ListPromptsResult, Prompt, PromptArgument,
    PromptMessage, Role,
};
use serde_json::{Map, Value, json};

use super::resources::Asker;
use character::new_character;
use rollbook_game::refusal::Code;
use rollbook_rules::Reading;
use rollbook_table::session::CallError;
use rollbook_table::tools::{Registry, tool_named};
use rollbook_text::names::{printable, quoted, shortened, suggest};
use session::{check_rules, recap, resume, start_session};

/// Characters of what a caller says about the one they want.
const WISH_MAX: usize = 500;

/// A prompt: its name, its words, its argument, and how it is made.
struct PromptEntry {
    name: &'static str,
    /// The tool that it leads to, without which there is nothing to do.
    needs: &'static str,
    title: &'static str,
    description: &'static str,
    argument: Option<Argument>,
    text: Text,
}

/// What may be typed after a prompt.
struct Argument {
    name: &'static str,
    about: &'static str,
    offers: Offers,
}

/// What a client offers while an argument is typed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Offers {
    /// The headings of the rules.
    Headings,
    /// It is free text.
    Nothing,
}

/// How the text of a prompt is made.
enum Text {
    /// From the rules as players read them, and what was typed.
    OfRules(fn(&Reading, Option<&str>) -> String),
    /// From what `manage_session` answers to this, which is what players know and nothing else.
    Story(&'static [(&'static str, &'static str)], fn(&str) -> String),
}

static ALL: [PromptEntry; 5] = [
    PromptEntry {
        name: "new_character",
        needs: "manage_character",
        title: "Make a character",
        description: "Leads a player through making a character by this adventure's rules.",
        argument: Some(Argument {
            name: "idea",
            about: "Who it shall be, in a few words.",
            offers: Offers::Nothing,
        }),
        text: Text::OfRules(|rules, idea| new_character(&rules.system, idea)),
    },
    PromptEntry {
        name: "start_session",
        needs: "manage_session",
        title: "Begin a session",
        description: "Opens a sitting: the rules, who is there, where the story stands.",
        argument: Some(Argument {
            name: "title",
            about: "What the sitting is called.",
            offers: Offers::Nothing,
        }),
        text: Text::OfRules(start_session),
    },
    PromptEntry {
        name: "resume",
        needs: "manage_session",
        title: "Go on",
        description: "Picks the game up exactly where it stopped, in the middle of a fight, too.",
        argument: None,
        text: Text::Story(&[("action", "resume"), ("audience", "player")], resume),
    },
    PromptEntry {
        name: "recap",
        needs: "manage_session",
        title: "The story so far",
        description: "Tells the players what happened, from what they saw.",
        argument: None,
        text: Text::Story(&[("action", "recap")], recap),
    },
    PromptEntry {
        name: "check_rules",
        needs: "get_rules",
        title: "Check the rules",
        description: "Goes through what the program understood of the rules, with whoever writes them.",
        argument: Some(Argument {
            name: "section",
            about: "The heading to look at; all of them when left out.",
            offers: Offers::Headings,
        }),
        text: Text::OfRules(|rules, section| check_rules(&rules.system, section)),
    },
];

/// Every prompt that these tools can follow.
pub fn list(tools: &Registry) -> ListPromptsResult {
    let prompt = |entry: &PromptEntry| {
        let argument = |argument: &Argument| {
            vec![
                PromptArgument::new(argument.name)
                    .with_description(argument.about)
                    .with_required(false),
            ]
        };
        Prompt::new(
            entry.name,
            Some(entry.description),
            entry.argument.as_ref().map(argument),
        )
        .with_title(entry.title)
    };
    ListPromptsResult::with_all_items(
        ALL.iter()
            .filter(|prompt| tools.get(prompt.needs).is_some())
            .map(prompt)
            .collect(),
    )
}

/// What is offered while that argument of that prompt is typed.
/// Errors: `invalid params` for another name or argument, with what there is.
pub(super) fn offers(prompt: &str, argument: &str) -> Result<Offers, ErrorData> {
    let known = named(prompt)?;
    match &known.argument {
        Some(known) if known.name == argument => Ok(known.offers),
        Some(_) | None => Err(known.takes_no(argument)),
    }
}

fn named(name: &str) -> Result<&'static PromptEntry, ErrorData> {
    ALL.iter().find(|known| known.name == name).ok_or_else(|| {
        let names: Vec<&str> = ALL.iter().map(|known| known.name).collect();
        let suggestions = suggest(name, names.iter().copied());
        let hint = suggestions.first().map_or_else(
            || format!("there are {}", names.join(", ")),
            |first| format!("did you mean {first}?"),
        );
        let message = format!("Unknown prompt \"{}\": {hint}", quoted(name));
        ErrorData::invalid_params(message, Some(json!({"prompts": names})))
    })
}

impl PromptEntry {
    fn takes_no(&self, argument: &str) -> ErrorData {
        let takes = self
            .argument
            .as_ref()
            .map_or("no argument".to_owned(), |known| {
                format!("{}, a text", known.name)
            });
        ErrorData::invalid_params(
            format!("{} takes {takes}; not \"{}\"", self.name, quoted(argument)),
            None,
        )
    }
}

/// One prompt, made for the adventure as it is. Errors: `invalid params` for another name or
/// argument, with what there is; for one whose tool is off, with how it is switched on.
pub async fn get(
    asker: Asker<'_>,
    tools: &Registry,
    request: &GetPromptRequestParams,
) -> Result<GetPromptResult, ErrorData> {
    let prompt = named(&request.name)?;
    tools
        .for_seat(None, prompt.needs)
        .map_err(|off| ErrorData::invalid_params(off.summary, None))?;
    let known = prompt.argument.as_ref().map(|argument| argument.name);
    let mut typed = None;
    for (name, value) in request.arguments.iter().flatten() {
        match value {
            Value::String(text) if Some(name.as_str()) == known => typed = Some(text.trim()),
            Value::Null => {}
            _ => return Err(prompt.takes_no(name)),
        }
    }
    let wish = typed
        .filter(|text| !text.is_empty())
        .map(|text| printable(&shortened(text, WISH_MAX)));
    if let (Some(Offers::Headings), Some(section)) = (
        prompt.argument.as_ref().map(|argument| argument.offers),
        &wish,
    ) {
        check_section(asker, section).await?;
    }
    let adventure = asker.host.adventure();
    let text = match prompt.text {
        Text::OfRules(text) => text(&adventure.reading.for_players(), wish.as_deref()),
        Text::Story(call, text) => text(&story(asker, call).await?),
    };
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(prompt.description))
}

/// Refuses a section that the rules do not have, as `get_rules` does. The first word of one may be
/// all that a client sends.
async fn check_section(asker: Asker<'_>, section: &str) -> Result<(), ErrorData> {
    let Some(entry) = tool_named("get_rules") else {
        return Ok(());
    };
    let arguments = Map::from_iter([("section".to_owned(), Value::from(section))]);
    match asker.call(entry, arguments).await {
        Err(CallError::Refusal(refusal)) if refusal.code == Code::UnknownRule => {
            let sections = super::resources::headings(asker);
            Err(ErrorData::invalid_params(
                refusal.summary,
                Some(json!({"sections": sections})),
            ))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// What `manage_session` answers to a call.
async fn story(asker: Asker<'_>, call: &[(&str, &str)]) -> Result<String, ErrorData> {
    let arguments = call
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Value::from(*value)));
    let arguments = Map::from_iter(arguments);
    let Some(entry) = tool_named("manage_session") else {
        return Ok(String::new());
    };
    match asker.call(entry, arguments).await {
        Ok(reply) => Ok(reply
            .get("summary")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()),
        Err(CallError::Refusal(refusal)) => Err(ErrorData::internal_error(refusal.summary, None)),
        Err(CallError::Failure(reason)) => {
            tracing::error!("{reason}");
            Err(ErrorData::internal_error(
                "Rollbook could not read the game. Its log says why.",
                None,
            ))
        }
    }
}
