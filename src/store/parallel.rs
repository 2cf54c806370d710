//! Work on many entries at once: on every core, and while the next are read.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::LazyLock;
use std::task::Poll;

/// Fewer are done by one thread: to begin another costs more.
const ITEMS_MIN: usize = 16;

/// What `work` makes of each, in their order.
pub fn each<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    // To ask for it reads files of the system.
    static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    let threads = CORES.min(items.len() / ITEMS_MIN);
    if threads < 2 {
        return items.into_iter().map(work).collect();
    }
    let mut made: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    let share = items.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let shares = items.chunks_mut(share).zip(made.chunks_mut(share)).map(|(items, made)| {
            || {
                for (item, made) in items.iter_mut().zip(made) {
                    *made = item.take().map(&work);
                }
            }
        });
        // The last share is this thread's own.
        let mut shares: Vec<_> = shares.collect();
        let own = shares.pop();
        shares.into_iter().for_each(|share| drop(scope.spawn(share)));
        if let Some(own) = own {
            own();
        }
    });
    made.into_iter().flatten().collect()
}

/// Begins to wait for `next`, which is read by another thread, does `now` meanwhile, and answers both.
pub async fn meanwhile<A, B>(next: impl Future<Output = A>, now: impl FnOnce() -> B) -> (A, B) {
    let mut next = pin!(next);
    let begun = poll_fn(|context| Poll::Ready(next.as_mut().poll(context))).await;
    let done = now();
    match begun {
        Poll::Ready(read) => (read, done),
        Poll::Pending => (next.await, done),
    }
}

#[cfg(test)]
mod tests {
    use super::{each, meanwhile};

    #[test]
    fn each_is_done_once_and_the_order_stays() {
        for many in [0, 1, 15, 32, 33, 1000] {
            let items: Vec<usize> = (0..many).collect();
            assert_eq!(each(items.clone(), |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
    }

    #[tokio::test]
    async fn what_is_done_meanwhile_is_done_whether_the_other_is_ready_or_not() {
        assert_eq!(meanwhile(async { 1 }, || 2).await, (1, 2));
        let slow = async {
            tokio::task::yield_now().await;
            1
        };
        assert_eq!(meanwhile(slow, || 2).await, (1, 2));
    }
}
