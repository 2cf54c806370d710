//! What the pages of the shipped adventures call for, their playtests call: no number on a page is
//! one that nobody has tried by the rules.
//!
//! ```text
//! call   = item { ( "," | "or" ) item }        in bold
//! item   = check | skill | attribute, [ number ]    what is rolled, and its difficulty
//!        | a word for a difficulty | ask number     what else the call gives
//!        | dice [ damage type ] | number            what is thrown, or lost
//!        | track ( "+" | "-" ) number | track "to" number
//!        | ( "gain" | "lose" ) condition | rest
//!        | "advantage" | "disadvantage" | "a step up" | "a step down"
//! ```

use std::collections::BTreeSet;
use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use rollbook_rules::{Direction, System};
use rollbook_table::playtest::find;
use rollbook_table::session::adventure::{Adventure, blocks};
use rollbook_text::diagnostic::{SourceFile, Sources};
use rollbook_text::names::{fold, same};
use serde_json::{Map, Value};

/// A field of a call and what it must be; one of several will do.
type Want = Vec<(String, String)>;

/// A call on a page, with the fields that a step has to give.
#[derive(Debug)]
struct Call {
    place: String,
    text: String,
    wants: Vec<Want>,
}

/// What one page calls for, and what on it looks like a call and is none.
#[derive(Default)]
struct Page {
    calls: Vec<Call>,
    wrong: Vec<String>,
}

fn want(fields: &[&str], value: impl ToString) -> Want {
    let value = fold(&value.to_string());
    let one = |field: &&str| ((*field).to_owned(), value.clone());
    fields.iter().map(one).collect()
}

fn is_dice(text: &str) -> bool {
    let mut parts = text.splitn(2, ['d', 'D']);
    let digits = |part: &str| part.chars().all(|letter| letter.is_ascii_digit());
    parts.next().is_some_and(digits)
        && parts.next().is_some_and(|faces| {
            faces.starts_with(|letter: char| letter.is_ascii_digit() || letter == '{')
        })
}

/// The number at the end of an effect, with its sign: `+1`, `-2`.
fn signed(text: &str) -> Option<i64> {
    let signed = text.starts_with(['+', '-']);
    signed.then(|| text.parse().ok()).flatten()
}

