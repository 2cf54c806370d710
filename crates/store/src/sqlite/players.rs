//! The players' file: a SQLite file of its own shape with what players may see, and the GM's file
//! of a part of a log. And one that came back: its proofs, and whether all else is what they make.

use std::path::Path;

use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection as _, Row as _};

use super::connection::{close, read_only};
use super::copy::{empty, read_only_uri};
use super::migrate::shared_views;
use super::notice;
use crate::sql::connection::{Connection, Query, Row, Script, query};
use crate::sql::zone::KeptZone;
use crate::{Head, LogRow, StoreError};
use rollbook_game::decide::undo::{BACK_MAX, tells};
use rollbook_game::record::entry::{Entry, RollRecord};
use rollbook_game::record::event::{Event, read_undone};
use rollbook_game::record::instant::iso;
use rollbook_game::view::Audience;
use rollbook_game::view::reading::read;
use rollbook_game::view::visibility::VisibleEntry;

/// The tables, before the views that [`shared_views`] adds.
const TABLES: &str = include_str!("players.sql");

/// Run when all rows are there.
const INDEXES: &str = include_str!("players_indexes.sql");

/// What the file is of.
#[derive(Debug, Clone)]
pub struct Shape {
    pub campaign: String,
    pub uuid: String,
    pub audience: Audience,
    /// The entry after which it begins, where it is a part.
    pub after: Option<Head>,
}

/// An entry as the file has it.
pub struct PlayersRow {
    pub audience: Audience,
    /// Its number for the audience, and what that sees of it.
    pub seen: Option<(u64, VisibleEntry)>,
    /// The number that it has for players.
    pub players_n: Option<u64>,
    pub whole: bool,
    pub row: LogRow,
}

/// A players' file in the making.
pub struct Players {
    connection: Connection,
}

impl Players {
    /// Begins it in an empty file.
    pub async fn make(
        out: &Path,
        shape: &Shape,
        zone: Option<&KeptZone>,
    ) -> Result<Self, StoreError> {
        let mut file = empty(out).await?;
        if shape.audience == Audience::Gm {
            notice::put(&mut file).await?;
        }
        let mut connection = Connection::Sqlite(file);
        for sql in [TABLES, shared_views()?, "begin"] {
            query(sql).execute(&mut connection).await?;
        }
        query("insert into campaign (name, uuid, audience, after_seq, after_chain) values ($1, $2, $3, $4, $5)")
            .bind(&shape.campaign)
            .bind(&shape.uuid)
            .bind(shape.audience.as_str())
            .bind(shape.after.map(|after| number(after.seq)))
            .bind(shape.after.as_ref().map(|after| &after.chain[..]))
            .execute(&mut connection)
            .await?;
        if let Some(zone) = zone {
            connection.keep_zone(1, zone).await?;
        }
        Ok(Players { connection })
    }

    /// Writes the rows of a table together.
    pub async fn add(&mut self, page: PlayersPage) -> Result<(), StoreError> {
        for rows in [page.entries, page.told, page.rolls, page.proof] {
            rows.run(&mut self.connection).await?;
        }
        Ok(())
    }

    /// Makes what needs all rows, and closes it.
    pub async fn finish(self) -> Result<(), StoreError> {
        let Connection::Sqlite(mut file) = self.connection else {
            return Ok(());
        };
        sqlx::raw_sql(INDEXES).execute(&mut file).await?;
        mark_undone(&mut file).await?;
        sqlx::query("commit").execute(&mut file).await?;
        Ok(file.close().await?)
    }
}

/// Entries that follow each other, as the statements that insert them into each table.
#[derive(Default)]
pub struct PlayersPage {
    entries: Script,
    told: Script,
    rolls: Script,
    proof: Script,
}

