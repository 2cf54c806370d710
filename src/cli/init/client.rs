//! The clients whose settings are written: where these lie, and how a server is named in them.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::cli::output::Failed;

/// Who runs the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Client {
    /// Claude Code: .mcp.json, or ~/.claude.json for every project.
    ClaudeCode,
    /// Claude Desktop: claude_desktop_config.json.
    ClaudeDesktop,
    /// VS Code: .vscode/mcp.json, or the mcp.json of the user.
    #[value(name = "vscode")]
    VsCode,
    /// Cursor: .cursor/mcp.json, or ~/.cursor/mcp.json for every project.
    Cursor,
    /// No client: the adventure and the campaign alone, for the plugin and for `rollbook play`.
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Place {
    /// The folder one is in.
    Project,
    /// Every project of this user.
    User,
}

/// What is so of a client's settings.
pub(super) struct Facts {
    pub(super) title: &'static str,
    pub(super) places: &'static [Place],
    /// Under which servers stand in them.
    pub(super) key: &'static str,
    /// How settings write the project's folder, with a slash after it. Where it is nothing (Claude
    /// Code), the server is started in that folder, and a path that is not whole begins there.
    pub(super) project_folder: &'static str,
}

impl Client {
    /// Whether it reads over comments and a comma too many; else its settings are JSON to the
    /// letter, and one comment makes all of them unread.
    pub(super) fn reads_comments(self) -> bool {
        matches!(self, Client::VsCode | Client::Cursor)
    }

    pub(super) fn facts(self) -> Facts {
        const BOTH: &[Place] = &[Place::Project, Place::User];
        let alone =
            "nobody else: this terminal (rollbook play), or Claude Code with Rollbook's plugin";
        let (title, places, key, project_folder) = match self {
            Client::ClaudeCode => ("Claude Code", BOTH, "mcpServers", ""),
            Client::ClaudeDesktop => ("Claude Desktop", &[Place::User][..], "mcpServers", ""),
            Client::VsCode => ("VS Code", BOTH, "servers", "${workspaceFolder}/"),
            Client::Cursor => ("Cursor", BOTH, "mcpServers", "${workspaceFolder}/"),
            Client::None => (alone, &[][..], "mcpServers", ""),
        };
        Facts {
            title,
            places,
            key,
            project_folder,
        }
    }

    /// Its settings; `None` where it has none at all.
    /// Errors: for a place that it does not have, and without a home folder.
    pub(super) fn settings(self, place: Place, project: &Path) -> Result<Option<PathBuf>, Failed> {
        Ok(Some(match (self, place) {
            (Client::ClaudeCode, Place::Project) => project.join(".mcp.json"),
            (Client::ClaudeCode, Place::User) => set("CLAUDE_CONFIG_DIR")
                .map_or_else(home, Ok)?
                .join(".claude.json"),
            (Client::ClaudeDesktop, Place::User) => {
                config()?.join("Claude/claude_desktop_config.json")
            }
            (Client::ClaudeDesktop, Place::Project) => {
                return Err(
                    "Claude Desktop has settings of the user alone. Send --place user".to_owned(),
                );
            }
            (Client::VsCode, Place::Project) => project.join(".vscode/mcp.json"),
            (Client::VsCode, Place::User) => config()?.join("Code/User/mcp.json"),
            (Client::Cursor, Place::Project) => project.join(".cursor/mcp.json"),
            (Client::Cursor, Place::User) => home()?.join(".cursor/mcp.json"),
            (Client::None, Place::Project | Place::User) => return Ok(None),
        }))
    }

    /// What to do next, and the first sentence to type; `play_line` opens the table.
    pub(super) fn first_words(
        self,
        place: Place,
        project: &Path,
        adventure: &Path,
        play_line: &str,
    ) -> String {
        let (project, adventure) = (project.display(), adventure.display());
        let sentence = format!("Read {adventure} and run it for us. Use Rollbook for every roll.");
        match self {
            Client::ClaudeCode => format!(
                "Start Claude Code (`claude`) in {project}{}, and type:\n\n  {sentence}\n",
                // What a folder brings, it asks about; what the user wrote, it does not.
                if place == Place::Project { ", allow the server rollbook when it asks" } else { "" }
            ),
            Client::ClaudeDesktop => "Start Claude Desktop anew, and type:\n\n  \
                Run the adventure for us with Rollbook: get_rules first, then resume. Use it for every roll.\n"
                .to_owned(),
            Client::VsCode => format!(
                "Open {project} in VS Code, start the server rollbook (\"MCP: List Servers\"), and type in the chat in agent mode:\n\n  {sentence}\n"
            ),
            Client::Cursor => format!(
                "Open {project} in Cursor, switch the server rollbook on in its settings for MCP, and type in the chat:\n\n  {sentence}\n"
            ),
            Client::None => format!(
                "Sit down in the terminal, with or without a model:\n\n  {play_line}\n\nThe plugin of Claude Code opens the one \
                 adventure of the folder that `claude` is started in, in the campaign of its name, kept in .rollbook there: type \
                 /rollbook:table. `rollbook init --client claude-code` with these flags writes settings that open this very table.\n"
            ),
        }
    }
}

fn set(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

fn home() -> Result<PathBuf, Failed> {
    std::env::home_dir().filter(|home| !home.as_os_str().is_empty()).ok_or_else(|| {
        "there is no home folder, so the settings of the user have no place. Set HOME, or send --place project"
            .to_owned()
    })
}

fn config() -> Result<PathBuf, Failed> {
    if cfg!(target_os = "macos") {
        return Ok(home()?.join("Library/Application Support"));
    }
    let (variable, usual) = if cfg!(windows) {
        ("APPDATA", "AppData/Roaming")
    } else {
        ("XDG_CONFIG_HOME", ".config")
    };
    set(variable).map_or_else(|| Ok(home()?.join(usual)), Ok)
}
