//! The text of a line: what sets its parts off, and numbers as people write them.

use rollbook_text::names::fold;

pub const SIGNS: [char; 4] = ['+', '-', '−', '–'];

pub const SEPARATORS: [char; 7] = [',', ';', '·', '•', '|', '\t', '/'];

pub fn skip(text: &str) -> &str {
    let text =
        text.trim_start_matches(|letter| SEPARATORS.contains(&letter) || " .".contains(letter));
    text.strip_prefix("and ").unwrap_or(text).trim_end()
}

/// Whether a text begins with a number.
pub fn begins_number(text: &str) -> bool {
    let text = text
        .strip_prefix(SIGNS)
        .or(text.strip_prefix(['d', 'D']))
        .unwrap_or(text);
    text.starts_with(|letter: char| letter.is_ascii_digit())
}

/// A line without the mark of a list.
pub fn item_text(line: &str) -> &str {
    let marks = ["- ", "* ", "+ "];
    marks
        .into_iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line)
        .trim()
}

/// `Label: value`, `**Label** value`, `**Label:** value`.
pub fn explicit_label(item: &str) -> Option<(String, &str)> {
    let bold = item
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"));
    let (label, value) = bold.or_else(|| item.split_once(':'))?;
    Some((label_text(label), value_start(value)))
}

/// Without emphasis; what begins in bold type begins apart.
pub fn plain(item: &str) -> String {
    let mut text = String::new();
    for (at, part) in item.split("**").enumerate() {
        let begins = at > 1 && at % 2 == 1 && part.starts_with(char::is_alphabetic);
        text.push_str(if begins { "\t" } else { "" });
        text.push_str(part);
    }
    text.replace(['*', '`'], "")
        .trim_matches('_')
        .trim()
        .to_owned()
}

pub fn note_text(label: &str, value: &str) -> String {
    let value = value_text(value);
    if label.is_empty() {
        value
    } else {
        format!("{label}: {value}")
    }
}

/// The value of a label, without what sets it off.
pub fn value_start(value: &str) -> &str {
    value.trim_start_matches(|letter: char| letter.is_whitespace() || ":=|.".contains(letter))
}

/// The number before or after a unit: `1/2 (100 XP)`, `5 (XP 1,800; PB +3)`, `1-1 (3hp)`.
pub fn number_beside(text: &str, unit: &str) -> Option<i64> {
    let folded = fold(text);
    let (before, after) = folded.split_once(unit)?;
    let before = before.rsplit(['(', ';']).next().and_then(first_number);
    before.or_else(|| after.split([';', ')']).next().and_then(first_number))
}

fn label_text(label: &str) -> String {
    without_emphasis(label.trim_end().trim_end_matches([':', '.']))
}

pub fn value_text(value: &str) -> String {
    without_emphasis(&value_start(value).replace('*', ""))
}

pub fn without_emphasis(text: &str) -> String {
    let text = text.replace("**", "");
    text.trim().trim_matches(['*', '_', '`']).trim().to_owned()
}

/// A number as people write it: `7 (2d6)`, `15/22`, `+3`, `d8`, `45%`, `10 (+0) +0 +2`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Number {
    pub value: i64,
    pub signed: bool,
    pub of: Option<i64>,
    /// In brackets.
    pub inner: Option<String>,
    /// The modifier and the save beside a score.
    pub others: Vec<i64>,
}

