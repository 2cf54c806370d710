//! `get_time`: what time it is, here or elsewhere, and how long it is between two moments.

use chrono::{DateTime, TimeDelta, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tool::{Alias, Call, Category, Tool};
use crate::session::{Answer, CallError, Common, Host};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::zone::Zone;
use rollbook_text::names::quoted;

/// The zone where none is named.
const UTC: &str = "UTC";

pub struct GetTime;

/// Where, in which form, and between which moments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    /// "Europe/Berlin", as the IANA names it; else UTC.
    timezone: Option<String>,
    format: Option<Format>,
    /// A moment, for the time since: "2026-03-01", "2026-03-01 19:30", "2026-03-01T19:30:00Z".
    since: Option<String>,
    /// Where that time ends; else now.
    until: Option<String>,
}

/// How a moment is written.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    #[default]
    Full,
    Date,
    Time,
    Iso,
}

/// The moment, and how long it is after the other one.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    time: String,
    timezone: String,
    /// From since to until, or to now.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
    // The same in seconds; below zero where until lies before since.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<i64>,
}

impl Tool for GetTime {
    const NAME: &'static str = "get_time";
    const TITLE: &'static str = "Date and time";
    const DESCRIPTION: &'static str = "The date and time of the world outside the game, in any time zone; with since, how long ago that was, \
        or how long it is until until.";
    const CATEGORY: Category = Category::Utility;
    const SEARCH_HINT: &'static str = "clock, date, time zone";
    const READ_ONLY: bool = true;
    const ALIASES: &'static [Alias] = &[
        (&["zone", "tz", "time_zone"], "timezone"),
        (&["from"], "since"),
        (&["to"], "until"),
    ];
    const BRIEF: &'static [&'static str] = &["time", "timezone", "difference", "seconds"];
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, _: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        let now = DateTime::from_timestamp_micros(host.now()).ok_or_else(|| {
            CallError::Failure("the clock says a year that there is not".to_owned())
        })?;
        Ok(answer(now, &params)?)
    }
}

fn answer(now: DateTime<Utc>, params: &Params) -> Result<Answer<Reply>, Refusal> {
    let zone = Zone::named(params.timezone.as_deref().unwrap_or(UTC))?;
    let moment = |name: &str, text: &Option<String>| {
        text.as_deref()
            .map(|text| moment(name, text, &zone))
            .transpose()
    };
    let (since, until) = (
        moment("since", &params.since)?,
        moment("until", &params.until)?,
    );
    let between =
        (since.is_some() || until.is_some()).then(|| until.unwrap_or(now) - since.unwrap_or(now));
    let format = params.format.unwrap_or_default();
    let (time, timezone) = (written(now, &zone, format), zone.name().to_owned());
    // UTC is called so in the forms that say what the time is called.
    let place = match format {
        Format::Full | Format::Time if timezone == UTC => String::new(),
        Format::Full | Format::Time | Format::Date | Format::Iso => format!(" ({timezone})"),
    };
    let mut summary = format!("It is {time}{place}.");
    let difference = between.map(length);
    if let Some(difference) = &difference {
        let named = |text: &Option<String>| text.as_deref().map_or("now".to_owned(), quoted);
        summary.push_str(&format!(
            " From {} to {}: {difference}.",
            named(&params.since),
            named(&params.until)
        ));
    }
    let seconds = between.map(|between| between.num_seconds());
    Ok(Answer::new(
        Common::of(summary),
        Reply {
            time,
            timezone,
            difference,
            seconds,
        },
    ))
}

fn written(now: DateTime<Utc>, zone: &Zone, format: Format) -> String {
    let form = match format {
        Format::Full => "%A, %B %d, %Y at %I:%M %p %Z",
        Format::Date => "%Y-%m-%d",
        Format::Time => "%H:%M:%S %Z",
        Format::Iso => "%Y-%m-%dT%H:%M:%S%:z",
    };
    zone.at(now).format(form).to_string()
}

/// A length of time in its two largest units: `3 days and 4 hours`; `back` where it is negative.
fn length(between: TimeDelta) -> String {
    let mut left = between.num_seconds().unsigned_abs();
    let mut parts = Vec::new();
    for (unit, size) in [
        ("day", 86_400),
        ("hour", 3600),
        ("minute", 60),
        ("second", 1),
    ] {
        let many = left / size;
        left %= size;
        if many > 0 {
            parts.push(format!("{many} {unit}{}", if many == 1 { "" } else { "s" }));
        }
    }
    parts.truncate(2);
    match (parts.is_empty(), between < TimeDelta::zero()) {
        (true, _) => "no time".to_owned(),
        (false, true) => format!("{} back", parts.join(" and ")),
        (false, false) => parts.join(" and "),
    }
}

/// A moment as it is written; without a zone of its own it is one of `zone`.
pub(super) fn moment(parameter: &str, text: &str, zone: &Zone) -> Result<DateTime<Utc>, Refusal> {
    zone.written(text).map_err(|issue| {
        let advice = format!(
            "Send {parameter}=\"2026-03-01 19:30\", or with its zone \"2026-03-01T19:30:00Z\"."
        );
        let summary = format!("{parameter} \"{}\" {issue}. {advice}", quoted(text.trim()));
        Refusal::new(Code::InvalidParameters, summary)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Sunday in summer.
    fn now() -> DateTime<Utc> {
        DateTime::parse_from_rfc3339("2026-07-05T17:04:09Z")
            .unwrap()
            .to_utc()
    }

    fn params(timezone: &str, format: Format) -> Params {
        Params {
            timezone: Some(timezone.to_owned()),
            format: Some(format),
            since: None,
            until: None,
        }
    }

    fn reply(params: &Params) -> serde_json::Value {
        serde_json::to_value(answer(now(), params).unwrap()).unwrap()
    }

    #[test]
    fn differences_are_counted_between_moments() {
        let between = |since: Option<&str>, until: Option<&str>| {
            let of = |text: Option<&str>| text.map(str::to_owned);
            let params = Params {
                since: of(since),
                until: of(until),
                ..params("Europe/Berlin", Format::Iso)
            };
            let reply = reply(&params);
            (
                reply["seconds"].as_i64().unwrap(),
                reply["difference"].as_str().unwrap().to_owned(),
            )
        };
        assert_eq!(
            between(Some("2026-07-05T17:00:00Z"), None),
            (249, "4 minutes and 9 seconds".to_owned())
        );
        assert_eq!(between(Some("2026-07-05 19:04:09"), None).0, 0);
        // The night in which clocks are put forward has 23 hours.
        assert_eq!(
            between(Some("2026-03-29"), Some("2026-03-30")),
            (82_800, "23 hours".to_owned())
        );
        assert_eq!(
            between(Some("2026-03-02 10:00"), Some("2026-03-01 09:00")).1,
            "1 day and 1 hour back"
        );
        assert_eq!(between(None, Some("2026-07-06 19:04:09")).1, "1 day");
    }

    #[test]
    fn what_is_no_moment_is_refused_with_one_that_is() {
        let berlin = Zone::named("Europe/Berlin").unwrap();
        for wrong in ["tomorrow", "2026-13-01", "19:30", ""] {
            let refusal = moment("since", wrong, &berlin).unwrap_err();
            assert!(
                refusal.summary.contains("since=\"2026-03-01 19:30\""),
                "{}",
                refusal.summary
            );
        }
        let gap = moment("since", "2026-03-29 02:30", &berlin).unwrap_err();
        assert!(gap.summary.contains("left out"), "{}", gap.summary);
        assert!(moment("since", "2026-03-01 19:30", &berlin).is_ok());
    }
}
