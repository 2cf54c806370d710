//! Items: set, awarded, given. No quantity goes below 0; at 0 the item is removed.

use crate::limits::{self, LIMITS};
use crate::record::change::{Change, Images};
use crate::record::event::{Event, Field, Items};
use crate::record::state::{Character, Item, State};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::{limits::bad_value, mechanics::lookup, record::entry::Visibility, view::secrets};
use rollbook_text::names::{find, fold, quoted, same, suggest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// One item of a call; `None` changes nothing.
#[derive(Debug, Default, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(description = "")]
pub struct ItemCall {
    pub name: String,
    /// How many there are, or how many more; a new one is 1.
    #[schemars(description = "")]
    pub quantity: Option<i64>,
    pub equipped: Option<bool>,
    pub uses: Option<i64>,
    pub notes: Option<String>,
    pub hidden: Option<bool>,
    /// Whatever else is to be kept of it; replaces what there is.
    #[schemars(description = "Anything else: {\"damage\": \"1d8\"}")]
    pub properties: Option<BTreeMap<String, Value>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    Set,
    /// Added to the quantity; below 0 taken away.
    Add,
}

pub(crate) fn check_limits(items: &[ItemCall]) -> Result<()> {
    limits::count("inventory", items.len(), LIMITS.items)?;
    for item in items {
        limits::name("inventory.name", &item.name)?;
        limits::text(
            "inventory.notes",
            item.notes.as_deref().unwrap_or_default(),
            LIMITS.context,
        )?;
        item.properties.as_ref().map_or(Ok(()), |properties| {
            limits::properties("inventory.properties", properties)
        })?;
        limits::number("inventory.quantity", item.quantity.unwrap_or(0))?;
        limits::number("inventory.uses", item.uses.unwrap_or(0))?;
        if let Some(uses) = item.uses.filter(|uses| *uses < 0) {
            return Err(below_zero("inventory.uses", uses, &item.name));
        }
    }
    let mut seen = BTreeSet::new();
    if let Some(twice) = items.iter().find(|item| !seen.insert(fold(&item.name))) {
        let summary = format!(
            "\"{}\" is named twice. Name each thing once.",
            quoted(&twice.name)
        );
        return Err(Refusal::new(Code::DuplicateName, summary));
    }
    Ok(())
}

fn below_zero(parameter: &str, number: i64, name: &str) -> Refusal {
    let issue = format!("{number} of \"{}\"", quoted(name));
    bad_value(Code::InvalidParameters, parameter, &issue, "0 or more")
}

/// The items of a new character: those of its snapshot, with the changes of the call.
pub fn new_items(character: i64, drawn: &[Item], calls: &[ItemCall]) -> Result<Vec<Item>> {
    let mut items: Vec<Item> = drawn
        .iter()
        .map(|item| Item {
            character,
            ..item.clone()
        })
        .collect();
    for call in calls {
        let at = items.iter().position(|item| same(&item.name, &call.name));
        let before = at.map(|at| items.swap_remove(at));
        items.extend(apply_call(character, before.as_ref(), call, Quantity::Set)?);
    }
    limits::count("inventory", items.len(), LIMITS.items)?;
    Ok(items)
}

pub(crate) fn change(
    table: &mut Table,
    who: &Character,
    calls: &[ItemCall],
    how: Quantity,
    why: Option<&str>,
) -> Result<()> {
    check_limits(calls)?;
    let mut moved = Vec::new();
    for call in calls {
        let before = match item_named(table.state, who.id, &call.name).cloned() {
            // Taking away needs an existing item; otherwise a new name is a new item.
            None if call.quantity.is_some_and(|many| many < 1) => {
                Some(find_item(table.state, who, &call.name)?)
            }
            before => before,
        };
        let after = apply_call(who.id, before.as_ref(), call, how)?;
        if before != after {
            moved.push(Images { before, after });
        }
    }
    if moved.is_empty() {
        let summary = format!(
            "{}'s belongings already are as you say. Send what differs.",
            who.name
        );
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    let gone = moved.iter().filter(|images| images.after.is_none()).count();
    let added = moved
        .iter()
        .filter(|images| images.before.is_none())
        .count();
    limits::count(
        "inventory",
        table.state.items_of(who.id).count() + added - gone,
        LIMITS.items,
    )?;
    // What is used up is no award.
    let more = |images: &Images<Item>| {
        let count = |item: &Option<Item>| item.as_ref().map_or(0, |item| item.quantity);
        count(&images.after) > count(&images.before)
    };
    let awarded = how == Quantity::Add && moved.iter().any(more);
    log(table, who, None, moved, (awarded, why.map(str::to_owned)));
    Ok(())
}

/// Gives an item to another character.
pub fn give(
    table: &mut Table,
    from: &str,
    item: &str,
    quantity: Option<i64>,
    to: &str,
) -> Result<()> {
    let from = lookup::character(table.state, table.system(), from)?.clone();
    let to = lookup::character_in(table.state, table.system(), "to", to)?.clone();
    if from.id == to.id {
        return Err(Refusal::new(
            Code::NoEffect,
            format!("{} has it already. Send to=\"…\".", to.name),
        ));
    }
    let item = find_item(table.state, &from, item)?;
    let many = quantity.unwrap_or(1);
    if !(1..=item.quantity).contains(&many) {
        let summary = format!(
            "{0} has {1} {2}; quantity takes 1 to {1}.",
            from.name, item.quantity, item.name
        );
        return Err(Refusal::new(Code::NotEnough, summary));
    }
    let left = Item {
        quantity: item.quantity - many,
        ..item.clone()
    };
    let known = item_named(table.state, to.id, &item.name).cloned();
    let received = match &known {
        Some(known) => Item {
            quantity: known.quantity.saturating_add(many),
            ..known.clone()
        },
        // A received item is not equipped.
        None => Item {
            character: to.id,
            quantity: many,
            equipped: false,
            ..item.clone()
        },
    };
    limits::number("quantity", received.quantity)?;
    limits::count(
        "inventory",
        table.state.items_of(to.id).count() + usize::from(known.is_none()),
        LIMITS.items,
    )?;
    let moved = vec![
        Images {
            before: Some(item),
            after: (left.quantity > 0).then_some(left),
        },
        Images {
            before: known,
            after: Some(received),
        },
    ];
    log(table, &from, Some(&to), moved, (false, None));
    Ok(())
}

fn log(
    table: &mut Table,
    who: &Character,
    to: Option<&Character>,
    moved: Vec<Images<Item>>,
    (awarded, reason): (bool, Option<String>),
) {
    // The entry of a gift has the giver's fields only.
    let rows = || {
        moved
            .iter()
            .filter(|images| images.row().is_some_and(|row| row.character == who.id))
    };
    let fields: Vec<Field> = rows().filter_map(|images| field(images, true)).collect();
    let seen: Vec<Field> = rows().filter_map(|images| field(images, false)).collect();
    let open = who.kind.is_open() || to.is_some_and(|to| to.kind.is_open());
    // A sentence names both, and a character whom players never met may be a secret.
    let met = |who: &&Character| {
        !secrets::is_hidden_from_players(table.state, who)
            && (to.is_none() || table.state.is_met(who.id, who.kind))
    };
    let unmet = std::iter::once(who).chain(to).find(|who| !met(who));
    let visibility = if open && unmet.is_none() && !seen.is_empty() {
        Visibility::Public
    } else {
        Visibility::Gm
    };
    table.note(unmet.filter(|_| open && to.is_some()).map(|Character { name, .. }| {
        format!("players do not know {name}, so they read nothing of this; a note tells them what they may know")
    }));
    let seen = (seen != fields).then_some(seen);
    let (subject, to) = (who.subject(), to.map(Character::subject));
    let event = Event::Items(Items {
        subject,
        to,
        fields,
        seen,
        awarded,
        reason,
    });
    table.log(Draft {
        visibility,
        ..Draft::new("gm", event, moved.into_iter().map(Change::Item).collect())
    });
}

/// An item before and after; hidden ones only where `all`.
fn field(images: &Images<Item>, all: bool) -> Option<Field> {
    let shown = |item: &Option<Item>| {
        item.as_ref()
            .filter(|item| all || !item.hidden)
            .map(Item::render)
    };
    let (before, after) = (shown(&images.before), shown(&images.after));
    (before.is_some() || after.is_some()).then_some(Field {
        field: images.row()?.name.clone(),
        before,
        after,
    })
}

/// The item after the call; `None` when none is left.
fn apply_call(
    character: i64,
    before: Option<&Item>,
    call: &ItemCall,
    how: Quantity,
) -> Result<Option<Item>> {
    let had = before.map_or(0, |item| item.quantity);
    let quantity = match (how, call.quantity) {
        (Quantity::Add, more) => had.saturating_add(more.unwrap_or(1)),
        (Quantity::Set, Some(quantity)) => quantity,
        (Quantity::Set, None) => had.max(1),
    };
    if quantity < 0 {
        return Err(below_zero("inventory.quantity", quantity, &call.name));
    }
    limits::number("inventory.quantity", quantity)?;
    let new = || Item {
        character,
        name: call.name.trim().to_owned(),
        ..Item::default()
    };
    let item = before.cloned().unwrap_or_else(new);
    Ok((quantity > 0).then(|| Item {
        quantity,
        equipped: call.equipped.unwrap_or(item.equipped),
        uses: call.uses.or(item.uses),
        notes: call.notes.clone().unwrap_or(item.notes),
        hidden: call.hidden.unwrap_or(item.hidden),
        properties: call.properties.clone().unwrap_or(item.properties),
        ..item
    }))
}

fn item_named<'s>(state: &'s State, character: i64, name: &str) -> Option<&'s Item> {
    state
        .items_of(character)
        .find(|item| same(&item.name, name))
}

fn find_item(state: &State, who: &Character, name: &str) -> Result<Item> {
    let found = find(
        name,
        state
            .items_of(who.id)
            .map(|item| (item.name.as_str(), item)),
    );
    if let Some(item) = lookup::one("item", name, found, |item| item.name.clone())? {
        return Ok(item.clone());
    }
    let has: Vec<&str> = state
        .items_of(who.id)
        .map(|item| item.name.as_str())
        .collect();
    let suggestions = suggest(name, has.iter().copied());
    let all = match has.as_slice() {
        [] => "They own nothing.".to_owned(),
        has => format!("There is {}.", has.join(", ")),
    };
    let summary = format!("{} has no \"{}\".", who.name, quoted(name));
    Err(Refusal::new(Code::UnknownItem, summary).near("item", suggestions, &all))
}
