//! How a pool of exploding dice can fall.
//!
//! `n` dice with `x` explosions in all are `n` faces that do not explode and `x` that do, in
//! `C(n + x - 1, x)` orders. That is enough where it does not matter which die a face belongs to
//! ([`apart`]); else each die's chain is followed by itself ([`one_by_one`]). The chance of more
//! explosions than are followed is cut off.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::classes::{Handful, Handfuls, Next, PoolClasses, Throwing, add, power};
use super::view::Shown;
use rollbook_dice::odds::{Chains, Extra};

/// The classes of the pool; none where they are too many.
pub(super) fn chain_classes(table: &mut Throwing<'_>, chains: &Chains) -> Option<PoolClasses> {
    match is_apart(table, chains) {
        true => apart(table, chains),
        false => one_by_one(table, chains),
    }
}

/// Whether it does not matter which die a face belongs to.
fn is_apart(table: &Throwing<'_>, chains: &Chains) -> bool {
    let reads = table.seen.reads;
    let by_value = reads.highest > 0 || reads.lowest || table.seen.kept.is_some();
    let sums = table.pool.is_plain_sum() && !by_value;
    match chains.extra {
        // What extra dice are worth less is subtracted from the sum.
        Extra::Dice => !reads.natural && (chains.less == 0 || sums),
        Extra::Part => sums && !reads.natural && !reads.successes && reads.faces.is_empty(),
        Extra::OneDie => false,
    }
}

fn apart(table: &mut Throwing<'_>, chains: &Chains) -> Option<PoolClasses> {
    let (pool, count) = (table.pool, table.pool.count);
    let stays = table.plain(0, |face| !face.explodes);
    let bursts = table.plain(chains.less, |face| face.explodes);
    let last = table.thrown(table.none(), &stays, count)?;
    let exploded = exploded(table, chains, &bursts)?;
    let mut all = table.joined(&exploded, &last)?;
    all.values_mut()
        .for_each(|handful| handful.faces = in_chains(&handful.faces, count));
    Some(PoolClasses::new(
        pool,
        all,
        pool.each().pow(power(count + chains.most)),
    ))
}

/// The faces that explode: each number of them, in all orders on the dice.
fn exploded(table: &mut Throwing<'_>, chains: &Chains, bursts: &[Next]) -> Option<Handfuls> {
    let each = table.pool.each();
    let mut all = Handfuls::new();
    let mut now = table.none();
    let mut orders = BigUint::from(1_u8);
    for more in 0..=chains.most {
        if orders == BigUint::ZERO {
            // No die is left to explode.
            break;
        }
        let missing = &orders * each.pow(power(chains.most - more));
        for (shown, handful) in &now {
            add(
                &mut all,
                shown.clone(),
                &handful.ways * &missing,
                handful.faces.iter(),
            );
        }
        orders = orders * (table.pool.count + more) / (more + 1);
        now = table.thrown(now, bursts, 1)?;
    }
    Some(all)
}

/// The faces in the order of draws. The last `stay` faces end a die each; those that explode are
/// spread over the dice, so that no chain is too long.
fn in_chains(faces: &[usize], stay: usize) -> Vec<usize> {
    let (bursts, stays) = faces.split_at(faces.len().saturating_sub(stay));
    let mut chains = bursts.chunks(bursts.len().div_ceil(stay.max(1)).max(1));
    stays
        .iter()
        .flat_map(|stay| chains.next().unwrap_or_default().iter().chain([stay]))
        .copied()
        .collect()
}

/// Open chains: what their dice show, the sum of the die's faces, and its first face.
type Open = BTreeMap<(Shown, i64, Option<i64>), Handful<usize>>;

fn one_by_one(table: &mut Throwing<'_>, chains: &Chains) -> Option<PoolClasses> {
    let pool = table.pool;
    let die = one(table, chains)?;
    let mut all = table.none();
    for _ in 0..pool.count {
        all = table.joined(&all, &die)?;
    }
    Some(PoolClasses::new(
        pool,
        all,
        pool.each().pow(power((chains.length + 1) * pool.count)),
    ))
}

/// How one die and its extra faces can fall.
fn one(table: &mut Throwing<'_>, chains: &Chains) -> Option<Handfuls> {
    let pool = table.pool;
    let each = pool.each();
    let mut done = Handfuls::new();
    let mut open = Open::from([((table.seen.nothing(), 0, None), Handful::none())]);
    for number in 0..=chains.length {
        let missing = each.pow(power(chains.length - number));
        let less = if number == 0 { 0 } else { chains.less };
        let dice = table.plain(less, |_| true);
        table.pay(open.len().saturating_mul(pool.faces.len()), 1, number)?;
        let mut next = Open::new();
        for ((shown, sum, first), handful) in &open {
            for (face, (die, one)) in pool.faces.iter().zip(&dice) {
                let goes_on = face.explodes && !(chains.extra == Extra::OneDie && number == 1);
                let ways = &handful.ways * &one.ways;
                let faces = handful.faces.iter().chain(&one.faces);
                let (shown, sum, first) = match chains.extra {
                    Extra::Part => (
                        shown.clone(),
                        sum + face.face - less,
                        first.or(Some(face.face)),
                    ),
                    Extra::Dice | Extra::OneDie => (table.seen.with(shown, die), 0, None),
                };
                if goes_on && number < chains.length {
                    add(&mut next, (shown, sum, first), ways, faces);
                } else if !goes_on {
                    let die = first.map(|first| table.seen.die(first, sum));
                    let shown = die.map_or(shown.clone(), |die| table.seen.with(&shown, &die));
                    add(&mut done, shown, ways * &missing, faces);
                }
            }
        }
        open = next;
    }
    Some(done)
}
