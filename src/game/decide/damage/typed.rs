//! Dice of damage with their type behind them: "2d6 fire", "2d6\[fire\]".

use crate::dice::{self, Expression};
use crate::game::mechanics::values::dice_refusal;
use crate::game::record::state::State;
use crate::game::refusal::{Code, Refusal};
use crate::names::{fold, quoted, same};

/// The dice that `parameter` brings, and their type. A word in the dice is their type where somebody's sheet has it.
///
/// # Errors
/// What the dice say; a word that is no type on any sheet, with what to send instead; two types.
pub fn read_typed(
    state: &State,
    parameter: &str,
    input: &str,
    sent: Option<String>,
) -> Result<(Expression, Option<String>), Refusal> {
    let (expression, words) = match dice::read(input) {
        Ok(expression) => {
            let labels = expression.labels();
            (expression, labels)
        }
        Err(error) => match words_behind(input) {
            Some((expression, word)) => (expression, vec![word]),
            None => return Err(dice_refusal(&error)),
        },
    };
    let bare = || input.split(['[', ' ']).next().unwrap_or(input).trim();
    match (words.as_slice(), sent) {
        ([], sent) => Ok((expression, sent)),
        ([word], Some(sent)) if same(word, &sent) => Ok((expression, Some(sent))),
        ([word], None) if is_type(state, word) => Ok((expression, Some(word.clone()))),
        ([word], None) => {
            let summary = format!(
                "{parameter} is dice alone, and nobody's sheet has {0} as a type of damage. Send {parameter}=\"{1}\" \
                 damage_type=\"{0}\" where it is one, else the dice without it.",
                quoted(word),
                quoted(bare())
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
        ([word], Some(sent)) => {
            let summary = format!(
                "{parameter} names {} and damage_type {}. Send {parameter}=\"{}\" and one damage_type.",
                quoted(word),
                quoted(&sent),
                quoted(bare())
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
        (several, _) => {
            let summary = format!(
                "{parameter} is damage of one type, and this names {}. Roll each by itself, and send apply_damage \
                 parts=[{{\"amount\": 5, \"damage_type\": \"{}\"}}, …]; or give the character an attack with all of them.",
                quoted(&several.join(" and ")),
                several.first().map_or(String::new(), |first| quoted(first))
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
    }
}

/// "2d6 fire" and "2d6 fire damage" as dice and a word.
fn words_behind(input: &str) -> Option<(Expression, String)> {
    let text = input.trim();
    let text = text.strip_suffix(" damage").unwrap_or(text).trim_end();
    let (dice, word) = text.rsplit_once(' ')?;
    let is_word = word.chars().all(|letter| letter.is_alphabetic() || letter == '-');
    let expression = dice::parse(dice).ok().filter(|_| is_word)?;
    Some((expression, word.to_owned()))
}

/// Whether a sheet has the word as a type of damage: of an attack, or of what is taken off damage.
fn is_type(state: &State, word: &str) -> bool {
    let attacks = state.characters.values().flat_map(|own| &own.attacks).flat_map(|own| &own.damage);
    let dealt = attacks.filter_map(|part| part.damage_type.as_deref()).any(|kind| same(kind, word));
    let taken = || {
        let bracketed = state.tracks.values().filter_map(|track| track.name.split_once('(')?.1.split_once(')'));
        let word = fold(word);
        bracketed.flat_map(|(kinds, _)| kinds.split(',')).any(|kind| fold(kind) == word)
    };
    dealt || taken()
}
