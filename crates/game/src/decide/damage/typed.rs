//! Dice of damage with their type behind them: "2d6 fire", "2d6\[fire\]".

use crate::mechanics::values::dice_refusal;
use crate::record::state::{Attack, State};
use crate::refusal::{Code, Refusal};
use rollbook_dice::Expression;
use rollbook_rules::{System, by_type};
use rollbook_text::names::{quoted, same};

/// The dice that `parameter` brings, and their type. A word behind them is their type where somebody's sheet or the rules have
/// it, and so is a label that is the only one; other labels are left as they are.
///
/// # Errors
/// What the dice say; a word behind them that is no type there, or beside another type, with what to send instead.
pub fn read_typed(
    state: &State,
    system: &System,
    parameter: &str,
    input: &str,
    sent: Option<String>,
) -> Result<(Expression, Option<String>), Refusal> {
    let error = match rollbook_dice::read(input) {
        Ok(expression) => {
            let labelled = || match expression.labels().as_slice() {
                [only] if is_type(state, system, only) => Some(only.clone()),
                _ => None,
            };
            let damage_type = sent.or_else(labelled);
            return Ok((expression, damage_type));
        }
        Err(error) => error,
    };
    let Some(Behind { expression, dice, word }) = words_behind(input) else { return Err(dice_refusal(&error)) };
    let summary = match sent {
        Some(sent) if same(word, &sent) => return Ok((expression, Some(sent))),
        None if is_type(state, system, word) => return Ok((expression, Some(word.to_owned()))),
        None => format!(
            "{parameter} is dice alone, and neither a sheet nor the rules have {0} as a type of damage. Send {parameter}=\"{1}\" \
             damage_type=\"{0}\" where it is one, else the dice without it.",
            quoted(word),
            quoted(dice)
        ),
        Some(sent) => format!(
            "{parameter} names {} and damage_type {}. Send {parameter}=\"{}\" and one damage_type.",
            quoted(word),
            quoted(&sent),
            quoted(dice)
        ),
    };
    Err(Refusal::new(Code::InvalidParameters, summary))
}

/// Dice with a word behind them.
struct Behind<'i> {
    expression: Expression,
    /// All of the dice, as they were sent.
    dice: &'i str,
    word: &'i str,
}

/// "2d6 fire" and "2d6 fire damage" as dice and a word.
fn words_behind(input: &str) -> Option<Behind<'_>> {
    let text = input.trim();
    let text = text.strip_suffix(" damage").unwrap_or(text).trim_end();
    let (dice, word) = text.rsplit_once(' ')?;
    let is_word = word.chars().all(|letter| letter.is_alphabetic() || letter == '-');
    let expression = rollbook_dice::parse(dice).ok().filter(|_| is_word)?;
    Some(Behind { expression, dice: dice.trim_end(), word })
}

/// Whether a sheet or the rules have the word as a type of damage.
fn is_type(state: &State, system: &System, word: &str) -> bool {
    types(state, system).iter().any(|own| same(own, word))
}

/// The types of damage that sheets and the rules name: of an attack, or of what is taken off damage. One may stand there twice.
pub fn types(state: &State, system: &System) -> Vec<String> {
    let attacks = state.characters.values().flat_map(|own| &own.attacks);
    let sheets = state.tracks.values().map(|track| track.name.as_str());
    let rules = system.tracks.iter().map(|track| track.name.as_str());
    let steps = system.defences.iter().map(|step| step.rule.name.as_str());
    let declared = system.damage_types.iter().cloned();
    let common = system.attacks.iter().filter_map(|own| own.kind.clone());
    types_of(attacks, sheets.chain(rules).chain(steps)).into_iter().chain(common).chain(declared).collect()
}

/// The types that these attacks deal, and those that these tracks are against: `Resistance (cold, fire)`.
pub fn types_of<'a>(attacks: impl Iterator<Item = &'a Attack>, tracks: impl Iterator<Item = &'a str>) -> Vec<String> {
    let dealt = attacks.flat_map(|own| &own.damage).filter_map(|part| part.damage_type.clone());
    let taken = tracks.flat_map(|name| by_type(name).1).map(str::to_owned);
    dealt.chain(taken).filter(|kind| !kind.is_empty()).collect()
}
