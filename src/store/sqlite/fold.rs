//! Folding images into the state tables: the after-image is the row, and without one the row is gone.

use serde::Serialize;
use sqlx::sqlite::SqliteConnection;

use crate::game::entry::{Change, Images};
use crate::game::state::{Campaign, Character, Combat, Combatant, Condition, Session, Track};
use crate::store::StoreError;

/// Folds an entry's changes, in order.
pub async fn changes(connection: &mut SqliteConnection, key: i64, changes: &[Change]) -> Result<(), StoreError> {
    for change in changes {
        let done = match change {
            Change::Campaign(images) => campaign(connection, key, images).await,
            Change::Session(images) => session(connection, key, images).await,
            Change::Character(images) => character(connection, key, images).await,
            Change::Track(images) => track(connection, key, images).await,
            Change::Condition(images) => condition(connection, key, images).await,
            Change::Combat(images) => combat(connection, key, images).await,
            Change::Combatant(images) => combatant(connection, key, images).await,
        };
        done.map_err(super::from_sqlx)?;
    }
    Ok(())
}

async fn campaign(connection: &mut SqliteConnection, key: i64, images: &Images<Campaign>) -> Result<(), sqlx::Error> {
    let Some(row) = &images.after else { return Ok(()) };
    sqlx::query(
        "insert into campaigns (id, uuid, name, adventure, rules_hash, created_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set name = excluded.name, adventure = excluded.adventure, rules_hash = excluded.rules_hash",
    )
    .bind(key)
    .bind(&row.uuid)
    .bind(&row.name)
    .bind(&row.adventure)
    .bind(&row.rules_hash)
    .bind(row.created_at)
    .execute(connection)
    .await
    .map(drop)
}

async fn session(connection: &mut SqliteConnection, key: i64, images: &Images<Session>) -> Result<(), sqlx::Error> {
    match (&images.after, &images.before) {
        (Some(row), _) => sqlx::query(
            "insert into sessions (campaign, number, title, started_at, ended_at) values ($1, $2, $3, $4, $5)
             on conflict (campaign, number) do update set title = excluded.title, started_at = excluded.started_at,
             ended_at = excluded.ended_at",
        )
        .bind(key)
        .bind(row.number)
        .bind(&row.title)
        .bind(row.started_at)
        .bind(row.ended_at)
        .execute(connection)
        .await
        .map(drop),
        (None, Some(row)) => sqlx::query("delete from sessions where campaign = $1 and number = $2")
            .bind(key)
            .bind(row.number)
            .execute(connection)
            .await
            .map(drop),
        (None, None) => Ok(()),
    }
}

async fn character(connection: &mut SqliteConnection, key: i64, images: &Images<Character>) -> Result<(), sqlx::Error> {
    match (&images.after, &images.before) {
        (Some(row), _) => sqlx::query(
            "insert into characters (campaign, id, name, kind, level, xp, attributes, skills, notes, gm_notes)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             on conflict (campaign, id) do update set name = excluded.name, kind = excluded.kind, level = excluded.level,
             xp = excluded.xp, attributes = excluded.attributes, skills = excluded.skills, notes = excluded.notes,
             gm_notes = excluded.gm_notes",
        )
        .bind(key)
        .bind(row.id)
        .bind(&row.name)
        .bind(row.kind.as_str())
        .bind(row.level)
        .bind(row.xp)
        .bind(json(&row.attributes)?)
        .bind(json(&row.skills)?)
        .bind(&row.notes)
        .bind(&row.gm_notes)
        .execute(connection)
        .await
        .map(drop),
        (None, Some(row)) => {
            sqlx::query("delete from characters where campaign = $1 and id = $2").bind(key).bind(row.id).execute(connection).await.map(drop)
        }
        (None, None) => Ok(()),
    }
}

