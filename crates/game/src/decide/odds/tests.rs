//! Odds are those of whole decisions.

use std::sync::Arc;

use super::attack::DamageTally;
use super::*;
use crate::decide::attack::{self, AttackCall};
use crate::record::state::{Attack, AttackDamage, Character, Kind, Track};
use rollbook_text::diagnostic::SourceFile;

fn setting(rules: &str) -> Setting {
    let reading = rollbook_rules::read(vec![SourceFile::new("System.md", rules)]);
    Setting {
        system: Arc::new(reading.system),
        rules_hash: String::new(),
        rules_files: Vec::new(),
        rules_text: Default::default(),
        adventure: "odds".to_owned(),
        campaign: "odds".to_owned(),
        campaign_uuid: String::new(),
        characters_max: 2000,
    }
}

#[test]
fn the_odds_by_verdicts_are_those_of_whole_decisions() {
    for rules in [
        "- Roll: `{pool}d6kh1`\n- With no dice: `2d6kl1`\n- On natural 6: +1 step\n\n| Outcome | When |\n|---|---|\n| critical success | 6s 2+ |\n| success | highest 6 |\n| partial success | highest 4-5 |\n| failure | otherwise |\n",
        "- Roll: `1d6! + {pool}`\n- Opposing dice: `2d4`\n\n| Outcome | When |\n|---|---|\n| Strong (success) | beaten 2 |\n| Weak (partial success) | beaten 1 |\n",
        "- Roll: `d%b{pool}`\n- Target: {difficulty} or less\n",
        "- Roll: `{pool}d6`\n- Count: 5+\n- Target: `{difficulty}`\n",
    ] {
        let setting = setting(&format!("## Checks\n### Any\n- Asks: pool 0 to 2\n{rules}"));
        for pool in ["0", "1", "2"] {
            let values = BTreeMap::from([("pool".to_owned(), pool.to_owned())]);
            let difficulty = rules.contains("{difficulty}").then_some(2);
            let call = CheckCall {
                difficulty,
                values,
                ..CheckCall::default()
            };
            let short = chances(&State::default(), &setting, &call).expect("odds");
            let long = by_decisions(&mut State::default(), &setting, &call).expect("odds");
            assert!(
                short.cut <= long.cut && (long.cut.is_zero() || !short.cut.is_zero()),
                "{rules} with {pool}"
            );
            assert_alike(&short, &long, &format!("{rules} with {pool}"));
        }
    }
}

/// Each outcome is as likely. Whole decisions reach the limit earlier; with nothing cut off, both
/// are exact.
fn assert_alike(short: &Chances, long: &Chances, case: &str) {
    let cells = |chances: &Chances| {
        let cell = |row: &Row| (row.outcome, row.label.clone(), row.rule.clone());
        chances
            .rows
            .iter()
            .map(|row| (cell(row), row.chance.clone()))
            .collect::<BTreeMap<_, _>>()
    };
    let (mine, theirs) = (cells(short), cells(long));
    for cell in mine.keys().chain(theirs.keys()) {
        let chance =
            |cells: &BTreeMap<_, Ratio>| cells.get(cell).cloned().unwrap_or_default().to_f64();
        assert!(
            (chance(&mine) - chance(&theirs)).abs() <= long.cut.to_f64() + 1e-12,
            "{case}: {cell:?}"
        );
    }
    let sum = short
        .rows
        .iter()
        .fold(short.cut.clone(), |sum, row| sum.plus(&row.chance));
    assert!(sum.is_one(), "{case}");
}

