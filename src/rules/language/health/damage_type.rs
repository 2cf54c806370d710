//! The types of damage that something is against, by its name: `Fire resistance`, `Resistance (fire)`.

use crate::names::{fold, same};

/// Names of what is against a type of damage, each as it begins: `Fire resistance` is against fire, `Leather armour` is no such thing.
const BY_TYPE: [&str; 4] = ["resistance", "vulnerabilit", "immunit", "weakness"];
/// What a word begins with that sounds like one of these, `resistant`, whatever is before it.
const STEMS: [&str; 5] = ["resist", "vulnerab", "immun", "weakness", "weak against"];
/// Words in the place of a type that name none.
const ANY_TYPE: [&str; 4] = ["damage", "all", "any", "every"];

/// A name without the types of damage in it, and these: `Resistance (fire, cold)`, `Resistance to fire and cold`, `Fire resistance`.
pub fn by_type(name: &str) -> (&str, Vec<&str>) {
    let name = name.trim();
    if let Some((noun, types)) = name.split_once('(') {
        return (noun.trim_end(), types_in(types.trim_end().trim_end_matches(')')));
    }
    let is_against = |noun: &str| {
        let last = fold(noun.rsplit([' ', '-']).next().unwrap_or(noun));
        BY_TYPE.iter().any(|word| last.starts_with(word))
    };
    let behind = [" to ", " against ", " of "].iter().find_map(|word| name.split_once(word));
    let found = behind.or_else(|| name.rsplit_once([' ', '-']).map(|(types, noun)| (noun, types)));
    // "Impaling damage" is all damage of that type.
    let (kinds, last) = name.rsplit_once(' ').unwrap_or(("", name));
    if behind.is_none() && same(last, "damage") && !types_in(kinds).is_empty() {
        return (last, types_in(kinds));
    }
    match found.map(|(noun, types)| (noun, types_in(types))) {
        Some((noun, types)) if is_against(noun) => match types.is_empty() {
            true => (name, types),
            false => (noun, types),
        },
        Some(_) | None => (name, Vec::new()),
    }
}

/// Whether a name is that of a type of damage itself: `Impaling damage`.
pub(super) fn is_type_of_damage(name: &str) -> bool {
    let (noun, types) = by_type(name);
    same(noun, "damage") && !types.is_empty()
}

/// `fire`, `fire and cold damage`, `fire, cold or acid`.
pub(super) fn types_in(words: &str) -> Vec<&str> {
    let parts = words.split([',', '/']).flat_map(|part| part.split(" and ")).flat_map(|part| part.split(" or "));
    let types = parts.flat_map(|part| match part.trim().rsplit_once(' ') {
        Some((kind, last)) if same(last, "damage") => vec![kind.trim()],
        Some(_) | None => vec![part.trim()],
    });
    types.filter(|part| !part.is_empty() && !is_any(part)).collect()
}

/// Whether a word stands in the place of a type and names none.
fn is_any(word: &str) -> bool {
    ANY_TYPE.contains(&fold(word).as_str())
}

/// What a name is: `immunity` for `Fire immunity`.
pub fn ours(name: &str) -> Option<&'static str> {
    let noun = fold(by_type(name).0);
    let own = ["resistance", "vulnerability", "immunity", "weakness"].into_iter().zip(BY_TYPE);
    own.into_iter().find(|(_, word)| noun.starts_with(word)).map(|(ours, _)| ours)
}

/// Whether a name sounds as if it were against a type of damage, and does not say which in a way that is read: `Fire resistant`.
pub fn unclear(name: &str) -> bool {
    let folded = fold(name);
    let stem = |word: &str| STEMS.iter().find_map(|stem| word.find(stem));
    let (mut sounds, mut says_more) = (false, false);
    for word in folded.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let before = match stem(word) {
            Some(at) => {
                sounds = true;
                word.get(..at).unwrap_or_default()
            }
            None => word,
        };
        let filler = ["to", "against", "the"].contains(&before) || is_any(before);
        says_more |= !before.is_empty() && !filler;
    }
    sounds && says_more && by_type(name).1.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_which_damage_it_is_against() {
        for (name, noun, types) in [
            ("Resistance (fire, cold)", "Resistance", &["fire", "cold"][..]),
            ("Fire resistance", "resistance", &["Fire"]),
            ("fire-resistance", "resistance", &["fire"]),
            ("Resistance to fire and cold damage", "Resistance", &["fire", "cold"]),
            ("Cold and fire damage immunity", "immunity", &["Cold", "fire"]),
            ("Resistance of fire", "Resistance", &["fire"]),
            ("Weakness against silver", "Weakness", &["silver"]),
            ("Vulnerabilities", "Vulnerabilities", &[]),
            ("Damage resistance", "Damage resistance", &[]),
            ("Resistance to all damage", "Resistance to all damage", &[]),
            ("Armour (cold)", "Armour", &["cold"]),
            ("Leather armour", "Leather armour", &[]),
            ("Damage reduction", "Damage reduction", &[]),
            ("Impaling damage", "damage", &["Impaling"]),
            ("All damage", "All damage", &[]),
        ] {
            assert_eq!(by_type(name), (noun, types.to_vec()), "{name}");
        }
    }

    #[test]
    fn a_name_that_does_not_say_which_is_unclear() {
        for name in ["Fire resistant", "Fir resistence"] {
            assert!(unclear(name), "{name}");
        }
        for name in [
            "Resistance",
            "Damage resistance",
            "Resistance to all damage",
            "Fire resistance",
            "Leather armour",
            "Rage",
            "Resistances",
        ] {
            assert!(!unclear(name), "{name}");
        }
    }

    #[test]
    fn lists_of_types_are_split() {
        assert_eq!(by_type("Panzer (Feuer, Kälte)").1, ["Feuer", "Kälte"]);
        assert_eq!(by_type("Resistance (all)").1, Vec::<&str>::new());
        assert_eq!(ours("Fire immunity"), Some("immunity"));
    }
}
