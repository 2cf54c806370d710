//! What the fights came to, as a table for a terminal and for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use rollbook_game::simulate::{Fighter, FighterTally, Side, Simulation, Tally, interval};
use rollbook_text::names::listed;

const BAR: u128 = 40;
/// Rows of rounds; longer fights are taken together.
const ROWS_MAX: usize = 20;

pub(super) fn draw(simulation: &Simulation<'_>, tally: &Tally) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out, simulation, tally);
    out
}

fn write(out: &mut String, simulation: &Simulation<'_>, tally: &Tally) -> std::fmt::Result {
    let names = |side: Side| {
        let fighters = simulation.fighters().iter().filter(move |fighter| fighter.side == side);
        listed(fighters.map(|fighter| fighter.name.as_str()), 60)
    };
    writeln!(out, "{} against {}", names(Side::Party), names(Side::Foes))?;
    let plan = simulation.plan();
    let policy = match plan.party == plan.foes {
        true => plan.party.as_str().to_owned(),
        false => format!("{} against {}", plan.party.as_str(), plan.foes.as_str()),
    };
    writeln!(out, "{} fights, policy {policy}, --seed {}\n", tally.fights, plan.seed)?;
    // The last two are there only where they came.
    for (what, count, is_rare) in [
        ("The party wins", tally.party_won, false),
        ("The foes win", tally.foes_won, false),
        ("All are down", tally.all_down, true),
        ("Undecided", tally.undecided, true),
    ] {
        if count > 0 || !is_rare {
            writeln!(out, "{what:<15} {}", chance(count, tally.fights))?;
        }
    }
    if tally.undecided > 0 {
        writeln!(out, "Undecided are fights that went on after {} rounds (--rounds).", plan.rounds)?;
    }
    let (mean, rows) = (tally.mean_rounds(), rounds(tally));
    writeln!(out, "\nRounds {:.2} ± {:.2}", mean.mean, mean.margin)?;
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    for (label, count) in rows {
        let cells = usize::try_from(u128::from(count) * BAR / u128::from(most)).unwrap_or(0);
        let line = format!("{label:>6}  {:>7}  {}", percent(count, tally.fights), "█".repeat(cells));
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out, "\nOf the party fall")?;
    for (many, count) in &tally.party_fell {
        writeln!(out, "{many:>6}  {}", chance(*count, tally.fights))?;
    }
    let fighters = || simulation.fighters().iter().zip(&tally.fighters);
    let width = fighters().map(|(fighter, _)| fighter.name.chars().count()).fold(4, usize::max);
    writeln!(out, "\n{:<width$}  {:>16}  {:>16}", "", "falls", "dies")?;
    for (fighter, counts) in fighters() {
        let (falls, dies) = (chance(counts.fell, tally.fights), chance(counts.died, tally.fights));
        writeln!(out, "{:<width$}  {falls:>16}  {dies:>16}", fighter.name)?;
    }
    writeln!(out, "\n± is the margin of an interval of 95 %.")
}

/// The fights of each round without gaps, those from the last row on together.
fn rounds(tally: &Tally) -> Vec<(String, u64)> {
    let (Some((first, _)), Some((last, _))) = (tally.rounds.first_key_value(), tally.rounds.last_key_value()) else {
        return Vec::new();
    };
    let most = u32::try_from(ROWS_MAX).unwrap_or(u32::MAX);
    let end = (*last).min(first.saturating_add(most.saturating_sub(1)));
    let mut rows: Vec<(String, u64)> =
        (*first..=end).map(|round| (round.to_string(), tally.rounds.get(&round).copied().unwrap_or(0))).collect();
    let rest: u64 = tally.rounds.range(end.saturating_add(1)..).map(|(_, count)| *count).sum();
    if let Some(row) = rows.last_mut().filter(|_| rest > 0) {
        *row = (format!("{end}+"), row.1 + rest);
    }
    rows
}

/// "42.1 % ± 1.0", half the interval's width.
fn chance(count: u64, all: u64) -> String {
    let ends = interval(count, all);
    format!("{} ± {:.1}", percent(count, all), (ends.high - ends.low) * 50.0)
}

fn percent(count: u64, all: u64) -> String {
    format!("{:.1} %", count as f64 * 100.0 / all.max(1) as f64)
}

/// `{seed, runs, policy, foes_policy, rounds_max, outcomes, rounds, party_fell, fighters}`; chances with the ends of their intervals of 95 %.
pub(super) fn to_json(simulation: &Simulation<'_>, tally: &Tally) -> Value {
    let plan = simulation.plan();
    let chance = |count: u64| {
        let ends = interval(count, tally.fights);
        let share = count as f64 / tally.fights.max(1) as f64;
        json!({"count": count, "chance": share, "low": ends.low, "high": ends.high})
    };
    let fighter = |(combatant, tally_of): (&Fighter, &FighterTally)| {
        json!({
            "name": combatant.name,
            "side": if combatant.side == Side::Party { "party" } else { "foes" },
            "falls": chance(tally_of.fell),
            "dies": chance(tally_of.died),
        })
    };
    let mean = tally.mean_rounds();
    let rounds = tally.rounds.iter().map(|(round, count)| json!({"round": round, "count": count}));
    let fell = tally.party_fell.iter().map(|(many, count)| json!({"fell": many, "count": count}));
    json!({
        "version": 1,
        "seed": plan.seed,
        "runs": tally.fights,
        "policy": plan.party.as_str(),
        "foes_policy": plan.foes.as_str(),
        "rounds_max": plan.rounds,
        "outcomes": {
            "party": chance(tally.party_won),
            "foes": chance(tally.foes_won),
            "all_down": chance(tally.all_down),
            "undecided": chance(tally.undecided),
        },
        "rounds": {"mean": {"mean": mean.mean, "margin": mean.margin}, "each": rounds.collect::<Vec<Value>>()},
        "party_fell": fell.collect::<Vec<Value>>(),
        "fighters": simulation.fighters().iter().zip(&tally.fighters).map(fighter).collect::<Vec<Value>>(),
    })
}