impl PlayersPage {
    /// Adds the next entry.
    pub fn add(&mut self, row: &PlayersRow) {
        if let Some((n, seen)) = &row.seen {
            let n = number(*n);
            self.entries.push(entry(n, seen));
            let shown = match (row.audience, seen.rolls.is_empty()) {
                (Audience::Gm, false) => {
                    serde_json::from_slice::<VisibleEntry>(&row.row.public).ok()
                }
                _ => None,
            };
            let shown = shown.as_ref().map_or(&[][..], |shown| &shown.rolls[..]);
            for (nth, record) in (1..).zip(seen.rolls.iter()) {
                let visible = row.audience == Audience::Player
                    || shown.iter().any(|one| one.roll_id == record.roll_id);
                self.rolls.push(roll(n, nth, record, visible));
            }
            if row.audience == Audience::Player {
                self.add_known(row, n, seen);
            }
        }
        self.proof.push(proof(row));
    }

    /// Adds what players know of an entry beside its body.
    fn add_known(&mut self, row: &PlayersRow, n: i64, seen: &VisibleEntry) {
        let told = |body: &str| query("insert into told values (?, ?)").bind(n).bind(body);
        if !row.whole {
            read(seen)
                .into_iter()
                .for_each(|body| self.told.push(told(&body.to_string())));
        } else if seen.kind == "revealed"
            && let Ok(Entry {
                event: Event::Revealed(event),
                ..
            }) = serde_json::from_slice(&row.row.body)
            && let Some(opened) = event.opened()
        {
            for (nth, record) in (1..).zip(&opened.rolls) {
                self.rolls.push(roll(n, nth, record, true));
            }
            self.told.push(told(&event.body));
        }
    }
}

