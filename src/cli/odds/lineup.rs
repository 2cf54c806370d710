//! Several chances side by side: the same outcome, flag, win or fall of all of them in one line.

use crate::dice::odds::Ratio;
use crate::game::decide::odds::{Chances, Row};
use crate::rules::Outcome;

/// The chances at one difficulty; none where the rule asks for none.
pub(super) type Line = (Option<i64>, Chances);

/// What a chance is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Outcome,
    Flag,
    /// Of two who roll against each other.
    Against,
    /// That a roll is followed by a rule.
    Again,
    /// What becomes of the target of an attack.
    Damage,
}

impl Kind {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Kind::Outcome => "outcome",
            Kind::Flag => "flag",
            Kind::Against => "against",
            Kind::Again => "again",
            Kind::Damage => "damage",
        }
    }
}

/// A chance that one or more of them have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub kind: Kind,
    pub name: String,
    /// The place that decides: `System.md:31`.
    pub rule: Option<String>,
}

/// A number of a check, such as a value or the damage, with the chance of each that it can come to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spread {
    pub name: String,
    /// The lowest first.
    pub chances: Vec<(i64, Ratio)>,
    pub mean: f64,
}

/// Chances side by side.
pub(super) struct Lineup {
    pub heads: Vec<Head>,
    /// Of each of the chances, one for each head.
    pub cells: Vec<Vec<Ratio>>,
}

impl Lineup {
    pub(super) fn of(all: &[&Chances]) -> Lineup {
        let rows = rows(all);
        let mut heads: Vec<Head> = rows
            .iter()
            .map(|row| Head { kind: Kind::Outcome, name: name(row, &rows), rule: row.rule.clone() })
            .collect();
        for (head, _) in all.iter().flat_map(|found| beside(found)) {
            if !heads.iter().any(|own| (own.kind, &own.name) == (head.kind, &head.name)) {
                heads.push(head);
            }
        }
        let order = |kind: Kind| {
            [Kind::Outcome, Kind::Flag, Kind::Against, Kind::Again, Kind::Damage].iter().position(|own| *own == kind)
        };
        heads.sort_by_key(|head| order(head.kind));
        let cell = |found: &Chances, nth: usize, head: &Head| match rows.get(nth) {
            Some(row) => of(found, row),
            None => {
                let own = beside(found).into_iter().find(|(own, _)| (own.kind, &own.name) == (head.kind, &head.name));
                own.map(|(_, chance)| chance).unwrap_or_default()
            }
        };
        let cells =
            all.iter().map(|found| heads.iter().enumerate().map(|(nth, head)| cell(found, nth, head)).collect());
        Lineup { cells: cells.collect(), heads }
    }
}

/// The outcomes that come up in any of them, the best first; rows that are called the same and mean the same are one.
fn rows<'c>(all: &[&'c Chances]) -> Vec<&'c Row> {
    let mut rows: Vec<&Row> = Vec::new();
    for row in all.iter().flat_map(|found| &found.rows) {
        if !rows.iter().any(|seen| is_same(seen, row)) {
            rows.push(row);
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.outcome));
    rows
}

/// What stands beside the outcomes.
fn beside(found: &Chances) -> Vec<(Head, Ratio)> {
    let head = |kind: Kind, name: String| Head { kind, name, rule: None };
    let mut all: Vec<(Head, Ratio)> = Vec::new();
    all.extend(found.flags.iter().map(|own| (head(Kind::Flag, format!("flag {}", own.name)), own.chance.clone())));
    if let Some(own) = &found.against {
        all.push((head(Kind::Against, "wins".to_owned()), own.won.clone()));
        all.push((head(Kind::Against, "tie".to_owned()), own.tie.clone()));
        all.extend(
            own.won_in_the_end.iter().map(|won| (head(Kind::Against, "wins in the end".to_owned()), won.clone())),
        );
    }
    all.extend(found.again.iter().map(|(rule, chance)| (head(Kind::Again, rule.clone()), chance.clone())));
    if let Some(own) = &found.damage {
        all.push((head(Kind::Damage, format!("{} is down", own.target)), own.down.clone()));
        if !own.unread.is_zero() {
            all.push((head(Kind::Damage, "damage for the GM to say".to_owned()), own.unread.clone()));
        }
    }
    all
}

/// The numbers of a check: its values, and the damage of an attack.
pub(super) fn spreads(found: &Chances) -> Vec<Spread> {
    let value = |own: &crate::game::decide::odds::ValueOdds| Spread {
        name: own.name.clone(),
        chances: own.chances.clone(),
        mean: own.mean(),
    };
    let damage = found.damage.as_ref().map(|own| Spread {
        name: format!("Damage to {}", own.target),
        chances: own.points.clone(),
        mean: own.mean.to_f64(),
    });
    found.values.iter().map(value).chain(damage).collect()
}

/// The chance of any success, a partial one too; `None` where the rules leave an outcome to the GM.
pub(super) fn success(found: &Chances) -> Option<Ratio> {
    let mut sum = Ratio::default();
    for row in &found.rows {
        if row.outcome?.is_success() {
            sum = sum.plus(&row.chance);
        }
    }
    Some(sum)
}

fn is_same(one: &Row, other: &Row) -> bool {
    one.label == other.label && one.outcome == other.outcome
}

/// The chance of an outcome.
fn of(found: &Chances, wanted: &Row) -> Ratio {
    let own = found.rows.iter().filter(|row| is_same(row, wanted));
    own.fold(Ratio::default(), |sum, row| sum.plus(&row.chance))
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
