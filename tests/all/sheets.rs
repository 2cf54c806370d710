//! Any character: written as a sheet and read back it is the same sheet; written as JSON and read
//! back it is the same character.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::Config;
use rollbook_game::import;
use rollbook_game::import::sheet::is_sheet;
use rollbook_game::record::state::{
    Attack, AttackDamage, Character, Condition, Item, Kind, Renewal, State, Ticks, Track, Until,
};
use rollbook_game::view::sheet::render;
use rollbook_game::view::snapshot::CharacterSnapshot;
use rollbook_rules::System;
use rollbook_text::diagnostic::SourceFile;
use rollbook_text::names::{fold, same};

const RULES: &str = "# Any\n\n## Attributes\n- Strength (STR): arms\n\n## Skills\n- Lore (STR): books\n\n## Health\n- Hit points: max `9`\n- Damage: Hit points\n\n\
                     ## Conditions\n- Frightened (1-3): -1 on checks\n";

fn system() -> System {
    rollbook_rules::read(vec![SourceFile::new("System.md", RULES)]).system
}

/// Names with everything in them that a sheet gives a meaning of its own.
fn name() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "|", "*", ",", "\\", "n", "**: ", "#", ">", " ", ":", "-", "2", "_", "é", "Notes",
    ]);
    (
        prop::sample::select(vec!["A", "Lore", "Strength", "frightened"]),
        prop::collection::vec(odd, 0..5),
        "[a-z]",
    )
        .prop_map(|(first, odd, last)| format!("{first}{}{last}", odd.concat()))
}

fn text() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "",
        " ",
        "> a",
        "## For the GM",
        "# b",
        "| c |",
        "- **d**: 1",
        "\\n",
        "\te",
        "f  ",
    ]);
    prop::collection::vec(line, 0..5).prop_map(|lines| lines.join("\n"))
}

fn scores() -> impl Strategy<Value = BTreeMap<String, i64>> {
    prop::collection::btree_map(name(), -20..20i64, 0..4)
}

fn track() -> impl Strategy<Value = Track> {
    let renewal = prop_oneof![
        (2..7i64).prop_map(Renewal::Recharge),
        Just(Renewal::Fight),
        Just(Renewal::Rest),
        Just(Renewal::Day),
    ];
    (
        name(),
        -9..20i64,
        -9..1i64,
        prop::option::of(0..30i64),
        any::<bool>(),
        prop::option::of(renewal),
    )
        .prop_map(|(name, value, min, max, fixed, renewal)| {
            let value = value.max(min).min(max.unwrap_or(i64::MAX));
            Track {
                character: 0,
                name,
                value,
                min,
                max,
                fixed,
                renewal: renewal.filter(|_| max > Some(0)),
            }
        })
}

fn item() -> impl Strategy<Value = Item> {
    let properties =
        prop::collection::btree_map(name(), text().prop_map(serde_json::Value::from), 0..2);
    (
        name(),
        1..9i64,
        any::<bool>(),
        prop::option::of(0..9i64),
        text(),
        any::<bool>(),
        properties,
    )
        .prop_map(
            |(name, quantity, equipped, uses, notes, hidden, properties)| Item {
                character: 0,
                name,
                quantity,
                equipped,
                uses,
                notes,
                hidden,
                properties,
            },
        )
}

fn attack() -> impl Strategy<Value = Attack> {
    let kind = prop::option::of(
        prop::sample::select(vec!["fire", "cold iron", "dragon's"]).prop_map(str::to_owned),
    );
    let amount = prop::sample::select(vec!["1d6 + 3", "max(1, 1d6)", "5", "1d8 + {STR}"])
        .prop_map(str::to_owned);
    let damage = (amount, kind).prop_map(|(amount, damage_type)| AttackDamage {
        amount,
        damage_type,
    });
    let words = || {
        prop::option::of(text())
            .prop_map(|text| text.filter(|text| !text.trim_matches(' ').is_empty()))
    };
    let roll = (prop::option::of(name()), prop::option::of(-9..9i64));
    let conditions = prop::sample::select(vec![vec![], vec!["prone"], vec!["burning 2", "prone"]]);
    (
        name(),
        roll,
        prop::collection::vec(damage, 0..3),
        words(),
        words(),
        conditions,
    )
        .prop_map(
            |(name, (skill, bonus), damage, range, effect, conditions)| {
                let conditions = conditions.into_iter().map(str::to_owned).collect();
                Attack {
                    name,
                    skill,
                    bonus,
                    damage,
                    range,
                    conditions,
                    effect,
                }
            },
        )
}