/// What is declared by the rules, by the longest name that a text begins with.
enum Named<'s> {
    Rolled(&'static str, Vec<&'s str>),
    Track(&'s str, Direction),
    Word(&'static str, &'s str),
    Ask(&'s str),
}

fn named<'s, 't>(system: &'s System, text: &'t str) -> Option<(Named<'s>, &'t str)> {
    let mut all: Vec<(&str, Named<'s>)> = Vec::new();
    for check in &system.checks {
        all.push((&check.name, Named::Rolled("check", vec![&check.name])));
        for ask in &check.asks {
            all.push((&ask.name, Named::Ask(&ask.name)));
        }
    }
    for skill in &system.skills {
        all.push((&skill.name, Named::Rolled("skill", vec![&skill.name])));
    }
    for attribute in &system.attributes {
        let names: Vec<&str> = [Some(&attribute.name), attribute.abbr.as_ref()]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        for name in names.clone() {
            all.push((name, Named::Rolled("attribute", names.clone())));
        }
    }
    let company = system.company.as_deref();
    for track in std::iter::once(system)
        .chain(company)
        .flat_map(|system| &system.tracks)
    {
        all.push((&track.name, Named::Track(&track.name, track.counts)));
    }
    for soak in &system.soaks {
        all.push((&soak.name, Named::Track(&soak.name, Direction::Up)));
    }
    for difficulty in &system.difficulties {
        all.push((
            &difficulty.name,
            Named::Word("difficulty", &difficulty.name),
        ));
    }
    for rest in &system.rests {
        all.push((&rest.label, Named::Word("kind", &rest.label)));
    }
    let begins = |name: &str| {
        let many = name.split_whitespace().count();
        let mut end = 0;
        for word in text.split_whitespace().take(many) {
            end = text[end..].find(word)? + end + word.len();
        }
        same(name, &text[..end]).then_some(end)
    };
    let found = all
        .into_iter()
        .filter_map(|(name, named)| Some((begins(name)?, named)));
    // Of equal names the first: a check before the skill and the track of its name.
    let (end, named) = found.rev().max_by_key(|(end, _)| *end)?;
    Some((named, text[end..].trim()))
}

/// What an item asks of a step; an error where it cannot be read to its end.
fn item(system: &System, text: &str) -> Result<Vec<Want>, String> {
    let unread = || Err(format!("`{text}` is no part of a call"));
    let condition = |fields: &[&str], name: &str| {
        let known = system.conditions.iter().any(|one| same(&one.name, name))
            || ["dead", "dying", "stable", "unconscious", "incapacitated"]
                .iter()
                .any(|one| same(one, name));
        if known {
            Ok(vec![want(fields, name)])
        } else {
            unread()
        }
    };
    if let Some(name) = text.strip_prefix("gain ") {
        return condition(&["apply_conditions", "condition", "conditions"], name);
    }
    if let Some(name) = text.strip_prefix("lose ") {
        return condition(&["remove_conditions", "condition"], name);
    }
    match text {
        "advantage" | "disadvantage" => return Ok(vec![want(&[text], true)]),
        "a step up" => return Ok(vec![want(&["steps"], 1)]),
        "a step down" => return Ok(vec![want(&["steps"], -1)]),
        _ => {}
    }
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let thrown = ["expression", "amount", "damage", "roll"];
    if is_dice(first) {
        let kinds = || system.damage_types.iter();
        if let Some(kind) = kinds().find(|kind| same(kind, rest)) {
            return Ok(vec![want(&thrown, first), want(&["damage_type"], kind)]);
        }
        return match rollbook_dice::parse(text) {
            Ok(_) => Ok(vec![want(&thrown, text)]),
            Err(_) => unread(),
        };
    }
    if let Ok(number) = text.parse::<i64>() {
        return Ok(vec![want(&["amount"], number)]);
    }
    let Some((named, rest)) = named(system, text) else {
        return unread();
    };
    match named {
        Named::Rolled(field, names) => {
            let names = names.iter().flat_map(|name| want(&[field], name)).collect();
            match rest.parse::<i64>() {
                Ok(number) => Ok(vec![names, want(&["difficulty"], number)]),
                Err(_) if rest.is_empty() => Ok(vec![names]),
                Err(_) => unread(),
            }
        }
        Named::Word(field, name) if rest.is_empty() => Ok(vec![want(&[field], name)]),
        Named::Ask(name) => match rest.parse::<i64>() {
            Ok(number) => Ok(vec![want(&[name], number)]),
            Err(_) => unread(),
        },
        Named::Track(name, counts) => {
            let track = want(&["track", "name", "target"], name);
            if let Some(Ok(number)) = rest.strip_prefix("to ").map(str::parse::<i64>) {
                return Ok(vec![
                    [want(&["value"], number), want(&[name], number)].concat(),
                ]);
            }
            let Some(by) = signed(rest) else {
                return unread();
            };
            let harm = if counts == Direction::Up { by } else { -by };
            Ok(vec![
                track,
                [want(&["tick"], by), want(&["amount"], harm)].concat(),
            ])
        }
        Named::Word(..) => unread(),
    }
}

/// What a bold text asks of a step, if it is a call: if it begins with dice, an effect or a name
/// that is rolled.
fn call(system: &System, text: &str) -> Option<Result<Vec<Want>, String>> {
    let text = text.trim().trim_end_matches([':', '.', ',', ';']);
    let first = text.split([' ', ',']).next().unwrap_or_default();
    let begins = is_dice(first)
        || match named(system, text) {
            Some((Named::Rolled(..), _)) => true,
            Some((Named::Track(..), rest)) => {
                rest.starts_with(['+', '-']) || rest.starts_with("to ")
            }
            Some((Named::Word("kind", _), _)) => true,
            Some((Named::Word(..) | Named::Ask(_), _)) | None => {
                item(system, text.split(',').next().unwrap_or_default()).is_ok()
                    && !text.starts_with(|letter: char| letter.is_ascii_digit())
            }
        };
    begins.then(|| {
        let parts = text.split(',').flat_map(|part| part.split(" or "));
        let parts = parts.map(|part| {
            part.trim()
                .trim_start_matches("or ")
                .trim_start_matches("half with ")
        });
        let read: Result<Vec<_>, _> = parts.map(|part| item(system, part)).collect();
        read.map(|wants| wants.concat())
    })
}

fn read(page: &SourceFile, blocks: &BTreeSet<String>, system: &System) -> Page {
    let mut found = Page::default();
    let (mut heading, mut bold): (String, Option<(usize, String)>) = Default::default();
    let (mut in_heading, mut in_code, mut in_item) = (false, false, 0);
    let mut head_cell: Option<String> = None;
    let place = |at: usize| {
        format!(
            "{}:{}",
            page.name,
            page.text[..at].matches('\n').count() + 1
        )
    };
    for (event, range) in Parser::new_ext(&page.text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { .. }) => (heading, in_heading) = (String::new(), true),
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Item) => {
                in_item += 1;
                let line = page.text[range.start..].lines().next().unwrap_or_default();
                let attack = line.trim_start_matches("- ").strip_prefix("Attack: ");
                if let Some(attack) = attack.filter(|_| blocks.contains(&fold(&heading))) {
                    let words = attack.split([',', '+']).next().unwrap_or_default();
                    found.calls.push(Call {
                        place: place(range.start),
                        text: format!("{heading}: {}", words.trim()),
                        wants: vec![
                            want(&["attack"], words.trim()),
                            want(&["character"], &heading),
                        ],
                    });
                }
            }
            Event::End(TagEnd::Item) => in_item -= 1,
            Event::Start(Tag::TableHead) => head_cell = Some(String::new()),
            Event::End(TagEnd::TableCell) => {
                if let Some(cell) = head_cell.take().filter(|cell| is_dice(cell)) {
                    found.calls.push(Call {
                        place: place(range.start),
                        text: format!("{heading}, {cell}"),
                        wants: vec![want(&["table"], &heading)],
                    });
                }
            }
            Event::Start(Tag::Strong) => bold = Some((range.start, String::new())),
            Event::End(TagEnd::Strong) => {
                let (at, text) = bold.take().expect("it began");
                match call(system, &text) {
                    Some(Ok(wants)) => found.calls.push(Call {
                        place: place(at),
                        text,
                        wants,
                    }),
                    Some(Err(why)) => found.wrong.push(format!("{} **{text}**: {why}", place(at))),
                    None => {}
                }
            }
            Event::Text(text) | Event::Code(text) => match (&mut bold, &mut head_cell) {
                (Some((_, bold)), _) => bold.push_str(&text),
                (None, Some(cell)) => cell.push_str(&text),
                (None, None) if in_heading => heading.push_str(&text),
                (None, None) if in_code => {}
                // The numbers of a stat block are read by the rules.
                (None, None) if in_item > 0 && blocks.contains(&fold(&heading)) => {}
                (None, None) => {
                    let bare =
                        |word: &&str| is_dice(word.trim_end_matches(['.', ',', ':', ';', ')']));
                    for dice in text.split([' ', '(', '/']).filter(bare) {
                        found
                            .wrong
                            .push(format!("{} {dice}: not in bold", place(range.start)));
                    }
                }
            },
            Event::SoftBreak => {
                if let Some((_, bold)) = &mut bold {
                    bold.push(' ');
                }
            }
            _ => {}
        }
    }
    found
}

