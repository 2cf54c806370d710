//! One line of arithmetic that a person can check.
//!
//! A sum is written term by term with `; ` between: `2d6: [3, 4]; + 1d4: [2]; + 5 = 14`. Inside
//! other arithmetic each dice term stands in parentheses with its own sum:
//! `floor(((2d6: [3, 4] = 7) + 3) / 2) = 5`. A die shows what became of it: `1 -> 4` was rerolled,
//! `6!` exploded, `1 raised to 2`.

use crate::dice::ast::{Check, Dice, DieSlot, Explosion, Int, Modifier, ModifierKind, Node, Sign, Stage, Test};
use crate::dice::compare::{ComparePoint, Comparison};
use crate::dice::print::{factor_text, print_dice, print_modifier, print_node};
use crate::dice::roll::{Reason, Roll, RolledDie, Special, Term, Verdict};
use crate::dice::text::{push_int, push_list};

pub(crate) fn check(check: &Check, roll: &Roll) -> String {
    let mut out = String::with_capacity(64);
    let counted = roll.successes.is_some();
    match (&check.node, roll.terms.as_slice()) {
        (Node::Sum(nodes), terms) => {
            for (index, ((sign, node), term)) in nodes.iter().zip(terms).enumerate() {
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
        out.push_str(exact);
        out.push_str(", rounded down to ");
    }
    push_int(&mut out, roll.total);
    if let Some(successes) = roll.successes {
        out.push_str(if successes == 1 { " success" } else { " successes" });
    }
    if let (Some(test), Some(verdict)) = (&check.test, &roll.verdict) {
        push_verdict(&mut out, test, verdict, roll.total);
    }
    let mut note = None;
    check.node.visit_dice(&mut |dice| note = note.or(surprising_order(dice)));
    if let Some((first, second)) = note {
        out.push_str(" (whatever the written order, ");
        out.push_str(stage_text(first));
        out.push_str(" came before ");
        out.push_str(stage_text(second));
        out.push(')');
    }
    out
}

/// The line of a repeated check.
pub(crate) fn repeated(roll: &Roll) -> String {
    let mut out = String::new();
    for (index, one) in roll.repeats.iter().enumerate() {
        if index > 0 {
            out.push_str(" | ");
        }
        out.push('#');
        push_int(&mut out, i64::try_from(index + 1).unwrap_or(i64::MAX));
        out.push(' ');
        out.push_str(&one.explanation);
    }
    out.push_str(" | all together ");
    push_int(&mut out, roll.total);
    out
}

/// Two stages that were written in the other order, where that suggests another result.
fn surprising_order(dice: &Dice) -> Option<(Stage, Stage)> {
    let mut latest = Stage::Draw;
    for modifier in &dice.modifiers {
        let stage = modifier.kind.stage();
        if stage == Stage::Show || stage == Stage::Draw {
            continue;
        }
        if stage < latest {
            return Some((stage, latest));
        }
        latest = stage;
    }
    None
}

fn stage_text(stage: Stage) -> &'static str {
    match stage {
        Stage::Draw => "drawing",
        Stage::Reroll => "rerolling",
        Stage::Explode => "exploding",
        Stage::Clamp => "raising and lowering",
        Stage::Keep => "keeping and dropping",
        Stage::Count => "counting",
        Stage::Show => "sorting",
    }
}

/// A term of a sum. `negated` says that the term's sub-total carries the sign already written.
fn push_open(out: &mut String, node: &Node, term: &Term, negated: bool) {
    match (node, term) {
        (Node::Labelled(node, labels), term) => {
            push_open(out, node, term, negated);
            push_labels(out, labels);
        }
        (Node::Dice(dice), Term::Dice { dice: rolled, kept, subtotal, .. }) => {
            let sign = if negated { -1 } else { 1 };
            push_dice(out, dice, rolled, kept, subtotal * sign);
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
            let compound = matches!(**inner, Node::Product(_));
            out.push_str(if compound { "(" } else { "" });
            push_nested(out, inner, term, !negated);
            out.push_str(if compound { ")" } else { "" });
        }
        (Node::Sum(nodes), Term::Compute { terms, .. }) => {
            out.push('(');
            for (index, ((sign, node), term)) in nodes.iter().zip(terms).enumerate() {
                match (index, sign) {
                    (0, Sign::Plus) => {}
                    (0, Sign::Minus) => out.push('-'),
                    (_, Sign::Plus) => out.push_str(" + "),
                    (_, Sign::Minus) => out.push_str(" - "),
                }
                push_nested(out, node, term, *sign == Sign::Minus);
            }
            out.push(')');
        }
        (Node::Product(factors), Term::Compute { terms, .. }) => {
            for (index, ((factor, node), term)) in factors.iter().zip(terms).enumerate() {
                if index > 0 {
                    out.push_str(factor_text(*factor));
                }
                let compound = matches!(node, Node::Product(_));
                out.push_str(if compound { "(" } else { "" });
                push_nested(out, node, term, false);
                out.push_str(if compound { ")" } else { "" });
            }
        }
        (Node::Call(function, nodes, _), Term::Compute { terms, .. }) => {
            out.push_str(function.as_str());
            out.push('(');
            push_members(out, nodes, terms, None);
            out.push(')');
        }
        (Node::Group(group), Term::Group { terms, kept, .. }) => {
            out.push('{');
            push_members(out, &group.members, terms, Some(kept));
            out.push('}');
            if let Some(modifier) = &group.modifier {
                print_modifier(out, modifier);
            }
        }
        (node, _) => print_node(out, node),
    }
}

fn push_members(out: &mut String, nodes: &[Node], terms: &[Term], kept: Option<&Vec<bool>>) {
    for (index, (node, term)) in nodes.iter().zip(terms).enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        push_nested(out, node, term, false);
        if kept.and_then(|kept| kept.get(index)) == Some(&false) {
            out.push_str(" dropped");
        }
    }
}

