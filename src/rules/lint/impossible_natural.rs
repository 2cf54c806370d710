use super::conditions::{inside, line};
use super::entry::lint;
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::dice::Die;
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::facts::Facts;
use crate::rules::when::{When, Word};

lint!(LINT = "checks/impossible-natural", lint);

/// Faces that are looked for; no die has more.
const FACE_MAX: i64 = 1_000;

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in &system.checks {
        let Some(dice) = dice(check) else { continue };
        if dice.iter().all(Die::is_numberless) {
            continue;
        }
        // A face without a number counts as 0.
        let number = |die: &Die, face: i64| die.number(face).unwrap_or(0);
        let faces: Vec<i64> =
            dice.iter().flat_map(|die| die.weights().into_iter().map(|(face, _)| number(die, face))).collect();
        let name = |die: &Die| {
            let own = system.own_dice.dice.iter().find(|own| own.die == *die);
            own.map_or_else(|| die.to_string(), |own| own.name.clone())
        };
        let dice: Vec<String> = dice.iter().map(name).collect();
        for shift in check
            .shifts
            .iter()
            .filter(|shift| !(-FACE_MAX..=FACE_MAX).any(|face| shift.is_by(face) && faces.contains(&face)))
        {
            let place = line(ledger.sources, &shift.place).unwrap_or(check.span);
            let message = format!("`{}` never happens", shift.text);
            ledger.report(of_face(place, message, (shift.low, shift.high), &dice, &faces, ledger));
        }
        for own in &check.follow_ups {
            let place = line(ledger.sources, &own.place).unwrap_or(check.span);
            for face in own.some_dice().iter().filter_map(|dice| dice.face).filter(|face| !faces.contains(face)) {
                let message = format!("`{}` speaks of {face}s, and none fall", own.name);
                ledger.report(of_face(place, message, (face, face), &dice, &faces, ledger));
            }
        }
        // A die whose explosions are added up shows more than its faces.
        if check.roll.to_string().contains('!') {
            continue;
        }
        let rows = check.rows.iter().map(|row| (&row.when, row.span));
        let flags = check.flags.iter().map(|flag| (&flag.when, flag.span));
        let conditions: Vec<(&When, Span)> = rows.chain(flags).collect();
        for (when, span) in conditions {
            let Some(number) = never(when, &faces) else { continue };
            let shown = ledger.sources.text(inside(ledger, span, "natural")).to_owned();
            let what = if shown.eq_ignore_ascii_case("natural") { "natural " } else { "" };
            let message = format!("`{what}{number}` never happens");
            let at = inside(ledger, span, &format!("{what}{number}"));
            ledger.report(of_face(at, message, (number, number), &dice, &faces, ledger));
        }
    }
}

/// The number in a condition for which no face does; none where it may hold.
fn never(when: &When, faces: &[i64]) -> Option<i64> {
    match when {
        When::Otherwise | When::Not(_) => None,
        When::And(left, right) => never(left, faces).or_else(|| never(right, faces)),
        // With another way to hold it may happen.
        When::Or(left, right) => never(left, faces).and(never(right, faces)),
        When::Within(..) => {
            let (measure, low, high) = when.stretch(&Facts::default())?;
            let by_face = measure.label.is_none() && measure.is_one_of(&[Word::Natural, Word::Highest, Word::Lowest]);
            let impossible =
                by_face && when.variables().is_empty() && !faces.iter().any(|face| (low..=high).contains(face));
            impossible.then_some(if low == i64::MIN { high } else { low })
        }
    }
}

/// The finding, with the nearest face that there is.
fn of_face(
    place: Span,
    message: String,
    asked: (i64, i64),
    dice: &[String],
    faces: &[i64],
    ledger: &Ledger<'_>,
) -> Diagnostic {
    let diagnostic = Diagnostic::warning(LINT.code, message)
        .at(place, format!("the check rolls {}, which has no such face", dice.join(", ")))
        .help("name a face that the dice can show");
    let wrong = asked.0.to_string();
    let nearest = faces.iter().min_by_key(|face| face.abs_diff(asked.0));
    let at = inside(ledger, place, &wrong);
    match nearest {
        Some(face) if asked.0 == asked.1 && ledger.sources.text(at) == wrong => {
            let message = format!("ask for {face}, the nearest face");
            diagnostic.perhaps(Fix { span: at, replacement: face.to_string(), message })
        }
        _ => diagnostic,
    }
}

/// The dice of the check, as long as the size of none is left open.
fn dice(check: &Check) -> Option<Vec<Die>> {
    let with = |value: i64| check.roll.bind(&mut |_| Some(value)).ok().map(|bound| bound.dice());
    let (six, seven) = (with(6)?, with(7)?);
    (!six.is_empty() && six == seven).then_some(six)
}
