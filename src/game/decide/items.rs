//! What people own: set, handed out, passed on. No quantity goes below 0; what is used up is gone.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::lookup;
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::Visibility;
use crate::game::record::event::{Event, Field};
use crate::game::record::state::{Character, Item, State};
use crate::game::refusal::{Code, Detail, Refusal};
use crate::game::table::{Draft, Table};
use crate::game::view::secrets;
use crate::names::{Found, find, near, quoted, same};

/// One thing, as a call says it; `None` leaves it as it is.
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
}

/// What a quantity means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// So many there are then.
    Set,
    /// So many come to those that are there; below 0, so many go.
    Add,
}

/// A refusal when something is longer, larger or more than there is room for.
pub fn bounds(items: &[ItemCall]) -> Result<(), Refusal> {
    limits::count("inventory", items.len(), LIMITS.items)?;
    for item in items {
        limits::name("inventory.name", &item.name)?;
        limits::text("inventory.notes", item.notes.as_deref().unwrap_or_default(), LIMITS.context)?;
        limits::number("inventory.quantity", item.quantity.unwrap_or(0))?;
        limits::number("inventory.uses", item.uses.unwrap_or(0))?;
        if item.uses.is_some_and(|uses| uses < 0) {
            return Err(below_zero(&item.name, "uses", item.uses.unwrap_or(0)));
        }
    }
    match items.iter().enumerate().find(|(at, item)| items.iter().take(*at).any(|other| same(&other.name, &item.name)))
    {
        Some((_, twice)) => {
            let summary = format!("\"{}\" is named twice. Name each thing once.", quoted(&twice.name));
            Err(Refusal::new(Code::DuplicateName, summary))
        }
        None => Ok(()),
    }
}

/// The belongings of a new character: those of whom it is drawn after, with what the call says of them.
pub fn fresh(character: i64, drawn: &[Item], calls: &[ItemCall]) -> Result<Vec<Item>, Refusal> {
    let mut items: Vec<Item> = drawn.iter().map(|item| Item { character, ..item.clone() }).collect();
    for call in calls {
        let at = items.iter().position(|item| same(&item.name, &call.name));
        let before = at.map(|at| items.swap_remove(at));
        items.extend(after(character, before.as_ref(), call, How::Set)?);
    }
    limits::count("inventory", items.len(), LIMITS.items)?;
    Ok(items)
}

