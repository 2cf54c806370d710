//! Advice for an unknown template: where its stat block is in the adventure.

use super::params::CombatantParams;
use crate::session::{Host, adventure};
use rollbook_game::mechanics::lookup;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Table;
use rollbook_text::diagnostic::SourceFile;
use rollbook_text::names::{Found, find, listed, printable, quoted, same, suggest};
use serde_json::json;

/// Characters of the list of stat blocks.
const LISTED_MAX: usize = 200;

/// Adds the page that has a stat block of that name, or those with similar names.
pub fn advise(host: &Host, refusal: Refusal) -> Refusal {
    // Where nobody is yet, the name is a character's.
    let is_block = refusal.code != Code::NoCharacter;
    let Some(named) = refusal.aside.unknown.clone().filter(|_| is_block) else {
        return refusal;
    };
    let blocks = blocks(host);
    // The part before `#` is the page.
    let wanted = named.split_once('#').map_or(&*named, |(_, block)| block);
    let all = || blocks.iter().map(|block| (block.name.as_str(), block));
    let advice = match find(wanted, all()) {
        Found::One(block) => format!("It stands in the adventure. {}.", send(block)),
        Found::Several(fit) => format!(
            "The adventure has {}. {}, or another of these.",
            listed(fit.iter().map(|block| block.from.as_str()), LISTED_MAX),
            fit.first().map_or(String::new(), |block| send(block))
        ),
        Found::Nothing => {
            let suggestions = suggest(wanted, blocks.iter().map(|block| block.name.as_str()));
            let first = suggestions
                .first()
                .and_then(|first| blocks.iter().find(|block| block.name == *first));
            let Some(first) = first else {
                return without_page(refusal, &blocks, wanted);
            };
            let summary = format!(
                "{} Near, in the adventure: {}. {}.",
                refusal.summary,
                suggestions.join(", "),
                send(first)
            );
            return Refusal { summary, ..refusal }.did_you_mean(suggestions);
        }
    };
    Refusal {
        summary: format!("{} {advice}", refusal.summary),
        ..refusal
    }
}

/// No page has a similar name: a new foe is meant, or another name.
fn without_page(refusal: Refusal, blocks: &[Block], wanted: &str) -> Refusal {
    let there = match blocks.is_empty() {
        true => String::new(),
        false => format!(
            " The adventure has {}.",
            listed(blocks.iter().map(|block| block.from.as_str()), LISTED_MAX)
        ),
    };
    let summary = format!(
        "{}{there} A foe without a template is {{\"name\": \"{}\", \"hp\": 7}}, with its own hit points for 7.",
        refusal.summary,
        quoted(wanted)
    );
    Refusal { summary, ..refusal }
}

/// The line of the list that makes one of a stat block.
fn send(block: &Block) -> String {
    format!(
        "Send {{\"from\": \"{}\"}}, with count where there are several",
        printable(&block.from)
    )
}

/// The block of the adventure that has the name of a combatant without numbers.
pub fn of_bare(host: &Host, one: &CombatantParams) -> Option<String> {
    let is_bare = one.count.is_some()
        && one.from.is_none()
        && one.template.is_none()
        && one.hp.is_none()
        && one.attributes.is_empty();
    let mut blocks = if is_bare { blocks(host) } else { Vec::new() }.into_iter();
    blocks
        .find(|block| same(&block.name, &one.name))
        .map(|block| block.from)
}

/// Refuses to make foes without numbers where a block of the adventure has their name.
pub fn check_bare(
    table: &Table,
    all: &[CombatantParams],
    blocks: &[Option<String>],
) -> Result<(), Refusal> {
    let meant = all.iter().zip(blocks).enumerate().find_map(|(nth, it)| {
        let (one, from) = (it.0, it.1.as_ref()?);
        let is_known = lookup::by_name(table.state, &one.name).is_some();
        (!is_known).then_some((nth, one, from))
    });
    let Some((nth, one, from)) = meant else {
        return Ok(());
    };
    let line = match one.initiative {
        Some(initiative) => json!({"from": from, "count": one.count, "initiative": initiative}),
        None => json!({"from": from, "count": one.count}),
    };
    let summary = format!(
        "{0} describes {1}, and the call makes {1} without numbers. Send {{\"from\": \"{0}\"}} with count in place of the name, \
         or hp for another kind.",
        printable(from),
        quoted(&one.name)
    );
    let set = vec![(format!("combatants.{nth}"), line)];
    Err(Refusal::new(Code::MissingValue, summary).trying(None, set))
}

struct Block {
    name: String,
    /// As `from` takes it: `Foes.md#Wrecker`.
    from: String,
}

fn blocks(host: &Host) -> Vec<Block> {
    let adventure = host.adventure();
    let system = &adventure.reading.system;
    let pages = adventure.pages_of_people();
    let of = |(page, name): (&SourceFile, String)| Block {
        from: format!("{}#{name}", page.name),
        name,
    };
    adventure::blocks(&pages, system).map(of).collect()
}
