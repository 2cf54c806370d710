//! An expression in words: "Rolled 4d6, keeping highest 3".

use crate::expression::Expression;
use crate::expression::print::{print_check, print_dice, print_node, sign_text};
use crate::expression::tree::{Check, Dice, Node, Sign};

impl Expression {
    /// What is rolled, in words; what has none stands in notation.
    pub fn in_words(&self) -> String {
        let Check { node, test } = &self.request().check;
        let mut words = format!("Rolled {}", sum(node));
        if test.is_some() {
            let mut whole = String::new();
            print_check(&mut whole, &self.request().check);
            let mut expression = String::new();
            print_node(&mut expression, node);
            // A comparison stands behind parentheses.
            let test = whole.strip_prefix(&expression).or_else(|| whole.strip_prefix(&format!("({expression})")));
            words.push_str(&test.unwrap_or_default().replacen(" vs ", " against ", 1));
        }
        match self.request().repeat {
            Some(times) => format!("{words}, {times} times"),
            None => words,
        }
    }
}

fn sum(node: &Node) -> String {
    let Node::Sum(terms) = node else { return term(node) };
    let mut words = String::new();
    for (nth, (sign, node)) in terms.iter().enumerate() {
        match (nth, sign) {
            (0, _) => words.push_str(sign_text(true, *sign)),
            (_, Sign::Plus) => words.push_str(" plus "),
            (_, Sign::Minus) => words.push_str(" minus "),
        }
        words.push_str(&term(node));
    }
    words
}

fn term(node: &Node) -> String {
    if let Node::Dice(dice) = node {
        return dice_in_words(dice);
    }
    let mut text = String::new();
    print_node(&mut text, node);
    text
}

/// `4d6, keeping highest 3`.
fn dice_in_words(dice: &Dice) -> String {
    let mut text = String::new();
    print_dice(&mut text, &Dice { modifiers: Vec::new(), ..dice.clone() });
    for modifier in &dice.modifiers {
        let mut own = String::new();
        modifier.kind.print(&mut own);
        text.push_str(&format!(", {}", modifier_in_words(&own)));
    }
    text
}

/// What a modifier does, from its canonical text.
fn modifier_in_words(text: &str) -> String {
    let number = |word: &str| text.strip_prefix(word).filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    let known = [
        ("kh", "keeping highest ", ""),
        ("kl", "keeping lowest ", ""),
        ("dh", "dropping highest ", ""),
        ("dl", "dropping lowest ", ""),
        ("ro", "rerolling ", "s once"),
        ("rr", "rerolling every ", ""),
        ("min", "minimum ", ""),
        ("max", "maximum ", ""),
        ("t", "counting ", " or higher"),
    ];
    let found = known.iter().find_map(|(word, before, after)| Some(format!("{before}{}{after}", number(word)?)));
    match (found, text) {
        (Some(words), _) => words,
        (None, "!") => "exploding".to_owned(),
        _ => format!("with {text}"),
    }
}
