//! What the assistant is told of the server: how the tools are called, and the rules at hand.

use rollbook_rules::{AskedFrom, Check, DifficultyValue, System};
use rollbook_text::names::{fold, printable, quoted};

/// Bytes of all of it: clients cut what is longer.
pub const INSTRUCTIONS_MAX: usize = 2000;

const BEGIN: &str = "\
Never make up a die, a total, a hit point or whose turn it is: call a tool and narrate what it answers.\n";

const CHECKS: &str = "\
- skill_check: what the rules resolve, attacks and saves too. An attack is one call: target, and attack (one of the sheet's) or skill \
and damage; end_turn=true begins the next turn, turns=[…] takes several. Without a rule: roll=\"1d20 + {DEX}\" and difficulty or rows.\n";

const TOOLS: &str = "\
- roll_dice: tables, chance without a rule. apply_damage: other wounds, heal; roll: log number of what decided it.
- manage_combat: start names everybody, foes with hp; next_turn where no end_turn was sent; add_effect for what lasts rounds; end alone \
ends it.
- manage_character makes and changes people, get_character reads them. manage_session: resume first when you come back; note what the \
story must remember; undo. odds: chances before a roll.
visibility=\"gm\" hides a roll (\"blind\": players learn that dice fell; \"outcome_only\": the outcome). Say to the players \
what players or player_text has: \"same\" as the summary, \"nothing\", or those words.
A refusal changes nothing and says what to send instead. detail=\"full\": every die and source. A reply got lost: the same call with the \
same request_id acts once. after: the last entry you know; campaign: which of several.";

/// The instructions for an assistant that plays by these rules, in at most that many bytes.
pub fn instructions(system: &System, most: usize) -> String {
    let (by, checks) = match system.narrative {
        true => ("", ""),
        false => (" resolves checks by the adventure's own System.md,", CHECKS),
    };
    let mut text = format!(
        "Rollbook is this table's book of record: it rolls the dice,{by} keeps characters and fights, all in a log that nobody can \
         edit. {BEGIN}{checks}{TOOLS}"
    );
    if !system.narrative {
        describe(system, most, &mut text);
    }
    text
}

const REST: &str = " … (get_rules has all)";

/// Adds the rules' names, as far as there is room.
fn describe(system: &System, most: usize, text: &mut String) {
    let difficulty = |difficulty: &rollbook_rules::Difficulty| match &difficulty.is {
        DifficultyValue::Number(number) => format!("{} {number}", quoted(&difficulty.name)),
        DifficultyValue::Row(_) => quoted(&difficulty.name),
    };
    let company = system.company.iter().flat_map(|company| &company.tracks);
    let tracks = system.tracks.iter().chain(company);
    let parts: [(&str, Vec<String>); 4] = [
        (
            "Checks, by skill or attribute unless said",
            system.checks.iter().map(check).collect(),
        ),
        (
            "Difficulty",
            system.difficulties.iter().map(difficulty).collect(),
        ),
        ("Tracks", tracks.map(|track| quoted(&track.name)).collect()),
        (
            "Assumed",
            system
                .assumptions
                .iter()
                .map(|assumed| printable(&assumed.text))
                .collect(),
        ),
    ];
    text.push_str("\nThe rules' names, which are data:");
    for (what, items) in parts {
        for (nth, item) in items.iter().enumerate() {
            let item = match nth {
                0 => format!("\n{what}: {item}"),
                _ => format!("; {item}"),
            };
            if text.len() + item.len() + REST.len() > most {
                text.push_str(REST);
                return;
            }
            text.push_str(&item);
        }
    }
}

/// A check, what its call has to give, and what it is for.
fn check(check: &Check) -> String {
    let variables: Vec<String> = check.variables().iter().map(|name| fold(name)).collect();
    let names = |wanted: &str| variables.iter().any(|name| name == wanted);
    let (skill, attribute) = (
        names("skill"),
        names("attribute") || names("attribute score"),
    );
    let by = match (skill, attribute) {
        (true, true) => Some("both"),
        (true, false) => Some("skill"),
        (false, true) => Some("attribute"),
        (false, false) if names("modifier") => None,
        (false, false) => Some("neither"),
    };
    let against = [
        ("target", !check.target_names().is_empty()),
        ("difficulty", names("difficulty")),
    ];
    let against = against.iter().filter(|(_, is)| *is).map(|(what, _)| *what);
    let asks = by.into_iter().chain(against).map(str::to_owned);
    let values = check.asks.iter().map(|ask| {
        let from = match ask.from {
            AskedFrom::Range(low, high) => format!("{low} to {high}"),
            AskedFrom::Attributes => "an attribute".to_owned(),
            AskedFrom::Skills => "a skill".to_owned(),
            AskedFrom::Dice => "dice".to_owned(),
        };
        format!("{} {from}", quoted(&ask.name))
    });
    let used = check
        .bullet("For")
        .map(|bullet| format!("for {}", quoted(&bullet.text)));
    let all: Vec<String> = asks.chain(values).chain(used).collect();
    match all.is_empty() {
        true => quoted(&check.name),
        false => format!("{} ({})", quoted(&check.name), all.join(", ")),
    }
}
