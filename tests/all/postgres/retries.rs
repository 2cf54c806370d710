//! Calls that the server is lost with on the way: each is made again, with the dice that fell, and written once.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rollbook::game::decide::roll::{self, RollCall};
use rollbook::game::record::entry::{Discarded, Entry};
use rollbook::session::adventure::Adventure;
use rollbook::session::live::{self, Opening};
use rollbook::session::{Answer, Campaign, Common, Quota, Request};
use rollbook::store::location::Location;
use rollbook::store::{Reader, Store, verify};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};

use super::server::Database;
use crate::process::LOCKHOUSE;
use crate::table::{NOW, Script, Scripted};

const END_ALL: &str = "select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()";

async fn campaign(location: &Location, faces: &[i64]) -> Campaign {
    let adventure = Adventure::read(Path::new(LOCKHOUSE)).expect("the adventure");
    let store = Store::open(location).await.expect("opens");
    let script = Script::default();
    script.add(faces.iter().copied());
    let opening = Opening {
        name: "lockhouse".to_owned(),
        named: false,
        limit: live::TIME_LIMIT,
        quota: Quota::default(),
        meter: Arc::default(),
        queue: Default::default(),
    };
    let chance = Box::new(Scripted::new(script));
    Campaign::open(Arc::new(store), Arc::new(adventure), opening, chance, || NOW).await.expect("a campaign")
}

/// Rolls; `first` is what the first attempt rolls, and `before_commit` happens once, behind its dice.
async fn roll(
    campaign: &Campaign,
    first: &'static str,
    then: &'static str,
    before_commit: impl Fn() + Clone + Send + 'static,
) -> u64 {
    let attempts = Arc::new(AtomicUsize::new(0));
    let rolled = campaign.write(Request { tool: "roll_dice", ..Request::default() }, move |table| {
        let is_first = attempts.fetch_add(1, Ordering::Relaxed) == 0;
        let input = if is_first { first } else { then };
        let (context, character, visibility, entered) = (None, None, None, None);
        let expression = input.parse().expect("dice");
        let call =
            RollCall { expression, input: input.to_owned(), context, character, visibility, any_die: false, entered };
        let log = roll::decide(table, call)?;
        if is_first {
            before_commit();
        }
        Ok(Answer::new(Common { log: Some(log), ..Common::default() }, ()))
    });
    rolled.await.expect("is written").common.log.expect("an entry")
}

/// The entries with dice, as they lie in the log, which is sound.
async fn rolls(database: &Database) -> Vec<Entry> {
    let location = database.location(None);
    let verified = verify::verify(&location, None, None).await.expect("can be verified");
    assert!(verified.is_sound(), "{verified:?}");
    let mut reader = Reader::open(&location).await.expect("opens");
    let entries = reader.after(1, 0, 100).await.expect("reads");
    entries.into_iter().map(|(_, entry)| entry).filter(|entry| !entry.rolls.is_empty()).collect()
}

fn faces(entry: &Entry) -> Vec<i64> {
    entry.rolls.iter().flat_map(|record| record.roll.faces()).collect()
}

#[test]
fn a_connection_that_is_lost_behind_the_dice_is_found_again_with_the_same_dice() {
    let Some(database) = Database::empty() else { return };
    let database = Arc::new(database);
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let campaign = campaign(&database.location(None), &[3, 4, 5, 6]).await;
        for nth in 1..=2 {
            let own = database.clone();
            roll(&campaign, "2d6", "2d6", move || own.execute(END_ALL)).await;
            let rolls = rolls(&database).await;
            assert_eq!(rolls.len(), nth);
            assert_eq!(faces(&rolls[nth - 1]), [[3, 4], [5, 6]][nth - 1]);
            assert_eq!(rolls[nth - 1].discarded, []);
        }
        campaign.close().await;
    });
}

#[test]
fn a_transaction_that_the_server_gives_up_takes_the_dice_that_fell_and_says_which_are_left_over() {
    let Some(database) = Database::new() else { return };
    database.execute(
        "create sequence troubles;
         create function trouble() returns trigger language plpgsql as $$ begin
            if new.kind = 'roll' and nextval('troubles') <= 3 then raise sqlstate '40001'; end if;
            return new;
         end $$;
         create trigger trouble before insert on log for each row execute function trouble()",
    );
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let campaign = campaign(&database.location(None), &[3, 4, 17]).await;
        roll(&campaign, "2d6", "1d6+1d20", || {}).await;
        database.execute("drop trigger trouble on log; drop function trouble; drop sequence troubles");
        let rolls = rolls(&database).await;
        assert_eq!(rolls.len(), 1);
        assert_eq!(faces(&rolls[0]), [3, 17]);
        assert_eq!(rolls[0].discarded, [Discarded { of: "1-6".to_owned(), face: 4 }]);
        campaign.close().await;
    });
}

/// Passes everything on between clients and the server, but for the answer to the commit that wrote a roll: there it hangs up.
async fn hang_up_behind_commit(listener: TcpListener, socket: std::path::PathBuf, armed: Arc<AtomicUsize>) {
    while let Ok((mut client, _)) = listener.accept().await {
        let (socket, armed) = (socket.clone(), armed.clone());
        tokio::spawn(async move {
            let mut server = UnixStream::connect(socket).await.expect("the server listens");
            let _ = passed_on(&mut client, &mut server, &armed).await;
        });
    }
}

async fn passed_on(client: &mut TcpStream, server: &mut UnixStream, armed: &AtomicUsize) -> std::io::Result<()> {
    let (mut asked, mut said) = (vec![0; 65536], vec![0; 65536]);
    loop {
        tokio::select! {
            read = client.read(&mut asked) => match read? {
                0 => return Ok(()),
                many => server.write_all(&asked[..many]).await?,
            },
            read = server.read(&mut said) => {
                let many = read?;
                let is_commit = said[..many].windows(7).any(|own| own == b"COMMIT\0");
                if many == 0 || (is_commit && armed.swap(0, Ordering::SeqCst) == 1) {
                    return Ok(());
                }
                client.write_all(&said[..many]).await?;
            }
        }
    }
}

#[test]
fn a_commit_whose_answer_was_lost_is_found_and_not_made_again() {
    let Some(database) = Database::empty() else { return };
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (socket, armed) = (database.folder().join(".s.PGSQL.5432"), Arc::new(AtomicUsize::new(0)));
        tokio::spawn(hang_up_behind_commit(listener, socket, armed.clone()));
        let url = format!("postgres://postgres@{address}/{}?sslmode=disable", database.name());
        let location = Location::parse(url.as_ref()).expect("an address");
        let campaign = campaign(&location, &[3, 4, 5, 6]).await;
        for nth in 1..=2 {
            // The first is the commit that makes the campaign.
            let own = armed.clone();
            let log = roll(&campaign, "2d6", "2d6", move || own.store(1, Ordering::SeqCst)).await;
            assert_eq!(armed.load(Ordering::SeqCst), 0, "it hung up");
            let rolls = rolls(&database).await;
            assert_eq!((rolls.len(), faces(&rolls[nth - 1])), (nth, [vec![3, 4], vec![5, 6]][nth - 1].clone()));
            assert!(log > 0);
        }
        campaign.close().await;
    });
}
