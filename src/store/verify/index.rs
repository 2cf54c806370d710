//! What the log is searched by, beside the log: the numbers that entries have for players, which entries are found, and which of them
//! players find. Which words an entry is found by is not compared: the index keeps them by word and not by entry, and making it anew takes
//! longer than all the rest.

use crate::names::same;
use crate::store::location::Location;
use crate::store::sql::search::Misplaced;
use crate::store::{Reader, StoreError};

/// Entries of a campaign that are named.
const NAMED_MAX: usize = 50;

/// What is wrong with the index of each campaign, or of the one that is named, by entry. It reads beside whoever else reads.
pub async fn differences(
    database: Location,
    campaign: Option<&str>,
) -> Result<Vec<(String, Vec<(u64, String)>)>, StoreError> {
    let mut reader = Reader::open(database).await?;
    let found = of_campaigns(&mut reader, campaign).await;
    reader.close().await?;
    found
}

async fn of_campaigns(
    reader: &mut Reader,
    campaign: Option<&str>,
) -> Result<Vec<(String, Vec<(u64, String)>)>, StoreError> {
    reader.begin_read().await?;
    let mut all = Vec::new();
    for (name, identity) in reader.campaigns().await? {
        if campaign.is_none_or(|wanted| same(wanted, &name)) {
            let misplaced = reader.misplaced(identity.key, NAMED_MAX).await?;
            all.push((name, misplaced.into_iter().flat_map(words).collect()));
        }
    }
    Ok(all)
}

fn words(own: Misplaced) -> impl Iterator<Item = (u64, String)> {
    let what = [
        (own.number, "the number that it has for players in the table seen is not the next"),
        (own.lacks_words, "it is not in the index that searches read, though later ones are"),
        (own.told, "players find it by words, and do not see it"),
    ];
    what.into_iter().filter(|(is_wrong, _)| *is_wrong).map(move |(_, what)| (own.seq, what.to_owned()))
}
