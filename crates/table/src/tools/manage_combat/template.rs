//! Advice for an unknown template: where its stat block is in the adventure.

use crate::session::{Host, adventure};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_text::diagnostic::SourceFile;
use rollbook_text::names::{Found, find, listed, printable, quoted, suggest};

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
