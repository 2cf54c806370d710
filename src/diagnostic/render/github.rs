//! Workflow commands, which GitHub shows beside the lines of a change.

use std::fmt::Write as _;

use crate::diagnostic::{Diagnostic, Severity, Sources};

/// One command a finding: `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=code::message`. `root` is put before the
/// names of files, which must be those of the repository.
pub fn github(diagnostics: &[Diagnostic], sources: &Sources, root: &str) -> String {
    let mut text = String::new();
    for found in diagnostics {
        let level = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let mut properties = Vec::new();
        if let Some(span) = found.span() {
            let (start, end) = (sources.place(span), sources.end(span));
            properties.push(format!("file={}", property(&format!("{root}{}", start.file))));
            properties.push(format!("line={},endLine={}", start.line, end.line));
            // Columns mean something on one line only.
            if start.line == end.line {
                properties.push(format!("col={},endColumn={}", start.column, end.column));
            }
        }
        properties.push(format!("title={}", property(found.code)));
        let mut message = found.message.clone();
        for more in found.notes.iter().chain(&found.help) {
            let _ = write!(message, "\n{more}");
        }
        let _ = writeln!(text, "::{level} {}::{}", properties.join(","), data(&message));
    }
    text
}

/// Escapes what would end the message.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes what would end a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{FileId, SourceFile, Span};

    #[test]
    fn a_command_a_finding_and_nothing_escapes_from_it() {
        let sources = Sources::new(vec![SourceFile::new("System.md", "one\ntwo three\n")]);
        let found = [
            Diagnostic::warning("area/kind", "50% of\n::error::it").at(Span::new(FileId(0), 8..13), "").help("do this"),
            Diagnostic::note("area/other", "no place"),
        ];
        assert_eq!(
            github(&found, &sources, "a,b:c/"),
            "::warning file=a%2Cb%3Ac/System.md,line=2,endLine=2,col=5,endColumn=10,title=area/kind::50%25 of%0A::error::it%0Ado this\n\
             ::notice title=area/other::no place\n"
        );
    }
}
