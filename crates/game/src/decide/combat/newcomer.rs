//! Combatants that join a fight: known characters, or newcomers that are created.

use crate::decide::character::{self, HitPoints, SheetCall};
use crate::decide::combat::{begin, can_join};
use crate::limits::{self, LIMITS};
use crate::mechanics::lookup::{self, free_name, kind_exists};
use crate::record::state::{Character, Kind, State};
use crate::refusal::{Code, Refusal, Result};
use crate::{table::Table, view::snapshot::CharacterSnapshot};
use rollbook_rules::DamageLine;
use rollbook_text::names::{Found, listed, quoted, same, suggest};
use std::collections::BTreeMap;

/// A combatant in a call: a known character, or a newcomer.
#[derive(Debug, Default, Clone)]
pub struct Newcomer {
    pub name: String,
    /// The template that it is made from; a template's name in `name` means the same.
    pub template: Option<String>,
    /// What it is made from on the spot: a block of the adventure.
    pub made: Option<Box<SheetCall>>,
    /// How many, numbered when more than one.
    pub count: Option<i64>,
    /// Hit points of each.
    pub hp: Option<i64>,
    pub initiative: Option<i64>,
    /// Of several turns in each round; empty for one.
    pub initiatives: Vec<i64>,
    pub side: Option<String>,
    /// Of the players' side, where the call says so: a new one is then known by its name alone.
    pub is_player: Option<bool>,
    /// Hidden from players.
    pub hidden: bool,
    pub attributes: BTreeMap<String, i64>,
}

/// A character that joins, and its line in the call.
pub(super) type Fighter<'n> = (i64, &'n Newcomer);

/// The characters of a list of newcomers; new ones are created, all before the first one joins.
pub(super) fn fighters<'n>(
    table: &mut Table,
    newcomers: &'n [Newcomer],
) -> Result<Vec<Fighter<'n>>> {
    // Before any dice: the lines that make characters for certain.
    let certain = newcomers.iter().map(|line| match line.count.unwrap_or(1) {
        count @ 2.. => usize::try_from(count).unwrap_or(0).min(LIMITS.combatants),
        _ => usize::from(line.made.is_some()),
    });
    let certain = certain.sum();
    if certain > 0 {
        character::check_room(table, certain)?;
    }
    let mut fighters: Vec<Fighter> = Vec::new();
    let first_made = table.next_id();
    for newcomer in newcomers {
        // Hidden newcomers are numbered apart.
        let alike = |other: &&Newcomer| {
            same(&other.name, &newcomer.name) && other.hidden == newcomer.hidden
        };
        let line = Line {
            newcomer,
            first_made,
            several: newcomers.iter().filter(alike).count() > 1,
        };
        for id in line.characters(table, &fighters)? {
            if fighters.iter().any(|(other, _)| *other == id) {
                let name = table
                    .state
                    .characters
                    .get(&id)
                    .map_or(newcomer.name.as_str(), |who| who.name.as_str());
                let summary = format!(
                    "{name} is named twice. Name everybody once; use count for several of a kind, and initiatives=[18, 5] for several turns \
                     of one in each round."
                );
                return Err(Refusal::new(Code::DuplicateName, summary));
            }
            fighters.push((id, newcomer));
        }
    }
    let there = table
        .state
        .open_combat()
        .map_or(0, |combat| table.state.combatants_of(combat.id).count());
    limits::count("combatants", there + fighters.len(), LIMITS.combatants)?;
    Ok(fighters)
}

struct Line<'n> {
    newcomer: &'n Newcomer,
    /// The characters with this id and later ones are made by this call.
    first_made: i64,
    /// Other lines have the same name.
    several: bool,
}

