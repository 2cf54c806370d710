//! What any store of the log does, tried on every one there is. A new store is a [`Place`] and a
//! line in `places!`.

mod turns;

use std::path::PathBuf;
use std::sync::LazyLock;

use rollbook_game::record::change::Change;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{Act, CombatantEvent, Event, SessionEnded};
use rollbook_game::record::state::State;
use rollbook_game::view::Audience;
use rollbook_game::view::visibility::{Projection, is_shown, project};
use rollbook_record::export::{self, Format, Wanted};
use rollbook_store::location::Location;
use rollbook_store::record::roll_rows;
use rollbook_store::sql::connection::query;
use rollbook_store::{
    Connection as Log, Head, Identity, Lent, LogRow, Position, Reader, Remembered, Sealed, Store,
    StoreError, Turn, chain, sqlite, verify,
};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use uuid::Uuid;

use crate::postgres::server::Database;
use crate::table::Table;

/// Where a store keeps its campaigns; it is empty when made, and each opening is a connection of
/// its own.
trait Place: Sized {
    /// `None` where this machine has no such thing.
    fn new() -> Option<Self>;
    async fn open(&self) -> Playing;
    async fn audit(&self) -> Reader;
    /// Damages what is kept, with no store open: the schema loses a part and leaves its pages
    /// behind, the database has a second name, and every entry loses its campaign.
    async fn damage(&self);
}

/// A database that is open to play in, with what was begun there.
struct Playing {
    store: Store,
    turn: Option<Turn>,
    reading: Option<Lent>,
}

impl Playing {
    fn of(store: impl Into<Store>) -> Self {
        let store = store.into();
        Playing {
            store,
            turn: None,
            reading: None,
        }
    }

    /// What was begun, else another connection that reads.
    async fn log(&mut self) -> &mut Log {
        match (&mut self.turn, &mut self.reading) {
            (Some(turn), _) => turn,
            (None, Some(reading)) => reading,
            (None, reading) => reading.insert(self.store.read().await.expect("reads")),
        }
    }

    async fn begin(&mut self, campaign: i64) -> Result<Head, StoreError> {
        self.turn = None;
        let turn = self.turn.insert(self.store.turn().await?);
        let begun = turn.begin(campaign).await;
        if begun.is_err() {
            self.turn = None;
        }
        begun
    }

    async fn commit(
        &mut self,
        campaign: i64,
        entries: &[Sealed],
        answer: Option<(&str, &Remembered)>,
    ) -> Result<(), StoreError> {
        let turn = self.turn.as_mut().expect("was begun");
        turn.append(campaign, entries, answer).await?;
        self.turn
            .take()
            .expect("was begun")
            .commit()
            .await
            .map(drop)
    }

    async fn rollback(&mut self) -> Result<(), StoreError> {
        match self.turn.take() {
            Some(turn) => turn.rollback().await,
            None => Ok(()),
        }
    }

    async fn begin_read(&mut self) -> Result<(), StoreError> {
        self.reading = None;
        self.reading.insert(self.store.read().await?).begin().await
    }

    async fn end_read(&mut self) -> Result<(), StoreError> {
        self.reading.take().expect("was begun").end().await
    }

    async fn close(mut self) -> Result<(), StoreError> {
        (self.turn, self.reading) = (None, None);
        self.store.close().await
    }
}

/// A file as it is served, or one that is thrown away after use, as playtests have it.
struct OnDisk<const IS_THROWN_AWAY: bool>(TempDir);

type File = OnDisk<false>;
type ThrowAway = OnDisk<true>;

impl<const IS_THROWN_AWAY: bool> OnDisk<IS_THROWN_AWAY> {
    fn database(&self) -> PathBuf {
        self.0.path().join("campaigns.db")
    }
}

impl<const IS_THROWN_AWAY: bool> Place for OnDisk<IS_THROWN_AWAY> {
    fn new() -> Option<Self> {
        rollbook::migrations::MIGRATIONS.hand_down();
        Some(OnDisk(TempDir::new().expect("a folder")))
    }

    async fn open(&self) -> Playing {
        let database = self.database();
        Playing::of(match IS_THROWN_AWAY {
            true => sqlite::open_throw_away(&database).await.expect("opens"),
            false => sqlite::open(&database).await.expect("opens"),
        })
    }

    async fn audit(&self) -> Reader {
        Reader::open(&self.database()).await.expect("opens")
    }

