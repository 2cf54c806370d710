//! Folding images into the state tables: the after-image is the row, and without one the row is gone.

use super::connection::{Query, query};
use super::script::Script;
use serde::Serialize;

use crate::StoreError;
use rollbook_game::record::change::{Change, Images};
use rollbook_game::record::state::{
    Campaign, Character, Clock, Combat, Combatant, Condition, Deck, Item, Note, Session, Track,
};

type Made<'q> = Result<Query<'q>, sqlx::Error>;

/// The statements that fold an entry's changes, in order.
pub fn changes<'q>(script: &mut Script<'q>, key: i64, changes: &'q [Change]) -> Result<(), StoreError> {
    for change in changes {
        let statement = match change {
            // A campaign is never taken away.
            Change::Campaign(images) => images.after.as_ref().map(|row| Ok(campaign(key, row))).transpose(),
            Change::Session(images) => folded(images, |row| Ok(session(key, row)), |row| no_session(key, row)),
            Change::Character(images) => folded(images, |row| character(key, row), |row| no_character(key, row)),
            Change::Track(images) => folded(images, |row| Ok(track(key, row)), |row| no_track(key, row)),
            Change::Condition(images) => folded(images, |row| condition(key, row), |row| no_condition(key, row)),
            Change::Item(images) => folded(images, |row| item(key, row), |row| no_item(key, row)),
            Change::Combat(images) => folded(images, |row| combat(key, row), |row| no_combat(key, row)),
            Change::Combatant(images) => folded(images, |row| combatant(key, row), |row| no_combatant(key, row)),
            Change::Note(images) => folded(images, |row| note(key, row), |row| no_note(key, row)),
            Change::Clock(images) => folded(images, |row| Ok(clock(key, row)), |row| no_clock(key, row)),
            Change::Deck(images) => folded(images, |row| deck(key, row), |row| no_deck(key, row)),
        };
        if let Some(statement) = statement? {
            script.push(statement);
        }
    }
    Ok(())
}

/// The statement that puts the after-image in place, or takes the row away.
fn folded<'q, T>(
    images: &'q Images<T>,
    put: impl FnOnce(&'q T) -> Made<'q>,
    take: impl FnOnce(&'q T) -> Query<'q>,
) -> Result<Option<Query<'q>>, sqlx::Error> {
    match (&images.after, &images.before) {
        (Some(row), _) => put(row).map(Some),
        (None, Some(row)) => Ok(Some(take(row))),
        (None, None) => Ok(None),
    }
}

fn campaign(key: i64, row: &Campaign) -> Query<'_> {
    query(
        "insert into campaigns (id, uuid, name, adventure, rules_hash, created_at, continued_by)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (id) do update set name = excluded.name, adventure = excluded.adventure,
         rules_hash = excluded.rules_hash, continued_by = excluded.continued_by",
    )
    .bind(key)
    .bind(&row.uuid)
    .bind(&row.name)
    .bind(&row.adventure)
    .bind(&row.rules_hash)
    .bind(row.created_at)
    .bind(&row.continued_by)
}

fn session(key: i64, row: &Session) -> Query<'_> {
    query(
        "insert into sessions (campaign, number, title, started_at, ended_at) values ($1, $2, $3, $4, $5)
         on conflict (campaign, number) do update set title = excluded.title, started_at = excluded.started_at,
         ended_at = excluded.ended_at",
    )
    .bind(key)
    .bind(row.number)
    .bind(&row.title)
    .bind(row.started_at)
    .bind(row.ended_at)
}

fn no_session(key: i64, row: &Session) -> Query<'_> {
    query("delete from sessions where campaign = $1 and number = $2").bind(key).bind(row.number)
}

