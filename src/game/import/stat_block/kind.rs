//! Whether a block describes somebody of the players' side, a companion or a foe: as a line of it says, `- Kind: player`, else the
//! nearest heading above it, else the file's name.

use super::line::bare;
use crate::game::record::state::Kind;
use crate::names::{fold, same};

/// Words by which a heading or a file's name says who stands below it; the first that is there decides.
const WORDS: [(&str, Kind); 20] = [
    ("non player", Kind::Npc),
    ("npc", Kind::Npc),
    ("npcs", Kind::Npc),
    ("foe", Kind::Npc),
    ("foes", Kind::Npc),
    ("monster", Kind::Npc),
    ("monsters", Kind::Npc),
    ("enemies", Kind::Npc),
    ("bestiary", Kind::Npc),
    ("companion", Kind::Companion),
    ("companions", Kind::Companion),
    ("hirelings", Kind::Companion),
    ("player", Kind::Player),
    ("players", Kind::Player),
    ("pcs", Kind::Player),
    ("pregens", Kind::Player),
    ("characters", Kind::Player),
    ("heroes", Kind::Player),
    ("party", Kind::Player),
    ("investigators", Kind::Player),
];

/// The kind that a line of the block says.
pub fn said(lines: &[&str]) -> Option<Kind> {
    let kind = |line: &&str| {
        let bare = bare(line.trim_start_matches(['-', '*', ' ']));
        let (label, value) = bare.split_once(':')?;
        let value = value.trim().trim_end_matches('.').to_owned();
        Kind::ALL.into_iter().find(|kind| same(label, "kind") && same(kind.as_str(), &value))
    };
    lines.iter().find_map(kind)
}

/// The kind that words above a block say.
pub fn above(words: &str) -> Option<Kind> {
    let letters = |letter: char| if letter.is_alphanumeric() { letter } else { ' ' };
    let folded = format!(" {} ", fold(&words.chars().map(letters).collect::<String>()));
    WORDS.into_iter().find(|(word, _)| folded.contains(&format!(" {word} "))).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_stands_below_a_heading() {
        for (words, kind) in [
            ("The Lockhouse: four characters", Some(Kind::Player)),
            ("Characters.md", Some(Kind::Player)),
            ("The Lockhouse: foes and other people", Some(Kind::Npc)),
            ("Non-player characters", Some(Kind::Npc)),
            ("Companions of the party", Some(Kind::Companion)),
            ("The tower", None),
        ] {
            assert_eq!(above(words), kind, "{words}");
        }
        assert_eq!(said(&["- Hit points: 3", "- **Kind:** player"]), Some(Kind::Player));
        assert_eq!(said(&["- Kind: of blue"]), None);
    }
}
