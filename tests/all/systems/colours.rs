//! Pools of three colours that are pushed: what stays differs by colour, and ones of two colours hurt.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let mut pools: Vec<Vec<i64>> = values.iter().map(|count| faces.dice(*count, 6)).collect();
    let sixes = |pools: &[Vec<i64>]| pools.iter().flatten().filter(|face| **face == 6).count();
    let pushed = sixes(&pools) == 0;
    if pushed {
        for (colour, pool) in pools.iter_mut().enumerate() {
            for face in pool.iter_mut() {
                let stays = *face == 6 || (*face == 1 && colour != 1);
                if !stays {
                    *face = faces.die(6);
                }
            }
        }
    }
    let sixes = i64::try_from(sixes(&pools)).expect("a few");
    let ones = |colour: usize| pools[colour].iter().filter(|face| **face == 1).count();
    let told = match sixes {
        3.. => says(CriticalSuccess, "Flourish", sixes - 1),
        1.. => says(Success, "Success", sixes - 1),
        _ => says(Failure, "Failure", sixes - 1),
    };
    let mut flags = Vec::new();
    flags.extend((pushed && ones(0) > 0).then_some("hurt"));
    flags.extend((pushed && ones(2) > 0).then_some("worn"));
    Says { flags, values: vec![("harm", i64::try_from(ones(0)).expect("a few"))], ..told }
}

#[test]
fn an_attempt_that_is_pushed() {
    let varies = [("body", 1, 5), ("skill", 0, 4), ("gear", 0, 3)];
    Game { rules: include_str!("colours.md"), check: "Attempt", varies: &varies, reference }.holds_followed(
        "Push",
        &[
            ("6s, body 1s, gear 1s", "6s, body 1s"),
            ("6s, body 1s, gear 1s", "6s, 1s"),
            ("6s, body 1s, gear 1s", "body 1s, gear dice"),
            ("6s, body 1s, gear 1s", "6s, skill 1s, gear 1s"),
            ("hurt: body 1s 1+", "hurt: 1s 1+"),
            ("worn: gear 1s 1+; after Push", "worn: gear 1s 1+"),
            ("after failure", "after success"),
            ("successes 3+", "successes 4+"),
        ],
    );
}
