//! A seat at the table: reads a line, has it done, shows what came of it, and keeps the transcript.

use serde_json::{Map, Value, json};

use super::screen::Screen;
use crate::cli::output::Failed;
use crate::play::assistant::Assistant;
use crate::play::assistant::Event;
use crate::play::command::{self, Deed};
use crate::play::names::{Blocks, Names};
use crate::play::toolbox::{Outcome, Toolbox, fields, text};
use crate::play::transcript::{self, Line, Transcript};
use rollbook_game::mechanics::clocks::COMPANY;
use rollbook_game::view::Audience;
use rollbook_table::session::{Readers, os};
use rollbook_text::names::printable;

/// The remark where there is nothing but dice.
pub const NO_RULES: &str = "No System.md is here, so there are dice, fights and notes, and no checks. `rollbook init` writes an adventure that comes with the \
                        program here; --adventure DIR plays one that lies elsewhere.";
/// People whom the adventure brings that are named beside the first.
const SHEETS_SHOWN: usize = 7;

const LINE_MAX: usize = 20_000;

/// Whether the evening goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    GoesOn,
    Leaves,
}

pub struct Seat {
    toolbox: Toolbox,
    assistant: Option<Assistant>,
    screen: Screen,
    transcript: Option<Transcript>,
    blocks: Blocks,
}

impl Seat {
    pub fn new(toolbox: Toolbox, assistant: Option<Assistant>, screen: Screen) -> Seat {
        Seat { toolbox, assistant, screen, transcript: None, blocks: Blocks::default() }
    }

    pub fn is_narrative(&self) -> bool {
        self.toolbox.host.adventure().reading.system.narrative
    }

    pub fn has_model(&self) -> bool {
        self.assistant.is_some()
    }

    pub fn audience(&self) -> Audience {
        self.screen.audience
    }

    pub async fn names(&mut self) -> Names {
        self.blocks.reload_if_changed(&self.toolbox.host.adventure());
        Names::at_table(&self.toolbox, self.audience(), &self.blocks).await
    }

    /// Opens the campaign, and then the transcript: beside what cannot be opened nothing is written.
    /// Errors: where nothing can be played at this table.
    pub async fn open(&mut self) -> Result<(), Failed> {
        self.toolbox.open().await?;
        let host = &self.toolbox.host;
        let folder = transcript::folder(&host.database);
        let kept = folder.map(|folder| Transcript::open(&folder, &host.database, &host.default_campaign, os::now));
        self.transcript = kept.transpose().unwrap_or_else(|why| {
            tracing::warn!("no transcript is kept: {why}");
            None
        });
        Ok(())
    }

    pub async fn greet(&mut self) -> Result<(), Failed> {
        let status =
            self.toolbox.look("manage_session", fields([("action", json!("status")), ("detail", json!("full"))])).await;
        let more = match self.is_narrative() {
            true => NO_RULES.to_owned(),
            false => sheets_shown(&self.names().await, self.audience()),
        };
        let model = self.assistant.as_ref().map(Assistant::model);
        self.screen.greeting(&status, &more, model)
    }

