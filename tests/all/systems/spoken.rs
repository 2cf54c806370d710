//! Games in other languages, each beside the same game in English: one understanding, and one play.

use rollbook::diagnostic::{Severity, SourceFile, edited, render};
use rollbook::rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};
use rollbook::rules::{Reading, model, proofs, read, understood};
use serde_json::Value;

use super::table::{Faces, Game, Says, says};

/// Each language with its game and the same in English.
const GAMES: [(&str, &str, &str); 3] = [
    ("de", include_str!("spoken/de.md"), include_str!("spoken/de.en.md")),
    ("fr", include_str!("spoken/fr.md"), include_str!("spoken/fr.en.md")),
    ("es", include_str!("spoken/es.md"), include_str!("spoken/es.en.md")),
];

fn reading(text: &str) -> Reading {
    read(vec![SourceFile::new("System.md", text)])
}

/// What was understood, without what differs by nature: the hash, the language, and columns.
fn meaning(reading: &Reading) -> (Value, String) {
    let mut model = model(reading);
    for key in ["hash", "language", "rules_version", "sections"] {
        model.as_object_mut().expect("an object").remove(key);
    }
    let text = understood(reading);
    let lines = text.lines().filter(|line| !line.contains("language") && !line.contains("version"));
    let bare = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    (model, lines.map(bare).collect::<Vec<_>>().join("\n"))
}

/// The whole of what was understood, without places in lines and the author's words.
fn whole(reading: &Reading) -> String {
    let mut system = reading.system.clone();
    system.sections.clear();
    (system.language, system.version) = (None, None);
    let debug = format!("{system:#?}");
    let mut lines = Vec::new();
    let mut inside: Option<usize> = None;
    for line in debug.lines() {
        let depth = line.len() - line.trim_start().len();
        match inside {
            Some(own) if depth > own => continue,
            Some(_) => inside = None,
            None => {}
        }
        let is_place =
            ["Span {", "span: ", "column: ", "pieces: ["].iter().any(|word| line.trim_start().starts_with(word));
        if is_place && line.ends_with(['{', '[']) {
            inside = Some(depth);
        }
        // What a part of the rules says of itself in the author's own language.
        if !is_place && !line.trim_start().starts_with("text: ") && line.trim() != "}," {
            lines.push(line.to_owned());
        }
    }
    lines.join("\n")
}

#[test]
fn a_game_in_another_language_is_the_same_game() {
    for (code, text, english) in GAMES {
        let (own, twin) = (reading(text), reading(english));
        for (name, reading) in [(code, &own), ("English", &twin)] {
            let found = [reading.diagnostics.clone(), proofs(reading)].concat();
            assert!(found.is_empty(), "{code}, {name}:\n{}", render::plain(&found, &reading.sources));
        }
        assert_eq!(own.system.language.as_deref(), Some(code));
        let (model, words) = meaning(&own);
        let (twin_model, twin_words) = meaning(&twin);
        assert_eq!(words, twin_words, "{code}");
        assert_eq!(model, twin_model, "{code}");
        let (own_lines, twin_lines) = (whole(&own), whole(&twin));
        for (at, (line, twin)) in own_lines.lines().zip(twin_lines.lines()).enumerate() {
            let before = || own_lines.lines().take(at).skip(at.saturating_sub(20)).collect::<Vec<_>>().join("\n");
            assert_eq!(line, twin, "{code}:\n{}", before());
        }
        assert_eq!(own_lines.lines().count(), twin_lines.lines().count());
        assert!(text.lines().count() < 40 && own.system.sections.iter().any(|own| text.contains(&own.text)));
    }
}

fn german(values: &[i64], faces: &Faces<'_>) -> Says {
    let (modifier, difficulty, dice) = (values[0], values[1], faces.dice(2, 10));
    let margin = dice.iter().sum::<i64>() + modifier - difficulty;
    let ones = dice.iter().filter(|die| **die == 1).count() as i64;
    let highest = *dice.iter().max().expect("two");
    let rows = [(CriticalSuccess, "Glanz"), (Success, "Erfolg"), (PartialSuccess, "Knapp"), (Failure, "Fehlschlag")];
    let row = match margin {
        8.. if highest == 10 => 0,
        0.. => 1,
        -3..=-1 => 2,
        _ => 3,
    };
    let better: usize = usize::from(dice[0] == 10);
    let (outcome, label) = rows[row - better.min(row)];
    let flags = if ones > 0 && margin <= 3 { vec!["Pech"] } else { Vec::new() };
    Says { flags, values: vec![("Rest", margin.max(0) + ones)], ..says(outcome, label, margin) }
}

