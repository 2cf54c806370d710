//! What becomes of a shared track as time passes, below it: `- Each round: 1 more`, `- End of the fight: clears`.

use super::effect::effect;
use crate::diagnostic::Diagnostic;
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::rests::{Rest, recoverable};
use crate::rules::language::system::System;

/// What may be written.
const HELP: &str = "write `1 more`, `2 less`, `clears`, `to 0`, `to max` or `none`";
/// The moments.
pub const LABELS: [&str; 4] = ["Each round", "End of the fight", "End of scene", "End of session"];
/// The same in other words, folded.
const OTHERS: [(&str, &str); 13] = [
    ("every round", "Each round"),
    ("each new round", "Each round"),
    ("end of each round", "Each round"),
    ("end of the round", "Each round"),
    ("end of round", "Each round"),
    ("start of each round", "Each round"),
    ("end of fight", "End of the fight"),
    ("end of each fight", "End of the fight"),
    ("end of combat", "End of the fight"),
    ("end of the combat", "End of the fight"),
    ("end of the scene", "End of scene"),
    ("end of each scene", "End of scene"),
    ("end of the session", "End of session"),
];

/// The moment that a bullet is about; none where it is about none.
pub fn moment(label: &Labelled) -> Option<&'static str> {
    let own = LABELS.into_iter().find(|own| own.eq_ignore_ascii_case(&label.folded));
    own.or_else(|| OTHERS.iter().find(|(other, _)| *other == label.folded).map(|(_, own)| *own))
}

/// Reads a bullet as what happens at a moment, to the track that it stands below or to one that it names. None when its label is
/// of no moment.
pub fn read(label: &Labelled, below: Option<&str>, company: &System, ledger: &mut Ledger<'_>) -> Option<Rest> {
    let name = moment(label)?;
    let all = recoverable(company);
    let mut shared = Vec::new();
    for clause in label.value.split_all(&[",", ";"]) {
        match effect(&clause, below, &all) {
            Some(effect) => shared.extend(effect.map(|(effect, _)| effect)),
            None => ledger.report(unreadable(&clause, below.is_some())),
        }
    }
    Some(Rest {
        name: name.to_owned(),
        effects: Vec::new(),
        shared,
        lasts: None,
        ends: Vec::new(),
        text: label.value.as_str().to_owned(),
        place: ledger.place(label.span),
        span: label.span,
    })
}

fn unreadable(clause: &Text, below: bool) -> Diagnostic {
    let message = format!("what happens then cannot be read: `{}`", clause.as_str());
    let help =
        if below { HELP.to_owned() } else { format!("{HELP}; stand below the track, or name it: `alarm clears`") };
    Diagnostic::warning(codes::UNREADABLE_MOVE, message).at(clause.span(), "nothing is moved by it").help(help)
}
