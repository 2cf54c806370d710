//! SARIF 2.1.0, the format that code-scanning services read.

use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, Fix, Label, Severity, Sources, Span};

/// One run with every finding as a result: where it is, what else is to be looked at, and the edit that mends it. `root` is
/// put before the names of files; `about` says in a sentence what a code means.
pub fn sarif(diagnostics: &[Diagnostic], sources: &Sources, root: &str, about: fn(&str) -> Option<String>) -> String {
    let mut codes: Vec<&str> = diagnostics.iter().map(|found| found.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules = codes.iter().map(|code| match about(code) {
        Some(text) => json!({"id": code, "shortDescription": {"text": text}}),
        None => json!({"id": code}),
    });
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "rollbook",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.collect::<Vec<Value>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": diagnostics.iter().map(|found| result(found, sources, root, &codes)).collect::<Vec<Value>>(),
        }],
    });
    format!("{log:#}\n")
}

fn result(found: &Diagnostic, sources: &Sources, root: &str, codes: &[&str]) -> Value {
    let level = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let more = found.notes.iter().chain(&found.help).map(|text| format!("\n{text}"));
    let text = format!("{}{}", found.message, more.collect::<String>());
    let location = |label: &Label| {
        let place = json!({
            "artifactLocation": {"uri": uri(label.span, sources, root)},
            "region": region(label.span, sources),
        });
        match label.text.as_str() {
            "" => json!({"physicalLocation": place}),
            text => json!({"physicalLocation": place, "message": {"text": text}}),
        }
    };
    let places: Vec<Value> = found.labels.iter().map(location).collect();
    let (first, others) = places.split_at(places.len().min(1));
    let fixes: Vec<Value> = found.fix.iter().map(|fix| self::fix(fix, sources, root)).collect();
    json!({
        "ruleId": found.code,
        "ruleIndex": codes.iter().position(|code| *code == found.code),
        "level": level,
        "message": {"text": text},
        "locations": first,
        "relatedLocations": others,
        "fixes": fixes,
    })
}

fn fix(fix: &Fix, sources: &Sources, root: &str) -> Value {
    json!({
        "description": {"text": fix.message},
        "artifactChanges": [{
            "artifactLocation": {"uri": uri(fix.span, sources, root)},
            "replacements": [{"deletedRegion": region(fix.span, sources), "insertedContent": {"text": fix.replacement}}],
        }],
    })
}

fn region(span: Span, sources: &Sources) -> Value {
    let (start, end) = (sources.place(span), sources.end(span));
    json!({"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column})
}

/// A path as a relative reference: what means something in a URI is escaped.
fn uri(span: Span, sources: &Sources, root: &str) -> String {
    let path = format!("{root}{}", sources.place(span).file);
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => uri.push(char::from(byte)),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}
