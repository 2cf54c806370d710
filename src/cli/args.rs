//! Arguments that several commands take.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command, Error};

use crate::cli::output::{Failed, say};
use crate::cli::shelf::{SHELF, Wanted, at_hand, of_shelf, wanted};
use rollbook_game::limits;
use rollbook_game::view::Audience;
use rollbook_store::location::Location;
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::bases::read_below;
use rollbook_table::session::{Host, Offers, paths};
use rollbook_table::tools::{Category, Registry};
use rollbook_text::names::{for_shell, quoted};

/// Which campaign of which adventure is played, and where it is kept.
#[derive(Debug, Args)]
pub(super) struct TableArgs {
    /// The adventure's folder, or the name of one that comes with the program (lockhouse, for
    /// example), which is written into the project's folder [default: $CLAUDE_PROJECT_DIR, else the
    /// current folder; where that has no rules, the one folder in it that has some].
    #[arg(long, value_name = "DIR|NAME")]
    pub(super) adventure: Option<PathBuf>,
    #[command(flatten)]
    pub(super) database: DatabaseArg,
    /// The campaign of calls that name none; made at its first write [default: the adventure's
    /// folder name].
    #[arg(long, value_name = "NAME")]
    pub(super) campaign: Option<String>,
    #[command(flatten)]
    pub(super) bases: BasesArg,
}

impl TableArgs {
    /// The folder that is played in, or the adventure of the program that is still to be written
    /// there: into the project's folder, or into the user's data folder where that cannot be written.
    pub(super) fn wanted(&self) -> Result<Wanted, Failed> {
        let flag = self.named();
        let named = paths::adventure(flag)?;
        let shipped = flag.map(|_| of_shelf(&named)).transpose()?;
        let Some(shipped) = shipped.flatten() else {
            return Ok(Wanted::folder(&named));
        };
        let project = paths::project()?;
        let found = wanted(shipped.name, &project)?;
        if found.shipped.is_some()
            && !paths::is_writable(&project)
            && let Some(user) = paths::user_folder()
        {
            return wanted(shipped.name, &user);
        }
        Ok(found)
    }

    /// The folder that is played in; what comes with the program is written there once.
    fn folder(&self) -> Result<PathBuf, Failed> {
        if self.named().is_none() {
            // It is made where it is not there yet.
            paths::project()?;
        }
        let Wanted { folder, shipped } = self.wanted()?;
        if let Some(shipped) = shipped {
            shipped.write(&folder)?;
            let (name, folder) = (shipped.name, folder.display());
            say(&format!(
                "The adventure {name} was written into {folder}: change there what you like."
            ));
        }
        Ok(folder)
    }

    /// What the flag names. For a setting that nobody filled in, clients send nothing, or the
    /// setting's own name as the manifest of a bundle (MCPB) writes it.
    fn named(&self) -> Option<&Path> {
        const UNSET: [&str; 2] = ["", "${user_config.adventure}"];
        let named = self.adventure.as_deref();
        named.filter(|named| UNSET.iter().all(|unset| *named != Path::new(unset)))
    }

    /// What a call may begin where no adventure is played: in the project's folder alone, where
    /// the next start finds it.
    fn offers(&self) -> Offers {
        let named = self.named().map(Path::to_owned);
        Offers {
            all: SHELF.iter().map(|one| (one.name, one.about())).collect(),
            write: Box::new(move |name| {
                if let Some(named) = &named {
                    return Err(format!(
                        "It was started with --adventure {}, which has no rules. Start it without, or with --adventure {name}",
                        for_shell(&named.display().to_string())
                    ));
                }
                let project = paths::project()?;
                if !paths::is_writable(&project) {
                    return Err(format!(
                        "{} cannot be written. Start with --adventure {name}, which is kept in your data folder then",
                        project.display()
                    ));
                }
                // Another server of this folder may have begun one.
                let begun = paths::adventure(None)?;
                if paths::has_rules(&begun) && !begun.ends_with(name) {
                    return Err(format!(
                        "{} was begun here meanwhile. Begin that one, or another in another folder",
                        begun.file_name().unwrap_or_default().to_string_lossy()
                    ));
                }
                let Wanted { folder, shipped } = wanted(name, &project)?;
                if let Some(shipped) = shipped {
                    shipped.write(&folder)?;
                    if let Err(several) = paths::adventure(None) {
                        // At the same moment: what was written just now is taken back.
                        std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
                        return Err(several);
                    }
                }
                match paths::has_rules(&folder) {
                    true => Ok(folder),
                    false => Err(format!(
                        "{} is there already, and has no System.md. Move it away, then send this again",
                        folder.display()
                    )),
                }
            }),
        }
    }

