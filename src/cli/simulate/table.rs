//! What the fights came to, as a table for a terminal.

use std::fmt::Write as _;

use rollbook_game::simulate::{Side, Simulation, Tally, interval};
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
