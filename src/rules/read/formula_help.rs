//! What to write instead of an expression that cannot be read, where the author's words tell what is meant.

use super::plain;

/// Words that compare a roll with something, which is another bullet's business.
const COMPARING: [&str; 7] = [" under ", " vs ", " vs. ", " versus ", " against ", " at most ", " or under "];
/// Numbers that people write out.
const WORDS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// What to write instead; none when nobody knows. `source` is the same with its markup, where Markdown may have taken a
/// `<name>` for HTML.
pub fn instead(words: &str, source: &str) -> Option<String> {
    let lower = format!(" {} ", words.trim().to_ascii_lowercase());
    if let Some(word) = COMPARING.iter().find(|word| lower.contains(**word)) {
        let low = matches!(word.trim(), "under" | "at most" | "or under");
        let succeed = if low { ", and - Succeed: at most the target" } else { "" };
        return Some(format!("what it is compared with is a bullet of its own: - Target: `12`{succeed}"));
    }
    if let Some(name) = between(words, '[', ']').or_else(|| between(source, '<', '>')) {
        return Some(format!("what varies stands in braces: `{{{name}}}`"));
    }
    if let Some(number) = lower.trim().strip_suffix('+').or_else(|| lower.trim().strip_prefix(">=")) {
        let number = number.trim();
        return is_number(number).then(|| format!("write the number alone: `{number}`"));
    }
    if let Some(at) = WORDS.iter().position(|word| *word == lower.trim()) {
        return Some(format!("write `{}`", at + 1));
    }
    if ["dc", "tn", "difficulty", "the difficulty", "target number"].contains(&lower.trim()) {
        return Some("write `{difficulty}`: each call gives it".to_owned());
    }
    german_dice(words)
}

/// `2W6` and `1D20`-like letters of other languages: `2T6`, `2t6`.
fn german_dice(words: &str) -> Option<String> {
    let dice: String =
        words.chars().map(|letter| if matches!(letter, 'W' | 'w' | 'T' | 't') { 'd' } else { letter }).collect();
    let at = plain::dice_mentions(&dice).find(|at| words.get(at.clone()) != dice.get(at.clone()))?;
    Some(format!("dice are written with a d: `{}`", dice.get(at)?))
}

fn between(words: &str, open: char, close: char) -> Option<&str> {
    let inner = words.split_once(open)?.1.split_once(close)?.0.trim();
    (!inner.is_empty() && inner.chars().all(|letter| letter.is_alphanumeric() || letter == ' ')).then_some(inner)
}

fn is_number(words: &str) -> bool {
    !words.is_empty() && words.chars().all(|letter| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::instead;

    #[test]
    fn what_is_meant_is_told() {
        for (written, told) in [
            ("3d6 under STR", "- Succeed: at most the target"),
            ("1d20 vs AC", "- Target: `12`"),
            ("2d6 + [stat]", "`{stat}`"),
            ("8+", "`8`"),
            (">= 8", "`8`"),
            ("eight", "`8`"),
            ("DC", "`{difficulty}`"),
            ("2W6", "`2d6`"),
        ] {
            let help = instead(written, written);
            assert!(help.as_ref().is_some_and(|help| help.contains(told)), "{written}: {help:?}");
        }
        assert!(instead("2d6 + ", "2d6 + <stat>").is_some_and(|help| help.contains("`{stat}`")));
        for unknown in ["hard to say", "", "1d20 + + {modifier", "many+"] {
            assert_eq!(instead(unknown, unknown), None, "{unknown}");
        }
    }
}
