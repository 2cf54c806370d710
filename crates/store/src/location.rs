//! Where a book lies: in a file, or in a database on a server.
//!
//! A server's address may hold a password. It is in no text that this type writes and in none of
//! its refusals; nor is it on the command line, which others can read, where it comes from
//! `PGPASSWORD` or from the file that `PGPASSFILE` names (else `~/.pgpass`).

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use sqlx::postgres::PgConnectOptions;

use rollbook_text::names::{quoted, suggest};

const BYTES_MAX: usize = 2_000;

/// What a server's address looks like, for everybody who sent something else.
const FORM: &str = "postgres://USER@HOST/DATABASE";
const PASSWORD: &str = "Leave the password to PGPASSWORD or ~/.pgpass, or write what is no letter and no digit in it as %23, %2F, %3F, %40";

/// What may follow the question mark of an address.
const SETTINGS: &str = "sslmode, sslrootcert, sslcert, sslkey, host, hostaddr, port, dbname, user, password, application_name, options, \
     ssl-mode, ssl-root-cert, statement-cache-capacity";

/// How much TLS is wanted. Up to `require` any certificate is taken.
const SSL_MODES: [&str; 5] = ["disable", "prefer", "require", "verify-ca", "verify-full"];

/// Where a book lies.
#[derive(Clone)]
pub enum Location {
    File(PathBuf),
    Server(Box<Server>),
}

/// A database on a server.
#[derive(Clone)]
pub struct Server {
    /// How it is reached, with the password.
    pub(super) options: PgConnectOptions,
    /// The address without it.
    shown: String,
    /// The server and the database on it, without the user.
    name: String,
    /// The folder in which this computer keeps its checkpoints; without one only the database does.
    pub checkpoints: Option<PathBuf>,
}

impl Location {
    /// What `--db` names: an address, else a file.
    pub fn parse(text: &OsStr) -> Result<Location, String> {
        let file = || path(text).map(Location::File);
        let Some(plain) = text.to_str() else {
            return file();
        };
        let folded = plain.trim_start().to_ascii_lowercase();
        if ["host=", "dbname=", "user="]
            .iter()
            .any(|word| folded.starts_with(word))
        {
            return Err(format!("a server is named by its address. Send {FORM}"));
        }
        let Some((kind, rest)) = kind(plain) else {
            // An address without its beginning, with a password in it.
            let is_address = plain
                .split_once('@')
                .is_some_and(|(user, host)| user.contains(':') && host.contains('/'));
            return if is_address {
                Err(format!("an address begins with its kind. Send {FORM}"))
            } else {
                file()
            };
        };
        match kind.to_ascii_lowercase().as_str() {
            "postgres" | "postgresql" => {
                Server::parse(rest).map(|server| Location::Server(Box::new(server)))
            }
            "sqlite" | "file" => Err(format!(
                "a file is named by its path alone. Leave {kind}: out"
            )),
            other => {
                let suggested = suggest(other, ["postgres", "postgresql"]);
                let file = if suggested.is_empty() {
                    "the path of a file, or "
                } else {
                    ""
                };
                Err(format!(
                    "\"{}\" is no kind of database that Rollbook can use. Send {file}{FORM}",
                    quoted(other)
                ))
            }
        }
    }

    /// What checkpoints call it: a file by its name in its folder, a server's database by address.
    pub fn name(&self) -> String {
        match self {
            Location::File(file) => file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            Location::Server(server) => server.name.clone(),
        }
    }

    /// The folder of its checkpoints; `None` where there is none.
    pub fn checkpoints(&self) -> Option<&Path> {
        match self {
            Location::File(file) => file.parent(),
            Location::Server(server) => server.checkpoints.as_deref(),
        }
    }

    /// That there is no database, and what to do.
    pub fn missing(&self) -> String {
        let is_usual = |file: &Path| file.ends_with(".rollbook/campaigns.db");
        let advice = match self.file().is_some_and(is_usual) {
            true => "`rollbook init` begins one here, and --db names one elsewhere",
            false => "name one that is there",
        };
        format!("there is no database at {self}; {advice}")
    }

