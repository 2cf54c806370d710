//! The schema on a server: made once, never run backwards, never beside another person's tables.

use rollbook::migrations::MIGRATIONS;
use rollbook_store::StoreError;
use rollbook_store::postgres::migrate;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::runtime::Runtime;

use super::server::Database;
use crate::table::has;

const PLACE: &str = "postgres://table.example/rollbook";

/// The schema that this program makes.
fn current() -> i64 {
    MIGRATIONS.postgres.current()
}

fn runs(law: impl Future<Output = ()>) {
    MIGRATIONS.hand_down();
    Runtime::new().expect("a runtime").block_on(law);
}

/// Opens the database as a start does.
async fn start(url: &str) -> Result<(), StoreError> {
    let mut connection = PgConnection::connect(url).await.expect("connects");
    let started = migrate::bring_up_to_date(&mut connection, PLACE).await;
    connection.close().await.expect("closes");
    started
}

/// Everything that lies in the schema, with the count of its rows, to see that nothing was changed.
async fn contents(database: &Database) -> Vec<(String, String)> {
    let mut connection = database.connect().await;
    let all =
        "select relname::text, coalesce(query_to_xml(format('select * from %I', relname), false, true, '')::text, '')
        from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v') order by 1";
    sqlx::query_as(all)
        .fetch_all(&mut connection)
        .await
        .expect("reads")
}

#[test]
fn many_first_starts_at_once_make_one_schema() {
    let Some(database) = Database::empty() else {
        return;
    };
    runs(async {
        let starts = (0..20).map(|_| {
            let url = database.url();
            tokio::spawn(async move { start(&url).await })
        });
        for start in starts.collect::<Vec<_>>() {
            start.await.expect("ends").expect("starts");
        }
        let mut connection = database.connect().await;
        assert_eq!(
            migrate::look(&mut connection, PLACE).await.expect("looks"),
            Some(current())
        );
        let books: i64 = sqlx::query_scalar("select count(*) from book")
            .fetch_one(&mut connection)
            .await
            .expect("reads");
        assert_eq!(books, 1);
    });
}

#[test]
fn a_database_that_is_up_to_date_is_opened_without_the_lock_of_migrations() {
    let Some(database) = Database::new() else {
        return;
    };
    runs(async {
        let mut migrating = database.connect().await;
        sqlx::migrate::Migrate::lock(&mut migrating)
            .await
            .expect("locks");
        start(&database.url()).await.expect("starts");
    });
}

#[test]
fn a_database_of_a_later_program_is_refused_and_left_alone() {
    let Some(database) = Database::new() else {
        return;
    };
    database.execute("insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (99, 'x', true, '\\x00', 0)");
    runs(async {
        let before = contents(&database).await;
        let refused = start(&database.url()).await;
        assert!(
            matches!(refused, Err(StoreError::Newer { found: 99, known }) if known == current()),
            "{refused:?}"
        );
        assert_eq!(contents(&database).await, before);
    });
}

#[test]
fn tables_of_other_programs_are_refused_and_left_alone() {
    for sql in [
        "create table shopping (what text); insert into shopping values ('milk')",
        "create view shopping as select 'milk' as what",
        "create table campaigns (id bigint)",
        "create table log (line text); create table campaigns (id bigint); create table book (id text)",
        // Another program that is built with the same library.
        "create table _sqlx_migrations (version bigint primary key, description text not null, installed_on timestamptz not null default now(),
            success boolean not null, checksum bytea not null, execution_time bigint not null);
         insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (1, 'users', true, '\\x00', 0);
         create table users (name text)",
        "create table _sqlx_migrations (line text); insert into _sqlx_migrations values ('milk')",
        "create table _sqlx_migrations (version text, checksum text, success text); insert into _sqlx_migrations values ('a', 'b', 'c')",
    ] {
        let Some(database) = Database::empty() else { return };
        database.execute(sql);
        runs(async {
            let before = contents(&database).await;
            match start(&database.url()).await {
                Err(error @ StoreError::NotOpened { .. }) => {
                    let words = error.to_string();
                    assert!(words.contains("tables of another program") && words.contains(PLACE), "{sql}: {words}");
                }
                other => panic!("{sql}: {other:?}"),
            }
            assert_eq!(contents(&database).await, before, "{sql}");
        });
    }
}

