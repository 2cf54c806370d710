//! The block of settings that some editors keep at the head of a Markdown file.

/// How many bytes at the head are not Markdown: a byte order mark, and a block between `---` lines, which some tools add. As Markdown
/// the block would be a heading.
pub fn head_length(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let body = text.get(mark..).unwrap_or_default();
    let mut lines = body.split_inclusive('\n');
    let mut length = match lines.next() {
        Some(first) if first.trim_end() == "---" => first.len(),
        _ => return mark,
    };
    for line in lines {
        length += line.len();
        match line.trim_end() {
            // A blank line: the first line was a thematic break.
            "" => return mark,
            "---" | "..." => return mark + length,
            _ => {}
        }
    }
    mark
}

#[cfg(test)]
mod tests {
    use super::head_length;

    #[test]
    fn settings_are_skipped_and_rules_are_not() {
        assert_eq!(head_length("---\ntitle: x\n---\n# A\n"), 17);
        assert_eq!(head_length("\u{feff}# A\n"), 3);
        assert_eq!(head_length("---\n\n## Dice\n---\n"), 0);
        assert_eq!(head_length("---\nnever closed"), 0);
        assert_eq!(head_length(""), 0);
    }
}
