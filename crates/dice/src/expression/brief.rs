//! Notation for people: dice whose faces are listed and that carry a name are called by it.

/// Canonical text with `2 Boost` in the place of `2d{-,S,SA}[Boost]`, and `3 Cards` of `3d{2..14H,J}unique[Cards]`; all else is as it was.
/// What people roll by such a name is read again only where the rules have dice of it.
pub fn brief(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, named)) = rest.match_indices("d{").find_map(|(at, _)| Some((at, named(rest.get(at..)?)?))) {
        let before = rest.get(..at).unwrap_or_default();
        out.push_str(before);
        out.push_str(if before.is_empty() || before.ends_with([' ', '(']) { "" } else { " " });
        out.push_str(named.name);
        out.push_str(&named.modifiers);
        rest = rest.get(at + named.length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

struct Named<'t> {
    name: &'t str,
    /// What is done with the dice, without what makes them a deck.
    modifiers: String,
    length: usize,
}

/// The dice at the beginning of a text; none where they have no list of faces, or no name.
fn named(text: &str) -> Option<Named<'_>> {
    let (faces, after) = text.strip_prefix("d{")?.split_once('}')?;
    if !(faces.contains(',') || faces.contains("..")) || faces.contains('{') {
        return None;
    }
    let (modifiers, after) = after.split_once('[')?;
    if modifiers.contains(|char: char| char.is_whitespace() || "+-*/),{}#".contains(char)) {
        return None;
    }
    let (name, after) = after.split_once(']')?;
    let modifiers = modifiers.replacen("unique", "", 1);
    Some(Named { name, modifiers, length: text.len() - after.len() })
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn dice_with_a_list_of_faces_are_called_by_their_name() {
        for (text, shown) in [
            ("2d{-,S,SA}[Boost] + 1d6", "2 Boost + 1d6"),
            ("{n}d{2..14H,J,J}uniquekh1[Cards][mine]", "{n} Cardskh1[mine]"),
            ("(1 + {n})d{0,1,1}!=1[Fuel] - 1d6[red]", "(1 + {n}) Fuel!=1 - 1d6[red]"),
            ("2d{-,S,SA} + 1d6[Boost]", "2d{-,S,SA} + 1d6[Boost]"),
            ("1d{trait}[own]", "1d{trait}[own]"),
            ("1d{-,S} + {2d6, 1d8}kh1[best]", "1d{-,S} + {2d6, 1d8}kh1[best]"),
        ] {
            assert_eq!(brief(text), shown, "{text}");
        }
    }
}
