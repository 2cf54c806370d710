//! One line of arithmetic that a person can check.
//!
//! A sum is written term by term: `2d6: [3, 4]; + 1d4: [2]; + 5 = 14`. Inside other arithmetic each
//! dice term is in parentheses with its sum: `floor(((2d6: [3, 4] = 7) + 3) / 2) = 5`. What is
//! chosen from, or compared with, has its result after it:
//! `{((1d20: [3] = 3) + 7) = 10 dropped, 12}kh1 = 12`. A die shows what became of it: `1 -> 4` was
//! rerolled, `6!` exploded, `1 raised to 2`. A comment is at the end, after `#`, as it was written.

use crate::compare::Band;
use crate::expression::advantage::mode_of;
use crate::expression::print::{factor_text, print_dice, print_node, sign_text};
use crate::expression::tree::{Check, Dice, Function, Node, Sign, Test};
use crate::modifiers::explode::{Explode, Explosion};
use crate::modifiers::sort::Sort;
use crate::modifiers::{Stage, bonus, clamp, count, keep};
use crate::record::{Reason, Roll, RolledDie, Special, Term, Verdict};
use crate::text::push_int;

pub(crate) fn check(check: &Check, roll: &Roll) -> String {
    let mut out = String::with_capacity(64);
    let counted = roll.successes.is_some();
    match (&check.node, roll.terms.as_slice()) {
        (Node::Sum(nodes), terms) => {
            let shown = nodes
                .iter()
                .zip(terms)
                .filter(|((_, node), _)| !is_no_dice(node));
            for (index, ((sign, node), term)) in shown.enumerate() {
                match (index, sign) {
                    (0, Sign::Plus) => {}
                    (0, Sign::Minus) => out.push_str("- "),
                    (_, Sign::Plus) => out.push_str("; + "),
                    (_, Sign::Minus) => out.push_str("; - "),
                }
                push_open(&mut out, node, term, *sign == Sign::Minus);
                if counted && matches!(term, Term::Constant { .. }) {
                    out.push_str(" automatic");
                }
            }
        }
        (node, [term]) => push_open(&mut out, node, term, false),
        _ => {}
    }
    out.push_str(" = ");
    if let Some(exact) = &roll.exact {
        out.extend([exact, ", rounded down to "]);
    }
    push_result(&mut out, check, roll);
    if let Some(successes) = roll.successes {
        out.push_str(if successes == 1 {
            " success"
        } else {
            " successes"
        });
    }
    if let (Some(test), Some(verdict)) = (&check.test, &roll.verdict) {
        push_verdict(&mut out, test, verdict, roll.total);
    }
    let mut note = None;
    check
        .node
        .visit_dice(&mut |dice| note = note.or_else(|| surprising_order(dice)));
    if let Some((first, second)) = note {
        out.extend([
            " (whatever the written order, ",
            first.as_str(),
            " came before ",
            second.as_str(),
            ")",
        ]);
    }
    out
}

/// Dice of a name of which a formula asked for none: `0[Hazard]`.
fn is_no_dice(node: &Node) -> bool {
    matches!(node, Node::Labelled(inner, _) if matches!(**inner, Node::Number(number) if number.scaled == 0))
}

/// The total, with the symbols that were rolled: `2 S, 1 A`; of symbols alone without a total.
fn push_result(out: &mut String, check: &Check, roll: &Roll) {
    let (mut symbols, mut numbers) = (false, false);
    check.node.visit_dice(&mut |dice| {
        symbols |= dice.die().has_symbols();
        numbers |= dice.die().range() != (0, 0);
    });
    if !symbols || numbers || roll.total != 0 {
        push_int(out, roll.total);
    }
    if !symbols {
        return;
    }
    let mut shown: Vec<(char, i64)> = Vec::new();
    for symbol in roll
        .dice()
        .iter()
        .filter(|view| view.kept)
        .flat_map(|view| view.die.symbols())
    {
        match shown.iter_mut().find(|(known, _)| *known == symbol) {
            Some((_, times)) => *times += 1,
            None => shown.push((symbol, 1)),
        }
    }
    if shown.is_empty() && !numbers && roll.total == 0 {
        out.push_str("nothing");
    }
    for (symbol, times) in shown {
        let separator = if out.ends_with("= ") { "" } else { ", " };
        out.push_str(&format!("{separator}{times} {symbol}"));
    }
}

/// The line of a repeated check; `checks` says that its result is how many succeed.
pub(crate) fn repeated(roll: &Roll, checks: bool) -> String {
    let mut out = String::new();
    for (nth, one) in (1..).zip(&roll.repeats) {
        out.push_str(if nth == 1 { "#" } else { " | #" });
        push_int(&mut out, nth);
        out.extend([" ", &one.explanation]);
    }
    let (total, all) = (roll.total, roll.repeats.len());
    out + &match checks {
        true => format!(
            " | {total} of {all} {}",
            if total == 1 { "succeeds" } else { "succeed" }
        ),
        false => format!(" | all together {total}"),
    }
}

