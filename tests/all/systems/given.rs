//! A pool that each call gives, in three languages: the name that a check asks for is the one in its dice and in the call, whatever
//! the word means elsewhere.

use rollbook::diagnostic::SourceFile;
use rollbook::rules::Outcome::{CriticalSuccess, Failure, Success};
use rollbook::rules::read;

use super::table::{Faces, Game, Says, says};

const GERMAN: &str = "# Vorrat\n\n- Language: de\n\n## Proben\n\n### Duell\n- Wurf: `{vorrat}W6`\n- Verlangt: vorrat 1 bis 8\n- Zähle: 5+\n\
     - Ziel: `{Schwierigkeit=1}`\n- Wert Erfolge: `Vorrat - Sechser`\n\n| Ergebnis | Wenn |\n|---|---|\n\
     | Glanz (kritischer Erfolg) | Abstand 2 oder mehr |\n| Gut (Erfolg) | Abstand 0 oder mehr |\n| Schlecht (Fehlschlag) | sonst |\n";
const FRENCH: &str = "# Réserve\n\n- Language: fr\n\n## Jets\n\n### Duell\n- Jet: `{réserve}d6`\n- Demande: réserve de 1 à 8\n- Comptez: 5+\n\
     - Seuil: `{difficulté=1}`\n- Valeur Erfolge: `réserve - six`\n\n| Résultat | Quand |\n|---|---|\n\
     | Glanz (réussite critique) | marge 2 ou plus |\n| Gut (réussite) | marge 0 ou plus |\n| Schlecht (échec) | sinon |\n";
const SPANISH: &str = "# Reserva\n\n- Language: es\n\n## Tiradas\n\n### Duell\n- Tirada: `{reserva}d6`\n- Pide: reserva de 1 a 8\n- Cuenta: 5+\n\
     - Objetivo: `{dificultad=1}`\n- Valor Erfolge: `reserva - seises`\n\n| Resultado | Cuando |\n|---|---|\n\
     | Glanz (éxito crítico) | margen 2 o más |\n| Gut (éxito) | margen 0 o más |\n| Schlecht (fallo) | si no |\n";

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let pool = faces.dice(values[0], 6);
    let many = |low: i64| i64::try_from(pool.iter().filter(|face| **face >= low).count()).expect("a few");
    let margin = many(5) - 1;
    let told = match margin {
        2.. => says(CriticalSuccess, "Glanz", margin),
        0.. => says(Success, "Gut", margin),
        _ => says(Failure, "Schlecht", margin),
    };
    Says { values: vec![("Erfolge", values[0] - many(6))], ..told }
}

#[test]
fn a_pool_that_calls_give_is_found_in_every_language() {
    for (rules, name, count) in
        [(GERMAN, "vorrat", "Zähle: 5+"), (FRENCH, "réserve", "Comptez: 5+"), (SPANISH, "reserva", "Cuenta: 5+")]
    {
        let found = read(vec![SourceFile::new("System.md", rules)]);
        assert!(found.diagnostics.is_empty(), "{name}: {:?}", found.diagnostics);
        let four = count.replace('5', "4");
        Game { rules, check: "Duell", varies: &[(name, 1, 8)], reference }.holds(&[(count, &four)]);
    }
}
