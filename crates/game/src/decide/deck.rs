//! Decks that stay drawn: shuffled by hand.

use crate::mechanics::decks;
use crate::record::change::{Change, Images};
use crate::record::event::{DeckEvent, Event};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use rollbook_rules::NamedDie;
use rollbook_text::names::{Found, listed, quoted, suggest};

/// Puts all cards back into a deck; the name may be left out where only one stays drawn.
/// Refused: when no such deck stays drawn, or none of its cards is out.
pub fn shuffle(table: &mut Table, name: Option<&str>) -> Result<u64> {
    let name = find(table, name)?.name.clone();
    let Some(before) = table.state.decks.get(&name).cloned() else {
        let summary = format!("Nothing is out of {name}: it is whole as it is. Just draw from it.");
        return Err(Refusal::new(Code::NoEffect, summary));
    };
    Ok(table.log(Draft::new(
        "gm",
        Event::Deck(DeckEvent { name }),
        vec![Change::Deck(Images::gone(before))],
    )))
}

fn find<'s>(table: &Table<'s>, name: Option<&str>) -> Result<&'s NamedDie> {
    let system = table.system();
    let staying: Vec<&NamedDie> = system.named_dice.decks_that_stay_out().collect();
    let names = || staying.iter().map(|deck| deck.name.as_str());
    if staying.is_empty() {
        let summary = "The rules have no deck that stays drawn: each is whole for every roll, and needs no shuffling. Just roll. \
             `- Deck Cards: …; drawn cards stay out` in the rules makes one.";
        return Err(Refusal::new(Code::UnknownRule, summary));
    }
    let all = format!("Decks that stay drawn: {}.", listed(names(), 20));
    let Some(name) = name else {
        let which = || {
            Refusal::new(
                Code::InvalidParameters,
                format!("Which deck? Send deck. {all}"),
            )
        };
        return staying
            .first()
            .copied()
            .filter(|_| staying.len() == 1)
            .ok_or_else(which);
    };
    match decks::named(system, name) {
        Found::One(deck) if deck.stay_out.is_some() => Ok(deck),
        Found::One(NamedDie { name, place, .. }) => {
            let summary =
                format!("{name} is whole for every roll ({place}), and needs no shuffling. {all}");
            Err(Refusal::new(Code::NoEffect, summary).at(place.to_string()))
        }
        Found::Several(_) | Found::Nothing => {
            let summary = format!("There is no deck \"{}\". {all}", quoted(name));
            Err(Refusal::new(Code::UnknownRule, summary).did_you_mean(suggest(name, names())))
        }
    }
}
