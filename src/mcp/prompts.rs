//! Prompts: what a person starts by name, and what the assistant is then told to do, with what this adventure's rules ask for.
//!
//! Every prompt is made from the rules and the table as they are now. Texts of the adventure that stand in them (names of skills,
//! of the rules) are quoted, short and printable: they are data, never instructions.

use rmcp::model::{
    ErrorData, GetPromptRequestParams, GetPromptResult, ListPromptsResult, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::{Value, json};

use crate::names::{near, printable, quoted, shortened};
use crate::rules::{Attribute, System};
use crate::session::Host;

/// Characters of what a caller says about the one they want.
const WISH_MAX: usize = 500;
/// Names of one list that are told.
const NAMES_MAX: usize = 40;

/// A prompt: its name, its words, its argument, and how it is made.
struct Own {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    argument: Option<(&'static str, &'static str)>,
    text: fn(&System, Option<&str>) -> String,
}

const ALL: [Own; 5] = [
    Own {
        name: "new_character",
        title: "Make a character",
        description: "Leads a player through making a character by this adventure's rules.",
        argument: Some(("idea", "Who it shall be, in a few words.")),
        text: new_character,
    },
    Own {
        name: "start_session",
        title: "Begin a session",
        description: "Opens a sitting: who is there, where the story stands, what the rules say.",
        argument: Some(("title", "What the sitting is called.")),
        text: start_session,
    },
    Own {
        name: "resume",
        title: "Go on",
        description: "Picks the game up exactly where it stopped, in the middle of a fight, too.",
        argument: None,
        text: resume,
    },
    Own {
        name: "recap",
        title: "The story so far",
        description: "Tells the players what happened, from what they saw.",
        argument: None,
        text: recap,
    },
    Own {
        name: "check_rules",
        title: "Check the rules",
        description: "Goes through what the program understood of the rules, with whoever writes them.",
        argument: Some(("section", "The heading to look at; all of them when left out.")),
        text: check_rules,
    },
];

/// Every prompt.
pub fn list() -> ListPromptsResult {
    let prompt = |own: &Own| {
        let argument =
            |(name, about): (&str, &str)| vec![PromptArgument::new(name).with_description(about).with_required(false)];
        Prompt::new(own.name, Some(own.description), own.argument.map(argument)).with_title(own.title)
    };
    ListPromptsResult::with_all_items(ALL.iter().map(prompt).collect())
}

/// One prompt, made for the adventure as it is.
///
/// # Errors
/// `invalid params` for another name or argument, with what there is.
pub fn get(host: &Host, request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let names: Vec<&str> = ALL.iter().map(|own| own.name).collect();
    let Some(own) = ALL.iter().find(|own| own.name == request.name) else {
        let near = near(&request.name, names.iter().copied());
        let hint = near
            .first()
            .map_or_else(|| format!("there are {}", names.join(", ")), |near| format!("did you mean {near}?"));
        let message = format!("Unknown prompt \"{}\": {hint}", quoted(&request.name));
        return Err(ErrorData::invalid_params(message, Some(json!({"prompts": names}))));
    };
    let known = own.argument.map(|(name, _)| name);
    let mut said = None;
    for (name, value) in request.arguments.iter().flatten() {
        match value {
            Value::String(text) if Some(name.as_str()) == known => said = Some(text.trim()),
            Value::Null => {}
            _ => {
                let takes = known.map_or("no argument".to_owned(), |known| format!("{known}, a text"));
                let message = format!("{} takes {takes}; not \"{}\"", own.name, quoted(name));
                return Err(ErrorData::invalid_params(message, None));
            }
        }
    }
    let wish = said.filter(|text| !text.is_empty()).map(|text| printable(&shortened(text, WISH_MAX)));
    let adventure = host.adventure();
    let text = (own.text)(&adventure.reading.system, wish.as_deref());
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(own.description))
}

