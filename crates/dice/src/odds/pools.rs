//! The dice of an expression as pools of dice that are alike: ten dice that are added up need not
//! be walked die by die, since only what they come to together matters. Rules, which know what that
//! is, get the pools here and merge what looks the same.

use crate::expression::Expression;
use crate::expression::tree::{Dice, Node};
use crate::modifiers::clamp::Clamps;
use crate::modifiers::count::successes;
use crate::modifiers::explode::{Explosion, explodes};
use crate::modifiers::keep::{End, Selection};
use crate::modifiers::reroll::{Again, rerolled};
use crate::modifiers::sort::Sort;
use crate::modifiers::{Stage, bonus};
use crate::odds::term::{chain_ends, drawn_faces};
use num_bigint::BigUint;

/// Dice of one term: alike, each drawn once or in a chain of explosions, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// How many there are, extra dice left out.
    pub count: usize,
    /// What each of them can show, the lowest first.
    pub faces: Vec<PoolFace>,
    /// Which of them are kept.
    pub kept: Kept,
    /// Whether their record is put into another order than that of the draws.
    pub sorted: bool,
    /// Whether what they come to decides which other dice are kept.
    pub grouped: bool,
    /// What becomes of the faces that explode.
    pub chains: Option<Chains>,
    /// Whether no face falls twice, but as often as its weight.
    pub distinct: bool,
    dice: Dice,
}

/// One face of a die in a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolFace {
    /// The number on it.
    pub face: i64,
    /// In how many of the ways of one die it falls, rerolls followed to their end.
    pub weight: u64,
    /// Draws that end with it.
    pub draws: Vec<i64>,
    pub explodes: bool,
}

/// How a pool's dice explode, and where that is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chains {
    /// Where the extra faces go.
    pub extra: Extra,
    /// What each extra face is worth less.
    pub less: i64,
    /// Explosions of all dice together that are followed.
    pub most: usize,
    /// Explosions of one die that are followed.
    pub length: usize,
}

/// What an extra face of an explosion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// A separate die, which may explode again.
    Dice,
    /// A separate die, which does not explode.
    OneDie,
    /// A part of the die that exploded.
    Part,
}

/// Which dice of a pool are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    All,
    /// So many of the highest.
    Highest(usize),
    /// So many of the lowest.
    Lowest(usize),
    /// Chosen in some other way, for which the order of the draws does not matter.
    Somehow,
}

impl Expression {
    /// Its dice in the order of draws; none when repeated or tested, or when terms share a deck.
    pub fn pools(&self) -> Option<Vec<Pool>> {
        let request = self.request();
        if request.repeat.is_some() || request.check.test.is_some() || request.check.shares_a_deck()
        {
            return None;
        }
        let mut pools = Vec::new();
        collect(&request.check.node, false, &mut pools)?;
        Some(pools)
    }

    /// Whether its total is what its pools come to, each by itself, added up or taken away.
    pub fn is_sum_of_pools(&self) -> bool {
        is_sum(&self.request().check.node)
    }
}

fn is_sum(node: &Node) -> bool {
    match node {
        Node::Dice(_) | Node::Number(_) => true,
        Node::Sum(terms) => terms.iter().all(|(_, term)| is_sum(term)),
        Node::Negative(inner) | Node::Labelled(inner, _) => is_sum(inner),
        // What rolls nothing is a number.
        Node::Product(_) | Node::Call(..) | Node::Group(_) | Node::Variable(_) => !node.has_dice(),
    }
}

impl Pool {
    /// What a die is worth whose faces come to this, raised or lowered where the notation says so;
    /// and what it adds to the total while it is kept: the value, or the successes it counts.
    pub fn worth(&self, sum: i64) -> (i64, i64) {
        let value = Clamps::new(self.dice.each()).clamped(self.dice.die().worth(sum));
        (
            value,
            if self.dice.counts() {
                successes(self.dice.each(), value)
            } else {
                value
            },
        )
    }

    /// The number on a face: of a card its rank, of symbols alone none.
    pub fn number(&self, face: i64) -> Option<i64> {
        self.dice.die().number(face)
    }

    /// The symbols on a face, a capital letter each; none of dice whose faces are numbers.
    pub fn symbols(&self, face: i64) -> &str {
        self.dice
            .die()
            .side(face)
            .map_or("", |side| side.symbols.as_str())
    }

    /// All ways of one die.
    pub fn each(&self) -> BigUint {
        self.faces
            .iter()
            .map(|face| BigUint::from(face.weight))
            .sum()
    }

    /// Draws that end with the face at this place.
    pub fn draws(&self, place: usize) -> impl Iterator<Item = i64> {
        self.faces
            .get(place)
            .into_iter()
            .flat_map(|face| face.draws.iter().copied())
    }

    /// Whether a die is drawn by one face, and by one more for each explosion.
    pub fn is_drawn_once(&self) -> bool {
        self.dice.bonus() == 0 && !self.dice.has(Stage::Reroll) && !self.distinct
    }

    /// Whether all its kept dice add what their faces come to.
    pub fn is_plain_sum(&self) -> bool {
        !self.dice.has(Stage::Clamp) && !self.dice.has(Stage::Count)
    }
}

