//! Initiative by cards: a pack of 52 and two jokers, shuffled before each deal. A card is a number from 1 (the two of clubs)
//! to 54 (the red joker), so whoever has the higher card has the higher number: ranks from the two to the ace, and within a
//! rank clubs, diamonds, hearts, spades. No two combatants hold the same card unless more than 54 are dealt.

/// Cards of a pack.
pub const PACK: i64 = 54;

const RANKS: [&str; 13] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const SUITS: [&str; 4] = ["clubs", "diamonds", "hearts", "spades"];

/// "queen of hearts"; `None` for a number that is no card, since the GM may set any.
pub fn name(card: i64) -> Option<String> {
    let place = usize::try_from(card.checked_sub(1)?).ok()?;
    match (RANKS.get(place / SUITS.len()), SUITS.get(place % SUITS.len())) {
        (Some(rank), Some(suit)) => Some(format!("{rank} of {suit}")),
        _ if card == PACK - 1 => Some("black joker".to_owned()),
        _ if card == PACK => Some("red joker".to_owned()),
        _ => None,
    }
}

/// The cards left to be dealt, lowest first; a new pack once all of one are dealt.
pub fn left(dealt: &[i64]) -> Vec<i64> {
    let packs = dealt.len() / usize::try_from(PACK).unwrap_or(usize::MAX);
    let out = |card: &i64| dealt.iter().filter(|own| *own == card).count();
    (1..=PACK).filter(|card| out(card) <= packs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_card_has_its_own_name() {
        let mut names: Vec<String> = (1..=PACK).filter_map(name).collect();
        assert_eq!(
            (names[0].as_str(), names[42].as_str(), names[51].as_str()),
            ("two of clubs", "queen of hearts", "ace of spades")
        );
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 54);
        assert_eq!((name(0), name(55), name(i64::MIN)), (None, None, None));
    }

    #[test]
    fn a_card_is_dealt_once_from_each_pack() {
        assert_eq!(left(&[]).len(), 54);
        assert_eq!(left(&[3, 54]).len(), 52);
        let first: Vec<i64> = (1..=PACK).collect();
        assert_eq!(left(&first).len(), 54, "a second pack");
        assert!(!left(&[first, vec![7]].concat()).contains(&7));
    }
}