async fn track(connection: &mut SqliteConnection, key: i64, images: &Images<Track>) -> Result<(), sqlx::Error> {
    match (&images.after, &images.before) {
        (Some(row), _) => sqlx::query(
            "insert into tracks (campaign, character, name, value, min, max, fixed) values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (campaign, character, name) do update set value = excluded.value, min = excluded.min, max = excluded.max,
             fixed = excluded.fixed",
        )
        .bind(key)
        .bind(row.character)
        .bind(&row.name)
        .bind(row.value)
        .bind(row.min)
        .bind(row.max)
        .bind(row.fixed)
        .execute(connection)
        .await
        .map(drop),
        (None, Some(row)) => sqlx::query("delete from tracks where campaign = $1 and character = $2 and name = $3")
            .bind(key)
            .bind(row.character)
            .bind(&row.name)
            .execute(connection)
            .await
            .map(drop),
        (None, None) => Ok(()),
    }
}

async fn condition(connection: &mut SqliteConnection, key: i64, images: &Images<Condition>) -> Result<(), sqlx::Error> {
    match (&images.after, &images.before) {
        (Some(row), _) => sqlx::query(
            "insert into conditions (campaign, character, name, since, source) values ($1, $2, $3, $4, $5)
             on conflict (campaign, character, name) do update set since = excluded.since, source = excluded.source",
        )
        .bind(key)
        .bind(row.character)
        .bind(&row.name)
        .bind(row.since)
        .bind(&row.source)
        .execute(connection)
        .await
        .map(drop),
        (None, Some(row)) => sqlx::query("delete from conditions where campaign = $1 and character = $2 and name = $3")
            .bind(key)
            .bind(row.character)
            .bind(&row.name)
            .execute(connection)
            .await
            .map(drop),
        (None, None) => Ok(()),
    }
}

async fn combat(connection: &mut SqliteConnection, key: i64, images: &Images<Combat>) -> Result<(), sqlx::Error> {
    match (&images.after, &images.before) {
        (Some(row), _) => sqlx::query(
            "insert into combats (campaign, id, title, status, round, current, outcome, moved_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)
             on conflict (campaign, id) do update set title = excluded.title, status = excluded.status, round = excluded.round,
             current = excluded.current, outcome = excluded.outcome, moved_at = excluded.moved_at",
        )
        .bind(key)
        .bind(row.id)
        .bind(&row.title)
        .bind(row.status.as_str())
        .bind(row.round)
        .bind(row.current)
        .bind(&row.outcome)
        .bind(row.moved_at)
        .execute(connection)
        .await
        .map(drop),
        (None, Some(row)) => {
            sqlx::query("delete from combats where campaign = $1 and id = $2").bind(key).bind(row.id).execute(connection).await.map(drop)
        }
        (None, None) => Ok(()),
    }
}

async fn combatant(connection: &mut SqliteConnection, key: i64, images: &Images<Combatant>) -> Result<(), sqlx::Error> {
    match (&images.after, &images.before) {
        (Some(row), _) => sqlx::query(
            "insert into combatants (campaign, id, combat, character, side, initiative, ties, acted_round, defeated)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             on conflict (campaign, id) do update set combat = excluded.combat, character = excluded.character, side = excluded.side,
             initiative = excluded.initiative, ties = excluded.ties, acted_round = excluded.acted_round, defeated = excluded.defeated",
        )
        .bind(key)
        .bind(row.id)
        .bind(row.combat)
        .bind(row.character)
        .bind(&row.side)
        .bind(row.initiative)
        .bind(json(&row.ties)?)
        .bind(row.acted_round)
        .bind(row.defeated)
        .execute(connection)
        .await
        .map(drop),
        (None, Some(row)) => {
            sqlx::query("delete from combatants where campaign = $1 and id = $2").bind(key).bind(row.id).execute(connection).await.map(drop)
        }
        (None, None) => Ok(()),
    }
}

fn json<T: Serialize>(value: &T) -> Result<String, sqlx::Error> {
    serde_json::to_string(value).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}
