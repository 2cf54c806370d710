//! The schema of the file against the one that an empty database gets.
//!
//! A log whose triggers were dropped can be changed by accident, a trigger that was added can
//! change what is being written, a replaced view shows an auditor something else than the log; and
//! none of it leaves a mark in any row. A start compares the triggers, which is one short query;
//! `verify` compares everything.

use std::collections::BTreeMap;
use std::path::Path;

use sqlx::sqlite::SqliteConnection;

use super::migrate::{self, SchemaObject};
use super::notice;
use crate::error::{damaged, not_opened};
use crate::migrations::Steps;
use crate::sql::error::of_file;
use crate::{Remarks, StoreError};
use rollbook_text::names::quoted;

const ENDS: &str = "\nend;";

/// Refuses a database of the current schema whose triggers are not those that it was made with.
pub async fn check_triggers(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<(), StoreError> {
    let found: Vec<(String, String)> =
        sqlx::query_as("select name, sql from sqlite_schema where type = 'trigger'")
            .fetch_all(connection)
            .await?;
    let Some(what) = differs(migrate::steps()?, found) else {
        return Ok(());
    };
    let reason = format!("{what}, so the log in it is not kept from being changed");
    Err(not_opened(
        path,
        reason,
        "Run `rollbook verify`, which says what else was changed. `rollbook export --format db --audience gm` writes a campaign \
         into a file with every trigger as it should be; name that one with --db to play on",
    ))
}

/// Refuses, unread, a file with another table of ours: a view may never end, or show other rows.
pub async fn check_tables(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<(), StoreError> {
    let found = "select object.name, object.type, object.rootpage, object.sql,
            case object.type when 'table' then exists(select 1 from pragma_table_xinfo(object.name) where hidden <> 0) else false end
        from sqlite_schema as object";
    let found: Vec<(String, String, i64, Option<String>, bool)> = sqlx::query_as(found)
        .fetch_all(connection)
        .await
        .map_err(|error| of_file(path, error))?;
    let tables: BTreeMap<_, _> = tables(migrate::steps()?).collect();
    for (name, kind, page, sql, computes) in found {
        let name = name.to_lowercase();
        let Some(words) = tables.get(name.as_str()).copied() else {
            continue;
        };
        let what = match words {
            _ if kind != "table" => format!("a {kind}"),
            // What a table of its kind does is in its words.
            Some(words)
                if !sql.is_some_and(|sql| sql.eq_ignore_ascii_case(&format!("create {words}"))) =>
            {
                "not the table that the program made".to_owned()
            }
            None if page == 0 => "a virtual table".to_owned(),
            None if computes => "a table whose columns are worked out".to_owned(),
            _ => continue,
        };
        return Err(damaged(
            path,
            format!("{name}, a table of Rollbook's, is {what}"),
        ));
    }
    Ok(())
}

/// The tables that the program makes, and those of SQLite for words; a virtual table's words, too.
fn tables(steps: Steps) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let made = steps
        .created()
        .filter_map(|(kind, name, statement)| match kind {
            "table" => Some((name, None)),
            "virtual table" => Some((name, statement.split(';').next())),
            _ => None,
        });
    let kept = [
        "_sqlx_migrations",
        "words_data",
        "words_idx",
        "words_content",
        "words_docsize",
        "words_config",
    ];
    made.chain(kept.map(|name| (name, None)))
}

/// Whether SQLite itself made it.
fn is_of_sqlite(name: &str, object: &SchemaObject) -> bool {
    match object.kind.as_str() {
        "table" => ["sqlite_sequence", "sqlite_stat1", "sqlite_stat4"].contains(&name),
        "index" => name.starts_with("sqlite_autoindex_") && object.sql.is_none(),
        _ => false,
    }
}

fn differs(steps: Steps, found: Vec<(String, String)>) -> Option<String> {
    let mut found: BTreeMap<String, String> = found.into_iter().collect();
    for (name, rest) in expected(steps) {
        match found.remove(name) {
            None => return Some(format!("its trigger {name} is gone")),
            Some(sql) if sql.get("create trigger ".len()..) != Some(rest) => {
                return Some(format!(
                    "its trigger {name} is not the one the program made"
                ));
            }
            Some(_) => {}
        }
    }
    found.into_keys().next().map(|name| {
        format!(
            "a trigger {} was added to it",
            rollbook_text::names::quoted(&name)
        )
    })
}

/// Name and text after `create trigger` of each of our triggers; SQLite keeps that text.
fn expected(steps: Steps) -> BTreeMap<&'static str, &'static str> {
    let text = |text: &'static str| {
        text.strip_prefix("trigger ")?
            .get(..text.find(ENDS)? + ENDS.len() - 1 - "trigger ".len())
    };
    steps
        .created()
        .filter_map(|(_, name, statement)| Some((name, text(statement)?)))
        .collect()
}

