//! Progress notifications of a call: values always increase, and the rate is limited.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use crate::host::Outgoing;
use crate::jsonrpc::methods;
use crate::protocol::Revision;

/// The minimum time between two progress notifications.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

/// How much a heartbeat increases the progress. The protocol requires an increase, so it is smaller than any real step.
const HEARTBEAT_STEP: f64 = 1e-9;

/// The amount of work that is done, or the total amount of work.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Amount(Option<f64>);

impl Amount {
    /// An amount that is not known. Numbers that are not finite are converted to this.
    pub const UNKNOWN: Amount = Amount(None);

    /// Converts into a JSON number. Whole numbers are written without a decimal point.
    fn to_json(self) -> Option<Number> {
        let amount = self.0?;
        let whole = amount as i64;
        if whole as f64 == amount { Some(whole.into()) } else { Number::from_f64(amount) }
    }
}

macro_rules! amounts {
    ($($type:ty),*) => {$(
        impl From<$type> for Amount {
            fn from(amount: $type) -> Amount {
                let amount = amount as f64;
                Amount(amount.is_finite().then_some(amount))
            }
        }
    )*};
}

amounts!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64);

/// The progress state of one call that has a progress token.
#[derive(Debug)]
pub(crate) struct Progress {
    token: Box<RawValue>,
    revision: Revision,
    last: Option<f64>,
    total: Amount,
    sent_at: Option<Instant>,
    held: Option<Outgoing>,
    related: Option<Value>,
    heartbeat: Option<Heartbeat>,
}

/// Sends progress notifications while the call itself reports nothing, so that the client does not time out.
#[derive(Debug)]
struct Heartbeat {
    period: Duration,
    started: Instant,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    progress_token: &'a RawValue,
    progress: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    related: Option<&'a Value>,
}

impl Progress {
    pub(crate) fn new(token: Box<RawValue>, revision: Revision) -> Progress {
        Progress {
            token,
            revision,
            last: None,
            total: Amount::UNKNOWN,
            sent_at: None,
            held: None,
            heartbeat: None,
            related: None,
        }
    }

    /// Sets the `_meta` of all later notifications.
    pub(crate) fn relate(&mut self, related: Value) {
        self.related = Some(related);
    }

    /// Adds a heartbeat: a notification is sent whenever nothing was reported for `period`.
    pub(crate) fn with_heartbeat(mut self, period: Duration, now: Instant) -> Progress {
        self.heartbeat = Some(Heartbeat { period: period.max(MIN_INTERVAL), started: now });
        self
    }

    /// Takes a report. Returns the notification to send now, or `None` if the report is dropped or held back.
    ///
    /// A report that comes too early is held, and replaces the one held before.
    pub(crate) fn report(&mut self, done: Amount, total: Amount, message: String, now: Instant) -> Option<Outgoing> {
        let progress = done.0?;
        if self.last.is_some_and(|last| progress <= last) {
            return None;
        }
        (self.last, self.total) = (Some(progress), total);
        let report = self.notification(done, message);
        if self.sent_at.is_some_and(|sent| now.duration_since(sent) < MIN_INTERVAL) {
            self.held = Some(report);
            return None;
        }
        self.sent_at = Some(now);
        self.held = None;
        Some(report)
    }

    fn notification(&self, done: Amount, message: String) -> Outgoing {
        let message = Some(message).filter(|text| !text.is_empty() && self.revision.has_annotations());
        let (progress, total) = (done.to_json(), self.total.to_json());
        let (progress_token, related) = (&*self.token, self.related.as_ref());
        Outgoing::notification(methods::PROGRESS, &Params { progress_token, progress, total, message, related })
    }

    /// Returns whether a report is held back.
    pub(crate) fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// Returns when the held report or the next heartbeat is due.
    pub(crate) fn due_at(&self) -> Option<Instant> {
        match (&self.held, &self.heartbeat) {
            (Some(_), _) => self.sent_at.map(|sent| sent + MIN_INTERVAL),
            (None, Some(heartbeat)) => Some(self.sent_at.unwrap_or(heartbeat.started) + heartbeat.period),
            (None, None) => None,
        }
    }

    /// Returns the held report, whether it is due or not.
    pub(crate) fn flush(&mut self) -> Option<Outgoing> {
        self.held.take()
    }

    /// Returns the held report or a heartbeat, if it is due.
    pub(crate) fn flush_due(&mut self, now: Instant) -> Option<Outgoing> {
        if self.due_at()? > now {
            return None;
        }
        self.sent_at = Some(now);
        self.flush().or_else(|| Some(self.heartbeat()))
    }

    /// Creates a heartbeat: the last progress plus the smallest increase that the float can represent.
    fn heartbeat(&mut self) -> Outgoing {
        let done = self.last.map_or(0.0, |last| (last + HEARTBEAT_STEP).max(last.next_up()));
        self.last = Some(done);
        self.notification(done.into(), String::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress() -> Progress {
        Progress::new(RawValue::from_string("7".into()).unwrap(), Revision::V2025_11_25)
    }

    fn text(message: Option<Outgoing>) -> String {
        message.map_or_else(String::new, |message| String::from_utf8(message.into_bytes()).unwrap())
    }

    #[test]
    fn of_many_fast_reports_the_first_and_the_last_are_sent() {
        let (mut progress, now) = (progress(), Instant::now());
        assert!(text(progress.report(1.into(), 10.into(), "one".into(), now)).contains(r#""progress":1,"total":10"#));
        for done in 2..=9 {
            assert_eq!(progress.report(done.into(), 10.into(), String::new(), now), None);
        }
        assert_eq!(progress.flush_due(now + MIN_INTERVAL / 2), None);
        assert!(text(progress.flush_due(now + MIN_INTERVAL)).contains(r#""progress":9"#));
        assert_eq!(progress.flush(), None);
    }

    #[test]
    fn a_heartbeat_is_sent_when_nothing_is_reported_and_always_increases() {
        let (now, period) = (Instant::now(), Duration::from_secs(10));
        let mut progress = progress().with_heartbeat(period, now);
        assert_eq!(progress.due_at(), Some(now + period));
        assert!(text(progress.flush_due(now + period)).contains(r#""progress":0}"#));
        assert!(text(progress.flush_due(now + period * 2)).contains(r#""progress":1e-9}"#));
        // A report delays the next heartbeat, and heartbeats repeat the known total.
        assert!(progress.report(3.into(), 4.into(), String::new(), now + period * 5 / 2).is_some());
        assert_eq!(progress.flush_due(now + period * 3), None);
        assert!(text(progress.flush_due(now + period * 7 / 2)).contains(r#""progress":3.000000001,"total":4"#));
        // Values so large that adding the step does not change them still increase.
        assert!(progress.report(1e300.into(), 4.into(), String::new(), now + period * 4).is_some());
        progress.flush_due(now + period * 5);
        assert!(progress.last > Some(1e300));
    }

    #[test]
    fn values_that_do_not_increase_are_dropped() {
        let (mut progress, now) = (progress(), Instant::now());
        assert!(progress.report(5.into(), Amount::UNKNOWN, String::new(), now).is_some());
        assert_eq!(progress.report(5.into(), Amount::UNKNOWN, String::new(), now + MIN_INTERVAL * 2), None);
        assert_eq!(progress.report(f64::NAN.into(), Amount::UNKNOWN, String::new(), now + MIN_INTERVAL * 2), None);
        assert!(!text(progress.report(6.into(), Amount::UNKNOWN, String::new(), now + MIN_INTERVAL * 2)).contains("total"));
    }
}
