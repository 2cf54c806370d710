//! A client's settings: JSON, often with comments; a server is entered, the rest stays.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use jsonc_parser::{ParseOptions, json};
use serde_json::Value;

use super::client::{Client, Place};
use crate::cli::output::Failed;
use rollbook_table::session::fixes::replace;
use rollbook_text::names::{for_shell, quoted};

pub(super) const NAME: &str = "rollbook";

#[derive(Debug, Clone)]
pub(super) struct Server {
    pub(super) command: String,
    pub(super) arguments: Vec<String>,
}

pub(super) struct Settings {
    client: Client,
    pub(super) path: PathBuf,
    before: Option<String>, // `None` where there is no file yet
    /// Whether a new file is for its owner's eyes alone.
    is_private: bool,
}

impl Settings {
    /// Reads them; there may be none yet.
    /// Errors: A file that cannot be read.
    pub(super) fn read(client: Client, place: Place, path: PathBuf) -> Result<Settings, Failed> {
        let file = path.display();
        let before = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return Err(format!(
                    "{file} is not UTF-8. Save it as UTF-8, then run this again"
                ));
            }
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(format!("cannot read {file}: {error}"));
            }
            Err(_) if path.is_symlink() => {
                let what = "is a link that leads nowhere. Remove it, or make what it leads to, then run this again";
                return Err(format!("{file} {what}"));
            }
            Err(_) => None,
        };
        Ok(Settings {
            client,
            path,
            before,
            is_private: place == Place::User,
        })
    }

    /// Whether the folder takes a text, found out without leaving anything in it.
    /// Errors: where nothing can be written, and what to send instead.
    fn check_folder(&self) -> Result<(), Failed> {
        let folder = self
            .path
            .ancestors()
            .skip(1)
            .find(|folder| folder.symlink_metadata().is_ok());
        let Some(folder) = folder else { return Ok(()) };
        tempfile::tempfile_in(folder).map(drop).map_err(|error| {
            let instead = if self.is_private {
                ""
            } else {
                ". Send --place user for the settings of the user"
            };
            format!(
                "cannot write {}: {error}{instead}; nothing was changed",
                self.path.display()
            )
        })
    }

    /// How our server is started by them, at the top or for one project; `None` where they do not
    /// name it. Errors: what is not JSON, as the client reads it.
    pub(super) fn server(&self, project: &Path) -> Result<Option<(String, Vec<String>)>, Failed> {
        let all = self
            .parsed()?
            .value()
            .and_then(|value| value.to_serde_value())
            .unwrap_or_default();
        // Where `claude mcp add` puts it.
        let of_project = all
            .get("projects")
            .and_then(|projects| projects.get(project.to_string_lossy().as_ref()));
        let key = self.client.facts().key;
        let found = of_project
            .into_iter()
            .chain([&all])
            .find_map(|settings| settings.get(key)?.get(NAME));
        Ok(found.map(|server| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let command = server.get("command").map(text).unwrap_or_default();
            let arguments = server.get("args").and_then(Value::as_array);
            (command, arguments.into_iter().flatten().map(text).collect())
        }))
    }

    /// Errors: what is no JSON for the client, though it may be for an editor.
    fn parsed(&self) -> Result<CstRootNode, Failed> {
        let before = self.before.as_deref().unwrap_or_default();
        let text = before.strip_prefix('\u{feff}').unwrap_or(before);
        let text = if text.trim().is_empty() { "{}\n" } else { text };
        let root = CstRootNode::parse(text, &WRITTEN).map_err(|error| {
            let (line, column) = (error.line_display(), error.column_display());
            self.wrong(&format!(
                " is not JSON at line {line}, column {column}: {}",
                error.kind()
            ))
        })?;
        let strict = serde_json::from_str::<serde::de::IgnoredAny>(text);
        match strict.err().filter(|_| !self.client.reads_comments()) {
            None => Ok(root),
            Some(error) => Err(self.wrong(&format!(
                " is not JSON as {} reads it, which knows no comments and no comma too many: {error}",
                self.client.facts().title
            ))),
        }
    }

    fn wrong(&self, what: &str) -> Failed {
        format!(
            "{}{what}. Put that right, then run this again; nothing was changed",
            self.path.display()
        )
    }

    /// The text with that server for that client; nothing else of it is touched. Errors: what is
    /// not JSON as the client reads it, what has another shape, a server of that name that is
    /// started otherwise, unless it is to be replaced, and a folder that takes no text.
    pub(super) fn with(&self, server: &Server, replaces: bool) -> Result<String, Failed> {
        let (file, key) = (self.path.display(), self.client.facts().key);
        let before = self.before.as_deref().unwrap_or_default();
        let mark = if before.starts_with('\u{feff}') {
            "\u{feff}"
        } else {
            ""
        };
        let root = self.parsed()?;
        let object = root
            .object_value()
            .ok_or_else(|| self.wrong(": what stands in it is no object {…}"))?;
        let servers = object.object_value_or_create(key);
        let servers =
            servers.ok_or_else(|| self.wrong(&format!(": \"{key}\" is no object {{…}}")))?;
        if let Some(twice) = twice(&object).or_else(|| twice(&servers)) {
            return Err(format!(
                "{file} has the key \"{}\" twice in one object, and programs differ in which they take. Remove one, then run this again; nothing \
                 was changed",
                quoted(&twice)
            ));
        }
        let there = servers.get(NAME);
        let was = there
            .as_ref()
            .and_then(|there| there.value()?.to_serde_value());
        match &there {
            Some(there) => there.clone().set_value(server.input(self.client)),
            None => drop(servers.append(NAME, server.input(self.client))),
        }
        if servers
            .get(NAME)
            .and_then(|there| there.value()?.to_serde_value())
            == was
        {
            return Ok(before.to_owned());
        }
        if there.is_some() && !replaces {
            return Err(format!(
                "{file} has a server \"{NAME}\" already, which is started otherwise. Send --replace to write over it; nothing was changed"
            ));
        }
        self.check_folder()?;
        Ok(format!("{mark}{root}"))
    }

    /// Replaces the settings, beside which a copy stays; answers what became of them. Errors: when
    /// they were changed since they were read, or cannot be written.
    pub(super) fn save(&self, text: &str) -> Result<String, Failed> {
        let (path, title) = (self.path.display(), self.client.facts().title);
        let failed =
            |error: std::io::Error| format!("cannot write {}: {error}", self.path.display());
        let Some(before) = &self.before else {
            std::fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")))
                .map_err(failed)?;
            let mut new = OpenOptions::new();
            new.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(
                &mut new,
                if self.is_private { 0o600 } else { 0o666 },
            );
            new.open(&self.path)
                .and_then(|mut file| file.write_all(text.as_bytes()))
                .map_err(failed)?;
            return Ok(format!("{path}  tells {title} of Rollbook\n"));
        };
        if before == text {
            return Ok(format!("{path}  {title} knows Rollbook already\n"));
        }
        if std::fs::read(&self.path).map_err(failed)? != before.as_bytes() {
            return Err(format!(
                "{path} was changed meanwhile, so it was left alone. Run this again"
            ));
        }
        // Beside it, under the first name that is free.
        let backup = |count: u32| {
            let mut name = self.path.clone().into_os_string();
            name.push(if count == 0 {
                ".bak".to_owned()
            } else {
                format!(".bak{count}")
            });
            PathBuf::from(name)
        };
        let backup = (0..)
            .map(backup)
            .find(|path| path.symlink_metadata().is_err())
            .unwrap_or_else(|| backup(0));
        std::fs::copy(&self.path, &backup).map_err(failed)?;
        replace(&self.path, text.as_bytes()).map_err(failed)?;
        Ok(format!(
            "{path}  tells {title} of Rollbook; what it was is in {}\n",
            backup.display()
        ))
    }
}