#[test]
fn the_odds_of_two_are_those_of_whole_decisions() {
    for rules in [
        "- Roll: `1d6 + {pool}`\n",
        "- Roll: `2d4 + {modifier}`\n- Target: `{difficulty}`\n",
        "- Roll: `2d4 + {modifier}`\n- Target: `{difficulty}`\n\n| Outcome | When |\n|---|---|\n| critical success | natural 4 |\n| success | margin 0+ |\n| failure | otherwise |\n",
        "- Roll: `3d6`\n- Count: 5+\n- Result: `successes + floor(6s / 2)`\n- Target: `1`\n",
        "- Roll: `1d4! + {pool}`\n- Target: `3`\n",
        "- Roll: `2d6 + {modifier}`\n- Opposed: lower total; ties actor\n",
        "- Roll: `1d10 + {pool}`\n- Target: `6`\n- Opposed: success, higher total; ties again\n",
        "- Roll: `2d6`\n- Count: 5+\n- Target: `1`\n- Opposed: higher total\n",
        "- Roll: `2d6`\n- Value low: `lowest + 1`\n- Opposed: higher {low}, higher total; ties other\n",
        "- Roll: `1d12 + {pool}`\n- Target: `{difficulty}`\n- Value half: `margin / 2`\n- Opposed: higher {half}; failures compared\n\n| Outcome | When |\n|---|---|\n| critical success | {half} 3+ |\n| success | margin 0+ |\n| failure | otherwise |\n",
        "- Roll: `1d6 + {modifier}`\n- Target: `{difficulty}`\n- Value half: `margin / 2`\n- Value low: `lowest`\n",
    ] {
        let difficulty = rules.contains("| Outcome").then_some(6);
        let setting = setting(&format!(
            "## Skills\n- Any\n- pool\n## Checks\n### Any\n{rules}"
        ));
        let mut state = fighters();
        let skill = Some("Any".to_owned());
        let opponent = CheckCall {
            character: Some("Bo".to_owned()),
            skill: skill.clone(),
            ..CheckCall::default()
        };
        let (character, opposed_by) = (Some("Ann".to_owned()), Some(opponent.into()));
        let call = CheckCall {
            character,
            skill,
            difficulty,
            opposed_by,
            ..CheckCall::default()
        };
        let short = chances(&state, &setting, &call).expect("odds");
        let of_its_own = rules.contains("Opposed");
        let wins = of_its_own.then(|| won_by_decisions(&mut state, &setting, &call));
        let long = by_decisions(&mut state, &setting, &call).expect("odds");
        assert_alike(&short, &long, rules);
        assert_eq!(long.values, short.values, "{rules}");
        let against = short.against.expect("who wins");
        let found = [&against.won, &against.tie].map(Ratio::to_f64);
        for (found, wins) in found.into_iter().zip(wins.into_iter().flatten()) {
            assert!(
                (found - wins).abs() <= long.cut.to_f64() + 1e-12,
                "{rules}: {found} and {wins}"
            );
        }
        assert!(
            against.won.to_f64() + against.tie.to_f64() < 1.0 && against.tie.to_f64() > 0.0,
            "{against:?}"
        );
    }
}

/// What each way that the dice can fall comes to, and how many such there are; `None`: cut off.
fn each_decision<T>(
    state: &mut State,
    setting: &Setting,
    decide: impl Fn(&mut Table) -> T,
) -> Vec<(Option<T>, BigUint)> {
    let mut dice = Unrecorded(Walker::new());
    let mut all = Vec::new();
    loop {
        let mut table = Table::new(state, setting, &mut dice, 0, 0, None);
        let decided = decide(&mut table);
        table.roll_back();
        all.push(((!dice.0.is_cut()).then_some(decided), dice.0.ways()));
        if !dice.0.advance() {
            return all;
        }
    }
}

/// How often the actor wins, and how often it is a tie, of whole decisions.
fn won_by_decisions(state: &mut State, setting: &Setting, call: &CheckCall) -> [f64; 2] {
    let decide = |table: &mut Table| {
        check::decide(table, call.clone(), None).map(|_| {
            table
                .call_entries()
                .next()
                .map(|one| one.entry.event.clone())
        })
    };
    let mut found = [0.0; 2];
    for (decided, ways) in each_decision(state, setting, decide) {
        let Some(decided) = decided else { continue };
        let Some(Event::Check(event)) = decided.expect("a check") else {
            panic!("no check")
        };
        let opposed = event.opposed.expect("an opponent");
        let chance = 1.0 / ways.to_string().parse::<f64>().expect("a number");
        found[0] += if opposed.won { chance } else { 0.0 };
        found[1] += if opposed.tie { chance } else { 0.0 };
    }
    found
}

#[test]
fn what_cannot_be_looked_at_is_told_from_what_can() {
    for roll in [
        "20d6!dl2",
        "9d10!!dl2",
        "40d20dl1 + 20d12 + 10d100",
        "12d6rr<3dl2",
    ] {
        let natural = "- On natural 6: +1 step";
        let setting = setting(&format!(
            "## Checks\n### Any\n- Roll: `{roll}`\n- Target: `20`\n{natural}\n"
        ));
        let refused =
            chances(&State::default(), &setting, &CheckCall::default()).expect_err("too much");
        assert_eq!(refused.code.as_str(), "limit_exceeded");
        assert!(
            refused.summary.contains(&format!("odds \"{roll}\"")),
            "{}",
            refused.summary
        );
    }
    for roll in [
        "2d6!",
        "1d20!",
        "5d6ro1",
        "3d4!!",
        "2d6!p",
        "20d6!",
        "8d10!!",
        "12d6ro1",
        "4d100ro<50",
    ] {
        let setting = setting(&format!(
            "## Checks\n### Any\n- Roll: `{roll}`\n- Target: `7`\n"
        ));
        assert!(
            chances(&State::default(), &setting, &CheckCall::default()).is_ok(),
            "{roll} can be looked at"
        );
    }
}

