//! Progress of a call: increasing, and not more often than a client can use.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use crate::host::Outgoing;
use crate::jsonrpc::methods;
use crate::protocol::Revision;

/// The shortest time between two reports.
const PACE: Duration = Duration::from_millis(100);

/// How much further a sign of life says that the work is: progress must increase, and this is less than any tool reports.
const BEAT: f64 = 1e-9;

/// How much is done, or how much there is in all.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Amount(f64);

impl Amount {
    /// Nobody knows how much there is.
    pub const UNKNOWN: Amount = Amount(f64::NAN);

    fn known(self) -> Option<f64> {
        self.0.is_finite().then_some(self.0)
    }

    /// Whole numbers without a point.
    fn to_json(self) -> Option<Number> {
        let whole = self.0 as i64;
        if whole as f64 == self.0 { Some(whole.into()) } else { Number::from_f64(self.0) }
    }
}

macro_rules! amounts {
    ($($type:ty),*) => {$(
        impl From<$type> for Amount {
            fn from(amount: $type) -> Amount {
                Amount(amount as f64)
            }
        }
    )*};
}

amounts!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64);

/// The reports of one call that has a progress token.
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

/// Signs of life while the call itself reports nothing.
#[derive(Debug)]
struct Heartbeat {
    period: Duration,
    began: Instant,
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

    /// From now on reports say in their `_meta` to what they belong.
    pub(crate) fn relate(&mut self, related: Value) {
        self.related = Some(related);
    }

    /// With a sign of life whenever nothing was reported for that long.
    pub(crate) fn with_heartbeat(mut self, period: Duration, now: Instant) -> Progress {
        self.heartbeat = Some(Heartbeat { period: period.max(PACE), began: now });
        self
    }

    /// Takes a report; gives back what is to be sent now. Of what comes too fast only the latest is held.
    pub(crate) fn report(&mut self, done: Amount, total: Amount, message: String, now: Instant) -> Option<Outgoing> {
        let progress = done.known()?;
        if self.last.is_some_and(|last| progress <= last) {
            return None;
        }
        (self.last, self.total) = (Some(progress), total);
        let report = self.notification(done, message);
        if self.sent_at.is_some_and(|sent| now.duration_since(sent) < PACE) {
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

    /// Whether a report waits for its time.
    pub(crate) fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// When a held report may go out, or the next sign of life.
    pub(crate) fn due_at(&self) -> Option<Instant> {
        match (&self.held, &self.heartbeat) {
            (Some(_), _) => self.sent_at.map(|sent| sent + PACE),
            (None, Some(heartbeat)) => Some(self.sent_at.unwrap_or(heartbeat.began) + heartbeat.period),
            (None, None) => None,
        }
    }

    /// What was held, now.
    pub(crate) fn flush(&mut self) -> Option<Outgoing> {
        self.held.take()
    }

    /// What was held, or a sign of life, if its time has come.
    pub(crate) fn flush_due(&mut self, now: Instant) -> Option<Outgoing> {
        if self.due_at()? > now {
            return None;
        }
        self.sent_at = Some(now);
        self.flush().or_else(|| Some(self.beat()))
    }

    /// As far as before, but by as little more as can be told.
    fn beat(&mut self) -> Outgoing {
        let done = self.last.map_or(0.0, |last| (last + BEAT).max(last.next_up()));
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
    fn of_a_flood_the_first_and_the_last_go_out() {
        let (mut progress, now) = (progress(), Instant::now());
        assert!(text(progress.report(1.into(), 10.into(), "one".into(), now)).contains(r#""progress":1,"total":10"#));
        for done in 2..=9 {
            assert_eq!(progress.report(done.into(), 10.into(), String::new(), now), None);
        }
        assert_eq!(progress.flush_due(now + PACE / 2), None);
        assert!(text(progress.flush_due(now + PACE)).contains(r#""progress":9"#));
        assert_eq!(progress.flush(), None);
    }

    #[test]
    fn a_heartbeat_fills_every_silence_and_always_increases() {
        let (now, period) = (Instant::now(), Duration::from_secs(10));
        let mut progress = progress().with_heartbeat(period, now);
        assert_eq!(progress.due_at(), Some(now + period));
        assert!(text(progress.flush_due(now + period)).contains(r#""progress":0}"#));
        assert!(text(progress.flush_due(now + period * 2)).contains(r#""progress":1e-9}"#));
        // A report puts the next one off, and a total that is known is told again.
        assert!(progress.report(3.into(), 4.into(), String::new(), now + period * 5 / 2).is_some());
        assert_eq!(progress.flush_due(now + period * 3), None);
        assert!(text(progress.flush_due(now + period * 7 / 2)).contains(r#""progress":3.000000001,"total":4"#));
        // Even where a billionth makes no difference any more.
        assert!(progress.report(1e300.into(), 4.into(), String::new(), now + period * 4).is_some());
        progress.flush_due(now + period * 5);
        assert!(progress.last > Some(1e300));
    }

    #[test]
    fn what_does_not_increase_is_dropped() {
        let (mut progress, now) = (progress(), Instant::now());
        assert!(progress.report(5.into(), Amount::UNKNOWN, String::new(), now).is_some());
        assert_eq!(progress.report(5.into(), Amount::UNKNOWN, String::new(), now + PACE * 2), None);
        assert_eq!(progress.report(f64::NAN.into(), Amount::UNKNOWN, String::new(), now + PACE * 2), None);
        assert!(!text(progress.report(6.into(), Amount::UNKNOWN, String::new(), now + PACE * 2)).contains("total"));
    }
}