/// Changes somebody's belongings and logs it.
pub fn change(table: &mut Table, who: &Character, calls: &[ItemCall], how: How) -> Result<(), Refusal> {
    bounds(calls)?;
    let mut moved = Vec::new();
    for call in calls {
        let before = match owned(table.state, who.id, &call.name).cloned() {
            // What is taken away is there already; anything else of a new name is a new thing.
            None if call.quantity.is_some_and(|quantity| quantity < 1) => Some(meant(table.state, who, &call.name)?),
            before => before,
        };
        let after = after(who.id, before.as_ref(), call, how)?;
        if before != after {
            moved.push(Images { before, after });
        }
    }
    if moved.is_empty() {
        let summary = format!("{}'s belongings already are as you say. Send what differs.", who.name);
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    let gone = moved.iter().filter(|images| images.after.is_none()).count();
    let came = moved.iter().filter(|images| images.before.is_none()).count();
    limits::count("inventory", table.state.items_of(who.id).count() + came - gone, LIMITS.items)?;
    log(table, who, None, moved);
    Ok(())
}

/// Passes something on to somebody else.
pub fn give(table: &mut Table, from: &str, item: &str, quantity: Option<i64>, to: &str) -> Result<(), Refusal> {
    let from = lookup::character(table.state, table.system(), from)?.clone();
    let to = lookup::sent_as(table.state, table.system(), "to", to)?.clone();
    if from.id == to.id {
        return Err(Refusal::new(Code::NoEffect, format!("{} has it already. Send to=\"…\".", to.name)));
    }
    let own = meant(table.state, &from, item)?;
    let many = quantity.unwrap_or(1);
    if !(1..=own.quantity).contains(&many) {
        let summary = format!("{0} has {1} {2}; quantity takes 1 to {1}.", from.name, own.quantity, own.name);
        return Err(Refusal::new(Code::NotEnough, summary));
    }
    let left = Item { quantity: own.quantity - many, ..own.clone() };
    let known = owned(table.state, to.id, &own.name).cloned();
    let came = match &known {
        Some(known) => Item { quantity: known.quantity.saturating_add(many), ..known.clone() },
        // Nobody wears what was just put into their hands.
        None => Item { character: to.id, quantity: many, equipped: false, ..own.clone() },
    };
    limits::number("quantity", came.quantity)?;
    limits::count("inventory", table.state.items_of(to.id).count() + usize::from(known.is_none()), LIMITS.items)?;
    let moved = vec![
        Images { before: Some(own), after: (left.quantity > 0).then_some(left) },
        Images { before: known, after: Some(came) },
    ];
    log(table, &from, Some(&to), moved);
    Ok(())
}

fn log(table: &mut Table, who: &Character, to: Option<&Character>, moved: Vec<Images<Item>>) {
    // Of a gift the giver's side is told; what the other has then follows from it.
    let own = moved.iter().filter(|images| images.row().is_some_and(|row| row.character == who.id));
    let fields: Vec<Field> = own.clone().filter_map(|images| field(images, true)).collect();
    let seen: Vec<Field> = own.filter_map(|images| field(images, false)).collect();
    let open = who.kind.is_open() || to.is_some_and(|to| to.kind.is_open());
    let met = std::iter::once(who).chain(to).all(|own| !secrets::is_unseen(table.state, own));
    let visibility = if open && met && !seen.is_empty() { Visibility::Public } else { Visibility::Gm };
    let seen = (seen != fields).then_some(seen);
    let event = Event::Items { subject: who.subject(), to: to.map(Character::subject), fields, seen };
    let changes = moved.into_iter().map(Change::Item).collect();
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
}

/// A thing before and after. For players what is hidden is not there.
fn field(images: &Images<Item>, all: bool) -> Option<Field> {
    let shown = |item: &Option<Item>| item.as_ref().filter(|item| all || !item.hidden).map(Item::reading);
    let (before, after) = (shown(&images.before), shown(&images.after));
    let name = images.row()?.name.clone();
    (before.is_some() || after.is_some()).then_some(Field { field: name, before, after })
}

/// What becomes of one thing; `None` when none is left.
fn after(character: i64, before: Option<&Item>, call: &ItemCall, how: How) -> Result<Option<Item>, Refusal> {
    let had = before.map_or(0, |item| item.quantity);
    let quantity = match (how, call.quantity) {
        (How::Add, more) => had.saturating_add(more.unwrap_or(1)),
        (How::Set, Some(quantity)) => quantity,
        (How::Set, None) => had.max(1),
    };
    if quantity < 0 {
        return Err(below_zero(&call.name, "quantity", quantity));
    }
    limits::number("inventory.quantity", quantity)?;
    let item = before.cloned().unwrap_or_else(|| Item {
        character,
        name: call.name.trim().to_owned(),
        quantity,
        equipped: false,
        uses: None,
        notes: String::new(),
        hidden: false,
    });
    Ok((quantity > 0).then(|| Item {
        quantity,
        equipped: call.equipped.unwrap_or(item.equipped),
        uses: call.uses.or(item.uses),
        notes: call.notes.clone().unwrap_or(item.notes.clone()),
        hidden: call.hidden.unwrap_or(item.hidden),
        ..item
    }))
}

fn owned<'s>(state: &'s State, character: i64, name: &str) -> Option<&'s Item> {
    state.items_of(character).find(|item| same(&item.name, name))
}

/// The thing of theirs that a call means: by its name, else by a word that it alone has.
fn meant(state: &State, who: &Character, name: &str) -> Result<Item, Refusal> {
    match find(name, state.items_of(who.id).map(|item| (item.name.as_str(), item))) {
        Found::One(item) => Ok(item.clone()),
        Found::Several(fit) => {
            Err(lookup::several("item", name, fit.into_iter().map(|item| item.name.clone()).collect()))
        }
        Found::Nothing => Err(not_owned(state, who, name)),
    }
}

fn not_owned(state: &State, who: &Character, name: &str) -> Refusal {
    let has: Vec<&str> = state.items_of(who.id).map(|item| item.name.as_str()).collect();
    let near = near(name, has.iter().copied());
    let hint = match (near.first(), has.is_empty()) {
        (Some(first), _) => format!("Near: {}. Send item=\"{first}\".", near.join(", ")),
        (None, true) => "They own nothing.".to_owned(),
        (None, false) => format!("There is {}.", has.join(", ")),
    };
    Refusal::new(Code::UnknownItem, format!("{} has no \"{}\". {hint}", who.name, quoted(name))).near(near)
}

fn below_zero(name: &str, what: &str, value: i64) -> Refusal {
    let issue = format!("{value} of \"{}\"", quoted(name));
    let summary = format!("inventory.{what}: {issue}; it takes 0 or more.");
    let detail = Detail { parameter: format!("inventory.{what}"), issue, valid_range: "0 or more".to_owned() };
    Refusal::new(Code::InvalidParameters, summary).details(vec![detail])
}