    /// A host with the system's dice and clock; it reads rules again when they are saved.
    pub(super) fn host(self) -> Result<Host, Failed> {
        self.bases.read_below()?;
        let folder = self.folder()?;
        let adventure = Adventure::read(&folder)?;
        for problem in &adventure.problems {
            tracing::warn!("{}", problem.message);
        }
        if let Some(campaign) = &self.campaign {
            limits::name("--campaign", campaign).map_err(|refusal| refusal.summary)?;
        }
        let database = self.database.to_write()?;
        if let Some(why) = &database.fallback_reason {
            tracing::warn!("{why}");
        }
        let offers = self.offers();
        let mut host = Host::of_this_computer(adventure, database.location, self.campaign);
        host.offers = Some(offers);
        Ok(host.following_saves())
    }
}

/// An adventure whose rules a command reads.
#[derive(Debug, Args)]
pub(super) struct AdventureArg {
    /// The adventure's folder, or the name of one that comes with the program.
    #[arg(value_name = "DIR|NAME", default_value = ".")]
    pub(super) named: PathBuf,
    #[command(flatten)]
    bases: BasesArg,
}

impl AdventureArg {
    /// Where its pages are, once in a command.
    pub(super) fn folder(&self) -> Result<PathBuf, Failed> {
        self.bases.read_below()?;
        at_hand(&self.named)
    }
}

/// Where rules of other adventures may be read.
#[derive(Debug, Args)]
pub(super) struct BasesArg {
    /// A folder of adventures: below it an adventure's rules may be built on those of another
    /// (`- Base: ../d20`).
    #[arg(long, value_name = "DIR")]
    adventures: Option<PathBuf>,
}

impl BasesArg {
    /// From now on rules are read there, too. Errors: it is no folder, or was named before.
    pub(super) fn read_below(&self) -> Result<(), Failed> {
        self.adventures.as_deref().map_or(Ok(()), read_below)
    }

    /// The same flag for another start.
    pub(super) fn as_arguments(&self) -> Vec<String> {
        let folder = self.adventures.as_deref().map(absolute);
        folder.map_or_else(Vec::new, |folder| vec!["--adventures".to_owned(), folder])
    }
}

fn absolute(folder: &Path) -> String {
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    whole.display().to_string()
}

/// Where the campaigns are kept.
#[derive(Debug, Args)]
pub(super) struct DatabaseArg {
    /// The database: a file, or one on a server (`postgres://USER@HOST/DATABASE`, with the password
    /// in PGPASSWORD or ~/.pgpass) [default: .rollbook/campaigns.db in $CLAUDE_PROJECT_DIR or the
    /// current folder, or, where that cannot be written, rollbook/campaigns.db in the user's data
    /// folder].
    // Not an address yet: where a value is no address the parser of arguments would print it, with
    // its password.
    #[arg(long, value_name = "FILE|URL")]
    db: Option<PathBuf>,
    /// Where checkpoints of a database on a server are written; those of a file lie beside it
    /// [default: rollbook in the user's data folder].
    #[arg(long, value_name = "DIR")]
    checkpoints: Option<PathBuf>,
}

impl DatabaseArg {
    /// One of two databases that a command names; --checkpoints is for the one on a server.
    pub(super) fn for_side(db: PathBuf, checkpoints: Option<PathBuf>) -> Result<Self, Failed> {
        let is_server = Location::parse(db.as_os_str())?.file().is_none();
        Ok(DatabaseArg {
            db: Some(db),
            checkpoints: checkpoints.filter(|_| is_server),
        })
    }

    /// Where the database is written; its folder is made.
    pub(super) fn to_write(&self) -> Result<paths::Database, Failed> {
        paths::database(self.db.as_deref(), self.checkpoints.as_deref())
    }

    /// The same flags for another start, with that database, which these led to.
    pub(super) fn as_arguments(&self, location: &Location) -> Vec<String> {
        let mut arguments = vec!["--db".to_owned(), location.to_string()];
        if let Some(folder) = &self.checkpoints {
            arguments.extend(["--checkpoints".to_owned(), absolute(folder)]);
        }
        arguments
    }

    /// Every file that may be made for the database.
    pub(super) fn places(&self) -> Vec<PathBuf> {
        paths::places(self.db.as_deref())
    }

    pub(super) fn to_read(&self) -> Result<Location, Failed> {
        paths::existing_database(self.db.as_deref(), self.checkpoints.as_deref())
    }
}

/// One campaign of a database that is there.
#[derive(Debug, Args)]
pub(super) struct CampaignArgs {
    #[command(flatten)]
    pub(super) database: DatabaseArg,
    /// The campaign [default: the only one there is].
    #[arg(long, value_name = "NAME")]
    pub(super) campaign: Option<String>,
}

