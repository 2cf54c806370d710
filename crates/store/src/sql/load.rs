//! The state tables of a campaign as a [`State`]. Private row structs, converted at once.

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, IntoDeserializer};

use super::connection::{Connection, Row, query};

use crate::StoreError;
use rollbook_game::record::state::{
    Campaign, Character, Clock, Combat, Combatant, Condition, Deck, Item, Note, Session, State, Track,
};

impl Connection {
    /// The state tables of a campaign.
    pub async fn load(&mut self, campaign: i64) -> Result<State, StoreError> {
        state(self, campaign).await
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
    for row in rows(connection, "select * from items where campaign = $1", campaign).await? {
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
    for row in rows(connection, "select * from notes where campaign = $1", campaign).await? {
        let note = note(&row)?;
        state.notes.insert(note.id, note);
    }
    for row in rows(connection, "select * from clocks where campaign = $1", campaign).await? {
        let clock = clock(&row)?;
        state.clocks.insert(clock.name.clone(), clock);
    }
    for row in rows(connection, "select * from decks where campaign = $1", campaign).await? {
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
        retired: row.try_get("retired")?,
        ticks: maybe(row, "ticks")?.unwrap_or_default(),
        attacks: maybe(row, "attacks")?.unwrap_or_default(),
        worth: row.try_get("worth")?,
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
        level: row.try_get("level")?,
        lasts: maybe(row, "lasts")?,
        caused_by: row.try_get("caused_by")?,
        group_name: row.try_get("group_name")?,
        until: maybe(row, "until")?,
        cause: row.try_get("cause")?,
        hidden: row.try_get("hidden")?,
    })
}

/// JSON, where there is any.
fn maybe<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Option<T>, StoreError> {
    row.try_get::<Option<String>>(column)?.map(|text| read(&text, column)).transpose()
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
        advanced: row.try_get("advanced")?,
        by_kind: row.try_get("by_kind")?,
        structure: maybe_word(row, "structure")?,
        interrupted: row.try_get("interrupted")?,
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
        from_round: row.try_get("from_round")?,
        turn_at: row.try_get("turn_at")?,
        hidden: row.try_get("hidden")?,
        waits: maybe_word(row, "waits")?,
        ready: row.try_get("ready")?,
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

/// The same, where there is one.
fn maybe_word<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Option<T>, StoreError> {
    row.try_get::<Option<String>>(column)?.map(|word| read_word(&word, column)).transpose()
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
