//! The schema on a server against an empty database's: triggers with functions, tables, indexes.
//!
//! A log whose triggers are gone or off can be changed by accident, and no row shows that.

use std::collections::BTreeMap;

use super::migrate;
use crate::sql::connection::{Connection, query};
use crate::{Remarks, StoreError};

/// What a part of the schema is: its kind and its name, and what can be compared of it.
type Parts = BTreeMap<(String, String), String>;

/// Differences are findings, and what was added beside ours a note; a trigger there is a finding.
pub async fn compare(connection: &mut Connection) -> Result<Remarks, StoreError> {
    let (mut remarks, expected, mut found) =
        (Remarks::default(), expected()?, found(connection).await?);
    for (part, text) in &expected {
        let (kind, name) = part;
        match found.remove(part) {
            None => remarks
                .findings
                .push(format!("the schema's {kind} {name} is gone")),
            Some(there) if there != *text => {
                remarks.findings.push(format!(
                    "the schema's {kind} {name} is not the one the program made"
                ));
            }
            Some(_) => {}
        }
    }
    for ((kind, name), _) in found {
        match kind.as_str() {
            "trigger" => remarks
                .findings
                .push(format!("the trigger {name} was added to the schema")),
            "table" | "view" => remarks
                .notes
                .push(format!("the {kind} {name} is none of the program's")),
            _ => {}
        }
    }
    Ok(remarks)
}

/// What the server itself finds amiss: indexes not to be used, and constraints never checked.
pub async fn storage(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    let rows = query(include_str!("storage.sql"));
    let rows = rows.fetch_all(connection).await?;
    rows.iter()
        .map(|row| {
            Ok(format!(
                "the server's own catalog: {}",
                row.try_get::<String>("problem")?
            ))
        })
        .collect()
}

fn expected() -> Result<Parts, StoreError> {
    let mut parts = Parts::new();
    for (kind, name, statement) in migrate::steps()?.created() {
        let text = match kind {
            "table" | "view" | "index" => String::new(),
            "function" => statement.split("$$").nth(1).unwrap_or_default().to_owned(),
            "trigger" => trigger(statement),
            _ => continue,
        };
        parts.insert((kind.to_owned(), name.to_owned()), text);
    }
    Ok(parts)
}

/// A trigger's table and function, when it is called, and that it is on, as [`found`] says them.
fn trigger(statement: &str) -> String {
    let after = |word: &str| {
        let rest = statement.split_once(word).map_or("", |(_, rest)| rest);
        rest.split([' ', '\n', '(', ';'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let (what, level) = (after("before "), after("for each "));
    format!(
        "{} {} before {what} {level} O",
        after(" on "),
        after("execute function ")
    )
}

async fn found(connection: &mut Connection) -> Result<Parts, StoreError> {
    let rows = query(include_str!("found.sql"));
    let mut parts = Parts::new();
    for row in rows.fetch_all(connection).await? {
        parts.insert(
            (row.try_get("kind")?, row.try_get("name")?),
            row.try_get("text")?,
        );
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn what_the_schema_has_is_read_from_its_text() {
        let parts = expected().unwrap();
        let many = |kind: &str| parts.keys().filter(|(found, _)| *found == kind).count();
        assert_eq!(
            ["table", "view", "index", "function", "trigger"].map(many),
            [19, 12, 8, 7, 14]
        );
        let trigger = |name: &str| parts[&("trigger".to_owned(), name.to_owned())].as_str();
        assert_eq!(
            trigger("log_grows_by_one_link"),
            "log log_grows_by_one_link before insert row O"
        );
        assert_eq!(
            trigger("book_is_never_emptied"),
            "book a_book_keeps_its_name before truncate statement O"
        );
    }
}
