//! The columns Damage and Effect of an outcome table: what becomes of the damage of an attack, and what the outcome brings.
//!
//! Read when all tracks and conditions are known: a column that is named like a track moves the track.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Place};
use crate::dice::{DiceError, Expression, Formula, parse, parse_formula};
use crate::names::{fold, numbered, same};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::ledger::{Ledger, Scope, Written};
use crate::rules::when::Named;

/// What a row does to the damage of an attack.
#[derive(Debug, Clone, PartialEq)]
pub struct RowDamage {
    /// What it does.
    pub deals: Deals,
    /// The author's words.
    pub text: String,
    /// Where the cell stands.
    pub place: Place,
}

/// How much of an attack's damage is dealt.
#[derive(Debug, Clone, PartialEq)]
pub enum Deals {
    /// None of it.
    Nothing,
    /// Half of what was rolled, rounded down.
    Half,
    /// What was rolled.
    Once,
    /// Each die twice, what is added to them once.
    DiceTwice,
    /// Twice what was rolled.
    Twice,
    /// The most that the dice can show, each of them once.
    Maximum,
    /// A formula; `{damage}` in it is the attack's own.
    Formula(String),
    /// Words that are no rule: it is for the GM to say.
    Unread,
}

/// A condition that an outcome brings: `Prone`, `Burning 2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowEffect {
    /// The condition, with its level.
    pub condition: String,
    /// Where the cell stands.
    pub place: Place,
}

/// The name in a formula for the damage of the attack.
const OWN: &str = "{damage}";

/// Whether a column says what becomes of the damage.
pub(super) fn is_damage(header: &Text) -> bool {
    same(header.as_str(), "damage")
}

/// Whether a cell of it can be read.
pub(super) fn is_dealt(cell: &Text) -> bool {
    read(cell.as_str()).is_some()
}

/// Whether a column may name conditions.
pub(super) fn is_effect(header: &Text) -> bool {
    ["effect", "effects", "condition", "conditions"].iter().any(|name| same(header.as_str(), name))
}

/// Reads a cell of the column Damage; one that cannot be read leaves the damage of its row to the GM.
pub(super) fn damage(cell: &Text, values: &[Named], ledger: &mut Ledger<'_>) -> RowDamage {
    let place = ledger.place(cell.span());
    let text = cell.as_str().to_owned();
    let deals = read(cell.as_str()).unwrap_or_else(|| {
        ledger.report(
            Diagnostic::warning(codes::UNREADABLE_DAMAGE, format!("what is dealt cannot be read: `{text}`"))
                .at(cell.span(), "shown with the result; the damage of this row is for the GM to say")
                .help(
                    "write `none`, `half`, `once`, `dice twice`, `twice`, `maximum`, or dice such as `{damage} + 1d6`; what the roll counts has a name: \
                     ``- Value extra: `successes - 1` `` and `{damage} + {extra}`",
                ),
        );
        Deals::Unread
    });
    let known = |name: &str| values.iter().any(|own| own.is(name)).then_some(1);
    if let Deals::Formula(words) = &deals
        && let Ok(formula) = own_damage(&with_values(words, known), "1d6")
    {
        // Else names of the actor's sheet alone: the damage is looked at before the check is rolled.
        ledger.written.push(Written { formula, text: cell.clone(), scope: Scope::Damage });
    }
    RowDamage { deals, text, place }
}

fn read(words: &str) -> Option<Deals> {
    let folded = fold(words.trim().trim_end_matches('.'));
    Some(match folded.as_str() {
        // Folding leaves nothing of a dash.
        "" if ["-", "\u{2013}", "\u{2014}"].contains(&words.trim()) => Deals::Nothing,
        "0" | "none" | "nothing" | "no" | "no damage" => Deals::Nothing,
        "half" | "halved" | "half damage" | "half, rounded down" => Deals::Half,
        "once" | "full" | "all" | "all of it" | "normal" | "as rolled" | "damage" | "full damage" | "normal damage" => {
            Deals::Once
        }
        "dice twice" | "double dice" | "twice the dice" => Deals::DiceTwice,
        "twice" | "double" | "doubled" | "x2" | "double damage" | "twice the damage" => Deals::Twice,
        "maximum" | "max" | "maximum damage" => Deals::Maximum,
        _ => {
            // With any dice in the place of the attack's own.
            own_damage(words, "1d6").ok()?;
            Deals::Formula(words.trim().to_owned())
        }
    })
}

/// A row's own formula with the attack's damage in the place of `{damage}`, and the check's values in that of their names.
///
/// # Errors
/// When they are no dice together.
pub fn row_formula(
    formula: &str,
    damage: &Expression,
    value: impl Fn(&str) -> Option<i64>,
) -> Result<Formula, DiceError> {
    own_damage(&with_values(formula, value), damage.as_str())
}