fn push_labels(out: &mut String, labels: &[String]) {
    for label in labels {
        out.push_str(" [");
        out.push_str(label);
        out.push(']');
    }
}

fn push_dice(out: &mut String, dice: &Dice, rolled: &[RolledDie], kept: &[i64], subtotal: i64) {
    push_title(out, dice);
    out.push_str(": [");
    let explosion = explosion(dice);
    let sorted = sorted(dice, rolled);
    let shown: &mut dyn Iterator<Item = &RolledDie> = match &sorted {
        Some(sorted) => &mut sorted.iter().copied(),
        None => &mut rolled.iter(),
    };
    for (index, die) in shown.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        push_die(out, die, dice.bonus(), explosion);
    }
    out.push(']');
    if kept.len() < rolled.len() {
        out.push_str(" keep ");
        if kept.is_empty() {
            out.push_str("none");
        }
        push_list(out, kept.iter().copied());
    }
    if dice.counts() {
        push_counts(out, dice);
        out.push_str(": ");
        push_int(out, subtotal);
    }
}

/// The dice in the order that a sort asks for.
fn sorted<'a>(dice: &Dice, rolled: &'a [RolledDie]) -> Option<Vec<&'a RolledDie>> {
    let descending = dice.modifiers.iter().find_map(|modifier| match modifier.kind {
        ModifierKind::SortAscending => Some(false),
        ModifierKind::SortDescending => Some(true),
        _ => None,
    })?;
    let mut sorted: Vec<&RolledDie> = rolled.iter().collect();
    match descending {
        true => sorted.sort_by_key(|die| std::cmp::Reverse(die.value)),
        false => sorted.sort_by_key(|die| die.value),
    }
    Some(sorted)
}

/// `4d6kh3`, or `d20(advantage)` for one d20 rolled twice.
fn push_title(out: &mut String, dice: &Dice) {
    match crate::dice::advantage::mode_of(dice) {
        None => print_dice(out, dice),
        Some(mode) => {
            out.push_str("d20");
            for modifier in &dice.modifiers {
                if modifier.kind.stage() != Stage::Keep {
                    print_modifier(out, modifier);
                }
            }
            out.push('(');
            out.push_str(mode.as_str());
            out.push(')');
        }
    }
}

fn push_die(out: &mut String, die: &RolledDie, bonus: i64, explosion: Option<(Explosion, bool)>) {
    if bonus != 0 {
        push_percentile(out, die);
    } else {
        push_rolls(out, die, explosion);
    }
    for special in &die.special {
        match special {
            Special::Crit => out.push_str(" crit"),
            Special::Fumble => out.push_str(" fumble"),
            Special::Capped => out.push_str(" capped"),
            _ => {}
        }
    }
}

fn push_rolls(out: &mut String, die: &RolledDie, explosion: Option<(Explosion, bool)>) {
    let compound = matches!(explosion, Some((Explosion::Compound, _)));
    let mut clamp = None;
    let mut extra_faces = 0;
    let mut sum = 0;
    let mut last = 0;
    for (index, face) in die.rolls.iter().enumerate() {
        match face.reason {
            Reason::Clamp => {
                clamp = Some(face.value);
                continue;
            }
            Reason::Reroll => {
                out.push_str(" -> ");
                sum -= last;
            }
            Reason::Explode => {
                extra_faces += 1;
                out.push_str(if index > 0 { "! + " } else { "" });
            }
            _ => {}
        }
        push_int(out, face.value);
        sum += face.value;
        last = face.value;
    }
    if !compound && die.special.contains(&Special::Exploded) {
        out.push('!');
    }
    let penetrating = matches!(explosion, Some((_, true)));
    let less = if penetrating { extra_faces } else { 0 };
    if less > 0 {
        out.push_str(" - ");
        push_int(out, less);
    }
    if less > 0 || (compound && extra_faces > 0) {
        out.push_str(" = ");
        push_int(out, sum - less);
    }
    if let Some(clamp) = clamp {
        let raised = die.special.contains(&Special::Raised);
        out.push_str(if raised { " raised to " } else { " lowered to " });
        push_int(out, clamp);
    }
}

