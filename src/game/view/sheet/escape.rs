//! Names in a sheet: characters that would end a cell, a label or a list item are escaped with `\`.

/// The name as it is written in a sheet.
pub fn escape(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        if matches!(letter, '\\' | '|' | '*' | ',') {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

/// Splits at separators that are not escaped, and unescapes the pieces.
pub fn split(text: &str, separator: char) -> Vec<String> {
    split_nested(text, separator, None).into_iter().map(|fields| fields.concat()).collect()
}

/// The same, with each piece split again at `inner`.
pub fn split_nested(text: &str, separator: char, inner: Option<char>) -> Vec<Vec<String>> {
    let mut all = vec![vec![String::new()]];
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let Some(fields) = all.last_mut() else { break };
        if letter == separator {
            all.push(vec![String::new()]);
            continue;
        }
        if Some(letter) == inner {
            fields.push(String::new());
            continue;
        }
        let letter = match letter {
            // A line end within a cell.
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some(escaped) => escaped,
                None => '\\',
            },
            letter => letter,
        };
        if let Some(last) = fields.last_mut() {
            last.push(letter);
        }
    }
    all
}
