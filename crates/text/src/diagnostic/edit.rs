//! Carrying edits out on a text, and nothing else of it.

use super::Fix;

/// The text with the edits made, and how many were. An edit that overlaps one made before it, or
/// does not lie in the text, is left out: it is there again when the text is read anew.
pub fn edited<'f>(text: &str, edits: impl IntoIterator<Item = &'f Fix>) -> (String, usize) {
    let mut edits: Vec<&Fix> = edits.into_iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut out = String::with_capacity(text.len());
    let (mut at, mut made) = (0, 0);
    let mut last: Option<&Fix> = None;
    for edit in edits {
        let again = last.is_some_and(|last| last.span == edit.span);
        let (Some(between), Some(_)) = (text.get(at..edit.span.start), text.get(edit.span.bytes()))
        else {
            continue;
        };
        if again {
            continue;
        }
        out.push_str(between);
        out.push_str(&edit.replacement);
        at = edit.span.end;
        made += 1;
        last = Some(edit);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    (out, made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{FileId, Span};

    fn fix(range: std::ops::Range<usize>, replacement: &str) -> Fix {
        Fix {
            span: Span::new(FileId(0), range),
            replacement: replacement.to_owned(),
            message: String::new(),
        }
    }

    #[test]
    fn only_what_is_named_changes() {
        let text = "a\r\nbc é\tend";
        assert_eq!(
            edited(text, &[fix(6..8, "E"), fix(3..4, "B")]),
            ("a\r\nBc E\tend".to_owned(), 2)
        );
        assert_eq!(edited(text, &[]), (text.to_owned(), 0));
    }

    #[test]
    fn overlaps_and_broken_places_are_left_out() {
        let edits = [
            fix(0..3, "x"),
            fix(2..4, "y"),
            fix(0..3, "z"),
            fix(5..99, "w"),
        ];
        assert_eq!(edited("abcdef", &edits), ("xdef".to_owned(), 1));
        assert_eq!(edited("é", &[fix(1..2, "e")]), ("é".to_owned(), 0));
        assert_eq!(
            edited("ab", &[fix(1..1, "-"), fix(1..1, "-")]),
            ("a-b".to_owned(), 1)
        );
    }
}