fn collect(node: &Node, grouped: bool, pools: &mut Vec<Pool>) -> Option<()> {
    if let Node::Dice(dice) = node {
        pools.push(pool(dice, grouped)?);
        return Some(());
    }
    let grouped = grouped || matches!(node, Node::Group(_));
    node.children()
        .try_for_each(|child| collect(child, grouped, pools))
}

fn pool(dice: &Dice, grouped: bool) -> Option<Pool> {
    let count = usize::try_from(dice.count()).ok()?;
    let all = dice.die().faces();
    let draws = |face: i64| match dice.bonus() {
        0 if rerolled(dice.each(), face) == Some(Again::Once) => vec![face, face],
        0 => vec![face],
        bonus => bonus::draws_of(bonus, face),
    };
    let mut faces: Vec<PoolFace> = Vec::new();
    let (mut drawn, _) = drawn_faces(dice);
    drawn.sort_unstable();
    for (face, weight) in drawn {
        match faces.last_mut() {
            Some(last) if last.face == face => last.weight += weight,
            _ => faces.push(PoolFace {
                face,
                weight,
                draws: draws(face),
                explodes: explodes(dice.each(), all, face),
            }),
        }
    }
    let (sorted, distinct, chains) = (
        dice.each::<Sort>().next().is_some(),
        dice.is_unique(),
        chains(dice),
    );
    let kept = kept(dice, count, chains.as_ref());
    Some(Pool {
        count,
        faces,
        kept,
        sorted,
        grouped,
        chains,
        distinct,
        dice: dice.clone(),
    })
}

fn chains(dice: &Dice) -> Option<Chains> {
    let explode = dice.explosion()?;
    let (extra, (most, length)) = match explode.explosion {
        Explosion::Each => (Extra::Dice, chain_ends(dice)),
        Explosion::Once => (Extra::OneDie, (usize::try_from(dice.count()).ok()?, 1)),
        Explosion::Compound => (Extra::Part, chain_ends(dice)),
    };
    Some(Chains {
        extra,
        less: explode.less(),
        most,
        length,
    })
}

fn kept(dice: &Dice, count: usize, chains: Option<&Chains>) -> Kept {
    let grows = chains.is_some_and(|chains| chains.extra != Extra::Part);
    let mut selections = dice.each::<Selection>();
    let best = match (selections.next(), selections.next()) {
        (None, _) => return Kept::All,
        // How many are left is known only where no extra dice come.
        (Some(Selection::Drop(..)), None) if grows => None,
        (Some(one), None) => one.best(count),
        (Some(_), Some(_)) => None,
    };
    match best {
        None => Kept::Somehow,
        Some((_, many)) if many >= count && !grows => Kept::All,
        Some((End::Highest, many)) => Kept::Highest(many),
        Some((End::Lowest, many)) => Kept::Lowest(many),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn pools(text: &str) -> Option<Vec<(usize, Kept)>> {
        let pools = parse(text).expect("dice").pools()?;
        Some(pools.iter().map(|pool| (pool.count, pool.kept)).collect())
    }

    #[test]
    fn each_term_is_a_pool_in_the_order_of_draws() {
        assert_eq!(
            pools("4d6kh3 + 2d8 + 1"),
            Some(vec![(4, Kept::Highest(3)), (2, Kept::All)])
        );
        assert_eq!(pools("4d6dl1"), Some(vec![(4, Kept::Highest(3))]));
        assert_eq!(
            pools("max(1d8, 2d6kl1)"),
            Some(vec![(1, Kept::All), (2, Kept::Lowest(1))])
        );
        assert_eq!(pools("3d6kh3"), Some(vec![(3, Kept::All)]));
    }

    #[test]
    fn what_is_repeated_or_tested_has_none() {
        assert_eq!(
            [pools("2d6 vs 7"), pools("repeat(1d20 + 1d4, 2)")],
            [None, None]
        );
        assert_eq!(
            pools("3d6!kh3"),
            Some(vec![(3, Kept::Highest(3))]),
            "of more than three"
        );
        assert_eq!(
            pools("3d6!dl1"),
            Some(vec![(3, Kept::Somehow)]),
            "of an unknown number"
        );
    }

    #[test]
    fn a_face_says_what_it_adds() {
        let pool = parse("8d10t8f1")
            .expect("dice")
            .pools()
            .expect("pools")
            .remove(0);
        let adds: Vec<i64> = pool
            .faces
            .iter()
            .map(|face| pool.worth(face.face).1)
            .collect();
        assert_eq!(adds, [-1, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn draws_end_with_the_face_they_are_of() {
        for text in [
            "1d6",
            "1d6ro<3",
            "1d6r<3",
            "2dF",
            "1d%b2",
            "1d%p1",
            "1d10!>=8ro1",
        ] {
            let expression = parse(text).expect("dice");
            let pool = expression.pools().expect("pools").remove(0);
            for face in &pool.faces {
                // A chain goes on after a face that explodes; the other dice show anything.
                let rest = std::iter::repeat_n(
                    pool.faces
                        .iter()
                        .find(|face| !face.explodes)
                        .expect("a face"),
                    2,
                );
                let draws = face
                    .draws
                    .iter()
                    .chain(rest.flat_map(|face| &face.draws))
                    .copied();
                let roll = expression
                    .roll(&mut crate::ScriptedRoller::new(draws))
                    .expect("a roll");
                assert_eq!(roll.dice()[0].die.natural(), face.face, "{text}");
            }
        }
    }
}
