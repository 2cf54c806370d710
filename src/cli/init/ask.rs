//! What `init` asks the person at the keyboard.

use std::io::BufRead;
use std::path::Path;

use super::client::{Client, Place};
use crate::cli::output::{Failed, prompt, say};
use crate::cli::shelf::SHELF;
use clap::ValueEnum as _;
use rollbook_text::names::quoted;

const FLAGS: &str = "say with flags what is wanted, for example: rollbook init --adventure lockhouse --client claude-code \
    (--client is claude-code, claude-desktop, vscode, cursor or none; --adventure is a folder or the name of one that comes with the program)";

const NAME: usize = 12;

const TRIES: u32 = 3; // How often an answer that means nothing is asked for again

pub(super) struct Questions<R> {
    pub(super) input: R,
    pub(super) by_hand: bool,
}

impl<R: BufRead> Questions<R> {
    pub(super) fn adventure(&mut self) -> Result<String, Failed> {
        let shown = SHELF.iter().map(|one| {
            (
                format!("{:NAME$}  {}", one.name, one.about()),
                one.name.to_owned(),
            )
        });
        let usual = SHELF
            .iter()
            .position(|adventure| adventure.name == "lockhouse")
            .unwrap_or_default();
        let question = "Which adventure? A number, or the folder of one of your own.";
        let is_known =
            |text: &str| SHELF.iter().any(|one| one.name == text) || Path::new(text).is_dir();
        let named = |text: &str| is_known(text).then(|| text.to_owned());
        self.choice(
            question,
            shown.collect(),
            usual,
            "or the folder of one of your own",
            named,
        )
    }

    pub(super) fn client(&mut self) -> Result<Client, Failed> {
        let shown = Client::value_variants()
            .iter()
            .map(|client| (client.facts().title.to_owned(), *client));
        let or = "or claude-code, claude-desktop, vscode, cursor or none";
        self.choice("Who runs the game?", shown.collect(), 0, or, |text| {
            Client::from_str(text, true).ok()
        })
    }

    pub(super) fn place(&mut self, client: Client, project: &Path) -> Result<Place, Failed> {
        let shown = client.facts().places.iter().map(|place| {
            let file = client.settings(*place, project)?.unwrap_or_default();
            let whose = if *place == Place::Project {
                "this folder alone"
            } else {
                "every folder"
            };
            Ok((format!("{whose}: {}", file.display()), *place))
        });
        let shown = shown.collect::<Result<_, Failed>>()?;
        self.choice(
            "For which folders?",
            shown,
            0,
            "or project or user",
            |text| Place::from_str(text, true).ok(),
        )
    }

    /// One of several by its number, or what a word means; nothing typed is the usual one.
    fn choice<T: Clone>(
        &mut self,
        question: &str,
        shown: Vec<(String, T)>,
        usual: usize,
        or: &str,
        named: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Failed> {
        if !self.by_hand {
            return Err(FLAGS.to_owned());
        }
        say(question);
        (1..)
            .zip(&shown)
            .for_each(|(number, (line, _)): (usize, _)| say(&format!("  {number}  {line}")));
        for _ in 0..TRIES {
            prompt(&format!("[{}] > ", usual + 1));
            let mut line = String::new();
            let read = self
                .input
                .read_line(&mut line)
                .map_err(|error| format!("standard input: {error}"))?;
            if read == 0 {
                return Err(format!("the answers ended. Or {FLAGS}"));
            }
            let line = line.trim();
            let at = if line.is_empty() {
                Some(usual)
            } else {
                line.parse().ok().and_then(|nth: usize| nth.checked_sub(1))
            };
            if let Some(chosen) = at
                .and_then(|at| Some(shown.get(at)?.1.clone()))
                .or_else(|| named(line))
            {
                return Ok(chosen);
            }
            let most = shown.len();
            say(&format!(
                "\"{}\" is none of them: type a number from 1 to {most}, {or}.",
                quoted(line)
            ));
        }
        Err(format!("no answer could be read. Or {FLAGS}"))
    }
}

#[test]
fn a_number_a_name_and_nothing_are_answers_and_nobody_is_asked_where_nobody_sits() {
    let asked = |lines: &str| {
        let mut questions = Questions {
            input: lines.as_bytes(),
            by_hand: true,
        };
        (questions.adventure(), questions.client())
    };
    assert_eq!(
        asked("\n\n"),
        (Ok("lockhouse".to_owned()), Ok(Client::ClaudeCode))
    );
    assert_eq!(
        asked("1\n4\n"),
        (Ok("down-special".to_owned()), Ok(Client::Cursor))
    );
    assert_eq!(
        asked("nowhere\n99\nquorum\nnone\n"),
        (Ok("quorum".to_owned()), Ok(Client::None))
    );
    let (adventure, client) = asked("nowhere\n0\n-1\n");
    assert!(
        adventure.unwrap_err().contains("--adventure") && client.unwrap_err().contains("--client")
    );
    let mut questions = Questions {
        input: "1\n".as_bytes(),
        by_hand: false,
    };
    let why = questions.adventure().unwrap_err();
    assert!(
        why.contains("rollbook init --adventure lockhouse --client claude-code"),
        "{why}"
    );
    assert_eq!(questions.input, b"1\n", "nothing was read");
}
