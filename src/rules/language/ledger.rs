//! What the readers write down beside the system.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::clause::Assumption;
use crate::diagnostic::{Diagnostic, FileId, Place, Sources, Span};
use crate::dice::Formula;
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::limits::Limits;

/// What the readers write down beside the system: findings, assumptions, and where each expression stands.
pub struct Ledger<'a> {
    /// The files, to cite them.
    pub sources: &'a Sources,
    /// How much is read.
    pub limits: &'a Limits,
    /// What was found wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// What was taken for granted.
    pub assumptions: Vec<Assumption>,
    /// Every expression read, with its place.
    pub written: Vec<Written>,
    /// Findings for which a check may be lost: each by its code and place.
    pub lost: Vec<(&'static str, Span)>,
    /// Small words of the files in English, and in another language.
    languages: OnceCell<(usize, usize)>,
    /// Whether a heading is surely meant for a section's, and misspelt.
    pub headings_misspelt: bool,
    /// Where a block begins of which something was read.
    taken: BTreeSet<(FileId, usize)>,
}

/// An expression with the place where it is written.
#[derive(Debug, Clone)]
pub struct Written {
    /// The expression.
    pub formula: Formula,
    /// The author's words: in notation, so that a variable's bytes can be pointed at, or in plain words.
    pub text: Text,
    /// Which names mean something in it.
    pub scope: Scope,
}

/// Which names mean something in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In a check: the character's names, those of the call, and whatever `values` brings.
    Check,
    /// Elsewhere: the character's names, and of a check's rows its values.
    Sheet,
    /// In an attribute's Modifier: the score.
    Score,
}

/// Places where something was read or remarked on.
pub struct Touched(BTreeSet<(FileId, usize)>);

impl Touched {
    /// Whether there is one in this stretch.
    pub fn has(&self, span: Span) -> bool {
        self.0.range((span.file, span.start)..(span.file, span.end.max(span.start + 1))).next().is_some()
    }
}

impl<'a> Ledger<'a> {
    /// An empty ledger.
    pub fn new(sources: &'a Sources, limits: &'a Limits) -> Self {
        Self {
            sources,
            limits,
            diagnostics: Vec::new(),
            assumptions: Vec::new(),
            written: Vec::new(),
            lost: Vec::new(),
            languages: OnceCell::new(),
            headings_misspelt: false,
            taken: BTreeSet::new(),
        }
    }

    /// Where a stretch begins.
    pub fn place(&self, span: Span) -> Place {
        self.sources.place(span)
    }

    /// Notes a finding.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Notes a finding for which a check may be lost: an error when no other is left.
    pub fn report_lost(&mut self, diagnostic: Diagnostic) {
        self.lost.extend(diagnostic.span().map(|span| (diagnostic.code, span)));
        self.report(diagnostic);
    }

    /// How many small words are English, and how many of another language; counted when somebody asks.
    fn languages(&self) -> (usize, usize) {
        *self.languages.get_or_init(|| languages(self.sources))
    }

    /// Whether the author surely writes English, as headings are: one that is a slip in English is a word elsewhere.
    pub fn is_english(&self) -> bool {
        self.languages().0 > self.languages().1
    }

    /// Notes that something was read here, so that it is not told as overlooked.
    pub fn take(&mut self, span: Span) {
        self.taken.insert((span.file, span.start));
    }

    /// Every place where something was read or remarked on, to be asked whether a stretch holds one.
    pub fn touched(&self) -> Touched {
        let labels = self.diagnostics.iter().flat_map(|found| found.labels.iter().map(|label| label.span));
        let spans = labels.chain(self.written.iter().map(|written| written.text.span()));
        Touched(spans.map(|span| (span.file, span.start)).chain(self.taken.iter().copied()).collect())
    }

    /// Notes something taken for granted.
    pub fn assume(&mut self, text: impl Into<String>, place: Option<Place>) {
        self.assumptions.push(Assumption { text: text.into(), place });
    }

