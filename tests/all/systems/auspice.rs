//! Symbol dice of six kinds, of which two pairs of symbols cancel.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

/// The kinds of dice in the order of the roll, face by face.
const DICE: [&[&str]; 6] = [
    &["", "S", "S", "SS", "A", "A", "SA", "AA"],
    &["", "S", "S", "SS", "SS", "A", "SA", "SA", "SA", "AA", "AA", "ST"],
    &["", "", "S", "SA", "AA", "A"],
    &["", "F", "FF", "H", "H", "H", "HH", "FH"],
    &["", "F", "F", "FF", "FF", "H", "H", "FH", "FH", "HH", "HH", "FD"],
    &["", "", "F", "F", "H", "H"],
];

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let mut fell: Vec<String> = Vec::new();
    for (count, die) in values.iter().zip(DICE) {
        let sides = i64::try_from(die.len()).expect("a die");
        let shown = faces.dice(*count, sides).into_iter();
        fell.push(shown.filter_map(|face| die.get(usize::try_from(face - 1).ok()?)).copied().collect());
    }
    let of = |letter: char, shown: &str| i64::try_from(shown.matches(letter).count()).expect("a few");
    let all = |letter: char| fell.iter().map(|shown| of(letter, shown)).sum::<i64>();
    let lead = all('S') - all('F');
    let favour = all('A') - all('H');
    let (success, failure, edge, threat) = (lead.max(0), (-lead).max(0), favour.max(0), (-favour).max(0));
    let (triumph, despair) = (all('T'), all('D'));
    let told = match success {
        1.. if triumph > 0 => says(CriticalSuccess, "Wonder", None),
        1.. if edge >= threat => says(Success, "Success", None),
        1.. => says(PartialSuccess, "At a cost", None),
        _ => says(Failure, "Failure", None),
    };
    let flags = [("dire", despair > 0), ("steep", threat > success)];
    let flags = flags.into_iter().filter(|(_, raised)| *raised).map(|(name, _)| name).collect();
    let values = vec![
        ("success", success),
        ("failure", failure),
        ("edge", edge),
        ("threat", threat),
        ("triumph", triumph),
        ("despair", despair),
        ("lead", lead),
        ("gift", of('A', &fell[2])),
    ];
    Says { flags, values, ..told }
}

const VARIES: [(&str, i64, i64); 6] =
    [("talent", 0, 4), ("mastery", 0, 3), ("luck", 0, 2), ("hazard", 0, 4), ("peril", 0, 2), ("bane", 0, 3)];

#[test]
fn a_venture_with_symbols_that_cancel() {
    let rules = include_str!("auspice.md");
    Game { rules, check: "Venture", varies: &VARIES, reference }.holds(&[
        ("Talent: blank, S, S, SS", "Talent: blank, S, S, S"),
        ("AA, ST", "AT, ST"),
        ("Hazard: blank, F, FF", "Hazard: blank, F, F"),
        ("S against F, A against H", "S against F"),
        ("S against F, A against H", "A against H"),
        ("`luck edge`", "`talent edge`"),
        ("`luck edge`", "`edge`"),
        ("dire: despair 1+", "dire: despair 2+"),
        ("success 1+ and triumph 1+", "triumph 1+"),
        ("edge >= threat", "edge > threat"),
        ("`success - failure`", "`success`"),
    ]);
}
