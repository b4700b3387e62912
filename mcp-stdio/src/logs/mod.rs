//! `tracing` events as lines on stderr.
//!
//! By hand, and small: the usual subscriber brings sixteen crates, and who does not want logs would build them too.

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

/// Shows what is logged with `tracing`, on stderr, a line for each event: only warnings and errors, unless `RUST_LOG` says
/// otherwise.
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
/// Colours are for terminals, and for those without `NO_COLOR`. Where the program has a subscriber of its own already, this
/// does nothing; where it wants more than lines, `tracing-subscriber` has it.
pub fn logs() {
    logs_or("warn");
}

/// Like [`logs`], with another default where `RUST_LOG` says nothing.
///
/// ```
/// mcp_stdio::logs_or("warn,my_server=info");
/// ```
pub fn logs_or(default: &str) {
    let wanted = env::var("RUST_LOG").ok().filter(|text| !text.trim().is_empty());
    let (filter, unread) = Filter::parse(wanted.as_deref().unwrap_or(default));
    let colours = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    // A subscriber that the program has set itself stays.
    if set_global_default(Logs { filter, colours, next: AtomicU64::new(1), spans: Mutex::default() }).is_ok() {
        for word in unread {
            tracing::warn!(word, "RUST_LOG holds something that is no filter");
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

/// A span that somebody holds.
struct Span {
    text: String,
    has_fields: bool,
    holders: usize,
}

thread_local! {
    /// The spans that this thread is in, the innermost last.
    static INSIDE: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

impl Logs {
    fn spans(&self) -> MutexGuard<'_, HashMap<u64, Span>> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The spans around us, outermost first.
    fn around(&self) -> Vec<String> {
        let inside = INSIDE.with_borrow(Clone::clone);
        let spans = self.spans();
        inside.iter().filter_map(|id| spans.get(id)).map(Span::to_text).collect()
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
        let mut span = Span { text: attributes.metadata().name().to_owned(), has_fields: false, holders: 1 };
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
        let line = render(event, &self.around(), self.colours);
        // Nobody can be told if this fails.
        let _ = io::stderr().lock().write_all(line.as_bytes());
    }

    fn enter(&self, id: &Id) {
        INSIDE.with_borrow_mut(|inside| inside.push(id.into_u64()));
    }

    fn exit(&self, id: &Id) {
        INSIDE.with_borrow_mut(|inside| {
            if let Some(at) = inside.iter().rposition(|one| *one == id.into_u64()) {
                inside.remove(at);
            }
        });
    }

    fn clone_span(&self, id: &Id) -> Id {
        if let Some(span) = self.spans().get_mut(&id.into_u64()) {
            span.holders += 1;
        }
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let mut spans = self.spans();
        let Some(span) = spans.get_mut(&id.into_u64()) else {
            return false;
        };
        span.holders -= 1;
        let last = span.holders == 0;
        if last {
            spans.remove(&id.into_u64());
        }
        last
    }
}
