//! Finds characters by name, and free names. Names are never corrected; similar ones are suggested.

use crate::record::event::Subject;
use crate::record::state::{Character, Combatant, Kind, State};
use crate::refusal::{Code, Refusal};
use rollbook_rules::{NameKind, System, UnknownName};
use rollbook_text::names::{Found, Words, fold, listed, quoted, same, suggest};
use serde_json::json;
use std::collections::BTreeSet;

/// The character of that name, case and accents folded, or the only one with that word in its name.
/// `"player"` means the only player character.
pub fn character<'s>(
    state: &'s State,
    system: &System,
    name: &str,
) -> Result<&'s Character, Refusal> {
    character_in(state, system, "character", name)
}
type Named<'s> = Result<&'s Character, Refusal>;

/// The same for a name sent as another parameter.
pub fn character_in<'s>(
    state: &'s State,
    system: &System,
    parameter: &str,
    name: &str,
) -> Named<'s> {
    by_name(state, name).map_or_else(|| by_word(state, system, parameter, name, |_| true), Ok)
}

/// A character who takes part in play; no template where an active character has the name or word.
pub fn participant<'s>(
    state: &'s State,
    system: &System,
    parameter: &str,
    name: &str,
) -> Named<'s> {
    let living = state.characters.values().filter(|who| who.takes_part());
    let found = match by_name(state, name) {
        Some(found) if found.kind != Kind::Template => found,
        Some(template) => only(
            parameter,
            name,
            find_ranked(name, living, |who| rank(state, who)),
        )?
        .unwrap_or(template),
        None => by_word(state, system, parameter, name, Character::takes_part)?,
    };
    check_participant(state, found)?;
    Ok(found)
}

/// The player's character for whom something is hidden from the other players: one of the players'
/// side, by name or a word of it. Errors: nobody or several are called so; the words to send.
pub fn reader(state: &State, name: &str) -> Result<Subject, Refusal> {
    let players = || state.characters.values().filter(|who| who.kind.is_open());
    if let Some(found) = only(
        "visibility",
        name,
        find_ranked(name, players(), |who| rank(state, who)),
    )? {
        return Ok(found.subject());
    }
    let names: Vec<&str> = players().map(|who| who.name.as_str()).collect();
    let near = suggest(name, names.iter().copied());
    let one = if names.is_empty() {
        String::new()
    } else {
        format!(
            ", or the name of one player's character ({}), for that player and you alone",
            listed(names.iter().copied(), 300)
        )
    };
    let summary = format!(
        "visibility is \"{}\". Send visibility=\"public\", \"outcome_only\", \"blind\" or \"gm\"{one}.",
        quoted(name)
    );
    Err(Refusal::new(Code::InvalidParameters, summary).did_you_mean(near))
}

/// The only character with that word, else the only player character; `offered`: whom to suggest.
fn by_word<'s>(
    state: &'s State,
    system: &System,
    parameter: &str,
    name: &str,
    offered: impl Fn(&Character) -> bool,
) -> Named<'s> {
    let all = || state.characters.values();
    match only(
        parameter,
        name,
        find_ranked(name, all(), |who| rank(state, who)),
    )? {
        Some(found) => return Ok(found),
        None if same(name, "player") => return sole_player_in(state, system, parameter),
        None if state.characters.is_empty() => return Err(no_character(system, Some(name))),
        None => {}
    }
    let suggestions = suggest(
        name,
        all()
            .filter(|who| offered(who))
            .map(|who| who.name.as_str()),
    );
    let summary = format!("Nobody here is called \"{}\".", quoted(name));
    let refusal = Refusal::new(Code::UnknownCharacter, summary);
    if is_everybody(name) && parameter != "character" {
        return Err(refusal.send(parameter, "party", " for all who are played"));
    }
    if suggestions.is_empty() {
        let all = vec![("list".to_owned(), true.into())];
        let refusal = refusal.and("get_character list=true names everybody.");
        return Err(refusal.trying(Some("get_character"), all));
    }
    Err(refusal.near(parameter, suggestions, ""))
}

/// Whether a name is a word for all who are here.
pub fn is_everybody(name: &str) -> bool {
    ["all", "everybody", "everyone", "the party"]
        .iter()
        .any(|word| same(name, word))
}

fn only<'s>(
    parameter: &str,
    name: &str,
    found: Found<&'s Character>,
) -> Result<Option<&'s Character>, Refusal> {
    one(parameter, name, found, |who| who.name.clone())
}

