//! Luck, exactly: the rarest rolls, the dice, successes against their chances, runs.

use std::collections::BTreeMap;

use super::dice::{self, VERDICT_MIN, Verdict, Verdicts};
use super::words::{left_out, number, one_in, percent, seen};
use crate::report::document::{Block, Inline, Section, Table};
use crate::report::facts::Gathered;
use crate::report::facts::moments::{Moment, Need, ORDINARY};
use crate::report::luck::run;
use crate::report::luck::tail::{Alike, Each, at_least};
use rollbook_game::view::Audience;
use rollbook_game::view::number::Numbers;
use rollbook_rules::Succeed;
use rollbook_text::names::counted;

/// People of whom runs and successes are shown, those with most checks.
const PEOPLE_MAX: usize = 60;

pub fn section(gathered: &Gathered, audience: Audience) -> Section {
    let mut blocks = vec![Block::text(
        "Every chance here is worked out from the log alone, without a bell curve: sums of dice and numbers of successes have their own \
         exact distributions. It is about the dice, not about how well somebody played.",
    )];
    blocks.extend(left_out(gathered).map(Block::text));
    let (lucky, unlucky) = moments(gathered);
    if lucky.is_some() {
        blocks.push(Block::text(
            "The luckiest moment stands at the top of this report.",
        ));
    }
    blocks.extend(card("The unluckiest moment", unlucky, gathered));
    let dice = dice::shown(gathered);
    if dice.blocks.is_empty() {
        blocks.push(Block::text(
            "No dice of the program's fell that you may see.",
        ));
    } else {
        blocks.push(Block::text(notes(gathered)));
    }
    blocks.extend(entered(gathered));
    blocks.extend(opened(gathered).filter(|_| audience == Audience::Player));
    blocks.extend(dice.blocks);
    let mut verdicts = dice.verdicts;
    blocks.extend(successes(gathered, &mut verdicts));
    blocks.extend(runs(gathered));
    blocks.push(Block::Heading("How much chance does by itself".to_owned()));
    blocks.push(Block::text(honest(&verdicts)));
    Section {
        id: "luck",
        title: "Luck",
        blocks,
    }
}

pub fn moments(gathered: &Gathered) -> (Option<&Moment>, Option<&Moment>) {
    gathered
        .moments
        .best_and_worst(|rule| gathered.checks.way_of(&gathered.ways, rule))
}

/// A moment that stands out, or that there was none; nothing where there was no roll.
pub fn card(title: &str, moment: Option<&Moment>, gathered: &Gathered) -> Option<Block> {
    let blocks = match moment {
        Some(moment) => moment_blocks(moment),
        None if gathered.moments.is_empty() => return None,
        None => {
            vec![Block::text(format!(
                "Nothing out of the ordinary fell: nothing rarer than {}.",
                one_in(ORDINARY)
            ))]
        }
    };
    Some(Block::Card {
        title: title.to_owned(),
        blocks,
    })
}

fn moment_blocks(moment: &Moment) -> Vec<Block> {
    let chance = moment.chance.to_f64();
    let exactly = moment
        .chance
        .short(24)
        .map_or(String::new(), |exact| format!("; exactly {exact}"));
    let need = |need: &Need| {
        let beyond = if need.way == Succeed::AtLeast {
            "or more"
        } else {
            "or less"
        };
        format!("{} {beyond} with {}", need.total, need.expression)
    };
    let needs: Vec<String> = moment.needs.iter().map(need).collect();
    let rare = format!(
        "The chance of {}: {}{exactly}.",
        needs.join(", then "),
        percent(chance)
    );
    let nth = moment.nth.map_or(String::new(), |(nth, all)| {
        format!("roll {nth} of the {all} in ")
    });
    let mut where_it_is = vec![
        Inline::text(format!("It is {nth}")),
        Inline::Entry(moment.number),
    ];
    where_it_is.extend([
        Inline::text(". "),
        Inline::Section("seal", "How to check it".to_owned()),
        Inline::text("."),
    ]);
    vec![
        Block::Paragraph(vec![Inline::Big(one_in(chance))]),
        Block::Paragraph(vec![Inline::strong(&moment.text)]),
        Block::text(rare),
        Block::Paragraph(where_it_is),
    ]
}

