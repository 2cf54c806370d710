//! What an entry of the log came to.

use serde_json::{Map, Value};

use super::{Coverage, Item, Mark};
use rollbook_game::record::change::Change;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{CheckEvent, Event};
use rollbook_game::record::state::Track;
use rollbook_rules::by_type;
use rollbook_text::diagnostic::Place;
use rollbook_text::names::{Found, find, fold, same};

impl Coverage {
    pub fn follow(&mut self, entry: &Entry) {
        match &entry.event {
            Event::Check(event) => self.follow_check(event),
            Event::Damage(event) => {
                self.follow_triggers(&event.triggers);
                // "Coat: 2 off": what it is called stands before what it does.
                for step in event.steps.iter().filter_map(|own| own.step.split_once(": ")) {
                    self.reach(|mark| matches!(mark, Mark::Mitigation(name) if is_of(step.0, name) || same(by_type(step.0).0, name)));
                }
            }
            Event::CharacterUpdated { triggers, .. } | Event::LevelUp { triggers, .. } => {
                self.follow_triggers(triggers)
            }
            Event::Rested { rest, triggers, .. } => {
                self.follow_triggers(triggers);
                self.reach(|mark| matches!(mark, Mark::Rest(name) if same(name, rest)));
            }
            Event::Clock(event) => {
                self.follow_triggers(&event.triggers);
                if event.from != event.to {
                    self.reach(|mark| matches!(mark, Mark::Shared(name) if same(name, &event.name)));
                }
            }
            Event::TableRoll(event) => {
                for drawn in &event.drawn {
                    // A row stands below the line in which its table begins; of two of a name the nearest is meant.
                    let place = self.table_of(&drawn.table, &drawn.place);
                    self.reach(|mark| matches!(mark, Mark::Table(_, own) if Some(own) == place.as_ref()));
                }
            }
            _ => {}
        }
        let made = matches!(entry.event, Event::CharacterCreated { .. });
        for change in &entry.changes {
            match change {
                Change::Track(images) if !made => {
                    let value = |row: &Option<Track>| row.as_ref().map(|own| own.value);
                    let Some(row) = images.row().filter(|_| value(&images.before) != value(&images.after)) else {
                        continue;
                    };
                    self.reach(|mark| matches!(mark, Mark::Track(name) if is_of(&row.name, name)));
                }
                Change::Condition(images) => {
                    let Some(row) = &images.after else { continue };
                    self.reach(|mark| matches!(mark, Mark::Condition(name) if same(name, &row.name)));
                }
                Change::Clock(images) => {
                    let (Some(before), Some(after)) = (&images.before, &images.after) else { continue };
                    if before.value != after.value {
                        self.reach(|mark| matches!(mark, Mark::Shared(name) if same(name, &after.name)));
                    }
                }
                Change::Track(_)
                | Change::Campaign(_)
                | Change::Session(_)
                | Change::Character(_)
                | Change::Item(_)
                | Change::Combat(_)
                | Change::Combatant(_)
                | Change::Note(_)
                | Change::Deck(_) => {}
            }
        }
    }

    /// Marks the attack that a call of `skill_check` made, which the log names only where it hit.
    pub fn follow_call(&mut self, tool: &str, arguments: &Map<String, Value>) {
        let Some(named) = arguments.get("attack").and_then(Value::as_str).filter(|_| tool == "skill_check") else {
            return;
        };
        let attacks = self.items.iter().filter_map(|own| match &own.mark {
            Mark::Attack(name) => Some((name.as_str(), name.clone())),
            _ => None,
        });
        if let Found::One(attack) = find(named, attacks) {
            self.reach(|mark| *mark == Mark::Attack(attack.clone()));
        }
    }

    fn follow_check(&mut self, event: &CheckEvent) {
        if event.stated.is_some() {
            return;
        }
        self.reach(|mark| matches!(mark, Mark::Check(name) if same(name, &event.check)));
        self.reach(|mark| {
            matches!(mark, Mark::Row { check, rank, .. } if same(check, &event.check) && Some(*rank) == event.rank)
        });
        if let Some(again) = &event.again {
            self.reach(|mark| {
                matches!(mark, Mark::FollowUp { check, rule } if same(check, &event.check) && same(rule, &again.rule))
            });
        }
        if let Some(other) = &event.opposed {
            self.reach(|mark| matches!(mark, Mark::Check(name) if same(name, &other.check)));
            // Of the other side the label alone is logged: where several rows have it, any of them may have won.
            let named = |mark: &Mark| matches!(mark, Mark::Row { check, label, .. } if same(check, &other.check) && Some(label) == other.label.as_ref());
            if self.items.iter().filter(|own| named(&own.mark)).count() == 1 {
                self.reach(named);
            }
        }
    }

    fn follow_triggers(&mut self, texts: &[String]) {
        self.reach(|mark| matches!(mark, Mark::Trigger(own) if texts.contains(own)));
    }

    /// Where the table of this name begins that has this line.
    fn table_of(&self, name: &str, place: &str) -> Option<Place> {
        let (file, line) = place.rsplit_once(':')?;
        let line: u32 = line.parse().ok()?;
        let begins = self.items.iter().filter_map(|own| match &own.mark {
            Mark::Table(own, place) if same(own, name) && place.file == file && place.line <= line => Some(place),
            _ => None,
        });
        begins.max_by_key(|place| place.line).cloned()
    }

    fn reach(&mut self, is: impl Fn(&Mark) -> bool) {
        let all = self.items.iter_mut().filter(|own: &&mut Item| is(&own.mark));
        all.for_each(|own| own.reached = true);
    }
}

/// Whether something is of this name or, with more in brackets, of its kind: `Stress (2)` is of `Stress`.
fn is_of(own: &str, name: &str) -> bool {
    same(own, name) || fold(own).strip_prefix(&fold(name)).is_some_and(|rest| rest.starts_with(" ("))
}