    /// Whether there may be a database: a file is there, and what a server has, only it knows.
    pub fn exists(&self) -> bool {
        self.file().is_none_or(Path::exists)
    }

    /// The file; `None` for a server.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Location::File(file) => Some(file),
            Location::Server(_) => None,
        }
    }
}

/// A path as it was typed or is in a client's settings, where no shell has read it: `~/` is the
/// home folder. Errors: for what only a shell reads: another user's home folder, a variable.
pub fn path(text: &OsStr) -> Result<PathBuf, String> {
    let Some(plain) = text.to_str() else {
        return Ok(PathBuf::from(text));
    };
    let whole = |what: &str| {
        Err(format!(
            "\"{}\" begins with {what}, which only a shell reads. Write the path whole",
            quoted(plain)
        ))
    };
    match plain.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            let Some(home) = std::env::home_dir().filter(|home| home.is_absolute()) else {
                return whole("~, and HOME names no folder");
            };
            Ok(home.join(rest.trim_start_matches('/')))
        }
        Some(rest)
            if rest.contains('/') && rest.starts_with(|letter: char| letter.is_alphabetic()) =>
        {
            whole("another user's ~")
        }
        _ if plain.starts_with('$')
            || (plain.starts_with('%') && plain.matches('%').count() > 1) =>
        {
            whole("a variable")
        }
        _ => Ok(PathBuf::from(text)),
    }
}

/// The kind and the rest of an address, after the slashes. `None` for a path: a drive is no kind.
fn kind(text: &str) -> Option<(&str, &str)> {
    let (kind, rest) = text.trim().split_once(':')?;
    let is_word = kind.len() > 1
        && kind
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    if !is_word {
        return None;
    }
    match rest.strip_prefix("//") {
        Some(rest) => Some((kind, rest)),
        None if ["jdbc", "postgres", "postgresql", "sqlite"]
            .contains(&kind.to_ascii_lowercase().as_str()) =>
        {
            Some((kind, ""))
        }
        None => None,
    }
}

impl Server {
    /// Reads what follows `postgres://`.
    fn parse(rest: &str) -> Result<Server, String> {
        if rest.is_empty() {
            return Err(format!("the address is not whole. Send {FORM}"));
        }
        if rest.len() > BYTES_MAX {
            return Err(format!(
                "an address has at most {BYTES_MAX} bytes. Send {FORM}"
            ));
        }
        let (place, settings) = rest.split_once('?').unwrap_or((rest, ""));
        let database = place.split_once('/').map_or("", |(_, database)| database);
        // A password with such a letter ends early, and the rest of it might be shown.
        let torn = rest.contains(|letter: char| {
            letter == '#' || letter.is_whitespace() || letter.is_control()
        });
        if torn || database.contains(['/', '@']) || settings.contains('@') {
            return Err(format!("the address cannot be read. {PASSWORD}"));
        }
        let host = place
            .split('/')
            .next()
            .unwrap_or_default()
            .rsplit('@')
            .next()
            .unwrap_or_default();
        let mut is_several = host.contains(',');
        for setting in settings.split('&').filter(|setting| !setting.is_empty()) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            let is_place = ["host", "hostaddr", "port"].contains(&name);
            is_several |= is_place && value.to_ascii_lowercase().replace("%2c", ",").contains(',');
            if ["sslmode", "ssl-mode"].contains(&name) && !SSL_MODES.contains(&value) {
                return Err(format!("{name} is one of {}", SSL_MODES.join(", ")));
            }
            if SETTINGS.split(", ").all(|known| known != name) && !name.starts_with("options[") {
                // What is not known may be the end of a password.
                let suggested = suggest(name, SETTINGS.split(", "))
                    .first()
                    .map_or(String::new(), |name| format!(" (near: {name})"));
                return Err(format!(
                    "the address has a setting that is not known{suggested}. Known are {SETTINGS}"
                ));
            }
        }
        if is_several {
            return Err(format!(
                "the address names several servers. Send the one of a proxy in front of them: {FORM}"
            ));
        }
        let options = read(rest)?;
        let (shown, name) = shown(&options);
        Ok(Server {
            options,
            shown,
            name,
            checkpoints: None,
        })
    }

    /// The same, whose checkpoints are kept in that folder as well.
    #[must_use]
    pub fn with_checkpoints(self, folder: Option<PathBuf>) -> Self {
        Server {
            checkpoints: folder,
            ..self
        }
    }
}

