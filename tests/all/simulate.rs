//! Fights played many times: equal to what can be worked out exactly, and the same whenever the
//! seed is the same.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::process::Output;

use rollbook_game::decide::character::{AttackCall, SheetCall};
use rollbook_game::decide::items::ItemCall;
use rollbook_game::refusal::Refusal;
use rollbook_game::simulate::{End, Plan, Policy, Side, Simulation, Tally, interval};
use rollbook_game::table::Setting;
use serde_json::Value;

use crate::bare;
use crate::process::{LOCKHOUSE, rollbook};
use crate::systems::table::system;

/// A hit that takes one of a few points, by a die of six: small enough to be worked out.
const DUEL: &str = "# Duel

## Attributes

- Guard
- Arm
- Quick

## Checks

### Strike

- For: attacks
- Roll: `1d6 + {Arm}`
- Target: {target Guard}

| Outcome | When | Damage |
|---|---|---|
| Hit (success) | margin 0+ | once |
| Miss (failure) | otherwise | none |

## Attacks

| Attack | Damage |
|---|---|
| Blow | 1 |

## Health

- Points: max 9
- Damage: Points
- At 0 Points: gain Dead

## Combat

- Initiative: `{Quick}`, highest first, once per fight
";

/// A character of the duel: who acts first has the higher `quick`.
#[derive(Clone, Copy)]
struct Duellist {
    name: &'static str,
    side: Side,
    points: i64,
    guard: i64,
    arm: i64,
    quick: i64,
}

const HERO: Duellist = Duellist {
    name: "Hero",
    side: Side::Party,
    points: 3,
    guard: 5,
    arm: 1,
    quick: 5,
};
const TALL: Duellist = Duellist {
    name: "Tall",
    side: Side::Foes,
    points: 2,
    guard: 5,
    arm: 0,
    quick: 7,
};
const SMALL: Duellist = Duellist {
    name: "Small",
    side: Side::Foes,
    points: 1,
    guard: 4,
    arm: 0,
    quick: 3,
};

impl Duellist {
    fn sheet(self) -> SheetCall {
        let scores = [
            ("Guard", self.guard),
            ("Arm", self.arm),
            ("Quick", self.quick),
        ];
        SheetCall {
            name: Some(self.name.to_owned()),
            attributes: scores.map(|(name, score)| (name.to_owned(), score)).into(),
            tracks: [("Points".to_owned(), self.points)].into(),
            ..SheetCall::default()
        }
    }
}

fn setting(rules: &str) -> Setting {
    Setting {
        characters_max: 100,
        ..bare::setting_of(system(rules))
    }
}

fn plan(policy: Policy, seed: u64) -> Plan {
    Plan {
        party: policy,
        foes: policy,
        rounds: 200,
        check: None,
        difficulty: None,
        defence: None,
        seed,
    }
}

fn prepared<'s>(
    setting: &'s Setting,
    all: &[Duellist],
    plan: Plan,
) -> Result<Simulation<'s>, Refusal> {
    let of = |side: Side| {
        all.iter()
            .filter(move |fighter| fighter.side == side)
            .map(|fighter| fighter.sheet())
    };
    Simulation::prepare(
        setting,
        of(Side::Party).collect(),
        of(Side::Foes).map(|sheet| (sheet, 1)).collect(),
        plan,
    )
}

fn fought(simulation: &Simulation, numbers: Range<u64>) -> Tally {
    let mut tally = Tally::of(&simulation.fighters);
    for number in numbers {
        tally.add(
            &simulation.fighters,
            &simulation.fight(number).expect("a fight"),
        );
    }
    tally
}

/// What is exactly so: the chance that the party wins, how many rounds it takes, how often each is
/// down.
struct Exact {
    won: f64,
    rounds: f64,
    down: Vec<f64>,
}

