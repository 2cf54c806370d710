//! What entries bind: kept answers, and hidden entries that were opened.
//!
//! The last entry of a call with a `request_id` carries the hash of the answer, so a kept answer
//! cannot be changed, put in or taken out unseen. What an entry opens must be what was sealed.

use std::collections::BTreeMap;

use crate::{Head, Reader, Remembered, StoreError, chain};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::Event;
use rollbook_game::view::visibility::is_shown;

const PAGE: u32 = 500;

/// What the log says of one request: the last entry of its call, and the hash of the answer.
struct Call {
    head: Head,
    answer: Option<String>,
}

#[derive(Default)]
pub struct Answers {
    calls: BTreeMap<String, Call>,
}

/// Something wrong or to know: an entry's number (0 for none) and the words.
pub(super) type Wrong = (u64, String);

impl Answers {
    /// Takes the next entry of the log; answers what is wrong with it.
    pub fn entry(&mut self, head: Head, entry: &Entry) -> Option<String> {
        let Some(request_id) = &entry.request_id else {
            return entry
                .answer
                .as_ref()
                .map(|_| "it binds an answer and names no request".to_owned());
        };
        let call = Call {
            head,
            answer: entry.answer.clone(),
        };
        let before = self.calls.insert(request_id.clone(), call)?;
        before.answer.map(|_| {
            format!(
                "request_id \"{request_id}\" acted a second time: #{} had answered it already",
                before.head.seq
            )
        })
    }

    pub async fn compare(
        mut self,
        reader: &mut Reader,
        campaign: i64,
    ) -> Result<Vec<Wrong>, StoreError> {
        let (mut wrong, mut after) = (Vec::new(), String::new());
        loop {
            let page = reader.answers(campaign, &after, PAGE).await?;
            let Some((last, _)) = page.last() else { break };
            after.clone_from(last);
            for (request_id, kept) in page {
                let call = self.calls.remove(&request_id);
                if let Some(what) = differs(&kept, call.as_ref()) {
                    wrong.push((
                        kept.seq,
                        format!("the answer kept for request_id \"{request_id}\" {what}"),
                    ));
                }
            }
        }
        let gone = self.calls.into_iter().map(|(request_id, call)| {
            (
                call.head.seq,
                format!("the answer kept for request_id \"{request_id}\" is gone: the same call would act twice"),
            )
        });
        wrong.extend(gone);
        Ok(wrong)
    }
}

fn differs(kept: &Remembered, call: Option<&Call>) -> Option<&'static str> {
    let Some(call) = call else {
        return Some("belongs to no call of the log");
    };
    if kept.seq != call.head.seq {
        return Some("names another entry than the last of its call");
    }
    let is_bound = call.answer.as_ref() == Some(&chain::answer(kept));
    (!is_bound).then_some("is not the one that was given: it was changed")
}

/// A hidden entry that was opened, as it was sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opened {
    pub entry: u64,
    /// The entry that opened it.
    pub by: u64,
    /// Players had seen a part of it: it is none of those that they see nothing of.
    pub in_part: bool,
}

/// Each opening: by which entry, of which, and what salt and body come to (`None`: no salt).
#[derive(Default)]
pub struct Openings(Vec<(u64, u64, Option<[u8; 32]>)>);

/// What is wrong with an opening: the entry that opens, and the words.
pub const OTHER: &str = "what it opens is not what was sealed";

impl Openings {
    pub fn entry(&mut self, by: u64, entry: &Entry) {
        if let Event::Revealed(event) = &entry.event {
            let commitment = event
                .salt()
                .map(|salt| chain::commitment(&salt, event.body.as_bytes()));
            self.0.push((by, event.entry, commitment));
        }
    }

    /// Compares each with the entry that it names: those that fit, and what is wrong with others.
    pub async fn compare(
        self,
        reader: &mut Reader,
        campaign: i64,
    ) -> Result<(Vec<Opened>, Vec<Wrong>), StoreError> {
        let (mut fit, mut wrong) = (Vec::new(), Vec::new());
        for (by, entry, commitment) in self.0 {
            let row = match entry < by {
                true => reader.row(campaign, entry).await?,
                false => None,
            };
            match row {
                None => wrong.push((
                    by,
                    format!("it opens #{entry}, and there is no such entry before it"),
                )),
                Some(row) if commitment.is_some_and(|sealed| row.commitment[..] == sealed) => {
                    fit.push(Opened {
                        entry,
                        by,
                        in_part: is_shown(&row.public),
                    });
                }
                Some(_) => wrong.push((by, format!("{OTHER} in #{entry}"))),
            }
        }
        Ok((fit, wrong))
    }
}