/// How the dice explode, and whether each extra face counts one less.
fn explosion(dice: &Dice) -> Option<(Explosion, bool)> {
    dice.modifiers.iter().find_map(|modifier| match modifier.kind {
        ModifierKind::Explode { explosion, penetrating, .. } => Some((explosion, penetrating)),
        _ => None,
    })
}

/// `tens 4, 2; unit 3 = 23`.
fn push_percentile(out: &mut String, die: &RolledDie) {
    let of = |reason| die.rolls.iter().filter(move |face| face.reason == reason).map(|face| face.value);
    out.push_str("tens ");
    push_list(out, of(Reason::Tens));
    out.push_str("; unit ");
    push_list(out, of(Reason::Unit));
    out.push_str(" = ");
    match of(Reason::Clamp).next() {
        None => push_int(out, die.value),
        Some(clamp) => {
            out.push_str("clamped to ");
            push_int(out, clamp);
        }
    }
}

/// ` success on 8-10, failure on 1`.
fn push_counts(out: &mut String, dice: &Dice) {
    let mut separator = " ";
    for modifier in &dice.modifiers {
        if modifier.kind.stage() == Stage::Count {
            out.push_str(separator);
            push_count(out, dice, modifier);
            separator = ", ";
        }
    }
}

fn push_count(out: &mut String, dice: &Dice, modifier: &Modifier) {
    let (word, point) = match &modifier.kind {
        ModifierKind::Success(point) => ("success on ", Some(point)),
        ModifierKind::Failure(point) => ("failure on ", Some(point)),
        ModifierKind::Double(point) => ("double on ", Some(point)),
        ModifierKind::Even => ("success on even", None),
        ModifierKind::Odd => ("success on odd", None),
        _ => return,
    };
    out.push_str(word);
    if let Some(point) = point {
        push_matching(out, dice, point);
    }
}

/// The faces that meet a comparison, as ranges: `8-10` or `1, 3-6`.
fn push_matching(out: &mut String, dice: &Dice, point: &ComparePoint) {
    let Int::Literal(value) = point.value else {
        return;
    };
    let more = matches!(explosion(dice), Some((Explosion::Compound, _)));
    let faces = match &dice.die {
        DieSlot::Fixed(die) => die.faces(),
        DieSlot::Variable(_) => return,
    };
    let (low, high) = (faces.lowest(), faces.highest());
    let ranges: [Option<(i64, i64)>; 2] = match point.comparison {
        Comparison::Equal => [Some((value, value)), None],
        Comparison::NotEqual => [Some((low, value - 1)), Some((value + 1, high))],
        Comparison::Less => [Some((low, value - 1)), None],
        Comparison::AtMost => [Some((low, value)), None],
        Comparison::Greater => [Some((value + 1, high)), None],
        Comparison::AtLeast => [Some((value, high)), None],
    };
    let mut separator = "";
    for (start, end) in ranges.into_iter().flatten() {
        let open = more && end == high && point.comparison != Comparison::Equal;
        let end = end.max(if open { start } else { end });
        if start > end {
            continue;
        }
        out.push_str(separator);
        push_int(out, start);
        if open {
            out.push_str(" or more");
        } else if end > start {
            out.push_str(if start < 0 || end < 0 { " to " } else { "-" });
            push_int(out, end);
        }
        separator = ", ";
    }
}

fn push_verdict(out: &mut String, test: &Test, verdict: &Verdict, total: i64) {
    if let Test::Bands(bands) = test {
        let reached = bands.iter().rev().find(|band| total >= **band);
        let next = bands.iter().find(|band| total < **band);
        out.push_str(", in the band ");
        match (reached, next) {
            (None, None) => {}
            (None, Some(next)) => {
                out.push_str("below ");
                push_int(out, *next);
            }
            (Some(reached), None) => {
                push_int(out, *reached);
                out.push_str(" or more");
            }
            (Some(reached), Some(next)) => {
                push_int(out, *reached);
                out.push_str(" to ");
                push_int(out, next - 1);
            }
        }
        return;
    }
    out.push(' ');
    out.push_str(&verdict.test);
    out.push(' ');
    match (test.node(), verdict.terms.as_slice()) {
        (Some(node), [term]) => push_nested(out, node, term, false),
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
