//! Names in a sheet: what would end a cell, a label or an item of a list has a `\` in front.

/// The name as it stands in a sheet.
pub fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        if matches!(letter, '\\' | '|' | '*' | ',') {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

/// The pieces between separators that have no `\` in front, each without its backslashes.
pub fn pieces(text: &str, separator: char) -> Vec<String> {
    fields(text, separator, None).into_iter().map(|fields| fields.concat()).collect()
}

/// The same, each piece cut again at `inner`.
pub fn fields(text: &str, separator: char, inner: Option<char>) -> Vec<Vec<String>> {
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
            // A line end within a cell, as it is written there.
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
