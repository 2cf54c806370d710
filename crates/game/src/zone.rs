//! Time zones: the IANA's own database, as crate `chrono-tz` has it.

use crate::refusal::{Code, Detail, Refusal};
use chrono::{
    DateTime, MappedLocalTime, NaiveDate, NaiveDateTime, NaiveTime, Offset as _, TimeZone as _, Utc,
};
use chrono_tz::{TZ_VARIANTS, Tz};
use rollbook_text::names::{fold, quoted, suggest};

/// A time zone.
#[derive(Debug, Clone, Copy)]
pub struct Zone(Tz);

impl Zone {
    /// The zone of a name: `Europe/Berlin`, in whatever case, a blank for an underscore;
    /// surrounding blanks do not count. Refused: none, with the zones of that city, or near names.
    pub fn named(name: &str) -> Result<Zone, Refusal> {
        let wanted = name.trim().replace(' ', "_");
        known(&wanted).map(Zone).ok_or_else(|| unknown(&wanted))
    }

    /// The zone of universal time.
    pub fn utc() -> Zone {
        Zone(Tz::UTC)
    }

    /// As the IANA spells it.
    pub fn name(&self) -> &'static str {
        self.0.name()
    }

    /// A moment as clocks there show it. `%Z` writes `CEST`, or `+03` without a name.
    pub fn at(&self, moment: DateTime<Utc>) -> DateTime<Tz> {
        moment.with_timezone(&self.0)
    }

    /// How far clocks there are ahead of UTC, in seconds: at first, and from each moment on at
    /// which they are changed; the moments are in microseconds since 1970, the first is 0. For some
    /// years after `now`, which is in microseconds, too.
    pub fn offsets(&self, now: i64) -> Vec<(i64, i64)> {
        let ahead = |at: DateTime<Utc>| i64::from(self.at(at).offset().fix().local_minus_utc());
        let offset = |second: i64| DateTime::from_timestamp(second, 0).map(ahead);
        let mut all = vec![(0, offset(0).unwrap_or(0))];
        // No zone changes its clocks twice within a day.
        for mut low in (0..now / 1_000_000 + KNOWN_SECONDS).step_by(24 * 3600) {
            let (before, mut high) = (offset(low), low + 24 * 3600);
            if offset(high) == before {
                continue;
            }
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if offset(middle) == before {
                    low = middle
                } else {
                    high = middle
                }
            }
            all.extend(offset(high).map(|seconds| (high * 1_000_000, seconds)));
        }
        all
    }

    /// What is wrong with offsets that were kept under a name, as far as times up to `last` use
    /// them; the end of a sentence about their table. Moments as in [`Zone::offsets`].
    pub fn wrong_offsets(name: &str, kept: &[(i64, i64)], last: i64) -> Option<String> {
        let Some(zone) = Zone::named(name).ok().filter(|zone| zone.name() == name) else {
            return Some(
                ", by which it tells local times, is not of one time zone that there is".to_owned(),
            );
        };
        let up_to_last = |offsets: &[(i64, i64)]| {
            offsets
                .iter()
                .copied()
                .filter(|(at, _)| *at <= last)
                .collect::<Vec<_>>()
        };
        (up_to_last(&zone.offsets(last)) != up_to_last(kept)).then(|| {
            format!(
                " has other changes of the clock than {name}, so that its local times are wrong"
            )
        })
    }

    /// A moment as it is written: `2026-03-01`, `2026-03-01 19:30`, `2026-03-01T19:30:00Z`; without
    /// a zone of its own it is one of this zone. Refused: the end of a sentence, "is no moment".
    pub fn written(&self, text: &str) -> Result<DateTime<Utc>, String> {
        let text = text.trim();
        if let Ok(moment) = DateTime::parse_from_rfc3339(&text.replacen(' ', "T", 1)) {
            return Ok(moment.to_utc());
        }
        let plain = text.replacen('T', " ", 1);
        let forms = ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M"];
        let local = forms
            .iter()
            .find_map(|form| NaiveDateTime::parse_from_str(&plain, form).ok());
        let midnight = || {
            Some(
                NaiveDate::parse_from_str(text, "%Y-%m-%d")
                    .ok()?
                    .and_time(NaiveTime::MIN),
            )
        };
        let local = local.or_else(midnight).ok_or("is no moment")?;
        let gap = || {
            format!(
                "is a time that {} left out when its clocks were put forward",
                self.name()
            )
        };
        self.moment(local).ok_or_else(gap)
    }

    /// When clocks there show a time, the earlier one of two; `None`: never.
    pub fn moment(&self, shown: NaiveDateTime) -> Option<DateTime<Utc>> {
        match self.0.from_local_datetime(&shown) {
            MappedLocalTime::Single(moment) | MappedLocalTime::Ambiguous(moment, _) => {
                Some(moment.to_utc())
            }
            MappedLocalTime::None => None,
        }
    }
}

/// How far ahead changes of clocks are known: 20 years.
const KNOWN_SECONDS: i64 = 20 * 365 * 24 * 3600;

fn known(name: &str) -> Option<Tz> {
    TZ_VARIANTS
        .into_iter()
        .find(|zone| zone.name().eq_ignore_ascii_case(name))
}

