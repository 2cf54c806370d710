//! What `init` asks the person at the keyboard.

use std::io::BufRead;
use std::path::Path;

use super::client::{Client, Place};
use super::shelf::SHELF;
use crate::cli::output::{Failed, prompt, say};
use clap::ValueEnum as _;
use rollbook_text::names::quoted;

const FLAGS: &str = "say with flags what is wanted, for example: rollbook init --adventure lockhouse --client claude-code \
    (--client is claude-code, claude-desktop, vscode, cursor or none; --adventure is a folder or the name of one that comes with the program)";

const NAME: usize = 12;

/// How often an answer that means nothing is asked for again.
const TRIES: u32 = 3;

pub(super) struct Questions<R> {
    input: R,
    by_hand: bool,
}

impl<R: BufRead> Questions<R> {
    pub(super) fn new(input: R, by_hand: bool) -> Self {
        Questions { input, by_hand }
    }

    /// The adventure: a name or a folder.
    pub(super) fn adventure(&mut self) -> Result<String, Failed> {
        let shown: Vec<String> =
            SHELF.iter().map(|adventure| format!("{:NAME$}  {}", adventure.name, adventure.about())).collect();
        let usual = SHELF.iter().position(|adventure| adventure.name == "lockhouse").unwrap_or_default();
        let or = "or the folder of one of your own";
        let question = "Which adventure? A number, or the folder of one of your own.";
        let named = |text: &str| {
            let is_known = SHELF.iter().any(|adventure| adventure.name == text) || Path::new(text).is_dir();
            is_known.then(|| text.to_owned())
        };
        let nth = |at: usize| SHELF.get(at).map(|adventure| adventure.name.to_owned());
        Ok(self.choice(question, &shown, usual, or, named, nth)?.unwrap_or_default())
    }

    pub(super) fn client(&mut self) -> Result<Client, Failed> {
        let all = Client::value_variants();
        let shown: Vec<String> = all.iter().map(|client| client.title().to_owned()).collect();
        let or = "or claude-code, claude-desktop, vscode, cursor or none";
        let named = |text: &str| Client::from_str(text, true).ok();
        let client = self.choice("Who runs the game?", &shown, 0, or, named, |at| all.get(at).copied())?;
        Ok(client.unwrap_or(Client::None))
    }

    pub(super) fn place(&mut self, client: Client, project: &Path) -> Result<Option<Place>, Failed> {
        let mut shown = Vec::new();
        for place in client.places() {
            let file = client.settings(*place, project)?.unwrap_or_default();
            let whose = if *place == Place::Project { "this folder alone" } else { "every folder" };
            shown.push(format!("{whose}: {}", file.display()));
        }
        let named = |text: &str| Place::from_str(text, true).ok();
        let nth = |at: usize| client.places().get(at).copied();
        self.choice("For which folders?", &shown, 0, "or project or user", named, nth)
    }

    /// One of several by its number, or what a word means; nothing typed is the usual one.
    fn choice<T>(
        &mut self,
        question: &str,
        shown: &[String],
        usual: usize,
        or: &str,
        named: impl Fn(&str) -> Option<T>,
        nth: impl Fn(usize) -> Option<T>,
    ) -> Result<Option<T>, Failed> {
        if !self.by_hand {
            return Err(FLAGS.to_owned());
        }
        say(question);
        (1..).zip(shown).for_each(|(number, line): (usize, _)| say(&format!("  {number}  {line}")));
        for _ in 0..TRIES {
            prompt(&format!("[{}] > ", usual + 1));
            let mut line = String::new();
            let read = self.input.read_line(&mut line).map_err(|error| format!("standard input: {error}"))?;
            if read == 0 {
                return Err(format!("the answers ended. Or {FLAGS}"));
            }
            let line = line.trim();
            let number = if line.is_empty() { Some(usual + 1) } else { line.parse().ok() };
            let chosen = number.filter(|number| (1..=shown.len()).contains(number)).map(|number| nth(number - 1));
            if let Some(chosen) = chosen.or_else(|| named(line).map(Some)) {
                return Ok(chosen);
            }
            let most = shown.len();
            say(&format!("\"{}\" is none of them: type a number from 1 to {most}, {or}.", quoted(line)));
        }
        Err(format!("no answer could be read. Or {FLAGS}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(lines: &str) -> (Result<String, Failed>, Result<Client, Failed>) {
        let mut questions = Questions::new(lines.as_bytes(), true);
        (questions.adventure(), questions.client())
    }

    #[test]
    fn a_number_a_name_and_nothing_are_answers() {
        assert_eq!(asked("\n\n"), (Ok("lockhouse".to_owned()), Ok(Client::ClaudeCode)));
        assert_eq!(asked("1\n4\n"), (Ok("down-special".to_owned()), Ok(Client::Cursor)));
        assert_eq!(asked("nowhere\n99\nquorum\nnone\n"), (Ok("quorum".to_owned()), Ok(Client::None)));
        let (adventure, client) = asked("nowhere\n0\n-1\n");
        assert!(adventure.unwrap_err().contains("--adventure") && client.unwrap_err().contains("--client"));
    }

    #[test]
    fn nobody_is_asked_where_nobody_sits() {
        let mut questions = Questions::new("1\n".as_bytes(), false);
        assert!(
            questions.adventure().unwrap_err().contains("rollbook init --adventure lockhouse --client claude-code")
        );
        assert_eq!(questions.input, b"1\n", "nothing was read");
    }
}