#[test]
fn a_german_check_is_rolled_as_its_words_say() {
    let varies = [("modifier", -3, 9), ("difficulty", 5, 20)];
    Game { rules: GAMES[0].1, check: "Versuch", varies: &varies, reference: german }.holds(&[
        ("Abstand 8+", "Abstand 7+"),
        ("höchster 10", "höchster 9"),
        ("Abstand -3 bis -1", "Abstand -2 bis -1"),
        ("Einsen 1+ und", "Einsen 1+ oder"),
        ("höchstens 3", "höchstens 2"),
        ("eine Stufe besser", "eine Stufe schlechter"),
        ("2W10", "2W12"),
        ("+ Einsen`", "+ Zweien`"),
    ]);
}

#[test]
fn without_the_declaration_it_is_asked_for_and_the_edit_makes_it() {
    for (code, text, _) in GAMES {
        let undeclared = text.replace(&format!("- Language: {code}\n"), "");
        let reading = reading(&undeclared);
        let found: Vec<_> = reading.diagnostics.iter().filter(|own| own.code == "document/not-in-english").collect();
        let [only] = found.as_slice() else {
            panic!("{code}: {}", render::plain(&reading.diagnostics, &reading.sources))
        };
        assert!(only.severity >= Severity::Warning && only.help.len() == 2, "{only:?}");
        let (mended, made) = edited(&undeclared, only.fix.as_ref());
        assert_eq!(made, 1);
        let mended = self::reading(&mended);
        assert_eq!(mended.system.language.as_deref(), Some(code), "{code}");
        assert!(mended.diagnostics.is_empty(), "{}", render::plain(&mended.diagnostics, &mended.sources));
    }
}

#[test]
fn slips_in_another_language_are_told_in_that_language() {
    let german = GAMES[0].1;
    let mut missed = Vec::new();
    for (written, slipped, told) in [
        ("- Wurf:", "- Wurff:", "`Wurf`"),
        ("- Vergleich:", "- Vergleihc:", "`Vergleich`"),
        ("## Gesundheit", "## Gesundhiet", "`gesundheit`"),
        ("- Initiative: `", "- Initative: `", "`Initiative`"),
        ("- Language: de", "- Sprache: de", "- Language: de"),
        ("- Language: de", "- Language: nl", "`de`, `fr`, `es`"),
        ("Abstand 8+ und", "Abstant 8+ und", ""),
        ("höherer {Rest}", "höherrer {Rest}", ""),
        ("aufs Maximum,", "auf Maximum,", ""),
        ("eine Stufe besser", "eine Stuhfe besser", ""),
        ("nur Misserfolge", "nur Miserfolge", ""),
        ("| Glanz (kritischer Erfolg)", "| Glanz (kritscher Erfolg)", ""),
    ] {
        assert!(german.contains(written), "{written}");
        let reading = reading(&german.replacen(written, slipped, 1));
        let told_of =
            |own: &rollbook::diagnostic::Diagnostic| told.is_empty() || own.help.iter().any(|help| help.contains(told));
        let lines = render::plain(&reading.diagnostics, &reading.sources);
        if !reading.diagnostics.iter().any(told_of) {
            missed.push(format!("{slipped}: {lines}"));
        }
        for label in reading.diagnostics.iter().flat_map(|own| &own.labels) {
            assert!(
                reading.sources.get(label.span.file).is_some_and(|file| file.text.get(label.span.bytes()).is_some())
            );
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_megabyte_of_another_language_is_read() {
    let clause = "Nachteil bei a und b und c oder d für e und f für 3 Runden bis g und # je h über i je j dann k und l";
    let bullet = format!("- Matt: {clause}, {clause}; {clause}\n- Bei 0 {clause}\n");
    let text = format!("# L\n\n- Language: de\n\n## Zustände\n{}", bullet.repeat(1_000_000 / bullet.len()));
    let reading = reading(&text);
    assert_eq!(reading.system.language.as_deref(), Some("de"));
}
