//! What of the rules no playtest reaches; a thing is reached when it happens, not when expected.

use serde_json::{Map, Value};

use rollbook_game::record::change::Change;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{CharacterUpdated, CheckEvent, Event, LevelUp, Rested};
use rollbook_game::record::state::Track;
use rollbook_rules::random_table;
use rollbook_rules::{Check, Row, System, name_and_types};
use rollbook_text::diagnostic::{Place, Sources};
use rollbook_text::names::{Found, find, fold, same};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Check,
    Row,
    FollowUp,
    Track,
    Mitigation,
    Trigger,
    Condition,
    Attack,
    Rest,
    Table,
}

impl Kind {
    pub const ALL: [Kind; 10] = [
        Kind::Check,
        Kind::Row,
        Kind::FollowUp,
        Kind::Track,
        Kind::Mitigation,
        Kind::Trigger,
        Kind::Condition,
        Kind::Attack,
        Kind::Rest,
        Kind::Table,
    ];

    /// The word for one; several have an s.
    pub fn one(self) -> &'static str {
        match self {
            Kind::Check => "check",
            Kind::Row => "row",
            Kind::FollowUp => "follow-up",
            Kind::Track => "track",
            Kind::Mitigation => "mitigation",
            Kind::Trigger => "trigger",
            Kind::Condition => "condition",
            Kind::Attack => "attack",
            Kind::Rest => "rest",
            Kind::Table => "table",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub kind: Kind,
    /// "Attack", of a row "Attack: Miss, natural 1".
    pub name: String,
    pub place: Place,
    /// The call of a playtest that would reach it.
    pub advice: String,
    pub reached: bool,
    mark: Mark,
}

/// What of the rules there is to reach, and what of it playtests reached.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    items: Vec<Item>,
}

impl Coverage {
    pub(crate) fn count(&self, kind: Kind) -> (usize, usize) {
        count(self.items.iter().filter(|item| item.kind == kind))
    }

    pub(crate) fn total(&self) -> (usize, usize) {
        count(self.items.iter())
    }

    /// How much was reached, in whole percent, rounded down; 100 where nothing is declared.
    pub fn percent(&self) -> u8 {
        let (reached, all) = self.total();
        u8::try_from((reached * 100).checked_div(all).unwrap_or(100)).unwrap_or(100)
    }

    /// "checks 5 of 6, rows 18 of 24"; of kinds that the rules do not have nothing.
    pub fn summary(&self) -> String {
        let counted = Kind::ALL
            .into_iter()
            .map(|kind| (kind, self.count(kind)))
            .filter(|(_, (_, all))| *all > 0);
        let parts: Vec<String> = counted
            .map(|(kind, (reached, all))| format!("{}s {reached} of {all}", kind.one()))
            .collect();
        if parts.is_empty() {
            "the rules declare nothing".to_owned()
        } else {
            parts.join(", ")
        }
    }

    pub(crate) fn missed(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| !item.reached)
    }
}

fn count<'i>(items: impl Iterator<Item = &'i Item>) -> (usize, usize) {
    items.fold((0, 0), |(reached, all), item| {
        (reached + usize::from(item.reached), all + 1)
    })
}

/// By what it is known again in an entry.
#[derive(Debug, Clone, PartialEq)]
enum Mark {
    // Kind and name; of a character's track also marks whose names begin so; of a table its place.
    Named,
    Row {
        check: String,
        rank: u32,
        label: String,
    },
    FollowUp {
        check: String,
        rule: String,
    },
    // Its name: a clock, or a track that all share.
    Shared,
    Trigger(String),
}

