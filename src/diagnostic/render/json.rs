//! For programs: every finding whole, places as lines and columns and as bytes.

use serde_json::{Value, json};

use crate::diagnostic::{Applies, Diagnostic, Fix, Severity, Sources, Span};

/// `{version, errors, warnings, notes, diagnostics: [{code, severity, message, file, line, column, end_line, end_column,
/// labels, notes, help, fix}]}`. Lines and columns count from 1, columns in characters; `bytes` are `[start, end)`. `root`
/// is put before the names of files.
pub fn json(diagnostics: &[Diagnostic], sources: &Sources, root: &str) -> String {
    let of = |severity| diagnostics.iter().filter(|found| found.severity == severity).count();
    let value = json!({
        "version": 1,
        "errors": of(Severity::Error),
        "warnings": of(Severity::Warning),
        "notes": of(Severity::Note),
        "diagnostics": diagnostics.iter().map(|found| one(found, sources, root)).collect::<Vec<Value>>(),
    });
    format!("{value:#}\n")
}

fn one(found: &Diagnostic, sources: &Sources, root: &str) -> Value {
    let mut value = found.span().map_or_else(|| json!({}), |span| place(span, sources, root));
    let labels = found.labels.iter().map(|label| {
        let mut value = place(label.span, sources, root);
        value["text"] = json!(label.text);
        value["primary"] = json!(label.primary);
        value
    });
    value["code"] = json!(found.code);
    value["severity"] = json!(found.severity);
    value["message"] = json!(found.message);
    value["labels"] = labels.collect();
    value["notes"] = json!(found.notes);
    value["help"] = json!(found.help);
    value["fix"] = found.fix.as_ref().map_or(Value::Null, |fix| self::fix(fix, found.applies, sources, root));
    value
}

fn fix(fix: &Fix, applies: Applies, sources: &Sources, root: &str) -> Value {
    let mut value = place(fix.span, sources, root);
    value["replacement"] = json!(fix.replacement);
    value["message"] = json!(fix.message);
    value["sure"] = json!(applies == Applies::Surely);
    value
}

fn place(span: Span, sources: &Sources, root: &str) -> Value {
    let (start, end) = (sources.place(span), sources.end(span));
    json!({
        "file": format!("{root}{}", start.file),
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "bytes": [span.start, span.end],
    })
}
