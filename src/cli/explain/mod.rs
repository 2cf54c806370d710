//! `rollbook explain`: what a finding or a refusal means, and the rules language.

use clap::Args;

use super::output::{BOLD, DIM, Done, Failed, PLAIN, answer};
use rollbook_game::refusal::Code;
use rollbook_rules::SectionKind;
use rollbook_rules::grammar::{LANGUAGE, labels};
use rollbook_table::playtest;
use rollbook_text::names::suggest;

type Reference = (&'static str, fn() -> String);
const REFERENCES: [Reference; 3] = [
    ("language", || LANGUAGE.to_owned()),
    ("grammar", grammar),
    ("dice", || include_str!("../../../docs/dice.md").to_owned()),
];
const GRAMMAR: &str = include_str!("grammar.md");

/// What a finding means and why it matters, with a wrong and a right example; what a refusal means
/// and what to do. `language`: how rules are written, all of it; `grammar`: the same as a grammar;
/// `dice`: the notation of dice. Without any: every page there is.
#[derive(Debug, Args)]
pub struct Explain {
    /// The code as a finding or a refusal shows it: skills/unused, which_track. Or: language,
    /// grammar, dice.
    code: Option<String>,
}

impl Explain {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let Some(code) = self.code else {
            return answer(&list());
        };
        let code = code
            .trim()
            .trim_start_matches('[')
            .trim_end_matches(']')
            .to_lowercase();
        if let Some((_, text)) = REFERENCES.iter().find(|(name, _)| *name == code) {
            return answer(&render_reference(&text()));
        }
        match pages().find(|(known, _)| *known == code) {
            Some((code, page)) => answer(&render(code, page)),
            None => Err(unknown(&code)),
        }
    }
}

fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    findings().chain(refusals())
}

fn findings() -> impl Iterator<Item = (&'static str, &'static str)> {
    rollbook_rules::codes::PAGES
        .iter()
        .chain(playtest::codes::PAGES)
        .copied()
}

fn refusals() -> impl Iterator<Item = (&'static str, &'static str)> {
    Code::ALL.iter().map(|code| (code.as_str(), code.page()))
}

fn list() -> String {
    let width = pages().map(|(code, _)| code.len()).max().unwrap_or(0);
    let line = |name: &str, page: &str| {
        let title = page.lines().next().and_then(|line| line.strip_prefix("# "));
        format!("{name:width$}  {}\n", title.unwrap_or_default())
    };
    let findings: String = findings().map(|(code, page)| line(code, page)).collect();
    let refusals: String = refusals().map(|(code, page)| line(code, page)).collect();
    let references: String = REFERENCES
        .iter()
        .map(|(name, text)| line(name, &text()))
        .collect();
    format!(
        "{references}\nFindings:\n{findings}\nRefusals:\n{refusals}\nrollbook explain CODE says more; rollbook explain language is the reference.\n"
    )
}

/// A page for the terminal: fenced examples become indented ones under their word.
fn render(code: &str, page: &str) -> String {
    let mut text = format!("{DIM}{code}{DIM:#}\n\n");
    let mut fence: Option<&str> = None;
    for line in page.lines() {
        let marks = line.len() - line.trim_start_matches('`').len();
        let (ticks, rest) = line.split_at(marks);
        match fence {
            Some(open) if open == ticks && rest.is_empty() => fence = None,
            Some(_) => text.push_str(&format!("    {line}")),
            None if marks >= 3 => {
                fence = Some(ticks);
                text.push_str(&example(rest));
            }
            None => match line.strip_prefix("# ") {
                Some(title) => text.push_str(&format!("{BOLD}{title}{BOLD:#}")),
                // The text of a doc comment follows a blank.
                None => text.push_str(line.strip_prefix(' ').unwrap_or(line)),
            },
        }
        text = format!("{}\n", text.trim_end_matches(' '));
    }
    text
}

/// "Wrong, in System/skills.md, many times over:".
fn example(info: &str) -> String {
    let word = |word: &str| match word {
        "wrong" => "Wrong".to_owned(),
        "right" => "Right".to_owned(),
        "latin1" => ", saved as Latin-1".to_owned(),
        many if many.starts_with("repeat=") => ", many times over".to_owned(),
        file => format!(", in {file}"),
    };
    let heading: String = info.split_whitespace().map(word).collect();
    format!("{DIM}{heading}:{DIM:#}\n")
}

fn unknown(code: &str) -> Failed {
    // People remember the second half.
    let names = || {
        pages()
            .map(|(known, _)| known)
            .chain(REFERENCES.iter().map(|(name, _)| *name))
    };
    let words = names().flat_map(|name| [name, name.rsplit('/').next().unwrap_or(name)]);
    let first = suggest(code, words).into_iter().next();
    let meant = first.and_then(|word| names().find(|name| name.ends_with(&word)));
    let hint = match meant {
        Some(meant) => format!("Did you mean {meant}?"),
        None => "`rollbook explain` lists them all.".to_owned(),
    };
    format!("no finding or refusal has the code {code}. {hint}")
}

fn grammar() -> String {
    let mut text = GRAMMAR.to_owned();
    for kind in SectionKind::ALL {
        let labels: Vec<&str> = labels::labels_of(*kind).map(|label| label.words).collect();
        if !labels.is_empty() {
            text.push_str(&format!("- {}: {}\n", kind.name(), labels.join(", ")));
        }
    }
    text
}

/// A reference for a terminal. Without colours it is the page, byte for byte.
fn render_reference(reference: &str) -> String {
    let (mut text, mut inside) = (String::new(), false);
    for line in reference.lines() {
        let fence = line.starts_with("```");
        inside ^= fence;
        let style = match fence {
            true => DIM,
            false if !inside && line.starts_with('#') => BOLD,
            false => PLAIN,
        };
        text.push_str(&format!("{style}{line}{style:#}\n"));
    }
    text
}

#[test]
fn headings_of_examples_are_not_headings_of_the_page() {
    let text = render_reference(LANGUAGE);
    assert!(text.contains(&format!("{BOLD}## Sections{BOLD:#}\n")));
    assert!(text.contains("\n# Lanterns\n"));
}

#[test]
fn the_page_of_the_language_is_small_and_the_grammar_has_every_label() {
    assert!(LANGUAGE.lines().count() <= 600 && LANGUAGE.len() <= 24_000);
    let page = grammar();
    for label in labels::LABELS {
        assert!(page.contains(label.words), "{}", label.words);
    }
}