/// The characters that a name means, by whole words; of a higher rank only where none is lower.
pub fn find_ranked<'s>(
    name: &str,
    all: impl Iterator<Item = &'s Character>,
    rank: impl Fn(&Character) -> u8,
) -> Found<&'s Character> {
    let words = Words::of(name);
    let ranked = |who: &'s Character| {
        let is_exact = same(&who.name, name);
        (is_exact || words.are_in(&who.name))
            .then(|| (if is_exact { 0 } else { 1 + rank(who) }, who))
    };
    let fit: Vec<(u8, &Character)> = all.filter_map(ranked).collect();
    let least = fit.iter().map(|(rank, _)| *rank).min();
    let fit: Vec<&Character> = fit
        .into_iter()
        .filter(|(rank, _)| Some(*rank) == least)
        .map(|(_, who)| who)
        .collect();
    match fit.as_slice() {
        [] => Found::Nothing,
        [only] => Found::One(only),
        _ => Found::Several(fit),
    }
}

/// The order in which a word finds characters: visible ones, hidden ones, foes defeated in an
/// earlier fight, retired ones, templates. So these make no name ambiguous that players use.
fn rank(state: &State, who: &Character) -> u8 {
    match () {
        () if who.kind == Kind::Template => 4,
        () if who.retired => 3,
        () if is_out_for_good(state, who) => 2,
        () if state.is_hidden(who.id) => 1,
        () => 0,
    }
}

/// Whether a foe fell in an earlier fight and is in none now.
pub fn is_out_for_good(state: &State, who: &Character) -> bool {
    let defeated = |member: &Combatant| member.character == who.id && member.defeated;
    !who.kind.is_open()
        && state.open_combatant(who.id).is_none()
        && state.combatants.values().any(defeated)
}

/// The refusal of a name that could mean several characters or things; it lists them.
pub fn ambiguous(parameter: &str, name: &str, fit: Vec<String>) -> Refusal {
    let first = fit.first().map_or("", String::as_str);
    let summary = format!(
        "\"{}\" could mean {}. Send {parameter}=\"{first}\", or another of these.",
        quoted(name),
        listed(fit.iter().map(String::as_str), 300)
    );
    let question = format!("Which \"{}\" is meant?", quoted(name));
    Refusal::new(Code::AmbiguousName, summary)
        .did_you_mean(fit.clone())
        .choosing(parameter, question, fit)
}

/// What a name means, if anything. Refused: when it could mean several, which `label` names.
pub fn one<T>(
    parameter: &str,
    name: &str,
    found: Found<T>,
    label: impl Fn(T) -> String,
) -> Result<Option<T>, Refusal> {
    match found {
        Found::One(one) => Ok(Some(one)),
        Found::Several(fit) => Err(ambiguous(
            parameter,
            name,
            fit.into_iter().map(label).collect(),
        )),
        Found::Nothing => Ok(None),
    }
}

/// The same for a parameter that takes a list.
pub fn ambiguous_in_list(parameter: &str, name: &str, fit: Vec<String>) -> Refusal {
    let refusal = ambiguous(parameter, name, fit);
    let first = refusal.did_you_mean.first().map_or("", String::as_str);
    let (sent, list) = (
        format!("{parameter}=\"{first}\""),
        format!("{parameter}=[\"{first}\"]"),
    );
    Refusal {
        summary: refusal.summary.replacen(&sent, &list, 1),
        ..refusal
    }
    .without_choice()
}

/// The character of exactly that name after folding.
pub fn by_name<'s>(state: &'s State, name: &str) -> Option<&'s Character> {
    state
        .characters
        .values()
        .find(|character| same(&character.name, name))
}

/// The only player character, for calls without a name.
pub fn sole_player<'s>(state: &'s State, system: &System) -> Named<'s> {
    sole_player_in(state, system, "character")
}

fn sole_player_in<'s>(state: &'s State, system: &System, parameter: &str) -> Named<'s> {
    let players = state
        .characters
        .values()
        .filter(|who| who.kind == Kind::Player && !who.retired);
    let players: Vec<&Character> = players.collect();
    match players.as_slice() {
        [] => Err(no_character(system, None)),
        [only] => Ok(only),
        _ => {
            let names: Vec<String> = players.iter().map(|who| who.name.clone()).collect();
            let (many, either) = (names.len(), names.join("\" or \""));
            let summary = format!(
                "There are {many} player characters, so say which. Send {parameter}=\"{either}\"."
            );
            let suggestions = names.iter().take(3).cloned().collect();
            let refusal = Refusal::new(Code::WhichCharacter, summary).did_you_mean(suggestions);
            Err(refusal.choosing(parameter, "Which character?", names))
        }
    }
}

pub(crate) fn check_participant(state: &State, who: &Character) -> Result<(), Refusal> {
    let name = &who.name;
    if who.retired {
        let summary = format!("{name} has left the story.");
        let back = json!({"action": "retire", "character": name});
        return Err(Refusal::new(Code::IsRetired, summary).send_call(
            "manage_character",
            &back,
            " to bring them back first",
        ));
    }
    if who.kind != Kind::Template {
        return Ok(());
    }
    let action = if state.open_combat().is_some() {
        "add"
    } else {
        "start"
    };
    let summary = format!(
        "{name} is a template, from which foes are made. Put one on the table with manage_combat action=\"{action}\" \
         combatants=[{{\"template\": \"{name}\"}}], or make one with manage_character action=\"create\" from=\"{name}\"."
    );
    Err(Refusal::new(Code::IsTemplate, summary))
}

