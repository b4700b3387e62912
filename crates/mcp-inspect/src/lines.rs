//! Response bodies that are written piece by piece.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_core::Stream;
use tokio::sync::mpsc;

/// The sender of a body. It is closed when the browser no longer reads.
pub(crate) type Writer = mpsc::Sender<Bytes>;

/// Returns a response and the sender of its body.
pub(crate) fn response(content_type: &'static str) -> (Writer, Response) {
    let (writer, reader) = mpsc::channel(16);
    let body = Body::from_stream(Reader(reader));
    (writer, ([(CONTENT_TYPE, content_type)], body).into_response())
}

struct Reader(mpsc::Receiver<Bytes>);

impl Stream for Reader {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(task).map(|bytes| bytes.map(Ok))
    }
}