    async fn damage(&self) {
        let options = SqliteConnectOptions::new().filename(self.database());
        let mut connection = SqliteConnection::connect_with(&options)
            .await
            .expect("opens");
        let sql = "pragma foreign_keys = off; delete from campaigns; drop trigger book_has_one_name;
                   insert into book values (lower(hex(randomblob(16))));
                   pragma writable_schema = on;
                   update sqlite_schema set sql = replace(sql, '(seq,', '(seq desc,') where name = 'log_by_entry'";
        sqlx::raw_sql(sql)
            .execute(&mut connection)
            .await
            .expect("is damaged");
        connection.close().await.expect("closes");
    }
}

/// A database on a server, with a folder for its checkpoints.
struct Server {
    database: Database,
    folder: TempDir,
}

impl Server {
    fn location(&self) -> Location {
        self.database.location(Some(self.folder.path()))
    }
}

impl Place for Server {
    fn new() -> Option<Self> {
        Some(Server {
            database: Database::empty()?,
            folder: TempDir::new().expect("a folder"),
        })
    }

    async fn open(&self) -> Playing {
        Playing::of(Store::open(&self.location()).await.expect("opens"))
    }

    async fn audit(&self) -> Reader {
        Reader::open(&self.location()).await.expect("opens")
    }

    async fn damage(&self) {
        self.database.execute(
            "set session_replication_role = replica; delete from campaigns; drop trigger book_has_one_name on book;
             insert into book values (replace(gen_random_uuid()::text, '-', '')); drop index log_besides_dice;
             update pg_index set indisvalid = false where indexrelid = 'log_position_unique'::regclass",
        );
    }
}

macro_rules! places {
    ($($place:ident as $name:ident),*) => {
        $(mod $name {
            use super::$place;
            laws!($place: an_empty_store_knows_nothing, what_was_committed_is_read, what_was_rolled_back_never_was,
                a_write_that_was_dropped_never_was, campaigns_are_kept_apart, an_answer_is_kept_with_its_entry,
                two_connections_see_the_same_and_one_writes, a_reading_is_one_moment, names_are_compared_folded,
                what_was_closed_is_there_when_it_is_opened_again, a_page_holds_what_was_appended, pages_are_bounded,
                whole_logs_are_read_at_one_moment, kept_answers_are_read_in_order, an_auditor_finds_nothing_wrong,
                an_auditor_finds_every_damage, a_copy_of_all_holds_every_campaign,
                what_was_appended_verifies, a_story_has_room_for_what_is_told, what_was_appended_is_exported_in_every_format,
                an_export_of_a_log_that_grows_ends_where_it_says);
        })*
    };
}

macro_rules! laws {
    ($place:ident: $($law:ident),*) => {
        $(#[test]
        fn $law() {
            super::runs(super::$law::<$place>);
        })*
    };
}

places!(File as file, ThrowAway as throw_away, Server as server);

/// A scene with a party, a fight, dice, a check, an undo and a session's end.
static SCENE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut table = Table::with_party();
    table
        .dice([13])
        .skill_check(json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15}))
        .is_fine();
    table
        .dice([3, 4])
        .roll_dice(json!({"expression": "2d6"}))
        .is_fine();
    table.start(
        json!([{"name": "Sabeth", "initiative": 12}, {"name": "Rat", "hp": 3, "initiative": 4}]),
    );
    table
        .apply_damage(json!({"target": "Rat", "amount": 2}))
        .is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    for action in ["hide", "reveal", "hide", "reveal", "defeat"] {
        table
            .manage_combat(json!({"action": action, "combatant": "Rat"}))
            .is_fine();
    }
    table
        .manage_combat(json!({"action": "end", "outcome": "the rat runs"}))
        .is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    let bodies = table.record().bodies();
    bodies
        .into_iter()
        .map(|body: Value| serde_json::from_value(body).expect("an entry"))
        .collect()
});

fn runs<P: Place, Run: Future<Output = ()>>(law: impl FnOnce(P) -> Run) {
    // The scene is played in a runtime of its own.
    LazyLock::force(&SCENE);
    Runtime::new().expect("a runtime").block_on(async {
        if let Some(place) = P::new() {
            law(place).await;
        }
    });
}

const NAME: &str = "The Lockhouse";