/// A formula with numbers in the place of those names in braces that have one here.
fn with_values(formula: &str, value: impl Fn(&str) -> Option<i64>) -> String {
    let mut parts = formula.split('{');
    let mut with = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let known = part.split_once('}').and_then(|(name, rest)| Some((value(name)?, rest)));
        match known {
            Some((number, rest)) => with.push_str(&number_before(number, rest)),
            None => with.push_str(&format!("{{{part}")),
        }
    }
    with
}

/// A number and what stands behind it. No dice are nothing: `{extra}d6` where extra is 0.
fn number_before(number: i64, rest: &str) -> String {
    let sides = rest.strip_prefix('d').map(|own| own.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    let alone = |own: &&str| {
        own.len() + 1 < rest.len()
            && !own.starts_with(|letter: char| !matches!(letter, ' ' | ')' | '+' | '-' | '*' | ','))
    };
    match sides.filter(alone) {
        Some(behind) if number <= 0 => format!("0{behind}"),
        _ => format!("({number}){rest}"),
    }
}

fn own_damage(formula: &str, damage: &str) -> Result<Formula, DiceError> {
    parse_formula(&formula.replace(OWN, &format!("({damage})")))
}

/// Conditions of the rules with the levels that they have, by their folded names.
pub(super) type Known = HashMap<String, (String, Option<(i64, i64)>)>;

/// Words that make what stands beside them depend on something.
const DEPENDS: [&str; 8] = ["unless ", "if ", "when ", "or ", "only ", "except ", "but ", "while "];

/// Reads a cell of the column Effect: the conditions of the rules in it. Other words beside them are the GM's.
pub(super) fn effects(cell: &Text, conditions: &Known, ledger: &mut Ledger<'_>) -> Vec<RowEffect> {
    let words = cell.as_str().trim().trim_end_matches('.');
    let each: Vec<&str> = words.split([',', ';']).flat_map(|part| part.split(" and ")).map(str::trim).collect();
    let (mut effects, mut unknown) = (Vec::new(), Vec::new());
    for part in each {
        let (name, level) = numbered(part);
        let Some((condition, levels)) = conditions.get(&fold(name)) else {
            unknown.push(part);
            continue;
        };
        let fits = level.is_none_or(|level| levels.is_some_and(|(low, high)| (low..=high).contains(&level)));
        if !fits {
            let has = levels.map_or("has no levels".to_owned(), |(low, high)| format!("has levels {low} to {high}"));
            ledger.report(
                Diagnostic::warning(codes::UNREADABLE_DAMAGE, format!("{condition} {has}, so `{part}` is none"))
                    .at(cell.span(), "shown with the result, not brought")
                    .help(format!("write `{condition}`, or give it levels under Conditions: `{condition} (1-3)`")),
            );
            return Vec::new();
        }
        let condition = level.map_or_else(|| condition.clone(), |level| format!("{condition} {level}"));
        effects.push(RowEffect { condition, place: ledger.place(cell.span()) });
    }
    let depends = |part: &&str| DEPENDS.iter().any(|word| part.to_ascii_lowercase().starts_with(word));
    match (effects.is_empty(), unknown.first()) {
        (true, _) | (false, None) => {}
        (false, Some(_)) if unknown.iter().any(depends) => {
            ledger.left_to_gm(cell.span(), "it depends on something, so none of it is brought");
            effects.clear();
        }
        (false, Some(part)) => {
            ledger.left_to_gm(cell.span(), &format!("`{part}` is no condition of yours, and is shown alone"));
        }
    }
    effects
}

impl Deals {
    /// The names that a formula takes away: `Armour` of `{damage} - {Armour}`.
    pub(super) fn taken_off(&self) -> impl Iterator<Item = &str> {
        let words = if let Self::Formula(words) = self { words.as_str() } else { "" };
        let behind_minus = words.split(['-', '\u{2212}']).skip(1);
        behind_minus.filter_map(|part| part.trim_start().strip_prefix('{')?.split_once('}')).map(|(name, _)| name)
    }

    /// In a few words: "half of the damage".
    pub fn describe(&self) -> String {
        match self {
            Deals::Nothing => "no damage".to_owned(),
            Deals::Half => "half of the damage, rounded down".to_owned(),
            Deals::Once => "the damage".to_owned(),
            Deals::DiceTwice => "the dice of the damage twice".to_owned(),
            Deals::Twice => "the damage twice".to_owned(),
            Deals::Maximum => "the most that the damage can be".to_owned(),
            Deals::Formula(formula) => formula.clone(),
            Deals::Unread => "not read; the damage is for the GM to say".to_owned(),
        }
    }
}

/// An attack's damage with each of its dice twice: `1d12 + 2` becomes `1d12 + 2 + 1d12`.
///
/// # Errors
/// When that is more than can be rolled.
pub fn dice_twice(damage: &Expression) -> Result<Expression, DiceError> {
    parse(&damage.with_dice_twice())
}
