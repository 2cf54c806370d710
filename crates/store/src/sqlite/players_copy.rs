//! A players' file that came back: its proofs, and whether everything else in it is what they make.

use std::path::Path;

use sqlx::{AssertSqlSafe, Row as _};

use super::connection::{close, read_only};
use super::copy::read_only_uri;
use crate::StoreError;
use crate::sql::connection::{Connection, Row, query};
use crate::sql::zone::KeptZone;

const ROWS: i64 = 512;

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
        let rows = query("select name from sqlite_schema where type = 'table'")
            .fetch_all(&mut self.0)
            .await?;
        let names = rows
            .iter()
            .map(|row| row.try_get::<String>("name"))
            .collect::<Result<Vec<_>, _>>()?;
        let has = |name: &str| names.iter().any(|table| table == name);
        Ok(match (has("log"), has("proof")) {
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
        let sql = "select seq, public, commitment, chain, salt, body, n, players_n from proof where seq > $1 order by seq limit $2";
        let rows = query(sql)
            .bind(after)
            .bind(ROWS)
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

    /// The clock at the table, and the last moment that it tells: rows of zone, since and seconds,
    /// in order.
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

/// What in a copy is not as in a file that was made of its proofs, a name each: its schema, or else
/// its tables.
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
    // Names of our own schema. The clock at the table is none of the log's, and is compared with
    // its zone.
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
