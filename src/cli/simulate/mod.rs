//! `rollbook simulate`: a fight, played thousands of times.

pub(super) mod sides;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use clap::Args;
use serde_json::{Value, json};

use crate::cli::args::{BasesArg, Values, one_of};
use crate::cli::output::{Done, Failed, answer, reason, say};
use crate::cli::progress::Progress;
use crate::cli::shelf::at_hand;
use rollbook_dice::{OsRoller, Roller as _};
use rollbook_game::refusal::Refusal;
use rollbook_game::simulate::{
    End, Fighter, FighterTally, Plan, Policy, ROUNDS_MAX, Side, Simulation, Tally, interval,
};
use rollbook_table::session::adventure::Adventure;
use rollbook_text::names::listed;

/// Play a fight thousands of times: who wins, how soon, who falls.
///
/// Initiative, checks, damage, conditions and death are those of play. In its turn everybody makes
/// one attack, or as many as its notes say ("makes two attacks"): the one that deals most, on whom
/// the policy says. Whoever is down rolls the checks that the rules keep for that. Nobody heals,
/// flees or gives up, nobody is out of reach, and what sheets say in words is not played. The same
/// seed gives the same answer.
#[derive(Debug, Args)]
pub struct Simulate {
    /// The characters: a file of stat blocks, a sheet, JSON, or playtest lines; FILE#NAME for one
    /// of several, or a line itself: "Aria: DEX 14, Hit points 9". May be given several times.
    #[arg(long, required = true, value_name = "FILE")]
    party: Vec<String>,
    /// Whom they fight: a stat block of the adventure by its name, FILE#NAME, or a line; with "3 x
    /// " before it so many of them. May be given several times.
    #[arg(long, required = true, value_name = "WHO")]
    foes: Vec<String>,
    /// Fights.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    runs: u64,
    /// Whom everybody strikes.
    #[arg(long, value_parser = one_of(POLICIES), default_value = "focus")]
    policy: Policy,
    /// Whom the foes strike, where that differs.
    #[arg(long, value_parser = one_of(POLICIES))]
    foes_policy: Option<Policy>,
    /// A fight that goes on after so many rounds is undecided.
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=i64::from(ROUNDS_MAX)))]
    rounds: u32,
    /// The check of attacks, where it is not the one that the rules have for them.
    #[arg(long, value_name = "NAME")]
    check: Option<String>,
    /// The difficulty of attacks, where nobody's sheet has it.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    difficulty: Option<i64>,
    /// The skill with which the target of an attack rolls against it.
    #[arg(long, value_name = "SKILL")]
    opposed_by: Option<String>,
    /// The dice of an earlier run.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The adventure's folder, or the name of one that comes with the program.
    #[arg(long, value_name = "DIR|NAME", default_value = ".")]
    adventure: PathBuf,
    #[command(flatten)]
    bases: BasesArg,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

const POLICIES: &Values<Policy> = &[
    ("focus", Policy::Focus, "The one with the least health left"),
    (
        "spread",
        Policy::Spread,
        "The one who was attacked the fewest times",
    ),
    ("random", Policy::Random, "Anybody"),
];

impl Simulate {
    pub(super) fn run(self) -> Result<Done, Failed> {
        self.bases.read_below()?;
        let adventure = Adventure::read(&at_hand(&self.adventure)?)?;
        let (party, foes) = sides::read(&adventure, &self.party, &self.foes)?;
        let plan = Plan {
            party: self.policy,
            foes: self.foes_policy.unwrap_or(self.policy),
            rounds: self.rounds,
            check: self.check,
            difficulty: self.difficulty,
            defence: self.opposed_by,
            seed: self.seed.map_or_else(any_seed, Ok)?,
        };
        let setting = adventure.setting(adventure.name.clone());
        let shown = Progress::start("Comparing attacks");
        let simulation = Simulation::prepare(&setting, party, foes, plan).map_err(advised)?;
        drop(shown);
        for fighter in &simulation.fighters {
            for (attack, why) in &fighter.arms.refused {
                say(&format!("{} does not use {attack}: {why}", fighter.name));
            }
            if fighter.arms.is_empty() && fighter.arms.refused.is_empty() {
                say(&format!(
                    "{} has no attack and strikes nobody.",
                    fighter.name
                ));
            }
        }
        let over = Arc::new(AtomicU64::new(0));
        let shown = Progress::counting("Fighting", &over, self.runs);
        let tally = fought(&simulation, self.runs, &over).map_err(advised)?;
        drop(shown);
        for (check, why) in &tally.refused {
            say(&format!(
                "{check}, of those who are down, is not rolled: {why}"
            ));
        }
        if self.json {
            return answer(&format!("{:#}\n", to_json(&simulation, &tally)));
        }
        answer(&draw(&simulation, &tally).map_err(reason)?)
    }
}

