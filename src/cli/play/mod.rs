//! `rollbook play`: a table in the terminal, for commands and, with a model, for talk.

#![expect(
    clippy::disallowed_methods,
    reason = "it asks whether a terminal is there"
)]

mod draw;
mod mount;
mod prompt;
mod screen;
mod seat;

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::io::{AsyncBufReadExt as _, BufReader};

use self::mount::Mount;
use self::prompt::Prompt;
use self::screen::Screen;
use self::seat::{NO_RULES, Seat};
use crate::cli::args::{AUDIENCES, TableArgs, ToolsetsArg, one_of};
use crate::cli::output::{Done, Failed, reason, say};
use crate::cli::serve::stop_signal;
use crate::cli::streams;
use crate::play::assistant::{Assistant, Limits};
use crate::play::command;
use crate::play::instructions::instructions;
use crate::play::model::{Choice, Model};
use crate::play::names::Blocks;
use crate::play::toolbox::Toolbox;
use rollbook_game::view::Audience;
use rollbook_table::tools::Category;
use rollbook_text::terminal::wrapped;

const ALONE: &str = "The table works without a model; --model NAME adds one (claude-sonnet-4-5, gpt-5, ollama:qwen3:8b).";

const WIDTH: usize = 100; // Columns of an answer that is written to no terminal

/// Sit at the table in this terminal: type commands, or talk to a model that runs the game with the
/// same tools.
///
/// /help lists the commands. What does not begin with a slash is said to the model; without one,
/// dice are rolled. Lines are read from a pipe, too, one command each. Keys of models are read from
/// ANTHROPIC_API_KEY and OPENAI_API_KEY.
#[derive(Debug, Args)]
pub struct Play {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    tools: ToolsetsArg,
    /// Who reads the screen: of what is done a player sees what players may hear [default: gm; with --model
    /// player].
    #[arg(long, value_parser = one_of(AUDIENCES))]
    audience: Option<Audience>,
    /// Mount the tools of another server of the protocol, started with this command, as NAME_TOOL;
    /// may be given several times. It gets the arguments of its calls, and nothing of the campaign.
    #[arg(long, value_name = "NAME=COMMAND", value_parser = Mount::parse)]
    with: Vec<Mount>,
    #[command(flatten)]
    model: ModelArgs,
}

/// The model, and how much one answer of it may take.
#[derive(Debug, Args)]
#[command(next_help_heading = "With a model")]
struct ModelArgs {
    /// The model that runs the game, with its API before it where the name does not tell:
    /// claude-sonnet-4-5, gpt-5, ollama:qwen3:8b, openai:NAME for any server with OpenAI's API.
    #[arg(long, value_name = "[API:]NAME")]
    model: Option<String>,
    /// Where the API is reached [default: Anthropic's or OpenAI's own, or Ollama on this computer].
    #[arg(long, value_name = "URL", requires = "model")]
    endpoint: Option<String>,
    /// Tools that one answer may call; then the model says what it has.
    #[arg(long, value_name = "N", requires = "model", default_value_t = Limits::CALLS, value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_calls: u32,
    /// Tokens that one answer may have.
    #[arg(long, value_name = "N", requires = "model", default_value_t = Limits::TOKENS, value_parser = clap::value_parser!(u32).range(200..))]
    max_tokens: u32,
    /// How long one answer may take.
    #[arg(long, value_name = "SECONDS", requires = "model", default_value_t = Limits::SECONDS, value_parser = clap::value_parser!(u32).range(1..=86400))]
    max_seconds: u32,
    /// Tokens that the model reads and writes together; what is older is dropped, and the log tells
    /// of it [default: 120000; of Ollama 32000].
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u32).range(i64::from(Limits::CONTEXT_MIN)..))]
    context: Option<u32>,
}

