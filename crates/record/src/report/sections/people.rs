//! Skills and damage: tried, succeeded, expected; dealt, taken, a round.

use std::collections::{BTreeMap, BTreeSet};

use super::words::{left_out, number, seen};
use crate::report::document::{Block, Section, Table};
use crate::report::facts::Gathered;
use crate::report::facts::gathered::Hit;
use rollbook_game::view::Audience;
use rollbook_text::names::counted;

/// Rows of a table; beyond them those with fewest checks are left out.
const ROWS_MAX: usize = 200;

pub fn section(gathered: &Gathered, audience: Audience) -> Section {
    let mut blocks = vec![Block::text("What was taken back is not counted here.")];
    blocks.extend(left_out(gathered).map(Block::text));
    let skills = skills(gathered);
    let damage = damage(gathered, audience);
    if skills.rows.is_empty() && damage.rows.is_empty() {
        let nothing = match audience {
            Audience::Gm => "Nothing was tried, and nobody was hurt.",
            Audience::Player => "Nothing was tried and nobody was hurt that you may see.",
        };
        blocks = left_out(gathered)
            .map(Block::text)
            .into_iter()
            .chain([Block::text(nothing)])
            .collect();
    }
    if !skills.rows.is_empty() {
        blocks.push(Block::Heading("Skills".to_owned()));
        blocks.push(Block::text(
            "Succeeded is what the rules said, a success at a price included; expected are the successes that the numbers to reach \
             would bring on average.",
        ));
        blocks.push(Block::Table(skills));
    }
    if !damage.rows.is_empty() {
        blocks.push(Block::Heading("Damage".to_owned()));
        blocks.push(Block::text(match audience {
            Audience::Gm => "Dealt is what was taken in the end. What no roll or check ties to anybody stands in the last row.",
            Audience::Player => {
                "Of foes you see no figures, so what somebody dealt is what the dice came to; what somebody took is as far as players \
                 were told. What no roll or check ties to anybody stands in the last row."
            }
        }));
        blocks.push(Block::Table(damage));
    }
    Section {
        id: "skills",
        title: "Skills and damage",
        blocks,
    }
}

/// What was tried of one skill by one person.
#[derive(Default)]
struct Tried {
    tried: u64,
    worked: u64,
    known: u64,
    expected: f64,
}

fn skills(gathered: &Gathered) -> Table {
    let mut all: BTreeMap<(usize, usize), Tried> = BTreeMap::new();
    for (check, chance) in gathered.checks.all.iter().zip(&gathered.needed) {
        if gathered.undone.holds(check.seq) {
            continue;
        }
        let Some(worked) = check.worked else { continue };
        let tried = all.entry((check.who, check.skill)).or_default();
        tried.tried += 1;
        tried.worked += u64::from(worked);
        if let Some(chance) = chance {
            tried.known += 1;
            tried.expected += chance;
        }
    }
    let mut table = Table::of(
        "Checks by person and skill",
        &["Who", "Skill", "Tried#", "Succeeded#", "Expected#"],
    );
    let mut rows: Vec<((usize, usize), Tried)> = all.into_iter().collect();
    rows.sort_by_key(|((who, skill), tried)| (std::cmp::Reverse(tried.tried), *who, *skill));
    rows.truncate(ROWS_MAX);
    rows.sort_by_key(|((who, _), tried)| (*who, std::cmp::Reverse(tried.tried)));
    for ((who, skill), tried) in rows {
        let expected = match tried.known {
            0 => "–".to_owned(),
            known if known == tried.tried => number(tried.expected, 2),
            known => format!("{} of {known}", number(tried.expected, 2)),
        };
        table.rows.push(vec![
            gathered.people.name(who).to_owned(),
            gathered.checks.skills.name(skill).to_owned(),
            tried.tried.to_string(),
            seen(gathered, i64::try_from(tried.worked).unwrap_or(i64::MAX)),
            expected,
        ]);
    }
    table
}

#[derive(Default)]
struct Damage {
    dealt: i64,
    hits: u64,
    /// Blows of which players have no figures.
    unknown: u64,
    taken: i64,
    healed: i64,
    /// What of it was dealt and taken in fights that a person was in.
    dealt_in_fights: i64,
    taken_in_fights: i64,
}

