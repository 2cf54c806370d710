//! Chances as JSON: exact fractions, their parts as text (`docs/odds.md`).

use serde_json::{Value, json};

use super::compare::{Comparison, DiceComparison, difference};
use super::skills::SkillTable;
use super::tables::{Column, Line, Mean, means, success};
use rollbook_dice::Band;
use rollbook_dice::odds::{Odds, Ratio};
use rollbook_game::decide::odds::{Chances, DamageOdds, Row, ValueOdds};

pub(super) fn of_totals(expression: &str, odds: &Odds, asked: Option<(String, Ratio)>) -> Value {
    let totals = &odds.totals;
    let each: Vec<Value> = totals
        .outcomes()
        .map(|(total, chance)| with_some(ratio(&chance), [("total", Some(json!(total)))]))
        .collect();
    let value = json!({
        "expression": expression,
        "mean": ratio(&totals.mean()),
        "deviation": totals.deviation(),
        "min": totals.min(),
        "max": totals.max(),
        "totals": each,
        "cut_off": ratio(&totals.cut()),
    });
    let asked = asked.map(|(what, chance)| json!({"what": what, "chance": ratio(&chance)}));
    // A range of totals has no bound where it is open.
    let in_band = |(band, chance): &(Band, Ratio)| {
        with_some(
            ratio(chance),
            [
                ("from", band.low.map(|end| json!(end))),
                ("to", band.high.map(|end| json!(end))),
            ],
        )
    };
    let bands = (!odds.bands.is_empty()).then(|| odds.bands.iter().map(in_band).collect());
    with_some(
        value,
        [
            ("asked", asked),
            ("success", odds.success.as_ref().map(ratio)),
            ("bands", bands),
        ],
    )
}

pub(super) fn of_check(name: &str, lines: &[Line]) -> Value {
    let lines = lines
        .iter()
        .map(|(difficulty, found)| of_chances(*difficulty, found));
    json!({"check": name, "odds": lines.collect::<Vec<Value>>()})
}

pub(super) fn of_comparison(comparison: &Comparison) -> Value {
    let row = |Column {
                   kind,
                   name,
                   chances,
                   ..
               }: Column| {
        let [one, other] = chances.as_slice() else {
            return None;
        };
        let difference = ratio(&other.minus(one));
        Some(
            json!({"what": name, "kind": kind, "one": ratio(one), "other": ratio(other), "difference": difference}),
        )
    };
    let mean = |(name, of): Mean| json!({"what": name, "one": of.first(), "other": of.get(1), "difference": difference(&of)});
    let Comparison {
        kind,
        name,
        difficulty,
        sides: [(one, first), (other, second)],
    } = comparison;
    json!({
        "compare": kind,
        "check": name,
        "difficulty": difficulty,
        "rows": comparison.rows().into_iter().filter_map(row).collect::<Vec<Value>>(),
        "means": means(&[first, second]).into_iter().map(mean).collect::<Vec<Value>>(),
        "one": with_some(of_chances(*difficulty, first), [("name", Some(json!(one)))]),
        "other": with_some(of_chances(*difficulty, second), [("name", Some(json!(other)))]),
    })
}

pub(super) fn of_dice(dice: &DiceComparison) -> Value {
    let total = |(total, one, other): (i64, Ratio, Ratio)| json!({"total": total, "one": ratio(&one), "other": ratio(&other), "difference": ratio(&other.minus(&one))});
    let [(one, first), (other, second)] = &dice.0;
    json!({
        "compare": "dice",
        "one": of_totals(one, first, None),
        "other": of_totals(other, second, None),
        "totals": dice.totals().into_iter().map(total).collect::<Vec<Value>>(),
    })
}

pub(super) fn of_skills(found: &SkillTable) -> Value {
    let skill = |(name, cells): &(String, Vec<Result<Chances, String>>)| {
        let each = found
            .difficulties
            .iter()
            .zip(cells)
            .map(|((difficulty, word), cell)| {
                let value = match cell {
                    Ok(found) => of_chances(*difficulty, found),
                    Err(why) => json!({"difficulty": difficulty, "refused": why}),
                };
                with_some(value, [("word", word.as_ref().map(|word| json!(word)))])
            });
        json!({"skill": name, "odds": each.collect::<Vec<Value>>()})
    };
    let skills = found.rows.iter().map(skill).collect::<Vec<Value>>();
    let table = json!({"check": found.check, "character": found.character, "skills": skills});
    with_some(
        table,
        [(
            "attribute",
            found.attribute.as_ref().map(|attribute| json!(attribute)),
        )],
    )
}

fn of_chances(difficulty: Option<i64>, found: &Chances) -> Value {
    let row = |row: &Row| json!({"outcome": row.outcome, "label": row.label, "rule": row.rule, "chance": ratio(&row.chance)});
    let flags = found
        .flags
        .iter()
        .map(|(name, chance)| json!({"flag": name, "chance": ratio(chance)}));
    let line = json!({
        "difficulty": difficulty,
        "outcomes": found.rows.iter().map(row).collect::<Vec<Value>>(),
        "flags": flags.collect::<Vec<Value>>(),
        "values": of_values(found),
        "cut_off": ratio(&found.cut),
    });
    let against = found.against.as_ref().map(|against| {
        let value = json!({"won": ratio(&against.won), "tie": ratio(&against.tie), "decided_by": against.rule, "rule": against.place});
        with_some(value, [("won_in_the_end", against.won_in_the_end.as_ref().map(ratio))])
    });
    let fields = [
        ("success", success(found).as_ref().map(ratio)),
        ("against", against),
        (
            "again",
            found
                .again
                .as_ref()
                .map(|(rule, chance)| json!({"rule": rule, "chance": ratio(chance)})),
        ),
        ("damage", found.damage.as_ref().map(of_damage)),
        (
            "notes",
            (!found.notes.is_empty()).then(|| json!(found.notes)),
        ),
    ];
    with_some(line, fields)
}

pub(super) fn of_values(found: &Chances) -> Value {
    let value = |of: &ValueOdds| json!({"value": of.name, "mean": of.mean(), "chances": numbers(&of.chances)});
    found.values.iter().map(value).collect()
}

fn of_damage(damage: &DamageOdds) -> Value {
    json!({
        "target": damage.target,
        "mean": ratio(&damage.mean),
        "points": numbers(&damage.points),
        "down": ratio(&damage.down),
        "for_the_gm": ratio(&damage.unread),
        "cut_off": ratio(&damage.cut),
    })
}

fn numbers(chances: &[(i64, Ratio)]) -> Vec<Value> {
    chances
        .iter()
        .map(|(number, chance)| json!({"is": number, "chance": ratio(chance)}))
        .collect()
}

pub(super) fn with_some<const N: usize>(
    mut value: Value,
    fields: [(&str, Option<Value>); N],
) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.extend(
            fields
                .into_iter()
                .filter_map(|(name, field)| Some((name.to_owned(), field?))),
        );
    }
    value
}

/// An exact fraction; its parts as text, because they outgrow every number type.
fn ratio(ratio: &Ratio) -> Value {
    let sign = if ratio.is_negative() { "-" } else { "" };
    let (top, bottom) = ratio.parts();
    json!({
        "numerator": format!("{sign}{top}"),
        "denominator": bottom.to_string(),
        "decimal": ratio.to_decimal(6),
    })
}
