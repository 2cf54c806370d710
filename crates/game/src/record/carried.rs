//! What a log that goes on in a new one carries over: everything that play needs, and nothing more.
//!
//! A row's id is the number of the entry that made it, and the new log counts from 1. So ids of
//! before count back from the end of the earlier log: -1 is its last entry, -2 the one before. They
//! keep their order, and no new entry gets one of them.

use crate::record::change::{Change, Images};
use crate::record::state::{
    Campaign, Character, Combat, Combatant, Condition, Item, Note, NoteKind, State, Track,
    TurnsLeft,
};
use std::collections::BTreeSet;

impl State {
    /// The rows that begin a log where one with this state and so many entries ended.
    pub fn carried(&self, entries: u64, campaign: Campaign) -> Vec<Change> {
        let back = i64::try_from(entries).unwrap_or(i64::MAX).saturating_add(1);
        let id = |id: i64| id.saturating_sub(back);
        let combatants = self.combatants_in_play();
        let fights: BTreeSet<i64> = combatants
            .iter()
            .map(|member| member.combat)
            .chain(self.open_combat().map(|fight| fight.id))
            .collect();
        let mut rows = vec![Change::Campaign(Images::made(campaign))];
        // Numbers of sessions go on.
        rows.extend(
            self.sessions
                .values()
                .next_back()
                .cloned()
                .map(|row| Change::Session(Images::made(row))),
        );
        for row in self.characters.values().cloned() {
            rows.push(Change::Character(Images::made(Character {
                id: id(row.id),
                ..row
            })));
        }
        for row in self.tracks.values().cloned() {
            rows.push(Change::Track(Images::made(Track {
                character: id(row.character),
                ..row
            })));
        }
        for row in self.conditions.values().cloned() {
            let lasts = row.lasts.map(|lasts| TurnsLeft {
                anchor: id(lasts.anchor),
                ..lasts
            });
            let (character, since, caused_by) =
                (id(row.character), id(row.since), row.caused_by.map(id));
            rows.push(Change::Condition(Images::made(Condition {
                character,
                since,
                lasts,
                caused_by,
                ..row
            })));
        }
        for row in self.items.values().cloned() {
            rows.push(Change::Item(Images::made(Item {
                character: id(row.character),
                ..row
            })));
        }
        for row in self
            .combats
            .values()
            .filter(|fight| fights.contains(&fight.id))
            .cloned()
        {
            let (current, interrupted) = (row.current.map(id), row.interrupted.map(id));
            // The entries of the current turn are not in this log, so it is not taken back.
            let row = Combat {
                id: id(row.id),
                current,
                interrupted,
                advanced: None,
                ..row
            };
            rows.push(Change::Combat(Images::made(row)));
        }
        for row in combatants.into_iter().cloned() {
            let (combat, character, turn_at) =
                (id(row.combat), id(row.character), row.turn_at.map(id));
            rows.push(Change::Combatant(Images::made(Combatant {
                id: id(row.id),
                combat,
                character,
                turn_at,
                ..row
            })));
        }
        for row in self.notes_in_play().into_iter().cloned() {
            rows.push(Change::Note(Images::made(Note {
                id: id(row.id),
                reader: row.reader.map(id),
                closed_by: row.closed_by.map(id),
                ..row
            })));
        }
        rows.extend(
            self.clocks
                .values()
                .cloned()
                .map(|row| Change::Clock(Images::made(row))),
        );
        rows.extend(
            self.decks
                .values()
                .cloned()
                .map(|row| Change::Deck(Images::made(row))),
        );
        rows
    }