impl Line<'_> {
    /// The characters of the line: the known one of that name, else `count` new ones.
    fn characters(&self, table: &mut Table, named: &[Fighter]) -> Result<Vec<i64>> {
        let newcomer = self.newcomer;
        limits::name("combatants.name", &newcomer.name)?;
        limits::number("initiative", newcomer.initiative.unwrap_or(0))?;
        limits::number("hp", newcomer.hp.unwrap_or(0))?;
        newcomer
            .side
            .as_ref()
            .map_or(Ok(()), |side| limits::name("combatants.side", side))?;
        let most = i64::try_from(LIMITS.combatants).unwrap_or(i64::MAX);
        let count = newcomer.count.unwrap_or(1);
        if !(1..=most).contains(&count) {
            let summary = format!(
                "count for {} is {count}; it takes 1 to {most}.",
                newcomer.name
            );
            return Err(Refusal::new(Code::LimitExceeded, summary));
        }
        let is_several = count > 1 || self.several;
        if let Some(sheet) = &newcomer.made {
            let is_person = sheet.kind.is_some_and(Kind::is_open);
            if is_person && let Some(known) = lookup::by_name(table.state, &newcomer.name) {
                let summary = format!(
                    "{0} is made already. Send {{\"name\": \"{0}\"}} without from.",
                    known.name
                );
                return Err(Refusal::new(Code::DuplicateName, summary)
                    .did_you_mean(vec![known.name.clone()]));
            }
            let numbered = is_several || kind_exists(table.state, &newcomer.name);
            return self.make(table, sheet, &newcomer.name, numbered);
        }
        if let Some(template) = template(table.state, newcomer)? {
            // A name that equals the template's does not name the character.
            let says_which = |named: &String| {
                !same(named, &newcomer.name) && !same(&template.name, &newcomer.name)
            };
            let is_named = newcomer.template.as_ref().is_some_and(says_which);
            let kind = if is_named {
                &newcomer.name
            } else {
                &template.name
            };
            let from = CharacterSnapshot {
                kind: Kind::Npc,
                ..CharacterSnapshot::of(table.state, &template)
            };
            let sheet = SheetCall {
                from: Some(Box::new(from)),
                ..SheetCall::default()
            };
            return self.make(table, &sheet, kind, !is_named || is_several);
        }
        if let Some(known) = self.known(table.state)?.filter(|_| count == 1) {
            // A foe of an earlier line counts as fighting already.
            let is_named = named.iter().any(|(id, _)| *id == known.id) && !known.kind.is_open();
            let fights = is_named || table.state.open_combatant(known.id).is_some();
            let is_meant = known.kind.is_open() || newcomer.hp.is_none();
            if fights && is_meant {
                return Err(already_fighting(table.state, newcomer, &known));
            }
            if !fights && (is_meant || !lookup::is_out_for_good(table.state, &known)) {
                lookup::check_participant(table.state, &known)?;
                begin::set_hit_points(table, &known, newcomer)?;
                return Ok(vec![known.id]);
            }
        }
        let is_absent =
            |who: &&Character| who.takes_part() && table.state.open_combatant(who.id).is_none();
        let absent = table.state.characters.values().filter(is_absent);
        let suggestions = suggest(&newcomer.name, absent.map(|who| who.name.as_str()));
        let only_named = newcomer.hp.is_none() && !is_described(newcomer);
        // A name that is nearly a known one is more often a slip than a new character.
        if only_named && (newcomer.is_player.is_none() || !suggestions.is_empty()) {
            return Err(nobody_known(table, newcomer, suggestions));
        }
        let kind = if newcomer.is_player == Some(true) {
            Kind::Player
        } else {
            Kind::Npc
        };
        let numbered = is_several || kind_exists(table.state, &newcomer.name);
        self.make(
            table,
            &SheetCall {
                kind: Some(kind),
                ..SheetCall::default()
            },
            &newcomer.name,
            numbered,
        )
    }

    /// The known character of that name, else the only one with that word in its name; where the
    /// line describes a newcomer, a word means only the players' side: "Goblin" with hit points is
    /// another goblin, "Jory" is always Jory Penrake.
    fn known(&self, state: &State) -> Result<Option<Character>> {
        let newcomer = self.newcomer;
        let new = newcomer.hp.is_some() || is_described(newcomer);
        let is_made = |who: &Character| who.id >= self.first_made;
        if let Some(known) = lookup::by_name(state, &newcomer.name) {
            return Ok((!is_made(known)).then(|| known.clone()));
        }
        let meant = |who: &&Character| {
            can_join(state, who) && !is_made(who) && (who.kind.is_open() || !new)
        };
        match lookup::find_ranked(
            &newcomer.name,
            state.characters.values().filter(meant),
            |_| 0,
        ) {
            Found::One(known) => Ok(Some(known.clone())),
            Found::Several(fit) => {
                let (fighting, free): (Vec<&Character>, Vec<&Character>) = fit
                    .into_iter()
                    .partition(|fit| state.open_combatant(fit.id).is_some());
                // All of this kind are fighting already, so another one is wanted.
                if let ([first, ..], []) = (fighting.as_slice(), free.as_slice()) {
                    return Err(already_fighting(state, newcomer, first));
                }
                let names: Vec<String> = free
                    .iter()
                    .chain(&fighting)
                    .map(|who| who.name.clone())
                    .collect();
                let summary = format!(
                    "\"{}\" could mean {}. Send {{\"name\": \"{}\"}}, or another of these; somebody new of that name comes with hp.",
                    quoted(&newcomer.name),
                    listed(names.iter().map(String::as_str), 300),
                    names.first().map_or("", String::as_str)
                );
                Err(Refusal::new(Code::AmbiguousName, summary).did_you_mean(names))
            }
            Found::Nothing => Ok(None),
        }
    }

    /// Creates `count` characters of the name `kind` with the call's hit points and scores.
    fn make(
        &self,
        table: &mut Table,
        sheet: &SheetCall,
        kind: &str,
        numbered: bool,
    ) -> Result<Vec<i64>> {
        let Newcomer {
            count,
            hp,
            hidden,
            attributes,
            ..
        } = self.newcomer;
        let one = |_| {
            let name = if numbered {
                free_name(table.state, kind, *hidden)
            } else {
                kind.to_owned()
            };
            let mut sheet = SheetCall {
                name: Some(name),
                hp: hp.map(HitPoints::full),
                free: true,
                ..sheet.clone()
            };
            sheet.attributes.extend(attributes.clone());
            Ok(i64::try_from(character::create(table, sheet)?).unwrap_or(i64::MAX))
        };
        (0..count.unwrap_or(1)).map(one).collect()
    }
}

