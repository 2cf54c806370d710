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
    let mut all = vec![String::new()];
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let Some(last) = all.last_mut() else { break };
        match letter {
            // A line end within a cell, as it is written there.
            '\\' => match letters.next() {
                Some('n') => last.push('\n'),
                Some(escaped) => last.push(escaped),
                None => last.push('\\'),
            },
            letter if letter == separator => all.push(String::new()),
            letter => last.push(letter),
        }
    }
    all
}