/// Follows the chance of every state of the duel, turn by turn, until nothing of it is left.
fn exact(all: &[Duellist], policy: Policy) -> Exact {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|nth| std::cmp::Reverse(all[*nth].quick));
    let start: Vec<i64> = all.iter().map(|fighter| fighter.points).collect();
    let mut states: BTreeMap<(Vec<i64>, Vec<u32>), f64> =
        BTreeMap::from([((start, vec![0; all.len()]), 1.0)]);
    let mut found = Exact {
        won: 0.0,
        rounds: 0.0,
        down: vec![0.0; all.len()],
    };
    let up = |points: &[i64], side: Side| {
        (0..all.len())
            .filter(|nth| all[*nth].side == side && points[*nth] > 0)
            .count()
    };
    for round in 1..=200 {
        for actor in &order {
            let mut next: BTreeMap<(Vec<i64>, Vec<u32>), f64> = BTreeMap::new();
            for ((points, struck), chance) in states {
                let others = (0..all.len())
                    .filter(|nth| all[*nth].side != all[*actor].side && points[*nth] > 0);
                let target = match policy {
                    Policy::Focus => others.min_by_key(|nth| points[*nth]),
                    Policy::Spread => others.min_by_key(|nth| struck[*nth]),
                    Policy::Random => unreachable!("is not worked out"),
                };
                let (true, Some(target)) = (points[*actor] > 0, target) else {
                    *next.entry((points, struck)).or_default() += chance;
                    continue;
                };
                let faces = (1..=6)
                    .filter(|face| face + all[*actor].arm >= all[target].guard)
                    .count();
                let hits = faces as f64 / 6.0;
                for (share, takes) in [(hits, 1), (1.0 - hits, 0)] {
                    let (mut points, mut struck) = (points.clone(), struck.clone());
                    points[target] -= takes;
                    // Where it makes no difference it need not be distinguished.
                    struck[target] = if policy == Policy::Spread {
                        struck[target] + 1
                    } else {
                        0
                    };
                    let least = struck.iter().copied().min().unwrap_or(0);
                    struck.iter_mut().for_each(|points| *points -= least);
                    if points[target] == 0 {
                        found.down[target] += chance * share;
                    }
                    let (party, foes) = (up(&points, Side::Party), up(&points, Side::Foes));
                    if party == 0 || foes == 0 {
                        found.rounds += chance * share * f64::from(round);
                        found.won += if foes == 0 { chance * share } else { 0.0 };
                    } else {
                        *next.entry((points, struck)).or_default() += chance * share;
                    }
                }
            }
            states = next;
        }
    }
    assert!(states.values().sum::<f64>() < 1e-9, "the fights are over");
    found
}

/// A count of `all` is within five deviations of what its chance makes of it: one run in two million is not.
#[track_caller]
fn holds(what: &str, count: u64, all: u64, chance: f64) {
    let deviation = (chance * (1.0 - chance) / all as f64).sqrt();
    let share = count as f64 / all as f64;
    assert!(
        (share - chance).abs() <= 5.0 * deviation,
        "{what}: {share} of {all}, exactly {chance}"
    );
}