/// Every difference is a finding, and what was added beside ours a note.
pub async fn compare(connection: &mut SqliteConnection) -> Result<Remarks, StoreError> {
    let mut remarks = Remarks::default();
    let version = migrate::version(connection).await?;
    remarks
        .findings
        .extend(migrate::contradiction(connection, version).await?);
    let known = migrate::steps()?.current();
    if version > known && remarks.findings.is_empty() {
        return Err(StoreError::Newer {
            found: version,
            known,
        });
    }
    let expected = migrate::expected().await?;
    let mut found = migrate::schema(connection).await?;
    for (name, object) in &expected {
        let what = &object.kind;
        match found.remove(name) {
            None => remarks
                .findings
                .push(format!("the schema's {what} {name} is gone")),
            // How the library writes down the table of migrations is its own affair.
            Some(there) if there != *object && object.table != "_sqlx_migrations" => {
                remarks.findings.push(format!(
                    "the schema's {what} {name} is not the one the program made"
                ));
            }
            Some(_) => {}
        }
    }
    for (name, object) in found {
        let on_ours = expected.contains_key(&object.table);
        let (shown, table) = (quoted(&name), quoted(&object.table));
        match object.kind.as_str() {
            _ if is_of_sqlite(&name, &object) => {}
            kind if name.to_lowercase().starts_with("sqlite_") => {
                remarks.findings.push(format!(
                    "the {kind} {shown} on {table} has a name that only SQLite gives"
                ));
            }
            "table" if name == notice::TABLE && object.sql.as_deref() == Some(notice::SCHEMA) => {}
            "table" | "view" if !on_ours => {
                remarks.notes.push(format!(
                    "the {} {shown} is none of the program's",
                    object.kind
                ));
            }
            kind if kind == "trigger" || on_ours => {
                remarks.findings.push(format!(
                    "the {kind} {shown} on {table} was added to the schema"
                ));
            }
            _ => {}
        }
    }
    Ok(remarks)
}

#[cfg(test)]
mod tests {
    use super::{differs, expected, tables};
    use crate::sqlite::connection::read_only;
    use crate::sqlite::{execute, made, migrate, open};
    use crate::{Reader, StoreError};

    #[tokio::test]
    async fn the_triggers_read_from_the_schemas_text_are_those_that_it_makes() {
        let schema = migrate::expected().await.unwrap();
        let made = schema
            .into_iter()
            .filter(|(_, object)| object.kind == "trigger");
        let made: Vec<(String, String)> = made
            .map(|(name, object)| (name, object.sql.unwrap()))
            .collect();
        assert_eq!(
            (made.len(), expected(migrate::steps().unwrap()).len()),
            (8, 8)
        );
        assert_eq!(differs(migrate::steps().unwrap(), made), None);
    }

    /// A view that never ends instead of a table is not read, whichever table it is.
    #[tokio::test]
    async fn a_table_that_is_something_else_is_refused_before_it_is_read() {
        let (folder, path) = made().await;
        let names: Vec<&str> = tables(migrate::steps().unwrap())
            .map(|(name, _)| name)
            .collect();
        assert!(
            names.len() > 20
                && ["log", "book", "words", "words_data"]
                    .iter()
                    .all(|name| names.contains(name))
        );
        for (nth, name) in names
            .into_iter()
            .filter(|name| !name.starts_with("words_"))
            .enumerate()
        {
            let copy = folder.path().join(format!("{nth}.db"));
            std::fs::copy(&path, &copy).unwrap();
            let endless =
                "with recursive n(id) as (select 1 union all select id + 1 from n) select * from n";
            execute(
                &copy,
                &format!("drop table \"{name}\"; create view \"{name}\" as {endless}"),
            )
            .await;
            for refused in [
                open(&copy).await.map(drop),
                Reader::open(&copy).await.map(drop),
            ] {
                let refused = refused.unwrap_err().to_string();
                assert!(
                    refused.contains(&format!("{name}, a table of Rollbook's, is a view")),
                    "{refused}"
                );
            }
        }
    }

    #[tokio::test]
    async fn what_has_a_name_that_only_sqlite_gives_is_found() {
        let (_folder, path) = made().await;
        let sql = "create trigger helper after insert on log begin select 1; end; pragma writable_schema = on;
            update sqlite_schema set name = 'sqlite_helper', sql = replace(sql, 'helper', 'sqlite_helper') where name = 'helper'";
        execute(&path, sql).await;
        assert!(
            open(&path)
                .await
                .map(drop)
                .unwrap_err()
                .to_string()
                .contains("a trigger sqlite_helper was added")
        );
        let mut reader = Reader::open(&path).await.unwrap();
        let found = reader.check_schema().await.unwrap().findings;
        assert_eq!(
            found,
            ["the trigger sqlite_helper on log has a name that only SQLite gives"]
        );
    }

    /// A reading that its file's size does not explain ends.
    #[tokio::test]
    async fn a_reading_without_end_is_given_up() {
        let (_folder, path) = made().await;
        let mut connection = read_only(&path).await.unwrap();
        let endless = "with recursive n(id) as (select 1 union all select id + 1 from n) select max(id) from n";
        let error = sqlx::query(endless)
            .fetch_one(&mut connection)
            .await
            .map(drop)
            .unwrap_err();
        assert!(
            StoreError::from(error)
                .to_string()
                .contains("more steps than its size explains")
        );
    }
}