/// A short number that nobody chose, so that it can be typed again.
fn any_seed() -> Result<u64, Failed> {
    let number = OsRoller::new()
        .draw(0, i64::from(u32::MAX))
        .map_err(reason)?;
    u64::try_from(number).map_err(reason)
}

fn fought(simulation: &Simulation<'_>, runs: u64, over: &AtomicU64) -> Result<Tally, Refusal> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let stopped = AtomicBool::new(false);
    let part = |first: usize| -> Result<Tally, Refusal> {
        let mut tally = Tally::of(&simulation.fighters);
        let numbers = (first as u64..runs).step_by(threads);
        for number in numbers.take_while(|_| !stopped.load(Ordering::Relaxed)) {
            let fight = simulation
                .fight(number)
                .inspect_err(|_| stopped.store(true, Ordering::Relaxed))?;
            tally.add(&simulation.fighters, &fight);
            over.fetch_add(1, Ordering::Relaxed);
        }
        Ok(tally)
    };
    std::thread::scope(|scope| {
        let part = &part;
        let others: Vec<_> = (1..threads)
            .map(|first| scope.spawn(move || part(first)))
            .collect();
        let mut tally = part(0)?;
        for other in others {
            tally.merge(
                &other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?,
            );
        }
        Ok(tally)
    })
}

fn advised(refusal: Refusal) -> Failed {
    // At the table the GM would say the number, and put the sheet right, which is in a file here.
    let summary = refusal
        .summary
        .split(" manage_character keeps ")
        .next()
        .unwrap_or_default();
    let on_sheet = summary
        .split_once(" Say the number yourself")
        .map(|(why, _)| format!("{why} Write it on the sheet."));
    let summary = on_sheet.as_deref().unwrap_or(summary);
    let options = [
        ("difficulty=", "--difficulty 12"),
        ("opposed_by=", "--opposed-by SKILL"),
    ];
    let named = options
        .into_iter()
        .find(|(parameter, _)| summary.contains(parameter));
    let advice = named.map_or_else(String::new, |(_, option)| {
        format!(" Here that is {option}.")
    });
    format!("{summary}{advice} [{}]", refusal.code)
}

const BAR: u128 = 40;
const ROWS_MAX: u32 = 20; // Rows of rounds; longer fights are taken together

