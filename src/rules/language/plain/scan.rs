//! Signs, words and gaps at a place in a text: what every reader of prose here steps over.

/// The sign that stands here or is written as a word, and where it ends.
pub fn operator(words: &str, at: usize) -> Option<(usize, &'static str)> {
    let rest = words.get(at..)?;
    let sign = match rest.chars().next()? {
        '+' => "+",
        '-' | '\u{2212}' | '\u{2013}' => "-",
        '*' | '×' => "*",
        '/' | '÷' => "/",
        _ => {
            let named = [("plus", "+"), ("minus", "-"), ("times", "*"), ("x", "*")];
            return named.into_iter().find_map(|(word, sign)| Some((word_at(words, at, word)?, sign)));
        }
    };
    Some((at + rest.chars().next()?.len_utf8(), sign))
}

/// Where this word ends when it stands here, in any case.
pub fn word_at(words: &str, at: usize, word: &str) -> Option<usize> {
    let end = at + word.len();
    let written = words.get(at..end)?;
    let glued = words.get(end..)?.chars().next().is_some_and(char::is_alphanumeric);
    (written.eq_ignore_ascii_case(word) && !glued).then_some(end)
}

/// Where the next word begins.
pub fn skip_space(words: &str, at: usize) -> usize {
    let rest = words.get(at..).unwrap_or_default();
    at + (rest.len() - rest.trim_start().len())
}