fn already_fighting(state: &State, newcomer: &Newcomer, known: &Character) -> Refusal {
    let another = format!(
        " Send {{\"name\": \"{}\", \"hp\": 7}} for another one of its kind.",
        quoted(&newcomer.name)
    );
    let member = state.open_combatant(known.id);
    let first = member.and_then(|member| member.initiative).unwrap_or(10);
    let turns = format!(
        " For one more turn of {0} in each round: manage_combat action=\"set_initiative\" combatants=[{{\"name\": \"{0}\", \
         \"initiatives\": [{first}, {1}]}}].",
        known.name,
        newcomer.initiative.unwrap_or(5)
    );
    let another = if known.kind.is_open() {
        String::new()
    } else {
        another
    };
    Refusal::new(
        Code::DuplicateName,
        format!("{} is in this fight already.{turns}{another}", known.name),
    )
}

/// The refusal of an unknown name without a description of a newcomer.
fn nobody_known(table: &Table, newcomer: &Newcomer, suggestions: Vec<String>) -> Refusal {
    let name = quoted(&newcomer.name);
    // Marks take hits, or nothing does by itself, so that nobody needs hit points.
    let system = table.system();
    let is_marked = |line: &DamageLine| line.members().any(|name| system.soak(name).is_some());
    let has_marks = system
        .damage_line(None)
        .is_some_and(|line| line.stages.is_empty() || is_marked(line));
    let (new, hp, why) = match has_marks {
        true => ("count", "\"count\": 1", "; these rules count no hit points"),
        false => ("hp", "\"hp\": 7", ", with its own hit points for 7"),
    };
    let has_players = table.state.characters.values().any(Character::is_in_party);
    let is_template = |who: &&Character| who.kind == Kind::Template && !who.retired;
    let template = table.state.characters.values().find(is_template);
    let template = template.map_or(String::new(), |who| {
        format!(
            " One of a kind joins as {{\"name\": \"{name}\", \"template\": \"{}\"}}.",
            quoted(&who.name)
        )
    });
    let hint = match suggestions.first() {
        Some(first) => {
            format!(
                "Near: {}. Send {{\"name\": \"{first}\"}}; somebody new comes with {new}.",
                suggestions.join(", ")
            )
        }
        None if has_players => format!(
            "Send {{\"name\": \"{name}\", {hp}}} for a new foe{why}, or {{\"from\": \"Foes.md#{name}\"}} for a block of the adventure.{template} A player's character is made with manage_character \
             action=\"create\" name=\"{name}\" kind=\"player\"."
        ),
        // Before there are characters, a bare name is more often a player's.
        None => format!(
            "A character of the players is made first: manage_character action=\"create\" name=\"{name}\". A foe that is new comes as \
             {{\"name\": \"Goblin\", {hp}}}{why}, or from a block of the adventure: {{\"from\": \"Foes.md#Goblin\"}}.{template}"
        ),
    };
    Refusal::new(
        Code::MissingValue,
        format!("\"{name}\" is nobody the campaign knows. {hint}"),
    )
    .did_you_mean(suggestions)
}

