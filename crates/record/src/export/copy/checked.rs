//! What verification of a copy found.

use rollbook_game::view::Audience;
use rollbook_store::Head;
use rollbook_store::verify::Opened;

/// What was found.
#[derive(Debug)]
pub struct Checked {
    pub campaign: String,
    pub audience: Audience,
    /// Where it ends.
    pub head: Head,
    pub findings: Vec<String>,
    /// The first entry that is not as it should be; `None` where no single one is to blame.
    pub first_bad: Option<u64>,
    /// The entry of the receipt, where the copy holds it.
    pub receipted: Option<u64>,
    /// Why the receipt says nothing of the copy, where it does not: the copy is a part of the log that begins behind it, or binds only the
    /// ends of sessions.
    pub incomparable: Option<String>,
    /// How much less the receipt proves than a whole one, where it is shorter.
    pub weakness: Option<String>,
    /// Lines that the audience sees.
    pub shown: u64,
    /// Those of them without a body, of which only the public part can be checked.
    pub closed: u64,
    /// Entries of which players see nothing.
    pub sealed: u64,
    /// Entries whose body was shown later, and is what was sealed.
    pub opened: Vec<Opened>,
    /// The entry behind which it begins, where it is a part of the log.
    pub after: Option<u64>,
    /// Of a copy that tells only how many entries are hidden: the last line that the end of a session binds, 0 for none.
    pub bound: Option<u64>,
    /// What it says that the log lacked when it was written.
    pub history_lost: Option<String>,
}