#[test]
fn flags_and_great_pools_have_their_exact_chances() {
    let rules = "- Roll: `2d6`\n- Target: `{difficulty}`\n- Flag doubles six: 6s 2+\n- Flag a one: 1s 1+\n- Flag never: 6s 3+\n";
    let setting = setting(&format!("## Checks\n### Any\n{rules}"));
    let call = CheckCall {
        difficulty: Some(7),
        ..CheckCall::default()
    };
    let found = chances(&State::default(), &setting, &call).expect("odds");
    let flags: Vec<String> = found
        .flags
        .iter()
        .map(|(name, chance)| format!("{name} {chance}"))
        .collect();
    assert_eq!(flags, ["doubles six 1/36", "a one 11/36", "never 0"]);
    let long = by_decisions(&mut State::default(), &setting, &call).expect("odds");
    assert_eq!(found.flags, long.flags);
    // A great pool has odds at once.
    let setting = self::setting(
        "## Checks\n### Any\n- Roll: `20d10`\n- Count: 6+\n- Target: `{difficulty}`\n",
    );
    let call = CheckCall {
        difficulty: Some(20),
        ..call
    };
    let rows = chances(&State::default(), &setting, &call)
        .expect("odds")
        .rows;
    assert_eq!(
        [0, 1].map(|row: usize| rows[row].chance.to_string()),
        ["1/1048576", "1048575/1048576"]
    );
}

/// A fight of two: Ann has a sword that burns, Bo wears armour that fire goes through.
const FIGHT: &str = "## Attributes\n- Might (MIG)\n- Range: 0 to 20\n\n## Health\n- Hit points: max 7\n- Rage: max 3\n- Damage: Hit points\n\
    - Damage types: fire\n- Armour: subtract {Armour}\n- Resistance: half\n- At 0 Hit points: gain Unconscious\n\n\
    ## Conditions\n- Unconscious: *cannot act*\n\n## Checks\n### Strike\n";

fn fighters() -> State {
    let mut state = State::default();
    for (id, name) in [(1, "Ann"), (2, "Bo")] {
        let attributes = ["Might", "pool"].map(|name| (name.to_owned(), id)).into();
        let skills = ["Any", "pool"].map(|name| (name.to_owned(), id)).into();
        let damage = |amount: &str, kind: Option<&str>| AttackDamage {
            amount: amount.to_owned(),
            damage_type: kind.map(str::to_owned),
        };
        let (attack, skill) = ("Ember".to_owned(), Some("Might".to_owned()));
        let damage = vec![damage("1d4 + {MIG}", None), damage("1d4", Some("fire"))];
        let attacks = vec![Attack {
            name: attack,
            skill,
            damage,
            ..Attack::default()
        }];
        let (name, kind) = (name.to_owned(), Kind::Player);
        let who = Character {
            id,
            name,
            kind,
            level: 1,
            attributes,
            skills,
            attacks,
            ..Character::default()
        };
        state.characters.insert(id, who);
        let tracks = [
            ("Hit points", 4, Some(7)),
            ("Rage", 1, Some(3)),
            ("Armour", 1, None),
            ("Resistance (fire)", 1, None),
        ];
        for (track, value, max) in tracks {
            let name = track.to_owned();
            state.tracks.insert(
                (id, name.clone()),
                Track {
                    character: id,
                    name,
                    value,
                    max,
                    ..Track::default()
                },
            );
        }
    }
    state
}

/// What an attack does, by whole decisions.
fn struck_by_decisions(setting: &Setting, call: &AttackCall) -> DamageOdds {
    let mut tally = DamageTally::default();
    for (struck, ways) in each_decision(&mut fighters(), setting, |table| {
        attack::decide(table, call)
    }) {
        let Some(struck) = struck else {
            count(&mut tally.cut, &ways, &one());
            continue;
        };
        let strikes = struck.expect("an attack");
        let [strike] = strikes.as_slice() else {
            panic!("one attack")
        };
        let result = strike.damage.as_ref();
        let points = result.map_or(0, |result| result.event.came_through());
        count(tally.points.entry(points).or_default(), &ways, &one());
        if result.is_some_and(|result| result.consequences.vitality.is_down(&setting.system)) {
            count(&mut tally.down, &ways, &one());
        }
    }
    tally.odds("Bo".to_owned())
}

