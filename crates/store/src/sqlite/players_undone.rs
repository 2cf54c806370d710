//! What was taken back by undos of which players have only the sentence: the newest entries with such a sentence.

use sqlx::sqlite::SqliteConnection;

use crate::StoreError;
use rollbook_game::decide::undo::{BACK_MAX, tells};
use rollbook_game::record::event::read_undone;

const ROWS: i64 = 256;

/// An undo: its number for players, and the first and the last entry that it took back.
type Undo = (i64, i64, i64);

/// An entry before an undo: number, kind and sentence.
type Before = (i64, String, String);

/// Adds them to the table `undos`, which has those of which players have the body. Whatever fits no entry is left out.
pub async fn mark(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let sql = "select entries.n, entries.text from entries join proof on proof.n = entries.n
        where entries.kind = 'undone' and proof.body is null order by entries.n";
    let undone: Vec<(i64, String)> = sqlx::query_as(sql).fetch_all(&mut *connection).await?;
    if undone.is_empty() {
        return Ok(());
    }
    let sql = "select n, first, last from undos where n > 0 order by n";
    let mut undos: Vec<Undo> = sqlx::query_as(sql).fetch_all(&mut *connection).await?;
    for (n, text) in undone {
        let at = undos.partition_point(|(nth, ..)| *nth < n);
        let earlier = undos.get(..at).unwrap_or_default();
        let Some((first, last)) = taken_back(connection, n, &text, earlier).await? else { continue };
        sqlx::query("insert into undos (campaign, n, first, last) values (1, $1, $2, $3)")
            .bind(n)
            .bind(first)
            .bind(last)
            .execute(&mut *connection)
            .await?;
        undos.insert(at, (n, first, last));
    }
    Ok(())
}

/// The first and the last entry that an undo with this sentence took back.
async fn taken_back(
    connection: &mut SqliteConnection,
    n: i64,
    text: &str,
    earlier: &[Undo],
) -> Result<Option<(i64, i64)>, StoreError> {
    let Some((again, what)) = read_undone(text) else { return Ok(None) };
    let until = n.saturating_sub(i64::try_from(BACK_MAX).unwrap_or(i64::MAX));
    let mut before: Vec<Before> = Vec::new();
    loop {
        let from = before.last().map_or(n, |(nth, ..)| *nth);
        let sql = "select n, kind, text from entries where n < $1 and n >= $2 order by n desc limit $3";
        let page: Vec<Before> =
            sqlx::query_as(sql).bind(from).bind(until).bind(ROWS).fetch_all(&mut *connection).await?;
        if page.is_empty() {
            return Ok(None);
        }
        let known = before.len();
        before.extend(page);
        for (at, (nth, kind, text)) in before.iter().enumerate().skip(known) {
            let onward = before.iter().take(at + 1).rev().map(|(_, kind, text)| (kind.as_str(), text.as_str()));
            let many = match read_undone(text).filter(|_| kind == "undone") {
                Some((other, same)) => (other != again && same == what).then_some(1),
                None if again => None,
                None => tells(what, onward),
            };
            if let Some(many) = many.filter(|_| !is_undone(*nth, earlier)) {
                let last = nth.saturating_add(i64::try_from(many).unwrap_or(1) - 1);
                return Ok(Some((*nth, last)));
            }
        }
    }
}

/// Whether the last undo of an entry holds.
fn is_undone(n: i64, undos: &[Undo]) -> bool {
    let last = undos.iter().rfind(|(_, first, last)| (*first..=*last).contains(&n));
    last.is_some_and(|(nth, ..)| !is_undone(*nth, undos))
}