impl Coverage {
    /// What these rules declare, of which nothing is reached yet. `sources` are their files.
    pub fn of(system: &System, sources: &Sources) -> Coverage {
        let mut all = Coverage::default();
        for check in &system.checks {
            all.add_check(check);
        }
        all.add_tracks(system);
        for defence in &system.defences {
            let name = &defence.rule.name;
            let advice =
                format!("> apply_damage target=\"…\" amount=5, to somebody who has {name}");
            all.add(Kind::Mitigation, name, &defence.place, advice, Mark::Named);
        }
        let shared = system.company.iter().flat_map(|company| &company.triggers);
        for trigger in system.triggers.iter().chain(shared) {
            let advice = format!("a call that brings about: {}", trigger.label);
            let name = format!("{}: {}", trigger.label, trigger.text);
            let mark = Mark::Trigger(trigger.text.clone());
            all.add(Kind::Trigger, &name, &trigger.place, advice, mark);
        }
        for condition in &system.conditions {
            let name = &condition.name;
            let level = condition
                .levels
                .map_or_else(String::new, |(low, _)| format!(" {low}"));
            let advice = format!(
                "> apply_damage target=\"…\" amount=0 apply_conditions=[\"{name}{level}\"]"
            );
            all.add(Kind::Condition, name, &condition.place, advice, Mark::Named);
        }
        for attack in &system.attacks {
            let name = &attack.name;
            let advice = format!("> skill_check character=\"…\" attack=\"{name}\" target=\"…\"");
            all.add(Kind::Attack, name, &attack.place, advice, Mark::Named);
        }
        for rest in &system.rests {
            let advice = format!("> manage_character action=rest kind=\"{}\"", rest.label);
            all.add(Kind::Rest, &rest.label, &rest.place, advice, Mark::Named);
        }
        for table in random_table::read(sources) {
            let advice = format!("> roll_dice table=\"{}\"", table.name);
            all.add(Kind::Table, &table.name, &table.place, advice, Mark::Named);
        }
        all
    }

    fn add(&mut self, kind: Kind, name: &str, place: &Place, advice: String, mark: Mark) {
        self.items.push(Item {
            kind,
            name: name.to_owned(),
            place: place.clone(),
            advice,
            reached: false,
            mark,
        });
    }

    /// A check with its rows and follow-ups; rows that the program took for granted need no test.
    fn add_check(&mut self, check: &Check) {
        let name = &check.name;
        let advice = format!("> skill_check check=\"{name}\"");
        self.add(Kind::Check, name, &check.place, advice, Mark::Named);
        let is_written = |row: &Row| row.place != check.place;
        for (rank, row) in (1..).zip(&check.rows).filter(|(_, row)| is_written(row)) {
            let when = row.when_text.trim();
            let dice = if same(when, "otherwise") {
                "none of the rows above it".to_owned()
            } else {
                when.to_owned()
            };
            let advice = format!("> skill_check check=\"{name}\", with dice that come to {dice}");
            let full = format!("{name}: {}, {when}", row.label);
            let mark = Mark::Row {
                check: name.clone(),
                rank,
                label: row.label.clone(),
            };
            self.add(Kind::Row, &full, &row.place, advice, mark);
        }
        for follow_up in &check.follow_ups {
            let advice = format!(
                "> skill_check again=\"last {}\", after a skill_check of {name}",
                follow_up.name
            );
            let mark = Mark::FollowUp {
                check: name.clone(),
                rule: follow_up.name.clone(),
            };
            self.add(
                Kind::FollowUp,
                &format!("{name}: {}", follow_up.name),
                &follow_up.place,
                advice,
                mark,
            );
        }
    }

    fn add_tracks(&mut self, system: &System) {
        let tracks = system
            .tracks
            .iter()
            .map(|track| (&track.name, &track.place));
        let marks = system.soaks.iter().map(|soak| (&soak.name, &soak.place));
        for (name, place) in tracks.chain(marks) {
            let advice = format!("> apply_damage target=\"…\" track=\"{name}\" amount=1");
            self.add(Kind::Track, name, place, advice, Mark::Named);
        }
        for track in system.company.iter().flat_map(|company| &company.tracks) {
            let name = &track.name;
            let advice = format!("> manage_session action=clock name=\"{name}\" tick=1");
            self.add(Kind::Track, name, &track.place, advice, Mark::Shared);
        }
    }