#[test]
fn the_advice_for_a_database_of_another_program_works() {
    let Some(database) = Database::empty() else {
        return;
    };
    database.execute("create table shopping (what text); create schema rollbook");
    runs(async {
        let url = format!("{}?options=-csearch_path=rollbook", database.url());
        start(&url).await.expect("starts in a schema of its own");
        start(&url).await.expect("and again");
        assert!(matches!(
            start(&database.url()).await,
            Err(StoreError::NotOpened { .. })
        ));
    });
}

#[test]
fn what_an_extension_brings_is_no_other_programs() {
    let Some(database) = Database::empty() else {
        return;
    };
    // A view that belongs to an extension, as hosts install it into every database.
    database.execute(
        "do $$ begin create extension pg_stat_statements; exception when others then
        create view shopping as select 1; alter extension plpgsql add view shopping; end $$",
    );
    runs(async { start(&database.url()).await.expect("starts") });
}

#[test]
fn a_first_start_that_was_killed_is_begun_again() {
    let Some(database) = Database::empty() else {
        return;
    };
    runs(async {
        let mut connection = database.connect().await;
        sqlx::migrate::Migrate::ensure_migrations_table(&mut connection, "_sqlx_migrations")
            .await
            .expect("makes it");
        start(&database.url()).await.expect("starts");
    });
}

#[test]
fn a_database_that_cannot_hold_every_name_is_refused() {
    let Some(database) = Database::empty() else {
        return;
    };
    database.execute("create database latin encoding 'LATIN1' locale 'C' locale_provider libc template template0");
    let url = database.url();
    let url = format!("{}/latin", url.rsplit_once('/').expect("an address").0);
    runs(async {
        let refused = start(&url).await.expect_err("is refused").to_string();
        has(
            &refused,
            &[
                "its encoding is LATIN1",
                "create database rollbook encoding",
            ],
        );
    });
    database.execute("drop database latin");
}

#[test]
fn a_user_who_may_not_make_tables_is_notified_what_to_grant() {
    let Some(database) = Database::empty() else {
        return;
    };
    database.execute(
        "do $$ begin create role guest login; exception when duplicate_object then null; end $$;
        revoke create on schema public from public",
    );
    runs(async {
        let refused = start(&database.url_of("guest"))
            .await
            .expect_err("is refused")
            .to_string();
        assert!(
            refused.contains("may not make tables") && refused.contains("grant create on schema"),
            "{refused}"
        );
        database.execute("grant create on schema public to guest");
        start(&database.url_of("guest")).await.expect("starts");
    });
}

const ZEROS: &str = "decode(repeat('00', 32), 'hex')";

/// A campaign with its first entry.
fn one_entry() -> String {
    format!(
        "insert into campaigns (id, uuid, name, adventure, rules_hash, created_at) values (1, 'u', 'Österreich', 'a', '', 0);
         insert into log (campaign, seq, prev, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor)
         values (1, 1, {ZEROS}, '{{}}', '{{\"text\": \"a door\"}}', {ZEROS}, {ZEROS}, {ZEROS}, {ZEROS}, 1763700000000056, 1, 'roll', 'public', 'gm');
         insert into requests (campaign, request_id, tool, arguments, seq, reply, salt) values (1, 'r', 't', {ZEROS}, 1, '{{}}', {ZEROS});
         insert into checkpoints (uuid, name, seq, chain, at, database) values ('u', 'n', 1, {ZEROS}, 0, 'd')"
    )
}

