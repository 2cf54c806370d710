//! Rules in other languages are read as the same rules in English are, or are a finding.

use super::{codes, findings, sound, system_md};
use crate::rules::{ConditionRule, PaidFrom, RestEffect};

fn in_language(code: &str, body: &str) -> String {
    format!("# T\n\n- Language: {code}\n\n{body}")
}

fn mitigations(code: &str, health: &str) -> Vec<String> {
    let (heading, dice) = match code {
        "de" => ("Gesundheit", "Würfel\nWir würfeln 1W20."),
        "fr" => ("Santé", "Dés\nOn lance 1d20."),
        _ => ("Salud", "Dados\nSe tira 1d20."),
    };
    let text = in_language(code, &format!("## {dice}\n\n## {heading}\n- Leben: max 10\n{health}"));
    let all = sound(&text).system.mitigations;
    all.iter().map(|own| format!("{}: {}", own.name, own.describe())).collect()
}

#[test]
fn what_is_against_one_type_of_damage_is_so_in_every_language() {
    for (code, health, read) in [
        ("de", "- Feuerwiderstand: halb, abgerundet\n", "Feuerwiderstand: half, rounded down; only Feuer damage"),
        ("de", "- Widerstand (Feuer): halb\n", "Widerstand (Feuer): half, rounded down; only Feuer damage"),
        ("de", "- Widerstand: halb\n", "Widerstand: half, rounded down"),
        ("de", "- Feuerimmunität: keiner\n", "Feuerimmunität: no damage; only Feuer damage"),
        ("de", "- Anfälligkeit gegen Silber: doppelt\n", "Anfälligkeit gegen Silber: double; only Silber damage"),
        ("fr", "- Résistance au feu : moitié\n", "Résistance au feu: half, rounded down; only feu damage"),
        ("fr", "- Immunité : aucun\n", "Immunité: no damage"),
        ("es", "- Resistencia al fuego: mitad\n", "Resistencia al fuego: half, rounded down; only fuego damage"),
    ] {
        assert_eq!(mitigations(code, health), [read], "{health}");
    }
}

#[test]
fn a_defence_that_does_not_say_against_what_is_a_finding() {
    for (code, heading, bullet) in [
        ("en", "Health", "- Fir resistence: half"),
        ("en", "Health", "- Fire resistant: half"),
        ("de", "Gesundheit", "- Feuerresistent: halb"),
    ] {
        let reading = system_md(&format!("# T\n\n- Language: {code}\n\n## {heading}\n- Leben: max 10\n{bullet}\n"));
        assert!(codes(&reading).contains(&"health/unclear-damage-type"), "{bullet}: {:?}", findings(&reading));
        assert!(reading.system.mitigations.is_empty(), "{bullet}");
    }
}

fn condition(code: &str, about: &str) -> (ConditionRule, Vec<String>) {
    let text = match code {
        "de" => format!(
            "## Eigenschaften\n- Kraft\n\n## Proben\n### Versuch\n- Wurf: `1W20 + {{Kraft}}`\n- Ziel: `12`\n\n## Gesundheit\n- Leben: max 10\n- Rast: Leben aufs Maximum\n\n## Zustände\n- Krank: {about}\n"
        ),
        "fr" => format!(
            "## Attributs\n- Force\n\n## Tests\n### Essai\n- Jet : `1d20 + {{Force}}`\n- Cible : `12`\n\n## États\n- Malade : {about}\n"
        ),
        _ => format!(
            "## Atributos\n- Fuerza\n\n## Pruebas\n### Intento\n- Tirada: `1d20 + {{Fuerza}}`\n- Objetivo: `12`\n\n## Estados\n- Enfermo: {about}\n"
        ),
    };
    let reading = system_md(&in_language(code, &text));
    (reading.system.conditions.first().expect("a condition").clone(), findings(&reading))
}

#[test]
fn effects_on_all_rolls_and_durations_are_read_in_every_language() {
    for (code, about, effects) in [
        ("de", "-1 auf alle Würfe", 1),
        ("de", "Nachteil bei allen Proben", 1),
        ("de", "-1 auf Kraft, bis zur nächsten Rast", 1),
        ("de", "-1 auf Kraft bis zur nächsten Rast", 1),
        ("de", "Vorteil auf jeden Wurf, bis du schläfst", 1),
        ("fr", "-1 à tous les jets", 1),
        ("fr", "désavantage à tous les tests", 1),
        ("fr", "-1 en Force, jusqu'au prochain repos", 1),
        ("es", "-1 a todas las tiradas", 1),
        ("es", "desventaja en todas las pruebas", 1),
        ("es", "-1 a Fuerza, hasta el próximo descanso", 1),
    ] {
        let (rule, found) = condition(code, about);
        assert_eq!(found, Vec::<String>::new(), "{about}: {rule:?}");
        assert_eq!(rule.effects.len(), effects, "{about}: {rule:?}");
        assert!(rule.left.is_empty(), "{about}: {rule:?}");
        assert_eq!(
            rule.duration.is_some(),
            about.contains("bis") || about.contains("jusqu") || about.contains("hasta"),
            "{about}: {rule:?}"
        );
    }
    for (code, about) in [
        ("de", "-1 auf Kraft, für die Dauer des Winters"),
        ("de", "-1 auf Kraft, solange er liegt"),
        ("fr", "-1 en Force, pendant l'hiver"),
        ("es", "-1 a Fuerza, durante el invierno"),
    ] {
        let (rule, found) = condition(code, about);
        assert!(!found.is_empty() || rule.duration.is_some(), "{about}: {rule:?}");
    }
}

