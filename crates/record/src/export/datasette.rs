//! What Datasette reads beside a `db` export: what tables and columns mean, and first queries.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::Exported;
use rollbook_game::view::Audience;
use rollbook_store::StoreError;
use rollbook_store::migrations::Migrations;
use rollbook_store::sqlite::notice::{self, NOTICE};

/// What the queries ask for.
const PARAMETERS: [&str; 2] = ["campaign", "session"];
/// How the name of such a file ends.
const ENDING: &str = "metadata.json";

/// Whether a file has the name of such a one.
pub fn is_metadata(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().ends_with(&format!(".{ENDING}")))
}

/// Writes `night.metadata.json` beside `night.db`, unless it is there, and answers where it is.
/// `queries` is the page of the documentation that has them.
pub fn write(
    exported: &Exported,
    audience: Audience,
    queries: &str,
) -> Result<PathBuf, StoreError> {
    let path = exported.out.with_extension(ENDING);
    let name = exported
        .out
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let text = format!(
        "{:#}\n",
        metadata(
            &name,
            &exported.campaign,
            audience,
            Migrations::handed_down()?.dictionary,
            queries
        )
    );
    let written = std::fs::File::options()
        .write(true)
        .create_new(true)
        .open(&path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    match written {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(StoreError::Io(format!(
            "cannot write {}: {error}",
            path.display()
        ))),
        _ => Ok(path),
    }
}

fn metadata(
    name: &str,
    campaign: &str,
    audience: Audience,
    dictionary: &str,
    queries: &str,
) -> Value {
    let whose = match audience {
        Audience::Gm => "as the GM sees it, secrets included",
        Audience::Player => "as players saw it",
    };
    let first = match audience {
        Audience::Gm => format!("{NOTICE}. "),
        Audience::Player => String::new(),
    };
    let which = match audience {
        Audience::Gm => "by its id in the table campaigns",
        Audience::Player => "which is 1",
    };
    // What a view is, and what its columns are.
    let mut views: BTreeMap<String, (String, Map<String, Value>)> = BTreeMap::new();
    for [view, column, meaning] in rows(dictionary) {
        let (description, columns) = views.entry(view).or_default();
        match column.as_str() {
            "" => *description = meaning,
            _ => drop(columns.insert(column, meaning.into())),
        }
    }
    let tables = views.into_iter().map(|(view, (description, columns))| {
        (
            view,
            json!({"description": description, "columns": columns}),
        )
    });
    let mut tables: Map<String, Value> = tables.collect();
    tables.insert(
        "seen".to_owned(),
        json!({"description": "The entries that players saw, with the number that each has for them."}),
    );
    if audience == Audience::Gm {
        tables.insert(notice::TABLE.to_owned(), json!({"description": NOTICE}));
    }
    let queries: Map<String, Value> = titled(queries)
        .map(|(title, sql)| {
            let params: Vec<&str> = PARAMETERS
                .into_iter()
                .filter(|parameter| sql.contains(&format!(":{parameter}")))
                .collect();
            let name = title.to_lowercase().replace(' ', "_").replace(',', "");
            (name, json!({"title": title, "sql": sql, "params": params}))
        })
        .collect();
    json!({
        "title": campaign,
        "description": format!("{first}The log of {campaign}, {whose}. Queries ask for the campaign, {which}, and the session, from 1."),
        "databases": {name: {"tables": tables, "queries": queries}},
    })
}

/// The rows of the view `dictionary`: table, column, meaning.
fn rows(dictionary: &str) -> impl Iterator<Item = [String; 3]> {
    let row = |line: &str| {
        let row = line
            .trim()
            .strip_prefix("('")?
            .trim_end_matches([',', ';'])
            .strip_suffix("')")?;
        let cells: Vec<String> = row
            .split("', '")
            .map(|cell| cell.replace("''", "'"))
            .collect();
        cells.try_into().ok()
    };
    dictionary.lines().filter_map(row)
}

/// The queries of a page in Markdown, each with its heading.
pub fn titled(queries: &str) -> impl Iterator<Item = (&str, &str)> {
    queries.split("\n## ").skip(1).filter_map(|part| {
        let (title, rest) = part.split_once('\n')?;
        let (_, sql) = rest.split_once("```sql\n")?;
        Some((title, sql.split_once("\n```")?.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DICTIONARY: &str = include_str!("../../../../migrations/dictionary.sql");
    const QUERIES: &str = include_str!("../../../../docs/queries.md");

    #[test]
    fn every_line_of_the_dictionary_is_read_and_every_query_is_there() {
        let (rows, lines) = (
            rows(DICTIONARY).count(),
            DICTIONARY
                .lines()
                .filter(|line| line.starts_with("    ("))
                .count(),
        );
        assert_eq!(rows, lines);
        let metadata = metadata("night", "The lock", Audience::Player, DICTIONARY, QUERIES);
        let night = &metadata["databases"]["night"];
        assert_eq!(night["tables"]["rolls"]["description"], "One row a roll.");
        assert_eq!(
            night["tables"]["rolls"]["columns"]["campaign"],
            "The campaign, as campaigns.id has it; 1 in a players' copy."
        );
        let gm = super::metadata("night", "The lock", Audience::Gm, DICTIONARY, QUERIES);
        assert!(
            gm["description"].as_str().unwrap().starts_with(NOTICE)
                && !metadata.to_string().contains(NOTICE)
        );
        assert_eq!(
            night["queries"].as_object().unwrap().len(),
            QUERIES.matches("```sql").count()
        );
    }
}
