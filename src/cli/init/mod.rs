//! `rollbook init`: from a program alone to a table.

mod ask;
mod client;
mod settings;

use std::io::{BufReader, IsTerminal as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum as _};

use crate::cli::args::{BasesArg, DatabaseArg};
use crate::cli::output::{Done, Failed, answer, say};
use crate::cli::shelf::{Wanted, wanted};
use crate::cli::streams::Input;
use crate::play::toolbox::around;
use ask::Questions;
use client::{Client, Place};
use rollbook_game::limits;
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::{campaigns, paths};
use settings::{Server, Settings};

/// Set a table up here: an adventure, a campaign, your client.
///
/// Asks what the flags leave open. Settings are edited in place: comments stay, and a copy of what
/// they were is kept beside them.
#[derive(Debug, Args)]
pub struct Init {
    /// Your adventure's folder, or the name of one that comes with the program (lockhouse, for
    /// example), which is written here.
    #[arg(long, value_name = "DIR|NAME")]
    adventure: Option<String>,
    /// Who runs the game.
    #[arg(long, value_enum)]
    client: Option<Client>,
    /// Whether the client's settings of this folder are written or those of the user [default:
    /// project, where the client has it].
    #[arg(long, value_enum)]
    place: Option<Place>,
    /// The campaign; made where there is none of that name [default: the adventure's folder name].
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    #[command(flatten)]
    bases: BasesArg,
    #[command(flatten)]
    database: DatabaseArg,
    /// Write over a server of the name rollbook that is in the settings already.
    #[arg(long)]
    replace: bool,
}

/// Settings that name our server, or cannot be read.
pub(super) struct Configured {
    pub(super) client: &'static str,
    pub(super) file: PathBuf,
    /// The project whose settings they are; `None` for those of the user.
    pub(super) of_project: Option<PathBuf>,
    /// The command and its arguments; empty for a server that is reached by an address.
    pub(super) server: Result<(String, Vec<String>), Failed>,
}

/// The settings of every client, of this project and of the user, that name our server.
pub(super) fn configured() -> Vec<Configured> {
    let Ok(project) = paths::project() else {
        return Vec::new();
    };
    let all = Client::value_variants()
        .iter()
        .flat_map(|client| client.facts().places.iter().map(|place| (*client, *place)));
    let named = all.filter_map(|(client, place)| {
        let file = client.settings(place, &project).ok()??;
        let read = Settings::read(client, place, file.clone());
        let server = read
            .and_then(|settings| settings.server(&project))
            .transpose()?;
        let of_project = (place == Place::Project).then(|| project.clone());
        let variable = client.facts().project_folder;
        let expanded = |argument: String| match argument.strip_prefix(variable) {
            Some(rest) if of_project.is_some() && !variable.is_empty() => {
                project.join(rest).display().to_string()
            }
            _ => argument,
        };
        let server = server
            .map(|(command, arguments)| (command, arguments.into_iter().map(expanded).collect()));
        Some(Configured {
            client: client.facts().title,
            file,
            of_project,
            server,
        })
    });
    named.collect()
}

impl Init {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        self.bases.read_below()?;
        let project = paths::project()?;
        let mut questions = Questions {
            input: BufReader::new(Input),
            by_hand: std::io::stdin().is_terminal(),
        };
        let wanted = match &self.adventure {
            Some(text) => wanted(text, &project)?,
            None if paths::has_rules(&project) => Wanted::folder(&project),
            None => wanted(&questions.adventure()?, &project)?,
        };
        let client = self.client.map_or_else(|| questions.client(), Ok)?;
        let place = match (self.place, client.facts().places) {
            (Some(place), _) => place,
            (None, [_, _, ..]) if self.client.is_none() => questions.place(client, &project)?,
            (None, places) => places.first().copied().unwrap_or(Place::Project),
        };

