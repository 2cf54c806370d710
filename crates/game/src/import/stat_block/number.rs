//! Numbers in a block, and the names in front of them.

/// The first whole number of a text: `7 (2d6)`, `+3`, `−1`, `1,024`.
pub fn first_number(text: &str) -> Option<i64> {
    let at = text.find(|c: char| c.is_ascii_digit())?;
    let (before, rest) = text.split_at_checked(at)?;
    let (number, _) = whole_number(rest)?;
    Some(if before.ends_with(['-', '−']) { -number } else { number })
}

/// `STR 12 (+1), DEX 12` or the same without a comma: every name with its number. `None` where the text is anything else.
pub fn pairs(text: &str, is_known: impl Fn(&str) -> bool) -> Option<Vec<(String, i64)>> {
    let mut pairs = Vec::new();
    let mut rest = skip_separators(text);
    while !rest.is_empty() {
        let at = rest.find(|c: char| c.is_ascii_digit())?;
        let (name, number) = rest.split_at_checked(at)?;
        let (number, behind) = whole_number(number)?;
        let sign = if name.ends_with(['-', '−']) { -1 } else { 1 };
        let name = name.trim_end_matches(['+', '-', '−']).trim_end().trim_end_matches([':', '=']).trim_end();
        // `Agility d8`: the die is the score.
        let name = name.strip_suffix(" d").filter(|name| is_known(name)).unwrap_or(name);
        if name.is_empty() || !is_known(name) {
            return None;
        }
        pairs.push((name.to_owned(), sign * number));
        rest = skip_separators(skip_brackets(behind));
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// The numbers of a line with nothing else: `16 (+3) 13 (+1)`.
pub fn numbers(text: &str) -> Option<Vec<i64>> {
    let mut all = Vec::new();
    let mut rest = skip_separators(text);
    while !rest.is_empty() {
        let (number, behind) = whole_number(rest)?;
        all.push(number);
        rest = skip_separators(skip_brackets(behind));
    }
    (!all.is_empty()).then_some(all)
}

/// The number at the beginning of a text, with or without thousands separators, and the rest.
fn whole_number(text: &str) -> Option<(i64, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(text);
    let grouped = (1..=3).contains(&end);
    while let Some(group) = text.get(end..).and_then(|rest| rest.strip_prefix(',')).filter(|_| grouped) {
        if digits(group) != 3 {
            break;
        }
        end += 4;
    }
    let (number, rest) = text.split_at_checked(end)?;
    Some((number.replace(',', "").parse().ok()?, rest))
}

/// Skips brackets at the beginning of a text: ` (+3)`.
fn skip_brackets(text: &str) -> &str {
    let inner = text.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    inner.map_or(text, |(_, rest)| rest)
}

/// Skips list separators.
fn skip_separators(text: &str) -> &str {
    text.trim_start_matches([',', ';', '/', '|', '.', '%', ' ', '\t']).trim_end()
}

#[cfg(test)]
mod tests {
    use super::{first_number, numbers, pairs};

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let read = ["7 (2d6)", "+3", "-1", "−2", "1,024 (50d20)", "12, 14", "about 1,02", "none"].map(first_number);
        assert_eq!(read, [Some(7), Some(3), Some(-1), Some(-2), Some(1024), Some(12), Some(1), None]);
        assert_eq!(numbers("16 (+3) 13 (+1)"), Some(vec![16, 13]));
        assert_eq!(numbers("16 ft."), None);
    }

    #[test]
    fn names_stand_before_their_numbers() {
        let own = |text| pairs(text, |name| ["STR", "Dex", "Animal Handling"].contains(&name));
        let two = |a: i64, b: i64| Some(vec![("STR".to_owned(), a), ("Dex".to_owned(), b)]);
        assert_eq!(own("STR 12 (+1), Dex 9 (−1)"), two(12, 9));
        assert_eq!(own("STR 12 (+1) Dex 9 (−1)"), two(12, 9));
        assert_eq!(own("STR +1; Dex: -2"), two(1, -2));
        assert_eq!(own("STR d12, Dex d6"), two(12, 6));
        assert_eq!(own("Animal Handling +4"), Some(vec![("Animal Handling".to_owned(), 4)]));
        for other in ["", "STR", "STR 12 and Dex 9", "Luck 3", "STR 2d6", "12"] {
            assert_eq!(own(other), None, "{other}");
        }
    }
}
