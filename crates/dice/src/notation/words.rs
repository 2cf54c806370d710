//! The canonical text as people say it: dice called by their names, `d20(adv)` for `2d20kh1`, which
//! is read back as the same expression, and "Rolled 4d6, keeping highest 3".

use crate::expression::Expression;
use crate::expression::advantage::{is_low_good, mode_of};
use crate::expression::print::{dice_text, node_text, print_check, sign_text};
use crate::expression::tree::{Check, Dice, Node, Sign};
use crate::notation::{parse, strict};
use crate::record::Mode;

/// The canonical text of a roll with advantage as a word (`d20(adv) + 5`), and in words ("Rolled
/// 4d6, keeping highest 3"). What this program cannot read any more stays as it is.
pub fn described(canonical: &str) -> (String, String) {
    match parse(canonical) {
        Ok(expression) => (expression.normalized(), expression.in_words()),
        Err(_) => (canonical.to_owned(), canonical.to_owned()),
    }
}

impl Expression {
    /// The canonical text with `d20(adv)` and `d20(disadv)`. Where low is good they would be
    /// refused, and stay `2d20kh1`.
    pub fn normalized(&self) -> String {
        let text = self.as_str();
        if !text.contains("2d20k") || is_low_good(&self.request().check) {
            return text.to_owned();
        }
        let mut normalized = String::with_capacity(text.len());
        let mut end = 0;
        // Read again, for its places in this text.
        strict(text).iter().for_each(|expression| {
            expression.visit_dice(&mut |dice| {
                let Some(mode) = mode_of(dice).filter(|_| dice.modifiers.len() == 1) else {
                    return;
                };
                let word = if mode == Mode::Advantage {
                    "d20(adv)"
                } else {
                    "d20(disadv)"
                };
                normalized.extend([
                    text.get(end..dice.span.range().start).unwrap_or_default(),
                    word,
                ]);
                end = dice.span.range().start + "2d20kh1".len();
            });
        });
        normalized.push_str(text.get(end..).unwrap_or_default());
        normalized
    }

    /// What is rolled, in words; what has none is in notation.
    pub fn in_words(&self) -> String {
        let Check { node, test } = &self.request().check;
        let mut words = format!("Rolled {}", sum(node));
        if test.is_some() {
            let (mut whole, expression) = (String::new(), node_text(node));
            print_check(&mut whole, &self.request().check);
            // A comparison follows parentheses.
            let test = whole
                .strip_prefix(&expression)
                .or_else(|| whole.strip_prefix(&format!("({expression})")));
            words.push_str(&test.unwrap_or_default().replacen(" vs ", " against ", 1));
        }
        match self.request().repeat {
            Some(times) => format!("{words}, {times} times"),
            None => words,
        }
    }
}

fn sum(node: &Node) -> String {
    let Node::Sum(terms) = node else {
        return term(node);
    };
    let mut words = String::new();
    for (nth, (sign, node)) in terms.iter().enumerate() {
        let later = if *sign == Sign::Plus {
            " plus "
        } else {
            " minus "
        };
        words.extend([
            if nth == 0 {
                sign_text(true, *sign)
            } else {
                later
            },
            &term(node),
        ]);
    }
    words
}

/// `4d6, keeping highest 3`.
fn term(node: &Node) -> String {
    let Node::Dice(dice) = node else {
        return node_text(node);
    };
    let mut text = dice_text(&Dice {
        modifiers: Vec::new(),
        ..Dice::clone(dice)
    });
    for modifier in &dice.modifiers {
        let mut notation = String::new();
        modifier.kind.print(&mut notation);
        text.extend([", ", &modifier_in_words(&notation)]);
    }
    text
}

/// What a modifier does, from its canonical text.
fn modifier_in_words(text: &str) -> String {
    let number = |word: &str| {
        text.strip_prefix(word)
            .filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
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
    let found = known
        .iter()
        .find_map(|(word, before, after)| Some(format!("{before}{}{after}", number(word)?)));
    let other = || {
        if text == "!" {
            "exploding".to_owned()
        } else {
            format!("with {text}")
        }
    };
    found.unwrap_or_else(other)
}

/// Canonical text with `2 Boost` instead of `2d{-,S,SA}[Boost]`, and `3 Cards` of
/// `3d{2..14H,J}unique[Cards]`; all else is as it was. What people roll by such a name is read
/// again only where the rules have dice of it.
pub fn brief(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, named)) = rest
        .match_indices("d{")
        .find_map(|(at, _)| Some((at, named(rest.get(at..)?)?)))
    {
        let before = rest.get(..at).unwrap_or_default();
        out.push_str(before);
        out.push_str(if before.is_empty() || before.ends_with([' ', '(']) {
            ""
        } else {
            " "
        });
        out.push_str(named.name);
        out.push_str(&named.modifiers);
        rest = rest.get(at + named.length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

struct Named<'t> {
    name: &'t str,
    /// What is done with the dice, without what makes them a deck.
    modifiers: String,
    length: usize,
}

/// The dice at the beginning of a text; none where they have no list of faces, or no name.
fn named(text: &str) -> Option<Named<'_>> {
    let (faces, after) = text.strip_prefix("d{")?.split_once('}')?;
    if !(faces.contains(',') || faces.contains("..")) || faces.contains('{') {
        return None;
    }
    let (modifiers, after) = after.split_once('[')?;
    if modifiers.contains(|char: char| char.is_whitespace() || "+-*/),{}#".contains(char)) {
        return None;
    }
    let (name, after) = after.split_once(']')?;
    let modifiers = modifiers.replacen("unique", "", 1);
    Some(Named {
        name,
        modifiers,
        length: text.len() - after.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn dice_with_a_list_of_faces_are_called_by_their_name() {
        for (text, shown) in [
            ("2d{-,S,SA}[Boost] + 1d6", "2 Boost + 1d6"),
            (
                "{n}d{2..14H,J,J}uniquekh1[Cards][mine]",
                "{n} Cardskh1[mine]",
            ),
            (
                "(1 + {n})d{0,1,1}!=1[Fuel] - 1d6[red]",
                "(1 + {n}) Fuel!=1 - 1d6[red]",
            ),
            ("2d{-,S,SA} + 1d6[Boost]", "2d{-,S,SA} + 1d6[Boost]"),
            ("1d{trait}[own]", "1d{trait}[own]"),
            (
                "1d{-,S} + {2d6, 1d8}kh1[best]",
                "1d{-,S} + {2d6, 1d8}kh1[best]",
            ),
        ] {
            assert_eq!(brief(text), shown, "{text}");
        }
    }
}
