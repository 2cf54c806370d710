//! The line that is being typed: edited, completed, remembered.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, DefaultEditor, Editor, Helper};

use crate::cli::output::{BOLD, Colour, DIM, Failed, anew, colour, harmless, print, wrapped};
use crate::play::command;
use crate::play::names::Names;
use crate::play::toolbox::Asker;
use rollbook_game::view::Audience;
use rollbook_store::draft::make_folder;
use rollbook_text::names::{printable, shortened};

const LINES_MAX: usize = 1_000;
const NAME_MAX: usize = 24;

pub enum Line {
    Typed(String),
    Nothing, // Ctrl-C
    End,     // Ctrl-D
}

pub struct Prompt {
    editor: Option<Editor<Typing, FileHistory>>, // Taken while a line is being typed
    history: Option<PathBuf>,
}

impl Prompt {
    /// A prompt that remembers the lines of former evenings, where there is a folder for them.
    pub fn new(folder: Option<&Path>) -> Result<Prompt, Failed> {
        let failed = |error: ReadlineError| format!("the terminal: {error}");
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .history_ignore_space(true);
        let config = config
            .max_history_size(LINES_MAX)
            .and_then(|config| config.history_ignore_dups(true));
        let config = config.map_err(failed)?.auto_add_history(false).build();
        let mut editor = Editor::with_config(config).map_err(failed)?;
        editor.set_helper(Some(Typing {
            names: Names::default(),
            is_coloured: colour(),
        }));
        let history = folder
            .map(|folder| folder.join("history"))
            .filter(|path| !path.is_symlink());
        // There is none before the first evening.
        history
            .iter()
            .for_each(|path| drop(editor.load_history(path)));
        Ok(Prompt {
            editor: Some(editor),
            history,
        })
    }

    pub fn width(&mut self) -> Option<usize> {
        let (columns, _) = self.editor.as_mut()?.dimensions()?;
        Some(usize::from(columns).clamp(20, 120))
    }

    /// The next line. What else there is to do goes on meanwhile.
    pub async fn read(&mut self, names: Names, audience: Audience) -> Result<Line, Failed> {
        let Some(mut editor) = self.editor.take() else {
            return Ok(Line::End);
        };
        let prompt = prompt(&names, audience);
        if let Some(typing) = editor.helper_mut() {
            typing.names = names;
        }
        let read = tokio::task::spawn_blocking(move || {
            let line = editor.readline(&prompt);
            (editor, line)
        });
        let (mut editor, line) = read
            .await
            .map_err(|error| format!("the terminal: {error}"))?;
        let line = match line {
            Ok(line) => {
                let _ = editor.add_history_entry(line.trim());
                if let Some(path) = &self.history {
                    let _ = path.parent().map(make_folder);
                    let _ = editor.append_history(path);
                }
                Line::Typed(line)
            }
            Err(ReadlineError::Interrupted) => Line::Nothing,
            Err(ReadlineError::Eof) => Line::End,
            Err(error) => return Err(format!("the terminal: {error}")),
        };
        self.editor = Some(editor);
        Ok(line)
    }
}

/// Asks at the keyboard what yes or no answers; what is no yes (Ctrl-C too) is no. Nobody types a
/// line meanwhile.
pub fn asker(width: usize) -> Asker {
    let yes = move |question: String| {
        let question = wrapped(&printable(&question), width.saturating_sub(2), 2);
        // Where a model is at work a sign of that is on the line.
        print(&format!("{}  {BOLD}{question}{BOLD:#}\n", anew())).ok()?;
        let line = DefaultEditor::new().ok()?.readline("  y/n> ").ok()?;
        Some(["y", "yes"].contains(&line.trim().to_lowercase().as_str()))
    };
    Arc::new(move |question| {
        let asked = tokio::task::spawn_blocking(move || yes(question));
        Box::pin(async move { asked.await.ok().flatten().unwrap_or(false) })
    })
}

/// Whose turn it is, for the GM; players hear that from the GM.
fn prompt(names: &Names, audience: Audience) -> String {
    let short = |name: &str| printable(&shortened(name, NAME_MAX)).replace(['\n', '\t'], " ");
    match (&names.turn, audience) {
        (Some((round, Some(who))), Audience::Gm) => format!("round {round}, {}> ", short(who)),
        (Some((round, None)), Audience::Gm) => format!("round {round}> "),
        (Some(_) | None, _) => "> ".to_owned(),
    }
}

/// What a half-typed line is completed and coloured by.
struct Typing {
    names: Names,
    is_coloured: bool,
}

/// What a command takes; it is read and not taken over.
struct Takes(String);

impl Hint for Takes {
    fn display(&self) -> &str {
        &self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Completer for Typing {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(command::complete(line, pos, &self.names))
    }
}

impl Hinter for Typing {
    type Hint = Takes;

    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<Takes> {
        if pos == line.len() {
            command::hint(line).map(Takes)
        } else {
            None
        }
    }
}

impl Typing {
    fn coloured(&self, text: &str, colour: Colour) -> Cow<'static, str> {
        Cow::Owned(harmless(&if self.is_coloured {
            format!("{colour}{text}{colour:#}")
        } else {
            text.to_owned()
        }))
    }
}

impl Highlighter for Typing {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        self.coloured(prompt, BOLD)
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        self.coloured(hint, DIM)
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        false
    }
}

impl Validator for Typing {}
impl Helper for Typing {}
