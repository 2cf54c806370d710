//! What can be said of an entry without those before it: its hashes, body, dice and numbers; and,
//! once it is known whether players may see it whole, its public part and its rows in `rolls`.

use super::numbers;
use crate::record::roll_rows;
use crate::{LogRow, RollRow, canonical, chain};
use rollbook_dice::{Roll, ScriptedRoller};
use rollbook_game::record::entry::{BODY_VERSION, Entry};
use rollbook_game::view::Audience;
use rollbook_game::view::visibility::{is_shown, visible_entry};

pub struct Alone {
    pub row: LogRow,
    /// `None` where the body cannot be read.
    pub entry: Option<Entry>,
    /// Its chain value, worked out from its content.
    pub computed: [u8; 32],
    /// Its hash in the chain over what players see.
    pub shown: Option<[u8; 32]>,
    /// Whether players see all of it; `None` until that is known: not after missing entries.
    pub whole: Option<bool>,
    pub found: Vec<String>,
}

impl Alone {
    pub fn of(campaign: &uuid::Uuid, row: LogRow) -> Self {
        let (computed, mut found) = hashes(campaign, &row);
        let shown = is_shown(&row.public).then(|| chain::shown(campaign, &row.public));
        let entry = serde_json::from_slice::<Entry>(&row.body);
        match &entry {
            Ok(entry) => found.extend(body(&row, entry)),
            Err(error) => found.push(format!("its body cannot be read: {error}")),
        }
        Alone {
            row,
            entry: entry.ok(),
            computed,
            shown,
            whole: None,
            found,
        }
    }

    /// Everything that was found; `rolls` are its rows in `rolls`.
    pub fn finish(self, rolls: &[RollRow<'_>]) -> Vec<String> {
        let Alone {
            row,
            entry,
            whole,
            mut found,
            ..
        } = self;
        let Some(entry) = entry else { return found };
        // What is missing may have said who is hidden.
        let wholes = whole.map_or(vec![true, false], |whole| vec![whole]);
        let fits = |whole: &bool| {
            let seen = visible_entry(&entry, Audience::Player, *whole);
            chain::public(seen.as_ref(), row.seq).ok().as_deref() == Some(&row.public[..])
        };
        let fitting: Vec<bool> = wholes.iter().copied().filter(fits).collect();
        if fitting.is_empty() {
            found.push("its public part is not what hiding makes of its body".to_owned());
        }
        let opens = if fitting.is_empty() { wholes } else { fitting };
        if !opens
            .iter()
            .any(|open| roll_rows(&entry, row.seq, *open).ok().as_deref() == Some(rolls))
        {
            found.push("its rows in rolls differ from its body".to_owned());
        }
        found
    }
}

/// The first hash that does not fit: those after it follow from what is or from what should be.
fn hashes(campaign: &uuid::Uuid, row: &LogRow) -> ([u8; 32], Vec<String>) {
    let mut found = Vec::new();
    let commitment = chain::commitment(&row.salt, &row.body);
    let written = |blob: &[u8]| <[u8; 32]>::try_from(blob).unwrap_or_default();
    if row.commitment[..] != commitment {
        found.push("its body is not the one that was committed to".to_owned());
    }
    let leaf_of = |commitment: &[u8; 32]| chain::leaf(campaign, row.seq, &row.public, commitment);
    let leaf = leaf_of(&commitment);
    if row.leaf[..] != leaf && row.leaf[..] != leaf_of(&written(&row.commitment)) {
        found.push("its content does not match its hash".to_owned());
    }
    let prev = written(&row.prev);
    if row.chain[..] != chain::link(&prev, &leaf)
        && row.chain[..] != chain::link(&prev, &written(&row.leaf))
    {
        found.push("its chain value does not follow from its content".to_owned());
    }
    (chain::link(&prev, &leaf), found)
}

fn body(row: &LogRow, entry: &Entry) -> Vec<String> {
    let mut found = Vec::new();
    if entry.v != BODY_VERSION {
        found.push(format!(
            "its body has version {}, and this program knows {BODY_VERSION}",
            entry.v
        ));
    }
    if canonical::bytes(entry).ok().as_deref() != Some(&row.body[..]) {
        found.push("its body is not in canonical form".to_owned());
    }
    let same = row.at == entry.at
        && row.session == i64::from(entry.session)
        && row.kind[..] == *entry.event.kind().as_bytes()
        && row.visibility[..] == *entry.visibility.as_str().as_bytes()
        && row.actor[..] == *entry.actor.as_bytes();
    if !same {
        found.push("a column beside the body says something else than the body".to_owned());
    }
    found.extend(
        entry
            .rolls
            .iter()
            .filter_map(|record| arithmetic(&record.roll)),
    );
    found.extend(numbers::check(entry));
    found
}

fn arithmetic(recorded: &Roll) -> Option<String> {
    let mut roller = ScriptedRoller::new(recorded.faces());
    let expression = &recorded.expression;
    match rollbook_dice::parse(expression).and_then(|expression| expression.roll(&mut roller)) {
        Ok(roll) if roller.left().is_empty() && roll == *recorded => None,
        Ok(roll) => Some(format!(
            "{expression} comes to {}, not {}",
            roll.total, recorded.total
        )),
        Err(error) => Some(format!(
            "{expression} cannot be rolled again from its faces: {error}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::arithmetic;
    use rollbook_dice::{Roll, ScriptedRoller};

    #[test]
    fn another_total_and_other_words_than_the_rolls_are_found() {
        let mut roller = ScriptedRoller::new(vec![12, 3]);
        let roll = rollbook_dice::parse("2d20kh1 + 5")
            .unwrap()
            .roll(&mut roller)
            .unwrap();
        assert_eq!(arithmetic(&roll), None);
        let wrong = Roll {
            total: 18,
            ..roll.clone()
        };
        assert_eq!(
            arithmetic(&wrong).as_deref(),
            Some("2d20kh1 + 5 comes to 17, not 18")
        );
        let wrong = Roll {
            explanation: "2d20kh1: [12, 3] and so 17".to_owned(),
            ..roll
        };
        assert!(arithmetic(&wrong).is_some());
    }
}