fn damage(gathered: &Gathered, audience: Audience) -> Table {
    let mut all: BTreeMap<usize, Damage> = BTreeMap::new();
    let fights = fighters(gathered);
    let in_fight = |hit: &Hit, who: usize| {
        let fight = hit.fight.and_then(|fight| fights.get(&fight));
        fight.is_some_and(|people| people.contains(gathered.people.name(who)))
    };
    let (mut hidden, mut nobody) = (BTreeSet::new(), Damage::default());
    for hit in gathered
        .hits
        .iter()
        .filter(|hit| !gathered.undone.holds(hit.seq))
    {
        let amount = match audience {
            Audience::Gm => hit.amount,
            Audience::Player if hit.open => hit.amount,
            Audience::Player => hit.rolled,
        };
        let is_unknown = audience == Audience::Player && amount.is_none() && hit.struck;
        let amount = amount.unwrap_or(0).max(0);
        let dealer = hit.by.map_or(&mut nobody, |by| all.entry(by).or_default());
        dealer.hits += u64::from(amount > 0 || is_unknown);
        dealer.unknown += u64::from(is_unknown);
        dealer.dealt = dealer.dealt.saturating_add(amount);
        if hit.by.is_some_and(|by| in_fight(hit, by)) {
            dealer.dealt_in_fights = dealer.dealt_in_fights.saturating_add(amount);
        }
        let target = all.entry(hit.target).or_default();
        match hit.amount {
            Some(amount) if amount >= 0 => {
                target.taken = target.taken.saturating_add(amount);
                if in_fight(hit, hit.target) {
                    target.taken_in_fights = target.taken_in_fights.saturating_add(amount);
                }
            }
            Some(amount) => target.healed = target.healed.saturating_add(amount.saturating_neg()),
            None => drop(hidden.insert(hit.target)),
        }
    }
    let rounds = rounds(gathered);
    let dealt = match audience {
        Audience::Gm => ["Dealt#", "Dealt a round#"],
        Audience::Player => ["Dealt by the dice#", "By the dice a round#"],
    };
    let mut table = Table::of(
        "Damage by person",
        &[
            "Who",
            "Blows#",
            dealt[0],
            dealt[1],
            "Taken#",
            "Taken a round#",
            "Healed#",
        ],
    );
    let cell = |number: i64| seen(gathered, number);
    let hits = |damage: &Damage| cell(i64::try_from(damage.hits).unwrap_or(i64::MAX));
    let dealt = |damage: &Damage| match (damage.unknown, damage.dealt) {
        (0, dealt) => cell(dealt),
        (_, 0) => "not shown".to_owned(),
        (unknown, dealt) => format!(
            "{dealt}, and {} not shown",
            counted(unknown, "hit", "blows")
        ),
    };
    let nobodys = ["Nobody named".to_owned(), hits(&nobody), dealt(&nobody)];
    for (who, damage) in all.into_iter().take(ROWS_MAX) {
        let name = gathered.people.name(who);
        let rounds = rounds.get(name).copied().unwrap_or(0);
        let a_round = |amount: i64| match rounds {
            0 => "–".to_owned(),
            _ if amount == 0 => cell(0),
            rounds => number(amount as f64 / f64::from(rounds), 1),
        };
        let secret = hidden.contains(&who);
        let taken = |text: String| if secret { "not shown".to_owned() } else { text };
        table.rows.push(vec![
            name.to_owned(),
            hits(&damage),
            dealt(&damage),
            if damage.unknown > 0 {
                "not shown".to_owned()
            } else {
                a_round(damage.dealt_in_fights)
            },
            taken(cell(damage.taken)),
            taken(a_round(damage.taken_in_fights)),
            taken(cell(damage.healed)),
        ]);
    }
    if nobody.dealt > 0 || nobody.unknown > 0 {
        table.rows.push(
            nobodys
                .into_iter()
                .chain(std::iter::repeat_n("–".to_owned(), 4))
                .collect(),
        );
    }
    table
}

/// Who was in each fight, by its first entry, without those that were taken back.
fn fighters(gathered: &Gathered) -> BTreeMap<u64, BTreeSet<&str>> {
    let fights = gathered
        .fights
        .fights
        .iter()
        .filter(|fight| !gathered.undone.holds(fight.seq));
    fights
        .map(|fight| {
            (
                fight.seq,
                fight
                    .people
                    .iter()
                    .map(|person| person.name.as_str())
                    .collect(),
            )
        })
        .collect()
}

/// The rounds of the fights that a person was in, without what was taken back.
fn rounds(gathered: &Gathered) -> BTreeMap<&str, u32> {
    let mut rounds: BTreeMap<&str, u32> = BTreeMap::new();
    for fight in gathered
        .fights
        .fights
        .iter()
        .filter(|fight| !gathered.undone.holds(fight.seq))
    {
        for person in &fight.people {
            *rounds.entry(&person.name).or_default() += fight.rounds();
        }
    }
    rounds
}
