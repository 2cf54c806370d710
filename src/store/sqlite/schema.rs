//! The schema of the file against the one that an empty database gets.
//!
//! A log whose triggers were dropped can be changed by accident, a trigger that was added can change what is being
//! written, a replaced view shows an auditor something else than the log; and none of it leaves a mark in any row. A start
//! compares the triggers, which is one short query; `verify` compares everything.

use std::collections::BTreeMap;
use std::path::Path;

use sqlx::sqlite::SqliteConnection;

use super::error::not_opened;
use super::migrate::{self, SchemaObject};
use super::notice;
use crate::store::{Remarks, StoreError};

const BEGINS: &str = "create trigger ";
const ENDS: &str = "\nend;";

/// Refuses a database of the current schema whose triggers are not those that it was made with.
pub async fn check_triggers(connection: &mut SqliteConnection, path: &Path) -> Result<(), StoreError> {
    let found: Vec<(String, String)> =
        sqlx::query_as("select name, sql from sqlite_schema where type = 'trigger'").fetch_all(connection).await?;
    let Some(what) = differs(found) else { return Ok(()) };
    let reason = format!("{what}, so the log in it is not kept from being changed");
    Err(not_opened(
        path,
        reason,
        "Run `rollbook verify`, which says what else was changed. `rollbook export --format db --audience gm` writes a campaign \
         into a file with every trigger as it should be; name that one with --db to play on",
    ))
}

fn differs(found: Vec<(String, String)>) -> Option<String> {
    let mut found: BTreeMap<String, String> = found.into_iter().collect();
    for (name, rest) in expected() {
        match found.remove(name) {
            None => return Some(format!("its trigger {name} is gone")),
            Some(sql) if sql.get(BEGINS.len()..) != Some(rest) => {
                return Some(format!("its trigger {name} is not the one the program made"));
            }
            Some(_) => {}
        }
    }
    found.into_keys().next().map(|name| format!("a trigger {} was added to it", crate::names::quoted(&name)))
}

/// Name and text after `create trigger` of every trigger in the schema; SQLite keeps that text as it was written.
fn expected() -> BTreeMap<&'static str, &'static str> {
    let triggers = migrate::SCHEMA.split(BEGINS).skip(1).filter_map(|text| {
        let rest = text.get(..text.find(ENDS)? + ENDS.len() - 1)?;
        Some((rest.split_whitespace().next()?, rest))
    });
    triggers.collect()
}

/// Every difference is a finding, and what was added beside ours a note.
pub async fn compare(connection: &mut SqliteConnection) -> Result<Remarks, StoreError> {
    let mut remarks = Remarks::default();
    let version = migrate::version(connection).await?;
    remarks.findings.extend(migrate::contradiction(connection, version).await?);
    if version > migrate::CURRENT && remarks.findings.is_empty() {
        return Err(StoreError::Newer { found: version, known: migrate::CURRENT });
    }
    let expected = by_name(migrate::expected().await?);
    let mut found = by_name(migrate::schema(connection).await?);
    for (name, object) in &expected {
        let what = &object.kind;
        match found.remove(name) {
            None => remarks.findings.push(format!("the schema's {what} {name} is gone")),
            // How the library writes down the table of migrations is its own affair.
            Some(there) if there != *object && object.table != "_sqlx_migrations" => {
                remarks.findings.push(format!("the schema's {what} {name} is not the one the program made"));
            }
            Some(_) => {}
        }
    }
    for (name, object) in found {
        let on_ours = expected.contains_key(&object.table);
        match object.kind.as_str() {
            // What `analyze` gathers, and what SQLite makes by itself.
            _ if name.starts_with("sqlite_") => {}
            "table" if name == notice::TABLE && object.sql.as_deref() == Some(notice::SCHEMA) => {}
            "table" | "view" if !on_ours => {
                remarks.notes.push(format!("the {} {name} is none of the program's", object.kind));
            }
            kind if kind == "trigger" || on_ours => {
                remarks.findings.push(format!("the {kind} {name} on {} was added to the schema", object.table));
            }
            _ => {}
        }
    }
    Ok(remarks)
}

fn by_name(objects: Vec<SchemaObject>) -> BTreeMap<String, SchemaObject> {
    objects.into_iter().map(|object| (object.name.clone(), object)).collect()
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

    use super::{differs, expected};
    use crate::store::StoreError;
    use crate::store::sqlite::{migrate, open};

    #[tokio::test]
    async fn the_triggers_read_from_the_schemas_text_are_those_that_it_makes() {
        let schema = migrate::expected().await.unwrap();
        let made = schema.into_iter().filter(|object| object.kind == "trigger");
        let made: Vec<(String, String)> = made.map(|object| (object.name, object.sql.unwrap())).collect();
        assert_eq!((made.len(), expected().len()), (8, 8));
        assert_eq!(differs(made), None);
    }

    #[tokio::test]
    async fn a_database_without_its_triggers_or_with_others_is_not_written() {
        let weak = "drop trigger log_grows_by_one_link;
            create trigger log_grows_by_one_link before insert on log begin select 1; end";
        for (sql, words) in [
            ("drop trigger log_is_never_updated", "its trigger log_is_never_updated is gone"),
            (weak, "its trigger log_grows_by_one_link is not the one"),
            ("create trigger more after insert on log begin delete from roll_rows; end", "a trigger more was added"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("campaigns.db");
            open(&path).await.unwrap().close().await.unwrap();
            let mut vandal = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut vandal).await.unwrap();
            vandal.close().await.unwrap();
            match open(&path).await.map(drop) {
                Err(error @ StoreError::NotOpened { .. }) => assert!(error.to_string().contains(words), "{error}"),
                other => panic!("{other:?}"),
            }
        }
    }
}
