//! What the demo prints: an evening of play, with the program's output.

use serde_json::{Map, Value};

use crate::cli::output::{Colour, Failed, print, wrapped};

const BOLD: Colour = Colour(anstyle::Style::new().bold());
const DIM: Colour = Colour(anstyle::Style::new().dimmed());
const SECRET: Colour = Colour(anstyle::AnsiColor::Magenta.on_default());

/// Characters of a line behind its number.
const WIDTH: usize = 92;
/// Blanks before the further lines of a text.
const INDENT: usize = 8;

/// The transcript on standard output.
#[derive(Default)]
pub struct Transcript {}

impl Transcript {
    /// The evening's name, or a new scene.
    pub fn heading(&mut self, text: &str) -> Result<(), Failed> {
        print(&format!("\n{BOLD}{text}{BOLD:#}\n"))
    }

    /// Words of the demo itself.
    pub fn note(&mut self, text: &str) -> Result<(), Failed> {
        print(&format!("{DIM}{text}{DIM:#}\n"))
    }

    /// Words of the game master.
    pub fn gm(&mut self, text: &str) -> Result<(), Failed> {
        print(&format!("  {text}\n"))
    }

    /// A plain line.
    pub fn line(&mut self, text: &str) -> Result<(), Failed> {
        print(&format!("{text}\n"))
    }

    /// A command as it is typed.
    pub fn command(&mut self, text: &str) -> Result<(), Failed> {
        print(&format!("  {DIM}${DIM:#} {text}\n"))
    }

    /// The output of a command.
    pub fn output(&mut self, text: &str) -> Result<(), Failed> {
        text.lines().try_for_each(|line| print(&format!("    {line}\n")))
    }

    /// A tool's reply: its number, its sentence, the rule, and what may be told to players when it differs.
    pub fn reply(&mut self, reply: &Map<String, Value>) -> Result<(), Failed> {
        let text = |name: &str| reply.get(name).and_then(Value::as_str).unwrap_or_default();
        let number = reply.get("log").and_then(Value::as_u64).map_or(String::new(), |log| format!("#{log}"));
        let rule = match text("rule") {
            "" => String::new(),
            rule => format!("  {DIM}{rule}{DIM:#}"),
        };
        print(&format!("  {DIM}{number:>4}{DIM:#}  {}{rule}\n", wrapped(text("summary"), WIDTH, INDENT)))?;
        match text("player_text") {
            "" => print(&format!("        {SECRET}the players hear nothing of it{SECRET:#}\n")),
            players if players == text("summary") => Ok(()),
            players => {
                let players = wrapped(&format!("the players hear: {players}"), WIDTH, INDENT);
                print(&format!("        {SECRET}{players}{SECRET:#}\n"))
            }
        }
    }
}