#[test]
fn chances_are_those_of_the_markov_chain() {
    const RUNS: u64 = 1500;
    const PART: u64 = 100;
    let (setting, all) = (setting(DUEL), [HERO, TALL, SMALL]);
    let mut within = 0;
    for (policy, seed) in [(Policy::Focus, 17), (Policy::Spread, 23)] {
        let (exact, simulation) = (
            exact(&all, policy),
            prepared(&setting, &all, plan(policy, seed)).expect("a fight"),
        );
        let mut tally = Tally::of(&simulation.fighters);
        for first in (0..RUNS).step_by(PART as usize) {
            let part = fought(&simulation, first..first + PART);
            let ends = interval(part.ended(End::Won(Side::Party)), PART);
            within += u32::from(ends.low <= exact.won && exact.won <= ends.high);
            tally.merge(&part);
        }
        assert_eq!(
            (
                tally.fights,
                tally.ended(End::Won(Side::Party)) + tally.ended(End::Won(Side::Foes))
            ),
            (RUNS, RUNS)
        );
        eprintln!(
            "won {} of {RUNS}, exactly {}",
            tally.ended(End::Won(Side::Party)),
            exact.won
        );
        holds("won", tally.ended(End::Won(Side::Party)), RUNS, exact.won);
        let rounds = tally.mean_rounds();
        assert!(
            (rounds.mean - exact.rounds).abs() < 2.6 * rounds.margin,
            "{rounds:?}, exactly {}",
            exact.rounds
        );
        for (nth, fighter) in tally.fighters.iter().enumerate() {
            holds(all[nth].name, fighter.fell, RUNS, exact.down[nth]);
            assert_eq!(fighter.fell, fighter.died, "who is at 0 is dead");
        }
    }
    // Of thirty intervals of 95 % less than 25 hold their chance one time in three hundred, and
    // these seeds are no such case.
    assert!(
        (25..=30).contains(&within),
        "{within} of 30 intervals hold the chance"
    );
    // The policies differ, and so do their answers.
    assert!((exact(&all, Policy::Focus).won - exact(&all, Policy::Spread).won).abs() > 0.01);
}

#[test]
fn a_fight_follows_from_the_seed_and_its_number() {
    let setting = setting(DUEL);
    let simulation = |seed| {
        prepared(&setting, &[HERO, TALL, SMALL], plan(Policy::Random, seed)).expect("a fight")
    };
    let fight = |seed, number| {
        let fight = simulation(seed).fight(number).expect("a fight");
        (fight.end, fight.rounds, fight.records)
    };
    assert_eq!(fight(5, 7), fight(5, 7));
    let others: Vec<_> = (0..12).map(|number| fight(5, number)).collect();
    assert!(
        others.iter().any(|other| *other != others[0]),
        "fights differ"
    );
    assert!(
        (0..12).any(|number| fight(6, number) != others[number as usize]),
        "seeds differ"
    );
    // In parts and the other way round it comes to the same.
    let simulation = simulation(5);
    let mut parts = Tally::of(&simulation.fighters);
    for from in [20, 0, 10] {
        let mut part = Tally::of(&simulation.fighters);
        (from..from + 10).for_each(|number| {
            part.add(
                &simulation.fighters,
                &simulation.fight(number).expect("a fight"),
            )
        });
        parts.merge(&part);
    }
    assert_eq!(parts, fought(&simulation, 0..30));
}

#[test]
fn a_fight_that_goes_on_is_undecided_and_one_without_arms_is_refused() {
    let setting_of = setting(DUEL);
    let far = |duellist: Duellist| Duellist {
        guard: 9,
        ..duellist
    };
    let few = Plan {
        rounds: 3,
        ..plan(Policy::Focus, 1)
    };
    let simulation = prepared(&setting_of, &[far(HERO), far(TALL)], few).expect("a fight");
    let fight = simulation.fight(0).expect("a fight");
    assert_eq!((fight.end, fight.rounds), (End::Undecided, 3));
    assert!(
        fight
            .records
            .iter()
            .all(|record| record.struck_at == 3 && !record.fell),
        "{:?}",
        fight.records
    );

    let refusal = |rules: &str, all: &[Duellist]| {
        let setting = setting(rules);
        prepared(&setting, all, plan(Policy::Focus, 1))
            .map(drop)
            .unwrap_err()
            .summary
    };
    let bare = DUEL.replace(
        "## Attacks\n\n| Attack | Damage |\n|---|---|\n| Blow | 1 |\n\n",
        "",
    );
    let refused = refusal(&bare, &[HERO, TALL]);
    assert!(
        refused.contains("Nobody here has an attack (Hero, Tall)")
            && refused.contains("## Attacks"),
        "{refused}"
    );
    let refused = refusal(DUEL, &[HERO]);
    assert!(refused.contains("The other side is nobody"), "{refused}");
    let refused = refusal(DUEL, &[HERO, Duellist { points: 0, ..TALL }]);
    assert!(
        refused.contains("Tall is down before the fight"),
        "{refused}"
    );
    let harmless = "# Talk\n\n## Checks\n\n### Ask\n\n- Roll: `2d6`\n\n## Attributes\n\n- Guard\n- Arm\n- Quick\n";
    let setting = setting(harmless);
    let talker = || SheetCall {
        name: Some("Ann".to_owned()),
        ..SheetCall::default()
    };
    let other = SheetCall {
        name: Some("Bea".to_owned()),
        ..SheetCall::default()
    };
    let refused = Simulation::prepare(
        &setting,
        vec![talker()],
        vec![(other, 1)],
        plan(Policy::Focus, 1),
    );
    let refused = refused.map(drop).unwrap_err().summary;
    assert!(
        refused.contains("Ann, Bea has no health by these rules") && refused.contains("## Health"),
        "{refused}"
    );
}

