//! A damage roll in other measures: with its dice twice, or as great as it can be.

use crate::dice::expression::Expression;
use crate::dice::expression::bounds::greatest;
use crate::dice::expression::print::print_node;
use crate::dice::expression::tree::{Node, Sign};
use crate::dice::modifiers::Stage;

impl Expression {
    /// Its notation with every term that has dice a second time: `1d12 + 2 + 1d12`. What it is compared with is left out.
    pub fn with_dice_twice(&self) -> String {
        let node = &self.request().check.node;
        let terms = match node {
            Node::Sum(terms) => terms.clone(),
            other => vec![(Sign::Plus, other.clone())],
        };
        let dice = |(_, term): &&(Sign, Node)| {
            let mut any = false;
            term.visit_dice(&mut |_| any = true);
            any
        };
        let again: Vec<(Sign, Node)> = terms.iter().filter(dice).cloned().collect();
        let mut all = terms;
        all.extend(again);
        let mut text = String::new();
        print_node(&mut text, &Node::Sum(all));
        text
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
