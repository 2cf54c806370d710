//! A log that goes on from another: its first entry against the end of that one, if it is there.

use super::answers::Wrong;
use super::receipt::Receipt;
use crate::record::read_entry;
use crate::{Head, Identity, Reader, StoreError};
use rollbook_game::record::change::Change;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{CampaignRenamed, ContinuedEvent, Event};
use rollbook_game::record::state::Campaign;
use rollbook_text::names::{for_shell, quoted};

/// What a log says of one before it, and of one after it.
#[derive(Default)]
pub struct Continuation {
    /// The earlier log, and the rows with which this one begins.
    first: Option<(ContinuedEvent, Vec<Change>)>,
    /// The entry that closed it, and the campaign in which it goes on.
    closed: Option<(u64, String)>,
}

impl Continuation {
    /// Takes the next entry; answers what is wrong with it.
    pub fn entry(&mut self, seq: u64, entry: &Entry) -> Option<String> {
        match &entry.event {
            Event::Continued(_) if seq != 1 => Some(
                "it begins with the state of an earlier log, and is not the first entry".to_owned(),
            ),
            Event::Continued(event) => {
                self.first = Some(((**event).clone(), entry.changes.clone()));
                None
            }
            Event::Restored(_) | Event::LossAccepted(_) => None,
            _ if self.closed.is_some() => {
                Some("the log was closed before it, and goes on in another".to_owned())
            }
            Event::CampaignRenamed(CampaignRenamed {
                continued_by: Some(by),
                ..
            }) => {
                self.closed = Some((seq, by.clone()));
                None
            }
            _ => None,
        }
    }

    pub fn earlier(&self) -> Option<&str> {
        self.first.as_ref().map(|(from, _)| from.campaign.as_str())
    }

    /// Whether the earlier log ended where that receipt says, by the first entry of this one.
    pub fn begins_at(&self, receipt: &Receipt) -> bool {
        self.first
            .as_ref()
            .and_then(|(from, _)| end_of(from))
            .is_some_and(|end| receipt.is_of(&end))
    }

    /// What else a receipt may be of that this log does not hold, in a sentence.
    pub fn what_else(&self) -> Option<String> {
        let (from, _) = self.first.as_ref()?;
        Some(format!(
            "This log goes on from #{} of \"{}\", and the receipt may be of that one, or of one before it: `rollbook verify --db {} --receipt` \
             compares its export",
            from.entries,
            quoted(&from.name),
            for_shell(&quoted(&from.export))
        ))
    }

    /// Compares it with the database's other campaigns: what is wrong, and what to know.
    pub async fn compare(
        &self,
        reader: &mut Reader,
        this: &Identity,
        all: &[(String, Identity)],
    ) -> Result<(Vec<Wrong>, Vec<Wrong>), StoreError> {
        let (mut wrong, mut notes) = (Vec::new(), Vec::new());
        let find = |uuid: &str| all.iter().find(|(_, identity)| identity.uuid == uuid);
        if let Some((from, rows)) = &self.first {
            match find(&from.campaign) {
                Some((name, old)) => {
                    let name = quoted(name);
                    let lacks = of_earlier(reader, this, old, from, rows).await?;
                    wrong.extend(lacks.map(|lacks| {
                        (
                            1,
                            format!(
                                "it goes on from #{} of \"{name}\", and {lacks}",
                                from.entries
                            ),
                        )
                    }));
                }
                None => {
                    let receipt = end_of(from)
                        .map_or_else(|| format!("#{}", from.entries), |end| end.receipt());
                    let (name, export) = (quoted(&from.name), for_shell(&quoted(&from.export)));
                    notes.push((1, format!(
                        "it goes on from a log that is not in this database: \"{name}\", receipt {receipt}. `rollbook verify --db {export} --receipt` \
                         with that compares its export"
                    )));
                }
            }
        }
        if let Some((seq, by)) = &self.closed {
            let Some((name, new)) = find(by) else {
                notes.push((
                    *seq,
                    "the log goes on in a campaign that is not in this database".to_owned(),
                ));
                return Ok((wrong, notes));
            };
            let first = entry(reader, new, 1).await?.map(|entry| entry.event);
            let fits =
                |from: &ContinuedEvent| from.campaign == this.uuid && from.entries + 1 == *seq;
            if !matches!(first, Some(Event::Continued(from)) if fits(&from)) {
                let name = quoted(name);
                wrong.push((
                    *seq,
                    format!("it says that the log goes on in \"{name}\", which does not begin with its end"),
                ));
            }
        }
        Ok((wrong, notes))
    }
}

fn end_of(from: &ContinuedEvent) -> Option<Head> {
    let mut chain = [0; 32];
    base16ct::mixed::decode(&from.chain, &mut chain).ok()?;
    Some(Head {
        seq: from.entries,
        chain,
    })
}

/// How the earlier log is otherwise than the first entry of this one says.
async fn of_earlier(
    reader: &mut Reader,
    this: &Identity,
    old: &Identity,
    from: &ContinuedEvent,
    rows: &[Change],
) -> Result<Option<String>, StoreError> {
    let there = reader
        .chain(old.key, from.entries)
        .await?
        .map(|chain| base16ct::lower::encode_string(&chain));
    if there.as_ref() != Some(&from.chain) {
        return Ok(Some(
            "that log has another chain value there: one of the two was changed".to_owned(),
        ));
    }
    let closing = entry(reader, old, from.entries + 1)
        .await?
        .map(|entry| entry.event);
    let Some(Event::CampaignRenamed(CampaignRenamed {
        from: name,
        continued_by: Some(by),
        ..
    })) = closing
    else {
        return Ok(Some("that log is not closed there".to_owned()));
    };
    if by != this.uuid {
        return Ok(Some("that log goes on in another campaign".to_owned()));
    }
    let state = reader.load(old.key).await?;
    let row = state.campaign.clone().map(|row| Campaign {
        uuid: this.uuid.clone(),
        name,
        rules_hash: String::new(),
        continued_by: None,
        ..row
    });
    let same = row.is_some_and(|row| state.carried(from.entries, row) == rows);
    Ok((!same)
        .then(|| "the state that it begins with is not the one in which that log ended".to_owned()))
}

async fn entry(
    reader: &mut Reader,
    campaign: &Identity,
    seq: u64,
) -> Result<Option<Entry>, StoreError> {
    let row = reader.row(campaign.key, seq).await?;
    Ok(row.and_then(|row| read_entry(&row.body, seq).ok()))
}
