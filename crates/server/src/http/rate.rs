//! How often: by key or address, with the algorithm GCRA.
//!
//! Calls of tools are counted one by one, and everything else (lists, beginnings, streams)
//! together, ten times as generously: a client that connects asks several things at once.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use clap::ValueEnum;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

/// Between two calls, on average or exactly.
pub const APART: Duration = Duration::from_millis(200);
/// Calls that may come at once after a pause.
pub const BURST: NonZeroU32 = NonZeroU32::new(10).expect("not zero");
/// Of everything else.
const OTHERS_APART: Duration = Duration::from_millis(20);
const OTHERS_BURST: NonZeroU32 = NonZeroU32::new(100).expect("not zero");
/// Callers that are remembered; then those who have paused long enough are forgotten.
const REMEMBERED: usize = 10_000;

/// How often calls may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Rate {
    /// One call every 200 milliseconds on average, ten at once.
    #[default]
    Average,
    /// Calls 200 milliseconds apart.
    Strict,
    /// As often as they come.
    Off,
}

/// Who calls.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Who {
    /// A key's id.
    Key(String),
    Address(IpAddr),
}

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    Call,
    Other,
    /// A key that opens nothing.
    Guess,
}

/// The callers and when they came.
pub(crate) struct Limits {
    calls: Option<DefaultKeyedRateLimiter<Who>>,
    others: DefaultKeyedRateLimiter<Who>,
    guesses: DefaultKeyedRateLimiter<Who>,
}

impl Limits {
    pub fn new(rate: Rate) -> Limits {
        let one = NonZeroU32::MIN;
        let calls = match rate {
            Rate::Average => quota(APART, BURST),
            Rate::Strict => quota(APART, one),
            Rate::Off => None,
        };
        let others = quota(OTHERS_APART, OTHERS_BURST).unwrap_or(Quota::per_second(OTHERS_BURST));
        let guesses = Quota::per_second(one).allow_burst(BURST);
        Limits {
            calls: calls.map(RateLimiter::keyed),
            others: RateLimiter::keyed(others),
            guesses: RateLimiter::keyed(guesses),
        }
    }

    /// Counts a request.
    /// Errors: When to come back, where it came too soon; then it is not counted.
    pub fn pass(&self, who: &Who, asks: Asks) -> Result<(), Duration> {
        match asks {
            Asks::Call => self
                .calls
                .as_ref()
                .map_or(Ok(()), |calls| check(calls, who)),
            Asks::Other => check(&self.others, who),
            Asks::Guess => check(&self.guesses, who),
        }
    }
}

impl Who {
    /// An address; of version 6 the network, since one household has more addresses than could be
    /// remembered.
    pub fn at(address: IpAddr) -> Who {
        Who::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
            address => address,
        })
    }
}

fn quota(apart: Duration, burst: NonZeroU32) -> Option<Quota> {
    Quota::with_period(apart).map(|quota| quota.allow_burst(burst))
}

fn check<K: Hash + Eq + Clone>(
    limiter: &DefaultKeyedRateLimiter<K>,
    who: &K,
) -> Result<(), Duration> {
    if limiter.len() > REMEMBERED {
        limiter.retain_recent();
    }
    limiter
        .check_key(who)
        .map_err(|early| early.wait_time_from(DefaultClock::default().now()))
}

#[cfg(test)]
mod tests {
    use super::{APART, Asks, BURST, Limits, Rate, Who};

    #[test]
    fn calls_come_as_often_as_the_rate_says() {
        let (one, other) = (
            Who::at([127, 0, 0, 1].into()),
            Who::at([127, 0, 0, 2].into()),
        );
        for (rate, at_once) in [
            (Rate::Average, BURST.get()),
            (Rate::Strict, 1),
            (Rate::Off, 5000),
        ] {
            let limits = Limits::new(rate);
            for nth in 0..at_once {
                assert_eq!(limits.pass(&one, Asks::Call), Ok(()), "{rate:?} {nth}");
            }
            if rate != Rate::Off {
                let wait = limits.pass(&one, Asks::Call).unwrap_err();
                assert!(!wait.is_zero() && wait <= APART, "{rate:?} {wait:?}");
            }
            assert_eq!(
                limits.pass(&other, Asks::Call),
                Ok(()),
                "everybody has a rate of their own"
            );
            assert_eq!(
                limits.pass(&one, Asks::Other),
                Ok(()),
                "what is no call has another rate"
            );
        }
    }

    #[test]
    fn a_household_is_one_caller() {
        let at = |text: &str| Who::at(text.parse().unwrap());
        assert_eq!(at("2001:db8:1:2::1"), at("2001:db8:1:2:ffff::9"));
        assert_ne!(at("2001:db8:1:2::1"), at("2001:db8:1:3::1"));
        assert_eq!(at("::ffff:10.0.0.1"), at("10.0.0.1"));
        assert_ne!(at("10.0.0.1"), at("10.0.0.2"));
    }
}
