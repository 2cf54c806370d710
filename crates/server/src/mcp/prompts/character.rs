//! The prompt that leads through making a character, from what these rules ask for.

use super::session::{TYPED, numbered};
use rollbook_rules::{Attribute, SectionKind, System};
use rollbook_text::names::{fold, quoted};

/// Names of one list that are shown.
const NAMES_MAX: usize = 40;
/// What a heading speaks of under which an author says how characters are made.
const MAKING: [&str; 4] = ["character", "creation", "playbook", "making"];

pub fn new_character(system: &System, wish: Option<&str>) -> String {
    let mut text = "Lead me through making a player character, in conversation: one question at a time, in the order below, with two or \
                    three suggestions that fit the adventure. Make nothing up for me, and roll nothing yourself.\n"
        .to_owned();
    if let Some(wish) = wish {
        text.push_str(&format!("\nMy idea: {wish}\n({TYPED}.)\n"));
    }
    let mut steps = vec![read(system)];
    steps.push("Ask for a name, and who this is in one sentence (it goes into notes).".to_owned());
    if system.attributes.is_empty() {
        steps.push(
            "The rules declare no attributes; ask what the character is good and bad at, for the notes.".to_owned(),
        );
    }
    if !system.attributes.is_empty() {
        let asked = listed(system.attributes.iter().map(asked));
        steps.push(format!(
            "Ask for a score in each of: {asked}. If the rules say that they are rolled, do it in the call itself: roll_attributes \
             takes the dice that they name."
        ));
    }
    if !system.skills.is_empty() {
        let skills = listed(system.skills.iter().map(|skill| quoted(&skill.name)));
        steps.push(format!(
            "Ask which skills it has learned, by the number the rules give: {skills}."
        ));
    }
    let tracks = listed(system.tracks.iter().map(|track| quoted(&track.name)));
    if !tracks.is_empty() {
        steps.push(format!(
            "These are worked out by the rules, so do not ask for them: {tracks}."
        ));
    }
    steps
        .push("Ask what it carries (inventory), and whether the GM alone should know something (gm_notes).".to_owned());
    steps.push(
        "Say it all back in three lines. When I agree: manage_character action=\"create\" kind=\"player\". If the reply's missing is not \
         empty, ask for that and send action=\"update\"; then show get_character view=\"sheet\"."
            .to_owned(),
    );
    text + &numbered(&steps)
}

/// Where these rules say how characters are made.
fn read(system: &System) -> String {
    if system.narrative {
        return "This adventure has no rules of its own: ask what the table wants to write down of a character."
            .to_owned();
    }
    let has = |kind: SectionKind| {
        system
            .sections
            .iter()
            .any(|section| section.kind == Some(kind))
    };
    let kinds = [SectionKind::Attributes, SectionKind::Skills]
        .into_iter()
        .filter(|kind| has(*kind));
    let speaks = |heading: &str| MAKING.iter().any(|word| fold(heading).contains(word));
    let others = system
        .sections
        .iter()
        .filter(|section| section.kind.is_none())
        .map(|section| section.heading.clone());
    // One that could not be sent unchanged is no help.
    let named = others
        .filter(|name| speaks(name) && quoted(name) == *name && !name.contains('"'))
        .take(NAMES_MAX);
    let calls: Vec<String> = kinds
        .map(|kind| kind.name().to_owned())
        .chain(named)
        .map(|name| format!("get_rules section=\"{name}\""))
        .collect();
    match calls.is_empty() {
        true => "Read the rules: get_rules without arguments names their sections.".to_owned(),
        false => format!("Read how characters are made here: {}.", calls.join(", ")),
    }
}

/// "STR 3 to 20".
fn asked(attribute: &Attribute) -> String {
    let range = attribute
        .range
        .map_or(String::new(), |(low, high)| format!(" {low} to {high}"));
    format!("{}{range}", quoted(attribute.short()))
}

fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(NAMES_MAX);
    let mut names: Vec<String> = names.take(NAMES_MAX).collect();
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{System, new_character};
    use rollbook_rules::read;
    use rollbook_text::diagnostic::SourceFile;

    fn prompt(text: &str) -> String {
        let file = SourceFile::new("System.md", text);
        new_character(&read(vec![file]).system, None)
    }

    #[test]
    fn only_sections_that_there_are_are_named() {
        let moves = prompt(
            "# A\n\n## Making a character\nTalk.\n\n## Stats\n- Cool: calm\n- Range: -1 to 3\n\n## Checks\n\n### Act\n- Roll: `2d6 + {attribute}`\n",
        );
        assert!(moves.contains("1. Read how characters are made here: get_rules section=\"Attributes\", get_rules section=\"Making a character\".\n"), "{moves}");
        assert!(
            moves.contains("Cool -1 to 3") && !moves.contains("4d6"),
            "{moves}"
        );
        let bare = prompt(
            "# A\n\n## Checks\n\n### Act\n- Roll: `2d6`\n\n## The \"character\" of towns\nGrim.\n",
        );
        assert!(
            bare.contains("1. Read the rules: get_rules without arguments names their sections.\n"),
            "{bare}"
        );
        let none = new_character(
            &System {
                narrative: true,
                ..System::default()
            },
            None,
        );
        assert!(!none.contains("get_rules"), "{none}");
    }
}
