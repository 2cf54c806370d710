//! What a server counts while it runs, for `GET /metrics` in the text format of OpenMetrics 1.0.

use std::time::Instant;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// Upper bounds of the classes of calls by their length, in seconds.
const SECONDS: [f64; 10] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.5, 1.0, 5.0, 30.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Tool {
    tool: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    code: &'static str,
}

pub struct Meter {
    registry: Registry,
    calls: Family<Tool, Counter>,
    refusals: Family<Reason, Counter>,
    failures: Counter,
    seconds: Family<Tool, Histogram, fn() -> Histogram>,
    pub queue: Gauge,
    /// Transactions that were committed, and the entries in them.
    pub commits: Counter,
    pub entries: Counter,
    /// Requests over HTTP that were turned away before any tool saw them.
    turned_away: Family<Reason, Counter>,
    pub sessions: Gauge,
}

pub enum Ended {
    Answered,
    Refused(&'static str),
    Failed,
}

impl Default for Meter {
    fn default() -> Self {
        let mut meter = Meter {
            registry: Registry::with_prefix("rollbook"),
            calls: Family::default(),
            refusals: Family::default(),
            failures: Counter::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            queue: Gauge::default(),
            commits: Counter::default(),
            entries: Counter::default(),
            turned_away: Family::default(),
            sessions: Gauge::default(),
        };
        let of = &mut meter.registry;
        of.register("calls", "Calls of tools, by tool", meter.calls.clone());
        of.register(
            "refusals",
            "Calls that were refused, by the refusal's code",
            meter.refusals.clone(),
        );
        of.register(
            "failures",
            "Calls that failed by the server's own fault",
            meter.failures.clone(),
        );
        of.register_with_unit(
            "call",
            "How long calls took, by tool",
            Unit::Seconds,
            meter.seconds.clone(),
        );
        of.register(
            "queue",
            "Calls that wait for their turn to write",
            meter.queue.clone(),
        );
        of.register(
            "commits",
            "Transactions that were committed",
            meter.commits.clone(),
        );
        of.register(
            "entries",
            "Entries that were written to logs",
            meter.entries.clone(),
        );
        of.register(
            "turned_away",
            "HTTP requests that reached no tool, by reason",
            meter.turned_away.clone(),
        );
        of.register(
            "sessions",
            "Sessions of the protocol that are open over HTTP",
            meter.sessions.clone(),
        );
        meter
    }
}

impl Meter {
    pub fn called(&self, tool: &str, since: Instant, ended: &Ended) {
        let tool = Tool {
            tool: tool.to_owned(),
        };
        self.calls.get_or_create(&tool).inc();
        self.seconds
            .get_or_create(&tool)
            .observe(since.elapsed().as_secs_f64());
        match ended {
            Ended::Answered => {}
            Ended::Refused(code) => {
                self.refusals.get_or_create(&Reason { code }).inc();
            }
            Ended::Failed => {
                self.failures.inc();
            }
        }
    }

    pub fn turned_away(&self, code: &'static str) {
        self.turned_away.get_or_create(&Reason { code }).inc();
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a text does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{Ended, Meter};

    #[test]
    fn what_was_counted_is_told() {
        let meter = Meter::default();
        meter.called("roll_dice", Instant::now(), &Ended::Answered);
        meter.called("roll_dice", Instant::now(), &Ended::Refused("invalid_die"));
        meter.called("odds", Instant::now(), &Ended::Failed);
        meter.turned_away("host");
        let text = meter.text();
        for line in [
            "rollbook_calls_total{tool=\"roll_dice\"} 2\n",
            "rollbook_calls_total{tool=\"odds\"} 1\n",
            "rollbook_refusals_total{code=\"invalid_die\"} 1\n",
            "rollbook_failures_total 1\n",
            "rollbook_call_seconds_count{tool=\"roll_dice\"} 2\n",
            "rollbook_turned_away_total{code=\"host\"} 1\n",
            "rollbook_queue 0\n",
        ] {
            assert!(text.contains(line), "{line} in\n{text}");
        }
        let names = text.lines().filter(|line| !line.starts_with('#'));
        assert!(
            names.into_iter().all(|line| line.starts_with("rollbook_")),
            "{text}"
        );
        assert!(text.ends_with("# EOF\n"));
    }
}
