//! A refusal: why a call cannot be carried out, and what to send instead.

mod code;

use serde::{Deserialize, Serialize};

pub use code::Code;

use rollbook_text::names::shortened;

/// Characters of a summary.
const SUMMARY_MAX: usize = 560;
/// Characters of a name or a parameter in a refusal.
const NAME_MAX: usize = 80;
/// Characters of what is wrong with one parameter, and of what it takes.
const DETAIL_MAX: usize = 300;
/// Items of a list whose faults are in the summary.
const ITEMS_MAX: usize = 5;
/// Details in one refusal.
const DETAILS_MAX: usize = 20;

/// What a decision comes to: refused, unless something else is named.
pub type Result<T, E = Refusal> = std::result::Result<T, E>;

/// `summary` says what is wrong and what to send instead. That nothing was changed is added for the reply, see
/// [`Refusal::for_reply`].
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    pub code: Code,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub did_you_mean: Vec<String>,
    /// The rule's place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Detail>,
    /// What is wrong in a dice expression. Boxed to keep the refusal small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Box<Fault>>,
    /// What is no part of a reply. Boxed to keep the refusal small.
    #[serde(skip)]
    pub aside: Option<Box<Aside>>,
}

/// What code beyond the decision makes use of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aside {
    /// The unknown name as it was sent, for code that adds advice.
    unknown: Option<String>,
    /// What a person can be asked so that the call goes on.
    choice: Option<Choice>,
    /// Whether the call acted is not known.
    is_open: bool,
}

/// A question for the person at the table, whose answer completes the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// As which parameter the answer is sent.
    pub parameter: String,
    pub question: String,
    /// What can be sent; at least one.
    pub options: Vec<String>,
}

/// What is wrong in a dice expression, for a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The byte range in the text as it was sent.
    pub span: [usize; 2],
    pub hint: String,
    /// An expression that would be accepted.
    pub example: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}] {}", self.code.as_str().to_uppercase(), self.summary)
    }
}

impl std::error::Error for Refusal {}

/// One bad parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    pub parameter: String,
    pub issue: String,
    pub valid_range: String,
}

impl Refusal {
    /// A refusal with its code and summary.
    pub fn new(code: Code, summary: impl Into<String>) -> Self {
        let (did_you_mean, details) = (Vec::new(), Vec::new());
        Refusal { code, summary: summary.into(), did_you_mean, source: None, details, fault: None, aside: None }
    }

    /// What players read where only something hidden can be the reason.
    pub fn not_as_it_is() -> Self {
        Refusal::new(Code::NotForPlayers, "The table as it is does not allow that. Ask the GM.")
    }

    /// Adds what a person can be asked: which of these is sent as that parameter.
    pub fn choosing(mut self, parameter: &str, question: impl Into<String>, options: Vec<String>) -> Self {
        let choice = Choice { parameter: parameter.to_owned(), question: question.into(), options };
        self.aside.get_or_insert_default().choice = Some(choice).filter(|choice| !choice.options.is_empty());
        self
    }

    /// What a person can be asked so that the call goes on.
    pub fn choice(&self) -> Option<&Choice> {
        self.aside.as_ref()?.choice.as_ref()
    }

    /// The same, to be named as the call named it.
    pub fn choice_mut(&mut self) -> Option<&mut Choice> {
        self.aside.as_mut()?.choice.as_mut()
    }

    /// The same refusal, which nobody is asked about.
    pub fn without_choice(mut self) -> Self {
        self.aside.iter_mut().for_each(|aside| aside.choice = None);
        self
    }

    /// The same of a call of which it is not known whether it acted.
    pub fn not_known(mut self) -> Self {
        self.aside.get_or_insert_default().is_open = true;
        self
    }

    /// Whether it is known that the call did not act.
    pub fn is_sure(&self) -> bool {
        !self.aside.as_ref().is_some_and(|aside| aside.is_open)
    }

    /// The unknown name as it was sent.
    pub fn unknown_name(&self) -> Option<&str> {
        self.aside.as_ref()?.unknown.as_deref()
    }

    /// One refusal of several: the code of the first, the texts of all; one that is there several times is said once.
    pub fn all(mut refused: Vec<Refusal>) -> Refusal {
        refused.dedup();
        let mut refused = refused.into_iter();
        let Some(first) = refused.next() else { return Refusal::new(Code::InvalidParameters, "") };
        refused.fold(first, |all, next| {
            // One answer would not complete the call.
            let all = all.without_choice();
            Refusal {
                summary: format!("{} {}", all.summary, next.summary),
                did_you_mean: all.did_you_mean.into_iter().chain(next.did_you_mean).collect(),
                details: all.details.into_iter().chain(next.details).collect(),
                ..all
            }
        })
    }

