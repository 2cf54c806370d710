//! What the fights came to, as a table for a terminal.

use std::fmt::Write as _;

use crate::game::simulate::{Mean, Side, Simulation, Tally, interval};
use crate::names::listed;

/// Cells of the longest bar.
const BAR: u128 = 40;
/// Rows of rounds; longer fights are taken together.
const ROWS_MAX: usize = 20;

/// The whole table.
pub(super) fn draw(simulation: &Simulation<'_>, tally: &Tally) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out, simulation, tally);
    out
}

fn write(out: &mut String, simulation: &Simulation<'_>, tally: &Tally) -> std::fmt::Result {
    let plan = simulation.plan();
    writeln!(out, "{}", names_of(simulation))?;
    let policy = match plan.party == plan.foes {
        true => plan.party.as_str().to_owned(),
        false => format!("{} against {}", plan.party.as_str(), plan.foes.as_str()),
    };
    writeln!(out, "{} fights, policy {policy}, --seed {}\n", tally.fights, plan.seed)?;
    for (what, count) in outcomes(tally) {
        writeln!(out, "{what:<15} {}", chance(count, tally.fights))?;
    }
    if tally.undecided > 0 {
        writeln!(out, "Undecided are fights that went on after {} rounds (--rounds).", plan.rounds)?;
    }
    write_rounds(out, tally)?;
    writeln!(out, "\nOf the party fall")?;
    for (many, count) in &tally.party_fell {
        writeln!(out, "{many:>6}  {}", chance(*count, tally.fights))?;
    }
    write_fighters(out, simulation, tally)?;
    write_attacks(out, simulation, tally)?;
    writeln!(
        out,
        "\n± is the margin of an interval of 95 %. Damage is what comes through armour in one fight, also beyond what is left."
    )?;
    for (heading, lines) in [("Played", simulation.played()), ("Not played", simulation.unplayed(tally))] {
        if !lines.is_empty() {
            writeln!(out, "{heading}")?;
        }
        lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    Ok(())
}

/// "Aria, Bo against Wrecker 1, Wrecker 2".
pub(super) fn names_of(simulation: &Simulation<'_>) -> String {
    let of = |side: Side| {
        let own = simulation.fighters().iter().filter(move |own| own.side == side);
        listed(own.map(|own| own.name.as_str()), 60)
    };
    format!("{} against {}", of(Side::Party), of(Side::Foes))
}

/// What a fight can come to, and how often it did. Both down and undecided stand there only where they came.
pub(super) fn outcomes(tally: &Tally) -> Vec<(&'static str, u64)> {
    let mut all = vec![("The party wins", tally.party_won), ("The foes win", tally.foes_won)];
    all.extend(
        [("All are down", tally.all_down), ("Undecided", tally.undecided)].into_iter().filter(|(_, count)| *count > 0),
    );
    all
}

fn write_rounds(out: &mut String, tally: &Tally) -> std::fmt::Result {
    writeln!(out, "\nRounds {}", mean(tally.mean_rounds()))?;
    let rows = rounds(tally, ROWS_MAX);
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    for (label, count) in rows {
        let cells = usize::try_from(u128::from(count) * BAR / u128::from(most)).unwrap_or(0);
        let line = format!("{label:>6}  {:>7}  {}", percent(count, tally.fights), "█".repeat(cells));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The fights of each round without gaps, those from the last row on together.
pub(super) fn rounds(tally: &Tally, rows_max: usize) -> Vec<(String, u64)> {
    let (Some((first, _)), Some((last, _))) = (tally.rounds.first_key_value(), tally.rounds.last_key_value()) else {
        return Vec::new();
    };
    let most = u32::try_from(rows_max).unwrap_or(u32::MAX);
    let end = (*last).min(first.saturating_add(most.saturating_sub(1)));
    let mut rows: Vec<(String, u64)> =
        (*first..=end).map(|round| (round.to_string(), tally.rounds.get(&round).copied().unwrap_or(0))).collect();
    let rest: u64 = tally.rounds.range(end.saturating_add(1)..).map(|(_, count)| *count).sum();
    if let Some(row) = rows.last_mut().filter(|_| rest > 0) {
        *row = (format!("{end}+"), row.1 + rest);
    }
    rows
}

fn write_fighters(out: &mut String, simulation: &Simulation<'_>, tally: &Tally) -> std::fmt::Result {
    let all = || simulation.fighters().iter().zip(&tally.fighters);
    let width = all().map(|(own, _)| own.name.chars().count()).fold(4, usize::max);
    writeln!(
        out,
        "\n{:<width$}  {:>16}  {:>16}  {:>14}  {:>14}  {:>6}",
        "", "falls", "dies", "deals", "takes", "hits"
    )?;
    for (own, of) in all() {
        let hits = if of.strikes == 0 { "-".to_owned() } else { percent(of.hits, of.strikes) };
        writeln!(
            out,
            "{:<width$}  {:>16}  {:>16}  {:>14}  {:>14}  {hits:>6}",
            own.name,
            chance(of.fell, tally.fights),
            chance(of.died, tally.fights),
            mean(of.dealt.mean(tally.fights)),
            mean(of.taken.mean(tally.fights)),
        )?;
    }
    Ok(())
}

/// What each struck with, the most often first: "Wrecker 1  Maul 71.4 %, Bite 28.6 %".
fn write_attacks(out: &mut String, simulation: &Simulation<'_>, tally: &Tally) -> std::fmt::Result {
    let all = || simulation.fighters().iter().zip(&tally.fighters);
    let width = all().map(|(own, _)| own.name.chars().count()).fold(4, usize::max);
    writeln!(out, "\nStrikes with")?;
    for (own, of) in all() {
        let mut with: Vec<(&String, u64)> = of.with.iter().map(|(attack, count)| (attack, *count)).collect();
        with.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let with: Vec<String> =
            with.into_iter().map(|(attack, count)| format!("{attack} {}", percent(count, of.strikes))).collect();
        let with = if with.is_empty() { "nothing".to_owned() } else { listed(with.iter().map(String::as_str), 300) };
        writeln!(out, "{:<width$}  {with}", own.name)?;
    }
    Ok(())
}

/// "42.1 % ± 1.0", half the interval's width.
pub(super) fn chance(count: u64, all: u64) -> String {
    let ends = interval(count, all);
    format!("{} ± {:.1}", percent(count, all), (ends.high - ends.low) * 50.0)
}

fn mean(own: Mean) -> String {
    format!("{:.2} ± {:.2}", own.mean, own.margin)
}

fn percent(count: u64, all: u64) -> String {
    format!("{:.1} %", count as f64 * 100.0 / all.max(1) as f64)
}