/// A term of a sum. `negated` says that the term's sub-total carries the sign already written.
fn push_open(out: &mut String, node: &Node, term: &Term, negated: bool) {
    let sign = if negated { -1 } else { 1 };
    match (node, term) {
        (Node::Labelled(inner, labels), term) => match (&**inner, term, labels.split_first()) {
            (
                Node::Dice(dice),
                Term::Dice {
                    dice: rolled,
                    kept,
                    subtotal,
                    ..
                },
                Some((name, others)),
            ) if dice.die().has_symbols() => {
                push_dice(out, dice, (rolled, kept), subtotal * sign, Some(name));
                push_labels(out, others);
            }
            _ => {
                push_open(out, inner, term, negated);
                push_labels(out, labels);
            }
        },
        (
            Node::Dice(dice),
            Term::Dice {
                dice: rolled,
                kept,
                subtotal,
                ..
            },
        ) => {
            push_dice(out, dice, (rolled, kept), subtotal * sign, None);
        }
        _ => push_nested(out, node, term, negated),
    }
}

/// A part of other arithmetic.
fn push_nested(out: &mut String, node: &Node, term: &Term, negated: bool) {
    match (node, term) {
        (Node::Labelled(node, labels), term) => {
            push_nested(out, node, term, negated);
            push_labels(out, labels);
        }
        (Node::Dice(_), Term::Dice { subtotal, .. }) => {
            out.push('(');
            push_open(out, node, term, negated);
            out.push_str(" = ");
            push_int(out, if negated { -subtotal } else { *subtotal });
            out.push(')');
        }
        (Node::Negative(inner), term) => {
            out.push('-');
            push_factor(out, inner, term, !negated);
        }
        (Node::Sum(nodes), Term::Compute { terms, .. }) => {
            out.push('(');
            for (index, ((sign, node), term)) in nodes.iter().zip(terms).enumerate() {
                out.push_str(sign_text(index == 0, *sign));
                push_nested(out, node, term, *sign == Sign::Minus);
            }
            out.push(')');
        }
        (Node::Product(factors), Term::Compute { terms, .. }) => {
            for (index, ((factor, node), term)) in factors.iter().zip(terms).enumerate() {
                out.push_str(if index > 0 { factor_text(*factor) } else { "" });
                push_factor(out, node, term, false);
            }
        }
        (Node::Call(function, nodes, _), Term::Compute { terms, .. })
            if function.binds().is_none() =>
        {
            out.extend([function.as_str(), "("]);
            push_members(out, nodes, terms, None);
            out.push(')');
        }
        (Node::Call(function, nodes, _), Term::Compute { terms, .. }) => {
            out.push('(');
            for (index, (node, term)) in nodes.iter().zip(terms).enumerate() {
                match (index, function) {
                    (0, Function::Not) => out.push_str("not "),
                    (0, _) => {}
                    (_, between) => out.extend([" ", between.as_str(), " "]),
                }
                push_nested(out, node, term, false);
            }
            out.push(')');
        }
        (Node::Group(group), Term::Group { terms, kept, .. }) => {
            out.push('{');
            push_members(out, &group.members, terms, Some(kept));
            out.push('}');
            if let Some(modifier) = &group.modifier {
                modifier.kind.print(out);
            }
        }
        (node, _) => print_node(out, node),
    }
}

/// A part of a product or after a sign.
fn push_factor(out: &mut String, node: &Node, term: &Term, negated: bool) {
    let (open, close) = if matches!(node, Node::Product(_)) {
        ("(", ")")
    } else {
        ("", "")
    };
    out.push_str(open);
    push_nested(out, node, term, negated);
    out.push_str(close);
}

fn push_members(out: &mut String, nodes: &[Node], terms: &[Term], kept: Option<&Vec<bool>>) {
    for (index, (node, term)) in nodes.iter().zip(terms).enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        push_nested(out, node, term, false);
        if nodes.len() > 1 {
            push_subtotal(out, term);
        }
        if kept.and_then(|kept| kept.get(index)) == Some(&false) {
            out.push_str(" dropped");
        }
    }
}

/// ` = 26`, where a member is worked out from several parts.
fn push_subtotal(out: &mut String, term: &Term) {
    if let Term::Compute {
        subtotal, exact, ..
    }
    | Term::Group {
        subtotal, exact, ..
    } = term
    {
        out.push_str(" = ");
        match exact {
            Some(exact) => out.push_str(exact),
            None => push_int(out, *subtotal),
        }
    }
}

fn push_labels(out: &mut String, labels: &[String]) {
    labels
        .iter()
        .for_each(|label| out.extend([" [", label, "]"]));
}