/// `UTC+2` is the zone Etc/GMT-2: its sign says what has to be added to get UTC.
fn from_utc(wanted: &str) -> Option<String> {
    let wanted = wanted.to_uppercase();
    let offset = wanted
        .strip_prefix("UTC")
        .or_else(|| wanted.strip_prefix("GMT"))?
        .trim_start_matches('_');
    let sign = if offset.starts_with('+') { "-" } else { "+" };
    let hours = offset.strip_prefix(['+', '-', '−'])?;
    let hours: u8 = hours.strip_suffix(":00").unwrap_or(hours).parse().ok()?;
    known(&format!("Etc/GMT{sign}{hours}")).map(|zone| zone.name().to_owned())
}

fn unknown(wanted: &str) -> Refusal {
    // A city alone, and then what looks like the name.
    let city = |zone: &str| {
        fold(
            &zone
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .replace('_', " "),
        )
    };
    let wanted_city = fold(&wanted.replace('_', " "));
    let names = || TZ_VARIANTS.iter().map(|zone| zone.name());
    let mut suggestions: Vec<String> = names()
        .filter(|zone| city(zone) == wanted_city)
        .map(str::to_owned)
        .collect();
    suggestions.extend(from_utc(wanted));
    if suggestions.is_empty() {
        suggestions = suggest(wanted, names());
    }
    let first = suggestions.first().map_or("Europe/Berlin", String::as_str);
    let summary = format!(
        "There is no time zone \"{}\". Send timezone=\"{first}\", or another name of the IANA's (area/city).",
        quoted(wanted)
    );
    let valid_range = "a name of the IANA's, such as Europe/Berlin or UTC".to_owned();
    let detail = Detail {
        parameter: "timezone".to_owned(),
        issue: "no such zone".to_owned(),
        valid_range,
    };
    Refusal::new(Code::InvalidParameters, summary)
        .did_you_mean(suggestions)
        .details(vec![detail])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_zone_is_refused_with_one_that_is_known() {
        for (wrong, suggested) in [
            ("Berlin", "Europe/Berlin"),
            ("Europe/Berln", "Europe/Berlin"),
            ("Mars/Olympus", "Europe/Berlin"),
            ("UTC+2", "Etc/GMT-2"),
            ("gmt -03:00", "Etc/GMT+3"),
        ] {
            let refusal = Zone::named(wrong).err().unwrap();
            assert!(
                refusal
                    .summary
                    .contains(&format!("timezone=\"{suggested}\"")),
                "{wrong}: {}",
                refusal.summary
            );
            assert!(Zone::named(suggested).is_ok());
        }
    }

    #[test]
    fn every_zone_is_read_and_finds_its_own_times() {
        assert!(TZ_VARIANTS.len() > 500, "{}", TZ_VARIANTS.len());
        for name in TZ_VARIANTS.iter().map(|zone| zone.name()) {
            let zone = Zone::named(name).unwrap_or_else(|_| panic!("{name}"));
            // Two years in steps that meet each hour of the day.
            for hour in (0..(2 * 365 * 24)).step_by(11) {
                let moment = DateTime::from_timestamp(1_735_689_600 + hour * 3600, 0).unwrap();
                let shown = zone.at(moment).naive_local();
                let found = zone
                    .moment(shown)
                    .unwrap_or_else(|| panic!("{name}: {shown}"));
                assert!(
                    found <= moment && zone.at(found).naive_local() == shown,
                    "{name}: {shown}"
                );
            }
        }
    }

    #[test]
    fn the_offsets_are_those_of_the_clocks_at_every_hour() {
        for name in [
            "Europe/Berlin",
            "America/St_Johns",
            "Australia/Lord_Howe",
            "Asia/Kolkata",
            "Africa/Casablanca",
        ] {
            let zone = Zone::named(name).unwrap();
            let offsets = zone.offsets(1_795_203_000_000_000);
            for hour in (0..(30 * 365 * 24)).step_by(7) {
                let second = 946_684_800 + hour * 3600;
                let offset = offsets
                    .iter()
                    .rev()
                    .find(|(since, _)| *since <= second * 1_000_000)
                    .unwrap()
                    .1;
                let moment = DateTime::from_timestamp(second, 0).unwrap();
                let ahead = zone.at(moment).offset().fix().local_minus_utc();
                assert_eq!(offset, i64::from(ahead), "{name}: {moment}");
            }
        }
    }

    #[test]
    fn a_time_that_comes_twice_is_the_first_and_one_that_is_left_out_is_none() {
        let zone = Zone::named("Europe/Berlin").unwrap();
        let shown = |text| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").unwrap();
        assert_eq!(
            zone.moment(shown("2026-10-25 02:30")).unwrap().to_rfc3339(),
            "2026-10-25T00:30:00+00:00"
        );
        assert_eq!(zone.moment(shown("2026-03-29 02:30")), None);
        assert_eq!(
            zone.moment(shown("2060-07-01 12:00")).unwrap().to_rfc3339(),
            "2060-07-01T10:00:00+00:00"
        );
    }
}
