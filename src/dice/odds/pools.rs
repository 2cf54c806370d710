//! The dice of an expression as pools of dice that are alike.
//!
//! Ten dice that are added up need not be walked die by die: only what they come to together matters. Whoever knows what
//! that is (a rule does, a total does not) gets the pools here and merges what looks the same.

use crate::dice::ast::{Dice, End, ModifierKind, Node, Stage};
use crate::dice::expression::Expression;
use crate::dice::throw::successes;

/// Dice of one term: alike, each drawn once, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// How many there are.
    pub count: usize,
    /// What each of them can show, the lowest first.
    pub faces: Vec<PoolFace>,
    /// Which of them are kept.
    pub kept: Kept,
    /// Whether their record is put into another order than that of the draws.
    pub sorted: bool,
    /// Whether what they come to decides which other dice are kept.
    pub grouped: bool,
}

/// One face of a die in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolFace {
    /// The number on it.
    pub face: i64,
    /// How often it stands on the die.
    pub weight: u32,
    /// What the die is worth with it: not the face where it is raised or lowered.
    pub value: i64,
    /// What it adds to the total while it is kept: the value, or the successes it counts.
    pub adds: i64,
}

/// Which dice of a pool are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All.
    All,
    /// So many of the highest.
    Highest(usize),
    /// So many of the lowest.
    Lowest(usize),
    /// Chosen in some other way, of which only this is known: the order of the draws does not matter to it.
    Somehow,
}

impl Expression {
    /// Its dice in the order in which they are drawn. None when that order is not known beforehand: a die explodes, is
    /// rerolled or has bonus dice, or the whole is repeated or tested.
    pub fn pools(&self) -> Option<Vec<Pool>> {
        let request = self.request();
        if request.repeat.is_some() || request.check.test.is_some() {
            return None;
        }
        let mut pools = Vec::new();
        collect(&request.check.node, false, &mut pools)?;
        Some(pools)
    }
}

fn collect(node: &Node, grouped: bool, pools: &mut Vec<Pool>) -> Option<()> {
    if let Node::Dice(dice) = node {
        pools.push(pool(dice, grouped)?);
        return Some(());
    }
    let grouped = grouped || matches!(node, Node::Group(_));
    node.children().try_for_each(|child| collect(child, grouped, pools))
}

fn pool(dice: &Dice, grouped: bool) -> Option<Pool> {
    let has = |stage: Stage| dice.modifiers.iter().any(|modifier| modifier.kind.stage() == stage);
    if has(Stage::Draw) || has(Stage::Reroll) || has(Stage::Explode) {
        return None;
    }
    let count = usize::try_from(dice.count()).ok()?;
    let counts = dice.counts();
    let faces = dice.die().weights().into_iter().map(|(face, weight)| {
        let value = clamped(dice, face);
        let adds = if counts { successes(&dice.modifiers, value) } else { value };
        PoolFace { face, weight, value, adds }
    });
    let sorted = |kind: &ModifierKind| matches!(kind, ModifierKind::SortAscending | ModifierKind::SortDescending);
    let sorted = dice.modifiers.iter().any(|modifier| sorted(&modifier.kind));
    Some(Pool { count, faces: faces.collect(), kept: kept(dice, count), sorted, grouped })
}

fn clamped(dice: &Dice, face: i64) -> i64 {
    let mut value = face;
    let bounds = |kind: &ModifierKind| match kind {
        ModifierKind::Minimum(int) => (Some(int.get()), None),
        ModifierKind::Maximum(int) => (None, Some(int.get())),
        _ => (None, None),
    };
    let all = || dice.modifiers.iter().map(|modifier| bounds(&modifier.kind));
    // As when dice are thrown: the last of each kind counts, and the minimum goes first.
    if let Some(minimum) = all().rev().find_map(|(minimum, _)| minimum) {
        value = value.max(minimum);
    }
    match all().rev().find_map(|(_, maximum)| maximum) {
        Some(maximum) => value.min(maximum),
        None => value,
    }
}

fn kept(dice: &Dice, count: usize) -> Kept {
    let mut keeps = dice.modifiers.iter().filter(|modifier| modifier.kind.stage() == Stage::Keep);
    let kept = match (keeps.next().map(|keep| &keep.kind), keeps.next()) {
        (None, _) => return Kept::All,
        (Some(ModifierKind::Keep(End::Highest, many)), None) => usize::try_from(many.get()).map(Kept::Highest),
        (Some(ModifierKind::Keep(End::Lowest, many)), None) => usize::try_from(many.get()).map(Kept::Lowest),
        (Some(ModifierKind::Drop(end, many)), None) => {
            let left = count.saturating_sub(usize::try_from(many.get()).unwrap_or(0));
            Ok(if *end == End::Lowest { Kept::Highest(left) } else { Kept::Lowest(left) })
        }
        _ => return Kept::Somehow,
    };
    match kept {
        Ok(Kept::Highest(many) | Kept::Lowest(many)) if many >= count => Kept::All,
        Ok(kept) => kept,
        Err(_) => Kept::Somehow,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::parse;

    fn pools(text: &str) -> Option<Vec<(usize, Kept)>> {
        let pools = parse(text).expect("dice").pools()?;
        Some(pools.iter().map(|pool| (pool.count, pool.kept)).collect())
    }

    #[test]
    fn each_term_is_a_pool_in_the_order_of_draws() {
        assert_eq!(pools("4d6kh3 + 2d8 + 1"), Some(vec![(4, Kept::Highest(3)), (2, Kept::All)]));
        assert_eq!(pools("4d6dl1"), Some(vec![(4, Kept::Highest(3))]));
        assert_eq!(pools("max(1d8, 2d6kl1)"), Some(vec![(1, Kept::All), (2, Kept::Lowest(1))]));
        assert_eq!(pools("3d6kh3"), Some(vec![(3, Kept::All)]));
    }

    #[test]
    fn what_draws_an_unknown_number_of_times_has_none() {
        for text in ["1d6!", "2d6r1", "d%b1", "2d6 vs 7", "1d20 + 1d4 repeat 2"] {
            let Ok(expression) = parse(text) else { continue };
            assert_eq!(expression.pools(), None, "{text}");
        }
        assert_eq!(pools("1d6!"), None);
    }

    #[test]
    fn a_face_says_what_it_adds() {
        let pool = parse("8d10t8f1").expect("dice").pools().expect("pools").remove(0);
        let adds: Vec<i64> = pool.faces.iter().map(|face| face.adds).collect();
        assert_eq!(adds, [-1, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    }
}
