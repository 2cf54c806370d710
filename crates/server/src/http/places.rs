//! Connections that may be open at the same time: no more than the process has files for, and never
//! more than a bound. One more is closed at once, so those that are open are served on.
//!
//! What is written to a connection is sent at once: the answer in a session comes in several small
//! parts, and TCP would keep each back until the client has confirmed the one before, which takes
//! 40 milliseconds.

use std::io;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum_server::accept::{Accept, DefaultAcceptor};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_service::Service;

/// Connections at most.
const CONNECTIONS_MAX: usize = 20_000;
/// Files that are kept for databases and everything else.
const FILES_KEPT: usize = 256;

/// Takes connections as long as there is a place.
#[derive(Clone)]
pub struct Places {
    free: Arc<Semaphore>,
}

impl Places {
    /// As many places as there are files.
    pub fn new(_: DefaultAcceptor) -> Places {
        let places = files()
            .saturating_sub(FILES_KEPT)
            .clamp(16, CONNECTIONS_MAX);
        Places {
            free: Arc::new(Semaphore::new(places)),
        }
    }
}

/// Files that the process may have open; it asks for as many as it may have.
fn files() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: limit.maximum,
                maximum: limit.maximum,
            },
        );
        let now = getrlimit(Resource::Nofile).current;
        now.map_or(usize::MAX, |now| usize::try_from(now).unwrap_or(usize::MAX))
    }
    #[cfg(not(unix))]
    usize::MAX
}

impl<S: Send + 'static> Accept<TcpStream, S> for Places {
    type Stream = TcpStream;
    type Service = Placed<S>;
    type Future = std::future::Ready<io::Result<(TcpStream, Placed<S>)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        std::future::ready(match self.free.clone().try_acquire_owned() {
            Ok(place) => stream.set_nodelay(true).map(|()| {
                (
                    stream,
                    Placed {
                        service,
                        _place: Arc::new(place),
                    },
                )
            }),
            Err(_) => Err(io::Error::other("too many connections are open")),
        })
    }
}

/// A connection's service, which holds its place.
#[derive(Clone)]
pub struct Placed<S> {
    service: S,
    _place: Arc<OwnedSemaphorePermit>,
}

impl<S: Service<R>, R> Service<R> for Placed<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: R) -> S::Future {
        self.service.call(request)
    }
}

#[cfg(test)]
mod tests {
    use axum_server::accept::{Accept as _, DefaultAcceptor};
    use tokio::net::{TcpListener, TcpStream};

    use super::Places;

    #[tokio::test]
    async fn what_is_written_to_a_connection_is_sent_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        assert!(!stream.nodelay().unwrap(), "it is not so by itself");
        let (stream, _) = Places::new(DefaultAcceptor::new())
            .accept(stream, ())
            .await
            .unwrap();
        assert!(stream.nodelay().unwrap());
    }
}