#[test]
fn what_must_never_change_does_not() {
    let Some(database) = Database::new() else {
        return;
    };
    database.execute(&one_entry());
    let next = |seq: i64, prev: &str| {
        format!("insert into log (campaign, seq, prev, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor)
            select campaign, {seq}, {prev}, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor from log limit 1")
    };
    let refused = [
        ("update log set at = 7", "entries are never changed"),
        ("delete from log", "entries are never removed"),
        ("truncate log", "entries are never removed"),
        (&next(3, "chain"), "seq must be the next"),
        (&next(1, "chain"), "seq must be the next"),
        (
            &next(2, "decode(repeat('01', 32), 'hex')"),
            "prev must be the last chain value",
        ),
        (&next(2, "'\\x00'"), "prev must be the last chain value"),
        ("update requests set reply = ''", "answers are kept"),
        ("delete from requests", "answers are kept"),
        ("truncate requests", "answers are kept"),
        ("update book set id = id", "a book keeps its name"),
        ("delete from book", "a book keeps its name"),
        ("truncate book", "a book keeps its name"),
        (
            "insert into book values (repeat('a', 32))",
            "a book keeps its name",
        ),
        ("update checkpoints set seq = 0", "checkpoints are kept"),
        ("delete from checkpoints", "checkpoints are kept"),
        ("truncate checkpoints", "checkpoints are kept"),
        ("truncate campaigns cascade", "entries are never removed"),
        (
            "insert into keys (id, hash, table_of, seat, created_at) values ('k', decode(repeat('00', 32), 'hex'), 1, 'player', 0)",
            "keys_player_has_a_character",
        ),
        (
            "insert into tracks values (1, 1, 'Health', 5, 0, 4, false)",
            "tracks_value_in_bounds",
        ),
        (
            "insert into combatants values (1, 1, 1, 1, 'foes', 1, 'no json', null, 0, 0, false, 0, null, false)",
            "json",
        ),
        (
            "insert into campaigns (id, uuid, name, adventure, rules_hash, created_at) values (2, 'v', 'Österreich', 'a', '', 0)",
            "campaigns_name_unique",
        ),
    ];
    runs(async {
        let mut connection = database.connect().await;
        for (sql, words) in refused {
            let refused = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
                .execute(&mut connection)
                .await
                .expect_err(sql)
                .to_string();
            assert!(refused.contains(words), "{sql}: {refused}");
        }
        sqlx::raw_sql(AssertSqlSafe(next(2, "chain")))
            .execute(&mut connection)
            .await
            .expect("the next link is taken");
    });
}

#[test]
fn the_view_shows_the_log_as_a_person_reads_it() {
    let Some(database) = Database::new() else {
        return;
    };
    database.execute(&one_entry());
    runs(async {
        let mut connection = database.connect().await;
        let row: (
            String,
            i64,
            String,
            i64,
            String,
            String,
            String,
            String,
            String,
            String,
        ) = sqlx::query_as("select * from entries")
            .fetch_one(&mut connection)
            .await
            .expect("reads");
        let shown = (
            &*row.0, row.1, &*row.2, row.3, &*row.4, &*row.5, &*row.6, &*row.7, &*row.8, &*row.9,
        );
        let zeros = "00".repeat(32);
        let expected = (
            "Österreich",
            1,
            "2025-11-21T04:40:00.000056Z",
            1,
            "roll",
            "public",
            "gm",
            "a door",
            &*zeros,
            "{}",
        );
        assert_eq!(shown, expected);
    });
}

/// Every table and column of one store is in the other, so that a statement that is written once
/// runs on both; but each finds words by means of its own.
#[test]
fn both_stores_have_the_same_tables_and_columns() {
    let Some(database) = Database::new() else {
        return;
    };
    runs(async {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("campaigns.db");
        drop(rollbook_store::sqlite::open(&path).await.expect("opens"));
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
        let mut file = sqlx::SqliteConnection::connect_with(&options)
            .await
            .expect("opens");
        let columns = "select tab.name, col.name from sqlite_schema as tab, pragma_table_info(tab.name) as col
            where tab.type in ('table', 'view') and tab.name not like 'sqlite_%' and tab.name not like 'words%' order by tab.name, col.name";
        let in_file: Vec<(String, String)> = sqlx::query_as(columns)
            .fetch_all(&mut file)
            .await
            .expect("reads");
        let mut connection = database.connect().await;
        let columns = "select table_name::text, column_name::text from information_schema.columns
            where table_schema = current_schema() and table_name not in ('checkpoints', 'words')
            order by table_name collate \"C\", column_name collate \"C\"";
        let on_server: Vec<(String, String)> = sqlx::query_as(columns)
            .fetch_all(&mut connection)
            .await
            .expect("reads");
        assert!(in_file.len() > 100, "{}", in_file.len());
        assert_eq!(on_server, in_file);
    });
}
