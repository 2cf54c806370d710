//! The state tables of a campaign as a [`State`]. Private row structs, converted at once.

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, IntoDeserializer};

use super::connection::{Connection, Row, query};

use crate::game::record::state::{
    Campaign, Character, Clock, Combat, Combatant, Condition, Deck, Item, Note, Session, State, Track,
};
use crate::store::StoreError;

impl Connection {
    /// The state tables of a campaign.
    pub async fn load(&mut self, campaign: i64) -> Result<State, StoreError> {
        state(self, campaign).await
    }

    /// Whether there is such a table; a database in SQLite of an older schema is read as it lies.
    pub(super) async fn knows(&mut self, table: &str) -> Result<bool, StoreError> {
        match self {
            Connection::Sqlite(_) => {
                let own = query("select 1 as found from sqlite_schema where type = 'table' and name = $1").bind(table);
                Ok(own.fetch_optional(self).await?.is_some())
            }
            Connection::Postgres(_) => Ok(true),
        }
    }
}

async fn state(connection: &mut Connection, campaign: i64) -> Result<State, StoreError> {
    let mut state = State::default();
    for row in rows(connection, "select * from campaigns where id = $1", campaign).await? {
        state.campaign = Some(campaign_row(&row)?);
    }
    for row in rows(connection, "select * from sessions where campaign = $1", campaign).await? {
        let session = session(&row)?;
        state.sessions.insert(session.number, session);
    }
    for row in rows(connection, "select * from characters where campaign = $1", campaign).await? {
        let character = character(&row)?;
        state.characters.insert(character.id, character);
    }
    for row in rows(connection, "select * from tracks where campaign = $1", campaign).await? {
        let track = track(&row)?;
        state.tracks.insert((track.character, track.name.clone()), track);
    }
    for row in rows(connection, "select * from conditions where campaign = $1", campaign).await? {
        let condition = condition(&row)?;
        state.conditions.insert((condition.character, condition.name.clone()), condition);
    }
    for row in later_rows(connection, "items", "select * from items where campaign = $1", campaign).await? {
        let item = item(&row)?;
        state.items.insert((item.character, item.name.clone()), item);
    }
    for row in rows(connection, "select * from combats where campaign = $1", campaign).await? {
        let combat = combat(&row)?;
        state.combats.insert(combat.id, combat);
    }
    for row in rows(connection, "select * from combatants where campaign = $1", campaign).await? {
        let combatant = combatant(&row)?;
        state.combatants.insert(combatant.id, combatant);
    }
    for row in later_rows(connection, "notes", "select * from notes where campaign = $1", campaign).await? {
        let note = note(&row)?;
        state.notes.insert(note.id, note);
    }
    for row in later_rows(connection, "clocks", "select * from clocks where campaign = $1", campaign).await? {
        let clock = clock(&row)?;
        state.clocks.insert(clock.name.clone(), clock);
    }
    for row in later_rows(connection, "decks", "select * from decks where campaign = $1", campaign).await? {
        let deck = Deck { name: row.try_get("name")?, drawn: json(&row, "drawn")? };
        state.decks.insert(deck.name.clone(), deck);
    }
    Ok(state)
}

async fn rows(connection: &mut Connection, sql: &'static str, campaign: i64) -> Result<Vec<Row>, StoreError> {
    query(sql).bind(campaign).fetch_all(connection).await.map_err(StoreError::from)
}

fn campaign_row(row: &Row) -> Result<Campaign, StoreError> {
    Ok(Campaign {
        uuid: row.try_get("uuid")?,
        name: row.try_get("name")?,
        adventure: row.try_get("adventure")?,
        rules_hash: row.try_get("rules_hash")?,
        created_at: row.try_get("created_at")?,
        continued_by: row.try_get("continued_by")?,
    })
}

fn session(row: &Row) -> Result<Session, StoreError> {
    Ok(Session {
        number: row.try_get("number")?,
        title: row.try_get("title")?,
        started_at: row.try_get("started_at")?,
        ended_at: row.try_get("ended_at")?,
    })
}

fn character(row: &Row) -> Result<Character, StoreError> {
    let attributes: BTreeMap<String, i64> = json(row, "attributes")?;
    let skills: BTreeMap<String, i64> = json(row, "skills")?;
    Ok(Character {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        kind: word(row, "kind")?,
        level: row.try_get("level")?,
        xp: row.try_get("xp")?,
        attributes,
        skills,
        notes: row.try_get("notes")?,
        gm_notes: row.try_get("gm_notes")?,
        retired: later(row.try_get("retired"))?.unwrap_or(false),
        ticks: maybe(row, "ticks")?.unwrap_or_default(),
        milestones: maybe(row, "milestones")?.unwrap_or_default(),
        attacks: maybe(row, "attacks")?.unwrap_or_default(),
        worth: later(row.try_get("worth"))?,
    })
}

fn track(row: &Row) -> Result<Track, StoreError> {
    Ok(Track {
        character: row.try_get("character")?,
        name: row.try_get("name")?,
        value: row.try_get("value")?,
        min: row.try_get("min")?,
        max: row.try_get("max")?,
        fixed: row.try_get("fixed")?,
    })
}

