//! A seat at the table: reads a line, has it done, and shows what came of it.

use std::ops::ControlFlow;

use serde_json::{Map, Value, json};

use super::screen::Screen;
use crate::cli::output::Failed;
use crate::play::assistant::{Assistant, Event};
use crate::play::command::{self, Deed};
use crate::play::names::{Blocks, Names};
use crate::play::toolbox::{Outcome, Toolbox, around, fields, list, text};
use rollbook_game::mechanics::clocks::COMPANY;
use rollbook_game::view::Audience;
use rollbook_table::session::Readers;
use rollbook_text::names::listed;

/// The remark where there is nothing but dice.
pub const NO_RULES: &str = "No adventure is here, so there are dice, fights and notes, and no checks. /begin lists those that come with the program, and /begin NAME \
                        writes one here.";
const SHEETS_MAX: usize = 200; // Characters of the names of people whom the adventure brings

const LINE_MAX: usize = 20_000;

pub struct Seat {
    pub toolbox: Toolbox,
    pub assistant: Option<Assistant>,
    pub screen: Screen,
    pub blocks: Blocks,
}

impl Seat {
    pub fn is_narrative(&self) -> bool {
        self.toolbox.host.adventure().reading.system.narrative
    }

    pub async fn names(&mut self) -> Names {
        self.blocks
            .reload_if_changed(&self.toolbox.host.adventure());
        Names::at_table(&self.toolbox, self.screen.audience, &self.blocks).await
    }

    pub async fn greet(&mut self) -> Result<(), Failed> {
        let status = self
            .toolbox
            .look(
                "manage_session",
                fields([("action", json!("status")), ("detail", json!("full"))]),
            )
            .await;
        let more = match self.is_narrative() {
            true => NO_RULES.to_owned(),
            false => sheets_shown(&self.names().await, self.screen.audience),
        };
        self.screen.greeting(
            &status,
            &more,
            self.assistant.as_ref().map(Assistant::model),
        )
    }

    /// Does what a line says; it breaks off where the person leaves.
    /// Errors: when nothing can be shown any more. What could not be done is shown.
    pub async fn line(&mut self, line: &str) -> Result<ControlFlow<()>, Failed> {
        let line = line.trim();
        if line.chars().nth(LINE_MAX).is_some() {
            self.screen
                .complaint(&format!("A line has at most {LINE_MAX} characters."))?;
        } else if !line.starts_with('/') && self.assistant.is_some() && !line.is_empty() {
            self.talk(line).await?;
        } else if command::is_quit(line) {
            // It needs no names, and so no database.
            return Ok(ControlFlow::Break(()));
        } else if !line.is_empty() {
            self.command(line).await?;
        }
        Ok(ControlFlow::Continue(()))
    }

    async fn command(&mut self, line: &str) -> Result<(), Failed> {
        let (names, audience) = (self.names().await, self.screen.audience);
        let readers = |tool: &str, arguments: &Map<String, Value>| match audience {
            Audience::Gm => Readers::Gm,
            Audience::Player if is_gms(line, tool, arguments, &names) => Readers::PlayersOfGm,
            Audience::Player => Readers::Players,
        };
        match read(line, &names) {
            Ok(Deed::Help(entry)) => self.screen.help(entry, self.assistant.is_some()),
            Ok(Deed::Call { tool, arguments }) => {
                let arguments = match audience {
                    Audience::Gm => arguments,
                    Audience::Player => as_players_look(&tool, arguments),
                };
                self.call(line, readers(&tool, &arguments), &tool, arguments)
                    .await
            }
            Ok(Deed::Asked { question, line }) => match self.toolbox.asker.clone() {
                Some(asker) if asker(question.clone()).await => Box::pin(self.command(&line)).await,
                Some(_) => self.screen.complaint("Nothing was done."),
                None => self
                    .screen
                    .complaint(&format!("{question} If yes, type {line}")),
            },
            Ok(Deed::Story) => {
                for line in ["/recap", "/session"] {
                    Box::pin(self.command(line)).await?;
                }
                Ok(())
            }
            Ok(Deed::Quit) => Ok(()),
            Err(why) => self.screen.complaint(&why),
        }
    }

