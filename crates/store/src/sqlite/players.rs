//! The players' file: a SQLite file of its own shape with what players may see. The GM's file of a
//! part of a log has it, too. And one that came back: its proofs, and whether everything else in it
//! is what they make.

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

/// The players' file. `proof` holds what re-computes the chain, and which entry has which number
/// here; everything else numbers only what players see. `facts` is what the views for people read,
/// see [`shared_views`]. Where the body of an entry is not theirs, `told` has what their sentence
/// says of it, in the form of a body; and of an entry that opens another, the body of that one.
const PLAYERS_SCHEMA: &str = "
create table campaign (name text not null, uuid text not null, audience text not null, after_seq integer, after_chain blob) strict;
create table entries (
    n integer primary key, at integer not null, time text not null, session integer not null, kind text not null, actor text, text text not null,
    outcome text, label text, visibility text not null, rule text
) strict;
create table roll_rows (
    n integer not null references entries (n), nth integer not null, id text not null, expression text not null,
    individual_rolls text not null, total integer not null, explanation text not null, purpose text not null,
    visible integer not null, requested_by text not null, source text not null, primary key (n, nth)
) strict, without rowid;
create table proof (
    seq integer primary key, public blob not null, commitment blob not null, chain blob not null, salt blob, body blob, n integer,
    players_n integer
) strict;
create index proof_by_number on proof (n) where n is not null;
create table told (n integer primary key references entries (n), body text not null) strict;
create table closings (closes integer not null, n integer not null, primary key (closes, n)) strict, without rowid;
create table undos (campaign integer not null, n integer primary key, first integer not null, last integer not null) strict;
create table zone_offsets (
    campaign integer not null, since integer not null, seconds integer not null, zone text not null, primary key (campaign, since)
) strict, without rowid;
create view seen as select 1 as campaign, seq, players_n as n from proof where players_n is not null;
create view facts as
select
    1 as campaign,
    entries.n,
    proof.seq,
    entries.at,
    entries.time,
    coalesce(
        (select strftime('%Y-%m-%dT%H:%M:%S', entries.at / 1000000 + seconds, 'unixepoch')
                || printf('%s%02d:%02d', iif(seconds < 0, '-', '+'), abs(seconds) / 3600, abs(seconds) / 60 % 60)
            from zone_offsets where since <= entries.at order by since desc limit 1),
        substr(entries.time, 1, 19) || '+00:00'
    ) as local_time,
    entries.session,
    entries.kind,
    entries.visibility,
    entries.actor,
    iif((select audience from campaign) = 'gm', json_extract(cast(proof.body as text), '$.event.combat'),
        (select min(began.n) from proof as began where began.n is not null
            and began.seq = (select min(first.seq) from proof as first where first.n is not null
                and first.seq >= json_extract(coalesce(told.body, cast(proof.body as text)), '$.event.combat')))) as fight,
    (with recursive later (n, depth) as (
        select entries.n, 0
        union all
        select (select max(undos.n) from undos where undos.last >= later.n and undos.first = (
                select max(own.first) from undos as own where own.first <= +later.n)),
            depth + 1
        from later where later.n is not null
    ) select (max(depth) - 1) % 2 from later) as undone,
    coalesce(told.body, cast(proof.body as text)) as body,
    cast(proof.public as text) as public,
    coalesce(json_extract(coalesce(told.body, cast(proof.body as text)), '$.rolls'), json_extract(cast(proof.public as text), '$.rolls')) as rolls
from entries join proof on proof.n = entries.n left join told on told.n = entries.n;
create view rolls as
select
    facts.campaign, facts.seq, own.nth, own.id, facts.time, facts.session, own.expression, own.individual_rolls, own.total,
    own.explanation, json_extract(facts.body, '$.event.context') as context, own.purpose, own.visible, own.requested_by, own.source,
    own.n, facts.local_time, own.requested_by as who,
    coalesce(json_extract(facts.body, '$.event.context'), nullif(replace(own.purpose, '_', ' '), '')) as what_for,
    iif(facts.kind = 'check', coalesce(
        json_extract(facts.body, '$.event.skill'), json_extract(facts.body, '$.event.attribute'), json_extract(facts.body, '$.event.attack_name'),
        json_extract(facts.body, '$.event.check')
    ), null) as skill,
    coalesce(
        json_extract(facts.rolls, '$[' || (own.nth - 1) || '].roll.verdict.target'),
        iif(own.nth = 1, json_extract(facts.body, '$.event.target'), null)
    ) as target,
    coalesce(
        iif(own.nth = 1, replace(coalesce(json_extract(facts.body, '$.event.outcome'), json_extract(facts.public, '$.outcome')), '_', ' '), null),
        iif(json_extract(facts.rolls, '$[' || (own.nth - 1) || '].roll.verdict.success'), 'success', null),
        iif(json_extract(facts.rolls, '$[' || (own.nth - 1) || '].roll.verdict.success') = 0, 'failure', null)
    ) as outcome,
    facts.visibility, facts.undone
