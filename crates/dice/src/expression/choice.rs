//! `if` with a condition that no dice decide: only what is chosen is rolled.

use crate::expression::bounds::exact;
use crate::expression::tree::{Function, Node};

/// What an `if` chooses, where its condition is known; taken out of it.
pub(crate) fn chosen(node: &mut Node) -> Option<Node> {
    let Node::Call(Function::If, nodes, _) = node else { return None };
    let condition = nodes.first().filter(|condition| !condition.has_dice())?;
    let place = if exact(condition)?.top() != 0 { 1 } else { 2 };
    (nodes.len() == 3).then(|| nodes.swap_remove(place))
}

/// Puts what is chosen in the place of every such `if`. The node holds no variables.
pub(crate) fn settle(node: &mut Node) {
    while let Some(branch) = chosen(node) {
        *node = branch;
    }
    node.children_mut().into_iter().for_each(settle);
}