#[test]
fn what_a_check_asks_for_goes_as_far_as_the_words_say() {
    for (code, words, range) in [
        ("de", "einsatz zwischen 0 und 5", (0, 5)),
        ("de", "einsatz höchstens 5", (0, 5)),
        ("de", "einsatz 1 bis 5", (1, 5)),
        ("fr", "einsatz entre 0 et 5", (0, 5)),
        ("fr", "einsatz au plus 5", (0, 5)),
        ("es", "einsatz entre 0 y 5", (0, 5)),
        ("es", "einsatz como máximo 5", (0, 5)),
    ] {
        let check = match code {
            "de" => "## Proben\n### Versuch\n- Wurf: `1W20 + {einsatz}`\n- Ziel: `12`\n- Verlangt:",
            "fr" => "## Tests\n### Essai\n- Jet : `1d20 + {einsatz}`\n- Cible : `12`\n- Demande :",
            _ => "## Pruebas\n### Intento\n- Tirada: `1d20 + {einsatz}`\n- Objetivo: `12`\n- Pide:",
        };
        let system = sound(&in_language(code, &format!("{check} {words}\n"))).system;
        let asked = system.checks[0].asked("einsatz").expect("it asks");
        assert_eq!(asked.range, Some(range), "{words}");
    }
}

#[test]
fn helps_say_what_to_write_in_the_language_of_the_file() {
    for (check, help) in [
        ("- Wurf: `1W20 + {einsatz}`\n- Ziel: `12`\n", "`- Verlangt: einsatz 1 bis 10`"),
        ("- Wurf: `1W20 + {einsatz}`\n- Ziel: `12`\n- Verlangt: 7\n", "`- Verlangt: pool 1 bis 20, edge 0 bis 5`"),
    ] {
        let reading = system_md(&in_language("de", &format!("## Proben\n### Versuch\n{check}")));
        let helps = || reading.diagnostics.iter().flat_map(|found| &found.help);
        assert!(helps().any(|own| own.contains(help)), "{help}: {:?}", helps().collect::<Vec<_>>());
    }
}

#[test]
fn both_spellings_of_a_sharp_s_are_one_word() {
    let text = in_language(
        "de",
        "## Proben\n### Versuch\n- Wurf: `1W20`\n- Ziel: `{Schwierigkeit}`\n\n## Schwierigkeiten\n- mäßig: 10\n",
    );
    let system = sound(&text).system;
    assert!(crate::names::same(&system.difficulties[0].name, "Mässig"));
}

#[test]
fn a_space_before_a_semicolon_is_not_shown() {
    let text =
        in_language("fr", "## Tests\n### Essai\n- Jet : `1d20`\n- Opposition : plus haut total ; égalité : qui agit\n");
    let reading = sound(&text);
    assert_eq!(reading.system.checks[0].opposition.text, "higher total; ties: actor");
}

#[test]
fn difficulties_below_other_sections_are_told_of() {
    let check = "## Checks\n### Try\n- Roll: `1d20`\n- Target: `12`\n\n";
    for section in ["## Skills\n- Climb\n", "## Attributes\n- Might\n", "## Conditions\n- Dazed: -1 on checks\n"] {
        for bullet in ["- Difficulties: easy 8, hard 15", "- Difficulty Fair: 10"] {
            let reading = system_md(&format!("{check}{section}{bullet}\n"));
            let helps: Vec<&String> = reading.diagnostics.iter().flat_map(|found| &found.help).collect();
            assert!(
                helps.iter().any(|own| own.contains("## Difficulties")),
                "{section}{bullet}: {:?}",
                findings(&reading)
            );
            let names = reading.system.skills.len() + reading.system.attributes.len() + reading.system.conditions.len();
            assert_eq!(names, 1, "{section}{bullet}");
        }
    }
    let german = in_language(
        "de",
        "## Proben\n### Versuch\n- Wurf: `1W20`\n- Ziel: `12`\n\n## Fertigkeiten\n- Klettern\n- Schwierigkeiten: leicht 8\n",
    );
    assert_eq!(codes(&system_md(&german)), ["skills/unused", "document/looks-like-a-rule"]);
}

#[test]
fn the_bounds_of_all_scores_have_many_names_in_every_language() {
    for (code, section, one, labels) in [
        ("de", "Attribute", "Kraft", ["Bereich", "Werte", "Wertebereich", "Skala"]),
        ("fr", "Attributs", "Force", ["Plage", "Valeurs", "Intervalle", "Échelle"]),
        ("es", "Atributos", "Fuerza", ["Rango", "Valores", "Intervalo", "Escala"]),
    ] {
        for label in labels {
            let text = in_language(code, &format!("## {section}\n- {one}\n- {label}: 1-5\n"));
            let all = system_md(&text).system.attributes;
            let read: Vec<_> = all.iter().map(|own| (own.name.as_str(), own.range)).collect();
            assert_eq!(read, [(one, Some((1, 5)))], "{label}");
        }
    }
}

