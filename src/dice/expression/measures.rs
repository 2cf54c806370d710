//! A damage roll in other measures: with its dice twice, or as great as it can be.

use crate::dice::expression::Expression;
use crate::dice::expression::bounds::greatest;
use crate::dice::expression::print::print_node;
use crate::dice::expression::tree::{Node, Sign};
use crate::dice::modifiers::{Modifier, ModifierKind, Stage};

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

    /// The dice that people throw for it, in order and before anything explodes or is rerolled: "2 of d20, 1 of d4".
    pub fn by_hand(&self) -> String {
        let mut terms: Vec<String> = Vec::new();
        self.visit_dice(&mut |dice| {
            let bonus = |own: &Modifier| if let ModifierKind::Bonus(tens) = &own.kind { tens.signed() } else { 0 };
            let tens: i64 = dice.modifiers.iter().map(bonus).sum();
            terms.push(match tens {
                0 => format!("{} of {}", dice.count(), dice.die()),
                tens => {
                    let draws = dice.count().saturating_mul(tens.abs().saturating_add(2));
                    format!("{draws} of d10 from 0 to 9 (the units, then each of the tens)")
                }
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
