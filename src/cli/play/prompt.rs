//! The line that is being typed: edited, completed, remembered.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, DefaultEditor, Editor, Helper};

use crate::cli::output::{Failed, print};
use crate::play::command;
use crate::play::names::Names;
use crate::play::toolbox::Asker;
use rollbook_game::view::Audience;
use rollbook_store::draft::make_folder;
use rollbook_text::names::{printable, shortened};
use rollbook_text::terminal::{BOLD, anew, wrapped};

const LINES_MAX: usize = 1_000;
const NAME_MAX: usize = 24;

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
        editor.set_helper(Some(Typing::default()));
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

    /// The next line; at Ctrl-C an empty one, at Ctrl-D none. Other work goes on.
    pub async fn read(
        &mut self,
        names: Names,
        audience: Audience,
    ) -> Result<Option<String>, Failed> {
        let Some(mut editor) = self.editor.take() else {
            return Ok(None);
        };
        let prompt = prompt(&names, audience);
        if let Some(typing) = editor.helper_mut() {
            typing.0 = names;
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
                Some(line)
            }
            Err(ReadlineError::Interrupted) => Some(String::new()),
            Err(ReadlineError::Eof) => None,
            Err(error) => return Err(format!("the terminal: {error}")),
        };
        self.editor = Some(editor);
        Ok(line)
    }
}

/// Asks for yes or no at the keyboard; what is no yes (Ctrl-C too) is no.
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

#[derive(Default)]
struct Typing(Names);

impl Completer for Typing {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(command::complete(line, pos, &self.0))
    }
}

impl Hinter for Typing {
    type Hint = String;
}
impl Highlighter for Typing {}
impl Validator for Typing {}
impl Helper for Typing {}
