//! Streams: those of a seat end with its key, since a request is let in once and a stream may stay
//! open for hours; those that answer a call hold what says that it is under way.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::header;
use axum::response::Response;
use bytes::Bytes;
use futures_core::Stream;

use rollbook_table::session::{Host, Seat};

/// How often it is asked whether a stream's key is still good.
const ASKED: Duration = Duration::from_millis(500);

fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

/// The same answer; where it is a stream, `held` is dropped at its end.
pub fn holding(response: Response, held: impl Send + Unpin + 'static) -> Response {
    if !is_stream(&response) {
        return response;
    }
    response.map(|body| {
        Body::from_stream(Holding {
            body: body.into_data_stream(),
            _held: held,
        })
    })
}

struct Holding<T> {
    body: BodyDataStream,
    _held: T,
}

impl<T: Unpin> Stream for Holding<T> {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}

/// The same answer; where it is a stream, it ends once the seat's key is revoked or expired.
pub fn ending_with_key(response: Response, host: Arc<Host>, seat: Arc<Seat>) -> Response {
    if !is_stream(&response) {
        return response;
    }
    let ended = async move {
        loop {
            tokio::time::sleep(ASKED).await;
            if let Ok(false) = host.keyring.is_still_good(&seat).await {
                return;
            }
        }
    };
    response.map(|body| {
        Body::from_stream(WhileGood {
            body: body.into_data_stream(),
            ended: Some(Box::pin(ended)),
        })
    })
}

/// A body until its key ends.
struct WhileGood<F> {
    body: BodyDataStream,
    /// Returns when the key is no good any more; `None` from then on.
    ended: Option<Pin<Box<F>>>,
}

impl<F: Future<Output = ()>> Stream for WhileGood<F> {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(ended) = &mut self.ended else {
            return Poll::Ready(None);
        };
        if ended.as_mut().poll(context).is_ready() {
            self.ended = None;
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_next(context)
    }
}
