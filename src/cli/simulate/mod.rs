//! `rollbook simulate`: a fight, played thousands of times.

mod answer;
mod sides;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use clap::Args;

use crate::cli::args::{Values, one_of};
use crate::cli::output::{Done, Failed, answer, reason, say};
use crate::cli::progress::Progress;
use rollbook_dice::{OsRoller, Roller as _};
use rollbook_game::refusal::Refusal;
use rollbook_game::simulate::{Plan, Policy, ROUNDS_MAX, Simulation, Tally};
use rollbook_table::session::adventure::Adventure;
use sides::Sides;

const BATCH: u64 = 32;

/// Play a fight thousands of times by the adventure's rules: the chances of winning, rounds, who falls.
///
/// Initiative, checks, damage, conditions and death are those of play. In its turn everybody makes one attack, or as many as its notes say
/// ("makes two attacks"): the one that deals most, on whom the policy says. Whoever is down rolls the checks that the rules keep for that.
/// Nobody heals, flees or gives up, nobody is out of reach, and what sheets say in words is not played. The same seed gives the same answer.
#[derive(Debug, Args)]
pub struct Simulate {
    /// The characters: a file of stat blocks, a sheet, or playtest lines; FILE#NAME for one of several, or a line itself: "Aria: DEX
    /// 14, Hit points 9". May be given several times.
    #[arg(long, required = true, value_name = "FILE")]
    party: Vec<String>,
    /// Whom they fight: a stat block of the adventure by its name, FILE#NAME, or a line; with "3 x " before it so many of them. May be
    /// given several times.
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
    /// The adventure's folder.
    #[arg(long, value_name = "DIR", default_value = ".")]
    adventure: PathBuf,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

const POLICIES: &Values<Policy> = &[
    ("focus", Policy::Focus, "The one with the least health left"),
    ("spread", Policy::Spread, "The one who was attacked the fewest times"),
    ("random", Policy::Random, "Anybody"),
];

impl Simulate {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let adventure = Adventure::read(&self.adventure)?;
        let Sides { party, foes } = sides::read(&adventure, &self.party, &self.foes)?;
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
        let simulation = Simulation::prepare(&setting, party, foes, plan).map_err(advised)?;
        for fighter in simulation.fighters() {
            for (attack, why) in &fighter.arms.refused {
                say(&format!("{} does not use {attack}: {why}", fighter.name));
            }
            if fighter.arms.is_empty() && fighter.arms.refused.is_empty() {
                say(&format!("{} has no attack and strikes nobody.", fighter.name));
            }
        }
        let shown = Progress::start("Fighting");
        let tally = fought(&simulation, self.runs).map_err(advised)?;
        drop(shown);
        for (check, why) in &tally.refused {
            say(&format!("{check}, of those who are down, is not rolled: {why}"));
        }
        answer(&match self.json {
            true => format!("{:#}\n", answer::to_json(&simulation, &tally)),
            false => answer::draw(&simulation, &tally),
        })
    }
}

/// A short number that nobody chose, so that it can be typed again.
fn any_seed() -> Result<u64, Failed> {
    let number = OsRoller::new().draw(0, i64::from(u32::MAX)).map_err(reason)?;
    u64::try_from(number).map_err(reason)
}

/// Fights so often, on every processor.
fn fought(simulation: &Simulation<'_>, runs: u64) -> Result<Tally, Refusal> {
    let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let part = || -> Result<Tally, Refusal> {
        let mut tally = Tally::of(simulation.fighters());
        while !stopped.load(Ordering::Relaxed) {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= runs {
                break;
            }
            for number in first..runs.min(first + BATCH) {
                let fight = simulation.fight(number).inspect_err(|_| stopped.store(true, Ordering::Relaxed))?;
                tally.add(simulation.fighters(), &fight);
            }
        }
        Ok(tally)
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(part)).collect();
        let mut tally = part()?;
        for other in others {
            match other.join() {
                Ok(part) => tally.merge(&part?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(tally)
    })
}

/// The refusal of a call as a command has it.
fn advised(refusal: Refusal) -> Failed {
    // In a fight at the table the GM would say the number.
    if let Some((why, _)) = refusal.summary.split_once(" Say the number yourself") {
        return format!("{why} Write it on the sheet. [{}]", refusal.code);
    }
    // A sheet of this fight alone is put right in its file.
    let summary = refusal.summary.split(" manage_character keeps ").next().unwrap_or(&refusal.summary).to_owned();
    let refusal = Refusal { summary, ..refusal };
    let options = [("difficulty", "--difficulty 12"), ("opposed_by", "--opposed-by SKILL")];
    let named = options.into_iter().find(|(parameter, _)| refusal.summary.contains(&format!("{parameter}=")));
    let advice = named.map_or_else(String::new, |(_, option)| format!(" Here that is {option}."));
    format!("{}{advice} [{}]", refusal.summary, refusal.code)
}
