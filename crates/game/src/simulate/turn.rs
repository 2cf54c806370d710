//! What sheets say in words of how often somebody strikes: several attacks a turn, and attacks of which there are few in a fight.

use crate::record::state::Attack;
use rollbook_text::names::fold;

/// Attacks of a turn at most; what says more is no number of attacks.
const ATTACKS_MAX: usize = 10;
/// How long an attack is gone that may be made once: a fight lasts less than any of them.
const PERIODS: [&str; 10] =
    ["fight", "combat", "battle", "encounter", "scene", "session", "day", "rest", "hour", "adventure"];

/// How often an attack may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uses {
    /// So often in a fight.
    Few(u32),
    /// Once, and again when a d6 at the beginning of a turn shows this or more.
    Recharge(i64),
}

/// The attacks of a turn, where the notes say that there are several: `The owlbear makes two attacks: one with its beak and one with its
/// claws.`, `Attacks: 2 per round`. A name is one of `attacks`; without one it is the best.
pub fn attacks_a_turn(notes: &str, attacks: &[String]) -> Option<Vec<Option<String>>> {
    notes.split(['\n', '.', ';']).find_map(|sentence| in_sentence(sentence, attacks))
}

fn in_sentence(sentence: &str, attacks: &[String]) -> Option<Vec<Option<String>>> {
    let words = words_of(sentence);
    let is = |at: usize, all: &[&str]| words.get(at).is_some_and(|word| all.contains(&word.as_str()));
    let each = |at: usize| is(at, &["a", "per", "each", "every"]) && is(at + 1, &["round", "turn"]);
    let said = |at: usize| {
        let before = |all: &[&str]| at.checked_sub(1).is_some_and(|at| is(at, all));
        match (at + 1..=at + 3).find(|at| is(*at, &["attacks"])) {
            Some(end) => before(&["make", "makes"]) || is(0, &["multiattack"]) || each(end + 1),
            None => before(&["attacks", "multiattack"]) && (each(at + 1) || words.len() == at + 1),
        }
    };
    let numbers = || words.iter().zip(0..).filter_map(|(word, at)| Some((at, number(word)?)));
    let (at, many) = numbers().find(|(at, many)| (2..=ATTACKS_MAX).contains(many) && said(*at))?;
    let named = named(words.get(at..).unwrap_or_default(), attacks);
    Some(if named.len() == many { named.into_iter().map(Some).collect() } else { vec![None; many] })
}

/// `one with its beak and two with its claws`: beak, claws, claws.
fn named(words: &[String], attacks: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut starts = (0..words.len()).filter(|at| words.get(*at).is_some_and(|word| number(word).is_some())).peekable();
    while let Some(start) = starts.next() {
        let part = words.get(start..starts.peek().copied().unwrap_or(words.len())).unwrap_or_default();
        let has = |name: &String| {
            let name = words_of(name);
            part.windows(name.len().max(1)).any(|own| own.iter().zip(&name).all(|(own, name)| is_of(own, name)))
        };
        let meant = attacks.iter().find(|name| has(name));
        let many = part.first().and_then(|word| number(word)).unwrap_or(0);
        found.extend(meant.into_iter().flat_map(|name| std::iter::repeat_n(name.clone(), many.min(ATTACKS_MAX))));
    }
    found
}

/// Whether both are one word, in the singular or the plural.
fn is_of(own: &str, name: &str) -> bool {
    own.trim_end_matches('s') == name.trim_end_matches('s')
}

fn words_of(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Numbers as stat blocks write them out: `makes two attacks`.
const NUMBERS: [&str; 10] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

fn number(word: &str) -> Option<usize> {
    let written = NUMBERS.iter().position(|number| *number == word).map(|at| at + 1);
    written.or_else(|| word.parse().ok())
}

/// How often the attack may be made, where its name or what it brings says so: `once a fight`, `3 a day`, `Fire breath (recharge 5-6)`.
pub fn uses(attack: &Attack) -> Option<Uses> {
    let text = attack.effect.as_deref().unwrap_or_default();
    [attack.name.as_str(), text].into_iter().find_map(uses_in)
}

fn uses_in(text: &str) -> Option<Uses> {
    let words = words_of(&text.replace('/', " per "));
    let is = |at: usize, all: &[&str]| words.get(at).is_some_and(|word| all.contains(&word.as_str()));
    (0..words.len()).find_map(|at| {
        let word = words.get(at)?;
        if word == "recharge" {
            let least = words.get(at + 1)?.parse().ok().filter(|least| (2..=6).contains(least))?;
            return Some(Uses::Recharge(least));
        }
        let many = match word.as_str() {
            "once" => 1,
            "twice" => 2,
            other => u32::try_from(number(other)?).ok()?,
        };
        let at = if is(at + 1, &["time", "times", "use", "uses"]) { at + 1 } else { at };
        (is(at + 1, &["a", "per", "each", "every"]) && is(at + 2, &PERIODS)).then_some(Uses::Few(many))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attacks() -> Vec<String> {
        ["Beak", "Claws", "Fire breath"].map(str::to_owned).to_vec()
    }

    #[test]
    fn several_attacks_are_read_from_the_words_of_stat_blocks() {
        let best = |many: usize| Some(vec![None; many]);
        let these = |names: &[&str]| Some(names.iter().map(|name| Some((*name).to_owned())).collect::<Vec<_>>());
        for (notes, found) in [
            (
                "Multiattack: The owlbear makes two attacks: one with its beak and one with its claws.",
                these(&["Beak", "Claws"]),
            ),
            (
                "Big.\nMultiattack. It makes three melee attacks: one with its beak and two with its claws",
                these(&["Beak", "Claws", "Claws"]),
            ),
            ("It makes three attacks with its claws.", these(&["Claws"; 3])),
            ("The level 5 bear makes two attacks.", best(2)),
            ("Attacks: 2 per round", best(2)),
            ("Multiattack: two claw attacks", these(&["Claws"; 2])),
            ("makes two attacks: one with its axe and one with its beak", best(2)),
            ("Two attacks each turn", best(2)),
            // Something else is said of them.
            ("In a fight: two strikes (the second at -5) and a shove", None),
            ("nips everybody standing in it: one attack on each, each round", None),
            ("It makes one attack.", None),
            ("After two attacks on it, it flees", None),
            ("Two hit dice, attacks on sight", None),
            ("makes 4000 attacks", None),
        ] {
            assert_eq!(attacks_a_turn(notes, &attacks()), found, "{notes}");
        }
    }

    #[test]
    fn how_often_an_attack_may_be_made_stands_in_its_words() {
        let attack = |name: &str, effect: &str| Attack {
            name: name.to_owned(),
            effect: Some(effect.to_owned()).filter(|text| !text.is_empty()),
            ..Attack::default()
        };
        for (name, effect, found) in [
            ("musket", "once a fight", Some(Uses::Few(1))),
            ("bomb (3 a day)", "", Some(Uses::Few(3))),
            ("bomb", "twice per scene, and it stuns", Some(Uses::Few(2))),
            ("net", "two times a day", Some(Uses::Few(2))),
            ("bolt", "1/day", Some(Uses::Few(1))),
            ("Fire breath (recharge 5-6)", "", Some(Uses::Recharge(5))),
            ("claw", "poisoned for 1 hour", None),
            ("claw", "once a round", None),
            ("claw", "one target", None),
            ("claw", "", None),
        ] {
            let own = attack(name, effect);
            assert_eq!(uses(&own), found, "{name}, {effect}");
        }
    }
}