/// What a sheet says of how often it attacks is played: each attack hits, so counts are those of
/// the words.
#[test]
fn several_attacks_a_turn_and_few_in_a_fight_are_played() {
    let sure = DUEL.replace("| Blow | 1 |", "| Blow | 1 |\n| Bomb (twice a fight) | 3 |");
    let setting = setting(&sure);
    let two = SheetCall {
        gm_notes: Some("Multiattack: it makes two attacks.".to_owned()),
        ..HERO.sheet()
    };
    let giant = Duellist {
        points: 9,
        guard: 0,
        arm: 9,
        quick: 1,
        ..TALL
    };
    let hero = Duellist {
        guard: 0,
        arm: 9,
        ..HERO
    };
    let of = |sheet: SheetCall| SheetCall {
        attributes: hero.sheet().attributes,
        ..sheet
    };
    let fight = |sheet: SheetCall| {
        let simulation = Simulation::prepare(
            &setting,
            vec![of(sheet)],
            vec![(giant.sheet(), 1)],
            plan(Policy::Focus, 3),
        );
        let simulation = simulation.expect("a fight");
        let fight = simulation.fight(0).expect("a fight");
        (fight.records[1].struck_at, fight.rounds)
    };
    // Nine points: two bombs in the first round, and the giant's own bomb takes who is left.
    assert_eq!(fight(two), (2, 1));
    assert_eq!(fight(HERO.sheet()), (1, 1));
    let tough = SheetCall {
        tracks: [("Points".to_owned(), 9)].into(),
        ..HERO.sheet()
    };
    // 3 + 3 in the first round, 1 + 1 in the second, and the last in the third.
    assert_eq!(
        fight(SheetCall {
            gm_notes: Some("Attacks: 2 per round".to_owned()),
            ..tough.clone()
        }),
        (5, 3)
    );
    // 3, 3, 1, 1: the giant deals 3, 3, 1, 1, and strikes second; the fifth is the hero's.
    assert_eq!(fight(tough), (5, 5));
}

/// What a sheet names is what is struck with: the stronger attack of the rules only where none is
/// named, or where that is the one.
#[test]
fn who_has_attacks_strikes_with_these_and_not_with_those_of_the_rules() {
    let setting = setting(&DUEL.replace("| Blow | 1 |", "| Blow | 1 |\n| Cannon | 5 |"));
    let attack = |name: &str| AttackCall {
        name: name.to_owned(),
        damage: Some("1".to_owned()),
        ..AttackCall::default()
    };
    let struck_with = |sheet: SheetCall| {
        let foe = SheetCall {
            attributes: Duellist { arm: 9, ..TALL }.sheet().attributes,
            ..sheet
        };
        let simulation = Simulation::prepare(
            &setting,
            vec![HERO.sheet()],
            vec![(foe, 1)],
            plan(Policy::Focus, 3),
        );
        let simulation = simulation.expect("a fight");
        let [hero, foe] = &simulation.fighters[..] else {
            panic!("two")
        };
        let best = foe.arms.at(hero.id).first().expect("an attack").clone();
        vec![best; foe.arms.turn as usize]
    };
    let beast = |attacks: Vec<AttackCall>| SheetCall {
        attacks,
        ..TALL.sheet()
    };
    assert_eq!(struck_with(beast(vec![attack("Bite")])), ["Bite"]);
    assert_eq!(struck_with(beast(Vec::new())), ["Cannon"]);
    // The one of the sheet is what the name means.
    let cannon = beast(vec![attack("cannon")]);
    assert_eq!(struck_with(cannon), ["cannon"]);
    let notes = |text: &str| SheetCall {
        gm_notes: Some(text.to_owned()),
        ..beast(vec![attack("Bite")])
    };
    assert_eq!(
        struck_with(notes(
            "It makes two attacks: one with its bite and one with its blow."
        )),
        ["Bite"; 2]
    );
    let thing = ItemCall {
        name: "Cannon".to_owned(),
        ..ItemCall::default()
    };
    assert_eq!(
        struck_with(SheetCall {
            inventory: vec![thing],
            ..beast(vec![attack("Bite")])
        }),
        ["Cannon"]
    );
}