        // All that can be refused is refused before anything else is written.
        let settings = client.settings(place, &project)?;
        let settings = settings
            .map(|path| Settings::read(client, place, path))
            .transpose()?;
        let campaign = match &self.campaign {
            Some(name) => name.trim().to_owned(),
            None => wanted
                .folder
                .file_name()
                .map_or("adventure".into(), |name| name.to_string_lossy())
                .into_owned(),
        };
        limits::name("campaign", &campaign).map_err(|refusal| refusal.summary)?;
        let (folder, project) = (&wanted.folder, project.as_path());
        let mut places = self.database.places();
        places.extend(wanted.shipped.map(|_| folder.clone()));
        let made = missing(&places);
        let set_up = async {
            let database = self.database.to_write()?;
            if let Some(why) = &database.fallback_reason {
                say(&format!("{why}."));
            }
            let mut arguments = self.database.as_arguments(&database.location);
            arguments.extend(self.bases.as_arguments());
            let entry = server((client, place, project), folder, &campaign, &arguments)?;
            let edited = settings
                .as_ref()
                .map(|settings| settings.with(&entry, self.replace))
                .transpose()?;
            if let Some(shipped) = wanted.shipped {
                shipped.write(folder)?;
            }
            let adventure = Adventure::read(folder)?;
            let what = match wanted.shipped {
                Some(_) => "the adventure, written here: change what you like",
                None if adventure.reading.system.narrative => {
                    "the adventure; it has no System.md, so there are dice and no rules (`rollbook new` begins some)"
                }
                None if !adventure.is_sound() => {
                    "the adventure; its rules have errors (`rollbook check` with its folder shows them)"
                }
                None => "the adventure",
            };
            let (campaign, is_new) =
                campaigns::begun(&database.location, adventure, &campaign, "init").await?;
            let how = if is_new {
                "made"
            } else {
                "there already; it goes on"
            };
            let mut report = format!(
                "{}  {what}\n{}  the campaign {campaign}, {how}\n",
                folder.display(),
                database.location
            );
            if let (Some(settings), Some(text)) = (&settings, edited) {
                report.push_str(&settings.save(&text)?);
            }
            // In the terminal, in whatever folder: with whole paths.
            let whole = server(
                (client, Place::User, project),
                folder,
                &campaign,
                &arguments,
            )?;
            let words = client.first_words(place, project, folder, &whole.play_line());
            Ok(format!("{report}\n{words}"))
        };
        answer(
            &set_up
                .await
                .map_err(|why: Failed| format!("{why}{}", left(&made)))?,
        )
    }
}

/// Those of these paths and their folders that are not there yet, the innermost first.
fn missing(paths: &[PathBuf]) -> Vec<&Path> {
    let is_missing = |path: &&Path| path.symlink_metadata().is_err();
    paths
        .iter()
        .flat_map(|path| path.ancestors().take_while(is_missing))
        .collect()
}

/// Takes those of these folders away in which nothing of worth is, and says what stays of them.
fn left(made: &[&Path]) -> String {
    for folder in made {
        let names = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.file_name());
        let names: Vec<_> = names.collect();
        if names.iter().all(|name| name == ".gitignore") {
            names
                .iter()
                .for_each(|name| drop(std::fs::remove_file(folder.join(name))));
            drop(std::fs::remove_dir(folder));
        }
    }
    let stays: Vec<&&Path> = made
        .iter()
        .filter(|path| path.symlink_metadata().is_ok())
        .collect();
    let is_innermost = |path: &&&&Path| {
        !stays
            .iter()
            .any(|other| other != *path && other.starts_with(path))
    };
    let stays: Vec<String> = stays
        .iter()
        .filter(is_innermost)
        .map(|path| path.display().to_string())
        .collect();
    let advice = ". Remove it, or run this again, which goes on with it";
    around(
        ". This was made before and stays: ",
        &stays.join(", "),
        advice,
    )
}

/// How that client starts the server. In settings of a project what lies in it is named from there,
/// so that a folder that is moved or copied opens its own table; every other path is whole, because
/// clients start the server in folders of their own.
fn server(
    (client, place, project): (Client, Place, &Path),
    folder: &Path,
    campaign: &str,
    database: &[String],
) -> Result<Server, Failed> {
    let within = |path: &str| {
        let rest = Path::new(path)
            .strip_prefix(project)
            .ok()
            .filter(|_| place == Place::Project)?;
        let rest = rest.to_str().filter(|rest| !rest.is_empty()).unwrap_or(".");
        Some(format!("{}{rest}", client.facts().project_folder))
    };
    let text = |path: &Path| {
        let named = path.to_str().map(str::to_owned);
        named.ok_or_else(|| {
            format!(
                "{} is not UTF-8, and settings can name no such path. Rename it",
                path.display()
            )
        })
    };
    let program =
        std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    // Settings that fetch a program by its name start whatever has that name then.
    if program.components().any(|part| part.as_os_str() == "_npx") {
        return Err("npx started this program from its cache, which it empties as it likes, so settings cannot name it. Install it (docs/install.md), \
                    then run this again"
            .to_owned());
    }
    let mut arguments = vec!["serve".to_owned(), "--adventure".to_owned(), text(folder)?];
    arguments.extend(["--campaign".to_owned(), campaign.to_owned()]);
    arguments.extend_from_slice(database);
    let arguments = arguments
        .into_iter()
        .map(|argument| within(&argument).unwrap_or(argument))
        .collect();
    Ok(Server {
        command: text(&program)?,
        arguments,
    })
}