impl Play {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        // Mounted servers have process groups of their own, which no terminal's signal reaches.
        let has_mounts = !self.with.is_empty();
        tokio::select! {
            played = self.sit(is_terminal) => played,
            // Where a person is at the keyboard Ctrl-C breaks an answer off and ends nothing.
            () = async { stop_signal(!is_terminal, true).await }, if has_mounts => Err("ended by a signal".to_owned()),
        }
    }

    async fn sit(self, is_terminal: bool) -> Result<Done, Failed> {
        // What cannot be is refused before a database is made.
        let choice = self.model.choice()?;
        let audience = self.audience.unwrap_or(if choice.is_some() {
            Audience::Player
        } else {
            Audience::Gm
        });
        let mut names = BTreeSet::new();
        if let Some(Mount { name, .. }) = self.with.iter().find(|mount| !names.insert(&mount.name))
        {
            return Err(format!(
                "--with {name}: two servers are named {name}. Give the second another name"
            ));
        }
        let host = self.table.host()?;
        let (mut tools, mut mounted) = (self.tools.registry(&Category::DEFAULT)?, Vec::new());
        for mount in &self.with {
            let started = tokio::select! {
                started = mount.start(&mut tools) => started,
                // Nobody reads the keyboard yet.
                Ok(()) = tokio::signal::ctrl_c(), if is_terminal => Err("broken off".to_owned()),
            };
            mounted.push(started?);
        }
        let mut toolbox = Toolbox::new(Arc::new(host), tools);
        let host = toolbox.host.clone();
        let folder = host
            .database
            .checkpoints()
            .map(|beside| beside.join("talk"));
        let mut prompt = is_terminal
            .then(|| Prompt::new(folder.as_deref()))
            .transpose()?;
        let width = prompt.as_mut().and_then(Prompt::width).unwrap_or(WIDTH);
        toolbox.asker = is_terminal.then(|| prompt::asker(width));
        let assistant = choice
            .map(|choice| self.model.assistant(choice, &toolbox))
            .transpose()?;
        let screen = Screen::new(width, audience, is_terminal);
        let mut seat = Seat {
            toolbox,
            assistant,
            screen,
            blocks: Blocks::default(),
        };
        let played = match &mut prompt {
            Some(prompt) => by_hand(&mut seat, prompt).await,
            None => by_pipe(&mut seat).await,
        };
        drop(mounted);
        host.close().await;
        played.map(|()| Done::Well)
    }
}

impl ModelArgs {
    fn choice(&self) -> Result<Option<Choice>, Failed> {
        let Some(model) = &self.model else {
            return Ok(None);
        };
        let key = |name: &str| std::env::var(name).ok();
        let choice = Choice::parse(model, self.endpoint.as_deref(), key)?;
        if choice.is_open() {
            tracing::warn!(
                "the key goes to {} unencrypted; use https, or unset it if none is wanted there",
                choice.endpoint
            );
        }
        Ok(Some(choice))
    }

    fn assistant(&self, choice: Choice, toolbox: &Toolbox) -> Result<Assistant, Failed> {
        let limits = Limits {
            calls: self.max_calls,
            tokens: self.max_tokens,
            time: Duration::from_secs(self.max_seconds.into()),
            context: self.context.unwrap_or(choice.api.facts().context),
        };
        let system = instructions(&toolbox.host.adventure(), limits.context);
        Ok(Assistant::new(
            Model::new(choice).map_err(reason)?,
            limits,
            system,
            toolbox,
        ))
    }
}

async fn by_hand(seat: &mut Seat, prompt: &mut Prompt) -> Result<(), Failed> {
    seat.toolbox.open().await?;
    seat.greet().await?;
    if seat.assistant.is_none() {
        say(&wrapped(ALONE, seat.screen.width, 0));
    }
    while let Some(line) = prompt
        .read(seat.names().await, seat.screen.audience)
        .await?
    {
        if seat.line(&line).await?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Lines come from a pipe or a file: a command each, and no prompt.
async fn by_pipe(seat: &mut Seat) -> Result<(), Failed> {
    if seat.assistant.is_none() {
        say(ALONE);
    }
    if seat.is_narrative() {
        say(NO_RULES);
    }
    let mut is_open = false;
    let mut input = BufReader::new(streams::input());
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input
            .read_until(b'\n', &mut bytes)
            .await
            .map_err(|error| format!("standard input: {error}"))?;
        if read == 0 {
            return Ok(());
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_start_matches('\u{feff}');
        // /quit alone needs no database, and none is made.
        if !is_open && !line.trim().is_empty() && !command::is_quit(line) {
            seat.toolbox.open().await?;
            is_open = true;
        }
        if seat.line(line).await?.is_break() {
            return Ok(());
        }
    }
}
