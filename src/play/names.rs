//! What can be named at this table, to read what was typed, and to complete it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::toolbox::Toolbox;
use rollbook_game::decide::damage;
use rollbook_game::import;
use rollbook_game::mechanics::clocks;
use rollbook_game::mechanics::duration::has_turns;
use rollbook_game::record::state::{Character, Kind};
use rollbook_game::view::Audience;
use rollbook_game::view::visibility::seen;
use rollbook_rules::System;
use rollbook_table::session::adventure::{Adventure, blocks};
use rollbook_text::diagnostic::SourceFile;

/// The names, each kind in its own order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Names {
    /// Everybody who is not retired; those of the open fight first.
    pub people: Vec<String>,
    pub party: Vec<String>,
    /// Attacks on anybody's sheet, and those that everybody has.
    pub attacks: Vec<String>,
    pub skills: Vec<String>,
    pub attributes: Vec<String>,
    pub checks: Vec<String>,
    pub difficulties: Vec<String>,
    pub conditions: Vec<String>,
    /// Types of damage of sheets and rules, and then of stat blocks; one may be there twice.
    pub damage_types: Vec<String>,
    pub rests: Vec<String>,
    /// The adventure's people for players, as `/new` takes them: Characters.md#Sabeth Quoin.
    pub sheets: Vec<String>,
    /// Its other stat blocks, as a fight takes them: Foes.md#Wrecker.
    pub foes: Vec<String>,
    pub sections: Vec<String>,
    pub clocks: Vec<String>,
    /// Whose turn it is, and in which round.
    pub turn: Option<(u32, Option<String>)>,
    /// There is a fight in which nobody waits for a turn.
    pub is_without_turns: bool,
    /// The rules themselves, by which a new character's scores are told from its skills.
    pub system: Arc<System>,
}

/// The stat blocks of an adventure's pages, read once for these pages, because it is slow.
#[derive(Debug, Default)]
pub struct Blocks {
    pages: Vec<SourceFile>,
    system: Arc<System>,
    sheets: Vec<String>,
    foes: Vec<String>,
    damage_types: Vec<String>,
}

impl Blocks {
    pub fn reload_if_changed(&mut self, adventure: &Adventure) {
        let (pages, system) = (adventure.pages_of_people(), &adventure.reading.system);
        if self.pages == pages && *self.system == *system {
            return;
        }
        let mut read = Blocks {
            system: Arc::new(system.clone()),
            ..Blocks::default()
        };
        for (page, name) in blocks(&pages, system) {
            let Ok(made) = import::import(&page.text, system, Some(&name), &page.name) else {
                continue;
            };
            let is_player = made.kind.is_some_and(Kind::is_open);
            let list = if is_player {
                &mut read.sheets
            } else {
                &mut read.foes
            };
            list.push(format!("{}#{}", page.name, made.snapshot.name));
            let tracks = made.snapshot.tracks.iter().map(|track| track.name.as_str());
            read.damage_types
                .extend(damage::types_of(made.snapshot.attacks.iter(), tracks));
        }
        *self = Blocks { pages, ..read };
    }
}

impl Names {
    /// Those of the campaign that is played and of these blocks, as far as that audience knows
    /// them. A campaign that cannot be read has only those of its rules; the next call says why.
    pub async fn at_table(toolbox: &Toolbox, audience: Audience, blocks: &Blocks) -> Names {
        let (adventure, is_gm) = (toolbox.host.adventure(), audience == Audience::Gm);
        let system = &adventure.reading.system;
        let mut state = toolbox.state().await.unwrap_or_default();
        let clocks = clocks::open(&state, system)
            .into_iter()
            .filter(|clock| is_gm || !clock.hidden);
        let clocks = clocks.map(|clock| clock.name).collect();
        if !is_gm {
            state = seen(&state, "");
        }
        let there = || {
            state
                .characters
                .values()
                .filter(|one| !one.retired && one.kind != Kind::Template)
        };
        let (fighting, others): (Vec<_>, Vec<_>) =
            there().partition(|one| state.open_combatant(one.id).is_some());
        let name = |character: &Character| character.name.clone();
        let attacks = there()
            .flat_map(|one| &one.attacks)
            .map(|attack| &attack.name);
        let attacks: BTreeSet<&String> = attacks
            .chain(system.attacks.iter().map(|attack| &attack.name))
            .collect();
        let turn = state
            .open_combat()
            .filter(|combat| combat.round > 0)
            .map(|combat| {
                let current = combat.current.and_then(|id| state.combatants.get(&id));
                (
                    combat.round,
                    current
                        .and_then(|combatant| state.characters.get(&combatant.character))
                        .map(name),
                )
            });
        fn listed<T>(all: &[T], name: impl Fn(&T) -> &str) -> Vec<String> {
            all.iter().map(|item| name(item).to_owned()).collect()
        }
        // Where nothing else names types, those of the blocks are none that bind.
        let mut damage_types = damage::types(&state, system);
        if !damage_types.is_empty() {
            damage_types.extend(blocks.damage_types.iter().cloned());
        }
        Names {
            people: fighting.into_iter().chain(others).map(name).collect(),
            party: state
                .characters
                .values()
                .filter(|character| character.is_in_party())
                .map(name)
                .collect(),
            attacks: attacks.into_iter().cloned().collect(),
            skills: listed(&system.skills, |skill| &skill.name),
            attributes: listed(&system.attributes, |attribute| attribute.short()),
            checks: listed(&system.checks, |check| &check.name),
            difficulties: listed(&system.difficulties, |difficulty| &difficulty.name),
            conditions: listed(&system.conditions, |condition| &condition.name),
            damage_types,
            rests: listed(&system.rests, |rest| &rest.label),
            sections: listed(&system.sections, |section| &section.heading),
            clocks,
            turn,
            is_without_turns: state
                .open_combat()
                .is_some_and(|combat| !has_turns(system, combat)),
            system: Arc::new(system.clone()),
            sheets: blocks.sheets.clone(),
            // Whom they may meet is nothing that players look up.
            foes: if is_gm {
                blocks.foes.clone()
            } else {
                Vec::new()
            },
        }
    }
}