/// What was counted and what was not.
fn notes(gathered: &Gathered) -> String {
    let mut text = "Of each die its first face counts; what an explosion or a reroll adds does not, since it falls only because of the \
                    face before. Dice of calls that were taken back fell all the same, so they count; no moment is made of them."
        .to_owned();
    if gathered.ways.values().any(|way| *way == Succeed::AtMost) {
        text.push_str(" Low is good in this game's checks, so a high sum there is bad luck.");
    }
    if gathered.dice.followed > 0 {
        let followed = counted(gathered.dice.followed, "roll", "rolls");
        text.push_str(&format!(
            " {followed} that kept dice of an earlier one do not count a second time."
        ));
    }
    if gathered.dice.drawn > 0 {
        let (drawn, them) = (
            counted(gathered.dice.drawn, "roll", "rolls"),
            if gathered.dice.drawn == 1 {
                "is"
            } else {
                "are"
            },
        );
        text.push_str(&format!(
            " {drawn} from a deck that stays drawn {them} left out: how likely its cards were hangs on those that were out."
        ));
    }
    text
}

/// The dice that count nowhere in this section.
fn entered(gathered: &Gathered) -> Option<Block> {
    let entered = gathered.dice.entered;
    let them = if entered == 1 {
        "it is nobody's luck and counts"
    } else {
        "they are nobody's luck and count"
    };
    let counted = counted(entered, "die was", "dice were");
    let text = format!(
        "{counted} rolled by hand and entered: no log can vouch for that, so {them} nowhere in this section."
    );
    (entered > 0).then(|| Block::text(text))
}

/// Dice that players were shown later: who chooses what to show chooses whose luck it is.
fn opened(gathered: &Gathered) -> Option<Block> {
    let opened = gathered.opened_rolls;
    let words = match opened {
        1 => "1 roll that fell behind the screen was opened to you later: it counts neither here nor in skills and damage, because \
              whoever chooses what is opened chooses the luck."
            .to_owned(),
        opened => format!(
            "{opened} entries with rolls that fell behind the screen were opened to you later: they count neither here nor in skills and damage, \
             because whoever chooses what is opened chooses the luck."
        ),
    };
    (opened > 0).then(|| Block::text(words))
}

/// A check whose chance is known.
struct Tested {
    chance: f64,
    /// Its numbers reached the target.
    reached: bool,
    entry: Numbers,
}

/// A person's checks whose chances are known.
struct Person<'g> {
    name: &'g str,
    checks: Vec<Tested>,
}

fn known(gathered: &Gathered) -> Vec<Person<'_>> {
    let mut people: BTreeMap<usize, Vec<Tested>> = BTreeMap::new();
    for (check, chance) in gathered.checks.all.iter().zip(&gathered.needed) {
        if let (Some(chance), Some(margin)) = (chance, check.margin) {
            let tested = Tested {
                chance: *chance,
                reached: margin >= 0,
                entry: check.number,
            };
            people.entry(check.who).or_default().push(tested);
        }
    }
    let person = |(who, checks)| Person {
        name: gathered.people.name(who),
        checks,
    };
    let mut people: Vec<Person<'_>> = people.into_iter().map(person).collect();
    people.sort_by_key(|person| std::cmp::Reverse(person.checks.len()));
    people.truncate(PEOPLE_MAX);
    people
}

/// The chance of at least, and of at most, so many successes.
fn tails(checks: &[Tested], successes: u64) -> Option<(f64, f64)> {
    let mut alike: BTreeMap<u64, u64> = BTreeMap::new();
    checks
        .iter()
        .for_each(|check| *alike.entry(check.chance.to_bits()).or_default() += 1);
    let parts: Vec<Alike> = alike
        .into_iter()
        .map(|(bits, count)| Alike {
            count,
            each: Each::Chance(f64::from_bits(bits)),
        })
        .collect();
    Some((
        at_least(&parts, successes)?,
        1.0 - at_least(&parts, successes + 1)?,
    ))
}