    /// Does what a line says.
    /// Errors: when nothing can be shown any more. What could not be done is shown.
    pub async fn line(&mut self, line: &str) -> Result<Flow, Failed> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(Flow::GoesOn);
        }
        if line.chars().nth(LINE_MAX).is_some() {
            self.screen.complaint(&format!("A line has at most {LINE_MAX} characters."))?;
            return Ok(Flow::GoesOn);
        }
        self.keep(Line::Person { text: line });
        if !line.starts_with('/') && self.assistant.is_some() {
            self.talk(line).await?;
            return Ok(Flow::GoesOn);
        }
        // /quit alone needs no names, and so no database.
        if command::is_quit(line) {
            return Ok(Flow::Leaves);
        }
        let names = self.names().await;
        let readers = |tool: &str, arguments: &Map<String, Value>| match self.screen.audience {
            Audience::Gm => Readers::Gm,
            Audience::Player if is_gms(line, tool, arguments, &names) => Readers::PlayersOfGm,
            Audience::Player => Readers::Players,
        };
        match read(line, &names) {
            Ok(Deed::Quit) => return Ok(Flow::Leaves),
            Ok(Deed::Help(entry)) => self.screen.help(entry, self.assistant.is_some())?,
            Ok(Deed::Call { tool, arguments }) => {
                let arguments = match self.audience() {
                    Audience::Gm => arguments,
                    Audience::Player => as_players_look(&tool, arguments),
                };
                let readers = readers(&tool, &arguments);
                drop(self.call(line, readers, &tool, arguments).await?);
            }
            Ok(Deed::Heal { dice, mut arguments }) => {
                let roll = fields([("expression", json!(dice)), ("context", json!("healing"))]);
                let readers = readers("apply_damage", &arguments);
                if let Some(total) =
                    self.call(line, readers, "roll_dice", roll).await?.and_then(|reply| reply.get("total")?.as_i64())
                {
                    arguments.insert("amount".to_owned(), json!(-total.max(0)));
                    self.call(line, readers, "apply_damage", arguments).await?;
                }
            }
            Err(why) => self.screen.complaint(&why)?,
        }
        Ok(Flow::GoesOn)
    }

    /// A call that was typed; answers its reply, if it was carried out.
    async fn call(
        &mut self,
        line: &str,
        readers: Readers,
        tool: &str,
        mut arguments: Map<String, Value>,
    ) -> Result<Option<Map<String, Value>>, Failed> {
        // Of a foe no whole sheet is asked.
        let field = |name: &str| arguments.get(name).and_then(Value::as_str);
        let is_made = tool == "manage_character" && field("action") == Some("create");
        let is_made = is_made && field("kind").is_none_or(|kind| kind == "player");
        // A short reply does not say what is missing.
        if is_made && !arguments.contains_key("detail") {
            arguments.insert("detail".to_owned(), json!("full"));
        }
        let is_of_block = arguments.contains_key("from");
        let outcome = self.toolbox.call_before(readers, tool, arguments.clone()).await;
        let undoes = arguments.get("action").is_some_and(|action| action == "undo");
        self.keep(Line::of_call(tool, &Value::Object(arguments), &outcome));
        if let (Some(assistant), Outcome::Done(_)) = (&mut self.assistant, &outcome)
            && outcome.is_logged()
        {
            assistant.add_meanwhile(&format!("{line} ({})", outcome.summary()));
        }
        self.screen.typed(tool, &outcome, undoes)?;
        if let (Outcome::Done(reply), true) = (&outcome, is_made) {
            let missing = reply.get("missing").and_then(Value::as_array).into_iter().flatten();
            let missing: Vec<&str> = missing.filter_map(Value::as_str).collect();
            if !missing.is_empty() {
                let system = &self.toolbox.host.adventure().reading.system;
                self.screen.complaint(&command::incomplete(text(reply, "character"), &missing, is_of_block, system))?;
            }
        }
        Ok(if let Outcome::Done(reply) = outcome { Some(reply) } else { None })
    }

    /// Says something to the model and shows its answer; Ctrl-C breaks it off.
    async fn talk(&mut self, text: &str) -> Result<(), Failed> {
        let Seat { toolbox, assistant, screen, transcript, .. } = self;
        let Some(assistant) = assistant else { return Ok(()) };
        let model = assistant.model().to_owned();
        let mut shown = Ok(());
        let mut lost = Vec::new();
        screen.waits()?;
        let mut on = |event: Event<'_>| {
            if let Event::Ended { tool, arguments, outcome } = &event {
                lost.extend(
                    transcript.as_mut().and_then(|kept| kept.add(Line::of_call(tool, arguments, outcome)).err()),
                );
            }
            if shown.is_ok() {
                shown = screen.event(event);
            }
        };
        let answered = tokio::select! {
            answered = assistant.answer(text, toolbox, &mut on) => Some(answered),
            () = interrupted() => None,
        };
        shown?;
        self.screen.finish()?;
        let complaint = match answered {
            Some(Ok(text)) => {
                self.keep(Line::Model { text: &text, model: &model });
                None
            }
            Some(Err(error)) => Some(error.to_string()),
            None => Some("Broken off. What was called stays called; /undo takes the last call back.".to_owned()),
        };
        if let Some(text) = complaint {
            self.keep(Line::Table { text: &text });
            self.screen.complaint(&text)?;
        }
        if let Some(why) = lost.first() {
            tracing::warn!("the transcript lacks a line: {}", printable(why));
        }
        Ok(())
    }

    /// Keeps a line; a transcript that cannot be written ends nothing.
    fn keep(&mut self, line: Line<'_>) {
        if let Some(Err(why)) = self.transcript.as_mut().map(|kept| kept.add(line)) {
            tracing::warn!("the transcript lacks a line: {}", printable(&why));
        }
    }
}