/// The scene as a campaign of its own, sealed from its first entry to its last.
fn scene(key: i64, name: &str) -> Vec<Sealed> {
    let campaign = Uuid::from_u128(key.unsigned_abs().into());
    let (mut head, mut seen) = (Head::default(), chain::SeenHead::default());
    let mut state = State::default();
    let mut all = Vec::new();
    for entry in SCENE.iter() {
        let mut entry = entry.clone();
        for change in &mut entry.changes {
            if let Change::Campaign(images) = change {
                for row in images.before.iter_mut().chain(&mut images.after) {
                    (row.uuid, row.name) = (campaign.to_string(), name.to_owned());
                }
            }
        }
        // What players had seen was of another campaign.
        if let Event::SessionEnded(SessionEnded {
            seen: Some(named), ..
        }) = &mut entry.event
        {
            *named = seen.named();
        }
        state.apply(&entry.changes);
        let players: Projection = project(&entry, &state, Audience::Player);
        let sealed = chain::seal(&campaign, head, entry, &players, [7; 32]).expect("is sealed");
        head = sealed.head();
        if is_shown(&sealed.public) {
            seen.add(&chain::shown(&campaign, &sealed.public));
        }
        all.push(sealed);
    }
    assert!(all.len() > 10, "{} entries", all.len());
    all
}

fn state(log: &[Sealed]) -> State {
    let mut state = State::default();
    log.iter()
        .for_each(|sealed| state.apply(&sealed.entry.changes));
    state
}

fn entries(log: &[Sealed]) -> Vec<(u64, Entry)> {
    log.iter()
        .map(|sealed| (sealed.seq, sealed.entry.clone()))
        .collect()
}

/// Writes a log as the calls of a campaign would: a write an entry.
async fn write(store: &mut Playing, key: i64, log: &[Sealed]) {
    for sealed in log {
        let head = store.begin(key).await.expect("begins");
        assert_eq!(
            head,
            Head {
                seq: sealed.seq - 1,
                chain: sealed.prev
            },
            "the head under the lock is the last entry"
        );
        store
            .commit(key, std::slice::from_ref(sealed), None)
            .await
            .expect("is committed");
    }
}

/// The store of a new place, and a scene to be written.
async fn opened<P: Place>(place: &P) -> (Playing, Vec<Sealed>) {
    (place.open().await, scene(1, NAME))
}

/// The same, with the scene written.
async fn written<P: Place>(place: &P) -> (Playing, Vec<Sealed>) {
    let (mut store, log) = opened(place).await;
    write(&mut store, 1, &log).await;
    (store, log)
}

async fn has_nothing(store: &mut Playing, key: i64, name: &str) {
    assert_eq!(
        store.log().await.head(key).await.expect("reads"),
        Head::default()
    );
    assert_eq!(store.log().await.find(name).await.expect("reads"), None);
    assert_eq!(store.log().await.chain(key, 1).await.expect("reads"), None);
    assert_eq!(
        store.log().await.after(key, 0, 10).await.expect("reads"),
        []
    );
    assert_eq!(
        store.log().await.changed(key, 0, 10).await.expect("reads"),
        []
    );
    assert_eq!(
        store
            .log()
            .await
            .besides_dice(key, 0, 10)
            .await
            .expect("reads"),
        []
    );
    assert_eq!(
        store.log().await.load(key).await.expect("reads"),
        State::default()
    );
    assert!(
        store
            .log()
            .await
            .recall(key, "r1")
            .await
            .expect("reads")
            .is_none()
    );
}

async fn has(store: &mut Playing, key: i64, name: &str, log: &[Sealed]) {
    let last = log.last().expect("an entry");
    let identity = store
        .log()
        .await
        .find(name)
        .await
        .expect("reads")
        .expect("the campaign");
    assert_eq!(
        identity,
        Identity {
            key,
            uuid: Uuid::from_u128(key.unsigned_abs().into()).to_string()
        }
    );
    assert_eq!(
        store.log().await.head(key).await.expect("reads"),
        last.head()
    );
    assert_eq!(
        store.log().await.after(key, 0, 1_000).await.expect("reads"),
        entries(log)
    );
    assert_eq!(
        store.log().await.load(key).await.expect("reads"),
        state(log)
    );
    let at = store.store.location();
    assert_eq!(
        store
            .log()
            .await
            .shortened(&at, &identity)
            .await
            .expect("reads"),
        None
    );
}