fn character(key: i64, row: &Character) -> Made<'_> {
    let statement = query(
        "insert into characters (campaign, id, name, kind, level, xp, attributes, skills, notes, gm_notes, retired, ticks,
         attacks, worth)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
         on conflict (campaign, id) do update set name = excluded.name, kind = excluded.kind, level = excluded.level,
         xp = excluded.xp, attributes = excluded.attributes, skills = excluded.skills, notes = excluded.notes,
         gm_notes = excluded.gm_notes, retired = excluded.retired, ticks = excluded.ticks,
         attacks = excluded.attacks, worth = excluded.worth",
    );
    Ok(statement
        .bind(key)
        .bind(row.id)
        .bind(&row.name)
        .bind(word(row.kind)?)
        .bind(row.level)
        .bind(row.xp)
        .bind(json(&row.attributes)?)
        .bind(json(&row.skills)?)
        .bind(&row.notes)
        .bind(&row.gm_notes)
        .bind(row.retired)
        .bind((!row.ticks.is_empty()).then(|| json(&row.ticks)).transpose()?)
        .bind((!row.attacks.is_empty()).then(|| json(&row.attacks)).transpose()?)
        .bind(row.worth))
}

fn no_character(key: i64, row: &Character) -> Query<'_> {
    query("delete from characters where campaign = $1 and id = $2").bind(key).bind(row.id)
}

fn track(key: i64, row: &Track) -> Query<'_> {
    query(
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
}

fn no_track(key: i64, row: &Track) -> Query<'_> {
    let gone = query("delete from tracks where campaign = $1 and character = $2 and name = $3");
    gone.bind(key).bind(row.character).bind(&row.name)
}

fn condition(key: i64, row: &Condition) -> Made<'_> {
    let statement = query(
        "insert into conditions (campaign, character, name, since, source, level, lasts, caused_by, group_name, until,
         cause, hidden) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict (campaign, character, name) do update set since = excluded.since, source = excluded.source,
         level = excluded.level, lasts = excluded.lasts, caused_by = excluded.caused_by, group_name = excluded.group_name,
         until = excluded.until, cause = excluded.cause, hidden = excluded.hidden",
    );
    Ok(statement
        .bind(key)
        .bind(row.character)
        .bind(&row.name)
        .bind(row.since)
        .bind(&row.source)
        .bind(row.level)
        .bind(row.lasts.as_ref().map(json).transpose()?)
        .bind(row.caused_by)
        .bind(&row.group_name)
        .bind(row.until.as_ref().map(json).transpose()?)
        .bind(&row.cause)
        .bind(row.hidden))
}

fn no_condition(key: i64, row: &Condition) -> Query<'_> {
    let gone = query("delete from conditions where campaign = $1 and character = $2 and name = $3");
    gone.bind(key).bind(row.character).bind(&row.name)
}

fn item(key: i64, row: &Item) -> Made<'_> {
    let statement = query(
        "insert into items (campaign, character, name, quantity, equipped, uses, notes, hidden, properties)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (campaign, character, name) do update set quantity = excluded.quantity, equipped = excluded.equipped,
         uses = excluded.uses, notes = excluded.notes, hidden = excluded.hidden, properties = excluded.properties",
    );
    Ok(statement
        .bind(key)
        .bind(row.character)
        .bind(&row.name)
        .bind(row.quantity)
        .bind(row.equipped)
        .bind(row.uses)
        .bind(&row.notes)
        .bind(row.hidden)
        .bind(json(&row.properties)?))
}

fn no_item(key: i64, row: &Item) -> Query<'_> {
    let gone = query("delete from items where campaign = $1 and character = $2 and name = $3");
    gone.bind(key).bind(row.character).bind(&row.name)
}

fn combat(key: i64, row: &Combat) -> Made<'_> {
    let statement = query(
        "insert into combats (campaign, id, title, status, round, current, outcome, moved_at, advanced, by_kind, structure,
         interrupted)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict (campaign, id) do update set title = excluded.title, status = excluded.status, round = excluded.round,
         current = excluded.current, outcome = excluded.outcome, moved_at = excluded.moved_at, advanced = excluded.advanced,
         by_kind = excluded.by_kind, structure = excluded.structure, interrupted = excluded.interrupted",
    );
    Ok(statement
        .bind(key)
        .bind(row.id)
        .bind(&row.title)
        .bind(word(row.status)?)
        .bind(row.round)
        .bind(row.current)
        .bind(&row.outcome)
        .bind(row.moved_at)
        .bind(row.advanced)
        .bind(row.by_kind)
        .bind(row.structure.map(word).transpose()?)
        .bind(row.interrupted))
}