fn any_portrait() -> impl Strategy<Value = CharacterSnapshot> {
    let rows = (
        prop::collection::vec(track(), 0..4),
        prop::collection::vec((name(), prop::option::of(1..4i64)), 0..4),
        prop::collection::vec(item(), 0..4),
        (
            prop::collection::vec(attack(), 0..4),
            prop::option::of(0..999i64),
        ),
    );
    let learned = (
        scores(),
        scores(),
        prop::collection::btree_set(name(), 0..3),
    );
    (
        name(),
        prop::sample::select(Kind::ALL.to_vec()),
        (0..9i64, 0..999i64),
        rows,
        learned,
        (text(), text()),
        any::<bool>(),
    )
        .prop_map(
            |(
                name,
                kind,
                (level, xp),
                (tracks, conditions, items, (attacks, worth)),
                (attributes, skills, ticks),
                (notes, gm_notes),
                retired,
            )| {
                let ailment = |(name, level): (String, Option<i64>)| Condition {
                    // Only what the rules count has a level.
                    level: level.filter(|_| same(&name, "frightened")),
                    hidden: name.len().is_multiple_of(3),
                    until: match name.len() % 6 {
                        0 => Some(Until::Scene),
                        1 => Some(Until::Fight),
                        2 => Some(Until::Check("Lore".to_owned())),
                        3 => Some(Until::Removed),
                        4 => Some(Until::Time(
                            i64::try_from(name.len()).expect("a length") * 9000,
                        )),
                        _ => None,
                    },
                    name,
                    source: "gm".to_owned(),
                    ..Condition::default()
                };
                let mut kept = Ticks::default();
                ticks
                    .into_iter()
                    .for_each(|skill| kept.add(skill.clone(), skill.len().is_multiple_of(3)));
                let conditions = conditions
                    .into_iter()
                    .chain([("frightened".to_owned(), Some(2))])
                    .map(ailment);
                CharacterSnapshot {
                    tracks: once(tracks, |row| &row.name),
                    conditions: once(conditions.collect(), |row| &row.name),
                    items: once(items, |row| &row.name),
                    attacks: once(attacks, |row| &row.name),
                    worth,
                    level,
                    xp,
                    attributes,
                    skills,
                    ticks: kept,
                    notes,
                    gm_notes,
                    retired,
                    ..CharacterSnapshot::empty(&name, kind)
                }
            },
        )
}

/// Each name once.
fn once<T>(rows: Vec<T>, name: impl Fn(&T) -> &String) -> Vec<T> {
    let mut seen = BTreeSet::new();
    rows.into_iter()
        .filter(|row| seen.insert(fold(name(row))))
        .collect()
}

fn state(portrait: &CharacterSnapshot) -> State {
    let mut state = State::default();
    let CharacterSnapshot {
        name,
        kind,
        level,
        xp,
        attributes,
        skills,
        ticks,
        attacks,
        worth,
        notes,
        gm_notes,
        retired,
        ..
    } = portrait.clone();
    let learned = Character {
        attributes,
        skills,
        ticks,
        attacks,
        worth,
        ..Character::default()
    };
    let row = Character {
        id: 1,
        name,
        kind,
        level,
        xp,
        notes,
        gm_notes,
        retired,
        ..learned
    };
    state.characters.insert(1, row);
    state.tracks.extend(portrait.tracks.iter().map(|row| {
        (
            (1, row.name.clone()),
            Track {
                character: 1,
                ..row.clone()
            },
        )
    }));
    state.items.extend(portrait.items.iter().map(|row| {
        (
            (1, row.name.clone()),
            Item {
                character: 1,
                ..row.clone()
            },
        )
    }));
    state.conditions.extend(
        portrait
            .condition_rows(1)
            .into_iter()
            .map(|row| ((1, row.name.clone()), row)),
    );
    state
}

proptest! {
    #![proptest_config(Config { cases: 2000, failure_persistence: None, ..Config::default() })]

    #[test]
    fn a_sheet_that_is_read_and_written_again_is_the_same_text(portrait in any_portrait()) {
        let system = system();
        let table = state(&portrait);
        let written = render(&table, &system, &table.characters[&1], true);
        prop_assert!(is_sheet(&written), "{}", written);
        let read = import::import(&written, &system, None, "a sheet").map_err(|refusal| TestCaseError::fail(format!("{refusal}\n{written}")))?;
        let again = state(&read.snapshot);
        prop_assert_eq!(render(&again, &system, &again.characters[&1], true), written);
    }

    #[test]
    fn json_loses_nothing(portrait in any_portrait()) {
        let system = system();
        let table = state(&portrait);
        let out = import::export(&table, &table.characters[&1]);
        let back = import::import(&out, &system, None, &portrait.name).expect("our own JSON").snapshot;
        prop_assert_eq!(back, CharacterSnapshot::of(&table, &table.characters[&1]));
    }

    #[test]
    fn whatever_else_is_imported_is_refused_or_fits_a_sheet(text in "[#*|:\\- \\na-z0-9>{}\\[\\]\"]{0,200}", portrait in any_portrait(), at in any::<prop::sample::Index>()) {
        let system = system();
        drop(import::import(&text, &system, None, "anything"));
        let table = state(&portrait);
        let mut written = render(&table, &system, &table.characters[&1], true);
        let mut places = written.char_indices().map(|(place, _)| place).collect::<Vec<_>>();
        places.push(written.len());
        written.insert_str(places[at.index(places.len())], &text);
        if let Ok(came) = import::import(&written, &system, None, "a spoilt sheet") {
            prop_assert!(came.snapshot.check_limits().is_ok());
        }
    }
}

#[test]
fn what_a_condition_is_in_its_campaign_is_no_part_of_json() {
    for field in [
        r#""character": 7"#,
        r#""since": 3"#,
        r#""caused_by": 2"#,
        r#""group_name": "stance""#,
    ] {
        let text = format!(
            r#"{{"rollbook_character": 1, "character": {{"name": "Ana", "kind": "player", "conditions": [{{"name": "prone", "source": "gm", {field}}}]}}}}"#
        );
        let refusal = import::import(&text, &system(), None, "anything").err();
        let refusal = refusal.expect(field);
        assert!(refusal.summary.contains("Leave them out"), "{refusal}");
    }
}
