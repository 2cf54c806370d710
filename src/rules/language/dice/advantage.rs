//! What advantage and disadvantage do: as the Dice section says, else as in any d20 system.

use super::swap::{OwnSwap, Swap, two_d20};
use crate::diagnostic::{Diagnostic, Fix};
use crate::dice::{Mode, parse_formula};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::checks::{Check, PROBE};
use crate::rules::language::formula;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::names::Names;
use crate::rules::language::plain::dice_mentions;
use crate::rules::language::system::System;
use crate::rules::when::facts::Succeed;

/// `2d20kh1`, or that there is none.
pub fn swap(label: &Labelled, mode: Mode, checks: &[Check], names: &Names, ledger: &mut Ledger<'_>) -> Option<Swap> {
    if ["none", "no"].contains(&fold(label.value.as_str()).as_str()) {
        return None;
    }
    if is_words(&label.value) {
        report_words(label, mode, checks, ledger);
        return None;
    }
    let roll = formula::read(&label.value, names, Scope::Check, ledger)?;
    Some(Swap { roll, place: Some(ledger.place(label.span)), assumed: false })
}

/// `roll twice`, `two dice, keep the lower`: no dice that could be rolled.
fn is_words(value: &Text) -> bool {
    value.codes().is_empty()
        && !value.is_empty()
        && dice_mentions(value.as_str()).next().is_none()
        && !value.as_str().contains('{')
}

/// Reports them with the dice of the first check, one more of them.
fn report_words(label: &Labelled, mode: Mode, checks: &[Check], ledger: &mut Ledger<'_>) {
    if fold(label.value.as_str()).contains("step") {
        let help = "leave this bullet out: a call moves the die with `steps=1` or `steps=-1`, and a condition with `one step up on checks`; which die \
                    comes after which is `- Dice chain: d4, d6, d8, d10, d12`";
        ledger.report(
            Diagnostic::error(codes::UNREADABLE_FORMULA, format!("`{}` cannot be read as dice", label.value.as_str()))
                .at(label.value.span(), "a step moves a die, and advantage rolls others")
                .because("until then nobody can ask for it")
                .help(help),
        );
        return;
    }
    let check = checks.iter().find(|check| check.main_die().is_some());
    let dice = check.and_then(|check| {
        let count = check.roll.bind(&mut |_| Some(PROBE)).ok()?.main_count();
        let better = matches!(
            (mode, check.succeed),
            (Mode::Advantage, Succeed::AtLeast) | (Mode::Disadvantage, Succeed::AtMost)
        );
        Some(format!("{}{}k{}{count}", count + 1, check.main_die()?, if better { 'h' } else { 'l' }))
    });
    let dice = dice.unwrap_or_else(|| two_d20(mode, Succeed::AtLeast).to_owned());
    let fix = Fix { span: label.value.span(), replacement: format!("`{dice}`"), message: format!("write `{dice}`") };
    ledger.report(
        Diagnostic::error(codes::UNREADABLE_FORMULA, format!("`{}` cannot be read as dice", label.value.as_str()))
            .at(label.value.span(), "expected the dice that come instead")
            .because("until then nobody can ask for it")
            .help(format!("write the dice that come in the place of the check's: `{dice}`"))
            .perhaps(fix),
    );
}

/// A game with checks on one d20 has advantage unless it says otherwise: the better die, which is the lower one where low is
/// good. Each check has its own ([`System::swapping`]); the summary shows that of the first.
pub fn assume_advantage(system: &mut System, ledger: &mut Ledger<'_>) {
    let unsaid = |check: &&Check| check.advantage == OwnSwap::Unsaid && check.disadvantage == OwnSwap::Unsaid;
    let (on_d20, others): (Vec<&Check>, Vec<&Check>) =
        system.checks.iter().filter(unsaid).partition(|check| check.rolls_one_d20());
    let Some(first) = on_d20.first() else { return };
    let (place, succeed) = (first.place.clone(), first.succeed);
    let dice = [Mode::Advantage, Mode::Disadvantage].map(|mode| two_d20(mode, succeed));
    let why = match succeed {
        Succeed::AtLeast => "as in any d20 system",
        Succeed::AtMost => "as in any d20 system where low is good",
    };
    let turned = names(on_d20.iter().filter(|check| check.succeed != succeed));
    let turned = if turned.is_empty() { turned } else { format!("; the other way round in {turned}") };
    let without = names(others.iter());
    let without = if without.is_empty() { without } else { format!("; none in {without}, which roll no single d20") };
    let text = format!("advantage is {} and disadvantage {}, {why}{turned}{without}", dice[0], dice[1]);
    let [advantage, disadvantage] = dice.map(|notation| {
        let roll = parse_formula(notation).ok()?;
        Some(Swap { roll, place: Some(place.clone()), assumed: true })
    });
    (system.advantage, system.disadvantage) = (advantage, disadvantage);
    ledger.assume(text, Some(place));
}

/// Names of checks that one sentence holds.
const NAMES_MAX: usize = 4;

fn names<'c>(checks: impl Iterator<Item = &'c &'c Check>) -> String {
    let names: Vec<&str> = checks.map(|check| check.name.as_str()).collect();
    let shown = names.iter().take(NAMES_MAX).copied().collect::<Vec<_>>().join(", ");
    if names.len() > NAMES_MAX { format!("{shown} and {} more", names.len() - NAMES_MAX) } else { shown }
}
