//! Difficulties as they are typed: 15, or 10..20, or 10,15,20; or in the rules' words.

use crate::cli::output::Failed;

/// Difficulties in one table.
const DIFFICULTIES_MAX: usize = 200;

/// Each difficulty in the order of the text, by `word` where it is one; one that is none where nothing was typed.
pub(super) fn difficulties(
    text: Option<&str>,
    word: &dyn Fn(&str) -> Result<i64, Failed>,
) -> Result<Vec<Option<i64>>, Failed> {
    let Some(text) = text else { return Ok(vec![None]) };
    let wrong = || format!("--difficulty {text}: write 15, or 10..20, or 10,15,20, or a word of the rules");
    let mut all = Vec::new();
    for part in text.split(',') {
        if part.contains(char::is_alphabetic) {
            all.push(Some(word(part.trim())?));
            continue;
        }
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        let number = |text: &str| text.trim().trim_start_matches('=').parse::<i64>().map_err(|_| wrong());
        let (first, last) = (number(first)?, number(last)?);
        if last < first {
            return Err(wrong());
        }
        let room = DIFFICULTIES_MAX.saturating_sub(all.len());
        if last.saturating_sub(first) >= i64::try_from(room).unwrap_or(0) {
            return Err(format!("--difficulty {text}: at most {DIFFICULTIES_MAX} at once"));
        }
        all.extend((first..=last).map(Some));
    }
    Ok(all)
}
