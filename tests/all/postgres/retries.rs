//! Calls that the server is lost with on the way: each is made again, with the dice that were
//! rolled, and written once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rollbook_game::decide::roll::{self, RollCall};
use rollbook_game::record::entry::{Discarded, Entry};
use rollbook_store::location::Location;
use rollbook_store::{Reader, Store, verify};
use rollbook_table::session::os::OsChance;
use rollbook_table::session::{Answer, Campaign, Common, Request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};

use super::server::Database;
use crate::live::campaign_of;
use crate::table::{NOW, Script, Scripted};

const END_ALL: &str = "select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()";

async fn campaign(location: &Location, faces: &[i64]) -> Campaign {
    let script = Script::default();
    script.add(faces.iter().copied());
    let store = Store::open(location).await.expect("opens");
    campaign_of(
        Arc::new(store),
        "lockhouse",
        Box::new(Scripted::new(script)),
        || NOW,
    )
    .await
}

/// Rolls; `first` is what the first attempt rolls, and `before_commit` happens once, after its
/// dice.
async fn roll(
    campaign: &Campaign,
    first: &'static str,
    then: &'static str,
    before_commit: impl Fn() + Clone + Send + 'static,
) -> u64 {
    let attempts = Arc::new(AtomicUsize::new(0));
    let rolled = campaign.write(
        Request {
            tool: "roll_dice",
            ..Request::default()
        },
        move |table| {
            let is_first = attempts.fetch_add(1, Ordering::Relaxed) == 0;
            let input = if is_first { first } else { then };
            let (context, character, visibility, entered) = (None, None, None, None);
            let expression = rollbook_dice::parse(input).expect("dice");
            let call = RollCall {
                expression,
                input: input.to_owned(),
                context,
                character,
                reader: None,
                visibility,
                any_die: false,
                entered,
                deals: false,
            };
            let log = roll::decide(table, call)?;
            if is_first {
                before_commit();
            }
            Ok(Answer::new(
                Common {
                    log: Some(log),
                    ..Common::default()
                },
                (),
            ))
        },
    );
    rolled
        .await
        .expect("is written")
        .common
        .log
        .expect("an entry")
}

/// The entries with dice, as they lie in the log, which is sound.
async fn rolls(database: &Database) -> Vec<Entry> {
    let location = database.location(None);
    let verified = verify::verify(&location, None, None)
        .await
        .expect("can be verified");
    assert!(verified.is_sound(), "{verified:?}");
    let mut reader = Reader::open(&location).await.expect("opens");
    let entries = reader.after(1, 0, 100).await.expect("reads");
    entries
        .into_iter()
        .map(|(_, entry)| entry)
        .filter(|entry| !entry.rolls.is_empty())
        .collect()
}

fn faces(entry: &Entry) -> Vec<i64> {
    entry
        .rolls
        .iter()
        .flat_map(|record| record.roll.faces())
        .collect()
}

#[test]
fn a_connection_that_is_lost_after_the_dice_is_found_again_with_the_same_dice() {
    let Some(database) = Database::empty() else {
        return;
    };
    let database = Arc::new(database);
    tokio::runtime::Runtime::new()
        .expect("a runtime")
        .block_on(async {
            let campaign = campaign(&database.location(None), &[3, 4, 5, 6]).await;
            for nth in 1..=2 {
                let server = database.clone();
                roll(&campaign, "2d6", "2d6", move || server.execute(END_ALL)).await;
                let rolls = rolls(&database).await;
                assert_eq!(rolls.len(), nth);
                assert_eq!(faces(&rolls[nth - 1]), [[3, 4], [5, 6]][nth - 1]);
                assert_eq!(rolls[nth - 1].discarded, []);
            }
            campaign.close().await;
        });
}

#[test]
fn a_transaction_that_the_server_gives_up_takes_the_dice_that_were_rolled_and_says_which_are_left_over()
 {
    let Some(database) = Database::new() else {
        return;
    };
    database.execute(
        "create sequence troubles;
         create function trouble() returns trigger language plpgsql as $$ begin
            if new.kind = 'roll' and nextval('troubles') <= 3 then raise sqlstate '40001'; end if;
            return new;
         end $$;
         create trigger trouble before insert on log for each row execute function trouble()",
    );
    tokio::runtime::Runtime::new()
        .expect("a runtime")
        .block_on(async {
            let campaign = campaign(&database.location(None), &[3, 4, 17]).await;
            roll(&campaign, "2d6", "1d6+1d20", || {}).await;
            database.execute(
                "drop trigger trouble on log; drop function trouble; drop sequence troubles",
            );
            let rolls = rolls(&database).await;
            assert_eq!(rolls.len(), 1);
            assert_eq!(faces(&rolls[0]), [3, 17]);
            assert_eq!(
                rolls[0].discarded,
                [Discarded {
                    of: "1-6".to_owned(),
                    face: 4
                }]
            );
            campaign.close().await;
        });
}