#[test]
fn the_damage_of_an_attack_is_that_of_whole_decisions() {
    let by_margin = "| Outcome | When | Damage |\n|---|---|---|\n| critical success | natural 8 | dice twice |\n| success | margin 2+ | once |\n\
        | Graze (partial success) | margin 0+ | half |\n| failure | otherwise | none |\n";
    let by_value = "| Outcome | When | Damage |\n|---|---|---|\n| critical success | natural 8 | maximum |\n| success | margin 0+ | `{damage} + {SL}` |\n\
        | failure | otherwise | none |\n";
    let by_track = "| Outcome | When | Damage | Rage |\n|---|---|---|---|\n| success | margin 2+ | `{damage} + {Rage}` | +1 |\n\
        | Graze (partial success) | margin 0+ | twice | -1 |\n| failure | otherwise | `1` | |\n";
    let plain = "- Roll: `1d8 + {modifier}`\n- Target: `{difficulty}`\n";
    let valued = "- Roll: `1d8 + {modifier}`\n- Target: `{difficulty}`\n- Value SL: `margin / 2`\n";
    let contest = "- Roll: `1d6 + {modifier}`\n- Target: `{difficulty}`\n- Value SL: `margin / 2`\n- Opposed: higher total; ties actor\n";
    for (rules, table, difficulty, opposed, damage) in [
        (plain, "", Some(5), false, None),
        (plain, by_margin, Some(5), false, None),
        (plain, by_margin, Some(5), false, Some("2d4 - 3")),
        (valued, by_value, Some(4), false, Some("1d6")),
        (plain, by_track, Some(5), false, Some("1d4")),
        (plain, by_margin, Some(5), true, Some("1d4")),
        (contest, by_value, None, true, Some("1d4")),
        (plain, "", Some(5), false, Some("1d4!")),
    ] {
        let setting = setting(&format!("{FIGHT}{rules}\n{table}"));
        assert_eq!(setting.system.checks.len(), 1, "{rules}");
        let (bo, attribute) = (Some("Bo".to_owned()), Some("Might".to_owned()));
        let opponent = CheckCall {
            character: bo,
            attribute: attribute.clone(),
            ..CheckCall::default()
        };
        let (opposed_by, attribute) = (
            opposed.then(|| opponent.into()),
            attribute.filter(|_| damage.is_some()),
        );
        let character = Some("Ann".to_owned());
        let call = AttackCall {
            check: CheckCall {
                character,
                attribute,
                difficulty,
                opposed_by,
                ..CheckCall::default()
            },
            targets: vec!["Bo".to_owned()],
            attack: damage.is_none().then(|| "Ember".to_owned()),
            damage: damage.map(|text| (rollbook_dice::read(text).expect("dice"), text.to_owned())),
            ..AttackCall::default()
        };
        let whole = struck_by_decisions(&setting, &call);
        let found = chances_of_attack(&fighters(), &setting, &call)
            .expect("odds")
            .damage
            .expect("damage");
        let case = format!("{rules}{table}{damage:?}: {whole:?} and {found:?}");
        assert!(
            whole.points.len() > 2 && !whole.down.is_zero() && found.unread.is_zero(),
            "{case}"
        );
        if whole.cut.is_zero() {
            assert_eq!(found, whole, "{case}");
            let mean: f64 = whole
                .points
                .iter()
                .map(|(points, chance)| *points as f64 * chance.to_f64())
                .sum();
            assert!((found.mean.to_f64() - mean).abs() < 1e-9, "{case}");
        } else {
            let within = |found: &Ratio, brute: Option<&Ratio>| {
                (found.to_f64() - brute.map_or(0.0, Ratio::to_f64)).abs()
                    <= whole.cut.to_f64() * 1.01
            };
            let points: BTreeMap<i64, Ratio> = whole.points.iter().cloned().collect();
            assert!(
                found
                    .points
                    .iter()
                    .all(|(through, chance)| within(chance, points.get(through))),
                "{case}"
            );
            assert!(
                within(&found.down, Some(&whole.down)) && !found.cut.is_zero(),
                "{case}"
            );
        }
        let all = found
            .points
            .iter()
            .fold(found.cut.clone(), |sum, (_, chance)| sum.plus(chance));
        assert!(all.is_one(), "{case}: {all}");
    }
}

#[test]
fn odds_of_damage_say_what_to_send_instead() {
    let setting = setting(&format!(
        "{FIGHT}- Roll: `1d8 + {{modifier}}`\n- Target: `{{difficulty}}`\n"
    ));
    for (targets, attack, damage, advice) in [
        (vec![], Some("Ember"), None, "Send target="),
        (vec!["Ann", "Bo"], Some("Ember"), None, "one name"),
        (vec!["Bo"], None, None, "attack="),
        (vec!["Bo"], None, Some("1000d1000"), "is not rolled"),
    ] {
        let call = AttackCall {
            check: CheckCall {
                character: Some("Ann".to_owned()),
                difficulty: Some(5),
                ..CheckCall::default()
            },
            targets: targets.into_iter().map(str::to_owned).collect(),
            attack: attack.map(str::to_owned),
            damage: damage.map(|text| (rollbook_dice::read(text).expect("dice"), text.to_owned())),
            ..AttackCall::default()
        };
        let refused = chances_of_attack(&fighters(), &setting, &call)
            .expect_err("refused")
            .summary;
        assert!(refused.contains(advice), "{refused}");
    }
}