/// Who is down rolls what the rules keep for that: by a die of six it gets up, dies, or stays where
/// it is.
#[test]
fn those_who_are_down_make_the_checks_that_are_kept_for_them() {
    let dying = DUEL.replace(
        "- At 0 Points: gain Dead",
        "- Grave: 1 box, full: gain Dead\n- At 0 Points: gain Dying",
    );
    let rules = dying.replace(
        "## Attacks",
        "### Last breath\n\n- Roll: `1d6`\n- While: {Dying}\n\n| Outcome | When | Points | Grave |\n|---|---|---|---|\n\
         | Up (success) | total 5+ | +1 | |\n| Gone (failure) | total 2 or less | | +1 |\n| Still (partial success) | otherwise | | |\n\n## Attacks",
    );
    let setting = setting(&rules);
    // The second of the party cannot be hit and never hits, so that the fight lasts.
    let wall = Duellist {
        name: "Wall",
        guard: 99,
        arm: -9,
        points: 9,
        ..HERO
    };
    let first = Duellist {
        points: 1,
        guard: 0,
        arm: -9,
        ..HERO
    };
    let foe = Duellist {
        guard: 99,
        arm: 9,
        quick: 9,
        points: 9,
        ..TALL
    };
    let short = Plan {
        rounds: 2,
        ..plan(Policy::Focus, 5)
    };
    let simulation = prepared(&setting, &[first, wall, foe], short).expect("a fight");
    let tally = fought(&simulation, 0..600);
    assert_eq!(
        (tally.ended(End::Undecided), tally.fighters[0].fell),
        (600, 600)
    );
    assert_eq!(tally.refused, BTreeMap::new());
    // Down in the first round, one roll at the beginning of the second: a third die there.
    holds("dies", tally.fighters[0].died, 600, 1.0 / 3.0);
}

#[test]
fn a_number_out_of_range_names_the_sheet() {
    let setting = setting(DUEL);
    let low = Duellist { points: -4, ..TALL };
    let refused = prepared(&setting, &[HERO, low], plan(Policy::Focus, 1))
        .map(drop)
        .unwrap_err()
        .summary;
    assert!(
        refused.starts_with("Tall: tracks.Points") && refused.contains("-4"),
        "{refused}"
    );
    let refused = prepared(
        &setting,
        &[Duellist { points: -4, ..HERO }, TALL],
        plan(Policy::Focus, 1),
    );
    let refused = refused.map(drop).unwrap_err().summary;
    assert!(
        refused.starts_with("Hero: ") && refused.contains("-4"),
        "{refused}"
    );
}

/// `rollbook simulate` in the folder of the Lockhouse.
fn simulated(arguments: &[&str]) -> Output {
    rollbook(Path::new(LOCKHOUSE))
        .arg("simulate")
        .args(arguments)
        .output()
        .expect("the program starts")
}

const JORY: [&str; 4] = [
    "--party",
    "Characters.md#Jory Penrake",
    "--foes",
    "2 x Wrecker",
];

