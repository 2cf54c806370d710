//! A refusal: why a call cannot be carried out, and what to send instead.

use rollbook_text::names::shortened;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, sync::LazyLock};

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

/// `summary` says what is wrong and what to send instead. [`Refusal::for_reply`] adds that nothing
/// was changed.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    pub code: Code,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub did_you_mean: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Detail>,
    /// What is wrong in a dice expression. Boxed to keep the refusal small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Box<Fault>>,
    /// The call that does what was meant, where that is known.
    #[serde(rename = "try", default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<Box<Call>>,
    /// What is no part of a reply. Boxed to keep the refusal small.
    #[serde(skip)]
    pub aside: Box<Aside>,
}

/// A call as a client sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    pub tool: String,
    pub arguments: Map<String, Value>,
}

/// The refused call with other arguments, which does what was meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attempt {
    /// The tool, where it is another one, which then gets `set` alone.
    pub tool: Option<&'static str>,
    /// Arguments by their paths: `difficulty`, `opposed_by.character`, `rolls.0.expression`.
    pub set: Vec<(String, Value)>,
    /// Arguments that it leaves out.
    pub without: Vec<String>,
}

/// What code beyond the decision makes use of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aside {
    /// The unknown name as it was sent, for code that adds advice.
    pub unknown: Option<String>,
    /// What a person can be asked so that the call goes on.
    pub choice: Option<Choice>,
    /// What does what was meant.
    pub attempt: Option<Attempt>,
    /// Whether the call acted is not known.
    pub is_open: bool,
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
    /// Whether that is what was probably meant.
    #[serde(skip)]
    pub is_meant: bool,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "[{}] {}",
            self.code.as_str().to_uppercase(),
            self.summary
        )
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
        let (did_you_mean, details, aside) = (Vec::new(), Vec::new(), Box::default());
        Refusal {
            code,
            summary: summary.into(),
            did_you_mean,
            source: None,
            details,
            fault: None,
            attempt: None,
            aside,
        }
    }

    /// What players read where only something hidden can be the reason.
    pub fn not_as_it_is() -> Self {
        Refusal::new(
            Code::NotForPlayers,
            "The table as it is does not allow that. Ask the GM.",
        )
    }

    /// Adds " Send parameter=value", with what follows it in the sentence: the same call with that
    /// does what was meant.
    pub fn send(mut self, parameter: &str, value: impl Into<Value>, after: &str) -> Self {
        let value = value.into();
        let sent = in_text(&value);
        self.summary = format!("{} Send {parameter}={sent}{after}.", self.summary);
        self.trying(None, vec![(parameter.to_owned(), value)])
    }

    /// Adds "Send TOOL argument=value …" with what follows it in the sentence: a call of another tool,
    /// or of this one with other arguments alone, that does what was meant or comes first.
    pub fn send_call(mut self, tool: &'static str, arguments: &Value, after: &str) -> Self {
        let set: Vec<(String, Value)> = arguments
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let pairs: String = set
            .iter()
            .map(|(name, value)| format!(" {name}={}", in_text(value)))
            .collect();
        self.summary = format!("{} Send {tool}{pairs}{after}.", self.summary);
        self.trying(Some(tool), set)
    }

    /// Names what is near to an unknown name; without any, `otherwise`.
    pub fn near(self, parameter: &str, suggestions: Vec<String>, otherwise: &str) -> Self {
        if suggestions.is_empty() {
            return self.and(otherwise);
        }
        self.near_and(parameter, suggestions, "")
    }

    /// Names the suggestions, with what follows in the sentence. Of several it is open which is
    /// meant, so none is tried.
    pub fn near_and(self, parameter: &str, suggestions: Vec<String>, after: &str) -> Self {
        let first = suggestions.first().cloned().unwrap_or_default();
        let refusal = self.and(&format!("Near: {}.", suggestions.join(", ")));
        let refusal = refusal.send(parameter, first, after);
        let refusal = match suggestions.len() {
            1 => refusal,
            _ => refusal.attempted(None),
        };
        refusal.did_you_mean(suggestions)
    }

    /// Adds a sentence.
    pub fn and(mut self, sentence: &str) -> Self {
        self.summary = format!("{} {sentence}", self.summary);
        self
    }

    /// The same refusal of a call in whose place this does what was meant.
    pub fn trying(mut self, tool: Option<&'static str>, set: Vec<(String, Value)>) -> Self {
        let attempt = Attempt {
            tool,
            set,
            without: Vec::new(),
        };
        self.aside.attempt = Some(attempt);
        self
    }

    /// The same refusal with what does what was meant, where that is known.
    pub fn attempted(mut self, attempt: Option<Attempt>) -> Self {
        self.aside.attempt = attempt;
        self
    }

    /// The same, and the call is sent without that argument.
    pub fn without(mut self, parameter: &str) -> Self {
        let attempt = self.aside.attempt.get_or_insert_default();
        attempt.without.push(parameter.to_owned());
        self
    }

    /// Adds what a person can be asked: which of these is sent as that parameter.
    pub fn choosing(
        mut self,
        parameter: &str,
        question: impl Into<String>,
        options: Vec<String>,
    ) -> Self {
        let choice = Choice {
            parameter: parameter.to_owned(),
            question: question.into(),
            options,
        };
        self.aside.choice = Some(choice).filter(|choice| !choice.options.is_empty());
        self
    }

    /// The same refusal, which nobody is asked about.
    pub fn without_choice(mut self) -> Self {
        self.aside.choice = None;
        self
    }

    /// The same of a call of which it is not known whether it acted.
    pub fn not_known(mut self) -> Self {
        self.aside.is_open = true;
        self
    }

    /// One refusal of several: the code of the first, the texts of all, each once.
    pub fn all(mut refused: Vec<Refusal>) -> Refusal {
        refused.dedup();
        let mut refused = refused.into_iter();
        let Some(first) = refused.next() else {
            return Refusal::new(Code::InvalidParameters, "");
        };
        refused.fold(first, |all, next| {
            // One answer would not complete the call.
            let mut all = all.without_choice();
            all.aside.attempt = None;
            Refusal {
                summary: format!("{} {}", all.summary, next.summary),
                did_you_mean: all
                    .did_you_mean
                    .into_iter()
                    .chain(next.did_you_mean)
                    .collect(),
                details: all.details.into_iter().chain(next.details).collect(),
                ..all
            }
        })
    }

    /// One refusal of several items of a list: the code of the first, the texts of the first few,
    /// each with its item's name. What all have alike is there once.
    pub fn of_items(parameter: &str, refused: Vec<(usize, Refusal)>) -> Refusal {
        let Some((_, first)) = refused.first() else {
            return Refusal::all(Vec::new());
        };
        if refused.len() > 1
            && refused
                .iter()
                .all(|(_, refusal)| refusal == first && refusal.details.is_empty())
        {
            return first.clone();
        }
        let text =
            |(nth, refusal): &(usize, Refusal)| format!("{parameter}[{nth}]: {}", refusal.summary);
        let texts: Vec<String> = refused.iter().take(ITEMS_MAX).map(text).collect();
        let more = refused.len().saturating_sub(ITEMS_MAX);
        let more = if more > 0 {
            format!(" And {more} more.")
        } else {
            String::new()
        };
        let mut all = Refusal::new(first.code, format!("{}{more}", texts.join(" ")));
        let mut attempt = Some(Attempt::default());
        for (nth, mut refusal) in refused {
            let mended = refusal.mended().filter(|mended| mended.tool.is_none());
            attempt = attempt.zip(mended).map(|(mut all, mended)| {
                let at = |path: String| format!("{parameter}.{nth}.{path}");
                let set = mended.set.into_iter();
                all.set.extend(set.map(|(path, value)| (at(path), value)));
                all.without.extend(mended.without.into_iter().map(at));
                all
            });
            all.did_you_mean.extend(refusal.did_you_mean);
            all.details.extend(refusal.fault.map(|fault| Detail {
                parameter: format!("{parameter}[{nth}].expression"),
                issue: refusal.summary,
                valid_range: format!("such as {}", fault.example),
            }));
            let named = |detail: Detail| Detail {
                parameter: format!("{parameter}[{nth}].{}", detail.parameter),
                ..detail
            };
            all.details.extend(refusal.details.into_iter().map(named));
        }
        all.attempted(attempt)
    }

    /// The refusal as it is sent: texts shortened, and `untouched` at the end of the summary.
    ///
    /// Only this bounds how much of a caller's own text is echoed.
    pub fn for_reply(mut self, untouched: &str) -> Self {
        self.summary = shortened(&self.summary, SUMMARY_MAX);
        // The store's own refusals say so themselves.
        let has_it = self.summary.to_lowercase().contains("nothing was changed");
        if !untouched.is_empty() && !has_it && !self.aside.is_open {
            self.summary = format!("{} {untouched}", self.summary);
        }
        self.did_you_mean
            .iter_mut()
            .for_each(|name| *name = shortened(name, NAME_MAX));
        if let Some(fault) = &mut self.fault {
            fault.hint = shortened(&fault.hint, DETAIL_MAX);
            fault.example = shortened(&fault.example, DETAIL_MAX);
        }
        self.details.truncate(DETAILS_MAX);
        for Detail {
            parameter,
            issue,
            valid_range,
        } in &mut self.details
        {
            *parameter = shortened(parameter, NAME_MAX);
            *issue = shortened(issue, DETAIL_MAX);
            *valid_range = shortened(valid_range, DETAIL_MAX);
        }
        self
    }

    /// What does what was meant, where that is known.
    fn mended(&mut self) -> Option<Attempt> {
        let fault = self.fault.as_ref().filter(|fault| fault.is_meant);
        let meant = fault.map(|fault| Attempt {
            set: vec![("expression".to_owned(), fault.example.as_str().into())],
            ..Attempt::default()
        });
        self.aside.attempt.take().or(meant)
    }

    /// The refusal with the call that does what was meant; `tool`, `arguments`: the refused one.
    pub fn completed(mut self, tool: &str, arguments: Map<String, Value>) -> Self {
        let Some(Attempt {
            tool: other,
            set,
            without,
        }) = self.mended()
        else {
            return self;
        };
        let of_both = |name: &String| other.is_none() || name == "campaign";
        let sent = arguments.into_iter().filter(|(name, _)| of_both(name));
        let mut arguments = Value::Object(sent.collect());
        for path in without {
            let (outer, name) = path.rsplit_once('.').unwrap_or(("", &path));
            let fields = argument(&mut arguments, outer).and_then(Value::as_object_mut);
            fields.map(|fields| fields.remove(name));
        }
        for (path, value) in set {
            if let Some(place) = argument(&mut arguments, &path) {
                *place = value;
            }
        }
        let Value::Object(arguments) = arguments else {
            return self;
        };
        let tool = other.unwrap_or(tool).to_owned();
        self.attempt = Some(Box::new(Call { tool, arguments }));
        self
    }

    /// All of it in words, for clients that show only text: also near names and bad parameters.
    pub fn in_words(&self) -> String {
        let mut words = self.to_string();
        let names = self.did_you_mean.iter().map(String::as_str);
        let unnamed: Vec<&str> = names.filter(|name| !self.summary.contains(name)).collect();
        if !unnamed.is_empty() {
            words.push_str(&format!(" Did you mean {}?", unnamed.join(", ")));
        }
        for detail in &self.details {
            if !self.summary.contains(&detail.issue) || !self.summary.contains(&detail.valid_range)
            {
                words.push_str(&format!(
                    " {}: {} (valid: {}).",
                    detail.parameter, detail.issue, detail.valid_range
                ));
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
        self.aside.unknown = Some(name.to_owned());
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

/// The place of a path in arguments: an empty one, where that is a field that is not there.
fn argument<'a>(arguments: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    let mut steps = path.split('.').filter(|step| !step.is_empty());
    steps.try_fold(arguments, |value, step| match value {
        Value::Object(fields) => Some(fields.entry(step).or_insert_with(|| Map::new().into())),
        Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    })
}

/// A value as calls are written in sentences: `["Wolf 1", "Wolf 2"]`.
fn in_text(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(in_text).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                format!("{}: {}", Value::from(name.as_str()), in_text(value))
            };
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// Codes of the dice keep their names.
impl From<rollbook_dice::Code> for Code {
    fn from(code: rollbook_dice::Code) -> Self {
        Code::named(code.as_str()).unwrap_or(Code::UnparseableInput)
    }
}

/// The stable names of refusals, each with its page for `rollbook explain`, never used otherwise.
///
/// Makes [`Code`]: a variant each, its name in replies, and the title of its page in `codes.md`.
macro_rules! codes {
    ($($name:ident = $code:literal, $title:literal;)*) => {
        /// Why a call was refused.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Code {
            $(#[doc = $title] #[serde(rename = $code)] $name,)*
        }

        impl Code {
            /// Every code, in the order of this file.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The name in replies and playtests, in snake case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }
        }
    };
}

codes! {
    InvalidParameters = "invalid_parameters", "The parameters of a call are wrong";
    LimitExceeded = "limit_exceeded", "A limit was passed";
    MissingValue = "missing_value", "A value that the call needs is not known";
    NotForPlayers = "not_for_players", "The table as it is does not allow what a player asks";
    NoEffect = "no_effect", "The call would change nothing";
    RequestIdConflict = "request_id_conflict", "A `request_id` was used for another call";
    AmbiguousName = "ambiguous_name", "A name could mean several";
    DuplicateName = "duplicate_name", "A name is taken";
    NamesHidden = "names_hidden", "A text for players names somebody whom they do not see";
    UnknownAttribute = "unknown_attribute", "The rules have no such attribute";
    UnknownSkill = "unknown_skill", "The rules have no such skill, or the sheet does not";
    UnknownAttack = "unknown_attack", "The character has no such attack";
    UnknownCheck = "unknown_check", "The rules have no such check";
    UnknownDifficulty = "unknown_difficulty", "The rules have no such difficulty";
    UnknownTrack = "unknown_track", "The rules have no such track";
    UnknownRest = "unknown_rest", "The rules have no such rest";
    UnknownCondition = "unknown_condition", "The rules declare no such condition";
    UnknownAdvance = "unknown_advance", "The rules declare nothing that can be spent on this";
    UnknownMitigation = "unknown_mitigation", "Nothing lessens damage by this name";
    UnknownRule = "unknown_rule", "The rules have no item of this kind and name";
    UnknownPage = "unknown_page", "The adventure has no such page, or no such random table";
    UnknownCampaign = "unknown_campaign", "There is no such campaign";
    UnknownCharacter = "unknown_character", "Nobody in the campaign has this name";
    UnknownTemplate = "unknown_template", "No template has this name";
    UnknownCombatant = "unknown_combatant", "Nobody in this fight has this name";
    UnknownEffect = "unknown_effect", "There is no such effect";
    UnknownEntry = "unknown_entry", "There is no such entry in the log, or not near enough to its end";
    UnknownItem = "unknown_item", "Somebody does not own such a thing";
    WhichCharacter = "which_character", "Several characters are on the page";
    WhichEntry = "which_entry", "Several blocks are on the page";
    WhichFollowUp = "which_follow_up", "A check can be followed in several ways";
    WhichTrack = "which_track", "The rules leave open which track takes a point";
    NoCharacter = "no_character", "Nobody was named, and nobody can be assumed";
    IsRetired = "is_retired", "Somebody who left the story was named";
    IsTemplate = "is_template", "A template was named";
    InCombat = "in_combat", "Somebody in a fight was named";
    CannotAct = "cannot_act", "Somebody who cannot act was named";
    TargetDead = "target_dead", "A dead character was named";
    TargetDown = "target_down", "Somebody who is to be attacked is down";
    NotTheirTurn = "not_their_turn", "It is somebody else's turn";
    NotEnough = "not_enough", "Somebody has less than the call takes";
    NotYet = "not_yet", "What this takes has not been earned";
    NotWhile = "not_while", "The check is made only in a certain state";
    WhichCheck = "which_check", "Several checks could be made, and the rules do not say which";
    NotACheck = "not_a_check", "The entry is not the roll of a check";
    NoFollowUp = "no_follow_up", "These rules follow no check";
    AlreadyFollowed = "already_followed", "The check was followed already";
    WrongOutcome = "wrong_outcome", "The check did not come out so that it can be followed";
    NoRules = "no_rules", "The rules have no checks";
    RuleBroken = "rule_broken", "A rule cannot be carried out";
    NoDiceChain = "no_dice_chain", "The rules have no dice chain";
    NoCombat = "no_combat", "No fight is going on";
    CombatRunning = "combat_running", "A fight is going on";
    NoTurns = "no_turns", "This fight has no turns";
    FixedStructure = "fixed_structure", "The rules have fights with turns only, or without turns only";
    NoPreviousTurn = "no_previous_turn", "There is no turn to go back to";
    NobodyUp = "nobody_up", "Nobody in the fight can act";
    CannotDelay = "cannot_delay", "Somebody has no turn that can be delayed";
    NoSession = "no_session", "No session is open";
    SessionOpen = "session_open", "A session is open";
    NotSealed = "not_sealed", "The entry cannot be opened";
    NothingToUndo = "nothing_to_undo", "There is nothing to undo";
    AlreadyUndone = "already_undone", "The entry is undone";
    ChangedSince = "changed_since", "What an entry changed was changed since";
    StillNeeded = "still_needed", "What an entry made is in use";
    TooOld = "too_old", "The entry lies too far back";
    InvalidDocument = "invalid_document", "The file is no character or monster";
    InvalidSheet = "invalid_sheet", "A character cannot be made of the block";
    Empty = "empty", "No dice were written";
    UnparseableInput = "unparseable_input", "The text is neither notation nor plain English";
    InvalidDie = "invalid_die", "A die that cannot exist";
    InvalidKeep = "invalid_keep", "Keep or drop that contradicts itself";
    InvalidAdvantageUsage = "invalid_advantage_usage", "Advantage without exactly one d20";
    OutOfScopeSyntax = "out_of_scope_syntax", "Notation of another program that Rollbook does not have";
    Ambiguous = "ambiguous", "Programs read the text differently";
    TypeMix = "type_mix", "Successes are mixed with pips";
    Duplicate = "duplicate", "One modifier stands twice";
    NonTerminating = "non_terminating", "Dice that may explode or be rerolled for ever";
    DivZero = "div_zero", "A division that may be by zero";
    Overflow = "overflow", "A number that may become too large";
    DrawFailed = "draw_failed", "The operating system gave no randomness";
    Busy = "busy", "The database is in use";
    Cancelled = "cancelled", "The call was taken back before its turn came";
    TimedOut = "timed_out", "The call took too long and was taken back";
    NotConfirmed = "not_confirmed", "What the call does cannot be taken back, and nobody confirmed it";
    Declined = "declined", "The person who was asked declined";
    TooSoon = "too_soon", "A tool was called again before its cool-down was over";
    UnknownTool = "unknown_tool", "There is no such tool";
    ToolFailed = "tool_failed", "A tool that is not Rollbook's own failed";
    Closed = "closed", "The server is shutting down";
    Clock = "clock", "The computer's clock cannot be right";
    Disk = "disk", "The disk is full or cannot be written, or the database server only reads";
    Moved = "moved", "The database is not where it was opened";
    NotOpened = "not_opened", "The database cannot be opened";
    NewerSchema = "newer_schema", "A newer Rollbook wrote the database";
    Unreachable = "unreachable", "The database server cannot be reached, or gave the call up";
    Damaged = "damaged", "The database is damaged, or was changed by hand";
    CampaignLost = "campaign_lost", "A campaign that was here is gone";
    HistoryLost = "history_lost", "The log is shorter than it was";
    Continued = "continued", "The campaign's log goes on in another";
    NoLoss = "no_loss", "There is no loss to accept";
}

impl Code {
    /// The code of this name.
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str() == name)
    }

    /// What it means and what to do, as Markdown: a title and lines of text.
    pub fn page(self) -> &'static str {
        static PAGES: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
            let pages = include_str!("codes.md")
                .split("## ")
                .filter_map(|page| page.trim_end().split_once("\n\n"));
            let titled = pages.filter_map(|(code, text)| {
                let title = Code::named(code)?.title();
                Some((
                    code,
                    format!("# {title}\n\n {}\n", text.replace('\n', "\n ")),
                ))
            });
            titled.collect()
        });
        PAGES.get(self.as_str()).map_or("", String::as_str)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_known_by_its_name_and_the_dice_keep_theirs() {
        for code in Code::ALL.iter().copied() {
            assert_eq!(Code::named(code.as_str()), Some(code));
            assert_eq!(serde_json::to_value(code).expect("a name"), code.as_str());
            let (title, text) = code.page().split_once("\n\n").expect("a title and a text");
            assert!(
                title.starts_with("# ") && !title.contains('\n') && text.trim().ends_with('.'),
                "{code}: {title}"
            );
        }
        for code in rollbook_dice::Code::ALL {
            assert_eq!(Code::from(code).as_str(), code.as_str());
        }
    }
}