fn new_character(system: &System, wish: Option<&str>) -> String {
    let mut text = "Lead me through making a player character, in conversation: one question at a time, in the order below, with two or \
                    three suggestions that fit the adventure. Make nothing up for me, and roll nothing yourself.\n"
        .to_owned();
    if let Some(wish) = wish {
        text.push_str(&format!("\nMy idea: {wish}\n"));
    }
    let mut steps =
        vec!["Read how characters are made here: get_rules section=\"Attributes\", and section=\"Skills\".".to_owned()];
    steps.push("Ask for a name, and who this is in one sentence (it goes into notes).".to_owned());
    if system.attributes.is_empty() {
        steps.push(
            "The rules declare no attributes; ask what the character is good and bad at, for the notes.".to_owned(),
        );
    } else {
        let asked = listed(system.attributes.iter().map(asked));
        steps.push(format!(
            "Ask for a score in each of: {asked}. If the rules say that they are rolled, do it in the call itself, with \
             roll_attributes=\"4d6kh3\" or whatever dice the rules name."
        ));
    }
    if !system.skills.is_empty() {
        let skills = listed(system.skills.iter().map(|skill| quoted(&skill.name)));
        steps.push(format!("Ask which skills it has learned, by the number the rules give: {skills}."));
    }
    let tracks = listed(system.tracks.iter().map(|track| quoted(&track.name)));
    if !tracks.is_empty() {
        steps.push(format!("These are worked out by the rules, so do not ask for them: {tracks}."));
    }
    steps
        .push("Ask what it carries (inventory), and whether the GM alone should know something (gm_notes).".to_owned());
    steps.push(
        "Say it all back in three lines. When I agree: manage_character action=\"create\" kind=\"player\". If the reply's missing is not \
         empty, ask for that and send action=\"update\"; then show get_character view=\"sheet\"."
            .to_owned(),
    );
    text + &numbered(&steps)
}

fn start_session(system: &System, title: Option<&str>) -> String {
    let title = title.map_or(String::new(), |title| format!(" title=\"{}\"", title.replace('"', "'")));
    let mut steps = vec![
        "manage_session action=\"status\": if a session is open already, go on with it as it stands.".to_owned(),
        format!("Otherwise manage_session action=\"start\"{title}."),
        "If nobody is in the party yet, make the characters first, one after the other.".to_owned(),
        "get_character list=true: say to each player how theirs stands, and read missing and conditions.".to_owned(),
    ];
    if !system.narrative {
        steps.push("get_rules without arguments: know the checks by name before the first roll.".to_owned());
    }
    steps.push(
        "Tell in three sentences where the story stands, from player_text alone, and ask what they do.".to_owned(),
    );
    "Begin a session of this campaign.\n".to_owned() + &numbered(&steps)
}

fn resume(_: &System, _: Option<&str>) -> String {
    let steps = [
        "manage_session action=\"status\": what is open, who is there, whether a fight goes on.",
        "If one does, manage_combat action=\"status\": say round, whose turn it is, and how everybody stands as players may know it \
         (player_text). Do not begin it anew, and pass no turn.",
        "get_character for whoever acts next.",
        "Go on from there: ask the player whose turn it is what they do.",
    ];
    "Go on with this campaign exactly where it stopped.\n".to_owned() + &numbered(&steps.map(str::to_owned))
}

fn recap(_: &System, _: Option<&str>) -> String {
    let steps = [
        "Any reading call with after=0, such as manage_session action=\"status\" after=0, lists in since what was written; read on with \
         the last number until nothing more comes.",
        "Tell the story of it in at most twelve sentences, for the players: what was done, what it cost, what stands open. Leave out \
         numbers of entries, everything the players did not see, and every word of GM notes.",
        "End with the one question that the next scene should answer.",
    ];
    "Tell the story of this campaign so far.\n".to_owned() + &numbered(&steps.map(str::to_owned))
}

fn check_rules(system: &System, section: Option<&str>) -> String {
    let which = section.map_or(String::new(), |section| format!(" section=\"{}\"", section.replace('"', "'")));
    let read = match system.narrative {
        true => "This adventure has no System.md: say so, and offer to write one from how the table plays.".to_owned(),
        false => format!("get_rules{which}: compare the author's words with what was understood, line by line."),
    };
    let steps = [
        read,
        "manage_session action=\"status\": go through problems, each with its line and a proposal for the wording.".to_owned(),
        "Name what reads like a rule and was not understood, and ask whether it should be one.".to_owned(),
        "For two checks and a typical character, show odds, and ask whether that is what was meant.".to_owned(),
        "Change no file yourself unless you are asked to; `rollbook check` and `rollbook test` tell the author the same.".to_owned(),
    ];
    "Check the rules of this adventure with me, its author.\n".to_owned() + &numbered(&steps)
}

/// "Strength (STR), 3 to 20".
fn asked(attribute: &Attribute) -> String {
    let range = attribute.range.map_or(String::new(), |(low, high)| format!(" {low} to {high}"));
    format!("{}{range}", quoted(attribute.short()))
}

fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(NAMES_MAX);
    let mut names: Vec<String> = names.take(NAMES_MAX).collect();
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}

fn numbered(steps: &[String]) -> String {
    (1..).zip(steps).map(|(at, step): (usize, &String)| format!("\n{at}. {step}")).collect()
}