/// Reads a command. Without a model a slash is not needed, and dice need no word.
fn read(line: &str, names: &Names) -> Result<Deed, String> {
    let word = line.split_whitespace().next().unwrap_or_default();
    if line.starts_with('/') || command::named(word).is_some() {
        return command::read(line, names);
    }
    if is_tool(line) {
        return command::read(&format!("/call {line}"), names);
    }
    match rollbook_dice::read(line) {
        Ok(_) => command::read(&format!("/roll {line}"), names),
        Err(_) => Err("This is no command and no dice, and no model listens. /help lists the commands.".to_owned()),
    }
}

fn is_tool(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|word| rollbook_table::tools::tool_named(word).is_some())
        && words.next().is_none_or(|next| next.contains('='))
}

/// Whether a command is the GM's, which is done on the table as it is: /call, /resume, the sheet of somebody who is not the players', what hides and
/// shows, and what asks for the GM's words.
fn is_gms(line: &str, tool: &str, arguments: &Map<String, Value>, names: &Names) -> bool {
    let word = line.trim_start_matches('/').split_whitespace().next().unwrap_or_default();
    let calls = command::named(word).is_some_and(|entry| entry.name == "call") || is_tool(line);
    let field = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let is_players = |name: &str| name.is_empty() || name == COMPANY || names.party.iter().any(|player| player == name);
    let asks = match tool {
        "manage_session" => field("action") == "resume" && field("audience") != "player" || field("audience") == "gm",
        "manage_combat" => matches!(field("action"), "hide" | "reveal"),
        "get_character" => !is_players(field("character")),
        _ => false,
    };
    calls || asks
}

/// What looks at the whole table (/party, /clock, /time), as it is read out to players; of /session the picture leaves out what is hidden.
fn as_players_look(tool: &str, mut arguments: Map<String, Value>) -> Map<String, Value> {
    let is = |field: &str, value: Value| arguments.get(field) == Some(&value);
    match tool {
        "get_character" if is("list", json!(true)) || is("character", json!(COMPANY)) => {
            arguments.insert("view".to_owned(), json!("sheet"))
        }
        "manage_session" if is("action", json!("status")) && !is("detail", json!("full")) => {
            arguments = fields([("action", json!("resume")), ("audience", json!("player"))]);
            None
        }
        _ => None,
    };
    arguments
}

/// The people whom the adventure has for players, where nobody plays yet.
fn sheets_shown(names: &Names, audience: Audience) -> String {
    let Some((first, others)) = names.sheets.split_first() else { return String::new() };
    if !names.party.is_empty() || audience == Audience::Player {
        return String::new();
    }
    let others = others.iter().take(SHEETS_SHOWN).filter_map(|sheet| sheet.split_once('#'));
    let others: Vec<&str> = others.map(|(_, name)| name).collect();
    let others = if others.is_empty() { String::new() } else { format!(" (also {})", others.join(", ")) };
    format!("The adventure brings people to play: /new {first}{others}.")
}

/// Returns at Ctrl-C, if a person is at the keyboard; else Ctrl-C ends the program, as it does all others.
async fn interrupted() {
    let by_hand = std::io::IsTerminal::is_terminal(&std::io::stdin());
    if !by_hand || tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
