//! Any bytes as `System.md`, through everything that is done with rules: read and linted, drawn in
//! every form, explained, and played for one check each. The fuzzer uses this file, too.

use std::collections::BTreeMap;
use std::sync::Arc;

use rollbook_game::decide::character::{self, SheetCall};
use rollbook_game::decide::check::{self, CheckCall};
use rollbook_game::decide::damage::{self, DamageCall};
use rollbook_game::decide::rest;
use rollbook_game::record::state::State;
use rollbook_game::table::{Chance, Unrecorded};
use rollbook_game::table::{Setting, Table};
use rollbook_rules::{Reading, model, proofs, read, reading_summary};
use rollbook_text::diagnostic::{Diagnostic, Fix, SourceFile, edited, render};

use super::faces::Faces;

/// Checks that are made of one file, and names of each kind that a character has.
const TRIED_MAX: usize = 8;
/// Rounds of edits that `check --fix` makes.
const ROUNDS_MAX: usize = 10;

/// Never a panic, never a hang; how many checks were rolled.
pub fn exercise(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let reading = read(vec![SourceFile::new("System.md", text)]);
    let proven = proofs(&reading);
    let (found, sources) = (
        &[reading.diagnostics.clone(), proven].concat(),
        &reading.sources,
    );
    mended(&reading, found);
    let _ = render::human(found, sources, true);
    let _ = render::plain(found, sources);
    let _ = render::json(found, sources, "");
    let _ = (reading_summary(&reading), model(&reading));
    played(&reading, bytes)
}

/// Every sure edit made, again and again, changes something and can be read. That it makes no error
/// is held for slips that authors make; in a text that was torn apart, a heading put right may show
/// what is wrong below it.
fn mended(reading: &Reading, found: &[Diagnostic]) {
    let mut fixes: Vec<Fix> = found
        .iter()
        .filter_map(Diagnostic::sure_fix)
        .cloned()
        .collect();
    let mut text = reading
        .sources
        .iter()
        .next()
        .map(|(_, file)| file.text.clone())
        .unwrap_or_default();
    for _ in 0..ROUNDS_MAX {
        let (better, made) = edited(&text, fixes.iter());
        if made == 0 {
            return;
        }
        assert_ne!(better, text, "an edit that changes nothing");
        text = better;
        let reading = read(vec![SourceFile::new("System.md", text.clone())]);
        fixes = reading
            .diagnostics
            .iter()
            .filter_map(Diagnostic::sure_fix)
            .cloned()
            .collect();
    }
}

fn played(reading: &Reading, bytes: &[u8]) -> usize {
    let system = &reading.system;
    let text = || "a".to_owned();
    let setting = Setting {
        system: Arc::new(system.clone()),
        rules_hash: reading.hash.clone(),
        rules_files: vec!["System.md".to_owned()],
        rules_text: Default::default(),
        adventure: text(),
        campaign: text(),
        characters_max: 2000,
        campaign_uuid: text(),
    };
    let mut dice = Unrecorded(Faces::of(bytes));
    let mut state = State::default();
    let attributes = system.attributes.iter().take(TRIED_MAX);
    let sheet = SheetCall {
        name: Some("Ana".to_owned()),
        attributes: attributes
            .map(|attribute| {
                (
                    attribute.name.clone(),
                    attribute.range.map_or(3, |(low, _)| low),
                )
            })
            .collect(),
        skills: system
            .skills
            .iter()
            .take(TRIED_MAX)
            .map(|skill| (skill.name.clone(), 1))
            .collect(),
        ..SheetCall::default()
    };
    let made = character::create(
        &mut Table::new(&mut state, &setting, &mut dice, 0, 0, None),
        sheet,
    );
    let somebody = made.is_ok().then(|| "Ana".to_owned());
    let mut rolled = 0;
    for check in system.checks.iter().take(TRIED_MAX) {
        let formulas = std::iter::once(&check.roll).chain(&check.target);
        let names = formulas.flat_map(|formula| {
            formula
                .variables()
                .into_iter()
                .map(|variable| variable.name.clone())
        });
        let values: BTreeMap<String, String> = names.map(|name| (name, "3".to_owned())).collect();
        let call = CheckCall {
            check: Some(check.name.clone()),
            character: somebody.clone(),
            skill: system.skills.first().map(|skill| skill.name.clone()),
            attribute: system
                .attributes
                .first()
                .map(|attribute| attribute.name.clone()),
            difficulty: Some(10),
            modifier: 1,
            values,
            ..CheckCall::default()
        };
        // What a rule does not use is refused, so it is tried with less, too.
        let bare = CheckCall {
            difficulty: None,
            skill: None,
            ..call.clone()
        };
        for call in [call, bare] {
            let mut table = Table::new(&mut state, &setting, &mut dice, 0, 9, None);
            rolled += usize::from(check::decide(&mut table, call, None).is_ok());
        }
    }
    if somebody.is_some() {
        hurt_and_rested(reading, &mut state, &setting, &mut dice);
    }
    rolled
}

/// Hits and healing on whatever the rules call health, on each track by its name, and every rest.
/// What is refused moves nothing; what is not keeps every track within its bounds.
fn hurt_and_rested(reading: &Reading, state: &mut State, setting: &Setting, dice: &mut dyn Chance) {
    let system = &reading.system;
    let tracks = system
        .tracks
        .iter()
        .take(TRIED_MAX)
        .map(|track| Some(track.name.clone()));
    for track in std::iter::once(None).chain(tracks) {
        for amount in [1, 7, -3, 1000, -1000] {
            let call = DamageCall {
                target: "Ana".to_owned(),
                amount: Some(amount),
                track: track.clone(),
                ..DamageCall::default()
            };
            let mut table = Table::new(state, setting, dice, 0, 9, None);
            let _ = damage::decide(&mut table, call, None);
        }
    }
    for declared in system.rests.iter().take(TRIED_MAX) {
        let mut table = Table::new(state, setting, dice, 0, 9, None);
        let _ = rest::rest(&mut table, Some("Ana"), Some(&declared.label));
    }
    for track in state.tracks.values() {
        let within = track.value >= track.min && track.max.is_none_or(|max| track.value <= max);
        assert!(within, "{track:?}");
    }
}
