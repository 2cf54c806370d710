//! One line each, for editors, pipes and people who use `grep`.

use std::fmt::Write;

use crate::diagnostic::{Diagnostic, Sources};

/// One line each: `System.md:31:5: warning[skills/unknown-attribute]: message (help)`.
///
/// Line breaks inside a message become spaces, so that a line is always a finding.
pub fn plain(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let mut line = String::new();
        if let Some(span) = diagnostic.span() {
            let _ = write!(line, "{}: ", sources.place(span).full());
        }
        let _ = write!(
            line,
            "{}[{}]: {}",
            diagnostic.severity, diagnostic.code, diagnostic.message
        );
        if !diagnostic.help.is_empty() {
            let _ = write!(line, " ({})", diagnostic.help.join("; "));
        }
        text.push_str(&line.replace(['\n', '\r'], " "));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{FileId, SourceFile, Span};

    #[test]
    fn a_line_is_a_finding() {
        let sources = Sources::new(vec![SourceFile::new("System.md", "one\ntwo three\n")]);
        let found = [
            Diagnostic::warning("area/kind", "what\nis wrong")
                .at(Span::new(FileId(0), 8..13), "here")
                .help("do this"),
            Diagnostic::error("area/other", "no place"),
        ];
        assert_eq!(
            plain(&found, &sources),
            "System.md:2:5: warning[area/kind]: what is wrong (do this)\nerror[area/other]: no place\n"
        );
    }
}
