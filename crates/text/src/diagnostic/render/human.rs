//! As rustc draws them, for a person at a terminal.

use std::ops::Range;

use annotate_snippets::{
    AnnotationKind, Group, Level, Patch, Renderer, Snippet, normalize_untrusted_str,
};

use crate::diagnostic::{Diagnostic, FileId, Fix, Label, Severity, Sources, Span};

/// Bytes of the author's text drawn for one finding; beyond it only the place is named, not the
/// text.
const DRAWN_BYTES_MAX: usize = 16 * 1024;

/// Every finding with the author's own lines and what there is to say about them, a blank line
/// between two.
///
/// With `colour` the text holds ANSI codes; whether the terminal wants them is for the caller to
/// know.
pub fn human(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = String::new();
    for diagnostic in diagnostics {
        if !text.is_empty() {
            text.push('\n');
        }
        let drawn = renderer.render(&groups(diagnostic, sources));
        text.push_str(drawn.trim_end_matches('\n'));
        text.push('\n');
    }
    text
}

fn groups<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code);
    let mut main = Group::with_title(title);
    for (file, labels) in by_file(&diagnostic.labels) {
        match window(sources, file, &labels) {
            Window::Drawn {
                name,
                text,
                line,
                base,
            } => {
                let marks = labels.iter().map(|label| {
                    let kind = if label.primary {
                        AnnotationKind::Primary
                    } else {
                        AnnotationKind::Context
                    };
                    let mark = kind.span(within(label.span, base, text));
                    if label.text.is_empty() {
                        mark
                    } else {
                        mark.label(label.text.as_str())
                    }
                });
                main = main.element(
                    Snippet::source(text)
                        .path(name)
                        .line_start(line)
                        .annotations(marks),
                );
            }
            Window::TooLong { place } => {
                main = main.element(
                    Level::NOTE.message(format!("at {place}, in a line too long to be shown")),
                );
            }
            Window::Nowhere => {}
        }
    }
    for note in &diagnostic.notes {
        main = main.element(Level::NOTE.message(note.as_str()));
    }
    for help in &diagnostic.help {
        main = main.element(Level::HELP.message(help.as_str()));
    }
    let mut groups = vec![main];
    groups.extend(diagnostic.fix.as_ref().and_then(|fix| patch(fix, sources)));
    groups
}

fn patch<'a>(fix: &'a Fix, sources: &'a Sources) -> Option<Group<'a>> {
    let label = Label {
        span: fix.span,
        text: String::new(),
        primary: true,
    };
    let Window::Drawn {
        name,
        text,
        line,
        base,
    } = window(sources, fix.span.file, &[&label])
    else {
        return None;
    };
    let patch = Patch::new(within(fix.span, base, text), fix.replacement.as_str());
    let snippet = Snippet::source(text)
        .path(name)
        .line_start(line)
        .patch(patch);
    Some(
        Group::with_title(Level::HELP.secondary_title(normalize_untrusted_str(&fix.message)))
            .element(snippet),
    )
}

/// What is drawn of a file.
enum Window<'a> {
    Drawn {
        name: &'a str,
        text: &'a str,
        line: usize,
        base: usize,
    },
    TooLong {
        place: String,
    },
    Nowhere,
}

/// The lines from the first label to the last. The renderer is given no more than it draws, so that
/// a finding in a large file costs what a finding in a small one costs.
fn window<'a>(sources: &'a Sources, file: FileId, labels: &[&Label]) -> Window<'a> {
    let start = labels
        .iter()
        .map(|label| label.span.start)
        .min()
        .unwrap_or(0);
    let end = labels
        .iter()
        .map(|label| label.span.end)
        .max()
        .unwrap_or(0)
        .max(start);
    let (Some(source), Some((line, first)), Some((_, last))) = (
        sources.get(file),
        sources.line_at(file, start),
        sources.line_at(file, end.saturating_sub(usize::from(end > start))),
    ) else {
        return Window::Nowhere;
    };
    match source.text.get(first.start..last.end) {
        Some(text) if text.len() <= DRAWN_BYTES_MAX => Window::Drawn {
            name: &source.name,
            text,
            line,
            base: first.start,
        },
        _ => Window::TooLong {
            place: sources.place(Span::new(file, start..end)).full(),
        },
    }
}

/// A span as bytes of the text shown, on character boundaries.
fn within(span: Span, base: usize, text: &str) -> Range<usize> {
    let start = text.floor_char_boundary(span.start.saturating_sub(base).min(text.len()));
    let end = text.ceil_char_boundary(span.end.saturating_sub(base).min(text.len()));
    start..end.max(start)
}

/// The labels of each file, the file of the first label first.
fn by_file(labels: &[Label]) -> Vec<(FileId, Vec<&Label>)> {
    let mut files: Vec<(FileId, Vec<&Label>)> = Vec::new();
    for label in labels {
        match files.iter_mut().find(|(file, _)| *file == label.span.file) {
            Some((_, labels)) => labels.push(label),
            None => files.push((label.span.file, vec![label])),
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::SourceFile;

    #[test]
    fn the_line_is_drawn_with_its_labels_and_its_fix() {
        let text = "## Skills\n\n- Athletics (STR)\n- Swimming (STG): é water\n";
        let sources = Sources::new(vec![SourceFile::new("System.md", text)]);
        let at = |word: &str| {
            let start = text.find(word).unwrap_or_default();
            Span::new(FileId(0), start..start + word.len())
        };
        let found = Diagnostic::warning("skills/unknown-attribute", "no attribute is called STG")
            .at(at("STG"), "not declared")
            .and(at("STR"), "this one is")
            .because("the skill counts as its bonus alone")
            .help("declare STG under Attributes, or link another")
            .fix(Fix {
                span: at("STG"),
                replacement: "STR".into(),
                message: "link STR".into(),
            });
        insta::assert_snapshot!(human(&[found], &sources, false));
    }

    #[test]
    fn a_line_too_long_is_named_and_not_drawn() {
        let text = "x".repeat(100_000);
        let sources = Sources::new(vec![SourceFile::new("System.md", text)]);
        let found = Diagnostic::error("a/b", "wrong").at(Span::new(FileId(0), 9..10), "here");
        assert!(human(&[found], &sources, true).len() < 1_000);
    }

    #[test]
    fn a_finding_without_a_place_is_a_line() {
        let found = Diagnostic::error("a/b", "wrong");
        assert_eq!(
            human(&[found], &Sources::default(), false),
            "error[a/b]: wrong\n"
        );
    }
}