/// The refusal while there is no character (`name`: the call's), with the call to make one.
pub fn no_character(system: &System, named: Option<&str>) -> Refusal {
    let (who, name) = match named.map(quoted) {
        Some(name) => (
            format!("There is nobody in this campaign yet, and no \"{name}\"."),
            name,
        ),
        None => (
            "There is no player character yet.".to_owned(),
            "…".to_owned(),
        ),
    };
    let create = format!("Send manage_character action=\"create\" name=\"{name}\"");
    let Some(first) = system.attributes.first() else {
        return Refusal::new(Code::NoCharacter, format!("{who} {create}."))
            .unknown(named.unwrap_or_default());
    };
    let asked = system.attributes.iter().map(|attribute| {
        let range = attribute
            .range
            .map_or(String::new(), |(low, high)| format!(" {low} to {high}"));
        format!("{}{range}", attribute.short())
    });
    let asked = asked.collect::<Vec<String>>().join(", ");
    let (attribute, middle) = (
        first.short(),
        first
            .range
            .map_or(0, |(low, high)| (low + high).div_euclid(2)),
    );
    let summary = format!(
        "{who} The rules ask for {asked}. {create} attributes={{\"{attribute}\": {middle}, …}}."
    );
    Refusal::new(Code::NoCharacter, summary)
        .at(first.place.to_string())
        .unknown(named.unwrap_or_default())
}

impl From<NameKind> for Code {
    fn from(named: NameKind) -> Self {
        match named {
            NameKind::Attribute => Code::UnknownAttribute,
            NameKind::Skill => Code::UnknownSkill,
            NameKind::Check => Code::UnknownCheck,
            NameKind::Difficulty => Code::UnknownDifficulty,
            NameKind::Track => Code::UnknownTrack,
            NameKind::Rest => Code::UnknownRest,
        }
    }
}

/// The refusal of a name that the rules do not have, with suggestions and the place in the rules.
pub fn unknown(unknown: UnknownName, parameter: &str, extra: &str) -> Refusal {
    let place = unknown
        .place
        .as_deref()
        .map_or(String::new(), |place| format!(" in {place}"));
    let source = unknown.place.map(String::into_boxed_str);
    if unknown.several {
        return Refusal {
            source,
            ..ambiguous(parameter, &unknown.wanted, unknown.suggestions)
        };
    }
    let summary = format!(
        "No {} \"{}\"{place}.",
        unknown.kind,
        quoted(&unknown.wanted)
    );
    let refusal = Refusal::new(unknown.kind.into(), summary);
    let refusal = match unknown.suggestions.is_empty() {
        false => refusal.near_and(parameter, unknown.suggestions, extra),
        true if unknown.known.is_empty() => refusal.and(&format!("The rules declare none{extra}.")),
        true => refusal.and(&format!("Known: {}{extra}.", unknown.known.join(", "))),
    };
    Refusal { source, ..refusal }
}

/// The prefix of a hidden newcomer's numbered name.
const UNSEEN: &str = "Unseen ";

/// The first free name of this kind; a plain "Goblin" counts as the first.
pub fn free_name(state: &State, kind: &str, hidden: bool) -> String {
    let taken: BTreeSet<String> = state
        .characters
        .values()
        .map(|character| fold(&character.name))
        .collect();
    let kind = if hidden {
        format!("{UNSEEN}{}", kind.trim())
    } else {
        kind.trim().to_owned()
    };
    // Templates do not count, and hidden characters do not count for a visible one.
    let counts =
        |known: &Character| known.kind != Kind::Template && (hidden || !state.is_hidden(known.id));
    let first = if by_name(state, &kind).is_some_and(counts) {
        2u32
    } else {
        1
    };
    let mut numbered = (first..).map(|number| format!("{kind} {number}"));
    numbered
        .find(|name| !taken.contains(&fold(name)))
        .unwrap_or_default()
}

/// The kind in a hidden newcomer's numbered name.
pub fn numbered_unseen(name: &str) -> Option<&str> {
    let (kind, number) = name.strip_prefix(UNSEEN)?.rsplit_once(' ')?;
    number.parse::<u32>().ok().map(|_| kind)
}

/// Whether there is a character of this kind, so that the next one gets a number.
pub fn kind_exists(state: &State, kind: &str) -> bool {
    by_name(state, kind).is_some() || by_name(state, &format!("{kind} 1")).is_some()
}