async fn an_empty_store_knows_nothing<P: Place>(place: P) {
    let mut store = place.open().await;
    has_nothing(&mut store, 1, NAME).await;
    assert_eq!(
        store.log().await.names().await.expect("reads"),
        [] as [String; 0]
    );
    let at = store.store.location();
    assert_eq!(
        store.log().await.former(&at, NAME).await.expect("reads"),
        None
    );
    store.store.is_in_place().expect("is where it was opened");
    assert_eq!(store.begin(1).await.expect("begins"), Head::default());
    assert_eq!(store.log().await.next_key().await.expect("reads"), 1);
    store.rollback().await.expect("is rolled back");
}

async fn what_was_committed_is_read<P: Place>(place: P) {
    let (mut store, log) = written(&place).await;
    has(&mut store, 1, NAME, &log).await;
    assert_eq!(store.log().await.names().await.expect("reads"), [NAME]);
    for sealed in &log {
        assert_eq!(
            store.log().await.chain(1, sealed.seq).await.expect("reads"),
            Some(sealed.chain)
        );
    }
    assert_eq!(
        store
            .log()
            .await
            .chain(1, log.len() as u64 + 1)
            .await
            .expect("reads"),
        None
    );
    let all = entries(&log);
    assert_eq!(
        store.log().await.after(1, 3, 2).await.expect("reads"),
        all[3..5]
    );
    let is_dice = |entry: &Entry| matches!(entry.event, Event::Roll(_) | Event::RollSet(_));
    let others: Vec<_> = all[2..]
        .iter()
        .filter(|(_, entry)| !is_dice(entry))
        .cloned()
        .collect();
    assert_eq!(
        store
            .log()
            .await
            .besides_dice(1, 2, 1_000)
            .await
            .expect("reads"),
        others
    );
    assert_eq!(
        store
            .log()
            .await
            .besides_dice(1, 2, 3)
            .await
            .expect("reads"),
        others[..3]
    );
    let changing: Vec<_> = all
        .iter()
        .filter(|(_, entry)| !entry.changes.is_empty())
        .cloned()
        .collect();
    let changed = store.log().await.changed(1, 0, 1_000).await.expect("reads");
    assert!(
        changing.iter().all(|entry| changed.contains(entry)),
        "what changed something is found"
    );
    assert!(
        changed.is_sorted_by_key(|(seq, _)| *seq)
            && changed.iter().all(|(_, entry)| !is_dice(entry))
    );
    let last: Vec<_> = store.log().await.changed(1, 0, 2).await.expect("reads");
    assert_eq!(
        last,
        changed[changed.len() - 2..],
        "the last ones, in order"
    );
}

async fn what_was_rolled_back_never_was<P: Place>(place: P) {
    let (mut store, log) = opened(&place).await;
    store.begin(1).await.expect("begins");
    store.rollback().await.expect("is rolled back");
    store
        .rollback()
        .await
        .expect("and again, where nothing was begun");
    has_nothing(&mut store, 1, NAME).await;
    write(&mut store, 1, &log).await;
    // A number that is there cannot be written again, and what came before it in the same commit
    // goes with it.
    store.begin(1).await.expect("begins");
    assert!(
        store.commit(1, &log[..2], None).await.is_err(),
        "an entry is written once"
    );
    store.rollback().await.expect("is rolled back");
    has(&mut store, 1, NAME, &log).await;
}

async fn a_write_that_was_dropped_never_was<P: Place>(place: P) {
    let (mut store, log) = opened(&place).await;
    store.begin(1).await.expect("begins");
    // Nobody commits and nobody rolls back: the next write begins all the same.
    write(&mut store, 1, &log).await;
    has(&mut store, 1, NAME, &log).await;
}

async fn campaigns_are_kept_apart<P: Place>(place: P) {
    let (mut store, one) = opened(&place).await;
    let other = scene(2, "The Quorum");
    write(&mut store, 1, &one[..6]).await;
    store.begin(2).await.expect("begins");
    assert_eq!(store.log().await.next_key().await.expect("reads"), 2);
    store.rollback().await.expect("is rolled back");
    write(&mut store, 2, &other).await;
    write(&mut store, 1, &one[6..]).await;
    has(&mut store, 1, NAME, &one).await;
    has(&mut store, 2, "The Quorum", &other).await;
    let mut names = store.log().await.names().await.expect("reads");
    names.sort();
    assert_eq!(names, [NAME, "The Quorum"]);
    has_nothing(&mut store, 3, "The Long Pour").await;
}

fn answer(seq: u64) -> Remembered {
    Remembered {
        tool: "roll_dice".to_owned(),
        arguments: [3; 32],
        seq,
        reply: format!("{{\"summary\":\"2d6: 7\",\"log\":{seq}}}"),
        salt: [9; 32],
    }
}

