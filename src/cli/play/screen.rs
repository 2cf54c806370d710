//! What is shown at the table, as it happens: a model's words broken at blanks while they stream,
//! what calls came to, complaints.
//!
//! What others wrote (a model, an author, a player) is made harmless before it reaches the
//! terminal.

use serde_json::Value;

use super::draw;
use crate::cli::output::{Failed, print};
use crate::play::assistant::Event;
use crate::play::command::{CommandEntry, GROUPS, as_commands};
use crate::play::toolbox::{Outcome, around, list, text};
use rollbook_game::refusal::Code;
use rollbook_game::view::Audience;
use rollbook_text::names::{counted, printable};
use rollbook_text::terminal::{BOLD, Colour, DIM, PLAIN, SECRET, anew, wrapped};

const WRONG: Colour = Colour(anstyle::AnsiColor::Yellow.on_default());

/// What players read of something that is not for them.
const NOTHING_HEARD: &str = "Done; the players hear nothing of it.";

const INDENT: usize = 12; // Blanks before what a call came to, with its number
const USAGE: usize = 12;

pub struct Screen {
    pub width: usize,
    pub audience: Audience,
    is_terminal: bool,
    column: usize, // Columns of the model's line that are written
    word: String,
    ends: usize, // Line ends after the last word
    waits: bool, // A mark is shown that says the model is at work
}

impl Screen {
    pub fn new(width: usize, audience: Audience, is_terminal: bool) -> Screen {
        Screen {
            width,
            audience,
            is_terminal,
            column: 0,
            word: String::new(),
            ends: 0,
            waits: false,
        }
    }

    /// The state of the table, a remark on it, and how to go on.
    pub fn greeting(
        &mut self,
        status: &Outcome,
        more: &str,
        model: Option<&str>,
    ) -> Result<(), Failed> {
        match (self.audience, status) {
            (Audience::Gm, Outcome::Done(reply)) => {
                print(&draw::status(reply, self.audience, self.width))?
            }
            (Audience::Player, Outcome::Done(reply)) => print(&format!(
                "{BOLD}{}{BOLD:#}\n",
                printable(text(reply, "campaign"))
            ))?,
            (_, Outcome::Refused(_) | Outcome::Failed(_)) => self.complaint(status.summary())?,
        }
        if !more.is_empty() {
            self.paragraph(PLAIN, more)?;
        }
        let with = match model {
            Some(model) => format!(
                "{} listens; /help lists the table's own commands.",
                printable(model)
            ),
            None => "/help lists the commands, Tab completes names, Ctrl-D leaves.".to_owned(),
        };
        print(&format!("{DIM}{with}{DIM:#}\n"))
    }

    pub fn help(&mut self, entry: Option<&CommandEntry>, has_model: bool) -> Result<(), Failed> {
        if let Some(entry) = entry {
            let also: Vec<String> = entry
                .words()
                .skip(1)
                .map(|word| format!("/{word}"))
                .collect();
            let also = around(&format!(" {DIM}("), &also.join(", "), &format!("){DIM:#}"));
            let CommandEntry { about, example, .. } = entry;
            let room = self.width.saturating_sub(2);
            let usage = format!("{BOLD}/{}{BOLD:#} {}{also}", entry.name(), entry.takes());
            return print(&format!(
                "  {}\n  {}\n  {DIM}{example}{DIM:#}\n",
                wrapped(&usage, room, 2),
                wrapped(about, room, 2)
            ));
        }
        let line = |entry: &CommandEntry| {
            let name = format!("/{}", entry.name());
            let about = wrapped(entry.about, self.width.saturating_sub(USAGE + 2), USAGE + 2);
            format!("  {BOLD}{name:USAGE$}{BOLD:#}{about}\n")
        };
        let group = |(title, entries): &(&str, &[CommandEntry])| {
            let lines: String = entries.iter().map(line).collect();
            format!("{BOLD}{title}{BOLD:#}\n{lines}\n")
        };
        let list: String = GROUPS.iter().map(group).collect();
        let rest = match has_model {
            true => "Everything else is said to the model.",
            false => "Without a model the slash may be left out, and dice alone are rolled: 2d6+3.",
        };
        let rest = format!(
            "/help COMMAND says what one takes. Fields of its tool go behind it: visibility=gm. {rest}"
        );
        print(&format!(
            "{list}{DIM}{}{DIM:#}\n",
            wrapped(&rest, self.width, 0)
        ))
    }

