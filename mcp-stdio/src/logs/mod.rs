//! Writes `tracing` events as lines to stderr.
//!
//! This is a small subscriber of our own: `tracing-subscriber` would add sixteen crates to every server, also to those without
//! logs.

mod filter;
mod line;

use std::cell::RefCell;
use std::collections::HashMap;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{Interest, set_global_default};
use tracing::{Event, Metadata, Subscriber};

use filter::Filter;
use line::{Fields, render};

/// Writes `tracing` events to stderr, one line for each event. Shows only warnings and errors unless `RUST_LOG` is set.
///
/// Call it first in `main`:
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     mcp_stdio::logs();
///     mcp_stdio::run(mcp_core::server!())
/// }
/// ```
///
/// `RUST_LOG=info` shows more, `RUST_LOG=warn,my_server=debug` more of one crate and its modules, `RUST_LOG=off` nothing.
/// Colours are used on terminals unless `NO_COLOR` is set. If the program already has a global subscriber, this does nothing. For
/// other formats use `tracing-subscriber`.
pub fn logs() {
    logs_or("warn");
}

/// Like [`logs`], with another default if `RUST_LOG` is not set.
///
/// ```
/// mcp_stdio::logs_or("warn,my_server=info");
/// ```
pub fn logs_or(default: &str) {
    let wanted = env::var("RUST_LOG").ok().filter(|text| !text.trim().is_empty());
    let (filter, invalid) = Filter::parse(wanted.as_deref().unwrap_or(default));
    let colours = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    // Fails if the program has set a subscriber, which is then kept.
    if set_global_default(Logs { filter, colours, next: AtomicU64::new(1), spans: Mutex::default() }).is_ok() {
        for word in invalid {
            tracing::warn!(word, "RUST_LOG contains an invalid filter");
        }
    }
}

/// The subscriber.
struct Logs {
    filter: Filter,
    colours: bool,
    next: AtomicU64,
    spans: Mutex<HashMap<u64, Span>>,
}

/// An open span.
struct Span {
    text: String,
    has_fields: bool,
    handles: usize,
}

thread_local! {
    /// The spans that this thread has entered, the innermost last.
    static ENTERED: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

impl Logs {
    fn spans(&self) -> MutexGuard<'_, HashMap<u64, Span>> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the spans that this thread has entered, outermost first.
    fn entered_spans(&self) -> Vec<String> {
        let entered = ENTERED.with_borrow(Clone::clone);
        let spans = self.spans();
        entered.iter().filter_map(|id| spans.get(id)).map(Span::to_text).collect()
    }
}

impl Span {
    fn to_text(&self) -> String {
        if self.has_fields { format!("{}}}", self.text) } else { self.text.clone() }
    }

    fn add(&mut self, fields: &str) {
        if !fields.is_empty() {
            self.text += if self.has_fields { " " } else { "{" };
            self.text += fields;
            self.has_fields = true;
        }
    }
}

impl Subscriber for Logs {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if self.filter.shows(metadata.target(), metadata.level()) { Interest::always() } else { Interest::never() }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.filter.shows(metadata.target(), metadata.level())
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.filter.most())
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let mut span = Span { text: attributes.metadata().name().to_owned(), has_fields: false, handles: 1 };
        span.add(&fields.whole());
        self.spans().insert(id, span);
        Id::from_u64(id)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let mut fields = Fields::default();
        values.record(&mut fields);
        if let Some(span) = self.spans().get_mut(&id.into_u64()) {
            span.add(&fields.whole());
        }
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let line = render(event, &self.entered_spans(), self.colours);
        // If stderr is closed, there is no place to report that.
        let _ = io::stderr().lock().write_all(line.as_bytes());
    }

    fn enter(&self, id: &Id) {
        ENTERED.with_borrow_mut(|entered| entered.push(id.into_u64()));
    }

    fn exit(&self, id: &Id) {
        ENTERED.with_borrow_mut(|entered| {
            if let Some(at) = entered.iter().rposition(|one| *one == id.into_u64()) {
                entered.remove(at);
            }
        });
    }

    fn clone_span(&self, id: &Id) -> Id {
        if let Some(span) = self.spans().get_mut(&id.into_u64()) {
            span.handles += 1;
        }
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let mut spans = self.spans();
        let Some(span) = spans.get_mut(&id.into_u64()) else {
            return false;
        };
        span.handles -= 1;
        let last = span.handles == 0;
        if last {
            spans.remove(&id.into_u64());
        }
        last
    }
}