async fn an_answer_is_kept_with_its_entry<P: Place>(place: P) {
    let (mut store, log) = opened(&place).await;
    let answer = answer(log.len() as u64);
    store.begin(1).await.expect("begins");
    store
        .commit(1, &log, Some(("r1", &answer)))
        .await
        .expect("is committed");
    has(&mut store, 1, NAME, &log).await;
    let (kept, row) = store
        .log()
        .await
        .recall(1, "r1")
        .await
        .expect("reads")
        .expect("the answer");
    let last = log.last().expect("an entry");
    assert_eq!(kept, answer);
    assert_eq!((row.head(), &row.body[..]), (last.head(), &last.body[..]));
    assert!(
        store
            .log()
            .await
            .recall(1, "r2")
            .await
            .expect("reads")
            .is_none()
    );
    assert!(
        store
            .log()
            .await
            .recall(2, "r1")
            .await
            .expect("reads")
            .is_none(),
        "a request belongs to its campaign"
    );
}

async fn two_connections_see_the_same_and_one_writes<P: Place>(place: P) {
    let (mut one, mut other) = (place.open().await, place.open().await);
    assert_eq!(
        one.log().await.book().await.expect("reads"),
        other.log().await.book().await.expect("reads")
    );
    let log = scene(1, NAME);
    write(&mut one, 1, &log[..4]).await;
    has(&mut other, 1, NAME, &log[..4]).await;
    one.begin(1).await.expect("begins");
    // A file says so at once, a server when it is waited for.
    let begun = tokio::time::timeout(std::time::Duration::from_millis(200), other.begin(1)).await;
    assert!(
        matches!(begun, Err(_) | Ok(Err(StoreError::Busy))),
        "the lock is held by one"
    );
    other.turn = None;
    assert_eq!(
        other
            .log()
            .await
            .after(1, 0, 1_000)
            .await
            .expect("reads do not wait"),
        entries(&log[..4])
    );
    one.rollback().await.expect("is rolled back");
    write(&mut other, 1, &log[4..]).await;
    has(&mut one, 1, NAME, &log).await;
}

async fn a_reading_is_one_moment<P: Place>(place: P) {
    let (mut reader, mut writer) = (place.open().await, place.open().await);
    let log = scene(1, NAME);
    write(&mut writer, 1, &log[..4]).await;
    reader.begin_read().await.expect("begins");
    has(&mut reader, 1, NAME, &log[..4]).await;
    write(&mut writer, 1, &log[4..]).await;
    has(&mut reader, 1, NAME, &log[..4]).await;
    reader.end_read().await.expect("ends");
    has(&mut reader, 1, NAME, &log).await;
}

async fn names_are_compared_folded<P: Place>(place: P) {
    let mut store = place.open().await;
    write(&mut store, 1, &scene(1, "Café  Noir")).await;
    for name in ["cafe noir", "CAFÉ NOIR", "Café  Noir"] {
        assert_eq!(
            store
                .log()
                .await
                .find(name)
                .await
                .expect("reads")
                .map(|found| found.key),
            Some(1),
            "{name}"
        );
    }
    assert_eq!(store.log().await.find("cafe").await.expect("reads"), None);
}

async fn what_was_closed_is_there_when_it_is_opened_again<P: Place>(place: P) {
    let (mut store, log) = written(&place).await;
    let book = store.log().await.book().await.expect("reads");
    store.close().await.expect("closes");
    let mut store = place.open().await;
    has(&mut store, 1, NAME, &log).await;
    assert_eq!(store.log().await.book().await.expect("reads"), book);
}

/// Everything that the pages from a position on hold, and how many rows each had.
async fn pages(reader: &mut Reader, at: &mut Position) -> (Vec<LogRow>, Vec<String>, Vec<usize>) {
    let (mut rows, mut rolls, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let asked = at.rows;
        let Some(page) = reader.page(at).await.expect("reads") else {
            return (rows, rolls, sizes);
        };
        let more = page.rows().expect("is unpacked");
        assert!(
            !more.is_empty() && more.len() <= asked as usize,
            "{} rows where {asked} were asked for",
            more.len()
        );
        sizes.push(more.len());
        rows.extend(more);
        rolls.extend(
            page.rolls()
                .expect("is unpacked")
                .iter()
                .map(|row| format!("{row:?}")),
        );
    }
}