#[test]
fn helps_name_the_labels_of_the_language() {
    let german = in_language("de", "## Proben\n### Versuch\n- Wurf: 1W20\n- Ziel: 12\n- Erfolgt: mindestens 8\n");
    let reading = system_md(&german);
    let help = reading.diagnostics.iter().flat_map(|found| &found.help).next().expect("a help");
    assert!(help.contains("`Wurf`, `Ziel`, `Gelingt`, `Vergleich`"), "{help}");
    let table = &crate::rules::Language::named("de").expect("German").table();
    assert_eq!(
        table.help("write ``- Target: `{Armour}` ``, or `- Base: 3`"),
        "write ``- Ziel: `{Armour}` ``, or `- Base: 3`"
    );
}

#[test]
fn what_is_left_out_of_a_condition_is_shown_as_left_out() {
    for (code, about, shown) in [
        ("de", "Vorteil bei Kraft, bis auf Witz", "but for Witz"),
        ("de", "Vorteil bei Kraft, außer Witz", "but for Witz"),
        ("fr", "avantage en Force, sauf Esprit", "but for Esprit"),
        ("es", "ventaja en Fuerza, salvo Ingenio", "but for Ingenio"),
    ] {
        let (read, told) = condition(code, about);
        assert!(read.left.iter().any(|own| own == shown), "{about}: {:?}", read.left);
        assert!(told.join("\n").contains("left to the GM"), "{about}: {told:?}");
    }
}

#[test]
fn what_empties_a_track_and_what_a_check_costs_are_read_in_every_language() {
    for (code, body) in [
        (
            "de",
            "## Eigenschaften\n- Kraft\n- Witz\n\n## Proben\n### Versuch\n- Wurf: `1W20 + {mühe=0}`\n- Ziel: `12`\n- Verlangt: mühe 0 bis 6\n\
             - Wert Lohn: `2 * {mühe=0}`\n- Kostet: `{Lohn}` {Attribut}\n\n| Ergebnis | Wenn | Öl | Glück |\n|---|---|---|---|\n| Erfolg | Abstand 0 oder mehr | auf 0 | leert sich |\n\
             | Fehlschlag | sonst | leer | {Lohn} weniger |\n\n## Gesundheit\n- Öl: max 6\n- Glück: von -3 bis 3\n- Kraft, dann Witz\n",
        ),
        (
            "fr",
            "## Attributs\n- Force\n- Esprit\n\n## Tests\n### Essai\n- Jet : `1d20 + {peine=0}`\n- Cible : `12`\n- Demande : peine de 0 à 6\n\
             - Valeur Lohn : `2 * {peine=0}`\n- Coûte : `{Lohn}` {attribut}\n\n| Résultat | Quand | Huile | Chance |\n|---|---|---|---|\n| Réussite | marge 0 ou plus | à 0 | se vide |\n\
             | Échec | sinon | vide | `{Lohn}` de moins |\n\n## Santé\n- Huile : max 6\n- Chance : de -3 à 3\n- Force, puis Esprit\n",
        ),
        (
            "es",
            "## Atributos\n- Fuerza\n- Ingenio\n\n## Tiradas\n### Intento\n- Tirada: `1d20 + {pena=0}`\n- Objetivo: `12`\n- Pide: pena de 0 a 6\n\
             - Valor Lohn: `2 * {pena=0}`\n- Cuesta: `{Lohn}` {atributo}\n\n| Resultado | Cuando | Aceite | Suerte |\n|---|---|---|---|\n| Éxito | margen 0 o más | a 0 | se vacía |\n\
             | Fallo | si no | vacío | {Lohn} menos |\n\n## Salud\n- Aceite: max 6\n- Suerte: de -3 a 3\n- Fuerza, luego Ingenio\n",
        ),
    ] {
        let reading = sound(&in_language(code, body));
        let check = &reading.system.checks[0];
        let moves: Vec<usize> = check.rows.iter().map(|row| row.moves.len()).collect();
        assert_eq!(moves, [2, 2], "{code}: {:?}", check.rows);
        let (valued, emptied): (Vec<_>, Vec<_>) =
            check.rows.iter().flat_map(|row| &row.moves).partition(|own| own.value.is_some());
        assert_eq!(valued.iter().map(|own| own.value.as_deref()).collect::<Vec<_>>(), [Some("Lohn")], "{code}");
        let zero = |own: &crate::rules::RowMove| matches!(own.effect, RestEffect::ToZero { .. });
        assert!(emptied.into_iter().all(zero), "{code}: {:?}", check.rows);
        assert_eq!(check.costs.len(), 1, "{code}");
        assert_eq!(check.costs[0].from, Some(PaidFrom::Attribute), "{code}");
        assert_eq!(check.costs[0].amount.variables().len(), 1, "{code}: {:?}", check.costs);
    }
}
