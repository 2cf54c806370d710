//! Who is meant: characters by name, never auto-corrected; near names are offered instead.

use crate::game::event::Subject;
use crate::game::refusal::Refusal;
use crate::game::state::{Character, Kind, State};
use crate::names::{near, quoted, same};
use crate::rules::{System, Unknown};

impl Character {
    /// The character as an entry names it.
    pub fn subject(&self) -> Subject {
        Subject { id: self.id, name: self.name.clone(), kind: self.kind }
    }
}

/// The character of that name, case and accents folded. `"player"` means the only player character.
pub fn character<'s>(state: &'s State, system: &System, name: &str) -> Result<&'s Character, Refusal> {
    sent_as(state, system, "character", name)
}

/// The same for a call that takes the name under another parameter.
pub fn sent_as<'s>(state: &'s State, system: &System, parameter: &str, name: &str) -> Result<&'s Character, Refusal> {
    if let Some(found) = by_name(state, name) {
        return Ok(found);
    }
    if same(name, "player") {
        return sole_player(state, system);
    }
    if state.characters.is_empty() {
        return Err(nobody_yet(system));
    }
    let known = state.characters.values().map(|character| character.name.as_str());
    let near = near(name, known);
    let hint = match near.first() {
        Some(first) => format!("Near: {}. Send {parameter}=\"{first}\".", near.join(", ")),
        None => "get_character with list=true names everybody.".to_owned(),
    };
    Err(Refusal::new("unknown_character", format!("Nobody here is called \"{}\". {hint}", quoted(name))).near(near))
}

/// The character of exactly that name after folding.
pub fn by_name<'s>(state: &'s State, name: &str) -> Option<&'s Character> {
    state.characters.values().find(|character| same(&character.name, name))
}

/// The only player character, for calls that name nobody.
pub fn sole_player<'s>(state: &'s State, system: &System) -> Result<&'s Character, Refusal> {
    let mut players = state.characters.values().filter(is_playing);
    match (players.next(), players.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(nobody_yet(system)),
        (Some(_), Some(_)) => {
            let names: Vec<String> =
                state.characters.values().filter(is_playing).map(|character| character.name.clone()).collect();
            let summary = format!(
                "There are {} player characters, so say which: character=\"{}\".",
                names.len(),
                names.join("\" or \"")
            );
            Err(Refusal::new("which_character", summary).near(names.into_iter().take(3).collect()))
        }
    }
}

fn is_playing(character: &&Character) -> bool {
    character.kind == Kind::Player && !character.retired
}

/// A refusal for whoever takes part in nothing: a template, which others are made from, and whoever left the story.
pub fn takes_part(who: &Character) -> Result<(), Refusal> {
    if who.retired {
        let summary = format!(
            "{0} has left the story. manage_character action=\"retire\" character=\"{0}\" brings {0} back; send this again then.",
            who.name
        );
        return Err(Refusal::new("is_retired", summary));
    }
    if who.kind != Kind::Template {
        return Ok(());
    }
    let summary = format!(
        "{0} is a template, from which foes are made. Put one on the table with manage_combat combatants=[{{\"template\": \"{0}\"}}], \
         or make one with manage_character action=\"create\" from=\"{0}\" name=\"…\".",
        who.name
    );
    Err(Refusal::new("is_template", summary))
}

/// There is no character yet: what the rules ask for and the call that makes one.
pub fn nobody_yet(system: &System) -> Refusal {
    let asked: Vec<String> = system
        .attributes
        .iter()
        .map(|attribute| match attribute.range {
            Some((low, high)) => format!("{} {low} to {high}", attribute.short()),
            None => attribute.short().to_owned(),
        })
        .collect();
    let attributes = match system.attributes.first() {
        Some(first) => format!(
            " The rules ask for {}. Send manage_character action=\"create\" name=\"…\" attributes={{\"{}\": {}, …}}.",
            asked.join(", "),
            first.short(),
            first.range.map_or(0, |(low, high)| (low + high).div_euclid(2)),
        ),
        None => " Send manage_character action=\"create\" name=\"…\".".to_owned(),
    };
    let mut refusal = Refusal::new("no_character", format!("There is no player character yet.{attributes}"));
    refusal.source = system.attributes.first().map(|attribute| attribute.place.to_string().into_boxed_str());
    refusal
}

/// An unknown name of the rules, with where they stand and what is near.
pub fn unknown(unknown: Unknown, parameter: &str, extra: &str) -> Refusal {
    let place = unknown.place.as_deref().map_or(String::new(), |place| format!(" in {place}"));
    let near = match unknown.near.first() {
        Some(first) => format!(" Near: {}. Send {parameter}=\"{first}\"{extra}.", unknown.near.join(", ")),
        None if unknown.known.is_empty() => format!(" The rules declare none{extra}."),
        None => format!(" Known: {}{extra}.", unknown.known.join(", ")),
    };
    let summary = format!("No {} \"{}\"{place}.{near}", unknown.kind, quoted(&unknown.wanted));
    let mut refusal = Refusal::new(&format!("unknown_{}", unknown.kind), summary).near(unknown.near);
    refusal.source = unknown.place.map(String::into_boxed_str);
    refusal
}