fn is_of(row: &LogRow, sealed: &Sealed) -> bool {
    let entry = &sealed.entry;
    (row.seq, row.at, row.session) == (sealed.seq, entry.at, i64::from(entry.session))
        && row.body[..] == sealed.body[..]
        && row.public[..] == sealed.public[..]
        && [&row.prev, &row.salt, &row.commitment, &row.leaf, &row.chain].map(|bytes| &bytes[..])
            == [
                &sealed.prev,
                &sealed.salt,
                &sealed.commitment,
                &sealed.leaf,
                &sealed.chain,
            ]
            .map(|bytes| &bytes[..])
        && [&row.kind, &row.visibility, &row.actor].map(|bytes| &bytes[..])
            == [entry.event.kind(), entry.visibility.as_str(), &entry.actor].map(str::as_bytes)
}

async fn a_page_holds_what_was_appended<P: Place>(place: P) {
    let (mut store, log) = written(&place).await;
    let other = scene(2, "The Quorum");
    write(&mut store, 2, &other).await;
    let mut reader = place.audit().await;
    let (rows, rolls, _) = pages(
        &mut reader,
        &mut Position {
            has_rolls: true,
            has_places: true,
            ..Position::of(1)
        },
    )
    .await;
    assert_eq!(rows.len(), log.len());
    assert!(
        rows.iter()
            .zip(&log)
            .all(|(row, sealed)| is_of(row, sealed)),
        "{rows:?}"
    );
    let of_entry = |sealed: &Sealed| -> Vec<String> {
        let rolls = roll_rows(&sealed.entry, sealed.seq, sealed.whole).expect("rows");
        rolls.iter().map(|row| format!("{row:?}")).collect()
    };
    assert_eq!(rolls, log.iter().flat_map(of_entry).collect::<Vec<_>>());
    assert_eq!(
        reader.roll_count(1).await.expect("reads"),
        rolls.len() as u64
    );
    assert!(rolls.len() > 1);
    let (rows, rolls, _) = pages(&mut reader, &mut Position::of(2)).await;
    assert_eq!(
        (rows.len(), rolls.len()),
        (other.len(), 0),
        "rolls are read where they are asked for"
    );
    assert_eq!(pages(&mut reader, &mut Position::of(3)).await.0.len(), 0);
}

async fn a_story_has_room_for_what_is_told<P: Place>(place: P) {
    let (mut store, log) = written(&place).await;
    let story = store
        .log()
        .await
        .story(1, 1, log.len() as u64, 100)
        .await
        .expect("reads");
    let acts: Vec<&Act> = story
        .iter()
        .filter_map(|story| match &story.entry.event {
            Event::Combatant(CombatantEvent { act, .. }) => Some(act),
            _ => None,
        })
        .collect();
    assert_eq!(
        acts,
        [&Act::Defeated],
        "what else combatants do takes no room"
    );
}

async fn pages_are_bounded<P: Place>(place: P) {
    let (_store, log) = written(&place).await;
    let mut reader = place.audit().await;
    let mut at = Position {
        rows: 2,
        ..Position::of(1)
    };
    let (rows, _, sizes) = pages(&mut reader, &mut at).await;
    assert_eq!(sizes[0], 2);
    assert!(
        rows.iter()
            .zip(&log)
            .all(|(row, sealed)| is_of(row, sealed))
            && rows.len() == log.len()
    );
    assert_eq!(at.after, log.len() as i64);
    assert!(at.rows > 2, "short rows make long pages");
    // Rows of a megabyte: a page of them has few.
    at.advance(0, 1_000_000);
    assert_eq!(at.rows, 4);
    let mut large = Position {
        rows: at.rows,
        ..Position::of(1)
    };
    assert_eq!(pages(&mut reader, &mut large).await.2[0], 4);
    assert_eq!((at.shrink(), at.rows), (true, 1));
    assert_eq!(pages(&mut reader, &mut at).await.2[0], 1);
}

async fn whole_logs_are_read_at_one_moment<P: Place>(place: P) {
    let (mut store, log) = opened(&place).await;
    write(&mut store, 1, &log[..4]).await;
    let mut reader = place.audit().await;
    reader.begin_read().await.expect("begins");
    assert_eq!(reader.head(1).await.expect("reads"), log[3].head());
    write(&mut store, 1, &log[4..]).await;
    assert_eq!(pages(&mut reader, &mut Position::of(1)).await.0.len(), 4);
    assert_eq!(reader.load(1).await.expect("reads"), state(&log[..4]));
    reader.close().await.expect("closes");
    assert_eq!(
        pages(&mut place.audit().await, &mut Position::of(1))
            .await
            .0
            .len(),
        log.len()
    );
}

