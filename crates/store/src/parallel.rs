//! Work on a log page by page on every core, each page by one thread, while the next are read.

use std::collections::VecDeque;
use std::sync::LazyLock;
use std::sync::mpsc::{self, Receiver, Sender};

use tokio::task::{JoinHandle, spawn_blocking};

use super::StoreError;

/// Pages that are being worked on. What needs those before it is done in their order, on a sum of
/// type `S` that goes from one page to the next; what each page becomes is an `R`.
pub struct Pages<S, R> {
    begun: VecDeque<JoinHandle<Option<R>>>,
    /// Where the sum of all that were begun arrives.
    sum: Receiver<S>,
}

/// The turn of a page to add to the sum.
pub struct Turn<S> {
    before: Receiver<S>,
    after: Sender<S>,
}

impl<S> Turn<S> {
    /// Waits for the pages before, and does what needs them. `None` where one of them panicked or
    /// the rest is not wanted.
    pub fn take<T>(self, work: impl FnOnce(&mut S) -> T) -> Option<T> {
        let mut sum = self.before.recv().ok()?;
        let done = work(&mut sum);
        self.after.send(sum).ok().map(|()| done)
    }
}

impl<S: Send + 'static, R: Send + 'static> Pages<S, R> {
    /// Of a log of which nothing was read: its sum so far.
    pub fn of(sum: S) -> Self {
        let (first, before) = mpsc::channel();
        // It is received below or by the first page.
        let _ = first.send(sum);
        Pages {
            begun: VecDeque::new(),
            sum: before,
        }
    }

    /// Begins the next page, whose work takes its turn, and ends without a result where it fails.
    pub fn begin(&mut self, work: impl FnOnce(Turn<S>) -> Option<R> + Send + 'static) {
        let (after, sum) = mpsc::channel();
        let turn = Turn {
            before: std::mem::replace(&mut self.sum, sum),
            after,
        };
        self.begun.push_back(spawn_blocking(move || work(turn)));
    }

    /// Whether every core has enough to do: then the oldest page is awaited, to bound the memory.
    pub fn is_full(&self) -> bool {
        // To ask for it reads files of the system.
        static CORES: LazyLock<usize> =
            LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
        self.begun.len() > *CORES
    }

    /// What the oldest page became; `None` where there is none. A panic of its work goes on here.
    pub async fn next(&mut self) -> Option<R> {
        match self.begun.pop_front()?.await {
            Ok(made) => made,
            Err(failed) => match failed.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => None,
            },
        }
    }

    /// The sum, once every page had its turn.
    pub fn sum(self) -> Result<S, StoreError> {
        let stopped =
            |_| StoreError::Io("a page of the log was not worked on to its end".to_owned());
        self.sum.recv().map_err(stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::Pages;

    #[tokio::test]
    async fn turns_are_taken_in_order_and_so_are_the_results() {
        for many in [0_u64, 1, 2, 3, 100] {
            let (mut pages, mut made) = (Pages::of(Vec::new()), Vec::new());
            for page in 0..many {
                pages.begin(move |turn| {
                    // The first take longest.
                    std::thread::sleep(std::time::Duration::from_micros(500 * (3 - page % 4)));
                    turn.take(|sum: &mut Vec<u64>| sum.push(page))
                        .map(|()| page)
                });
                if pages.is_full() {
                    made.extend(pages.next().await);
                }
            }
            while let Some(page) = pages.next().await {
                made.push(page);
            }
            let all: Vec<u64> = (0..many).collect();
            assert_eq!((&made, &pages.sum().unwrap()), (&all, &all));
        }
    }

    #[tokio::test]
    async fn a_page_that_panics_stops_those_after_it_and_the_panic_goes_on() {
        let mut pages = Pages::of(0);
        pages.begin(|turn| turn.take(|sum| *sum += 1));
        pages.begin(|_| panic!("this page is torn"));
        pages.begin(|turn| turn.take(|sum| *sum += 1));
        assert_eq!(pages.next().await, Some(()));
        let panicked = tokio::spawn(async move { pages.next().await });
        let panic = panicked.await.unwrap_err().into_panic();
        assert_eq!(panic.downcast_ref(), Some(&"this page is torn"));
    }
}