fn condition(row: &Row) -> Result<Condition, StoreError> {
    Ok(Condition {
        character: row.try_get("character")?,
        name: row.try_get("name")?,
        since: row.try_get("since")?,
        source: row.try_get("source")?,
        level: later(row.try_get("level"))?,
        lasts: maybe(row, "lasts")?,
        caused_by: later(row.try_get("caused_by"))?,
        group_name: later(row.try_get("group_name"))?,
        until: maybe(row, "until")?,
        cause: later(row.try_get("cause"))?,
        hidden: later(row.try_get("hidden"))?.unwrap_or(false),
    })
}

/// A column of a later schema: a database of an earlier one is read as it lies and does not have it.
fn later<T>(column: Result<Option<T>, sqlx::Error>) -> Result<Option<T>, StoreError> {
    match column {
        Err(sqlx::Error::ColumnNotFound(_)) => Ok(None),
        other => Ok(other?),
    }
}

/// JSON in a column of a later schema.
fn maybe<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Option<T>, StoreError> {
    later(row.try_get::<Option<String>>(column))?.map(|text| read(&text, column)).transpose()
}

/// The rows of a table that a later schema brought.
async fn later_rows(
    connection: &mut Connection,
    table: &str,
    sql: &'static str,
    campaign: i64,
) -> Result<Vec<Row>, StoreError> {
    let is_there = connection.knows(table).await?;
    if is_there { rows(connection, sql, campaign).await } else { Ok(Vec::new()) }
}

fn item(row: &Row) -> Result<Item, StoreError> {
    Ok(Item {
        character: row.try_get("character")?,
        name: row.try_get("name")?,
        quantity: row.try_get("quantity")?,
        equipped: row.try_get("equipped")?,
        uses: row.try_get("uses")?,
        notes: row.try_get("notes")?,
        hidden: row.try_get("hidden")?,
        properties: json(row, "properties")?,
    })
}

fn combat(row: &Row) -> Result<Combat, StoreError> {
    Ok(Combat {
        id: row.try_get("id")?,
        title: row.try_get("title")?,
        status: word(row, "status")?,
        round: row.try_get("round")?,
        current: row.try_get("current")?,
        outcome: row.try_get("outcome")?,
        moved_at: row.try_get("moved_at")?,
        advanced: later(row.try_get("advanced"))?,
        by_kind: later(row.try_get("by_kind"))?.unwrap_or(false),
        structure: later_word(row, "structure")?,
        interrupted: later(row.try_get("interrupted"))?,
    })
}

fn combatant(row: &Row) -> Result<Combatant, StoreError> {
    Ok(Combatant {
        id: row.try_get("id")?,
        combat: row.try_get("combat")?,
        character: row.try_get("character")?,
        side: row.try_get("side")?,
        initiative: row.try_get("initiative")?,
        ties: json(row, "ties")?,
        acted_round: row.try_get("acted_round")?,
        defeated: row.try_get("defeated")?,
        from_round: later(row.try_get("from_round"))?.unwrap_or(0),
        turn_at: later(row.try_get("turn_at"))?,
        hidden: later(row.try_get("hidden"))?.unwrap_or(false),
        waits: later_word(row, "waits")?,
        ready: later(row.try_get("ready"))?,
    })
}

fn note(row: &Row) -> Result<Note, StoreError> {
    Ok(Note {
        id: row.try_get("id")?,
        session: row.try_get("session")?,
        kind: word(row, "kind")?,
        text: row.try_get("text")?,
        hidden: row.try_get("hidden")?,
        closed_by: row.try_get("closed_by")?,
    })
}

fn clock(row: &Row) -> Result<Clock, StoreError> {
    Ok(Clock {
        name: row.try_get("name")?,
        value: row.try_get("value")?,
        min: row.try_get("min")?,
        max: row.try_get("max")?,
        down: row.try_get("down")?,
        hidden: row.try_get("hidden")?,
        closed: row.try_get("closed")?,
    })
}

/// One of an enum's words, as the log has them.
fn word<T: DeserializeOwned>(row: &Row, column: &str) -> Result<T, StoreError> {
    read_word(&row.try_get::<String>(column)?, column)
}

/// The same in a column of a later schema.
fn later_word<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Option<T>, StoreError> {
    later(row.try_get::<Option<String>>(column))?.map(|word| read_word(&word, column)).transpose()
}

/// Another word than the program writes was written by somebody else: a guess would be another game.
fn read_word<T: DeserializeOwned>(word: &str, column: &str) -> Result<T, StoreError> {
    let read: Result<T, serde::de::value::Error> = T::deserialize(word.into_deserializer());
    read.map_err(|error| StoreError::Record(format!("a row of the tables has, in column {column}, {error}")))
}

fn json<T: DeserializeOwned>(row: &Row, column: &str) -> Result<T, StoreError> {
    read(&row.try_get::<String>(column)?, column)
}

fn read<T: DeserializeOwned>(text: &str, column: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Io(format!("column {column} holds no JSON: {error}")))
}
