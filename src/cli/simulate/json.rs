//! What the fights came to, for programs.

use serde_json::{Value, json};

use rollbook_game::simulate::{Fighter, FighterTally, Side, Simulation, Tally, interval};

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