async fn kept_answers_are_read_in_order<P: Place>(place: P) {
    let (mut store, log) = opened(&place).await;
    for (sealed, request_id) in log.iter().zip(["b", "c", "a"]) {
        store.begin(1).await.expect("begins");
        let kept = answer(sealed.seq);
        store
            .commit(1, std::slice::from_ref(sealed), Some((request_id, &kept)))
            .await
            .expect("is committed");
    }
    let mut reader = place.audit().await;
    let kept = |request_id: &str, seq| (request_id.to_owned(), answer(seq));
    assert_eq!(
        reader.answers(1, "", 2).await.expect("reads"),
        [kept("a", 3), kept("b", 1)]
    );
    assert_eq!(
        reader.answers(1, "b", 2).await.expect("reads"),
        [kept("c", 2)]
    );
    assert_eq!(reader.answers(2, "", 2).await.expect("reads"), []);
}

async fn an_auditor_finds_nothing_wrong<P: Place>(place: P) {
    let (mut store, _) = written(&place).await;
    let mut reader = place.audit().await;
    let remarks = reader.check_schema().await.expect("reads");
    assert!(
        remarks.findings.is_empty() && remarks.notes.is_empty(),
        "{remarks:?}"
    );
    assert_eq!(reader.check_storage().await.expect("reads"), [""; 0]);
    assert_eq!(reader.orphans().await.expect("reads"), []);
    assert_eq!(books(&mut reader).await, Some(1));
    assert_eq!(
        reader.book().await.expect("reads"),
        store.log().await.book().await.expect("reads")
    );
}

async fn books(reader: &mut Reader) -> Option<i64> {
    let count = query("select count(*) as books from book");
    count.fetch_value(reader, "books").await.expect("reads")
}

async fn an_auditor_finds_every_damage<P: Place>(place: P) {
    let (store, _) = written(&place).await;
    store.close().await.expect("closes");
    place.damage().await;
    let mut reader = place.audit().await;
    let remarks = reader.check_schema().await.expect("reads");
    assert!(!remarks.findings.is_empty(), "{remarks:?}");
    assert_ne!(reader.check_storage().await.expect("reads"), [""; 0]);
    let orphans = reader.orphans().await.expect("reads");
    assert!(
        orphans
            .iter()
            .any(|(table, rows)| table == "log" && *rows > 10),
        "{orphans:?}"
    );
    assert_eq!(books(&mut reader).await, Some(2));
    assert!(
        !verify::audit(reader, None, None)
            .await
            .expect("can be verified")
            .is_sound()
    );
}

async fn a_copy_of_all_holds_every_campaign<P: Place>(place: P) {
    let folder = TempDir::new().expect("a folder");
    let mut store = place.open().await;
    let (one, other) = (scene(1, NAME), scene(2, "The Quorum"));
    write(&mut store, 1, &one).await;
    write(&mut store, 2, &other[..7]).await;
    let out = folder.path().join("all.db");
    let heads = export::export_all_from(place.audit().await, &out, 0)
        .await
        .expect("is written");
    let last = |log: &[Sealed]| log.last().map(Sealed::head).expect("an entry");
    assert_eq!(
        heads,
        [
            (NAME.to_owned(), last(&one), None),
            ("The Quorum".to_owned(), last(&other[..7]), None)
        ]
    );
    // A copy is a database as it is served.
    let mut copy = Playing::of(sqlite::open(&out).await.expect("opens"));
    assert_eq!(
        copy.log().await.book().await.expect("reads"),
        store.log().await.book().await.expect("reads")
    );
    has(&mut copy, 1, NAME, &one).await;
    has(&mut copy, 2, "The Quorum", &other[..7]).await;
    let verified = verify::audit(Reader::open(&out).await.expect("opens"), None, None)
        .await
        .expect("can be verified");
    assert!(verified.is_sound(), "{verified:?}");
    assert!(
        export::export_all_from(place.audit().await, &out, 0)
            .await
            .is_err(),
        "never over a file"
    );
}

