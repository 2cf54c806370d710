//! Odds of an attack: of its check, and of what that does to the target.
//!
//! Each end of the check is followed once, by the code of play ([`PlannedAttack`]). The totals of
//! the damage's dice are their exact odds; each goes through the target's armour.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::{Chances, DamageOdds, OddsTally, WAYS_MAX, WayCounts, add, of_check, one, sum};
use crate::decide::attack::{AttackCall, HarmEnd, PlannedAttack, TypedDice, struck_by};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Setting, Table, Unrecorded};
use crate::{decide::damage::DamageCall, mechanics::values::dice_refusal, record::state::State};
use rollbook_dice::Expression;
use rollbook_dice::odds::{Distribution, Walker};
use rollbook_rules::Row;

/// Hits that are worked out one by one.
const HITS_MAX: usize = 60_000;

/// The chances of an attack and its damage. Refused: as the call; `limit_exceeded` of many ways.
pub fn chances_of_attack(state: &State, setting: &Setting, call: &AttackCall) -> Result<Chances> {
    let (mut at_table, mut after) = (state.clone(), state.clone());
    // No die falls of either.
    let (mut first, mut second) = (Unrecorded(Walker::new()), Unrecorded(Walker::new()));
    let table = Table::new(&mut at_table, setting, &mut first, 0, 0, None).with_whole_decks();
    let attack = PlannedAttack::of(&table, call)?;
    let tally = OddsTally {
        ends: Some(BTreeMap::new()),
        ..OddsTally::default()
    };
    let theirs = attack.check.other.as_ref().map(|other| other.chosen.rule);
    let moves = |row: &&Row| row.moves.iter().any(|effect| !effect.shared);
    if let Some((rule, row)) = theirs.and_then(|rule| Some((rule, rule.rows.iter().find(moves)?))) {
        let summary = format!(
            "Rows of {} ({}) move tracks of whoever rolls, so what the attack does depends on both rolls at once. Leave out who \
             rolls against it, or the damage.",
            rule.name, row.place
        );
        return Err(Refusal::new(Code::LimitExceeded, summary));
    }
    let (chances, found) = of_check(&attack.check, tally)?;
    let mut damage = DamageTally {
        cut: found.cut,
        ..DamageTally::default()
    };
    for (end, ways) in found.ends.unwrap_or_default() {
        let mut table = Table::new(&mut after, setting, &mut second, 0, 0, None).with_whole_decks();
        let done = attack
            .harm_at(&mut table, &end)
            .and_then(|harm| damage.add(&table, &harm, &ways));
        table.roll_back();
        done?;
    }
    Ok(Chances {
        notes: attack.check.unpaid(&table),
        damage: Some(damage.odds(attack.target)),
        ..chances
    })
}

#[derive(Default)]
pub(super) struct DamageTally {
    pub(super) points: BTreeMap<i64, WayCounts>,
    pub(super) down: WayCounts,
    unread: WayCounts,
    pub(super) cut: WayCounts,
    hits: usize,
    /// What dice come to, by their text.
    known: BTreeMap<String, Distribution>,
}

impl DamageTally {
    fn add(&mut self, table: &Table, harm: &HarmEnd, ways: &WayCounts) -> Result<()> {
        match harm {
            HarmEnd::Unread => add(&mut self.unread, ways, (&one(), &one())),
            HarmEnd::Nothing => add(self.points.entry(0).or_default(), ways, (&one(), &one())),
            HarmEnd::Hit(hit, dice) => self.strike(table, hit, dice, ways)?,
        }
        Ok(())
    }

    fn strike(
        &mut self,
        table: &Table,
        hit: &DamageCall,
        dice: &[TypedDice],
        ways: &WayCounts,
    ) -> Result<()> {
        let mut of = one();
        let mut all: Vec<(Vec<i64>, BigUint)> = vec![(Vec::new(), one())];
        for (expression, ..) in dice {
            let totals = self.totals(expression)?;
            of *= totals.ways();
            if all.len().saturating_mul(totals.len()) > HITS_MAX {
                return Err(too_many(expression));
            }
            let both = |(before, times): &(Vec<i64>, BigUint)| {
                let add = |(total, ways): (i64, &BigUint)| {
                    ([before.as_slice(), &[total]].concat(), times * ways)
                };
                totals.counts().map(add).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(both).collect();
        }
        self.hits = self.hits.saturating_add(all.len());
        if let Some((expression, ..)) = dice.first().filter(|_| self.hits > HITS_MAX) {
            return Err(too_many(expression));
        }
        let followed: BigUint = all.iter().map(|(_, times)| times).sum();
        let rest = &of - followed;
        if rest != BigUint::ZERO {
            add(&mut self.cut, ways, (&rest, &of));
        }
        // What is dealt is worked out by totals, and counted by what comes through.
        let mut struck: BTreeMap<(i64, bool), BigUint> = BTreeMap::new();
        for (totals, times) in all {
            *struck
                .entry(struck_by(table, hit.clone(), dice, &totals)?)
                .or_default() += times;
        }
        for ((points, down), times) in struck {
            add(self.points.entry(points).or_default(), ways, (&times, &of));
            if down {
                add(&mut self.down, ways, (&times, &of));
            }
        }
        Ok(())
    }

    fn totals(&mut self, expression: &Expression) -> Result<Distribution> {
        if let Some(known) = self.known.get(expression.as_str()) {
            return Ok(known.clone());
        }
        let totals = expression
            .odds()
            .map_err(|error| dice_refusal(&error))?
            .totals;
        self.known
            .insert(expression.as_str().to_owned(), totals.clone());
        Ok(totals)
    }

    pub(super) fn odds(&self, target: String) -> DamageOdds {
        let mut all = WayCounts::new();
        let mean = |points: &i64| BigUint::from(points.unsigned_abs());
        self.points
            .iter()
            .for_each(|(points, ways)| add(&mut all, ways, (&mean(points), &one())));
        DamageOdds {
            target,
            points: self
                .points
                .iter()
                .map(|(points, ways)| (*points, sum(ways)))
                .collect(),
            mean: sum(&all),
            down: sum(&self.down),
            unread: sum(&self.unread),
            cut: sum(&self.cut),
        }
    }
}

fn too_many(expression: &Expression) -> Refusal {
    let summary = format!(
        "The damage can fall in more ways than can be looked at ({HITS_MAX} hits, {WAYS_MAX} rolls of a check). Ask for the odds of an attack \
         without damage, or of the dice alone: odds \"{expression}\"."
    );
    Refusal::new(Code::LimitExceeded, summary)
}
