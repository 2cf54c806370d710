//! Words of conditions and expressions, put in ours one after the other: `Summe 10+ und Sechser 2+`, `1W20 + {Wert}`.

use std::collections::HashMap;
use std::ops::Range;

use super::phrase::{Edit, folded};

/// Words of the longest phrase.
const WORDS_MAX: usize = 4;

/// Words that stand for ours wherever they stand.
#[derive(Debug, Default)]
pub struct Formal {
    words: HashMap<String, String>,
    /// What stands behind a number, with ours: `er` in `6er`.
    endings: Vec<(String, String)>,
    /// The letter of a die.
    die: Option<char>,
}

impl Formal {
    /// Words that have this letter for a die.
    pub fn with_die(die: Option<char>) -> Self {
        Self { die, ..Self::default() }
    }

    /// Adds a phrase with ours.
    ///
    /// # Errors
    /// What is wrong with the two.
    pub fn add(&mut self, theirs: &str, ours: &str) -> Result<(), String> {
        if let Some((ending, ours)) = theirs.strip_prefix('#').zip(ours.strip_prefix('#')) {
            self.endings.push((ending.to_owned(), ours.to_owned()));
            return Ok(());
        }
        let words = folded(theirs);
        if words.split(' ').count() > WORDS_MAX || words.contains(['*', '#']) {
            return Err(format!("{theirs} = {ours}: at most {WORDS_MAX} words, and no gaps"));
        }
        self.words.insert(words, ours.to_owned());
        Ok(())
    }

    /// What to change in a stretch. A name that is the author's own stays, and one that a call gives stays in braces.
    pub fn edits(
        &self,
        words: &str,
        within: Range<usize>,
        is_own: &dyn Fn(&str) -> bool,
        is_given: &dyn Fn(&str) -> bool,
    ) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut at = within.start;
        while let Some(letter) = words.get(at..within.end).and_then(|rest| rest.chars().next()) {
            let end = if letter == '{' {
                self.braces(words, at..within.end, &|name| is_own(name) || is_given(name), &mut edits)
            } else if letter.is_alphanumeric() {
                self.word(words, at..within.end, is_own, &mut edits)
            } else {
                None
            };
            at = end.unwrap_or(at + letter.len_utf8());
        }
        edits
    }

    /// Ours for a word.
    pub fn ours(&self, word: &str) -> Option<&str> {
        self.words.get(&folded(word)).map(String::as_str)
    }

    /// A name in braces as a whole, and where it ends; a group of dice is none.
    fn braces(
        &self,
        words: &str,
        at: Range<usize>,
        is_own: &dyn Fn(&str) -> bool,
        edits: &mut Vec<Edit>,
    ) -> Option<usize> {
        let rest = words.get(at.start + 1..at.end)?;
        let length = rest.find(['}', '='])?;
        let name = rest.get(..length)?;
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, ' ' | '_' | '-' | '\'' | '\u{2019}');
        if !name.starts_with(char::is_alphabetic) || !name.chars().all(is_name) {
            return None;
        }
        let start = at.start + 1;
        let key = folded(name.trim());
        match self.words.get(&key).filter(|_| !is_own(name)) {
            Some(ours) => edits.push((start..start + length, ours.clone())),
            // `{STÄ Wert}` is `{STR score}`: the last word alone.
            None => {
                let last = name.rsplit_once(' ').and_then(|(own, last)| Some((own, self.words.get(&folded(last))?)));
                if let Some((own, ours)) = last.filter(|_| !is_own(name)) {
                    edits.push((start + own.len() + 1..start + length, ours.clone()));
                }
            }
        }
        Some(start + rest.find('}').unwrap_or(length))
    }

    /// The longest phrase that begins here, a die, or a number with an ending; and where it ends.
    fn word(
        &self,
        words: &str,
        at: Range<usize>,
        is_own: &dyn Fn(&str) -> bool,
        edits: &mut Vec<Edit>,
    ) -> Option<usize> {
        let rest = words.get(at.clone())?;
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '\'' | '\u{2019}');
        let first = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (mut end, mut best) = (0, None);
        for _ in 0..WORDS_MAX {
            let word = rest.get(end..)?.trim_start_matches(' ');
            let start = rest.len() - word.len();
            let length = word.find(|letter| !is_part(letter)).unwrap_or(word.len());
            if length == 0 || (end > 0 && start != end + 1) {
                break;
            }
            end = start + length;
            let run = rest.get(..end)?;
            if let Some(ours) = self.words.get(&folded(run)).filter(|_| !is_own(run)) {
                best = Some((end, ours));
            }
        }
        if let Some((length, ours)) = best {
            edits.push((at.start..at.start + length, ours.clone()));
            return Some(at.start + length);
        }
        let word = rest.get(..first)?;
        let digits = word.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(word.len());
        let letter = word.get(digits..)?.chars().next();
        let next = letter.and_then(|letter| rest.get(digits + letter.len_utf8()..)?.chars().next());
        if letter.is_some_and(|own| self.die.is_some_and(|die| own.eq_ignore_ascii_case(&die)))
            && next.is_some_and(|next| next.is_ascii_digit() || matches!(next, '%' | '{' | 'F'))
        {
            let start = at.start + digits;
            edits.push((start..start + 1, "d".to_owned()));
        } else if let Some((_, ours)) = self
            .endings
            .iter()
            .filter(|_| digits > 0)
            .find(|(ending, _)| word.get(digits..).is_some_and(|own| own.eq_ignore_ascii_case(ending)))
        {
            edits.push((at.start + digits..at.start + first, ours.clone()));
        }
        Some(at.start + first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_dice_and_names_are_put_in_ours() {
        let mut formal = Formal::with_die(Some('w'));
        for (theirs, ours) in
            [("Summe", "total"), ("und", "and"), ("oder mehr", "or more"), ("#er", "#s"), ("Wert", "score")]
        {
            formal.add(theirs, ours).expect("a phrase");
        }
        let read = |words: &str| {
            let edits = formal.edits(words, 0..words.len(), &|name| name == "Eigen Wert", &|name| name == "Vorrat");
            let (mut out, mut at) = (String::new(), 0);
            for (range, ours) in edits {
                out.push_str(&words[at..range.start]);
                out.push_str(&ours);
                at = range.end;
            }
            out + &words[at..]
        };
        for (words, ours) in [
            ("Summe 10 oder mehr und 6er 2+", "total 10 or more and 6s 2+"),
            ("1W20 + {Wert} - {Kraft Wert}", "1d20 + {score} - {Kraft score}"),
            ("{1W{Rolle}, 1W6!}kh2 + {Eigen Wert=2}", "{1d{Rolle}, 1d6!}kh2 + {Eigen Wert=2}"),
            ("W% und Wunde Summen", "d% and Wunde Summen"),
            ("max(1, Summe)", "max(1, total)"),
            ("{Vorrat}W6 + Summe", "{Vorrat}d6 + total"),
            ("{Stufe", "{Stufe"),
        ] {
            assert_eq!(read(words), ours);
        }
        assert!(formal.add("a * b", "c * d").is_err());
    }
}