/// The number at the beginning of a text, and what is after it.
pub fn number_at(text: &str) -> Option<(Number, &str)> {
    let (sign, rest) = match text.chars().next()? {
        letter if SIGNS.contains(&letter) => (Some(letter), text.get(letter.len_utf8()..)?),
        'd' | 'D' => (None, text.get(1..)?),
        _ => (None, text),
    };
    let (digits, rest) = whole_number(rest)?;
    let negative = sign.is_some_and(|sign| sign != '+');
    let mut number = Number {
        value: if negative { -digits } else { digits },
        signed: sign.is_some(),
        ..Number::default()
    };
    let mut rest = rest.strip_prefix('%').unwrap_or(rest);
    let of = rest
        .trim_start()
        .strip_prefix('/')
        .and_then(|rest| whole_number(rest.trim_start()));
    if let Some((of, after)) = of {
        (number.of, rest) = (Some(of), after);
    }
    loop {
        let next = rest.trim_start_matches([' ', '|', '\t']);
        if let Some((inner, after)) = rest
            .trim_start()
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'))
        {
            number.inner =
                Some(number.inner.map_or(String::new(), |inner| inner + ", ") + inner.trim());
            rest = after;
        } else if let Some((other, after)) = next
            .strip_prefix(SIGNS)
            .filter(|_| next != rest && number.others.len() < 2)
            .and_then(whole_number)
            && !after.starts_with(char::is_alphanumeric)
        {
            number
                .others
                .push(if next.starts_with('+') { other } else { -other });
            rest = after;
        } else {
            break;
        }
    }
    let goes_on = rest.starts_with(|letter: char| {
        letter.is_alphanumeric() || SIGNS.contains(&letter) || "[({*×".contains(letter)
    }) || rest
        .strip_prefix(['.', ','])
        .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()));
    (!goes_on).then_some((number, rest))
}

/// Dice and modifiers: another way to write the number before it.
pub fn is_arithmetic(text: &str) -> bool {
    text.chars().all(|letter| {
        letter.is_ascii_digit() || SIGNS.contains(&letter) || " d/%,×*".contains(letter)
    })
}

/// The number that a text is, as people write it: `15`, `59 (7d8+28)`, `17 (natural)`.
pub fn whole_number_in(text: &str) -> Option<i64> {
    let (number, rest) = number_at(text.trim())?;
    (rest.is_empty() && number.of.is_none() && number.others.is_empty()).then_some(number.value)
}

/// The first whole number of a text: `7 (2d6)`, `+3`, `−1`, `1,024`.
pub fn first_number(text: &str) -> Option<i64> {
    let (before, rest) = text.split_at_checked(text.find(|c: char| c.is_ascii_digit())?)?;
    let (number, _) = whole_number(rest)?;
    Some(if before.ends_with(['-', '−', '–']) {
        -number
    } else {
        number
    })
}

/// `STR 12 (+1), DEX 12`, with a comma or not: names with numbers; `None` of anything else.
pub fn pairs(text: &str) -> Option<Vec<(String, Number)>> {
    let (mut all, mut rest) = (Vec::new(), skip(text));
    while !rest.is_empty() {
        let name = rest.get(..rest.find(|letter: char| letter.is_ascii_digit())?)?;
        // `Agility d8`: the die is the score.
        let die = name.strip_suffix(['d', 'D']);
        let name = die.filter(|name| name.ends_with(' ')).unwrap_or(name);
        let name = name.trim_end_matches(SIGNS);
        let (number, after) = number_at(rest.get(name.len()..)?)?;
        let name = name.trim_end_matches([' ', ':', '=']);
        // `Stealth +6, or +8`
        if name.is_empty() || name == "or" || number.of.is_some() {
            return None;
        }
        all.push((name.to_owned(), number));
        rest = skip(after);
    }
    (!all.is_empty()).then_some(all)
}

/// The number at the beginning of a text, with or without thousands separators, and the rest.
fn whole_number(text: &str) -> Option<(i64, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(text);
    let grouped = (1..=3).contains(&end);
    while let Some(group) = text
        .get(end..)
        .and_then(|rest| rest.strip_prefix(','))
        .filter(|_| grouped)
    {
        if digits(group) != 3 {
            break;
        }
        end += 4;
    }
    let (number, rest) = text.split_at_checked(end)?;
    Some((number.replace(',', "").parse().ok()?, rest))
}