/// Which of the tools there are.
#[derive(Debug, Args)]
pub(super) struct ToolsetsArg {
    /// The tools of these sets alone (resources stay as they are), between commas; or all [default
    /// of serve: all but utility].
    #[arg(long, value_name = "LIST", value_delimiter = ',', ignore_case = true, value_parser = toolset())]
    toolsets: Vec<Option<Category>>,
    /// How soon one caller may call a tool again; may be given several times.
    #[arg(long, value_name = "TOOL=SECONDS", value_parser = cool_down)]
    cool_down: Vec<(String, Duration)>,
}

impl ToolsetsArg {
    /// The tools; of these sets where none is named.
    pub(super) fn registry(&self, else_of: &[Category]) -> Result<Registry, Failed> {
        let named: Vec<Category> = self.toolsets.iter().copied().flatten().collect();
        let mut registry = match (self.toolsets.contains(&None), named.is_empty()) {
            (true, _) => Registry::of(&Category::ALL),
            (false, true) => Registry::of(else_of),
            (false, false) => Registry::of(&named),
        };
        for (tool, time) in &self.cool_down {
            registry
                .cool_down(tool, *time)
                .map_err(|refusal| format!("--cool-down: {}", refusal.summary))?;
        }
        Ok(registry)
    }
}

/// A set of tools by its name; `None` is all of them.
fn toolset() -> impl TypedValueParser<Value = Option<Category>> {
    let names = Category::ALL
        .map(Category::as_str)
        .into_iter()
        .chain(["all"]);
    PossibleValuesParser::new(names).map(|name| Category::named(&name.to_lowercase()))
}

fn cool_down(text: &str) -> Result<(String, Duration), String> {
    let seconds = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    };
    text.split_once('=')
        .and_then(|(tool, time)| Some((tool.trim().to_owned(), seconds(time)?)))
        .ok_or_else(|| "a tool and seconds are wanted, such as get_time=2.5".to_owned())
}

/// Values of a flag by their names, each with its help.
pub(super) type Values<T> = [(&'static str, T, &'static str)];

#[derive(Clone)]
pub(super) struct OneOf<T: 'static>(&'static Values<T>);

pub(super) fn one_of<T>(all: &'static Values<T>) -> OneOf<T> {
    OneOf(all)
}

impl<T: Copy + Send + Sync> TypedValueParser for OneOf<T> {
    type Value = T;

    /// Errors: it is none of them; they are shown with their help, as names alone may say little.
    fn parse_ref(&self, all: &Command, flag: Option<&Arg>, text: &OsStr) -> Result<T, Error> {
        if let Some((_, value, _)) = self.0.iter().find(|(name, ..)| text == *name) {
            return Ok(*value);
        }
        let flag = flag.map(ToString::to_string).unwrap_or_default();
        let text = quoted(&text.to_string_lossy());
        let mut why = format!("{flag} cannot be '{text}'. It is one of:\n");
        for (name, _, help) in self.0 {
            why.push_str(&format!("  {name:10}  {help}\n"));
        }
        Err(Error::raw(ErrorKind::InvalidValue, why).with_cmd(all))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let named = |(name, _, help): &(&'static str, T, &'static str)| {
            PossibleValue::new(*name).help(*help)
        };
        Some(Box::new(self.0.iter().map(named)))
    }
}

/// Who reads what a command writes.
pub(super) const AUDIENCES: &Values<Audience> = &[
    ("player", Audience::Player, "What players may see"),
    ("gm", Audience::Gm, "Everything"),
];

#[test]
fn cool_downs_are_a_tool_and_seconds() {
    assert_eq!(
        cool_down("get_time=2.5"),
        Ok(("get_time".to_owned(), Duration::from_millis(2500)))
    );
    for bad in [
        "get_time",
        "get_time=",
        "get_time=-1",
        "get_time=soon",
        "get_time=inf",
    ] {
        assert!(
            cool_down(bad).unwrap_err().contains("get_time=2.5"),
            "{bad}"
        );
    }
    let second = Duration::from_secs(1);
    let registry = |tool: &str| {
        ToolsetsArg {
            toolsets: Vec::new(),
            cool_down: vec![(tool.to_owned(), second)],
        }
        .registry(&Category::DEFAULT)
    };
    assert_eq!(
        registry("odds").unwrap().get("odds").unwrap().cool_down(),
        Some(second)
    );
    assert!(
        registry("odd")
            .map(drop)
            .unwrap_err()
            .contains("did you mean odds?")
    );
}
