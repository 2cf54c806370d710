//! For programs: every finding whole, places as lines and columns and as bytes.

use serde_json::{Map, Value, json};

use crate::diagnostic::{Applies, Diagnostic, Fix, Severity, Sources, Span};

/// `{version, errors, warnings, notes, diagnostics: [{code, severity, message, file, line, column, end_line, end_column, labels, notes, help, fix}]}`.
/// Lines and columns count from 1, columns in characters; `bytes` are `[start, end)`. `root` is put
/// before the names of files.
pub fn json(diagnostics: &[Diagnostic], sources: &Sources, root: &str) -> String {
    let number = |severity| {
        diagnostics
            .iter()
            .filter(|found| found.severity == severity)
            .count()
    };
    let value = json!({
        "version": 1,
        "errors": number(Severity::Error),
        "warnings": number(Severity::Warning),
        "notes": number(Severity::Note),
        "diagnostics": diagnostics.iter().map(|found| one(found, sources, root)).collect::<Vec<Value>>(),
    });
    format!("{value:#}\n")
}

fn one(found: &Diagnostic, sources: &Sources, root: &str) -> Value {
    let labels = found.labels.iter().map(|label| {
        let fields = [
            ("text", json!(label.text)),
            ("primary", json!(label.primary)),
        ];
        Value::Object(with(place(label.span, sources, root), fields))
    });
    let fields = [
        ("code", json!(found.code)),
        ("severity", json!(found.severity)),
        ("message", json!(found.message)),
        ("labels", labels.collect()),
        ("notes", json!(found.notes)),
        ("help", json!(found.help)),
        (
            "fix",
            found.fix.as_ref().map_or(Value::Null, |fix| {
                self::fix(fix, found.applies, sources, root)
            }),
        ),
    ];
    let place = found
        .span()
        .map(|span| place(span, sources, root))
        .unwrap_or_default();
    Value::Object(with(place, fields))
}

fn fix(fix: &Fix, applies: Applies, sources: &Sources, root: &str) -> Value {
    let fields = [
        ("replacement", json!(fix.replacement)),
        ("message", json!(fix.message)),
        ("sure", json!(applies == Applies::Surely)),
    ];
    Value::Object(with(place(fix.span, sources, root), fields))
}

fn place(span: Span, sources: &Sources, root: &str) -> Map<String, Value> {
    let (start, end) = (sources.place(span), sources.end(span));
    let fields = [
        ("file", json!(format!("{root}{}", start.file))),
        ("line", json!(start.line)),
        ("column", json!(start.column)),
        ("end_line", json!(end.line)),
        ("end_column", json!(end.column)),
        ("bytes", json!([span.start, span.end])),
    ];
    with(Map::new(), fields)
}

fn with<const N: usize>(
    mut object: Map<String, Value>,
    fields: [(&str, Value); N],
) -> Map<String, Value> {
    object.extend(fields.map(|(name, value)| (name.to_owned(), value)));
    object
}
