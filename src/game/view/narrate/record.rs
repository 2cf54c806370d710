//! Sentences for what became of the log itself: a loss, a backup that was put back, an entry that was opened.

use crate::game::record::event::RevealedEvent;
use crate::game::record::loss::Loss;
use crate::game::view::Audience;

/// Players see no entry number.
pub fn loss_accepted(loss: &Loss, audience: Audience) -> String {
    match audience {
        Audience::Gm => format!("The loss of history is accepted, and play goes on. {}", loss.summary()),
        Audience::Player => "A part of the log is lost, and play goes on without it.".to_owned(),
    }
}

/// Players see no entry number and no file.
pub fn restored(from: &str, loss: Option<&Loss>, audience: Audience) -> String {
    match (audience, loss) {
        (Audience::Gm, Some(loss)) => {
            let kept = loss.log_ends;
            format!("The database was put back from {from}, up to #{kept}; what came after is lost. {}", loss.summary())
        }
        (Audience::Gm, None) => format!("The database was put back from {from}; nothing is known to be lost."),
        (Audience::Player, Some(_)) => {
            "The log was put back from a backup. A part of it is lost, and play goes on without it.".to_owned()
        }
        (Audience::Player, None) => "The log was put back from a backup.".to_owned(),
    }
}

/// What was hidden, with its sentence as it would have been told at once. Players see no entry number.
pub fn revealed(event: &RevealedEvent, session: u32, told: &str, audience: Audience) -> String {
    match audience {
        Audience::Gm => format!("Opened to players, #{}: {told}", event.entry),
        Audience::Player => format!("Opened, from session {session}: {told}"),
    }
}
