//! Campaigns carried from one database to another of any kind, entry by entry: hashed bytes stay,
//! so the chain is the same, and tables are folded anew. Keys of seats stay where they are.
//!
//! And a server's database as a file of SQLite: every row as it is, so that damage is kept, too.

use std::path::{Path, PathBuf};

use sqlx::AssertSqlSafe;

use super::StoreError;
use super::location::Server;
use super::postgres::server::read_only;
use super::record::{Head, LogRow, Position, RollRow, Sealed, read_entry, read_hash};
use super::removal::lift_triggers;
use super::sql::connection::{Connection, Row, query};
use super::sql::page::Page;
use super::sqlite::backups::{Series, begun};
use super::sqlite::{copy, migrate};
use rollbook_text::names::same;

const ANSWERS: u32 = 500;

/// Carries the campaign `key` to `there`, in a transaction; its log's end and number of entries.
pub async fn campaign(
    from: &mut Connection,
    key: i64,
    to: &mut Connection,
    there: i64,
) -> Result<(Head, u64), StoreError> {
    let (mut at, mut head, mut entries) = (
        Position {
            has_rolls: true,
            ..Position::of(key)
        },
        Head::default(),
        0,
    );
    while let Some(page) = Page::read(from, &mut at).await? {
        let rolls = page.rolls()?;
        for row in page.rows()? {
            let sealed = sealed(row, &rolls)?;
            to.append(there, std::slice::from_ref(&sealed), None)
                .await?;
            head = sealed.head();
            entries += 1;
        }
    }
    if let Some(zone) = from.zone(key).await? {
        to.keep_zone(there, &zone).await?;
    }
    let mut last = String::new();
    loop {
        let answers = from.answers(key, &last, ANSWERS).await?;
        let Some((request_id, _)) = answers.last() else {
            return Ok((head, entries));
        };
        last.clone_from(request_id);
        for (request_id, answer) in &answers {
            to.append(there, &[], Some((request_id, answer))).await?;
        }
    }
}

