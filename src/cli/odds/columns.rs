//! The chances of a check under heads that several of them share: of each difficulty, or of each side of a comparison.

use std::cmp::Reverse;

use rollbook_dice::odds::Ratio;
use rollbook_game::decide::odds::{Chances, Row, ValueOdds};
use rollbook_rules::Outcome;

/// The chances at one difficulty; none where the rule asks for none.
pub(super) type Line = (Option<i64>, Chances);

pub(super) struct Column {
    /// `outcome`, `flag`, `against`, `again` or `damage`.
    pub kind: &'static str,
    pub name: String,
    /// The place that decides: `System.md:31`.
    pub rule: Option<String>,
    pub chances: Vec<Ratio>,
}

/// A number of a check, such as a value or the damage, with the chance of each that it can come to.
pub(super) struct Spread {
    pub name: String,
    pub chances: Vec<(i64, Ratio)>,
    pub mean: f64,
}

/// The outcomes that come up in any of them, the best first, and then flags, who wins, what follows the roll, the target.
pub(super) fn columns(all: &[&Chances]) -> Vec<Column> {
    let mut rows: Vec<&Row> = Vec::new();
    for row in all.iter().flat_map(|found| &found.rows) {
        if !rows.iter().any(|seen| is_same(seen, row)) {
            rows.push(row);
        }
    }
    rows.sort_by_key(|row| Reverse(row.outcome));
    let outcome = |row: &&Row| Column {
        kind: "outcome",
        name: name(row, &rows),
        rule: row.rule.clone(),
        chances: all.iter().map(|found| chance_of(found, row)).collect(),
    };
    let mut columns: Vec<Column> = rows.iter().map(outcome).collect();
    let rest: Vec<Vec<Named>> = all.iter().map(|found| beside_outcomes(found)).collect();
    for kind in ["flag", "against", "again", "damage"] {
        let from = columns.len();
        for (_, name, _) in rest.iter().flatten().filter(|named| named.0 == kind) {
            if columns.iter().skip(from).any(|column| column.name == *name) {
                continue;
            }
            let chance = |all: &Vec<Named>| {
                let found = all.iter().find(|(other, called, _)| *other == kind && called == name);
                found.map(|(.., chance)| chance.clone()).unwrap_or_default()
            };
            columns.push(Column { kind, name: name.clone(), rule: None, chances: rest.iter().map(chance).collect() });
        }
    }
    columns
}

type Named = (&'static str, String, Ratio);

fn beside_outcomes(found: &Chances) -> Vec<Named> {
    let mut all: Vec<Named> = Vec::new();
    all.extend(found.flags.iter().map(|flag| ("flag", format!("flag {}", flag.name), flag.chance.clone())));
    if let Some(contest) = &found.against {
        all.push(("against", "wins".to_owned(), contest.won.clone()));
        all.push(("against", "tie".to_owned(), contest.tie.clone()));
        all.extend(contest.won_in_the_end.iter().map(|won| ("against", "wins in the end".to_owned(), won.clone())));
    }
    all.extend(found.again.iter().map(|(rule, chance)| ("again", rule.clone(), chance.clone())));
    if let Some(damage) = &found.damage {
        all.push(("damage", format!("{} is down", damage.target), damage.down.clone()));
        if !damage.unread.is_zero() {
            all.push(("damage", "damage for the GM to say".to_owned(), damage.unread.clone()));
        }
    }
    all
}

/// The numbers of a check: its values, and the damage of an attack.
pub(super) fn spreads(found: &Chances) -> Vec<Spread> {
    let value = |odds: &ValueOdds| Spread { name: odds.name.clone(), chances: odds.chances.clone(), mean: odds.mean() };
    let damage = found.damage.as_ref().map(|damage| Spread {
        name: format!("Damage to {}", damage.target),
        chances: damage.points.clone(),
        mean: damage.mean.to_f64(),
    });
    found.values.iter().map(value).chain(damage).collect()
}

/// The averages of each of these, by name; `None` where one has no such number.
pub(super) fn means(all: &[&Chances]) -> Vec<(String, Vec<Option<f64>>)> {
    let spreads: Vec<Vec<Spread>> = all.iter().map(|found| spreads(found)).collect();
    let mut names: Vec<&String> = Vec::new();
    for spread in spreads.iter().flatten() {
        if !names.contains(&&spread.name) {
            names.push(&spread.name);
        }
    }
    let mean = |all: &[Spread], name: &String| all.iter().find(|spread| spread.name == *name).map(|spread| spread.mean);
    names.into_iter().map(|name| (name.clone(), spreads.iter().map(|all| mean(all, name)).collect())).collect()
}

/// The chance of any success, a partial one too; `None` where the rules leave an outcome to the GM.
pub(super) fn success(found: &Chances) -> Option<Ratio> {
    let chance = |row: &Row| Some(if row.outcome?.is_success() { row.chance.clone() } else { Ratio::default() });
    found.rows.iter().try_fold(Ratio::default(), |sum, row| Some(sum.plus(&chance(row)?)))
}

fn is_same(one: &Row, other: &Row) -> bool {
    one.label == other.label && one.outcome == other.outcome
}

fn chance_of(found: &Chances, wanted: &Row) -> Ratio {
    let same = found.rows.iter().filter(|row| is_same(row, wanted));
    same.fold(Ratio::default(), |sum, row| sum.plus(&row.chance))
}

/// The author's word; with the canonical one where another row has the same word and means something else.
fn name(row: &Row, all: &[&Row]) -> String {
    let twice = all.iter().filter(|other| other.label == row.label).count() > 1;
    match (&row.label, row.outcome) {
        (Some(label), Some(outcome)) if twice => format!("{label} ({outcome})"),
        (Some(label), _) => label.clone(),
        (None, outcome) => outcome.map_or("for the GM to say", Outcome::as_str).to_owned(),
    }
}