fn is_described(newcomer: &Newcomer) -> bool {
    newcomer.count.is_some() || !newcomer.attributes.is_empty()
}

/// The template that is meant, by its name or a word; a word in `name` means characters before it.
fn template(state: &State, newcomer: &Newcomer) -> Result<Option<Character>> {
    let templates = || {
        state
            .characters
            .values()
            .filter(|who| who.kind == Kind::Template)
    };
    let found = |name: &str| {
        let found = lookup::find_ranked(name, templates(), |_| 0);
        lookup::one("template", name, found, |who| who.name.clone())
            .map(Option::<&Character>::cloned)
    };
    let Some(named) = &newcomer.template else {
        let living = state.characters.values().filter(|who| can_join(state, who));
        return match lookup::by_name(state, &newcomer.name) {
            Some(known) => Ok((known.kind == Kind::Template).then(|| known.clone())),
            None if newcomer.hp.is_some() => Ok(None),
            None if lookup::find_ranked(&newcomer.name, living, |_| 0) != Found::Nothing => {
                Ok(None)
            }
            None => found(&newcomer.name),
        };
    };
    if let Some(found) = found(named)? {
        return Ok(Some(found));
    }
    let Some(known) = lookup::by_name(state, named) else {
        let suggestions = suggest(named, templates().map(|template| template.name.as_str()));
        let hint = suggestions.first().map_or(String::new(), |first| {
            format!(
                " Near: {}. Send {{\"template\": \"{}\"}}.",
                suggestions.join(", "),
                quoted(first)
            )
        });
        let summary = format!("No template is called \"{}\".{hint}", quoted(named));
        // The tool adds whether one is on a page of the adventure.
        return Err(Refusal::new(Code::UnknownTemplate, summary)
            .did_you_mean(suggestions)
            .unknown(named));
    };
    let summary = format!(
        "{0} is no template. Send {{\"name\": \"{0}\"}} to bring {0} in, or make one with manage_character action=\"create\" \
         kind=\"template\" from=\"{0}\" name=\"…\".",
        known.name
    );
    Err(Refusal::new(Code::InvalidParameters, summary))
}