async fn what_was_appended_verifies<P: Place>(place: P) {
    let (mut store, log) = written(&place).await;
    let other = scene(2, "The Quorum");
    write(&mut store, 2, &other[..other.len() - 1]).await;
    let verified = verify::audit(place.audit().await, None, None)
        .await
        .expect("can be verified");
    assert!(verified.is_sound(), "{verified:?}");
    let ends: Vec<Head> = verified
        .campaigns
        .iter()
        .map(|report| report.head)
        .collect();
    let last = |log: &[Sealed]| log.last().map(Sealed::head).expect("an entry");
    assert_eq!(ends, [last(&log), last(&other[..other.len() - 1])]);
    // An entry whose body is not the one that was sealed.
    let mut forged = other[other.len() - 1].clone();
    forged.body = b"{}".to_vec();
    store.begin(2).await.expect("begins");
    store
        .commit(2, &[forged], None)
        .await
        .expect("a store does not read bodies");
    let verified = verify::audit(place.audit().await, Some("The Quorum"), None)
        .await
        .expect("can be verified");
    assert!(!verified.is_sound());
}

async fn what_was_appended_is_exported_in_every_format<P: Place>(place: P) {
    let (_store, log) = written(&place).await;
    let last = log.last().map(Sealed::head).expect("an entry");
    let folder = TempDir::new().expect("a folder");
    for format in Format::ALL {
        for audience in [Audience::Gm, Audience::Player] {
            let out = folder
                .path()
                .join(format!("{audience:?}.{}", format.name()));
            let exported =
                export::export_from(place.audit().await, &Wanted::of(audience, *format), &out, 0)
                    .await;
            let exported = exported.expect("is written");
            assert_eq!(
                (exported.head, exported.entries),
                (last, last.seq),
                "{format:?}"
            );
            assert!(out.metadata().expect("a file").len() > 100, "{format:?}");
        }
    }
    for audience in [Audience::Gm, Audience::Player] {
        let copy = export::check_copy(&folder.path().join(format!("{audience:?}.jsonl")), None)
            .await
            .expect("is a copy");
        assert_eq!((copy.findings, copy.head), (Vec::new(), last));
    }
    let database = folder.path().join("Gm.db");
    let verified = verify::verify(&database, None, Some(&last.receipt()))
        .await
        .expect("can be verified");
    assert!(verified.is_sound(), "{verified:?}");
}

async fn an_export_of_a_log_that_grows_ends_where_it_says<P: Place>(_: P) {
    let folder = TempDir::new().expect("a folder");
    for nth in 0..10 {
        let Some(place) = P::new() else { return };
        let (mut store, log) = opened(&place).await;
        write(&mut store, 1, &log[..2]).await;
        let out = folder.path().join(format!("{nth}.db"));
        let plays = async {
            for sealed in &log[2..] {
                write(&mut store, 1, std::slice::from_ref(sealed)).await;
            }
        };
        let (auditor, gm) = (place.audit().await, Wanted::of(Audience::Gm, Format::Db));
        let (exported, ()) = tokio::join!(export::export_from(auditor, &gm, &out, 0), plays);
        let exported = exported.expect("is written");
        let mut copy = Reader::open(&out).await.expect("opens");
        assert_eq!(copy.head(1).await.expect("reads"), exported.head);
        assert_eq!(
            (exported.shown, exported.entries),
            (exported.head.seq, exported.head.seq)
        );
    }
}

#[test]
fn a_word_in_the_tables_that_no_program_writes_is_damage_and_never_a_guess() {
    let words = [
        ("characters", "kind"),
        ("combats", "status"),
        ("combats", "structure"),
        ("combatants", "waits"),
        ("notes", "kind"),
    ];
    for (name, column) in words {
        let mut table = Table::with_party();
        let all =
            json!([{"name": "Jory", "initiative": 12}, {"name": "Rat", "hp": 3, "initiative": 4}]);
        table
            .manage_combat(json!({"action": "start", "combatants": all, "structure": "turn-based"}))
            .is_fine();
        table
            .manage_session(json!({"action": "note", "text": "Rain."}))
            .is_fine();
        let changed = format!(
            "pragma ignore_check_constraints = on; update {name} set {column} = 'sideways'"
        );
        table
            .record()
            .execute(&changed)
            .expect("the vandal succeeds");
        let findings = format!("{:?}", table.record().verify().findings);
        assert!(
            findings.contains(&format!("column {column}")),
            "{name}: {findings}"
        );
        table.restart();
        for _ in 0..2 {
            let refused = table
                .roll_dice(json!({"expression": "1d6"}))
                .refused("damaged")
                .clone();
            let summary = refused["summary"].as_str().expect("text");
            assert!(
                summary.contains(&format!("column {column}")) && summary.contains("sideways"),
                "{summary}"
            );
        }
    }
}