fn successes(gathered: &Gathered, verdicts: &mut Verdicts) -> Vec<Block> {
    let people = known(gathered);
    if people.is_empty() {
        return Vec::new();
    }
    let mut table = Table::of(
        "Checks whose chance is known: how often the roll reached its target",
        &[
            "Who",
            "Checks#",
            "Reached#",
            "Expected#",
            "So many or more#",
            "Verdict",
        ],
    );
    for Person { name, checks } in &people {
        let reached = checks.iter().filter(|check| check.reached).count() as u64;
        let expected: f64 = checks.iter().map(|check| check.chance).sum();
        let mut row = vec![
            (*name).to_owned(),
            checks.len().to_string(),
            seen(gathered, i64::try_from(reached).unwrap_or(i64::MAX)),
            number(expected, 2),
        ];
        let tail = (checks.len() as u64 >= VERDICT_MIN)
            .then(|| tails(checks, reached))
            .flatten();
        row.extend(match tail {
            Some((up, down)) => {
                let verdict = Verdict::of(up, down);
                verdicts.people.push(verdict);
                [percent(up), verdict.word().to_owned()]
            }
            None => ["–".to_owned(), "too few".to_owned()],
        });
        table.rows.push(row);
    }
    let (all, known) = (
        gathered.checks.all.len(),
        gathered.needed.iter().flatten().count(),
    );
    let mut text =
        "A check's chance is that of its dice to reach the number that it was held against, as the log has both. "
            .to_owned();
    if all > known {
        text.push_str(&format!(
            "Of {} that you see {known} have such a chance; contests, follow-ups, dice entered by hand and rolls without a number to \
             reach have none. ",
            counted(all as u64, "check", "checks")
        ));
    }
    text.push_str("How many are reached by chance is worked out with each check's own chance.");
    vec![
        Block::Heading("Successes".to_owned()),
        Block::text(text),
        Block::Table(table),
    ]
}

fn runs(gathered: &Gathered) -> Vec<Block> {
    let mut table = Table::of(
        "The longest run of each person, of checks that reached their target and of checks that did not",
        &[
            "Who",
            "Longest run#",
            "Of",
            "From entry#",
            "The chance of one so long#",
        ],
    );
    for Person { name, checks } in known(gathered) {
        let outcomes: Vec<bool> = checks.iter().map(|check| check.reached).collect();
        for (wanted, word) in [(true, "reached"), (false, "missed")] {
            let (length, begins) = run::longest(&outcomes, wanted);
            if length < 2 {
                continue;
            }
            let each = checks.iter().map(|check| {
                if wanted {
                    check.chance
                } else {
                    1.0 - check.chance
                }
            });
            let begins = checks.get(begins).map(|check| check.entry.to_string());
            table.rows.push(vec![
                name.to_owned(),
                length.to_string(),
                word.to_owned(),
                begins.unwrap_or_default(),
                percent(run::chance(each, length)),
            ]);
        }
    }
    match table.rows.is_empty() {
        true => Vec::new(),
        false => vec![
            Block::Heading("Runs".to_owned()),
            Block::text(
                "The chance that somewhere among all of that person's checks a run at least so long comes by itself.",
            ),
            Block::Table(table),
        ],
    }
}

/// How many verdicts the tables show; how many on people are extreme where all is honest.
fn honest(verdicts: &Verdicts) -> String {
    let Verdicts { people, everybody } = verdicts;
    let beyond = |all: &[Verdict]| {
        let of = |wanted: Verdict| all.iter().filter(|verdict| **verdict == wanted).count();
        format!(
            "{} beyond 5 % at the high end and {} at the low end",
            of(Verdict::High),
            of(Verdict::Low)
        )
    };
    let shown = counted(
        (people.len() + everybody.len()) as u64,
        "verdict",
        "verdicts",
    );
    let on_all = match everybody.len() {
        0 => String::new(),
        all => format!(" The {all} on everybody together: {}.", beyond(everybody)),
    };
    if people.is_empty() {
        let (held, none) = match everybody.is_empty() {
            true => (String::new(), "there is no verdict"),
            false => {
                let held = format!(
                    "Tables above hold {shown} on everybody together, {}. ",
                    beyond(everybody)
                );
                (held, "there is no verdict on a person")
            }
        };
        return format!(
            "{held}Nobody alone rolled {VERDICT_MIN} dice of a kind, or made as many checks, so {none}. Fewer say nothing: anything is \
             possible by chance alone."
        );
    }
    let expected = number(people.len() as f64 * 0.05, 2);
    let any = 1.0 - 0.9_f64.powi(i32::try_from(people.len()).unwrap_or(i32::MAX));
    format!(
        "Tables above hold {shown}, {} of them on people. Where everything is honest, one in twenty lies beyond 5 % at the high end by chance, \
         and one in twenty at the low end: of those on people, {expected} and {expected} on average, and at about {} of honest tables at least one \
         does. Here: {}.{on_all}",
        people.len(),
        percent(any),
        beyond(people),
    )
}
