//! Rolled scores: the dice that the caller sends, for every attribute that is not given, in the order of the rules.

use super::SheetCall;
use crate::dice;
use crate::game::decide::roll::check_dice;
use crate::game::mechanics::values::dice_refusal;
use crate::game::record::entry::RollRecord;
use crate::game::record::purpose::ATTRIBUTE;
use crate::game::record::state::Character;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;
use crate::rules::Attribute;

/// Dice for one score.
const DICE_MAX: u64 = 20;

/// The sheet with every missing score rolled, and the rolls. Dice that could leave a range are refused before anything is
/// rolled.
pub fn roll_scores(
    table: &mut Table,
    who: &Character,
    mut sheet: SheetCall,
) -> Result<(SheetCall, Vec<RollRecord>), Refusal> {
    let Some(text) = sheet.roll_attributes.take() else { return Ok((sheet, Vec::new())) };
    let expression = dice::read(&text).map_err(|error| dice_refusal(&error))?;
    check_dice(table.system(), &expression)?;
    if expression.asked() > DICE_MAX {
        let summary =
            format!("roll_attributes asks for {} dice a score; it takes up to {DICE_MAX}.", expression.asked());
        return Err(Refusal::new(Code::LimitExceeded, summary));
    }
    let system = table.system();
    let given = |own: &Attribute| sheet.attributes.keys().any(|name| own.is_called(&crate::names::fold(name)));
    let lacking = |own: &&Attribute| !who.attributes.contains_key(&own.name) && !given(own);
    let lacking: Vec<&Attribute> = system.attributes.iter().filter(lacking).collect();
    if lacking.is_empty() {
        let summary = match system.attributes.is_empty() {
            true => "The rules declare no attributes to roll for. Leave roll_attributes out.",
            false => "Every score is given, so there is none to roll for. Leave roll_attributes out, or the scores.",
        };
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    let totals = expression.odds().map_err(|error| dice_refusal(&error))?.totals;
    let (low, high) = (totals.min().unwrap_or(0), totals.max().unwrap_or(0));
    if let Some(own) = lacking.iter().find(|own| !own.allows(low) || !own.allows(high) || !totals.cut().is_zero()) {
        let (from, to) = own.range.unwrap_or_default();
        let summary = format!(
            "{text} can fall from {low} to {high}, and {} goes from {from} to {to}. Send dice that stay within it.",
            own.name
        );
        return Err(Refusal::new(Code::InvalidParameters, summary).at(own.place.to_string()));
    }
    let mut rolls = Vec::new();
    for own in lacking {
        let record = table
            .roll(&expression, &who.name, &format!("{ATTRIBUTE}{}", own.name))
            .map_err(|error| dice_refusal(&error))?;
        sheet.attributes.insert(own.name.clone(), record.roll.total);
        rolls.push(record);
    }
    Ok((sheet, rolls))
}
