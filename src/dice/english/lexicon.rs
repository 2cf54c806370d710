//! The words that are known.

/// A list of words, written without quotation marks.
macro_rules! words {
    ($($word:ident)*) => { &[$(stringify!($word)),*] };
}

/// Words that mean nothing here.
pub(super) const FILLERS: [&str; 18] = [
    "roll", "a", "an", "the", "with", "and", "for", "please", "modifier", "mod", "bonus", "dice", "die", "check", "me",
    "can", "could", "you",
];

/// Words that notation knows itself.
pub(super) const NOTATION: &[&str] = words![
    d df adv advantage dis disadv disadvantage vs under bands kh kl dh dl ro rr min max
];

/// Every other word with a meaning, for "did you mean".
pub(super) const MEANINGS: &[&str] = words![
    against add subtract negative without discard remove hundred plus minus times divided percentile sided keep take
    drop highest lowest reroll rerolling exploding explode explodes count counting hits minimum maximum success
    successes higher more fudge fate
];

/// What dice of damage are named after: `2d6 fire`.
pub(super) const DAMAGE: &[&str] = words![
    fire cold acid lightning thunder poison necrotic radiant force psychic piercing slashing bludgeoning holy sneak
];

/// What a roll is for; it changes nothing about the dice.
pub(super) const PURPOSES: &[&str] = words![
    initiative damage attack hit save saving throw skill ability strength dexterity constitution intelligence wisdom
    charisma acrobatics arcana athletics deception history insight intimidation investigation medicine nature
    perception performance persuasion religion stealth survival
];

/// What a target is called.
pub(super) const TARGETS: [&str; 8] = ["dc", "ac", "tn", "difficulty", "target", "armor", "armour", "defense"];

/// Which end of the dice a word names: `h` or `l`.
pub(super) fn end(word: &str) -> Option<char> {
    match word {
        "highest" | "higher" | "best" | "better" | "top" | "largest" => Some('h'),
        "lowest" | "lower" | "worst" | "worse" | "bottom" | "smallest" => Some('l'),
        _ => None,
    }
}

const NUMBERS: &[&str] = words![
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
];

/// The value of `zero` to `twenty`.
pub(super) fn number(word: &str) -> Option<i64> {
    let place = NUMBERS.iter().position(|known| *known == word)?;
    i64::try_from(place).ok()
}

const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// The value of `thirty` to `ninety`.
fn tens(word: &str) -> Option<i64> {
    let place = TENS.iter().position(|known| *known == word)?;
    i64::try_from(place + 2).ok().map(|tens| tens * 10)
}

/// Whether a number can begin with the word.
pub(super) fn begins_number(word: &str) -> bool {
    numeral(&[word]).is_some()
}

/// The number at the beginning of some words, and how many words it takes: `six`, `thirty five`,
/// `a` being passed before, `one hundred and five`, `two dozen`.
pub(super) fn numeral(words: &[&str]) -> Option<(i64, usize)> {
    let word = |at: usize| words.get(at).copied();
    let below_hundred = |at: usize| -> Option<(i64, usize)> {
        let first = word(at)?;
        let Some(tens) = tens(first) else {
            return number(first).map(|number| (number, 1));
        };
        let ones = word(at + 1).and_then(number).filter(|ones| (1..=9).contains(ones));
        Some(ones.map_or((tens, 1), |ones| (tens + ones, 2)))
    };
    let (count, used) = below_hundred(0).unwrap_or((1, 0));
    match word(used) {
        Some("dozen") => Some((count * 12, used + 1)),
        Some("hundred") => {
            let joined = usize::from(word(used + 1) == Some("and"));
            match below_hundred(used + 1 + joined) {
                Some((rest, more)) => Some((count * 100 + rest, used + 1 + joined + more)),
                None => Some((count * 100, used + 1)),
            }
        }
        _ => (used > 0).then_some((count, used)),
    }
}

/// The value of `ones` to `twenties`, and of `sixes`.
pub(super) fn plural(word: &str) -> Option<i64> {
    match word {
        "sixes" => Some(6),
        "twenties" => Some(20),
        _ => number(word.strip_suffix('s')?),
    }
}

/// The known word that is nearest to `word`, if one is near: one slip, in a long word two. A word
/// with something before it (`unadvantage`) is another word, not a slip.
pub(super) fn near(word: &str) -> Option<&'static str> {
    let known = [&FILLERS, NOTATION, MEANINGS, NUMBERS].into_iter().flatten().copied();
    known
        .filter(|known| known.len() > 3 && !word.ends_with(known) && word != "none")
        .map(|known| (strsim::damerau_levenshtein(word, known), known))
        .filter(|(distance, known)| *distance <= if known.len() < 8 { 1 } else { 2 })
        .min()
        .map(|(_, known)| known)
}