    pub fn complaint(&mut self, why: &str) -> Result<(), Failed> {
        self.paragraph(WRONG, why)
    }

    /// What a call came to that was typed, and whether it took something back.
    pub fn typed(&mut self, tool: &str, outcome: &Outcome, undoes: bool) -> Result<(), Failed> {
        let declined = Code::Declined.as_str();
        match outcome {
            Outcome::Refused(refusal) if text(refusal, "code") == declined => {
                self.note("Nothing was done.")
            }
            Outcome::Refused(_) => self.complaint(&as_commands(tool, outcome.summary())),
            Outcome::Failed(why) => self.complaint(&format!("The program failed: {why}")),
            Outcome::Done(reply) => match draw::picture(tool, reply, self.audience, self.width) {
                Some(picture) => print(&picture),
                None => self.done(
                    outcome,
                    if undoes {
                        "Something was taken back."
                    } else {
                        NOTHING_HEARD
                    },
                ),
            },
        }
    }

    pub fn event(&mut self, event: Event<'_>) -> Result<(), Failed> {
        let note = match event {
            Event::Text(text) => return self.stream(text),
            Event::Over(_) => return Ok(()),
            Event::Begun { .. } => return self.break_line(),
            Event::Ended { tool, outcome, .. } => {
                self.clear()?;
                self.called(tool, outcome)?;
                return self.waits();
            }
            Event::Again {
                seconds,
                why,
                is_void,
            } => {
                self.break_line()?;
                let void = if is_void {
                    " What it said of this reply does not count."
                } else {
                    ""
                };
                self.note(&format!("{why}{void} Asked again in {seconds} s."))?;
                return self.waits();
            }
            Event::Shortened(many) => {
                let many = counted(many as u64, "older message", "older messages");
                format!("{many} dropped to make room; the log tells the model of what happened.")
            }
            Event::Reached(limit) => format!("{limit}."),
            Event::Refused => {
                "The model refused to answer. Say it in other words, or name another with --model."
                    .to_owned()
            }
            Event::Wordless => {
                "The model ended without a word. Say the same again, or ask what happened."
                    .to_owned()
            }
            Event::CutOff => {
                "The answer was longer than a reply may be, and its end is missing.".to_owned()
            }
        };
        self.break_line()?;
        self.note(&note)
    }

    /// Says that the model is at work, until something else comes.
    pub fn waits(&mut self) -> Result<(), Failed> {
        if self.is_terminal && !self.waits {
            self.waits = true;
            return print(&format!("{DIM}…{DIM:#}"));
        }
        Ok(())
    }

    /// What a model's call came to; a player sees what players may hear, of a mere look nothing.
    fn called(&mut self, tool: &str, outcome: &Outcome) -> Result<(), Failed> {
        let is_gm = self.audience == Audience::Gm;
        match outcome {
            Outcome::Done(_) if outcome.is_logged() && (is_gm || outcome.players().is_some()) => {
                self.done(outcome, NOTHING_HEARD)
            }
            Outcome::Failed(_) if !is_gm => {
                self.note("A call failed; the log on standard error says why.")
            }
            Outcome::Done(_) | Outcome::Refused(_) if !is_gm => Ok(()),
            Outcome::Done(_) => self.note(&format!(
                "{tool}: {}",
                outcome.summary().lines().next().unwrap_or_default()
            )),
            Outcome::Refused(_) | Outcome::Failed(_) => {
                self.note(&format!("{tool} was refused: {}", outcome.summary()))
            }
        }
    }