fn entry(n: i64, seen: &VisibleEntry) -> Query {
    let insert = query("insert into entries values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    let insert = insert
        .bind(n)
        .bind(seen.at)
        .bind(iso(seen.at))
        .bind(seen.session)
        .bind(&seen.kind);
    let insert = insert
        .bind(seen.actor.as_deref())
        .bind(&seen.text)
        .bind(seen.outcome.map(|outcome| outcome.as_str()));
    insert
        .bind(seen.label.as_deref())
        .bind(seen.visibility.as_str())
        .bind(seen.rule.as_deref())
}

fn roll(n: i64, nth: i64, record: &RollRecord, visible: bool) -> Query {
    let faces = serde_json::to_string(&record.roll.faces()).unwrap_or_default();
    let insert = query("insert into roll_rows values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    let insert = insert
        .bind(n)
        .bind(nth)
        .bind(&record.roll_id)
        .bind(&record.roll.expression)
        .bind(faces);
    let insert = insert
        .bind(record.roll.total)
        .bind(&record.roll.explanation)
        .bind(&record.purpose);
    insert.bind(visible).bind(&record.by).bind(&record.source)
}

fn proof(entry: &PlayersRow) -> Query {
    let PlayersRow {
        seen,
        players_n,
        whole,
        row,
        ..
    } = entry;
    query("insert into proof values (?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(row.seq)
        .bind(&row.public[..])
        .bind(&row.commitment[..])
        .bind(&row.chain[..])
        .bind(whole.then_some(&row.salt[..]))
        .bind(whole.then_some(&row.body[..]))
        .bind(seen.as_ref().map(|(n, _)| number(*n)))
        .bind(players_n.map(number))
}

fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Entries before an undo that are read at a time.
const ROWS: i64 = 256;

/// An undo: its number for players, and the first and the last entry that it took back.
type Undo = (i64, i64, i64);

/// Adds to the table `undos` what was taken back by undos of which players have only the sentence:
/// the newest entries with such a sentence. Whatever fits no entry is left out.
async fn mark_undone(file: &mut SqliteConnection) -> Result<(), StoreError> {
    let sql = "select entries.n, entries.text from entries join proof on proof.n = entries.n
        where entries.kind = 'undone' and proof.body is null order by entries.n";
    let undone: Vec<(i64, String)> = sqlx::query_as(sql).fetch_all(&mut *file).await?;
    let sql = "select n, first, last from undos where n > 0 order by n";
    let mut undos: Vec<Undo> = sqlx::query_as(sql).fetch_all(&mut *file).await?;
    for (n, text) in undone {
        let at = undos.partition_point(|(nth, ..)| *nth < n);
        let earlier = undos.get(..at).unwrap_or_default();
        let Some((first, last)) = taken_back(file, n, &text, earlier).await? else {
            continue;
        };
        let insert =
            sqlx::query("insert into undos (campaign, n, first, last) values (1, $1, $2, $3)");
        insert
            .bind(n)
            .bind(first)
            .bind(last)
            .execute(&mut *file)
            .await?;
        undos.insert(at, (n, first, last));
    }
    Ok(())
}

/// The first and the last entry that an undo with this sentence took back.
async fn taken_back(
    file: &mut SqliteConnection,
    n: i64,
    text: &str,
    earlier: &[Undo],
) -> Result<Option<(i64, i64)>, StoreError> {
    let Some((again, what)) = read_undone(text) else {
        return Ok(None);
    };
    let until = n.saturating_sub(i64::try_from(BACK_MAX).unwrap_or(i64::MAX));
    // Number, kind and sentence.
    let mut before: Vec<(i64, String, String)> = Vec::new();
    loop {
        let from = before.last().map_or(n, |(nth, ..)| *nth);
        let page =
            "select n, kind, text from entries where n < $1 and n >= $2 order by n desc limit +$3";
        let page = sqlx::query_as(page)
            .bind(from)
            .bind(until)
            .bind(ROWS)
            .fetch_all(&mut *file)
            .await?;
        if page.is_empty() {
            return Ok(None);
        }
        let known = before.len();
        before.extend(page);
        for (at, (nth, kind, text)) in before.iter().enumerate().skip(known) {
            let onward = before
                .iter()
                .take(at + 1)
                .rev()
                .map(|(_, kind, text)| (kind.as_str(), text.as_str()));
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
    let last = undos
        .iter()
        .rfind(|(_, first, last)| (*first..=*last).contains(&n));
    last.is_some_and(|(nth, ..)| !is_undone(*nth, undos))
}

/// Proofs that are read at a time.
const PROOFS: i64 = 512;

/// What a file of SQLite is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// It is a database to play with, such as the GM's export.
    Database,
    /// It has the shape of the players' file.
    Shaped,
    Nobody,
}

/// A row of the table `proof`.
#[derive(Debug)]
pub struct ProofRow {
    pub seq: i64,
    pub public: Vec<u8>,
    pub commitment: Vec<u8>,
    pub chain: Vec<u8>,
    pub salt: Option<Vec<u8>>,
    pub body: Option<Vec<u8>>,
    pub n: Option<i64>,
    pub players_n: Option<i64>,
}

/// What it says that it is of.
#[derive(Debug)]
pub struct ShapeRow {
    pub name: String,
    pub uuid: String,
    pub audience: String,
    pub after_seq: Option<i64>,
    pub after_chain: Option<Vec<u8>>,
}

/// A players' file that is being checked.
pub struct PlayersCopy(Connection);

impl PlayersCopy {
    /// Opens it for reading; what its schema says is not trusted.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(PlayersCopy(Connection::Sqlite(read_only(path).await?)))
    }

    /// What it is.
    pub async fn whose(&mut self) -> Result<Whose, StoreError> {
        let tables = "select coalesce(max(name = 'log'), 0) as log, coalesce(max(name = 'proof'), 0) as proof
            from sqlite_schema where type = 'table'";
        let row = query(tables).fetch_one(&mut self.0).await?;
        Ok(match (row.try_get("log")?, row.try_get("proof")?) {
            (true, _) => Whose::Database,
            (false, true) => Whose::Shaped,
            (false, false) => Whose::Nobody,
        })
    }

    /// Its row in the table `campaign`.
    pub async fn shape(&mut self) -> Result<Option<ShapeRow>, StoreError> {
        let shape = "select name, uuid, audience, after_seq, after_chain from campaign limit 1";
        let row = query(shape).fetch_optional(&mut self.0).await?;
        let shape = |row: Row| {
            Ok(ShapeRow {
                name: row.try_get("name")?,
                uuid: row.try_get("uuid")?,
                audience: row.try_get("audience")?,
                after_seq: row.try_get("after_seq")?,
                after_chain: row.try_get("after_chain")?,
            })
        };
        row.map(shape).transpose()
    }

    /// The proofs after that entry, the first few.
    pub async fn page(&mut self, after: i64) -> Result<Vec<ProofRow>, StoreError> {
        let sql = "select seq, public, commitment, chain, salt, body, n, players_n from proof where seq > $1 order by seq limit +$2";
        let rows = query(sql)
            .bind(after)
            .bind(PROOFS)
            .fetch_all(&mut self.0)
            .await?;
        let proof = |row: &Row| {
            Ok(ProofRow {
                seq: row.try_get("seq")?,
                public: row.try_get("public")?,
                commitment: row.try_get("commitment")?,
                chain: row.try_get("chain")?,
                salt: row.try_get("salt")?,
                body: row.try_get("body")?,
                n: row.try_get("n")?,
                players_n: row.try_get("players_n")?,
            })
        };
        rows.iter().map(proof).collect()
    }

    /// The clock at the table, and the last moment that it tells: zone, since and seconds, sorted.
    pub async fn clock(&mut self) -> Result<(KeptZone, Option<i64>), StoreError> {
        let sql =
            "select campaign, zone, since, seconds from zone_offsets order by since, campaign";
        let mut kept = KeptZone::default();
        for row in query(sql).fetch_all(&mut self.0).await? {
            let (campaign, zone): (i64, String) = (row.try_get("campaign")?, row.try_get("zone")?);
            // There is one campaign in it, which has the number 1.
            let zone = if campaign == 1 {
                zone
            } else {
                format!("{zone} of campaign {campaign}")
            };
            kept.add(&zone, row.try_get("since")?, row.try_get("seconds")?);
        }
        let last = query("select max(at) as at from entries")
            .fetch_one(&mut self.0)
            .await?;
        Ok((kept, last.try_get("at")?))
    }

    /// Closes it in good order.
    pub async fn close(self) -> Result<(), StoreError> {
        self.0.close().await
    }
}

/// What in a copy differs from a file made of its proofs: its schema, or else tables by name.
pub async fn differences(copy: &Path, made: &Path) -> Result<Vec<String>, StoreError> {
    let mut connection = read_only(made).await?;
    sqlx::query("attach $1 as copy")
        .bind(read_only_uri(copy)?)
        .execute(&mut connection)
        .await?;
    let schema = |of: &str| {
        let sql = format!(
            "select type, name, tbl_name, coalesce(sql, '') from {of}.sqlite_schema order by type, name"
        );
        sqlx::query_as::<_, (String, String, String, String)>(AssertSqlSafe(sql))
    };
    let (ours, theirs) = (
        schema("main").fetch_all(&mut connection).await?,
        schema("copy").fetch_all(&mut connection).await?,
    );
    if ours != theirs {
        return Ok(vec!["schema".to_owned()]);
    }
    let mut differ = Vec::new();
    // Names of our own schema. The clock is none of the log's, and is compared with its zone.
    for (_, name, ..) in ours
        .into_iter()
        .filter(|(kind, name, ..)| kind == "table" && name != "zone_offsets")
    {
        let sql = format!(
            "select (select count(*) from main.\"{name}\") = (select count(*) from copy.\"{name}\")
                and not exists (select * from main.\"{name}\" except select * from copy.\"{name}\")"
        );
        let same: i64 = sqlx::query(AssertSqlSafe(sql))
            .fetch_one(&mut connection)
            .await?
            .try_get(0)?;
        if same == 0 {
            differ.push(format!("table {name}"));
        }
    }
    close(connection).await.map(|()| differ)
}
