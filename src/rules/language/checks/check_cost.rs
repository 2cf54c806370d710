//! `- Costs: 1 stress`: what making a check costs, whatever the dice show.

use super::row_move::RowMove;
use crate::diagnostic::{Diagnostic, Place};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::names::ATTRIBUTE_WORDS;
use crate::rules::language::number_words::counted;
use crate::rules::language::rests::RestEffect;
use crate::rules::when::Named;

/// What somebody pays who makes a check.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckCost {
    /// How many points; below 1 nothing is paid.
    pub amount: Named,
    /// What is paid; none until tracks are known, and where nothing is called so.
    pub from: Option<PaidFrom>,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// The name of what is paid, as the author writes it.
    pub(in crate::rules) what: Text,
}

/// Where a price is taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaidFrom {
    /// A track, boxes or slots, and whether all share them.
    Track {
        /// Which.
        name: String,
        /// Whether all share it.
        shared: bool,
    },
    /// The track of the attribute that the call chooses.
    Attribute,
}

/// What may be written.
const HELP: &str = "write `- Costs: 1 stress`, ``- Costs: `{effort} * 2` stress``, or `{attribute}` for the track of the attribute that is rolled";

impl CheckCost {
    /// Reads the bullet; `above` are the values that the amount may name.
    pub fn read(label: &Labelled, above: &[Named], ledger: &mut Ledger<'_>) -> Option<Self> {
        let value = &label.value;
        let unclear = |at: &Text, message: &str, ledger: &mut Ledger<'_>| {
            let message = format!("{message}: `{}`", at.as_str());
            let diagnostic = Diagnostic::warning(codes::UNREADABLE_COST, message);
            ledger.report(diagnostic.at(at.span(), "nothing is paid for this check").help(HELP));
        };
        let Some((amount, what)) = split(value) else {
            unclear(value, "what it costs cannot be read", ledger);
            return None;
        };
        let place = ledger.place(label.span);
        let named = Named::read(&Text::invented("price", amount.span()), &amount, above, place.clone());
        match named {
            Ok(amount) if amount.measures().is_empty() => {
                Some(Self { amount, from: None, text: value.as_str().to_owned(), place, what })
            }
            Ok(_) => {
                unclear(&amount, "what it costs is known before the dice fall, and this asks for them", ledger);
                None
            }
            Err(_) => {
                unclear(&amount, "how much it costs cannot be read", ledger);
                None
            }
        }
    }

    /// Whether it is paid from the track of the attribute that is rolled.
    pub(super) fn names_attribute(&self) -> bool {
        let words = fold(self.what.as_str());
        let name = words.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).map(str::trim);
        name.is_some_and(|name| name == "attribute" || ATTRIBUTE_WORDS.contains(&name))
    }

    /// The move that it is: so many points of this track.
    pub fn moves(&self, track: &str, shared: bool, count: u32) -> RowMove {
        RowMove {
            effect: RestEffect::Marks { track: track.to_owned(), count },
            shared,
            amount: 0,
            value: None,
            fills: false,
            text: format!("costs {count} {track}"),
            place: self.place.clone(),
        }
    }
}

/// How much, and of what: `1 stress`, `` `{price}` of {attribute} ``.
fn split(value: &Text) -> Option<(Text, Text)> {
    let words = value.as_str();
    let written = value.slice(0..words.trim_end_matches('.').len()).trim();
    let code = written
        .codes()
        .into_iter()
        .next()
        .filter(|code| !code.as_str().is_empty() && written.as_str().starts_with(code.as_str()));
    let (amount, what) = match code {
        Some(code) => {
            let rest = written.slice(code.as_str().len()..written.as_str().len()).trim();
            (code, rest)
        }
        None => {
            let (amount, what) = written.split_at_any(&[" "])?;
            let number = counted(&fold(amount.as_str()), 1..=i64::from(u8::MAX));
            let amount = number.map_or(amount.clone(), |number| Text::invented(&number.to_string(), amount.span()));
            (amount, what.trim())
        }
    };
    let what = what.split_at_any(&["of "]).filter(|(before, _)| before.is_empty()).map_or(what, |(_, of)| of.trim());
    (!what.is_empty()).then_some((amount, what))
}