/// Every field of a step's arguments with its value, folded; also those within others.
fn fields(arguments: &Map<String, Value>) -> BTreeSet<(String, String)> {
    fn add(field: &str, value: &Value, into: &mut BTreeSet<(String, String)>) {
        match value {
            Value::Object(inner) => inner
                .iter()
                .for_each(|(field, value)| add(field, value, into)),
            Value::Array(all) => all.iter().for_each(|value| add(field, value, into)),
            Value::String(text) => drop(into.insert((field.to_owned(), fold(text)))),
            other => drop(into.insert((field.to_owned(), fold(&other.to_string())))),
        }
    }
    let mut all = BTreeSet::new();
    arguments
        .iter()
        .for_each(|(field, value)| add(field, value, &mut all));
    all
}

/// How many calls are on the pages of an adventure; those that no step of its playtests makes, and
/// what is no call.
fn unplayed(folder: &Path) -> (usize, Vec<String>) {
    let adventure = Adventure::read(folder).expect("an adventure");
    let system = &adventure.reading.system;
    let rules = adventure
        .reading
        .sources
        .iter()
        .map(|(_, file)| file.clone());
    let sources = Sources::new(rules.chain(adventure.tests().0).collect());
    let steps = find(&sources, system)
        .playtests
        .into_iter()
        .flat_map(|one| one.steps);
    let steps: Vec<_> = steps
        .filter(|step| step.refusal.is_none())
        .map(|step| fields(&step.arguments))
        .collect();
    let pages = adventure.pages_of_people();
    let (mut all, mut found) = (0, Vec::new());
    for page in pages
        .iter()
        .filter(|page| !["System.md", "Characters.md"].contains(&page.name.as_str()))
    {
        let blocks = blocks(std::slice::from_ref(page), system);
        let blocks = blocks.map(|(_, name)| fold(&name)).collect();
        let Page { calls, wrong } = read(page, &blocks, system);
        all += calls.len();
        found.extend(wrong);
        let is_given = |(field, value): &(String, String), step: &BTreeSet<(String, String)>| {
            step.iter().any(|(given, is)| {
                same(given, field)
                    && (is == value || field == "character" && is.starts_with(&**value))
            })
        };
        for Call { place, text, wants } in calls {
            let is_played = steps.iter().any(|step| {
                let given = |want: &Want| want.iter().any(|field| is_given(field, step));
                wants.iter().all(given)
            });
            if !is_played {
                found.push(format!("{place} **{text}** is played by no playtest"));
            }
        }
    }
    (all, found)
}