fn read(rest: &str) -> Result<PgConnectOptions, String> {
    let options = PgConnectOptions::from_str(&format!("postgres://{rest}"))
        .map_err(|error| format!("the address cannot be read: {error}. Send {FORM}. {PASSWORD}"))?;
    // An address of IPv6 is looked up without its brackets.
    let plain = options
        .get_host()
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .map(str::to_owned);
    let options = match plain {
        Some(plain) => options.host(&plain),
        None => options,
    };
    let is_named = options.get_application_name().is_some();
    Ok(if is_named {
        options
    } else {
        options.application_name("rollbook")
    })
}

/// The address as it can be sent again, and the name.
fn shown(options: &PgConnectOptions) -> (String, String) {
    let user = options.get_username();
    let database = options.get_database().unwrap_or(user);
    let host = options
        .get_socket()
        .map_or(options.get_host().to_owned(), |folder| {
            folder.display().to_string()
        });
    let (port, and_port) = match options.get_port() {
        5432 => (String::new(), String::new()),
        port => (format!(":{port}"), format!("&port={port}")),
    };
    match &host {
        folder if folder.starts_with('/') => (
            format!("postgres:///{database}?host={folder}{and_port}&user={user}"),
            format!("{folder}{port}/{database}"),
        ),
        host => {
            let host = if host.contains(':') {
                format!("[{host}]")
            } else {
                host.clone()
            };
            (
                format!("postgres://{user}@{host}{port}/{database}"),
                format!("{host}{port}/{database}"),
            )
        }
    }
}

impl From<&Location> for Location {
    fn from(location: &Location) -> Location {
        location.clone()
    }
}

impl<P: AsRef<Path>> From<P> for Location {
    fn from(file: P) -> Location {
        Location::File(file.as_ref().to_path_buf())
    }
}

impl fmt::Display for Location {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::File(file) => write!(to, "{}", file.display()),
            Location::Server(server) => write!(to, "{server}"),
        }
    }
}

