//! Whether a block describes a player character, a companion or a foe: by a line `- Kind: player`, else by the nearest
//! heading above it, else by the file's name.

use super::line::without_emphasis;
use crate::record::state::Kind;
use rollbook_text::names::{fold, same};

/// Words in a heading or file name and the kind they mean; the first that occurs decides.
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

/// The kind stated by a line of the block.
pub fn stated_kind(lines: &[&str]) -> Option<Kind> {
    let kind = |line: &&str| {
        let bare = without_emphasis(line.trim_start_matches(['-', '*', ' ']));
        let (label, value) = bare.split_once(':')?;
        let value = value.trim().trim_end_matches('.').to_owned();
        Kind::ALL.into_iter().find(|kind| same(label, "kind") && same(kind.as_str(), &value))
    };
    lines.iter().find_map(kind)
}

/// The kind stated by a heading or file name.
pub fn kind_in_heading(words: &str) -> Option<Kind> {
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
            assert_eq!(kind_in_heading(words), kind, "{words}");
        }
        assert_eq!(stated_kind(&["- Hit points: 3", "- **Kind:** player"]), Some(Kind::Player));
        assert_eq!(stated_kind(&["- Kind: of blue"]), None);
    }
}