fn draw(simulation: &Simulation<'_>, tally: &Tally) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    let names = |side: Side| {
        let fighters = simulation
            .fighters
            .iter()
            .filter(move |fighter| fighter.side == side);
        listed(fighters.map(|fighter| fighter.name.as_str()), 60)
    };
    writeln!(out, "{} against {}", names(Side::Party), names(Side::Foes))?;
    let plan = &simulation.plan;
    let policy = match plan.party == plan.foes {
        true => plan.party.as_str().to_owned(),
        false => format!("{} against {}", plan.party.as_str(), plan.foes.as_str()),
    };
    writeln!(
        out,
        "{} fights, policy {policy}, --seed {}\n",
        tally.fights, plan.seed
    )?;
    // The last two are there only where they came.
    for (what, count, is_rare) in [
        ("The party wins", tally.ended(End::Won(Side::Party)), false),
        ("The foes win", tally.ended(End::Won(Side::Foes)), false),
        ("All are down", tally.ended(End::AllDown), true),
        ("Undecided", tally.ended(End::Undecided), true),
    ] {
        if count > 0 || !is_rare {
            writeln!(out, "{what:<15} {}", chance(count, tally.fights))?;
        }
    }
    if tally.ended(End::Undecided) > 0 {
        writeln!(
            out,
            "Undecided are fights that went on after {} rounds (--rounds).",
            plan.rounds
        )?;
    }
    let (mean, rows) = (tally.mean_rounds(), rounds(tally));
    writeln!(out, "\nRounds {:.2} ± {:.2}", mean.mean, mean.margin)?;
    let most = rows
        .iter()
        .map(|(_, count)| *count)
        .max()
        .unwrap_or(1)
        .max(1);
    for (label, count) in rows {
        let cells = usize::try_from(u128::from(count) * BAR / u128::from(most)).unwrap_or(0);
        let line = format!(
            "{label:>6}  {:>7}  {}",
            percent(count, tally.fights),
            "█".repeat(cells)
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out, "\nOf the party fall")?;
    for (many, count) in &tally.party_fell {
        writeln!(out, "{many:>6}  {}", chance(*count, tally.fights))?;
    }
    let fighters = || simulation.fighters.iter().zip(&tally.fighters);
    let width = fighters()
        .map(|(fighter, _)| fighter.name.chars().count())
        .fold(4, usize::max);
    writeln!(out, "\n{:<width$}  {:>16}  {:>16}", "", "falls", "dies")?;
    for (fighter, counts) in fighters() {
        let (falls, dies) = (
            chance(counts.fell, tally.fights),
            chance(counts.died, tally.fights),
        );
        writeln!(out, "{:<width$}  {falls:>16}  {dies:>16}", fighter.name)?;
    }
    Ok(out + "\n± is the margin of an interval of 95 %.\n")
}

/// The fights of each round without gaps, those from the last row on together.
fn rounds(tally: &Tally) -> Vec<(String, u64)> {
    let (Some((first, _)), Some((last, _))) = (
        tally.rounds.first_key_value(),
        tally.rounds.last_key_value(),
    ) else {
        return Vec::new();
    };
    let end = (*last).min(first.saturating_add(ROWS_MAX - 1));
    let mut rows: Vec<(String, u64)> = (*first..=end)
        .map(|round| {
            (
                round.to_string(),
                tally.rounds.get(&round).copied().unwrap_or(0),
            )
        })
        .collect();
    let rest: u64 = tally
        .rounds
        .range(end.saturating_add(1)..)
        .map(|(_, count)| *count)
        .sum();
    if let Some(row) = rows.last_mut().filter(|_| rest > 0) {
        *row = (format!("{end}+"), row.1 + rest);
    }
    rows
}

/// "42.1 % ± 1.0", half the interval's width.
fn chance(count: u64, all: u64) -> String {
    let ends = interval(count, all);
    format!(
        "{} ± {:.1}",
        percent(count, all),
        (ends.high - ends.low) * 50.0
    )
}

fn percent(count: u64, all: u64) -> String {
    format!("{:.1} %", count as f64 * 100.0 / all.max(1) as f64)
}

/// `{seed, runs, …, outcomes, rounds, party_fell, fighters}`, with intervals of 95 %.
fn to_json(simulation: &Simulation<'_>, tally: &Tally) -> Value {
    let plan = &simulation.plan;
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
    let rounds = tally
        .rounds
        .iter()
        .map(|(round, count)| json!({"round": round, "count": count}));
    let fell = tally
        .party_fell
        .iter()
        .map(|(many, count)| json!({"fell": many, "count": count}));
    json!({
        "version": 1,
        "seed": plan.seed,
        "runs": tally.fights,
        "policy": plan.party.as_str(),
        "foes_policy": plan.foes.as_str(),
        "rounds_max": plan.rounds,
        "outcomes": {
            "party": chance(tally.ended(End::Won(Side::Party))),
            "foes": chance(tally.ended(End::Won(Side::Foes))),
            "all_down": chance(tally.ended(End::AllDown)),
            "undecided": chance(tally.ended(End::Undecided)),
        },
        "rounds": {"mean": {"mean": mean.mean, "margin": mean.margin}, "each": rounds.collect::<Vec<Value>>()},
        "party_fell": fell.collect::<Vec<Value>>(),
        "fighters": simulation.fighters.iter().zip(&tally.fighters).map(fighter).collect::<Vec<Value>>(),
    })
}
