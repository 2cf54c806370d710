//! Who writes to a file next, where many want to.

use std::sync::{Arc, LazyLock, Mutex};

use rollbook_store::{Sealed, Store};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::{File, Place as _, SCENE, scene};
use crate::process::block_on;

/// Calls that wait at once, as long as there are more.
const WAITING: usize = 20;
/// The campaigns of the flood; another one makes a single call in its midst.
const FLOOD: usize = 12;

/// What happened, in its order: calls by their numbers.
#[derive(Default)]
struct Seen {
    asked: Vec<usize>,
    given: Vec<usize>,
    /// Of each call which one of its commit it was, and how many had got their turn by then.
    answered: Vec<(usize, u32, usize)>,
}

async fn write(
    nth: usize,
    sealed: Sealed,
    key: i64,
    (store, places, seen): (Arc<Store>, Arc<Semaphore>, Arc<Mutex<Seen>>),
) {
    let place = places.acquire().await.expect("is open");
    seen.lock().expect("no panic").asked.push(nth);
    let mut turn = store.turn().await.expect("gets its turn");
    seen.lock().expect("no panic").given.push(nth);
    drop(place);
    let head = turn.begin(key).await.expect("begins");
    assert_eq!(head.seq, sealed.seq - 1);
    turn.append(key, &[sealed], None).await.expect("is written");
    let of_commit = turn.commit().await.expect("is committed");
    let mut seen = seen.lock().expect("no panic");
    let given = seen.given.len();
    seen.answered.push((nth, of_commit, given));
}

#[test]
fn turns_come_in_the_order_of_asking_and_a_shared_commit_ends_while_more_calls_come() {
    LazyLock::force(&SCENE);
    block_on(async {
        let place = File::new().expect("a file");
        let store = Arc::new(place.open().await.store);
        let places = Arc::new(Semaphore::new(WAITING));
        let seen = Arc::new(Mutex::new(Seen::default()));
        let logs: Vec<Vec<Sealed>> = (1..=FLOOD)
            .map(|campaign| scene(campaign as i64, &format!("table {campaign}")))
            .collect();
        let entries = (0..logs[0].len()).flat_map(|seq| {
            logs.iter()
                .zip(1..)
                .map(move |(log, key)| (log[seq].clone(), key))
        });
        let mut calls: Vec<(Sealed, i64)> = entries.collect();
        let single = calls.len() / 2;
        calls.insert(single, (scene(99, "another table")[0].clone(), 99));
        let all = calls.len();
        let mut tasks = JoinSet::new();
        for (nth, (sealed, key)) in calls.into_iter().enumerate() {
            let shared = (store.clone(), places.clone(), seen.clone());
            tasks.spawn(write(nth, sealed, key, shared));
        }
        tasks.join_all().await;
        store.close().await.expect("closes");
        let seen = seen.lock().expect("no panic");
        assert_eq!(seen.asked, (0..all).collect::<Vec<_>>());
        assert_eq!(seen.given, seen.asked);
        let most = seen
            .answered
            .iter()
            .map(|(_, of_commit, _)| *of_commit)
            .max();
        assert!(
            most.is_some_and(|most| (2..=WAITING as u32 + 1).contains(&most)),
            "{most:?} calls in a commit"
        );
        let answered = seen.answered.iter().find(|(nth, ..)| *nth == single);
        assert!(
            answered.is_some_and(|(.., given)| *given <= single + 2 * WAITING + 2),
            "{answered:?} of {all}"
        );
    });
}