    /// What happened, with its number and what players hear; to players `unheard` of the rest.
    fn done(&mut self, outcome: &Outcome, unheard: &str) -> Result<(), Failed> {
        let Outcome::Done(reply) = outcome else {
            return Ok(());
        };
        let (players, is_gm) = (outcome.players(), self.audience == Audience::Gm);
        // What is only looked up is in no log, and says what was asked for.
        let unheard = if outcome.is_logged() {
            unheard
        } else {
            outcome.summary()
        };
        let shown = if is_gm {
            outcome.summary()
        } else {
            players.unwrap_or(unheard)
        };
        // Players know no number of the whole log.
        let log = reply.get("log").and_then(Value::as_u64).filter(|_| is_gm);
        let number = [
            around("#", &log.map_or(String::new(), |log| log.to_string()), ""),
            text(reply, "players_log").to_owned(),
        ]
        .join(" ");
        let number = number.trim();
        let wrapped =
            |text: &str| wrapped(&printable(text), self.width.saturating_sub(INDENT), INDENT);
        print(&format!("  {DIM}{number:>8}{DIM:#}  {}\n", wrapped(shown)))?;
        if !is_gm {
            return Ok(());
        }
        // The table's remarks are for the GM.
        for note in list(reply, "noted") {
            print(&format!(
                "{:INDENT$}{DIM}{}{DIM:#}\n",
                "",
                wrapped(note.as_str().unwrap_or_default())
            ))?;
        }
        match players {
            _ if !outcome.is_logged() => Ok(()),
            None => print(&format!(
                "{:INDENT$}{SECRET}{} of it{SECRET:#}\n",
                "",
                match text(reply, "players").strip_prefix("only ") {
                    Some(reader) => format!("only {} hears", printable(reader)),
                    None => "the players hear nothing".to_owned(),
                }
            )),
            Some(players) if players == shown => Ok(()),
            Some(players) => print(&format!(
                "{:INDENT$}{SECRET}{}{SECRET:#}\n",
                "",
                wrapped(&format!("the players hear: {players}"))
            )),
        }
    }

    fn note(&mut self, text: &str) -> Result<(), Failed> {
        self.paragraph(DIM, text)
    }

    fn paragraph(&mut self, style: Colour, text: &str) -> Result<(), Failed> {
        self.clear()?;
        print(&format!(
            "  {style}{}{style:#}\n",
            wrapped(&printable(text), self.width.saturating_sub(2), 2)
        ))
    }

    /// More of the model's words: whole ones are written, broken at blanks.
    fn stream(&mut self, text: &str) -> Result<(), Failed> {
        self.clear()?;
        let mut out = String::new();
        for letter in printable(text).chars() {
            if letter.is_whitespace() {
                self.end_word(&mut out);
            }
            match letter {
                '\n' => self.ends += 1,
                blank if blank.is_whitespace() => self.word.push(' '),
                letter => self.word.push(letter),
            }
        }
        if out.is_empty() { Ok(()) } else { print(&out) }
    }

    /// Writes the collected word, on a new line where it has no room.
    fn end_word(&mut self, out: &mut String) {
        let word = std::mem::take(&mut self.word);
        if word.trim().is_empty() {
            return;
        }
        let ends = std::mem::take(&mut self.ends);
        if ends > 0 && self.column > 0 {
            out.push_str(if ends > 1 { "\n\n" } else { "\n" });
            self.column = 0;
        }
        if self.column > 0 && self.column + word.chars().count() > self.width {
            out.push('\n');
            self.column = 0;
        }
        let word = if self.column == 0 {
            word.trim_start()
        } else {
            &word
        };
        out.push_str(word);
        self.column += word.chars().count();
    }

    fn clear(&mut self) -> Result<(), Failed> {
        if std::mem::take(&mut self.waits) {
            return print(&anew());
        }
        Ok(())
    }

    pub fn break_line(&mut self) -> Result<(), Failed> {
        self.clear()?;
        let mut out = String::new();
        self.end_word(&mut out);
        if self.column > 0 {
            out.push('\n');
        }
        (self.column, self.ends) = (0, 0);
        if out.is_empty() { Ok(()) } else { print(&out) }
    }
}
