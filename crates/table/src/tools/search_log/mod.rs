//! `search_log`: finds what happened. A player's seat searches what players saw, by their numbers.

mod statistics;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::get_time::moment;
use super::manage_session::shown_to;
use super::reply::{fields, invalid};
use super::schema::Object;
use super::tool::{Alias, Call, Category, Tool};
use crate::session::live::{COUNTED_MAX, Found, LogSearch, View, roll, seen_fields};
use crate::session::{Answer, CallError, Common, Host, Purpose, Wants};
use rollbook_game::record::entry::Visibility;
use rollbook_game::record::event::Event;
use rollbook_game::record::instant::iso;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::view::Audience;
use rollbook_game::view::number::{EntryNumber, Numbers};
use rollbook_game::view::recap::{LoggedEntry, Undone};
use rollbook_game::view::visibility::visible_without_dice;
use rollbook_game::view::words::Asked;
use rollbook_game::zone::Zone;
use rollbook_rules::Outcome;
use rollbook_text::names::{quoted, shortened, suggest};
use statistics::Statistics;

/// Entries of one page, unless the call says otherwise, and at most.
const PAGE: u64 = 20;
const PAGE_MAX: u64 = 50;
/// Characters of an entry's line.
const LINE_MAX: usize = 300;

pub struct SearchLog;

/// What to look for; all of it has to be true of an entry.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    /// Words that all stand in it: "reeve key"; lock* finds their beginnings.
    text: Option<String>,
    /// roll, check, damage, note, turn_began, undone, …
    kind: Option<String>,
    /// Who acted or rolled, or whom it is about: a name, or words of it that follow each other.
    character: Option<String>,
    /// At whom.
    target: Option<String>,
    /// Or attribute.
    skill: Option<String>,
    /// success, critical_failure, …
    outcome: Option<String>,
    session: Option<u32>,
    /// A moment, in UTC unless it says its zone: "2026-03-01 19:30".
    since: Option<String>,
    /// Before it.
    until: Option<String>,
    /// Shows this one in full: 128, or "P12" as players count.
    entry: Option<EntryNumber>,
    /// Counts all that is found: kinds, checks, dice.
    statistics: Option<bool>,
    /// Else 20.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u64>,
    /// Of the reply before, for what is earlier.
    cursor: Option<String>,
}

/// A page of entries, the latest first; or one in full.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    Page {
        /// {entry, players_entry, session, time, kind, for, text, undone}; `for` is who may see it,
        /// `undone` what was taken back since.
        #[schemars(with = "Vec<Object>")]
        found: Vec<Line>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<Object>")]
        statistics: Option<Statistics>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cursor: Option<String>,
    },
    Entry(Map<String, Value>),
}

/// A line of what was found.
#[derive(Debug, Serialize)]
pub struct Line {
    /// Without one it is for this player alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryNumber>,
    /// For the GM: the number that players know it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub players_entry: Option<EntryNumber>,
    #[serde(skip)]
    pub numbers: Option<Numbers>,
    pub session: u32,
    pub time: String,
    pub kind: String,
    pub r#for: String,
    pub text: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

/// Before the sentence of what was taken back since.
pub const TAKEN_BACK: &str = "(taken back)";

impl Tool for SearchLog {
    const NAME: &'static str = "search_log";
    const TITLE: &'static str = "Search the log";
    const DESCRIPTION: &'static str = "Finds what happened, the latest first: by words, kind, character, target, skill, outcome, session and \
        time, all of which have to be true. A line an entry; entry=128 shows one in full. statistics=true counts what is found.";
    const CATEGORY: Category = Category::Log;
    const SEARCH_HINT: &'static str =
        "find in the history, what happened weeks ago, who said, past rolls, how often, statistics";
    const READ_ONLY: bool = true;
    const ALIASES: &'static [Alias] = &[
        (&["query", "words", "search"], "text"),
        (&["type"], "kind"),
        (&["who", "name", "actor"], "character"),
        (&["against"], "target"),
        (&["attribute"], "skill"),
        (&["result"], "outcome"),
        (&["number", "log"], "entry"),
        (&["from"], "since"),
        (&["to"], "until"),
        (&["stats"], "statistics"),
        (&["count"], "limit"),
        (&["page", "next"], "cursor"),
    ];
    const BRIEF: &'static [&'static str] = &["found", "statistics", "cursor"];
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, mut call: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        let audience = match call.request.caller.player() {
            Some(_) => Audience::Player,
            None => Audience::Gm,
        };
        let wanted = wanted(&params, audience)?;
        call.request.wants = Some(Wants::Search(Box::new(wanted.clone())));
        let campaign = host
            .campaign(call.campaign.as_deref(), Purpose::Read)
            .await?;
        campaign.index().await?;
        campaign
            .read(call.request, |view: &View| answer(view, &wanted))
            .await
    }
}

