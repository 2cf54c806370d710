//! How a text of somebody's own stands in a sentence.

/// A text on one line, with an end.
pub(super) fn as_sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = line
        .trim_end_matches(['"', '\'', '”', '’', '»', ')', '*', '_'])
        .ends_with(['.', '!', '?', '…', ':', '。', '！', '？']);
    if ends { line } else { line + "." }
}

/// Text in brackets behind a sentence.
pub fn in_brackets(words: Option<&str>) -> String {
    words.map_or(String::new(), |words| format!(" ({})", words.trim_end_matches('.')))
}
