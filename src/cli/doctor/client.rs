//! The settings of clients: whether one starts this server, and whether what it starts is there.

use std::path::Path;

use super::looked::Looked;
use super::server;
use crate::cli::init::{Configured, configured};

pub(super) async fn look() -> Vec<Looked> {
    let mut looked = Vec::new();
    for Configured { client, file, of_project, server } in configured() {
        let file = file.display();
        looked.push(match server {
            Err(why) => Looked::ill("client", why, "put the file right; `rollbook init` edits it only then"),
            Ok((command, arguments)) => {
                match (fault(&command, &arguments), elsewhere(of_project.as_deref(), &arguments)) {
                    (None, Some(other)) => {
                        let found = format!(
                            "{client} ({file}) opens a table of another folder, {other}: this one was copied or moved"
                        );
                        Looked::ill(
                            "client",
                            found,
                            "`rollbook init --place project --replace` writes it for this folder",
                        )
                    }
                    (None, None) => match server::look_at(&format!("{client} ({file})"), &command, &arguments).await {
                        Some(tried) => tried,
                        None => Looked::well("client", format!("{client} starts {command} ({file})")),
                    },
                    (Some(why), _) => {
                        let fix = "`rollbook init --replace` writes it anew";
                        Looked::ill("client", format!("{client} ({file}): {why}"), fix)
                    }
                }
            }
        });
    }
    if looked.is_empty() {
        looked.push(Looked::well(
            "client",
            "no settings of a client name Rollbook; `rollbook init` writes them, and `rollbook play` and the plugin need none",
        ));
    }
    looked
}

/// What settings of a project name outside of it.
fn elsewhere(project: Option<&Path>, arguments: &[String]) -> Option<String> {
    let project = project?;
    let named = |flag: &str| arguments.iter().position(|own| own == flag).and_then(|at| arguments.get(at + 1));
    let paths = ["--adventure", "--db"].into_iter().filter_map(named).filter(|own| !own.contains("://"));
    let mut outside = paths.filter(|own| Path::new(own).is_absolute() && !Path::new(own).starts_with(project));
    outside.next().cloned()
}

/// What of a start is not there.
fn fault(command: &str, arguments: &[String]) -> Option<String> {
    if !is_there(command) {
        return Some(format!("there is no program {command}"));
    }
    let behind = |flag: &str| {
        let at = arguments.iter().position(|own| own == flag)?;
        arguments.get(at + 1)
    };
    let adventure = behind("--adventure").map(Path::new).filter(|folder| !folder.is_dir());
    if let Some(folder) = adventure {
        return Some(format!("there is no folder {}", folder.display()));
    }
    let database = behind("--db").filter(|own| !own.contains("://")).map(Path::new);
    let folder = database?.parent()?;
    (!folder.as_os_str().is_empty() && !folder.is_dir()).then(|| format!("there is no folder {}", folder.display()))
}

/// Whether a program is where it is named, or on the path. Variables in it are the client's to read.
fn is_there(command: &str) -> bool {
    if command.contains("${") {
        return true;
    }
    let named = Path::new(command);
    if named.components().count() > 1 {
        return named.is_file();
    }
    let ends: &[&str] = if cfg!(windows) { &["", ".exe", ".cmd", ".bat"] } else { &[""] };
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| ends.iter().any(|end| folder.join(format!("{command}{end}")).is_file()))
}