    /// Those of the open fight; of others the rows that say whom players met, and who is hidden.
    fn combatants_in_play(&self) -> Vec<&Combatant> {
        let open = self.open_combat().map(|combat| combat.id);
        let (mut last, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let lasts = self
            .conditions
            .values()
            .filter_map(|row| row.lasts.as_ref());
        let anchors: BTreeSet<i64> = lasts.map(|lasts| lasts.anchor).collect();
        let is_in_play = |member: &&Combatant| {
            let says = self.tells_of_sight(member);
            let is_last = says && last.insert(member.character);
            let is_met = says && !member.hidden && seen.insert(member.character);
            Some(member.combat) == open || is_last || is_met || anchors.contains(&member.id)
        };
        let mut kept: Vec<&Combatant> = self.combatants.values().rev().filter(is_in_play).collect();
        kept.reverse();
        kept
    }

    /// Open threads, for players alone with the notes that closed them; where the story is.
    fn notes_in_play(&self) -> Vec<&Note> {
        let closed_unseen = |note: &Note| {
            let by = note
                .closed_by
                .filter(|_| note.kind == NoteKind::Thread && !note.hidden)?;
            self.notes.get(&by).filter(|note| note.hidden)
        };
        let scene = |is_seen: bool| {
            let mut scenes = self
                .notes
                .values()
                .rev()
                .filter(|note| note.kind == NoteKind::Scene);
            scenes.find(move |note| !is_seen || !note.hidden)
        };
        let mut kept: Vec<&Note> = self
            .notes
            .values()
            .filter(|note| note.is_open_thread())
            .collect();
        for thread in self.notes.values() {
            if let Some(by) = closed_unseen(thread) {
                kept.extend([thread, by]);
            }
        }
        kept.extend(scene(true).into_iter().chain(scene(false)));
        kept.sort_by_key(|note| note.id);
        kept.dedup_by_key(|note| note.id);
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::state::CombatStatus;

    fn note(id: i64, kind: NoteKind, closed_by: Option<i64>, hidden: bool) -> Note {
        Note {
            id,
            session: 1,
            kind,
            text: format!("note {id}"),
            hidden,
            reader: None,
            closed_by,
        }
    }

    #[test]
    fn ids_of_before_count_back_and_what_is_over_is_left() {
        let mut state = State::default();
        let fought = |id: i64, status: CombatStatus| {
            let (current, advanced) = (Some(id + 1), Some(id + 2));
            Combat {
                id,
                status,
                round: 2,
                current,
                advanced,
                ..Combat::default()
            }
        };
        let fights = |id: i64, combat: i64, character: i64| Combatant {
            id,
            combat,
            character,
            initiative: Some(9),
            turn_at: Some(id),
            ..Combatant::default()
        };
        for id in [3, 4] {
            state.characters.insert(
                id,
                Character {
                    id,
                    name: format!("c{id}"),
                    ..Character::default()
                },
            );
        }
        for (combat, rows) in [(10, [11, 12]), (20, [21, 22]), (30, [31, 0])] {
            let status = if combat == 30 {
                CombatStatus::Running
            } else {
                CombatStatus::Ended
            };
            state.combats.insert(combat, fought(combat, status));
            for (nth, row) in rows.into_iter().enumerate().filter(|(_, row)| *row > 0) {
                state
                    .combatants
                    .insert(row, fights(row, combat, [3, 4][nth]));
            }
        }
        for row in [
            note(13, NoteKind::Thread, None, false),
            note(14, NoteKind::Thread, Some(15), false),
            note(15, NoteKind::Note, None, false),
            note(16, NoteKind::Thread, Some(17), false),
            note(17, NoteKind::Note, None, true),
            note(18, NoteKind::Scene, None, false),
            note(19, NoteKind::Scene, None, true),
        ] {
            state.notes.insert(row.id, row);
        }
        let mut new = State::default();
        new.apply(&state.carried(39, Campaign::default()));
        assert_eq!(
            new.characters.keys().copied().collect::<Vec<_>>(),
            [-37, -36]
        );
        assert_eq!(
            new.combats.keys().copied().collect::<Vec<_>>(),
            [-20, -10],
            "the first fight says nothing more"
        );
        assert_eq!(
            new.combatants.keys().copied().collect::<Vec<_>>(),
            [-18, -9]
        );
        let fight = new.running_combat().expect("goes on");
        assert_eq!(
            (fight.id, fight.current, fight.advanced),
            (-10, Some(-9), None)
        );
        assert_eq!(
            new.notes.keys().copied().collect::<Vec<_>>(),
            [-27, -24, -23, -22, -21]
        );
        assert_eq!(new.notes[&-24].closed_by, Some(-23));
        assert!(new.is_met(-36, crate::record::state::Kind::Npc));
    }
}