    /// A call that was typed.
    async fn call(
        &mut self,
        line: &str,
        readers: Readers,
        tool: &str,
        mut arguments: Map<String, Value>,
    ) -> Result<(), Failed> {
        // Of a foe no whole sheet is asked.
        let is_made = tool == "manage_character"
            && text(&arguments, "action") == "create"
            && arguments
                .get("kind")
                .and_then(Value::as_str)
                .is_none_or(|kind| kind == "player");
        // A short reply does not say what is missing.
        if is_made && !arguments.contains_key("detail") {
            arguments.insert("detail".to_owned(), json!("full"));
        }
        let (is_of_block, undoes) = (
            arguments.contains_key("from"),
            text(&arguments, "action") == "undo",
        );
        let outcome = self.toolbox.call(readers, tool, arguments).await;
        if let (Some(assistant), true) = (&mut self.assistant, outcome.is_logged()) {
            assistant.add_meanwhile(&format!("{line} ({})", outcome.summary()));
        }
        self.screen.typed(tool, &outcome, undoes)?;
        let Outcome::Done(reply) = outcome else {
            return Ok(());
        };
        let missing: Vec<&str> = list(&reply, "missing").filter_map(Value::as_str).collect();
        if is_made && !missing.is_empty() {
            let system = &self.toolbox.host.adventure().reading.system;
            self.screen.complaint(&command::incomplete(
                text(&reply, "character"),
                &missing,
                is_of_block,
                system,
            ))?;
        }
        Ok(())
    }

    /// Says something to the model and shows its answer; Ctrl-C breaks it off.
    async fn talk(&mut self, text: &str) -> Result<(), Failed> {
        let Seat {
            toolbox,
            assistant: Some(assistant),
            screen,
            ..
        } = self
        else {
            return Ok(());
        };
        screen.waits()?;
        let mut shown = Ok(());
        let mut on = |event: Event<'_>| {
            if shown.is_ok() {
                shown = screen.event(event);
            }
        };
        let answered = tokio::select! {
            answered = assistant.answer(text, toolbox, &mut on) => Some(answered),
            () = interrupted() => None,
        };
        shown?;
        screen.break_line()?;
        match answered {
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) => screen.complaint(&error.to_string()),
            None => screen.complaint(
                "Broken off. What was called stays called; /undo takes the last call back.",
            ),
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
        Err(_) => Err(
            "This is no command and no dice, and no model listens. /help lists the commands."
                .to_owned(),
        ),
    }
}

fn is_tool(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words
        .next()
        .is_some_and(|word| rollbook_table::tools::tool_named(word).is_some())
        && words.next().is_none_or(|next| next.contains('='))
}

/// Whether a command is the GM's: /call, others' sheets, what hides or shows.
fn is_gms(line: &str, tool: &str, arguments: &Map<String, Value>, names: &Names) -> bool {
    let word = line
        .trim_start_matches('/')
        .split_whitespace()
        .next()
        .unwrap_or_default();
    let calls = command::named(word).is_some_and(|entry| entry.name() == "call") || is_tool(line);
    let field = |name: &str| text(arguments, name);
    let is_players = |name: &str| {
        name.is_empty() || name == COMPANY || names.party.iter().any(|player| player == name)
    };
    let asks = match tool {
        "manage_session" => {
            field("action") == "resume" && field("audience") != "player"
                || field("audience") == "gm"
        }
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
            arguments.insert("view".to_owned(), json!("sheet"));
            arguments
        }
        "manage_session" if is("action", json!("status")) && !is("detail", json!("full")) => {
            fields([("action", json!("resume")), ("audience", json!("player"))])
        }
        _ => arguments,
    }
}

/// The people whom the adventure has for players, where nobody plays yet.
fn sheets_shown(names: &Names, audience: Audience) -> String {
    let sheets = names
        .sheets
        .iter()
        .filter_map(|sheet| sheet.split_once('#'));
    let listed = listed(sheets.map(|(_, name)| name), SHEETS_MAX);
    match names.party.is_empty() && audience == Audience::Gm {
        true => around("Ready to be played: ", &listed, ". Type /new and a name."),
        false => String::new(),
    }
}

/// Returns at Ctrl-C if a person is at the keyboard; else that ends the program.
async fn interrupted() {
    if !std::io::IsTerminal::is_terminal(&std::io::stdin())
        || tokio::signal::ctrl_c().await.is_err()
    {
        std::future::pending::<()>().await;
    }
}