#[test]
fn calls_and_readings_of_many_campaigns_do_not_wait_for_each_other_for_ever() {
    const CAMPAIGNS: usize = 40;
    let Some(database) = Database::empty() else {
        return;
    };
    tokio::runtime::Runtime::new()
        .expect("a runtime")
        .block_on(async {
            let store = Arc::new(Store::open(&database.location(None)).await.expect("opens"));
            let mut campaigns = Vec::new();
            for nth in 0..CAMPAIGNS {
                let campaign = campaign_of(
                    store.clone(),
                    &format!("table {nth}"),
                    Box::new(OsChance::new().expect("randomness")),
                    || NOW,
                )
                .await;
                roll(&campaign, "2d6", "2d6", || {}).await;
                campaigns.push(campaign);
            }
            // Another caller holds every campaign for a moment.
            let mut other = database.connect().await;
            sqlx::raw_sql("begin; select id from campaigns for update")
                .execute(&mut other)
                .await
                .expect("locks");
            let mut all = tokio::task::JoinSet::new();
            for campaign in campaigns.clone() {
                all.spawn(async move { roll(&campaign, "2d6", "2d6", || {}).await });
            }
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            for campaign in campaigns {
                all.spawn(async move { u64::from(campaign.exists().await.expect("reads")) });
            }
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            sqlx::raw_sql("rollback")
                .execute(&mut other)
                .await
                .expect("lets go");
            tokio::time::timeout(std::time::Duration::from_secs(60), all.join_all())
                .await
                .expect("all are answered");
        });
}

/// Passes everything on between clients and the server, but for the answer to the commit that wrote
/// a roll: there it hangs up.
async fn hang_up_behind_commit(
    listener: TcpListener,
    socket: std::path::PathBuf,
    armed: Arc<AtomicUsize>,
) {
    let mut left = 0;
    while let Ok((mut client, _)) = listener.accept().await {
        let (socket, armed) = (socket.clone(), armed.clone());
        // The next that come after a lost answer are lost, too, at another place each.
        left = if armed.load(Ordering::SeqCst) == LOST {
            7
        } else {
            left
        };
        let mut answers = None;
        if left > 0 {
            armed.store(0, Ordering::SeqCst);
            left -= 1;
            answers = Some(2 * (8 - left));
        }
        tokio::spawn(async move {
            let mut server = UnixStream::connect(socket)
                .await
                .expect("the server listens");
            let hangs_up = |bytes: &[u8]| match &mut answers {
                Some(0) => true,
                Some(answers) => {
                    *answers -= 1;
                    false
                }
                None => {
                    let is_commit = bytes.windows(7).any(|window| window == b"COMMIT\0");
                    is_commit
                        && armed
                            .compare_exchange(1, LOST, Ordering::SeqCst, Ordering::SeqCst)
                            .is_ok()
                }
            };
            let _ = passed_on(&mut client, &mut server, hangs_up).await;
        });
    }
}

/// What `armed` is once an answer was lost.
const LOST: usize = 2;

/// Passes everything on until an answer of the server is one to hang up at, which is not passed on.
async fn passed_on(
    client: &mut TcpStream,
    server: &mut UnixStream,
    mut hangs_up: impl FnMut(&[u8]) -> bool,
) -> std::io::Result<()> {
    let (mut asked, mut answered) = (vec![0; 65536], vec![0; 65536]);
    loop {
        tokio::select! {
            read = client.read(&mut asked) => match read? {
                0 => return Ok(()),
                many => server.write_all(&asked[..many]).await?,
            },
            read = server.read(&mut answered) => {
                let many = read?;
                if many == 0 || hangs_up(&answered[..many]) {
                    return Ok(());
                }
                client.write_all(&answered[..many]).await?;
            }
        }
    }
}

#[test]
fn a_commit_whose_answer_was_lost_is_found_and_not_made_again() {
    let Some(database) = Database::empty() else {
        return;
    };
    tokio::runtime::Runtime::new()
        .expect("a runtime")
        .block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("an address");
            let (socket, armed) = (
                database.folder().join(".s.PGSQL.5432"),
                Arc::new(AtomicUsize::new(0)),
            );
            tokio::spawn(hang_up_behind_commit(listener, socket, armed.clone()));
            let url = format!(
                "postgres://postgres@{address}/{}?sslmode=disable",
                database.name()
            );
            let location = Location::parse(url.as_ref()).expect("an address");
            let campaign = campaign(&location, &[3, 4, 5, 6]).await;
            for nth in 1..=2 {
                // The first is the commit that makes the campaign.
                let flag = armed.clone();
                let log = roll(&campaign, "2d6", "2d6", move || {
                    flag.store(1, Ordering::SeqCst)
                })
                .await;
                assert_eq!(armed.load(Ordering::SeqCst), 0, "it hung up");
                let rolls = rolls(&database).await;
                assert_eq!(
                    (rolls.len(), faces(&rolls[nth - 1])),
                    (nth, [vec![3, 4], vec![5, 6]][nth - 1].clone())
                );
                assert!(log > 0);
            }
            campaign.close().await;
        });
}
