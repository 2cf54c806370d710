//! The schema of the file against the one the migrations make in an empty database.
//!
//! A dropped trigger lets entries be changed, a replaced view tells an auditor something else than the log, and neither
//! leaves a mark in any row.

use std::collections::BTreeMap;

use sqlx::sqlite::SqliteConnection;

use super::Verified;
use crate::store::StoreError;
use crate::store::sqlite::{inspect, migrate};

/// Puts every difference into the findings, and what somebody added for their own use into the notes.
pub async fn compare(connection: &mut SqliteConnection, verified: &mut Verified) -> Result<(), StoreError> {
    let version = migrate::version(connection).await?;
    if version > migrate::CURRENT {
        return Err(StoreError::Newer { found: version, known: migrate::CURRENT });
    }
    verified.findings.extend(migrate::contradiction(connection, version).await?);
    let expected = by_name(migrate::expected(version).await?);
    let mut found = by_name(inspect::schema(connection).await?);
    for (name, object) in &expected {
        let what = &object.kind;
        match found.remove(name) {
            None => verified.findings.push(format!("the schema's {what} {name} is gone")),
            // How the library writes down the table of migrations is its own affair.
            Some(there) if there != *object && object.table != "_sqlx_migrations" => {
                verified.findings.push(format!("the schema's {what} {name} is not the one the program made"));
            }
            Some(_) => {}
        }
    }
    for (name, object) in found {
        let on_ours = expected.contains_key(&object.table);
        match object.kind.as_str() {
            // What `analyze` gathers, and what SQLite makes by itself.
            _ if name.starts_with("sqlite_") => {}
            "table" | "view" if !on_ours => {
                verified.notes.push(format!("the {} {name} is none of the program's", object.kind));
            }
            kind if kind == "trigger" || on_ours => {
                verified.findings.push(format!("the {kind} {name} on {} was added to the schema", object.table));
            }
            _ => {}
        }
    }
    Ok(())
}

fn by_name(objects: Vec<inspect::SchemaObject>) -> BTreeMap<String, inspect::SchemaObject> {
    objects.into_iter().map(|object| (object.name.clone(), object)).collect()
}
