//! The state tables: the images of entries folded into them, and their rows read as a [`State`].

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use serde_json::value::RawValue;
use sqlx::AssertSqlSafe;

use super::connection::{Connection, Query, Row, Script, Value, query};
use crate::StoreError;
use rollbook_game::record::change::{Change, Images};
use rollbook_game::record::state::{
    Character, Clock, Combat, Combatant, Condition, Deck, Item, Note, Session, State, Track,
};

/// A table of rows that serde writes and reads by the names of the columns.
struct Table {
    name: &'static str,
    /// The column with the key of the campaign.
    campaign: &'static str,
    /// What is with the campaign the key of a row.
    key: &'static [&'static str],
    /// By what they hold.
    columns: &'static [(Kind, &'static [&'static str])],
}

/// What a column holds.
#[derive(Clone, Copy)]
enum Kind {
    /// A number; 0 where serde leaves it out.
    Int,
    /// A number or null.
    MaybeInt,
    Flag,
    /// A text, the word of an enum, or null.
    Text,
    /// JSON or null.
    Json,
    /// A JSON object; empty where serde leaves it out.
    Object,
}

use Kind::{Flag, Int, Json, MaybeInt, Object, Text};

const fn table(name: &'static str, key: &'static [&'static str]) -> Table {
    Table {
        name,
        campaign: "campaign",
        key,
        columns: &[],
    }
}

impl Table {
    const fn with_columns(self, columns: &'static [(Kind, &'static [&'static str])]) -> Table {
        Table { columns, ..self }
    }
}

const CAMPAIGNS: Table = Table {
    campaign: "id",
    ..table("campaigns", &[])
}
.with_columns(&[
    (
        Text,
        &["uuid", "name", "adventure", "rules_hash", "continued_by"],
    ),
    (Int, &["created_at"]),
]);
const SESSIONS: Table = table("sessions", &["number"]).with_columns(&[
    (Int, &["number", "started_at"]),
    (MaybeInt, &["ended_at"]),
    (Text, &["title"]),
]);
const CHARACTERS: Table = table("characters", &["id"]).with_columns(&[
    (Int, &["id", "level", "xp"]),
    (MaybeInt, &["worth"]),
    (Flag, &["retired"]),
    (Text, &["name", "kind", "notes", "gm_notes"]),
    (Json, &["attributes", "skills", "ticks", "attacks"]),
]);
const TRACKS: Table = table("tracks", &["character", "name"]).with_columns(&[
    (Int, &["character", "value", "min"]),
    (MaybeInt, &["max"]),
    (Flag, &["fixed"]),
    (Text, &["name"]),
    (Json, &["renewal"]),
]);
const CONDITIONS: Table = table("conditions", &["character", "name"]).with_columns(&[
    (Int, &["character", "since"]),
    (MaybeInt, &["level", "caused_by"]),
    (Flag, &["hidden"]),
    (Text, &["name", "source", "group_name", "cause"]),
    (Json, &["lasts", "until"]),
]);
const ITEMS: Table = table("items", &["character", "name"]).with_columns(&[
    (Int, &["character", "quantity"]),
    (MaybeInt, &["uses"]),
    (Flag, &["equipped", "hidden"]),
    (Text, &["name", "notes"]),
    (Object, &["properties"]),
]);
const COMBATS: Table = table("combats", &["id"]).with_columns(&[
    (Int, &["id", "round", "moved_at"]),
    (MaybeInt, &["current", "advanced", "interrupted"]),
    (Flag, &["by_kind"]),
    (Text, &["title", "status", "outcome", "structure"]),
]);
const COMBATANTS: Table = table("combatants", &["id"]).with_columns(&[
    (
        Int,
        &[
            "id",
            "combat",
            "character",
            "acted_round",
            "again",
            "from_round",
        ],
    ),
    (MaybeInt, &["initiative", "turn_at"]),
    (Flag, &["defeated", "hidden"]),
    (Text, &["side", "waits", "ready"]),
    (Json, &["ties", "extra"]),
]);
const NOTES: Table = table("notes", &["id"]).with_columns(&[
    (Int, &["id", "session"]),
    (MaybeInt, &["closed_by", "reader"]),
    (Flag, &["hidden"]),
    (Text, &["kind", "text"]),
]);
const CLOCKS: Table = table("clocks", &["name"]).with_columns(&[
    (Int, &["value", "min"]),
    (MaybeInt, &["max"]),
    (Flag, &["down", "hidden", "closed"]),
    (Text, &["name"]),
]);
const DECKS: Table =
    table("decks", &["name"]).with_columns(&[(Text, &["name"]), (Json, &["drawn"])]);

/// Adds the statements that fold an entry's changes, in order.
pub fn fold(script: &mut Script, campaign: i64, changes: &[Change]) -> Result<(), StoreError> {
    for change in changes {
        let statement = match change {
            Change::Campaign(images) => CAMPAIGNS.folded(campaign, images),
            Change::Session(images) => SESSIONS.folded(campaign, images),
            Change::Character(images) => CHARACTERS.folded(campaign, images),
            Change::Track(images) => TRACKS.folded(campaign, images),
            Change::Condition(images) => CONDITIONS.folded(campaign, images),
            Change::Item(images) => ITEMS.folded(campaign, images),
            Change::Combat(images) => COMBATS.folded(campaign, images),
            Change::Combatant(images) => COMBATANTS.folded(campaign, images),
            Change::Note(images) => NOTES.folded(campaign, images),
            Change::Clock(images) => CLOCKS.folded(campaign, images),
            Change::Deck(images) => DECKS.folded(campaign, images),
        };
        statement?
            .into_iter()
            .for_each(|statement| script.push(statement));
    }
    Ok(())
}

impl Connection {
    /// The state tables of a campaign.
    pub async fn load(&mut self, campaign: i64) -> Result<State, StoreError> {
        let named = |character: i64, name: &str| (character, name.to_owned());
        Ok(State {
            campaign: CAMPAIGNS.load(self, campaign, |_| ()).await?.remove(&()),
            sessions: SESSIONS
                .load(self, campaign, |row: &Session| row.number)
                .await?,
            characters: CHARACTERS
                .load(self, campaign, |row: &Character| row.id)
                .await?,
            tracks: TRACKS
                .load(self, campaign, |row: &Track| {
                    named(row.character, &row.name)
                })
                .await?,
            conditions: CONDITIONS
                .load(self, campaign, |row: &Condition| {
                    named(row.character, &row.name)
                })
                .await?,
            items: ITEMS
                .load(self, campaign, |row: &Item| named(row.character, &row.name))
                .await?,
            combats: COMBATS.load(self, campaign, |row: &Combat| row.id).await?,
            combatants: COMBATANTS
                .load(self, campaign, |row: &Combatant| row.id)
                .await?,
            notes: NOTES.load(self, campaign, |row: &Note| row.id).await?,
            clocks: CLOCKS
                .load(self, campaign, |row: &Clock| row.name.clone())
                .await?,
            decks: DECKS
                .load(self, campaign, |row: &Deck| row.name.clone())
                .await?,
        })
    }
}

impl Table {
    fn columns(&self) -> impl Iterator<Item = (&'static str, Kind)> {
        self.columns
            .iter()
            .flat_map(|(kind, names)| names.iter().map(|name| (*name, *kind)))
    }

    /// The statement that puts the after-image in place; without one the row is removed.
    fn folded<T: Serialize>(
        &self,
        campaign: i64,
        images: &Images<T>,
    ) -> Result<Option<Query>, sqlx::Error> {
        let Table {
            name,
            campaign: owner,
            key,
            ..
        } = self;
        let mut bound: Vec<(&str, Kind)> = self.columns().collect();
        let (sql, row) = match (&images.after, &images.before) {
            (Some(row), _) => {
                let listed = bound.iter().map(|(column, _)| format!(", {column}"));
                let values = (2..).zip(&bound).map(|(nth, _)| format!(", ${nth}"));
                let conflict = key.iter().map(|column| format!(", {column}"));
                let rest = bound.iter().filter(|(column, _)| !key.contains(column));
                let set: Vec<String> = rest
                    .map(|(column, _)| format!("{column} = excluded.{column}"))
                    .collect();
                let sql = format!(
                    "insert into {name} ({owner}{}) values ($1{}) on conflict ({owner}{}) do update set {}",
                    listed.collect::<String>(),
                    values.collect::<String>(),
                    conflict.collect::<String>(),
                    set.join(", ")
                );
                (sql, row)
            }
            // A campaign is never removed so.
            (None, Some(row)) if !key.is_empty() => {
                bound.retain(|(column, _)| key.contains(column));
                let is_row = (2..)
                    .zip(&bound)
                    .map(|(nth, (column, _))| format!(" and {column} = ${nth}"));
                (
                    format!(
                        "delete from {name} where {owner} = $1{}",
                        is_row.collect::<String>()
                    ),
                    row,
                )
            }
            (None, _) => return Ok(None),
        };
        let row = serde_json::to_string(row).map_err(encoded)?;
        let fields: BTreeMap<&str, &RawValue> = serde_json::from_str(&row).map_err(encoded)?;
        // Put together of names of this program.
        let mut statement = query(AssertSqlSafe(sql)).bind(campaign);
        for (column, kind) in bound {
            statement = statement.bind(
                kind.value(fields.get(column).map(|field| field.get()))
                    .map_err(encoded)?,
            );
        }
        Ok(Some(statement))
    }

    async fn load<K: Ord, T: DeserializeOwned>(
        &self,
        connection: &mut Connection,
        campaign: i64,
        key: impl Fn(&T) -> K,
    ) -> Result<BTreeMap<K, T>, StoreError> {
        let sql = format!("select * from {} where {} = $1", self.name, self.campaign);
        let rows = query(AssertSqlSafe(sql))
            .bind(campaign)
            .fetch_all(connection)
            .await?;
        let keyed = |row: &Row| self.read(row).map(|row| (key(&row), row));
        rows.iter().map(keyed).collect()
    }

    /// What this program does not write was written by another: a guess would be another game.
    fn read<T: DeserializeOwned>(&self, row: &Row) -> Result<T, StoreError> {
        let mut fields = Vec::new();
        for (column, kind) in self.columns() {
            fields.extend(kind.read(row, column)?.map(|value| (column, value)));
        }
        let at = Cell::new("");
        let fields = fields.into_iter().inspect(|(column, _)| at.set(column));
        T::deserialize(MapDeserializer::<_, serde_json::Error>::new(fields)).map_err(|error| {
            StoreError::Record(format!(
                "a row of the tables has, in column {}, {error}",
                at.get()
            ))
        })
    }
}

impl Kind {
    /// What is bound for a field as serde wrote it.
    fn value(self, field: Option<&str>) -> Result<Value, serde_json::Error> {
        let written = field.unwrap_or("null");
        Ok(match self {
            Int => Value::Int(serde_json::from_str::<Option<i64>>(written)?.or(Some(0))),
            MaybeInt => Value::Int(serde_json::from_str(written)?),
            Flag => Value::Flag(serde_json::from_str::<Option<bool>>(written)?.or(Some(false))),
            Text => Value::Text(serde_json::from_str(written)?),
            Json => Value::Text(field.filter(|field| *field != "null").map(str::to_owned)),
            Object => Value::Text(Some(field.unwrap_or("{}").to_owned())),
        })
    }

    /// The field for serde; `None` for null.
    fn read(self, row: &Row, column: &str) -> Result<Option<serde_json::Value>, StoreError> {
        let text = || row.try_get::<Option<String>>(column);
        Ok(match self {
            Int | MaybeInt => row.try_get::<Option<i64>>(column)?.map(Into::into),
            Flag => Some(row.try_get::<bool>(column)?.into()),
            Text => text()?.map(Into::into),
            Json | Object => text()?
                .map(|text| serde_json::from_str(&text))
                .transpose()
                .map_err(|error| {
                    StoreError::Io(format!("column {column} holds no JSON: {error}"))
                })?,
        })
    }
}

fn encoded(error: serde_json::Error) -> sqlx::Error {
    sqlx::Error::Encode(Box::new(error))
}