/// A row of the log as it is written, with the rows in `rolls` of its page.
fn sealed(row: LogRow, rolls: &[RollRow<'_>]) -> Result<Sealed, StoreError> {
    let whole = rolls
        .iter()
        .any(|roll| u64::try_from(roll.seq) == Ok(row.seq) && roll.visible);
    let hash = |bytes: &[u8]| read_hash(bytes, row.seq);
    Ok(Sealed {
        entry: read_entry(&row.body, row.seq)?,
        seq: row.seq,
        prev: hash(&row.prev)?,
        body: row.body,
        public: row.public,
        whole,
        salt: hash(&row.salt)?,
        commitment: hash(&row.commitment)?,
        leaf: hash(&row.leaf)?,
        chain: hash(&row.chain)?,
    })
}

/// Writes one campaign into an empty file, entry by entry: a book of its own.
pub(super) async fn one_to_file(
    server: &Server,
    key: i64,
    out: &Path,
) -> Result<(Head, u64), StoreError> {
    let (mut from, mut to) = both(server, out).await?;
    let carried = campaign(&mut from, key, &mut to, key).await?;
    kept(from, to).await.map(|()| carried)
}

/// A connection that reads one moment of a server, and one that writes tables to an empty file.
async fn both(server: &Server, out: &Path) -> Result<(Connection, Connection), StoreError> {
    let mut from = read_only(server).await?;
    from.begin_read().await?;
    let mut file = copy::empty(out).await?;
    migrate::make(&mut file).await?;
    let mut to = Connection::Sqlite(file);
    query("begin").execute(&mut to).await?;
    Ok((from, to))
}

async fn kept(from: Connection, mut to: Connection) -> Result<(), StoreError> {
    query("commit").execute(&mut to).await?;
    to.close().await?;
    from.close().await
}

const ROWS: u32 = 500;

/// Makes a backup of a campaign beside the server's checkpoints, once an hour; where it lies.
pub async fn back_up(
    server: &Server,
    campaign: &str,
    now: i64,
) -> Result<Option<PathBuf>, StoreError> {
    let mut reader = read_only(server).await?;
    let found = reader.campaigns().await;
    reader.close().await?;
    let Some((name, identity)) = found?.into_iter().find(|(name, _)| same(name, campaign)) else {
        return Ok(None);
    };
    let series = Series::of_campaign(server, &name, &identity.uuid);
    let Some((out, series)) = series.and_then(|series| Some((series.next(now)?, series))) else {
        return Ok(None);
    };
    let draft = begun(&out)?;
    write(server, Some(&[identity.key]), draft.path()).await?;
    series.keep(draft).await?;
    Ok(Some(out))
}

/// Writes every campaign, or these, into an empty file, with the book's name and hashed keys.
pub async fn write(server: &Server, keys: Option<&[i64]>, out: &Path) -> Result<(), StoreError> {
    let (mut from, mut to) = both(server, out).await?;
    let lifted = lift_triggers(&mut to).await?;
    if let Some(book) = from.book().await? {
        query("update book set id = $1")
            .bind(book)
            .execute(&mut to)
            .await?;
    }
    // The tables with rows of campaigns, which a server has as a file has them, with how a row's
    // columns are read from the JSON that the server writes: bytes are `\x` and their hex digits.
    let tables = query(
        "select ours.name as name, group_concat('\"' || col.name || '\"', ', ') as columns, max(col.name = 'seq') as has_seq,
            group_concat(iif(lower(col.type) = 'blob', 'unhex(substr(', '') || 'json_extract(line.value, ''$.' || col.name || ''')'
                || iif(lower(col.type) = 'blob', ', 3))', ''), ', ') as carried,
            case ours.name when 'campaigns' then 'id' when 'keys' then 'table_of' else 'campaign' end as key
         from sqlite_schema as ours, pragma_table_info(ours.name) as col
         where ours.type = 'table' and (ours.name in ('campaigns', 'keys')
            or exists (select 1 from pragma_table_info(ours.name) as key where key.name = 'campaign'))
         group by ours.name order by ours.name <> 'campaigns', ours.name",
    );
    for table in tables.fetch_all(&mut to).await? {
        rows(&mut from, &table, keys, &mut to).await?;
    }
    for statement in lifted {
        query(AssertSqlSafe(statement)).execute(&mut to).await?;
    }
    kept(from, to).await
}

async fn rows(
    from: &mut Connection,
    table: &Row,
    keys: Option<&[i64]>,
    to: &mut Connection,
) -> Result<(), StoreError> {
    let text = |column| table.try_get::<&str>(column);
    let (name, key, columns, carried) = (
        text("name")?,
        text("key")?,
        text("columns")?,
        text("carried")?,
    );
    // Names of our own schema, and numbers.
    let wanted = keys.map_or(String::new(), |keys| {
        let keys = keys
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ");
        format!(" where \"{key}\" in ({keys})")
    });
    let order = if table.try_get("has_seq")? {
        ", seq"
    } else {
        ""
    };
    let declared = format!(
        "declare carried no scroll cursor for
         select row_to_json(line)::text as row from (select {columns} from \"{name}\"{wanted} order by \"{key}\"{order}) as line"
    );
    query(AssertSqlSafe(declared)).execute(from).await?;
    let insert =
        format!("insert into \"{name}\" ({columns}) select {carried} from json_each($1) as line");
    loop {
        let page = query(AssertSqlSafe(format!("fetch {ROWS} from carried")))
            .fetch_all(from)
            .await?;
        if page.is_empty() {
            break;
        }
        let page: Vec<&str> = page
            .iter()
            .map(|row: &Row| row.try_get("row"))
            .collect::<Result<_, _>>()?;
        query(AssertSqlSafe(insert.clone()))
            .bind(format!("[{}]", page.join(",")))
            .execute(to)
            .await?;
    }
    Ok(query("close carried").execute(from).await?)
}
