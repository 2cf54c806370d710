//! What there is to reach: everything that the rules declare and that a call can come to.

use super::{Coverage, Item, Kind};
use rollbook_rules::random_table;
use rollbook_rules::{Check, Row, System};
use rollbook_text::diagnostic::{Place, Sources};
use rollbook_text::names::same;

/// By what it is known again in an entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mark {
    Check(String),
    Row {
        check: String,
        rank: u32,
        label: String,
    },
    FollowUp {
        check: String,
        rule: String,
    },
    /// A character's track, or marks whose names begin so.
    Track(String),
    /// A clock, or a track that all share.
    Shared(String),
    Mitigation(String),
    /// By its text.
    Trigger(String),
    Condition(String),
    Attack(String),
    Rest(String),
    /// By its name and the line in which it begins.
    Table(String, Place),
}

impl Coverage {
    /// What these rules declare, of which nothing is reached yet. `sources` are their files.
    pub fn of(system: &System, sources: &Sources) -> Coverage {
        let mut all = Coverage::default();
        for check in &system.checks {
            all.add_check(check);
        }
        all.add_tracks(system);
        for own in &system.defences {
            let name = &own.rule.name;
            let advice = format!("> apply_damage target=\"…\" amount=5, to somebody who has {name}");
            all.add(Kind::Mitigation, name, &own.place, advice, Mark::Mitigation(name.clone()));
        }
        let shared = system.company.iter().flat_map(|company| &company.triggers);
        for own in system.triggers.iter().chain(shared) {
            let advice = format!("a call that brings about: {}", own.label);
            let name = format!("{}: {}", own.label, own.text);
            all.add(Kind::Trigger, &name, &own.place, advice, Mark::Trigger(own.text.clone()));
        }
        for own in &system.conditions {
            let level = own.levels.map_or_else(String::new, |(low, _)| format!(" {low}"));
            let advice = format!("> apply_damage target=\"…\" amount=0 apply_conditions=[\"{}{level}\"]", own.name);
            all.add(Kind::Condition, &own.name, &own.place, advice, Mark::Condition(own.name.clone()));
        }
        for own in &system.attacks {
            let advice = format!("> skill_check character=\"…\" attack=\"{}\" target=\"…\"", own.name);
            all.add(Kind::Attack, &own.name, &own.place, advice, Mark::Attack(own.name.clone()));
        }
        for own in &system.rests {
            let advice = format!("> manage_character action=rest kind=\"{}\"", own.label);
            all.add(Kind::Rest, &own.label, &own.place, advice, Mark::Rest(own.label.clone()));
        }
        for own in random_table::read(sources) {
            let advice = format!("> roll_dice table=\"{}\"", own.name);
            all.add(Kind::Table, &own.name, &own.place, advice, Mark::Table(own.name.clone(), own.place.clone()));
        }
        all
    }

    fn add(&mut self, kind: Kind, name: &str, place: &Place, advice: String, mark: Mark) {
        self.items.push(Item { kind, name: name.to_owned(), place: place.clone(), advice, reached: false, mark });
    }

    /// A check with its rows and follow-ups; rows that the program took for granted are nobody's to test.
    fn add_check(&mut self, check: &Check) {
        let name = &check.name;
        self.add(Kind::Check, name, &check.place, format!("> skill_check check=\"{name}\""), Mark::Check(name.clone()));
        let is_written = |row: &Row| row.place != check.place;
        for (rank, row) in (1..).zip(&check.rows).filter(|(_, row)| is_written(row)) {
            let when = row.when_text.trim();
            let dice = match same(when, "otherwise") {
                true => "none of the rows above it".to_owned(),
                false => when.to_owned(),
            };
            let advice = format!("> skill_check check=\"{name}\", with dice that come to {dice}");
            let full = format!("{name}: {}, {when}", row.label);
            let mark = Mark::Row { check: name.clone(), rank, label: row.label.clone() };
            self.add(Kind::Row, &full, &row.place, advice, mark);
        }
        for own in &check.follow_ups {
            let advice = format!("> skill_check again=\"last {}\", after a skill_check of {name}", own.name);
            let mark = Mark::FollowUp { check: name.clone(), rule: own.name.clone() };
            self.add(Kind::FollowUp, &format!("{name}: {}", own.name), &own.place, advice, mark);
        }
    }

    fn add_tracks(&mut self, system: &System) {
        let tracks = system.tracks.iter().map(|own| (&own.name, &own.place));
        let marks = system.soaks.iter().map(|own| (&own.name, &own.place));
        for (name, place) in tracks.chain(marks) {
            let advice = format!("> apply_damage target=\"…\" track=\"{name}\" amount=1");
            self.add(Kind::Track, name, place, advice, Mark::Track(name.clone()));
        }
        for own in system.company.iter().flat_map(|company| &company.tracks) {
            let name = &own.name;
            let advice = format!("> manage_session action=clock name=\"{name}\" tick=1");
            self.add(Kind::Track, name, &own.place, advice, Mark::Shared(name.clone()));
        }
    }
}