fn no_combat(key: i64, row: &Combat) -> Query<'_> {
    query("delete from combats where campaign = $1 and id = $2").bind(key).bind(row.id)
}

fn combatant(key: i64, row: &Combatant) -> Made<'_> {
    let statement = query(
        "insert into combatants (campaign, id, combat, character, side, initiative, ties, acted_round, defeated, from_round,
         turn_at, hidden, waits, ready)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
         on conflict (campaign, id) do update set combat = excluded.combat, character = excluded.character, side = excluded.side,
         initiative = excluded.initiative, ties = excluded.ties, acted_round = excluded.acted_round,
         defeated = excluded.defeated, from_round = excluded.from_round, turn_at = excluded.turn_at, hidden = excluded.hidden,
         waits = excluded.waits, ready = excluded.ready",
    );
    Ok(statement
        .bind(key)
        .bind(row.id)
        .bind(row.combat)
        .bind(row.character)
        .bind(&row.side)
        .bind(row.initiative)
        .bind(json(&row.ties)?)
        .bind(row.acted_round)
        .bind(row.defeated)
        .bind(row.from_round)
        .bind(row.turn_at)
        .bind(row.hidden)
        .bind(row.waits.map(word).transpose()?)
        .bind(&row.ready))
}

fn no_combatant(key: i64, row: &Combatant) -> Query<'_> {
    query("delete from combatants where campaign = $1 and id = $2").bind(key).bind(row.id)
}

fn note(key: i64, row: &Note) -> Made<'_> {
    let statement = query(
        "insert into notes (campaign, id, session, kind, text, hidden, closed_by) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (campaign, id) do update set session = excluded.session, kind = excluded.kind, text = excluded.text,
         hidden = excluded.hidden, closed_by = excluded.closed_by",
    );
    Ok(statement
        .bind(key)
        .bind(row.id)
        .bind(row.session)
        .bind(word(row.kind)?)
        .bind(&row.text)
        .bind(row.hidden)
        .bind(row.closed_by))
}

fn no_note(key: i64, row: &Note) -> Query<'_> {
    query("delete from notes where campaign = $1 and id = $2").bind(key).bind(row.id)
}

fn clock(key: i64, row: &Clock) -> Query<'_> {
    query(
        "insert into clocks (campaign, name, value, min, max, down, hidden, closed) values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (campaign, name) do update set value = excluded.value, min = excluded.min, max = excluded.max,
         down = excluded.down, hidden = excluded.hidden, closed = excluded.closed",
    )
    .bind(key)
    .bind(&row.name)
    .bind(row.value)
    .bind(row.min)
    .bind(row.max)
    .bind(row.down)
    .bind(row.hidden)
    .bind(row.closed)
}

fn no_clock(key: i64, row: &Clock) -> Query<'_> {
    query("delete from clocks where campaign = $1 and name = $2").bind(key).bind(&row.name)
}

fn deck(key: i64, row: &Deck) -> Made<'_> {
    let statement = query(
        "insert into decks (campaign, name, drawn) values ($1, $2, $3)
         on conflict (campaign, name) do update set drawn = excluded.drawn",
    );
    Ok(statement.bind(key).bind(&row.name).bind(json(&row.drawn)?))
}

fn no_deck(key: i64, row: &Deck) -> Query<'_> {
    query("delete from decks where campaign = $1 and name = $2").bind(key).bind(&row.name)
}

/// The word of an enum without fields, as the log has it.
fn word<T: Serialize>(value: T) -> Result<String, sqlx::Error> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Ok(word),
        Ok(other) => Err(sqlx::Error::Encode(format!("{other} is no word").into())),
        Err(error) => Err(sqlx::Error::Encode(Box::new(error))),
    }
}

fn json<T: Serialize>(value: &T) -> Result<String, sqlx::Error> {
    serde_json::to_string(value).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}