#[test]
fn every_call_of_the_shipped_pages_is_played() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("adventures");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root).expect("adventures").flatten() {
        let (calls, all) = unplayed(&folder.path());
        let name = folder.file_name().into_string().expect("a name");
        assert!(calls >= 30, "{name}: its pages call for {calls} things");
        found.extend(all.iter().map(|one| format!("{name}/{one}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What a page calls for, as the test sees it: the lines that are no call, and the calls.
fn seen(page: &str) -> (Vec<String>, Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("adventures/long-pour");
    let adventure = Adventure::read(&root).expect("an adventure");
    let page = SourceFile::new("Page.md", page);
    let page = read(&page, &BTreeSet::new(), &adventure.reading.system);
    let calls = page.calls.into_iter().map(|call| call.text).collect();
    (page.wrong, calls)
}

#[test]
fn what_looks_like_a_call_is_read_whole() {
    let (wrong, calls) = seen(
        "**Craft 15**, **Save, Reflex 15 or 1d6 fire**, **Heat -2**, **gain Off guard**; \
         **Oda Carrow**, **Heat**, **Work:** are none.",
    );
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(
        calls,
        [
            "Craft 15",
            "Save, Reflex 15 or 1d6 fire",
            "Heat -2",
            "gain Off guard"
        ]
    );
    for page in [
        "**Craft fifteen**",
        "**Craft 15, quickly**",
        "**Heat -two**",
        "**1d6 of fire**",
        "takes 1d6",
    ] {
        let (wrong, calls) = seen(page);
        assert_eq!(
            (wrong.len(), calls.len()),
            (1, 0),
            "{page}: {wrong:?} {calls:?}"
        );
    }
}