from roll_rows as own join facts on facts.n = own.n;
create view notes as
select
    campaign, n as id, session, coalesce(json_extract(body, '$.event.note'), 'note') as kind,
    coalesce(json_extract(body, '$.event.text'), json_extract(public, '$.text')) as text,
    coalesce(json_extract(public, '$.hidden'), 0) as hidden,
    (select min(own.n) from closings as own join facts as closing on closing.n = own.n where own.closes = facts.n and not closing.undone) as closed_by
from facts where kind = 'note' and not undone;
";

/// Made when all rows are there.
const INDEXES: &str = "
create index entries_by_kind on entries (kind);
insert into undos (campaign, n, first, last)
select 1, own.n, min(proof.n), max(proof.n)
from (select entries.n, json_extract(cast(proof.body as text), '$.event.entry') as first,
        json_extract(cast(proof.body as text), '$.event.last') as last
    from entries join proof on proof.n = entries.n where entries.kind = 'undone' and proof.body is not null) as own
join proof on proof.seq between own.first and own.last
where proof.n is not null group by own.n;
-- What was opened is what it is, where players had seen nothing of it; else it is beside what they had seen.
update entries set visibility = 'revealed', kind = coalesce(
    (select json_extract(told.body, '$.event.kind') from told where told.n = entries.n and not exists (select 1
        from proof as own join proof as sealed on sealed.seq = json_extract(cast(own.body as text), '$.event.entry')
        where own.n = entries.n and sealed.n is not null)),
    kind)
where kind = 'revealed' and n in (select n from told);
insert into closings (closes, n)
select thread.n, entries.n from entries join proof on proof.n = entries.n left join told on told.n = entries.n
    join proof as thread on thread.seq = json_extract(coalesce(told.body, cast(proof.body as text)), '$.event.closes.entry')
where entries.kind = 'note' and thread.n is not null;
-- The fight is that of the entry of a fight before; where players have no body of it, it is the one that began last.
update told set body = json_set(body, '$.event.combat', (
    select coalesce(json_extract(cast(proof.body as text), '$.event.combat'), proof.seq)
    from entries as own join proof on proof.n = own.n
    where own.n <= told.n and (own.kind = 'combat_started' or (proof.body is not null
        and own.kind in ('turn_began', 'round_began', 'turn_taken_back', 'combatant_joined', 'combatant', 'structure_changed', 'combat_ended')))
    order by own.n desc limit 1))
where json_extract(body, '$.event.combat') is null and n in (select n from entries
    where kind in ('turn_began', 'round_began', 'turn_taken_back', 'combatant_joined', 'combatant'));
-- Of a hit by a check, and of dice for several, players saw the damage roll a moment before, in the same call.
update told set body = json_set(body, '$.event.roll', (
    select proof.seq from entries as own join entries as rolled on rolled.n between own.n - 50 and own.n - 1 and rolled.at = own.at
        and rolled.kind in ('roll', 'roll_set') join proof on proof.n = rolled.n
    where own.n = told.n and not exists (select 1 from entries as other where other.n > rolled.n and other.n < own.n
            and other.kind not in ('damage', 'effects', 'combatant', 'check'))
        and coalesce(json_extract(cast(proof.body as text), '$.event.check'), json_extract(cast(proof.body as text), '$.event.deals')) is not null
    order by rolled.n desc limit 1))
where json_extract(body, '$.event.roll') is null and n in (select n from entries where kind = 'damage' and visibility <> 'revealed');
-- What had been taken back before it was opened is undone where it is opened. No entry has a number below zero.
insert into undos (campaign, n, first, last)
select 1, -entries.n, entries.n, entries.n from entries join told on told.n = entries.n join proof on proof.n = entries.n
where entries.visibility = 'revealed' and json_extract(cast(proof.body as text), '$.event.undone');
create index undos_by_call on undos (first);
create index entries_by_session on entries (session, n, kind);
";

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
        for sql in [PLAYERS_SCHEMA, shared_views()?, "begin"] {
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

    /// Writes the rows of a table together: SQLite prepares statements that are alike once.
    pub async fn add(&mut self, page: PlayersPage) -> Result<(), StoreError> {
        for script in [page.entries, page.told, page.rolls, page.proof] {
            script.run(&mut self.connection).await?;
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
        let told = |body: &str| {
            query("insert into told (n, body) values ($1, $2)")
                .bind(n)
                .bind(body)
        };
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
    let insert = query("insert into entries values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)");
    let insert = insert
        .bind(n)
        .bind(seen.at)
        .bind(iso(seen.at))
        .bind(seen.session)
        .bind(&seen.kind);
    let insert = insert
        .bind(&seen.actor)
        .bind(&seen.text)
        .bind(seen.outcome.map(|outcome| outcome.as_str()));
    insert
        .bind(&seen.label)
        .bind(seen.visibility.as_str())
        .bind(&seen.rule)
}

fn roll(n: i64, nth: i64, record: &RollRecord, visible: bool) -> Query {
    let faces = serde_json::to_string(&record.roll.faces()).unwrap_or_default();
    let insert =
        query("insert into roll_rows values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)");
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
    query("insert into proof values ($1, $2, $3, $4, $5, $6, $7, $8)")
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
            "select n, kind, text from entries where n < $1 and n >= $2 order by n desc limit $3";
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
