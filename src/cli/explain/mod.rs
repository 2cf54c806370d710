//! `rollbook explain`: what a finding or a refusal means, and the rules language.

use clap::Args;

use super::output::{Done, Failed, answer};
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

/// Explain a finding, a refusal, or how rules are written.
///
/// A finding with a wrong and a right example, a refusal with what to do. `language`: how rules are written, all of it;
/// `grammar`: the same as a grammar; `dice`: the notation of dice. Without any: every page there is.
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
            return answer(&text());
        }
        let (code, page) = pages()
            .find(|(known, _)| *known == code)
            .ok_or_else(|| unknown(&code))?;
        // Of a refusal each line of text follows a blank.
        let blank = if Code::named(code).is_some() {
            "\n "
        } else {
            "\n"
        };
        answer(&format!("{}\n", page.replace(blank, "\n").trim_end()))
    }
}

/// The code and the page of every finding, and then of every refusal.
fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let findings = rollbook_rules::codes::PAGES
        .iter()
        .chain(playtest::codes::PAGES)
        .copied();
    findings.chain(Code::ALL.iter().map(|code| (code.as_str(), code.page())))
}

fn list() -> String {
    let width = pages().map(|(code, _)| code.len()).max().unwrap_or(0);
    let line = |name: &str, page: &str| {
        let title = page.lines().next().and_then(|line| line.strip_prefix("# "));
        format!("{name:width$}  {}\n", title.unwrap_or_default())
    };
    let mut lines: Vec<String> = pages().map(|(code, page)| line(code, page)).collect();
    let refusals = lines
        .split_off(lines.len().saturating_sub(Code::ALL.len()))
        .concat();
    let references: String = REFERENCES
        .iter()
        .map(|(name, text)| line(name, &text()))
        .collect();
    format!(
        "{references}\nFindings:\n{}\nRefusals:\n{refusals}\nrollbook explain CODE says more; rollbook explain language is the reference.\n",
        lines.concat()
    )
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
    let all = || "`rollbook explain` lists them all.".to_owned();
    let hint = meant.map_or_else(all, |meant| format!("Did you mean {meant}?"));
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

#[test]
fn the_page_of_the_language_is_small_and_the_grammar_has_every_label() {
    assert!(LANGUAGE.lines().count() <= 600 && LANGUAGE.len() <= 24_000);
    let page = grammar();
    for label in labels::LABELS {
        assert!(page.contains(label.words), "{}", label.words);
    }
}