    /// One refusal of several items of a list: the code of the first, the texts of the first few, each with its item's name. What is
    /// wrong with all of them alike is said once, without a name.
    pub fn of_items(parameter: &str, refused: Vec<(usize, Refusal)>) -> Refusal {
        let Some((_, first)) = refused.first() else { return Refusal::all(Vec::new()) };
        if refused.len() > 1 && refused.iter().all(|(_, refusal)| refusal == first && refusal.details.is_empty()) {
            return first.clone();
        }
        let text = |(nth, refusal): &(usize, Refusal)| format!("{parameter}[{nth}]: {}", refusal.summary);
        let texts: Vec<String> = refused.iter().take(ITEMS_MAX).map(text).collect();
        let more = refused.len().saturating_sub(ITEMS_MAX);
        let more = if more > 0 { format!(" And {more} more.") } else { String::new() };
        let mut all = Refusal::new(first.code, format!("{}{more}", texts.join(" ")));
        for (nth, refusal) in refused {
            all.did_you_mean.extend(refusal.did_you_mean);
            all.details.extend(refusal.fault.map(|fault| Detail {
                parameter: format!("{parameter}[{nth}].expression"),
                issue: refusal.summary,
                valid_range: format!("such as {}", fault.example),
            }));
            let named =
                |detail: Detail| Detail { parameter: format!("{parameter}[{nth}].{}", detail.parameter), ..detail };
            all.details.extend(refusal.details.into_iter().map(named));
        }
        all
    }

    /// The refusal as it is sent: texts shortened, and `untouched` at the end of the summary.
    ///
    /// Only this bounds how much of a caller's own text is echoed.
    pub fn for_reply(mut self, untouched: &str) -> Self {
        self.summary = shortened(&self.summary, SUMMARY_MAX);
        // The store's own refusals say so themselves.
        let has_it = self.summary.to_lowercase().contains("nothing was changed");
        if !untouched.is_empty() && !has_it && self.is_sure() {
            self.summary = format!("{} {untouched}", self.summary);
        }
        self.did_you_mean.iter_mut().for_each(|name| *name = shortened(name, NAME_MAX));
        if let Some(fault) = &mut self.fault {
            fault.hint = shortened(&fault.hint, DETAIL_MAX);
            fault.example = shortened(&fault.example, DETAIL_MAX);
        }
        self.details.truncate(DETAILS_MAX);
        for Detail { parameter, issue, valid_range } in &mut self.details {
            *parameter = shortened(parameter, NAME_MAX);
            *issue = shortened(issue, DETAIL_MAX);
            *valid_range = shortened(valid_range, DETAIL_MAX);
        }
        self
    }

    /// All of it in words, for clients that show only text: the summary, and what it does not say yet of near names and of bad
    /// parameters.
    pub fn in_words(&self) -> String {
        let mut words = self.to_string();
        let names = self.did_you_mean.iter().map(String::as_str);
        let unnamed: Vec<&str> = names.filter(|name| !self.summary.contains(name)).collect();
        if !unnamed.is_empty() {
            words.push_str(&format!(" Did you mean {}?", unnamed.join(", ")));
        }
        for detail in &self.details {
            if !self.summary.contains(&detail.issue) || !self.summary.contains(&detail.valid_range) {
                words.push_str(&format!(" {}: {} (valid: {}).", detail.parameter, detail.issue, detail.valid_range));
            }
        }
        words
    }

    /// Adds suggestions.
    pub fn did_you_mean(mut self, names: Vec<String>) -> Self {
        self.did_you_mean = names;
        self
    }

    /// Adds the name that nothing has.
    pub fn unknown(mut self, name: &str) -> Self {
        self.aside.get_or_insert_default().unknown = Some(name.to_owned());
        self
    }

    /// Adds the rule's place.
    pub fn at(mut self, source: impl ToString) -> Self {
        self.source = Some(source.to_string().into_boxed_str());
        self
    }

    /// Adds the bad parameters.
    pub fn details(mut self, details: Vec<Detail>) -> Self {
        self.details = details;
        self
    }
}

/// Codes of the dice keep their names.
impl From<rollbook_dice::Code> for Code {
    fn from(code: rollbook_dice::Code) -> Self {
        Code::named(code.as_str()).unwrap_or(Code::UnparseableInput)
    }
}