    /// Whether a list that has this many items may have one more; the first that may not is reported.
    pub fn has_room(&mut self, length: usize, kind: &str, span: Span) -> bool {
        if length < self.limits.items {
            return true;
        }
        let reported = |found: &Diagnostic| found.code == codes::TOO_MANY_ITEMS && found.message.contains(kind);
        if !self.diagnostics.iter().any(reported) {
            let message = format!("more than {} {kind}; this one and those after it are not read", self.limits.items);
            self.report(Diagnostic::error(codes::TOO_MANY_ITEMS, message).at(span, "the limit is reached here"));
        }
        false
    }

    /// Tells of something that looks like a rule and is not read as one.
    pub fn overlooked(&mut self, span: Span, why: &str, help: impl Into<String>) {
        let message = "this looks like a rule, and is not read as one";
        self.report(Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, message).at(span, why).help(help));
    }
}

/// Bytes of each file that are looked at.
const LOOKED_AT_BYTES: usize = 20_000;
/// Small words of English, and what English rules are full of.
const ENGLISH: [&str; 44] = [
    "the",
    "and",
    "of",
    "to",
    "is",
    "are",
    "you",
    "your",
    "with",
    "on",
    "or",
    "when",
    "it",
    "in",
    "for",
    "that",
    "against",
    "at",
    "least",
    "most",
    "roll",
    "rolls",
    "modifier",
    "modifiers",
    "checks",
    "as",
    "by",
    "they",
    "what",
    "who",
    "each",
    "one",
    "not",
    "from",
    "if",
    "its",
    "half",
    "damage",
    "target",
    "margin",
    "this",
    "than",
    "strength",
    "level",
];
/// Small words of other languages that are none in English.
const OTHERS: [&str; 62] = [
    "der", "das", "und", "ein", "eine", "mit", "auf", "von", "zu", "ist", "nicht", "wird", "bei", "oder", "wenn",
    "gegen", "le", "la", "les", "des", "et", "une", "du", "est", "vous", "pour", "avec", "dans", "sur", "ou", "el",
    "los", "las", "y", "con", "una", "por", "para", "que", "se", "del", "il", "di", "che", "per", "della", "gli",
    "och", "att", "det", "som", "het", "een", "van", "uma", "com", "um", "dos", "si", "ja", "og", "av",
];

/// All of them, and whether they are English.
static SMALL_WORDS: LazyLock<HashMap<&str, bool>> = LazyLock::new(|| {
    OTHERS.iter().map(|word| (*word, false)).chain(ENGLISH.iter().map(|word| (*word, true))).collect()
});

/// How many small words of the files are English, and how many of another language.
fn languages(sources: &Sources) -> (usize, usize) {
    let (mut english, mut others) = (0usize, 0usize);
    for (_, file) in sources.iter() {
        let text = file.text.get(..file.text.floor_char_boundary(LOOKED_AT_BYTES)).unwrap_or_default();
        // Headings, labels and code are in the words of the program.
        for words in text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(unlabelled)
            .flat_map(|line| line.split('`').step_by(2))
        {
            for word in words.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty()) {
                let is_english = SMALL_WORDS.get(word.to_lowercase().as_str());
                english += usize::from(is_english == Some(&true));
                others += usize::from(is_english == Some(&false) || !word.is_ascii());
            }
        }
    }
    (english, others)
}

/// A line without the label of a bullet.
fn unlabelled(line: &str) -> &str {
    let is_bullet = line.trim_start().starts_with(['-', '*', '+']);
    line.split_once(':').filter(|_| is_bullet).map_or(line, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::SourceFile;

    #[test]
    fn small_words_tell_a_language() {
        let english = |text: &str| {
            let (english, others) = languages(&Sources::new(vec![SourceFile::new("System.md", text)]));
            english > others
        };
        for text in ["Roll 1d20 + modifiers.", "They sleep under the stars in a caf\u{e9}.", "- Loud: -2 on checks"] {
            assert!(english(text), "{text}");
        }
        for text in [
            "Wirf 1W20 und addiere den Modifikator.",
            "- Force (FOR)\n- Agilit\u{e9} (AGI)",
            "Tira 2d6 y suma el rasgo.",
            "- Esprit (ESP)",
        ] {
            assert!(!english(text), "{text}");
        }
    }
}
