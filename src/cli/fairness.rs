//! `rollbook fairness`: statistical tests of the dice.
//!
//! The very generator the server rolls with is drawn many times; Pearson's chi-square test says how
//! surprising the counts would be from fair dice. Among many tests one small p-value is to be
//! expected, so the alarm is set for all of them together: a fair machine raises it once in a
//! million runs.

use clap::Args;
use serde_json::{Value, json};

use super::roll::render;
use crate::cli::output::{Done, Failed, print, reason};
use crate::cli::progress::Progress;
use rollbook_dice::fairness::{
    ChiSquare, Compared, FALSE_ALARM_RATE, FaceCount, Tally, compare, tally, threshold,
};
use rollbook_dice::{Die, OsRoller};

const SIDES: [u32; 7] = [4, 6, 8, 10, 12, 20, 100];
/// Expressions tested by exact odds: keeping, dropping, exploding, rerolling, counting.
const EXPRESSIONS: [&str; 6] = ["4d6kh3", "2d20kh1", "2d20kl1", "3d6!", "2d6ro1", "5d10t8"];

/// Roll each die many times and test whether it is fair.
///
/// Prints counts, expectation and p-value. Exit code 1 when the dice look loaded: on fair dice that
/// happens once in a million runs. No seed is taken, kept or shown.
#[derive(Debug, Args)]
pub struct Fairness {
    /// Draws of each die and rolls of each expression.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1_000..=1_000_000_000))]
    rolls: u64,
    /// Expressions to hold against their exact odds, instead of the usual ones.
    #[arg(value_name = "EXPR")]
    expressions: Vec<String>,
    /// Print everything as JSON, with what came and what was expected of every face and total.
    #[arg(long)]
    json: bool,
}

type Trial = (String, ChiSquare);
type Counted = (String, Vec<FaceCount>);

impl Fairness {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let shown = Progress::start("Rolling");
        let mut roller = OsRoller::new();
        // Named expressions are the whole trial.
        let usual = SIDES
            .into_iter()
            .map(Die::Sides)
            .chain([Die::Fate])
            .filter(|_| self.expressions.is_empty());
        let tallies = usual.map(|die| tally(&die, self.rolls, &mut roller).map_err(reason));
        let tallies: Vec<Tally> = tallies.collect::<Result<_, Failed>>()?;
        let mut trials = Vec::new();
        for tally in &tallies {
            let tests = [
                ("every face", tally.faces()),
                ("one face after another", tally.pairs()),
            ];
            trials.extend(
                tests.into_iter().filter_map(|(what, result)| {
                    Some((format!("{}, {what}", tally.die()), result?))
                }),
            );
        }
        let mut lists: Vec<Counted> = tallies
            .iter()
            .map(|tally| (tally.die().to_string(), tally.counts()))
            .collect();
        let usual = || EXPRESSIONS.map(str::to_owned).to_vec();
        for text in if self.expressions.is_empty() {
            usual()
        } else {
            self.expressions.clone()
        } {
            let failed = |error| render(&text, &error);
            let expression = rollbook_dice::read(&text).map_err(failed)?;
            let Compared { totals, result } =
                compare(&expression, self.rolls, &mut roller).map_err(failed)?;
            trials.extend(result.map(|result| (format!("{expression}, exact odds"), result)));
            lists.push((expression.to_string(), totals));
        }
        if trials.is_empty() {
            return Err("Nothing here can be tested: no total of it leaves anything to chance, or too few rolls were \
                        asked for. Name dice (4d6kh3), or roll more (--rolls 1000000)."
                .to_owned());
        }
        let alarm = threshold(FALSE_ALARM_RATE, trials.len());
        let loaded = trials.iter().any(|(_, result)| result.p_value < alarm);
        drop(shown);
        print(&if self.json {
            format!("{:#}\n", self.as_json(&lists, &trials, alarm, loaded))
        } else {
            self.as_text(&lists, &trials, alarm, loaded)
        })?;
        Ok(Done::of(!loaded))
    }

    fn as_text(&self, lists: &[Counted], trials: &[Trial], alarm: f64, loaded: bool) -> String {
        let mut out = format!(
            "{} rolls of each, from the generator the server rolls with.\n\n",
            self.rolls
        );
        out.push_str(&ends(lists));
        out.push_str(&format!(
            "{:32} {:>12} {:>8} {:>10}\n",
            "what was tested", "chi-square", "degrees", "p-value"
        ));
        for (what, result) in trials {
            let mark = if result.p_value < alarm {
                "  ALARM"
            } else {
                ""
            };
            let p_value = result.p_value;
            let p_value = if p_value < 1e-4 {
                format!("{p_value:.1e}")
            } else {
                format!("{p_value:.6}")
            };
            out.push_str(&format!(
                "{what:32} {:>12.2} {:>8} {p_value:>10}{mark}\n",
                result.statistic, result.degrees
            ));
        }
        let loaded = if loaded {
            "The dice look loaded. On fair dice that happens once in a million runs: run it again, and report it."
        } else {
            "Nothing to object to."
        };
        out.push_str(&format!(
            "\nThe p-value is the chance that fair dice stray at least as far. The alarm is p < {alarm:.1e}, so that all {} tests together\n\
             raise it by mistake in at most one of {:.0} runs. {loaded}\n",
            trials.len(),
            1.0 / FALSE_ALARM_RATE
        ));
        out
    }

    fn as_json(&self, lists: &[Counted], trials: &[Trial], alarm: f64, loaded: bool) -> Value {
        let trial = |(what, result): &Trial| json!({"what": what, "statistic": result.statistic, "degrees": result.degrees, "p_value": result.p_value});
        let list = |(what, counts): &Counted| {
            let line = |one: &FaceCount| json!({"face": one.face, "observed": one.observed, "expected": one.expected});
            json!({"what": what, "faces": counts.iter().map(line).collect::<Vec<_>>()})
        };
        json!({
            "rolls": self.rolls,
            "tests": trials.iter().map(trial).collect::<Vec<_>>(),
            "counts": lists.iter().map(list).collect::<Vec<_>>(),
            "alarm_below": alarm,
            "false_alarm_rate": FALSE_ALARM_RATE,
            "loaded": loaded,
        })
    }
}

/// One line a die or expression: what came least and most often, against how often it should have.
fn ends(lists: &[Counted]) -> String {
    let mut out = format!(
        "{:10} {:>32} {:>32}\n",
        "dice", "least, for what was expected", "most, for what was expected"
    );
    for (what, counts) in lists {
        let strays = |count: &&FaceCount| {
            (count.observed as f64 - count.expected) / count.expected.max(1.0).sqrt()
        };
        let least = counts.iter().min_by(|a, b| strays(a).total_cmp(&strays(b)));
        let most = counts.iter().max_by(|a, b| strays(a).total_cmp(&strays(b)));
        let (Some(least), Some(most)) = (least, most) else {
            continue;
        };
        let face = |count: &FaceCount| {
            format!(
                "{}: {} for {:.1}",
                count.face, count.observed, count.expected
            )
        };
        out.push_str(&format!(
            "{what:10} {:>32} {:>32}\n",
            face(least),
            face(most)
        ));
    }
    out.push('\n');
    out
}