impl fmt::Display for Server {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.shown)
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Location({self})")
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use proptest::prelude::*;

    use super::Location;

    fn parse(text: &str) -> Result<Location, String> {
        Location::parse(OsStr::new(text))
    }

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (sent, shown) in [
            (
                "postgres://gm:hunter2@host/rollbook",
                "postgres://gm@host/rollbook",
            ),
            (
                "postgresql://gm:hunter2@host:6432/rollbook?sslmode=require",
                "postgres://gm@host:6432/rollbook",
            ),
            (
                "POSTGRES://gm@host/?password=hunter2&dbname=rollbook",
                "postgres://gm@host/rollbook",
            ),
            (
                "postgres://gm:p%40hunter2%2F@host/rollbook",
                "postgres://gm@host/rollbook",
            ),
            (
                "postgres://gm:hunter2@[::1]/rollbook",
                "postgres://gm@[::1]/rollbook",
            ),
            (
                "postgres:///rollbook?host=/run/postgresql&user=gm&password=hunter2",
                "postgres:///rollbook?host=/run/postgresql&user=gm",
            ),
            (
                "postgres://gm@%2Ftmp%2Fsome:5433/rollbook",
                "postgres:///rollbook?host=/tmp/some&port=5433&user=gm",
            ),
            (
                "postgres://gm:hunter2,2@host/rollbook",
                "postgres://gm@host/rollbook",
            ),
        ] {
            let location = parse(sent).unwrap();
            assert_eq!(location.to_string(), shown, "{sent}");
            assert_eq!(format!("{location:?}"), format!("Location({shown})"));
            assert!(location.file().is_none());
            assert_eq!(
                parse(shown).unwrap().to_string(),
                shown,
                "what is shown can be sent again"
            );
        }
    }

    #[test]
    fn what_is_no_address_is_a_file() {
        for file in [
            "campaigns.db",
            "/var/campaigns.db",
            "C:\\games\\campaigns.db",
            "a:b.db",
            "",
            "postgres",
            "./a://b",
        ] {
            assert_eq!(
                parse(file).unwrap().file(),
                Some(std::path::Path::new(file)),
                "{file}"
            );
        }
    }

    #[test]
    fn what_no_shell_has_read_is_a_path_or_is_refused() {
        let home = std::env::home_dir().unwrap();
        assert_eq!(
            parse("~/games/c.db").unwrap().file(),
            Some(&*home.join("games/c.db"))
        );
        assert_eq!(parse("~").unwrap().file(), Some(&*home.join("")));
        for (text, words) in [
            ("~ana/c.db", "another user's ~"),
            ("$HOME/c.db", "a variable"),
            ("${CLAUDE_PROJECT_DIR}/c.db", "a variable"),
            ("%APPDATA%\\c.db", "a variable"),
        ] {
            let refused = parse(text).unwrap_err();
            assert!(
                refused.contains(words) && refused.contains("Write the path whole"),
                "{text}: {refused}"
            );
        }
        for plain in ["~c.db", "a~/c.db", "50%.db", "a$b.db"] {
            assert_eq!(
                parse(plain).unwrap().file(),
                Some(std::path::Path::new(plain)),
                "{plain}"
            );
        }
    }

    #[test]
    fn what_cannot_be_used_is_refused_with_what_to_send() {
        let long = format!("postgres://gm@{}/rollbook", "a".repeat(2_000));
        for (sent, words) in [
            (
                "mysql://gm:hunter2@host/rollbook",
                "Send the path of a file, or postgres://USER@HOST/DATABASE",
            ),
            (
                "postgre://gm:hunter2@host/rollbook",
                "\"postgre\" is no kind of database that Rollbook can use. Send postgres://",
            ),
            ("postgress://gm:hunter2@host/rollbook", "Send postgres://"),
            (
                "jdbc:postgresql://host/rollbook?password=hunter2",
                "Send the path of a file, or postgres://",
            ),
            ("sqlite://campaigns.db", "Leave sqlite: out"),
            ("sqlite:campaigns.db", "Leave sqlite: out"),
            (long.as_str(), "at most 2000 bytes"),
            ("postgres:/rollbook", "the address is not whole"),
            ("postgres://", "the address is not whole"),
            ("host=host password=hunter2", "Send postgres://"),
            (
                "postgres://gm@host/rollbook?sslmode=hunter2",
                "sslmode is one of disable, prefer, require, verify-ca",
            ),
            (
                "postgres://gm@host/rollbook?sslmod=hunter2",
                "a setting that is not known (near: sslmode). Known are",
            ),
            (
                "postgres://gm@host:port/rollbook",
                "the address cannot be read",
            ),
            (
                "postgres://gm:hunter2@host/rollbook?target_session_attrs=read-write",
                "a setting that is not known",
            ),
            (
                "postgres://gm:hunter2@a,b:6432/rollbook",
                "names several servers. Send the one of a proxy",
            ),
            (
                "postgres:///rollbook?host=/a%2C/b&password=hunter2",
                "names several servers",
            ),
            (
                "postgres://gm:hunter2@a/rollbook?port=1,2",
                "names several servers",
            ),
        ] {
            let refused = parse(sent).unwrap_err();
            assert!(refused.contains(words), "{sent}: {refused}");
            assert!(!refused.contains("hunter2"), "{refused}");
        }
    }

    proptest! {
        /// A password may hold anything, also what should have been written as %23 there.
        #[test]
        fn a_password_is_in_no_text(before in "[ -~]{0,6}", after in "[ -~]{0,6}", shape in 0..3) {
            let password = format!("{before}hunter2{after}");
            let sent = match shape {
                0 => format!("postgres://gm:{password}@host/rollbook"),
                1 => format!("postgres://gm@host/rollbook?password={password}"),
                _ => format!("mysql://gm:{password}@host/rollbook"),
            };
            let shown = match parse(&sent) {
                Ok(location) => format!("{location} {location:?}"),
                Err(refused) => refused,
            };
            prop_assert!(!shown.contains("hunter2"), "{}: {}", sent, shown);
        }
    }
}