#[test]
fn the_same_seed_gives_the_same_bytes_and_says_which_it_was() {
    let answer = |more: &[&str]| {
        let Output {
            status,
            stdout,
            stderr,
        } = simulated(&[&JORY[..], &["--runs", "70"], more].concat());
        assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("text")
    };
    let first = answer(&["--seed", "9"]);
    assert_eq!(first, answer(&["--seed", "9"]));
    for line in [
        "Jory Penrake against Wrecker 1, Wrecker 2",
        "70 fights, policy focus, --seed 9",
        "The party wins",
        "Of the party fall\n     0  ",
        "falls              dies\nJory Penrake  ",
    ] {
        assert!(first.contains(line), "{line}: {first}");
    }
    let report = answer(&["--json"]);
    let json: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(
        report,
        answer(&["--json", "--seed", &json["seed"].to_string()])
    );
    assert_eq!(
        (&json["runs"], json["fighters"].as_array().map(Vec::len)),
        (&Value::from(70), Some(3))
    );
    let down: u64 = json["party_fell"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| row["count"].as_u64().expect("a count"))
        .sum();
    assert_eq!(down, 70);
    let ended = ["party", "foes", "all_down", "undecided"]
        .map(|end| json["outcomes"][end]["count"].as_u64().unwrap());
    assert_eq!(ended.iter().sum::<u64>(), 70);
    let won = &json["outcomes"]["party"];
    assert!(
        won["low"].as_f64() <= won["chance"].as_f64()
            && won["chance"].as_f64() <= won["high"].as_f64(),
        "{won}"
    );
}

#[test]
fn who_fights_is_read_from_files_lines_and_names_or_refused_with_what_to_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    };
    let lines = file(
        "party.txt",
        "# two of them\ncharacter Ann: STR 14, DEX 10, CON 12, Melee +2\nBea: STR 10, DEX 14, CON 10, Aim +3\n",
    );
    let block = file(
        "cal.md",
        "### Cal\n- Hit points: 9\n- Attributes: DEX 12\n- Attack: Staff +4, damage 1d6+1\n",
    );
    let arguments = [
        "--party",
        &block,
        "--party",
        &lines,
        "--foes",
        "Mag, 2 x Wrecker",
        "--runs",
        "2",
    ];
    let found = simulated(&arguments);
    let (out, err) = (
        String::from_utf8_lossy(&found.stdout),
        String::from_utf8_lossy(&found.stderr),
    );
    assert!(found.status.success(), "{err}");
    assert!(
        out.contains("Cal, Ann, Bea against Mag Sorley, Wrecker 1, Wrecker 2"),
        "{out}"
    );
    assert!(
        err.contains("Ann has no attack and strikes nobody."),
        "{err}"
    );

    for (arguments, words) in [
        (
            ["--party", "Nobody.md", "--foes", "Wrecker"],
            "--party: there is no file and no stat block of this name.",
        ),
        (
            ["--party", "Characters.md", "--foes", "Wreker"],
            "--foes Wreker: there is no file and no stat block of this name. Did you mean",
        ),
        // A section of the rules is no stat block.
        (
            ["--party", "Characters.md", "--foes", "Nobody"],
            "The adventure has Jory Penrake, dock porter",
        ),
        (
            ["--party", "Characters.md#Jory", "--foes", "0 x Wrecker"],
            "count is 0; it takes 1 to 100.",
        ),
        (
            [
                "--party",
                "Ann: DEX 14, Hit points 9",
                "--foes",
                "Bo: DEX 12, Hit points 5",
            ],
            "Nobody here has an attack (Ann, Bo)",
        ),
        (
            ["--party", "Ann: Strenth 14", "--foes", "Wrecker"],
            "no attribute, skill or track is called `Strenth`; did you mean",
        ),
    ] {
        let found = simulated(&arguments);
        let err = String::from_utf8_lossy(&found.stderr);
        assert!(
            found.status.code() == Some(2) && err.contains(words),
            "{arguments:?}: {err}"
        );
    }
}