fn twice(object: &CstObject) -> Option<String> {
    let mut seen = BTreeSet::new();
    let mut keys = object
        .properties()
        .into_iter()
        .filter_map(|property| property.name()?.decoded_value().ok());
    keys.find(|key| !seen.insert(key.clone()))
}

/// JSON with comments and trailing commas, as VS Code writes it; nothing looser.
const WRITTEN: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

impl Server {
    pub(super) fn play_line(&self) -> String {
        let flags = self.arguments.iter().skip(1);
        ["rollbook", "play"]
            .into_iter()
            .chain(flags.map(String::as_str))
            .map(for_shell)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// VS Code wants it in the settings that it speaks over standard input and output.
    fn input(&self, client: Client) -> CstInputValue {
        let (command, arguments) = (self.command.clone(), self.arguments.clone());
        if client == Client::VsCode {
            return json!({"type": "stdio", "command": command, "args": arguments});
        }
        json!({"command": command, "args": arguments})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        let arguments = vec![
            "serve".to_owned(),
            "--adventure".to_owned(),
            "C:\\games \"one\"".to_owned(),
        ];
        Server {
            command: "/usr/bin/rollbook".to_owned(),
            arguments,
        }
    }

    fn settings(client: Client, before: &str) -> Settings {
        Settings {
            client,
            path: PathBuf::from("mcp.json"),
            before: Some(before.to_owned()),
            is_private: false,
        }
    }

    fn with(before: &str) -> Result<String, Failed> {
        settings(Client::Cursor, before).with(&server(), false)
    }

    #[test]
    fn everything_else_stays_as_it_is_written() {
        let bare = with("").unwrap();
        let read: Value = serde_json::from_str(&bare).unwrap();
        let Server {
            command, arguments, ..
        } = server();
        let named = serde_json::json!({"rollbook": {"command": command, "args": arguments}});
        assert_eq!(read, serde_json::json!({"mcpServers": named}), "{bare}");
        let marked = with("\u{feff}{\"a\":1}").unwrap();
        assert!(
            marked.starts_with("\u{feff}{") && marked.contains("\"a\":1"),
            "{marked}"
        );
        let turned = with("{\r\n  \"a\": 1\r\n}\r\n").unwrap();
        assert_eq!(
            turned.matches('\n').count(),
            turned.matches("\r\n").count(),
            "{turned:?}"
        );
    }

    #[test]
    fn what_cannot_be_edited_is_refused_with_its_place() {
        for before in [
            "{\n  // mine\n  \"mcpServers\": {}\n}",
            "{\"mcpServers\": {},}",
        ] {
            for client in [Client::ClaudeCode, Client::ClaudeDesktop] {
                let unread = settings(client, before);
                let refused = unread.with(&server(), false).unwrap_err();
                assert!(
                    refused.contains(&format!("is not JSON as {} reads it", client.facts().title)),
                    "{refused}"
                );
                assert!(
                    refused.contains("line ") && unread.server(Path::new("/p")).is_err(),
                    "{refused}"
                );
            }
            assert!(with(before).is_ok());
        }
        for (before, words) in [
            ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 2, column 9"),
            ("{'a': 1}", "line 1"),
            (
                "{\"a\": 1, \"mcpServers\": {}, \"a\": 2}",
                "the key \"a\" twice",
            ),
            (
                "{\"mcpServers\": {}, \"mcpServers\": {}}",
                "the key \"mcpServers\" twice",
            ),
            (
                "{\"mcpServers\": {\"x\": {}, \"x\": {}}}",
                "the key \"x\" twice",
            ),
        ] {
            let refused = with(before).unwrap_err();
            assert!(
                refused.contains(words) && refused.contains("nothing was changed"),
                "{before}: {refused}"
            );
        }
    }
}