/// The end of a line that is a check.
fn push_verdict(out: &mut String, test: &Test, verdict: &Verdict, total: i64) {
    if let Test::Bands(bands) = test {
        out.push_str(", in the band ");
        if let Some(band) = Band::all(bands).find(|band| band.holds(total)) {
            out.push_str(&band.to_string());
        }
        return;
    }
    out.extend([" ", &verdict.test, " "]);
    match (test.node(), verdict.terms.as_slice()) {
        (Some(node), [term]) => {
            push_nested(out, node, term, false);
            push_subtotal(out, term);
        }
        (Some(node), _) => print_node(out, node),
        _ => {}
    }
    out.push_str(match verdict.success {
        Some(true) => ": success",
        _ => ": failure",
    });
    if let Some(margin) = verdict.margin {
        out.push_str(" by ");
        push_int(out, margin.abs());
    }
}

/// Two stages that were written in the other order, where that suggests another result.
fn surprising_order(dice: &Dice) -> Option<(Stage, Stage)> {
    let stages = dice.modifiers.iter().map(|modifier| modifier.kind.stage());
    let stages: Vec<Stage> = stages
        .filter(|stage| !matches!(stage, Stage::Show | Stage::Draw))
        .collect();
    stages.windows(2).find_map(|pair| match pair {
        [earlier, later] if later < earlier => Some((*later, *earlier)),
        _ => None,
    })
}

/// The dice; those with symbols are called by the name that they have.
fn push_dice(
    out: &mut String,
    dice: &Dice,
    (rolled, kept): (&[RolledDie], &[i64]),
    subtotal: i64,
    name: Option<&str>,
) {
    match name {
        Some(name) => {
            push_int(out, dice.count());
            out.extend([" ", name]);
        }
        None => push_title(out, dice),
    }
    out.push_str(": [");
    let sorted = dice.each::<Sort>().next().map(|sort| sort.dice(rolled));
    let shown: &mut dyn Iterator<Item = &RolledDie> = match &sorted {
        Some(sorted) => &mut sorted.iter().copied(),
        None => &mut rolled.iter(),
    };
    for (index, die) in shown.enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        push_die(out, die, dice);
    }
    out.push(']');
    keep::explain(out, rolled, kept);
    if dice.counts() {
        let is_open = dice
            .explosion()
            .is_some_and(|explode| explode.explosion == Explosion::Compound);
        count::explain(out, dice.each(), dice.die().faces(), is_open);
        out.push_str(": ");
        push_int(out, subtotal);
    }
}

/// `4d6kh3`, or `d20(advantage)` for one d20 rolled twice.
fn push_title(out: &mut String, dice: &Dice) {
    let Some(mode) = mode_of(dice) else {
        return print_dice(out, dice);
    };
    out.push_str("d20");
    let others = dice
        .modifiers
        .iter()
        .filter(|modifier| modifier.kind.stage() != Stage::Keep);
    others.for_each(|modifier| modifier.kind.print(out));
    out.extend(["(", mode.as_str(), ")"]);
}

/// What a die showed and what became of it.
fn push_die(out: &mut String, die: &RolledDie, dice: &Dice) {
    if dice.bonus() != 0 {
        bonus::explain(out, die);
    } else {
        push_rolls(out, die, dice);
        clamp::explain(out, die);
    }
    for special in &die.special {
        match special {
            Special::Crit => out.push_str(" crit"),
            Special::Fumble => out.push_str(" fumble"),
            Special::Capped => out.push_str(" capped"),
            // Seen from its faces.
            Special::Rerolled
            | Special::Exploded
            | Special::Extra
            | Special::Raised
            | Special::Lowered => {}
        }
    }
}

/// `1 -> 4`, `6!`, `6! + 3 = 9`.
fn push_rolls(out: &mut String, die: &RolledDie, dice: &Dice) {
    let explode: Option<&Explode> = dice.explosion();
    let compound = explode.is_some_and(|explode| explode.explosion == Explosion::Compound);
    let (mut extra_faces, mut sum, mut last) = (0, 0, 0);
    for (index, face) in die.rolls.iter().enumerate() {
        match face.reason {
            Reason::Clamp => continue,
            Reason::Reroll => {
                out.push_str(" -> ");
                sum -= last;
            }
            Reason::Explode => {
                extra_faces += 1;
                out.push_str(if index > 0 { "! + " } else { "" });
            }
            Reason::Initial | Reason::Unit | Reason::Tens => {}
        }
        match dice.die().side(face.value) {
            Some(side) => out.push_str(&side.to_string()),
            None => push_int(out, face.value),
        }
        sum += face.value;
        last = face.value;
    }
    if !compound && die.special.contains(&Special::Exploded) {
        out.push('!');
    }
    let less = explode.map_or(0, |explode| explode.less() * extra_faces);
    if less > 0 {
        out.push_str(" - ");
        push_int(out, less);
    }
    if less > 0 || (compound && extra_faces > 0) {
        out.push_str(" = ");
        push_int(out, sum - less);
    }
}
