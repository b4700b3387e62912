//! Lists in pages.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::client::{Client, params};
use crate::connection::Request;
use crate::error::CallError;
use crate::request::{invalid, read};
use crate::transport::Boxed;

/// The maximum size of all pages of a list, as a multiple of the maximum size of a message.
const MOST_MESSAGES: usize = 4;

/// A stream of the items of a list. Pages are fetched when they are needed.
///
/// Invalid items are left out, with a warning in the log, so that one of them does not hide the others.
pub struct Pages<T> {
    client: Client,
    list: List<T>,
    items: VecDeque<T>,
    fetch: Option<Boxed<'static, Result<Page<T>, CallError>>>,
    cursor: Option<String>,
    pages: usize,
    /// The size of all pages so far, in bytes.
    bytes: usize,
    done: bool,
}

/// The method and the items of a list.
pub(crate) struct List<T> {
    pub(crate) method: &'static str,
    /// The member of the result that holds the items.
    pub(crate) field: &'static str,
    pub(crate) accept: Accept<T>,
}

/// Checks an item. If it returns an error, the item is left out for that reason.
type Accept<T> = Arc<dyn Fn(&Client, &T) -> Result<(), String> + Send + Sync>;

struct Page<T> {
    items: VecDeque<T>,
    next: Option<String>,
    bytes: usize,
}

impl<T> Clone for List<T> {
    fn clone(&self) -> List<T> {
        List { method: self.method, field: self.field, accept: self.accept.clone() }
    }
}

impl<T: DeserializeOwned + Send + Unpin + 'static> Pages<T> {
    pub(crate) fn new(client: &Client, list: List<T>) -> Pages<T> {
        let (items, client) = (VecDeque::new(), client.clone());
        Pages { client, list, items, fetch: None, cursor: None, pages: 0, bytes: 0, done: false }
    }

    /// Waits for the next item. Returns `None` after the last one.
    ///
    /// Cancel safe: dropping the future loses no item.
    pub async fn next(&mut self) -> Option<Result<T, CallError>> {
        poll_fn(|task| self.poll(task)).await
    }

    /// Collects all items.
    ///
    /// # Errors
    /// The first error, if a page cannot be fetched.
    pub async fn all(mut self) -> Result<Vec<T>, CallError> {
        let mut all = Vec::new();
        while let Some(item) = self.next().await {
            all.push(item?);
        }
        Ok(all)
    }

    fn poll(&mut self, task: &mut Context<'_>) -> Poll<Option<Result<T, CallError>>> {
        loop {
            if let Some(item) = self.items.pop_front() {
                return Poll::Ready(Some(Ok(item)));
            }
            if self.done {
                return Poll::Ready(None);
            }
            let fetch = match &mut self.fetch {
                Some(fetch) => fetch,
                none => none.insert(Box::pin(page(self.client.clone(), self.list.clone(), self.cursor.clone()))),
            };
            let Poll::Ready(page) = fetch.as_mut().poll(task) else { return Poll::Pending };
            self.fetch = None;
            if let Err(error) = page.and_then(|page| self.turn(page)) {
                self.done = true;
                return Poll::Ready(Some(Err(error)));
            }
        }
    }

    /// Stores the items of a page, and checks whether another page follows.
    fn turn(&mut self, page: Page<T>) -> Result<(), CallError> {
        self.pages += 1;
        self.done = page.next.is_none();
        if !self.done && page.next == self.cursor {
            return Err(invalid(self.list.method, "the server sent the same cursor twice".to_owned()));
        }
        let limit = self.client.shared().options.page_limit;
        if !self.done && self.pages >= limit {
            return Err(invalid(self.list.method, format!("the list has more than {limit} pages")));
        }
        self.bytes = self.bytes.saturating_add(page.bytes);
        let limit = self.client.shared().options.message_limit.saturating_mul(MOST_MESSAGES);
        if self.bytes > limit {
            return Err(invalid(self.list.method, format!("the pages of the list are longer than {limit} bytes")));
        }
        (self.items, self.cursor) = (page.items, page.next);
        Ok(())
    }
}

async fn page<T: DeserializeOwned>(client: Client, list: List<T>, cursor: Option<String>) -> Result<Page<T>, CallError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Rest {
        #[serde(default)]
        next_cursor: Option<String>,
    }
    let parameters = cursor.map_or_else(Default::default, |cursor| params(serde_json::json!({ "cursor": cursor })));
    let result = client.send(Request::new(list.method, parameters)).await?;
    let rest: Rest = read(list.method, &result)?;
    let mut members: std::collections::HashMap<String, Box<RawValue>> = read(list.method, &result)?;
    let field = members.remove(list.field).ok_or_else(|| invalid(list.method, format!("`{}` is missing", list.field)))?;
    let raw: Vec<Box<RawValue>> = read(list.method, &field)?;
    let mut items = VecDeque::with_capacity(raw.len());
    for raw in raw {
        let item = serde_json::from_str::<T>(raw.get()).map_err(|error| error.to_string());
        match item.and_then(|item| (list.accept)(&client, &item).map(|()| item)) {
            Ok(item) => items.push_back(item),
            Err(reason) => {
                let name =
                    serde_json::from_str::<Value>(raw.get()).ok().and_then(|item| item["name"].as_str().map(str::to_owned));
                tracing::warn!(list = list.field, name, reason, "left out an invalid item of a list");
            }
        }
    }
    Ok(Page { items, next: rest.next_cursor, bytes: result.get().len() })
}

impl<T: DeserializeOwned + Send + Unpin + 'static> Stream for Pages<T> {
    type Item = Result<T, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(task)
    }
}

impl<T> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").field("method", &self.list.method).field("pages", &self.pages).finish_non_exhaustive()
    }
}
