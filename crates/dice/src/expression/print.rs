//! The canonical text: `parse(print(x)) == x`.
//!
//! Spaces are around binary signs, every count and every `ro`/`rr` is written out, parentheses are
//! only where the tree needs them, and modifiers keep their written order (which the explanation of
//! a surprising order names).

use crate::expression::tree::{
    Check, Count, Dice, DieSlot, Factor, Function, Node, Number, Request, Sign, Test,
};
use crate::text::{push_int, push_list};

pub(crate) fn node_text(node: &Node) -> String {
    let mut text = String::new();
    print_node(&mut text, node);
    text
}

pub(crate) fn dice_text(dice: &Dice) -> String {
    let mut text = String::with_capacity(16);
    print_dice(&mut text, dice);
    text
}

pub(crate) fn print_request(out: &mut String, request: &Request) {
    match request.repeat {
        Some(times) => {
            out.push_str("repeat(");
            print_check(out, &request.check);
            out.push_str(", ");
            push_int(out, i64::from(times));
            out.push(')');
        }
        None => print_check(out, &request.check),
    }
    if let Some(comment) = &request.comment {
        out.push_str(" # ");
        out.push_str(comment);
    }
}

pub(crate) fn print_check(out: &mut String, check: &Check) {
    let Some(test) = &check.test else {
        return print_node(out, &check.node);
    };
    // A comparison right after dice or a group would be read as a count of them.
    if matches!(test, Test::Compare(..)) && ends_open(&check.node) {
        parenthesised(out, &check.node);
    } else {
        print_node(out, &check.node);
    }
    match test {
        Test::Bands(bands) => {
            out.push_str(" bands ");
            push_list(out, bands.iter().copied());
        }
        Test::Versus(node) | Test::Under(node) | Test::Compare(_, node) => {
            out.extend([" ", test.as_str(), " "]);
            print_node(out, node);
        }
    }
}

/// Whether the text of the node ends where a modifier could follow.
fn ends_open(node: &Node) -> bool {
    match node {
        Node::Dice(_) | Node::Group(_) => true,
        Node::Negative(node) => ends_open(node),
        Node::Sum(terms) => terms.last().is_some_and(|(_, node)| ends_open(node)),
        Node::Product(factors) => factors.last().is_some_and(|(_, node)| ends_open(node)),
        Node::Number(_) | Node::Variable(_) | Node::Call(..) | Node::Labelled(..) => false,
    }
}

fn parenthesised(out: &mut String, node: &Node) {
    out.push('(');
    print_node(out, node);
    out.push(')');
}

/// A part of a sum (1), of a product (2), or what carries a label (3): in parentheses where it
/// binds less tightly.
pub(crate) fn print_part(out: &mut String, node: &Node, around: u8) {
    let binds = match node {
        Node::Sum(_) => 0,
        Node::Product(_) => 1,
        Node::Negative(_) | Node::Labelled(..) => 2,
        Node::Number(_) | Node::Variable(_) | Node::Dice(_) | Node::Call(..) | Node::Group(_) => 3,
    };
    if binds < around {
        parenthesised(out, node)
    } else {
        print_node(out, node)
    }
}

pub(crate) fn print_node(out: &mut String, node: &Node) {
    match node {
        Node::Number(number) => print_number(out, *number),
        Node::Variable(variable) => variable.print(out),
        Node::Dice(dice) => print_dice(out, dice),
        Node::Sum(terms) => {
            for (index, (sign, node)) in terms.iter().enumerate() {
                out.push_str(sign_text(index == 0, *sign));
                print_part(out, node, 1);
            }
        }
        Node::Product(factors) => {
            for (index, (factor, node)) in factors.iter().enumerate() {
                if index > 0 {
                    out.push_str(factor_text(*factor));
                }
                print_part(out, node, 2);
            }
        }
        Node::Negative(node) => {
            out.push('-');
            print_part(out, node, 2);
        }
        Node::Call(function, nodes, _) if function.binds().is_some() => {
            out.push('(');
            print_operator(out, *function, nodes);
            out.push(')');
        }
        Node::Call(function, nodes, _) => {
            out.extend([function.as_str(), "("]);
            print_nodes(out, nodes);
            out.push(')');
        }
        Node::Group(group) => {
            out.push('{');
            print_nodes(out, &group.members);
            out.push('}');
            group
                .modifier
                .iter()
                .for_each(|modifier| modifier.kind.print(out));
        }
        Node::Labelled(node, labels) => {
            print_part(out, node, 3);
            labels
                .iter()
                .for_each(|label| out.extend(["[", label, "]"]));
        }
    }
}

/// `a > b`, `not a`, `a and b`, without brackets around it.
fn print_operator(out: &mut String, function: Function, nodes: &[Node]) {
    let is_compared = matches!(function, Function::Compare(_));
    if function == Function::Not {
        out.push_str("not ");
    }
    for (index, node) in nodes.iter().enumerate() {
        if index > 0 {
            out.extend([" ", function.as_str(), " "]);
        }
        match node {
            // A comparison right after dice would be read as a count of them.
            node if is_compared && index == 0 && ends_open(node) => parenthesised(out, node),
            node if is_compared => print_node(out, node),
            node => print_joined(out, node, function.binds()),
        }
    }
}

/// A node where an operator may be without brackets, if it binds tighter than what is around it.
fn print_joined(out: &mut String, node: &Node, around: Option<u8>) {
    match node {
        Node::Call(function, nodes, _) if function.binds() > around => {
            print_operator(out, *function, nodes)
        }
        node => print_node(out, node),
    }
}

/// What is before a term of a sum.
pub(crate) fn sign_text(first: bool, sign: Sign) -> &'static str {
    match (first, sign) {
        (true, Sign::Plus) => "",
        (true, Sign::Minus) => "-",
        (false, Sign::Plus) => " + ",
        (false, Sign::Minus) => " - ",
    }
}

pub(crate) fn factor_text(factor: Factor) -> &'static str {
    match factor {
        Factor::Times => " * ",
        Factor::Divide => " / ",
        Factor::DivideFloor => " // ",
    }
}

fn print_nodes(out: &mut String, nodes: &[Node]) {
    for (index, node) in nodes.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        print_joined(out, node, None);
    }
}

fn print_number(out: &mut String, number: Number) {
    let unit = 10_i64.pow(u32::from(number.places));
    push_int(out, number.scaled / unit);
    if number.places > 0 {
        out.push_str(&format!(
            ".{:0width$}",
            number.scaled % unit,
            width = usize::from(number.places)
        ));
    }
}

pub(crate) fn print_dice(out: &mut String, dice: &Dice) {
    match &dice.count {
        Count::Int(int) => int.print(out),
        Count::Computed(node) => parenthesised(out, node),
    }
    match &dice.die {
        DieSlot::Fixed(die) => die.print(out),
        DieSlot::Open(sides) => {
            out.push('d');
            sides.print(out);
        }
    }
    for modifier in &dice.modifiers {
        modifier.kind.print(out);
    }
}