    pub(crate) fn follow(&mut self, entry: &Entry) {
        match &entry.event {
            Event::Check(event) => self.follow_check(event),
            Event::Damage(event) => {
                self.follow_triggers(&event.triggers);
                // "Coat: 2 off": what it is called stands before what it does.
                for step in event
                    .steps
                    .iter()
                    .filter_map(|step| step.step.split_once(": "))
                {
                    self.reach_named(Kind::Mitigation, |name| {
                        is_of(step.0, name) || same(name_and_types(step.0).0, name)
                    });
                }
            }
            Event::CharacterUpdated(CharacterUpdated { triggers, .. })
            | Event::LevelUp(LevelUp { triggers, .. }) => self.follow_triggers(triggers),
            Event::Rested(Rested { rest, triggers, .. }) => {
                self.follow_triggers(triggers);
                self.reach_named(Kind::Rest, |name| same(name, rest));
            }
            Event::Clock(event) => {
                self.follow_triggers(&event.triggers);
                if event.from != event.to {
                    self.reach_shared(&event.name);
                }
            }
            Event::TableRoll(event) => {
                for drawn in &event.drawn {
                    // A row is below the line where its table begins; of two of a name the nearest.
                    let place = self.table_of(&drawn.table, &drawn.place);
                    self.reach(|item| {
                        item.kind == Kind::Table && Some(&item.place) == place.as_ref()
                    });
                }
            }
            _ => {}
        }
        let made = matches!(entry.event, Event::CharacterCreated(_));
        for change in &entry.changes {
            match change {
                Change::Track(images) if !made => {
                    let value = |row: &Option<Track>| row.as_ref().map(|row| row.value);
                    let Some(row) = images
                        .row()
                        .filter(|_| value(&images.before) != value(&images.after))
                    else {
                        continue;
                    };
                    self.reach_named(Kind::Track, |name| is_of(&row.name, name));
                }
                Change::Condition(images) => {
                    let Some(row) = &images.after else { continue };
                    self.reach_named(Kind::Condition, |name| same(name, &row.name));
                }
                Change::Clock(images) => {
                    if let (Some(before), Some(after)) = (&images.before, &images.after)
                        && before.value != after.value
                    {
                        self.reach_shared(&after.name);
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
        let Some(named) = arguments
            .get("attack")
            .and_then(Value::as_str)
            .filter(|_| tool == "skill_check")
        else {
            return;
        };
        let attacks = self.items.iter().filter(|item| item.kind == Kind::Attack);
        let attacks = attacks.map(|item| (item.name.as_str(), item.name.clone()));
        if let Found::One(attack) = find(named, attacks) {
            self.reach_named(Kind::Attack, |name| *name == attack);
        }
    }

    fn follow_check(&mut self, event: &CheckEvent) {
        if event.stated.is_some() {
            return;
        }
        self.reach_named(Kind::Check, |name| same(name, &event.check));
        self.reach(|item| {
            matches!(&item.mark, Mark::Row { check, rank, .. } if same(check, &event.check) && Some(*rank) == event.rank)
        });
        if let Some(again) = &event.again {
            self.reach(|item| {
                matches!(&item.mark, Mark::FollowUp { check, rule } if same(check, &event.check) && same(rule, &again.rule))
            });
        }
        if let Some(other) = &event.opposed {
            self.reach_named(Kind::Check, |name| same(name, &other.check));
            // Only the other side's label is logged: any of the rows that have it may have won.
            let named = |item: &Item| matches!(&item.mark, Mark::Row { check, label, .. } if same(check, &other.check) && Some(label) == other.label.as_ref());
            if self.items.iter().filter(|item| named(item)).count() == 1 {
                self.reach(named);
            }
        }
    }

    fn follow_triggers(&mut self, texts: &[String]) {
        self.reach(|item| matches!(&item.mark, Mark::Trigger(text) if texts.contains(text)));
    }

    fn table_of(&self, name: &str, place: &str) -> Option<Place> {
        let (file, line) = place.rsplit_once(':')?;
        let line: u32 = line.parse().ok()?;
        let tables = self
            .items
            .iter()
            .filter(|item| item.kind == Kind::Table && same(&item.name, name));
        let places = tables.map(|item| &item.place);
        let begins = places.filter(|place| place.file == file && place.line <= line);
        begins.max_by_key(|place| place.line).cloned()
    }

    fn reach_named(&mut self, kind: Kind, is: impl Fn(&str) -> bool) {
        self.reach(|item| item.kind == kind && item.mark == Mark::Named && is(&item.name));
    }

    fn reach_shared(&mut self, name: &str) {
        self.reach(|item| item.mark == Mark::Shared && same(&item.name, name));
    }

    fn reach(&mut self, is: impl Fn(&Item) -> bool) {
        let all = self.items.iter_mut().filter(|item: &&mut Item| is(item));
        all.for_each(|item| item.reached = true);
    }
}

/// Whether it has this name or, with more in brackets, is of its kind: `Stress (2)` is of `Stress`.
fn is_of(full: &str, name: &str) -> bool {
    same(full, name)
        || fold(full)
            .strip_prefix(&fold(name))
            .is_some_and(|rest| rest.starts_with(" ("))
}
