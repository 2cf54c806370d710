//! The statements that make a database. The program hands them down before it opens a book.

use std::borrow::Cow;
use std::sync::OnceLock;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType};

use crate::StoreError;

static HANDED_DOWN: OnceLock<Migrations> = OnceLock::new();

/// The migrations of both backends.
#[derive(Debug, Clone, Copy)]
pub struct Migrations {
    pub sqlite: Steps,
    pub postgres: Steps,
}

/// One backend's migrations, oldest first. None changes after a release: its checksum is kept.
#[derive(Debug, Clone, Copy)]
pub struct Steps(pub &'static [Step]);

/// One migration.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub description: &'static str,
    pub sql: &'static str,
}

impl Migrations {
    /// Sets them for the whole program; the first call counts.
    pub fn hand_down(self) {
        HANDED_DOWN.get_or_init(|| self);
    }

    /// Those that the program handed down.
    pub fn handed_down() -> Result<Migrations, StoreError> {
        #[cfg(test)]
        of_program::MIGRATIONS.hand_down();
        let none = || {
            StoreError::Io(
                "this program opens books without having handed down their migrations".to_owned(),
            )
        };
        HANDED_DOWN.get().copied().ok_or_else(none)
    }
}

impl Steps {
    /// The schema that they end with, counted from 1.
    pub fn current(self) -> i64 {
        i64::try_from(self.0.len()).unwrap_or(i64::MAX)
    }

    pub(crate) fn texts(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|step| step.sql)
    }

    /// What they create: its kind, its name, and the statement after `create` with what follows it.
    pub fn created(self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        self.texts()
            .flat_map(|text| text.split("\ncreate ").skip(1))
            .filter_map(|statement| {
                let (kind, rest) = statement.split_once(' ')?;
                let (kind, rest) = rest
                    .strip_prefix("table ")
                    .map_or((kind, rest), |rest| ("virtual table", rest));
                Some((kind, rest.split([' ', '(', '\n']).next()?, statement))
            })
    }

    pub(crate) fn each(self) -> impl Iterator<Item = Migration> {
        (1..).zip(self.0).map(|(version, step)| {
            let description = Cow::Borrowed(step.description);
            Migration::new(
                version,
                description,
                MigrationType::Simple,
                step.sql.into_sql_str(),
                false,
            )
        })
    }
}

#[cfg(test)]
#[path = "../../../src/migrations.rs"]
mod of_program;
