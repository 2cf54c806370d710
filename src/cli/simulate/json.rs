//! What the fights came to, for programs.

use serde_json::{Value, json};

use crate::game::simulate::{Fighter, FighterTally, Mean, Side, Simulation, Tally, interval};

/// `{seed, runs, policy, foes_policy, rounds_max, outcomes, rounds, party_fell, fighters, played, not_played}`; chances with the ends of their intervals of 95 %; of each fighter `attacks` with which it struck.
pub(super) fn of(simulation: &Simulation<'_>, tally: &Tally) -> Value {
    let plan = simulation.plan();
    let chance = |count: u64| {
        let ends = interval(count, tally.fights);
        json!({"count": count, "chance": share(count, tally.fights), "low": ends.low, "high": ends.high})
    };
    let with = |own: &FighterTally| {
        let each = own.with.iter();
        let each =
            each.map(|(name, count)| json!({"name": name, "strikes": count, "share": share(*count, own.strikes)}));
        each.collect::<Vec<Value>>()
    };
    let fighter = |(own, tally_of): (&Fighter, &FighterTally)| {
        json!({
            "name": own.name,
            "side": if own.side == Side::Party { "party" } else { "foes" },
            "falls": chance(tally_of.fell),
            "dies": chance(tally_of.died),
            "strikes": tally_of.strikes,
            "attacks": with(tally_of),
            "hits": tally_of.hits,
            "dealt": mean(tally_of.dealt.mean(tally.fights)),
            "taken": mean(tally_of.taken.mean(tally.fights)),
        })
    };
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
        "rounds": {"mean": mean(tally.mean_rounds()), "each": rounds.collect::<Vec<Value>>()},
        "party_fell": fell.collect::<Vec<Value>>(),
        "fighters": simulation.fighters().iter().zip(&tally.fighters).map(fighter).collect::<Vec<Value>>(),
        "played": simulation.played(),
        "not_played": simulation.unplayed(tally),
    })
}

fn mean(own: Mean) -> Value {
    json!({"mean": own.mean, "margin": own.margin})
}

fn share(count: u64, all: u64) -> f64 {
    count as f64 / all.max(1) as f64
}
