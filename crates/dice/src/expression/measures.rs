//! A damage roll in other measures: with its dice twice, or as great as it can be.

use crate::die::Die;
use crate::expression::Expression;
use crate::expression::bounds::greatest;
use crate::expression::print::node_text;
use crate::expression::tree::{Node, Sign};
use crate::modifiers::Stage;

impl Expression {
    /// Its notation with every die a second time, and what is added to them once: `1d12 + 2 + 1d12`, `2 * (1d6 + 1 + 1d6)`. What it
    /// is compared with is left out.
    pub fn with_dice_twice(&self) -> String {
        node_text(&twice(&self.request().check.node))
    }

    /// The dice that people throw for it, in order and before anything explodes or is rerolled: "2 of d20, 1 of d4".
    pub fn by_hand(&self) -> String {
        let mut terms: Vec<String> = Vec::new();
        self.visit_dice(&mut |dice| {
            let (die, tens) = (dice.die(), dice.bonus().abs());
            let draws = dice.count().saturating_mul(if tens == 0 { 1 } else { tens.saturating_add(2) });
            terms.push(match die {
                _ if tens != 0 => format!("{draws} of d10 from 0 to 9 (the units, then each of the tens)"),
                Die::Symbols(_) => format!("{draws} of {die} (each by the place of its face in the list, from 1)"),
                _ if die.sides() == 100 => format!("{draws} of {die} (each one number from 1 to 100)"),
                _ => format!("{draws} of {die}"),
            });
        });
        let times = self.request().repeat.map_or(String::new(), |times| format!(", {times} times"));
        format!("{}{times}", terms.join(", "))
    }

    /// The greatest total, each die thrown once: explosions and rerolls add nothing.
    pub fn greatest(&self) -> Option<i64> {
        let mut node = self.request().check.node.clone();
        node.visit_dice_mut(&mut |dice| {
            dice.modifiers.retain(|modifier| !matches!(modifier.kind.stage(), Stage::Reroll | Stage::Explode));
        });
        greatest(&node)
    }
}

fn twice(node: &Node) -> Node {
    match node {
        node if !node.has_dice() => node.clone(),
        Node::Sum(terms) => {
            let again: Vec<(Sign, Node)> = terms.iter().filter(|(_, term)| is_one_roll(term)).cloned().collect();
            let inner =
                |(sign, term): &(Sign, Node)| (*sign, if is_one_roll(term) { term.clone() } else { twice(term) });
            Node::Sum(terms.iter().map(inner).chain(again).collect())
        }
        node if is_one_roll(node) => Node::Sum(vec![(Sign::Plus, node.clone()), (Sign::Plus, node.clone())]),
        node => {
            let mut changed = node.clone();
            changed.children_mut().into_iter().for_each(|child| *child = twice(child));
            changed
        }
    }
}

/// Dice, or a group of them, that are rolled as one.
fn is_one_roll(node: &Node) -> bool {
    match node {
        Node::Dice(_) => true,
        Node::Group(_) => node.has_dice(),
        Node::Labelled(inner, _) => is_one_roll(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn dice_twice_leaves_what_is_added_as_it_is() {
        for (once, twice) in [
            ("1d12+2", "1d12 + 2 + 1d12"),
            ("1d6", "1d6 + 1d6"),
            ("2*(1d6+1)", "2 * (1d6 + 1 + 1d6)"),
            ("2d6kh1 - 1d4 + 3", "2d6kh1 - 1d4 + 3 + 2d6kh1 - 1d4"),
            ("max(1, 1d6-2)", "max(1, 1d6 - 2 + 1d6)"),
            ("5", "5"),
        ] {
            let doubled = parse(once).unwrap().with_dice_twice();
            assert_eq!(doubled, twice, "{once}");
            assert!(parse(&doubled).is_ok(), "{doubled}");
        }
    }
}
