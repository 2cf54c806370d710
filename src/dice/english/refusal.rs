//! What is said about words that are not understood.

use crate::dice::english::lexicon;

use crate::dice::english::lexicon::{FILLERS, NOTATION};
use crate::dice::english::piece::{Kind, Piece, is_die, is_number};
use crate::dice::english::translator::{Translator, refusal};
use crate::dice::error::{DiceError, Rewrite};
use crate::dice::text::Span;

impl Translator<'_> {
    /// The refusal of everything from `from` that is not understood.
    pub(super) fn unknown(&self, from: usize) -> DiceError {
        let mut to = self.at.max(from + 1);
        while self.pieces.get(to).is_some_and(is_unknown) {
            to += 1;
        }
        let part = self.pieces.get(from..to).unwrap_or(&[]);
        let words: Vec<String> = part.iter().map(Piece::words).collect();
        let span = part.iter().map(Piece::span).reduce(Span::to).unwrap_or_default();
        let words = words.join(" ");
        let mut error = refusal(&words, span);
        let range = span.range();
        if let Some(near) = lexicon::near(&words).filter(|near| *near != words) {
            error.hint = format!("Did you mean `{near}`?");
            error = error.offering(Rewrite::new("").replace(range.clone(), near));
        }
        let backslash = self.pieces.iter().find(|piece| piece.kind == Kind::Notation("\\".to_owned()));
        if let Some(piece) = backslash {
            return error.offering(Rewrite::new("for a comment").replace(piece.start..piece.end, "#"));
        }
        if let Some(rewrite) = several(self.pieces) {
            return error.offering(rewrite);
        }
        if let Some(rewrite) = labelled(self.pieces) {
            error = error.offering(rewrite);
        }
        match noted(self.pieces, range) {
            Some(rewrite) => error.offering(rewrite),
            None => error,
        }
    }
}

/// `2d6 twice` and `4d6kh3 six times`.
fn several(pieces: &[Piece]) -> Option<Rewrite> {
    let at = pieces.iter().position(|piece| matches!(piece.word(), Some("twice" | "thrice" | "times")))?;
    let piece = pieces.get(at)?;
    let (times, start) = match (piece.word(), at.checked_sub(1).and_then(|before| pieces.get(before))) {
        (Some("twice"), _) => (2, piece.start),
        (Some("thrice"), _) => (3, piece.start),
        (_, Some(number)) => match &number.kind {
            Kind::Number(times) => (*times, number.start),
            Kind::Word(word) => (lexicon::number(word)?, number.start),
            _ => return None,
        },
        _ => return None,
    };
    // `1d8 + 3, three times`: the comma goes, too.
    let before = pieces.iter().rev().find(|piece| piece.end <= start).map_or(start, |piece| piece.end);
    let check = pieces.iter().find(|piece| !piece.word().is_some_and(|word| FILLERS.contains(&word)))?;
    let last = pieces.last()?;
    // What stands behind would be lost.
    if check.start < start && last.start != piece.start {
        return None;
    }
    let rewrite = Rewrite::new("to roll it so many times");
    Some(if check.start >= start {
        let first = pieces.get(at + 1)?;
        rewrite.replace(0..first.start, "repeat(").insert(last.end, &format!(", {times})"))
    } else {
        rewrite.replace(0..check.start, "repeat(").replace(before..last.end, format!(", {times})"))
    })
}

/// `d6 fire and d8 cold` as `d6[fire] + d8[cold]`.
fn labelled(pieces: &[Piece]) -> Option<Rewrite> {
    let mut rewrite = Rewrite::new("to name the dice");
    let mut after_dice = false;
    let mut named = false;
    for (index, piece) in pieces.iter().enumerate() {
        let next = pieces.get(index + 1);
        match piece.word() {
            Some("and") if next.is_some_and(rolls) => rewrite = rewrite.replace(piece.start..piece.end, "+"),
            Some(word) if after_dice && lexicon::DAMAGE.contains(&word) => {
                rewrite = rewrite.replace(piece.start..piece.end, format!("[{word}]"));
                named = true;
            }
            Some("damage") => rewrite = rewrite.delete(piece.start..piece.end),
            // What is not understood is not left out.
            Some(_) if is_unknown(piece) => return None,
            _ => {}
        }
        after_dice = rolls(piece);
    }
    named.then_some(rewrite)
}

/// `d20 plus 5 to hit` as `d20 plus 5 # to hit`: what a roll is for goes into a comment. Only when
/// nothing else is not understood, and only words that cannot change the dice.
fn noted(pieces: &[Piece], part: std::ops::Range<usize>) -> Option<Rewrite> {
    let within = |piece: &Piece| piece.start >= part.start && piece.end <= part.end;
    let mut words = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let next = pieces.get(index + 1).and_then(Piece::word);
        if within(piece) {
            let word = piece.word()?;
            let purpose = lexicon::PURPOSES.contains(&word)
                || lexicon::DAMAGE.contains(&word)
                || (word == "to" && next == Some("hit"));
            words.push(purpose.then_some(word)?);
        } else if is_unknown(piece) {
            return None;
        }
    }
    let end = pieces.last()?.end;
    let note = format!(" # {}", words.join(" "));
    let rewrite = Rewrite::new("to note what it is for");
    Some(if part.end == end { rewrite.replace(part, note) } else { rewrite.delete(part).insert(end, &note) })
}

/// Whether a piece ends in dice or a number.
fn rolls(piece: &Piece) -> bool {
    match &piece.kind {
        Kind::Notation(text) => {
            let last = text.rsplit(['+', '-']).next().unwrap_or("");
            is_die(last) || is_number(last)
        }
        _ => false,
    }
}

fn is_unknown(piece: &Piece) -> bool {
    piece.word().is_some_and(|word| {
        !FILLERS.contains(&word)
            && !NOTATION.contains(&word)
            && !lexicon::MEANINGS.contains(&word)
            && !lexicon::TARGETS.contains(&word)
            && lexicon::end(word).is_none()
            && !lexicon::begins_number(word)
    })
}