fn wanted(params: &Params, audience: Audience) -> Result<LogSearch, Refusal> {
    let written = |text: &Option<String>| {
        text.as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let zone = Zone::named("UTC")?;
    let at = |name: &str, text: &Option<String>| {
        written(text)
            .map(|text| moment(name, &text, &zone).map(|at| at.timestamp_micros()))
            .transpose()
    };
    let limit = params.limit.unwrap_or(PAGE);
    if !(1..=PAGE_MAX).contains(&limit) {
        return Err(refused(
            "limit",
            &limit.to_string(),
            &format!("1 to {PAGE_MAX}"),
        ));
    }
    let before = written(&params.cursor).map(|cursor| {
        let number = cursor.parse().ok().filter(|number| *number > 0);
        number.ok_or_else(|| refused("cursor", &cursor, "the cursor of the reply before, or none"))
    });
    let asked = Asked {
        text: written(&params.text),
        kind: written(&params.kind)
            .map(|kind| known_kind(&kind))
            .transpose()?,
        character: written(&params.character),
        target: written(&params.target),
        skill: written(&params.skill),
        outcome: written(&params.outcome)
            .map(|outcome| known_outcome(&outcome))
            .transpose()?,
    };
    if let Some((name, text)) = asked.without_words() {
        return Err(refused(
            name,
            text,
            "words that stand in an entry, or is left out",
        ));
    }
    Ok(LogSearch {
        audience,
        reader: None,
        asked,
        session: params.session,
        since: at("since", &params.since)?,
        until: at("until", &params.until)?,
        before: before.transpose()?,
        limit: u32::try_from(limit).unwrap_or(1),
        statistics: params.statistics.unwrap_or(false),
        entry: params.entry,
    })
}

fn refused(parameter: &str, sent: &str, takes: &str) -> Refusal {
    invalid(
        parameter,
        &quoted(sent),
        takes,
        format!("{parameter} \"{}\"; it takes {takes}.", quoted(sent)),
    )
}

fn known_kind(kind: &str) -> Result<String, Refusal> {
    let named = kind.to_lowercase().replace([' ', '-'], "_");
    if Event::KINDS.contains(&named.as_str()) || named == "hidden" {
        return Ok(named);
    }
    let suggestions = suggest(&named, Event::KINDS);
    let first = suggestions
        .first()
        .map_or(String::new(), |first| format!(" such as {first}"));
    let summary = format!(
        "kind \"{}\"; it takes a kind of entry{first}, one of valid_range.",
        quoted(kind)
    );
    Err(invalid("kind", &quoted(kind), &Event::KINDS.join(", "), summary).did_you_mean(suggestions))
}

fn known_outcome(outcome: &str) -> Result<Outcome, Refusal> {
    Outcome::named(outcome).ok_or_else(|| {
        let all = Outcome::ALL.map(|outcome| outcome.as_str().replace(' ', "_"));
        refused("outcome", outcome, &all.join(", "))
            .did_you_mean(suggest(outcome, all.iter().map(String::as_str)))
    })
}

fn answer(view: &View, wanted: &LogSearch) -> Result<Answer<Reply>, Refusal> {
    let found = &view.past.found;
    let Found {
        entries,
        more,
        counted,
        uncounted,
        undone,
    } = found;
    if let Some(number) = wanted.entry {
        let Some((numbers, logged)) = entries.first() else {
            let number = number.meant_by(wanted.audience);
            let summary =
                format!("There is no entry {number}. Leave entry out, and say what to look for.");
            return Err(Refusal::new(Code::UnknownEntry, summary));
        };
        return Ok(in_full(
            view,
            wanted.audience,
            (*numbers, logged),
            undone.holds(logged.seq),
        ));
    }
    let found: Vec<Line> = entries
        .iter()
        .filter_map(|(number, logged)| line(*number, logged, wanted.audience, undone))
        .collect();
    let cursor = found
        .last()
        .filter(|_| *more)
        .and_then(|last| Some(last.entry?.value().to_string()));
    let statistics = wanted
        .statistics
        .then(|| Statistics::of(counted, wanted.audience));
    let mut parts = match found.len() {
        0 if wanted.before.is_some() => vec!["Nothing earlier was found.".to_owned()],
        0 => {
            vec!["Nothing in the log fits. Leave a filter out, or send fewer words; lock* finds beginnings.".to_owned()]
        }
        _ => found
            .iter()
            .take(3)
            .map(|found| match found.numbers {
                Some(numbers) => format!("{numbers}: {}", found.marked()),
                None => format!("For {} alone: {}", found.r#for, found.marked()),
            })
            .collect(),
    };
    if found.len() > 3 {
        parts.push(format!("And {} more on this page.", found.len() - 3));
    }
    parts.extend(statistics.as_ref().map(Statistics::summary));
    let noted = uncounted.then(|| {
        format!(
            "Only the latest {COUNTED_MAX} were counted; session, since and until choose others."
        )
    });
    let common = Common {
        next: cursor
            .as_ref()
            .map(|cursor| format!("cursor=\"{cursor}\" shows what is earlier.")),
        noted: noted.into_iter().collect(),
        ..Common::of(parts.join(" "))
    };
    Ok(Answer::new(
        common,
        Reply::Page {
            found,
            statistics,
            cursor,
        },
    ))
}

/// A line of an entry, as the audience sees it.
pub fn line(
    numbers: Option<Numbers>,
    logged: &LoggedEntry,
    audience: Audience,
    undone: &Undone,
) -> Option<Line> {
    let entry = &logged.entry;
    let (kind, shown_to, text) = match audience {
        Audience::Gm => (
            entry.event.kind().to_owned(),
            entry.shown_to(),
            visible_without_dice(entry, Audience::Gm, true)?.text,
        ),
        Audience::Player => {
            let seen = logged.players.as_ref()?;
            let shown_to = match seen.visibility {
                // What is the GM's is seen by the one player for whom it is.
                Visibility::Gm => entry.shown_to(),
                shown => shown.as_str(),
            };
            (seen.kind.clone(), shown_to, seen.text.clone())
        }
    };
    Some(Line {
        entry: numbers.map(Numbers::first),
        players_entry: numbers.and_then(Numbers::beside),
        numbers,
        session: entry.session,
        time: iso(entry.at),
        kind,
        r#for: shown_to.to_owned(),
        text: shortened(&text, LINE_MAX),
        undone: undone.holds(logged.seq),
    })
}

impl Line {
    /// Its sentence, and before it that it was taken back.
    pub fn marked(&self) -> String {
        if self.undone {
            format!("{TAKEN_BACK} {}", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// What a player saw of an entry: no ids, which the log has for hidden entries, too.
fn to_player(logged: &LoggedEntry) -> (Common, Option<Map<String, Value>>) {
    let Some(seen) = &logged.players else {
        return (Common::of("Players see nothing of it."), None);
    };
    let mut reply = seen_fields(
        seen.rolls.iter().map(roll).collect(),
        seen.outcome,
        seen.label.clone(),
    );
    reply.extend(fields(&json!({
        "kind": seen.kind,
        "actor": seen.actor,
        "timestamp": iso(seen.at),
        "visibility": seen.visibility.as_str(),
    })));
    (Common::of(seen.text.clone()), Some(reply))
}

/// One entry in full; for the GM as `manage_session` shows it.
fn in_full(
    view: &View,
    audience: Audience,
    (numbers, logged): (Option<Numbers>, &LoggedEntry),
    undone: bool,
) -> Answer<Reply> {
    let (mut common, mut reply) = match audience {
        Audience::Gm => shown_to(view, logged, audience),
        Audience::Player => to_player(logged),
    };
    if undone {
        common.summary = format!("{TAKEN_BACK} {}", common.summary);
    }
    if let (Some(n), Some(reply)) = (numbers.and_then(Numbers::beside), &mut reply) {
        reply.insert("players_entry".to_owned(), json!(n));
    }
    Answer {
        is_whole: true,
        ..Answer::new(common, reply.map(Reply::Entry))
    }
}
